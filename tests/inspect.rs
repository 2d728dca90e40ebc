//! Logs of Inspect AI as runs, from outside: `report` and `compare` over logs that Inspect wrote (`tests/python/inspect_logs.py`).

use std::path::Path;

use serde_json::{Value as Json, json};
use testing::{expect, root};

fn logs() -> std::path::PathBuf {
    root().join("report/tests/logs")
}

fn report(log: &str) -> Json {
    let ran = expect(0, &logs(), &["report", log, "--json"]);
    serde_json::from_str(&ran.out).expect("JSON")
}

#[test]
fn a_log_is_reported_as_a_run() {
    let run = &report("mixed.eval")["runs"][0];
    assert_eq!((&run["suite"], &run["seed"], &run["trials"]), (&json!("desk"), &json!("7"), &json!(2)));
    assert_eq!((&run["whole"]["correct"], &run["whole"]["of"]), (&json!(8), &json!(12)));
    assert_eq!(run["statuses"], json!({"done": 9, "max_rounds": 1, "timeout": 1, "failed": 1, "missing": 0}));
    assert_eq!(run["failures"].as_array().map(Vec::len), Some(4));
    let table = expect(0, &logs(), &["report", "mixed.eval"]).out;
    assert!(table.contains("mixed.eval"), "{table}");
}

#[test]
fn a_page_shows_the_failures_of_a_log() {
    let folder = tempfile::tempdir().expect("a folder");
    let page = folder.path().join("page.html").display().to_string();
    expect(0, &logs(), &["report", "mixed.eval", "good.eval", "--html", &page]);
    let html = std::fs::read_to_string(page).expect("a page");
    for text in [
        "the tool broke",
        "Reply with the number only.",
        "inspect:mockllm/model",
        "Inspect AI 0.3.285",
        "3 seconds per trial",
    ] {
        assert!(html.contains(text), "the page has no {text:?}");
    }
}

#[test]
fn logs_of_one_suite_and_seed_are_compared_instance_by_instance() {
    let ran = expect(0, &logs(), &["compare", "mixed.eval", "good.eval", "--json"]);
    let json: Json = serde_json::from_str(&ran.out).expect("JSON");
    assert_eq!(json["design"], "paired");
    assert_eq!((&json["whole"]["accuracy_a"], &json["whole"]["accuracy_b"]), (&json!(0.666666667), &json!(1.0)));
}

#[test]
fn a_log_that_is_not_finished_is_refused() {
    let ran = expect(2, &logs(), &["report", "open.eval"]);
    assert!(ran.err.contains("has 2 of its 12 samples"), "{}", ran.err);
    assert!(ran.err.contains("inspect eval-retry"), "{}", ran.err);
    let text = expect(2, Path::new(root()), &["report", "README.md"]);
    assert!(text.err.contains("is not a log of Inspect AI"), "{}", text.err);
}
