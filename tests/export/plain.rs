//! What exports have for other tools, without these tools: Harbor's `solve.sh` and `test.sh` in plain folders, and the scorers of lm-eval and promptfoo.

use std::fs;
use std::path::Path;
use std::process::Command;

use serde_json::Value as Json;
use tempfile::TempDir;

use super::desk::{Desk, json};

/// The reward after an agent that is the oracle, or that does nothing.
pub fn reward(task: &Path, oracle: bool) -> Json {
    reward_after(task, oracle, &|_| {})
}

/// The same after something else was done in the working folder.
pub fn reward_after(task: &Path, oracle: bool, spoil: &dyn Fn(&Path)) -> Json {
    let home = TempDir::new().expect("a folder");
    let (work, reply, logs) =
        (home.path().join("app"), home.path().join("out/reply.txt"), home.path().join("verifier"));
    copy(&task.join("environment/files"), &work);
    let run = |script: &str| {
        let ran = Command::new("sh")
            .arg(task.join(script))
            .env("PICARDC", testing::find_program())
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
    spoil(&work);
    run("tests/test.sh");
    json(&logs.join("reward.json"))
}

/// As `COPY files/ /app/` does it.
fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).expect("made");
    for (path, bytes) in if from.exists() { testing::read_files(from) } else { Default::default() } {
        testing::write_in_folder(to, &path, &bytes);
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
        testing::expect_status(
            0,
            home.path(),
            &["build", &source, "-o", "bundle", "--seed", "7", "--samples", "1", "-q"],
        );
        testing::expect_status(0, home.path(), &["export", "harbor", "bundle", "-o", "out", "--partial", "-q"]);
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
fn a_verifier_that_cannot_score_gives_0() {
    let desk = Desk::new(&["--task", "plus"]);
    let task = desk.export("harbor", &[]).join("plus-1");
    let key = task.join("tests/bundle/instances.jsonl");
    let text = fs::read_to_string(&key).expect("readable");
    fs::write(&key, text.replace("What is", "What was")).expect("written");
    let logs = desk.at("logs");
    let ran = Command::new("sh")
        .arg(task.join("tests/test.sh"))
        .env("PICARDC", testing::find_program())
        .env("PICARDC_WORK", desk.path())
        .env("PICARDC_LOGS", &logs)
        .output()
        .expect("sh starts");
    assert_eq!(ran.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&ran.stderr).contains("was changed after the build"));
    assert_eq!(json(&logs.join("reward.json")), serde_json::json!({"reward": 0, "score": 0.0}));
    // Nor does one that is not there.
    let ran = Command::new("sh")
        .arg(task.join("tests/test.sh"))
        .env("PICARDC", desk.at("nothing"))
        .env("PICARDC_WORK", desk.path())
        .env("PICARDC_LOGS", &logs)
        .output()
        .expect("sh starts");
    assert_eq!(ran.status.code(), Some(127));
    assert_eq!(json(&logs.join("reward.json"))["reward"], 0);
}

/// Where something is planted, and how.
type Plant<'p> = (&'p str, &'p dyn Fn(&Path));

/// What an agent plants where rewards are read does not count: files, folders, and links, in the folder or instead of it.
#[cfg(unix)]
#[test]
fn planted_rewards_are_removed() {
    use std::os::unix::fs::{PermissionsExt as _, symlink};

    let desk = Desk::new(&["--task", "plus"]);
    let task = desk.export("harbor", &[]).join("plus-1");
    let line = &desk.instances()[0];
    let right = line["target"].as_str().expect("a target");
    let one = r#"{"reward": 1}"#;
    let plants: [Plant<'_>; 7] = [
        ("reward.txt", &|at| fs::write(at, "1").expect("written")),
        ("reward.json", &|at| fs::write(at, one).expect("written")),
        ("reward.json", &|at| {
            fs::write(at, one).expect("written");
            fs::set_permissions(at, fs::Permissions::from_mode(0o444)).expect("read only");
        }),
        ("reward.txt", &|at| fs::create_dir_all(at.join("deep/er")).expect("made")),
        ("reward.json", &|at| {
            fs::create_dir_all(at).expect("made");
            fs::write(at.join("reward.json"), one).expect("written");
        }),
        ("reward.txt", &|at| symlink("/etc/hostname", at).expect("linked")),
        ("reward.json", &|at| symlink("nowhere", at).expect("linked")),
    ];
    let verify = |logs: &Path, reply: &str, program: &Path| {
        let at = desk.at("reply.txt");
        fs::write(&at, reply).expect("written");
        let ran = Command::new("sh")
            .arg(task.join("tests/test.sh"))
            .env("PICARDC", program)
            .env("PICARDC_WORK", desk.path())
            .env("PICARDC_REPLY", at)
            .env("PICARDC_LOGS", logs)
            .output();
        ran.expect("sh starts")
    };
    let program = testing::find_program();
    for (number, (name, plant)) in plants.iter().enumerate() {
        for (reply, program, reward) in
            [(right, program.as_path(), 1), ("wrong", &program, 0), (right, Path::new("/nonexistent"), 0)]
        {
            let logs = desk.at("logs");
            let _ = fs::remove_dir_all(&logs);
            fs::create_dir_all(&logs).expect("made");
            plant(&logs.join(name));
            verify(&logs, reply, program);
            assert!(!logs.join("reward.txt").exists() && !logs.join("reward.txt").is_symlink(), "{number}");
            assert!(logs.join("reward.json").is_file() && !logs.join("reward.json").is_symlink(), "{number}");
            assert_eq!(json(&logs.join("reward.json"))["reward"], reward, "{number} {reply}");
        }
    }
    // Where one cannot be removed, the verifier fails: here it is a command that removes nothing.
    let bin = desk.at("bin");
    fs::create_dir(&bin).expect("made");
    fs::write(bin.join("rm"), "#!/bin/sh\nexit 1\n").expect("written");
    fs::set_permissions(bin.join("rm"), fs::Permissions::from_mode(0o755)).expect("a program");
    let logs = desk.at("logs");
    fs::write(logs.join("reward.txt"), "1").expect("written");
    let path = std::env::join_paths(
        [bin].into_iter().chain(std::env::split_paths(&std::env::var_os("PATH").unwrap_or_default())),
    );
    let ran = Command::new("sh")
        .arg(task.join("tests/test.sh"))
        .env("PATH", path.expect("paths"))
        .env("PICARDC", &program)
        .env("PICARDC_LOGS", &logs)
        .output()
        .expect("sh starts");
    assert_eq!(ran.status.code(), Some(3));
    let said = String::from_utf8_lossy(&ran.stderr);
    assert!(said.contains("reward.txt was there before the verifier, and cannot be removed"), "{said}");
}

/// The verifier's image installs the command from a wheel in its folder, which the export places there, and from no registry.
#[test]
fn the_wheel_of_the_command_is_in_every_task() {
    let desk = Desk::new(&["--task", "plus"]);
    let name = format!("picardc_cli-{}-py3-none-manylinux2014_x86_64.whl", env!("CARGO_PKG_VERSION"));
    fs::write(desk.at(&name), b"PK\x03\x04 a wheel").expect("written");
    let ran = desk.does(0, &["export", "harbor", "bundle", "-o", "with", "--wheel", &name]);
    assert!(!ran.err.contains("note:"), "{}", ran.err);
    for id in ["plus-1", "plus-2"] {
        let tests = desk.at("with").join(id).join("tests");
        assert_eq!(fs::read(tests.join(&name)).expect("a wheel"), b"PK\x03\x04 a wheel");
        let image = fs::read_to_string(tests.join("Dockerfile")).expect("a Dockerfile");
        let version = env!("CARGO_PKG_VERSION");
        assert!(
            image.contains(&format!(
                "pip install --no-cache-dir --no-index --find-links /tests picardc-cli=={version}\n"
            )),
            "{image}"
        );
    }
    let ran = desk.does(0, &["export", "harbor", "bundle", "-o", "without"]);
    assert!(ran.err.contains("note: the verifier's image installs picardc from a wheel: give --wheel"), "{}", ran.err);
    for (name, bytes, status) in [
        ("picardc-0.1.0-cp310-abi3-manylinux2014_x86_64.whl", &b"PK\x03\x04"[..], 2),
        ("picardc_cli-99.0.0-py3-none-any.whl", b"PK\x03\x04", 2),
        (name.as_str(), b"not an archive", 2),
        (name.as_str(), b"", 2),
    ] {
        fs::write(desk.at(name), bytes).expect("written");
        let ran = desk.does(status, &["export", "harbor", "bundle", "-o", "wrong", "--wheel", name]);
        assert!(ran.err.contains("is not the wheel of the command in this version"), "{}", ran.err);
        assert!(!desk.at("wrong").exists());
    }
    desk.does(2, &["export", "harbor", "bundle", "-o", "wrong", "--wheel", "none.whl"]);
}

/// Instances that begin with files have a folder each, by path; scores are those of the bundle, also where the key reads what was there at the start.
#[test]
fn promptfoo_gets_files_by_path() {
    let source = r#"suite files { title "Files" version "1" samples 2 }

task count {
  csv orders at "in/it's orders.csv" { rows 5  AMOUNT : int 1..900 }
  folder "spare"
  prompt "How many orders are in <<orders>>? Reply with the number only."
  expect reply number sum(orders.AMOUNT)
}

task rows {
  n : int 3..9
  sqlite shop at "shop.sqlite" {
    table orders { rows n  AMOUNT : int 1..900 }
  }
  prompt "<<shop>> has a table orders. Reply with a query that returns the largest AMOUNT in a fenced block marked sql."
  expect reply fenced "sql" sql shop <<rows: SELECT MAX(AMOUNT) FROM shop.orders>>
}

task plain { a : int 1..900  prompt "Reply with <<a>>." expect reply number a }

task left { a : int 1..900  prompt "Write <<a>> to a.txt." expect file "a.txt" number a }
"#;
    let desk = Desk::of(source, &[]);
    let ran = desk.does(1, &["export", "promptfoo", "bundle", "-o", "none"]);
    let why = "left out: 2 instances (such as `left-1`): the answer key reads files that the agent leaves, and promptfoo has no sandbox";
    assert!(ran.err.contains(why), "{}", ran.err);
    let out = desk.export("promptfoo", &[]);
    let (tests, agents) = (super::desk::lines(&out.join("tests.jsonl")), super::desk::lines(&out.join("agents.jsonl")));
    assert_eq!((tests.len(), agents.len()), (2, 4));
    assert!(tests.iter().all(|test| test["vars"].get("folder").is_none() && test.get("options").is_none()));
    for test in &agents {
        let id = test["description"].as_str().expect("an id");
        assert_eq!(test["options"]["working_dir"], format!("files/{id}"));
        assert_eq!(test["vars"]["folder"], format!("files/{id}"));
        let line = desk.instances().into_iter().find(|line| line["id"] == *id).expect("the instance");
        for (path, below) in line["files"].as_object().expect("files") {
            let at = out.join("files").join(id).join(path);
            let original = fs::read(desk.at("bundle").join(below.as_str().expect("a path"))).expect("a file");
            assert_eq!(fs::read(at).expect("a file"), original, "{id} {path}");
        }
        assert_eq!(out.join("files").join(id).join("spare").is_dir(), id.starts_with("count"));
    }
    for name in ["promptfooconfig.yaml", "agents.yaml"] {
        assert!(fs::read_to_string(out.join(name)).expect("a configuration").contains("tests: file://"), "{name}");
    }
    // The keys are whole: the query is run on what the instance began with.
    let replies: String = desk
        .instances()
        .iter()
        .filter(|line| line["metadata"]["picard"]["task"] != "left")
        .map(|line| {
            let reply = match line["metadata"]["picard"]["task"].as_str() {
                Some("rows") => "```sql\nSELECT AMOUNT FROM orders ORDER BY AMOUNT DESC LIMIT 1\n```".into(),
                _ => line["target"].clone(),
            };
            format!("{}\n", serde_json::json!({"id": line["id"], "reply": reply}))
        })
        .collect();
    let ran = testing::run_picardc_with_input(desk.path(), &["grade", "promptfoo/keys", "--lines"], &replies);
    assert_eq!((ran.status.code(), ran.out.lines().count()), (Some(0), 6), "{}", ran.join_output());
    // An agent that changes its folder changes no key.
    fs::write(out.join("files/rows-1/shop.sqlite"), "gone").expect("written");
    let ran = testing::run_picardc_with_input(desk.path(), &["grade", "promptfoo/keys", "--lines"], &replies);
    assert_eq!(ran.status.code(), Some(0), "{}", ran.join_output());
    // Prompts that name an absolute folder cannot be followed there.
    let desk = Desk::of(source, &["--sandbox-root", "/work", "--task", "count"]);
    let ran = desk.does(1, &["export", "promptfoo", "bundle", "-o", "none"]);
    assert!(ran.err.contains("prompts call the sandbox `/work`, and promptfoo's agents work elsewhere"), "{}", ran.err);
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
            .env("PICARDC", testing::find_program())
            .env("PYTHONDONTWRITEBYTECODE", "1")
            .output()
            .expect("started");
        let said = String::from_utf8_lossy(&ran.stderr);
        assert!(ran.status.success() && ran.stdout == b"ok\n", "{format}: {said}");
    }
}
