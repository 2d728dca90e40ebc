//! What exports have for other tools, without these tools: Harbor's `solve.sh` and `test.sh` in plain folders, and the scorers of lm-eval and promptfoo.

use std::fs;
use std::path::Path;
use std::process::Command;

use serde_json::Value as Json;
use tempfile::TempDir;

use super::desk::{Desk, json};

/// The reward after an agent that is the oracle, or that does nothing.
pub fn reward(task: &Path, oracle: bool) -> Json {
    let home = TempDir::new().expect("a folder");
    let (work, reply, logs) =
        (home.path().join("app"), home.path().join("out/reply.txt"), home.path().join("verifier"));
    copy(&task.join("environment/files"), &work);
    let run = |script: &str| {
        let ran = Command::new("sh")
            .arg(task.join(script))
            .env("PICARDC", testing::program())
            .env("PICARDC_WORK", &work)
            .env("PICARDC_REPLY", &reply)
            .env("PICARDC_LOGS", &logs)
            .output()
            .expect("sh starts");
        assert!(ran.status.success(), "{}: {}", task.display(), String::from_utf8_lossy(&ran.stderr));
    };
    if oracle {
        run("solution/solve.sh");
    }
    run("tests/test.sh");
    json(&logs.join("reward.json"))
}

/// As `COPY files/ /app/` does it.
fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).expect("made");
    for (path, bytes) in if from.exists() { testing::files(from) } else { Default::default() } {
        testing::write(to, &path, &bytes);
    }
}

#[test]
fn harbor_gives_the_oracle_1_and_nobody_0() {
    let desk = Desk::new(&[]);
    let out = desk.export("harbor", &[]);
    for line in desk.instances() {
        let task = out.join(line["id"].as_str().expect("an id"));
        assert_eq!(reward(&task, true), serde_json::json!({"reward": 1, "score": 1.0}), "{}", task.display());
        assert_eq!(reward(&task, false)["reward"], 0, "{}", task.display());
    }
}

#[test]
fn every_shipped_suite_is_accepted_or_counted() {
    for suite in ["past", "business_db", "state", "formats"] {
        let source = testing::root().join(format!("suites/{suite}.pcd")).display().to_string();
        let home = TempDir::new().expect("a folder");
        testing::expect(0, home.path(), &["build", &source, "-o", "bundle", "--seed", "7", "--samples", "1", "-q"]);
        testing::expect(0, home.path(), &["export", "harbor", "bundle", "-o", "out", "--partial", "-q"]);
        let about = json(&home.path().join("out/picardc.json"));
        let ids = fs::read_dir(home.path().join("out")).expect("readable").map(|entry| entry.expect("an entry").path());
        let tasks: Vec<_> = ids.filter(|path| path.is_dir()).collect();
        assert_eq!(about["instances"], tasks.len());
        for task in &tasks {
            assert_eq!(reward(task, true)["reward"], 1, "{suite}: {}", task.display());
            assert_eq!(reward(task, false)["reward"], 0, "{suite}: {}", task.display());
        }
    }
}

#[test]
fn a_verifier_that_cannot_score_gives_no_reward() {
    let desk = Desk::new(&["--task", "plus"]);
    let task = desk.export("harbor", &[]).join("plus-1");
    let key = task.join("tests/bundle/instances.jsonl");
    let text = fs::read_to_string(&key).expect("readable");
    fs::write(&key, text.replace("What is", "What was")).expect("written");
    let logs = desk.at("logs");
    let ran = Command::new("sh")
        .arg(task.join("tests/test.sh"))
        .env("PICARDC", testing::program())
        .env("PICARDC_WORK", desk.path())
        .env("PICARDC_LOGS", &logs)
        .output()
        .expect("sh starts");
    assert_eq!(ran.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&ran.stderr).contains("was changed after the build"));
    assert!(!logs.join("reward.json").exists());
}

#[test]
fn a_sandbox_root_is_where_prompts_say() {
    for (root, place) in
        [("in/here", "environment/files/in/here/in/it's orders.csv"), ("/work", "environment/files/in/it's orders.csv")]
    {
        let desk = Desk::new(&["--sandbox-root", root, "--task", "total"]);
        let task = desk.export("harbor", &[]).join("total-1");
        assert!(task.join(place).exists(), "{root}");
        assert_eq!(reward(&task, true)["reward"], 1, "{root}");
        assert_eq!(reward(&task, false)["reward"], 0, "{root}");
    }
    let desk = Desk::new(&["--sandbox-root", "/tests", "--task", "total"]);
    let ran = desk.does(2, &["export", "harbor", "bundle", "-o", "out"]);
    assert!(ran.err.contains("call the sandbox `/tests`"), "{}", ran.err);
}

/// A scorer asks one process for all replies, and never scores a reply by the answer key of another bundle.
#[test]
fn an_export_that_is_replaced_in_use_is_not_scored() {
    let source = fs::read_to_string(testing::root().join("tests/export/desk.pcd")).expect("readable");
    let other = Desk::of(&source.replace("number a + b\n", "number a + b + 1\n"), &[]);
    for (format, interpreter, script) in [
        ("lm-eval", "python3", "tests/python/export/lm_eval_replaced.py"),
        ("promptfoo", "node", "tests/python/export/promptfoo_replaced.cjs"),
    ] {
        if !Command::new(interpreter).arg("--version").output().is_ok_and(|ran| ran.status.success()) {
            eprintln!("skipped: {interpreter} cannot be run");
            continue;
        }
        let desk = Desk::new(&[]);
        let line = &desk.instances()[0];
        let words = [line["id"].as_str().expect("an id"), line["target"].as_str().expect("a target")];
        let ran = Command::new(interpreter)
            .arg(testing::root().join(script))
            .args([desk.export(format, &[]), other.export(format, &[])])
            .args(words)
            .env("PICARDC", testing::program())
            .env("PYTHONDONTWRITEBYTECODE", "1")
            .output()
            .expect("started");
        let said = String::from_utf8_lossy(&ran.stderr);
        assert!(ran.status.success() && ran.stdout == b"ok\n", "{format}: {said}");
    }
}
