//! What people read: the files of each format, without those that are bytes.

use std::fmt::Write as _;

use super::desk::{Desk, FORMATS, files};

/// The files of an export that are text, those of one instance of each task alone.
fn shown(desk: &Desk, format: &str) -> String {
    let mut text = String::new();
    for (path, bytes) in files(&desk.at(format)) {
        let is_second = ["plus-2", "both-2", "total-2", "tidy-2"].iter().any(|id| path.contains(id));
        // The manifests of instances differ in digests alone.
        let is_repeated = path.ends_with("/manifest.json") && !path.contains("plus-1");
        if is_second || is_repeated {
            continue;
        }
        match String::from_utf8(bytes) {
            Ok(content) if !path.ends_with(".parquet") => {
                let _ = writeln!(text, "=== {path}\n{}", content.trim_end());
            }
            Ok(_) | Err(_) => {
                let _ = writeln!(text, "=== {path} (bytes)");
            }
        }
    }
    text
}

#[test]
fn files_of_every_format() {
    let desk = Desk::new(&[]);
    let mut settings = insta::Settings::clone_current();
    settings.set_snapshot_path(testing::root().join("tests/export/snapshots"));
    settings.set_prepend_module_to_snapshot(false);
    settings.set_omit_expression(true);
    // Digests of files of bytes; the identity of the bundle stays.
    settings.add_filter(r#""sha256": "[0-9a-f]{64}""#, r#""sha256": "…""#);
    for format in FORMATS {
        desk.export(format, &[]);
        settings.bind(|| insta::assert_snapshot!(format, shown(&desk, format)));
    }
}

#[test]
fn files_of_a_run() {
    let desk = Desk::new(&["--samples", "1"]);
    desk.does(0, &["run", "bundle", "--agent", "null", "-o", "run", "-q"]);
    // The one thing that the clock decides.
    let path = desk.at("run/run.json");
    let mut info = super::desk::json(&path);
    info["started"] = 1_767_225_600.into();
    std::fs::write(&path, info.to_string()).expect("written");
    let scores = desk.at("run/scores.jsonl");
    let text: String = super::desk::lines(&scores)
        .into_iter()
        .map(|mut line| {
            line["wall_ms"] = 5.into();
            format!("{line}\n")
        })
        .collect();
    std::fs::write(scores, text).expect("written");
    let once = desk.does(0, &["export", "eee", "run", "-o", "eee", "--partial"]);
    assert!(
        once.err.ends_with("wrote 4 responses to eee in the format of Every Eval Ever; 1 in part\n"),
        "{}",
        once.err
    );
    let mut settings = insta::Settings::clone_current();
    settings.set_snapshot_path(testing::root().join("tests/export/snapshots"));
    settings.set_prepend_module_to_snapshot(false);
    settings.set_omit_expression(true);
    settings.add_filter(r"[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}", "UUID");
    settings.bind(|| insta::assert_snapshot!("eee", shown(&desk, "eee")));
    // The same again, and nothing of the keys.
    desk.does(0, &["export", "eee", "run", "-o", "again", "--partial", "-q"]);
    assert_eq!(files(&desk.at("eee")), files(&desk.at("again")));
    for (path, bytes) in files(&desk.at("eee")) {
        let text = String::from_utf8(bytes).expect("text");
        assert!(!text.contains("\"differences\"") && !text.contains("\"expected\""), "{path}");
    }
    // With another model, another record.
    desk.does(0, &["export", "eee", "run", "-o", "other", "--partial", "-q", "--model", "a/b", "--keys"]);
    let other = files(&desk.at("other"));
    assert!(other.keys().all(|path| !path.starts_with("data/") || path.starts_with("data/desk/a/b/")), "{other:?}");
    assert!(other.values().any(|bytes| String::from_utf8_lossy(bytes).contains("\"differences\"")));
}

#[test]
fn a_run_that_lacks_responses_is_not_published() {
    let desk = Desk::new(&["--task", "plus", "--samples", "2"]);
    desk.does(0, &["run", "bundle", "--agent", "oracle", "-o", "run", "-q"]);
    let responses = desk.at("run/responses.jsonl");
    let all = std::fs::read_to_string(&responses).expect("read");
    let first = all.lines().next().expect("a line");
    for (left, said) in [(None, "cannot read"), (Some(format!("{first}\n")), "has no line for `plus-")] {
        std::fs::remove_file(&responses).expect("removed");
        if let Some(left) = left {
            std::fs::write(&responses, left).expect("written");
        }
        let ran = testing::run_picardc(desk.path(), &["export", "eee", "run", "-o", "out"]);
        assert!(!ran.status.success() && ran.err.contains(said) && ran.err.contains("responses.jsonl"), "{}", ran.err);
        assert!(!desk.at("out").exists());
        std::fs::write(&responses, &all).expect("written");
    }
    let twice = desk.does(2, &["export", "eee", "run", "./run", "-o", "out"]);
    assert!(twice.err.contains("the run `./run` is given twice"), "{}", twice.err);
    let log = testing::root().join("harness/report/tests/logs/good.eval").display().to_string();
    let log = desk.does(2, &["export", "eee", &log, "-o", "out"]);
    assert!(log.err.contains("is a file, and only runs of `picardc run` are exported"), "{}", log.err);
    desk.does(0, &["export", "eee", "run", "-o", "out"]);
}

#[test]
fn harbor_takes_no_home_for_a_sandbox() {
    for (root, status) in [("~", 2), ("~/work", 2), ("/work", 0), ("work", 0)] {
        let desk = Desk::new(&["--samples", "1", "--sandbox-root", root]);
        let ran = desk.does(status, &["export", "harbor", "bundle", "-o", "out"]);
        assert!(status == 0 || ran.err.contains(&format!("call the sandbox `{root}`")), "{}", ran.err);
    }
}

#[test]
fn runs_say_who_made_their_model() {
    let desk = Desk::new(&["--task", "plus"]);
    desk.does(0, &["run", "bundle", "--agent", "cmd:true", "-o", "run", "-q", "--timeout", "20"]);
    let ran = desk.does(2, &["export", "eee", "run", "-o", "out"]);
    assert!(ran.err.contains("does not say who made the model of `cmd:true`"), "{}", ran.err);
    desk.does(2, &["export", "eee", "run", "-o", "out", "--model", "gpt-5"]);
    desk.does(2, &["export", "eee", "run", "-o", "out", "--model", "a/b", "--model", "c/d"]);
    desk.does(0, &["export", "eee", "run", "-o", "out", "--model", "a/b"]);
}
