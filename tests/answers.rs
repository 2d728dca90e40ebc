//! Every form of an answer in one suite: it has no diagnostic, its oracle is right in every form, and its examples hold.

use testing::{expect_status, root};

#[test]
fn every_form_is_checked_formatted_and_sound() {
    let suite = "tests/answers/forms.pcd";
    let checked = expect_status(0, root(), &["check", suite, "--format", "short"]);
    assert_eq!(checked.out, "", "{}", checked.err);
    expect_status(0, root(), &["fmt", "--check", suite]);
    let ran = expect_status(0, root(), &["selftest", suite, "--json"]);
    let document: serde_json::Value = serde_json::from_str(&ran.out).expect("JSON");
    for task in document["tasks"].as_array().expect("tasks") {
        assert_eq!(task["sound"], true, "{task:#}");
    }
    // Rebuilt in one's own folder, a bundle holds no example.
    let home = tempfile::tempdir().expect("a folder");
    let out = home.path().join("out").display().to_string();
    expect_status(0, root(), &["build", suite, "-o", &out]);
    let bundle = std::fs::read_to_string(home.path().join("out/instances.jsonl")).expect("a bundle");
    assert!(bundle.contains("\"among\":") && bundle.contains("\"/*/MEAN\"") && !bundle.contains("I do not know"));
}
