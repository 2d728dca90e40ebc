//! `picardc selftest`: every suite that ships (and the one that `init` writes) can be answered, and is not answered by doing nothing.

use testing::{expect, root, sources};

/// A suite of one task with this body, in a folder of its own.
fn suite(body: &str) -> tempfile::TempDir {
    let text = format!("suite s {{ title \"S\" version \"1.0.0\" }}\n\ntask t {{\n{body}\n}}\n");
    testing::folder(&[("s.pcd", &text)])
}

#[test]
fn every_shipped_suite_is_sound() {
    let suites = sources(root().join("suites"));
    assert!(suites.len() >= 5, "{suites:?}");
    for path in suites {
        let ran = expect(0, root(), &["selftest", &path.display().to_string(), "--samples", "5", "--json"]);
        let document: serde_json::Value = serde_json::from_str(&ran.out).expect("JSON");
        assert_eq!(document["sound"], true, "{document:#}");
        for task in document["tasks"].as_array().expect("tasks") {
            assert_eq!(task["oracle_correct"], task["instances"], "{task:#}");
            assert_eq!((&task["null_correct"], &task["null_score"]), (&0.into(), &0.0.into()), "{task:#}");
        }
    }
}

#[test]
fn a_key_that_cannot_be_met_is_told() {
    let home = suite("prompt \"yes or no?\"\nexpect reply text \"yes\"\nexpect reply text \"no\"");
    let ran = expect(1, home.path(), &["selftest", "s.pcd", "--samples", "3"]);
    insta::assert_snapshot!(ran.out);
}

#[test]
fn a_task_that_is_met_by_doing_nothing_is_told() {
    let body = "allow nothing_expected \"the test wants it\"\ncsv hr at \"hr.csv\" { rows 3  PAY : int 1..1_000_000 }\n\
                prompt \"Leave <<hr>> alone.\"\nexpect file \"hr.csv\" unchanged";
    let ran = expect(1, suite(body).path(), &["selftest", "s.pcd", "--samples", "3"]);
    insta::assert_snapshot!(ran.out);
}

#[test]
fn a_part_that_is_met_by_doing_nothing_is_shown_and_no_fault() {
    let body = "csv hr at \"hr.csv\" { rows 3  PAY : int 1..1_000_000 }\n\
                prompt \"Leave <<hr>> alone and reply with the sum of PAY.\"\nexpect file \"hr.csv\" unchanged\n\
                expect reply number sum(hr.PAY) weight 3";
    let ran = expect(0, suite(body).path(), &["selftest", "s.pcd", "--samples", "3"]);
    insta::assert_snapshot!(ran.out);
}

#[test]
fn places_names_and_grades_are_answered_scored_and_reported() {
    let body = "  a, b : int 1..900\n  yaml conf at \"conf.yaml\" { port : int 1..900 }\n\
                prompt \"In <<conf>>, set port to <<a>>. Reply with JSON such as {\\\"total\\\": 5, \\\"items\\\": [1, 2]}: the sum of <<a>> and <<b>>, and both numbers.\"\n\
                expect total: reply at \"$.total\" number a + b graded weight 2\n\
                expect items: reply at \"$.items\" list [a, b] graded above 0.9\n\
                expect port: file conf at \"$.port\" number a";
    let home = suite(body);
    let ran = expect(0, home.path(), &["selftest", "s.pcd", "--samples", "3"]);
    assert!(ran.out.contains("100"), "{}", ran.out);
    expect(0, home.path(), &["build", "s.pcd", "--samples", "3", "--seed", "7", "-o", "b"]);
    let lines = std::fs::read_to_string(home.path().join("b/instances.jsonl")).expect("instances");
    assert!(lines.contains(r#""name":"total","subject":"reply","slice":{"at":"$.total"},"match":"number""#), "{lines}");
    assert!(
        lines.contains(r#""name":"port","subject":{"file":"conf.yaml"},"slice":{"at":"$.port","yaml":true}"#),
        "{lines}"
    );
    expect(0, home.path(), &["run", "b", "--agent", "oracle", "-o", "r"]);
    let scores = std::fs::read_to_string(home.path().join("r/scores.jsonl")).expect("scores");
    assert_eq!(scores.matches(r#""name":"items""#).count(), 3, "{scores}");
    let report = expect(0, home.path(), &["report", "r", "--markdown"]).out;
    let section = report.split("Expectations met, by name").nth(1).expect("the section");
    let rows: Vec<&str> = section.lines().filter(|line| line.starts_with('|')).skip(2).take(3).collect();
    for (row, name) in rows.iter().zip(["total", "items", "port"]) {
        assert!(row.contains(name) && row.contains("100"), "{section}");
    }
    assert_eq!(rows.len(), 3, "{section}");
}

#[test]
fn what_init_writes_is_sound() {
    let home = tempfile::tempdir().expect("a folder");
    expect(0, home.path(), &["init", "Harbour Desk"]);
    let path = "Harbour Desk/harbour_desk.pcd";
    expect(0, home.path(), &["check", "--deny-warnings", path]);
    expect(0, home.path(), &["selftest", path]);
    expect(0, home.path(), &["analyze", path, "--deny-weak"]);
    let before = std::fs::read(home.path().join(path)).expect("read");
    let again = expect(2, home.path(), &["init", "Harbour Desk"]);
    assert!(again.err.contains("is there already"), "{}", again.err);
    assert_eq!(std::fs::read(home.path().join(path)).expect("read"), before);
    assert_eq!(std::fs::read_dir(home.path().join("Harbour Desk")).expect("read").count(), 1);
}
