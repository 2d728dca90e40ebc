//! `picardc selftest`: every suite that ships (and the one that `init` writes) can be answered, and is not answered by doing nothing.

use std::path::{Path, PathBuf};

use assert_cmd::Command;

struct Ran {
    status: i32,
    out: String,
    err: String,
}

fn picardc(folder: &Path, args: &[&str]) -> Ran {
    let output =
        Command::cargo_bin("picardc").expect("built").current_dir(folder).args(args).output().expect("it runs");
    Ran {
        status: output.status.code().expect("not killed"),
        out: String::from_utf8(output.stdout).expect("UTF-8"),
        err: String::from_utf8(output.stderr).expect("UTF-8"),
    }
}

fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

/// A suite of one task with this body, in a folder of its own.
fn suite(body: &str) -> tempfile::TempDir {
    let home = tempfile::tempdir().expect("a folder");
    let text = format!("suite s {{ title \"S\" version \"1.0.0\" }}\n\ntask t {{\n{body}\n}}\n");
    std::fs::write(home.path().join("s.pcd"), text).expect("written");
    home
}

#[test]
fn every_shipped_suite_is_sound() {
    let mut suites: Vec<_> = std::fs::read_dir(root().join("suites"))
        .expect("the suites")
        .map(|entry| entry.expect("an entry").path())
        .filter(|path| path.extension().is_some_and(|ending| ending == "pcd"))
        .collect();
    suites.sort();
    assert!(suites.len() >= 5, "{suites:?}");
    for path in suites {
        let ran = picardc(&root(), &["selftest", &path.display().to_string(), "--samples", "5", "--json"]);
        assert_eq!(ran.status, 0, "{}: {}{}", path.display(), ran.out, ran.err);
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
    let ran = picardc(home.path(), &["selftest", "s.pcd", "--samples", "3"]);
    assert_eq!(ran.status, 1, "{}{}", ran.out, ran.err);
    insta::assert_snapshot!(ran.out);
}

#[test]
fn a_task_that_is_met_by_doing_nothing_is_told() {
    let body = "allow nothing_expected \"the test wants it\"\ncsv hr at \"hr.csv\" { rows 3  PAY : int 1..1_000_000 }\n\
                prompt \"Leave <<hr>> alone.\"\nexpect file \"hr.csv\" unchanged";
    let ran = picardc(suite(body).path(), &["selftest", "s.pcd", "--samples", "3"]);
    assert_eq!(ran.status, 1, "{}{}", ran.out, ran.err);
    insta::assert_snapshot!(ran.out);
}

#[test]
fn a_part_that_is_met_by_doing_nothing_is_shown_and_no_fault() {
    let body = "csv hr at \"hr.csv\" { rows 3  PAY : int 1..1_000_000 }\n\
                prompt \"Leave <<hr>> alone and reply with the sum of PAY.\"\nexpect file \"hr.csv\" unchanged\n\
                expect reply number sum(hr.PAY) weight 3";
    let ran = picardc(suite(body).path(), &["selftest", "s.pcd", "--samples", "3"]);
    assert_eq!(ran.status, 0, "{}{}", ran.out, ran.err);
    insta::assert_snapshot!(ran.out);
}

#[test]
fn what_init_writes_is_sound() {
    let home = tempfile::tempdir().expect("a folder");
    let begun = picardc(home.path(), &["init", "Harbour Desk"]);
    assert_eq!(begun.status, 0, "{}", begun.err);
    let path = "Harbour Desk/harbour_desk.pcd";
    let checked = picardc(home.path(), &["check", "--deny-warnings", path]);
    assert_eq!(checked.status, 0, "{}", checked.err);
    let tested = picardc(home.path(), &["selftest", path]);
    assert_eq!(tested.status, 0, "{}{}", tested.out, tested.err);
    let judged = picardc(home.path(), &["analyze", path, "--deny-weak"]);
    assert_eq!(judged.status, 0, "{}{}", judged.out, judged.err);
    let before = std::fs::read(home.path().join(path)).expect("read");
    let again = picardc(home.path(), &["init", "Harbour Desk"]);
    assert_eq!(again.status, 2, "{}", again.err);
    assert!(again.err.contains("is there already"), "{}", again.err);
    assert_eq!(std::fs::read(home.path().join(path)).expect("read"), before);
    assert_eq!(std::fs::read_dir(home.path().join("Harbour Desk")).expect("read").count(), 1);
}
