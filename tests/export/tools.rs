//! The other tools read what is exported: scores and records, not only validators. They are large, so `PICARDC_INTEGRATIONS=1` asks for these tests.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::{Value as Json, json};
use testing::{CommandOutput, has_integrations, root};

use super::desk::{Desk, lines};
use super::hostile::{bundles, is_refused};
use super::plain::reward;

/// Packages of Python, pinned, in an environment of their own below `target/`.
struct Tool {
    folder: &'static str,
    packages: &'static [&'static str],
    probe: &'static str,
}

const HARBOR: Tool = Tool { folder: "export-harbor", packages: &["harbor==0.24.0"], probe: "import harbor" };

const LM_EVAL: Tool = Tool { folder: "export-lm-eval", packages: &["lm-eval==0.4.13"], probe: "import lm_eval" };

const DATA: Tool = Tool {
    folder: "export-data",
    packages: &["mlcroissant==1.1.1", "every_eval_ever==0.3.0", "datasets==5.2.0"],
    probe: "import datasets, every_eval_ever, mlcroissant",
};

/// The version of promptfoo, from npm.
const PROMPTFOO: &str = "promptfoo@0.121.20";

/// The oldest Python that all of them take.
const LEAST: &str = "import sys; assert sys.version_info >= (3, 12)";

impl Tool {
    /// Its interpreter, or, said, why there is none.
    fn python(&self) -> Option<PathBuf> {
        if !has_integrations(self.folder) {
            return None;
        }
        let own = root().join("target").join(self.folder);
        let python = own.join("bin/python");
        if !runs(&python, self.probe) {
            let Some(base) = python_3_12() else {
                eprintln!(
                    "skipped: {}: Python 3.12 or later is not installed (PICARDC_PYTHON_3_12 names one)",
                    self.folder
                );
                return None;
            };
            let made = output(Command::new(base).args(["-m", "venv"]).arg(&own));
            let pip = ["-m", "pip", "install", "--quiet", "--retries", "1"];
            let installed = output(Command::new(&python).args(pip).args(self.packages));
            if !made.status.success() || !installed.status.success() {
                eprintln!(
                    "skipped: {:?} cannot be installed: {}{}",
                    self.packages,
                    made.join_output(),
                    installed.join_output()
                );
                return None;
            }
        }
        Some(python)
    }
}

/// A Python that is new enough.
fn python_3_12() -> Option<PathBuf> {
    let named = std::env::var_os("PICARDC_PYTHON_3_12").map(PathBuf::from);
    let home = PathBuf::from(std::env::var_os("HOME").unwrap_or_default()).join(".pyenv/versions");
    let kept = fs::read_dir(home).into_iter().flatten().flatten().map(|entry| entry.path().join("bin/python"));
    let known = ["python3", "python3.12", "python3.13", "python3.14"].map(PathBuf::from);
    named.into_iter().chain(known).chain(kept).find(|python| runs(python, LEAST))
}

fn runs(python: &Path, program: &str) -> bool {
    Command::new(python).args(["-c", program]).output().is_ok_and(|output| output.status.success())
}

fn output(command: &mut Command) -> CommandOutput {
    command.output().expect("the program starts").into()
}

/// A program of `tests/python/export`, which prints JSON.
#[track_caller]
fn asked(python: &Path, program: &str, args: &[&Path]) -> Json {
    let mut command = Command::new(python);
    command.arg(root().join("tests/python/export").join(program)).args(args);
    command.env("PICARDC", testing::find_program()).env("PYTHONDONTWRITEBYTECODE", "1").env("HF_HUB_OFFLINE", "1");
    let ran = output(&mut command);
    assert!(ran.status.success(), "{program}: {}", ran.join_output());
    let last = ran.out.lines().last().unwrap_or_default();
    serde_json::from_str(last).unwrap_or_else(|_| panic!("{program}: {}", ran.join_output()))
}

#[test]
fn harbor_loads_every_folder() {
    let Some(python) = HARBOR.python() else { return };
    let desk = Desk::new(&[]);
    let out = desk.export("harbor", &[]);
    let loaded = asked(&python, "harbor_load.py", &[&out]);
    let tasks = loaded.as_object().expect("tasks");
    assert_eq!(tasks.len(), 8);
    for line in desk.instances() {
        let id = line["id"].as_str().expect("an id");
        let task = &tasks[id];
        assert_eq!((&task["mode"], &task["name"]), (&json!("separate"), &json!(format!("picardc/desk-{id}"))));
        let instruction = task["instruction"].as_str().expect("text");
        let changed = task["metadata"]["prompt_changed"].as_bool().expect("a mark");
        assert_eq!(instruction == line["input"], !changed, "{id}");
        assert!(instruction.starts_with(line["input"].as_str().expect("text")), "{id}");
        assert_eq!(reward(&out.join(id), true)["reward"], 1);
    }
    // Hostile prompts, as Harbor reads them.
    for (desk, prompts) in bundles() {
        let out = desk.export("harbor", &["--unverified"]);
        let loaded = asked(&python, "harbor_load.py", &[&out]);
        for (number, prompt) in prompts.iter().enumerate().filter(|(_, prompt)| !is_refused("harbor", prompt)) {
            let read = loaded[format!("plus-{}", number + 1)]["instruction"].as_str().expect("text");
            assert_eq!(read.split("\n\n---\n\nWhen you are done").next(), Some(prompt.as_str()));
        }
    }
    // An edited suite has another digest, by which Harbor knows a task.
    let source = fs::read_to_string(root().join("tests/export/desk.pcd")).expect("readable");
    let edited = Desk::of(&source.replace("What is", "How much is"), &[]);
    let other = asked(&python, "harbor_load.py", &[&edited.export("harbor", &[])]);
    for (id, task) in tasks {
        assert_ne!(task["digest"], other[id]["digest"], "{id}");
    }
}

#[test]
fn lm_eval_gives_the_expected_scores() {
    let Some(python) = LM_EVAL.python() else { return };
    let desk = Desk::new(&["--samples", "4"]);
    let out = desk.export("lm-eval", &[]);
    // A model that knows the replies: all right, half of the two-part ones, and what a dummy says.
    let replies: serde_json::Map<String, Json> = desk
        .instances()
        .iter()
        .filter(|line| line["files"].as_object().is_some_and(serde_json::Map::is_empty))
        .map(|line| (line["input"].as_str().expect("text").to_owned(), reply(line)))
        .collect();
    fs::write(desk.at("replies.json"), Json::from(replies).to_string()).expect("written");
    let found = asked(&python, "lm_eval_run.py", &[&out, &desk.at("replies.json")]);
    // 4 of `plus` are right, and 4 of `both` have one of two parts.
    assert_eq!((&found["correct"], &found["score"]), (&json!(0.5), &json!(0.75)), "{found}");
    assert_eq!(found["n"], 8);
    // An edited suite in the same place, with the same caches: its own prompts.
    let source = fs::read_to_string(root().join("tests/export/desk.pcd")).expect("readable");
    let edited = Desk::of(&source.replace("What is", "How much is"), &["--samples", "4"]);
    let other = edited.export("lm-eval", &[]);
    fs::remove_dir_all(&out).expect("removed");
    fs::rename(other, &out).expect("moved");
    let again = asked(&python, "lm_eval_run.py", &[&out, &desk.at("replies.json")]);
    assert_eq!((&again["correct"], &again["score"]), (&json!(0.0), &json!(0.25)), "{again}");
    for (desk, prompts) in bundles() {
        let out = desk.export("lm-eval", &["--unverified"]);
        fs::write(desk.at("none.json"), "{}").expect("written");
        let found = asked(&python, "lm_eval_run.py", &[&out, &desk.at("none.json")]);
        let seen = found["prompts"].as_array().expect("prompts");
        assert!(seen.iter().zip(&prompts).all(|(seen, prompt)| seen == prompt), "{prompts:?}");
        assert!(seen.len() >= prompts.len());
    }
}

/// A right reply to a task with one part, and half of one to a task with two.
fn reply(line: &Json) -> Json {
    match line["metadata"]["picard"]["task"].as_str() {
        Some("both") => {
            json!({"sum": line["metadata"]["picard"]["expect"][0]["value"], "difference": 1}).to_string().into()
        }
        _ => line["target"].clone(),
    }
}

#[test]
fn promptfoo_gives_the_expected_scores() {
    if !has_integrations("promptfoo") {
        return;
    }
    let Some(program) = promptfoo() else { return };
    let desk = Desk::new(&["--samples", "4"]);
    let out = desk.export("promptfoo", &[]);
    let replies: serde_json::Map<String, Json> =
        desk.instances().iter().map(|line| (line["input"].as_str().expect("text").to_owned(), reply(line))).collect();
    let provider = format!(
        "const replies = {};\nmodule.exports = class {{ id() {{ return 'scripted'; }} async callApi(prompt) {{ return {{ output: replies[prompt] ?? 'unknown' }}; }} }};\n",
        Json::from(replies)
    );
    fs::write(desk.at("provider.cjs"), provider).expect("written");
    let found = eval(&program, &desk, &out, Some("provider.cjs"));
    let of = |task: &str| -> Vec<(bool, f64)> {
        let of_task = found.iter().filter(|one| one["testCase"]["metadata"]["task"] == task);
        of_task
            .map(|one| (one["success"].as_bool().expect("a bool"), one["score"].as_f64().expect("a number")))
            .collect()
    };
    assert_eq!(of("plus"), [(true, 1.0); 4]);
    assert_eq!(of("both"), [(false, 0.5); 4]);
    // The same prompts with other keys, in the same place and with the same cache: other scores.
    let path = desk.at("promptfoo/keys");
    let other = Desk::of(
        &fs::read_to_string(root().join("tests/export/desk.pcd"))
            .expect("readable")
            .replace("number a + b\n", "number a + b + 1\n"),
        &["--samples", "4"],
    );
    let exported = other.export("promptfoo", &[]);
    assert_eq!(other.instances()[0]["input"], desk.instances()[0]["input"]);
    fs::remove_dir_all(&path).expect("removed");
    fs::remove_dir_all(&out).expect("removed");
    fs::rename(exported, &out).expect("moved");
    let found = eval(&program, &desk, &out, Some("provider.cjs"));
    assert!(found.iter().all(|one| one["success"] == false), "{found:?}");
    // Hostile prompts, as a provider gets them.
    for (desk, prompts) in bundles() {
        let out = desk.export("promptfoo", &["--unverified"]);
        let found = eval(&program, &desk, &out, None);
        for (number, prompt) in prompts.iter().enumerate().filter(|(_, prompt)| !is_refused("promptfoo", prompt)) {
            let id = format!("plus-{}", number + 1);
            let one = found.iter().find(|one| one["testCase"]["description"] == *id).expect("the test");
            assert_eq!(one["response"]["output"], prompt.as_str(), "{id}");
        }
    }
}

/// Providers that work in a folder get that of each instance: here, one that reads the file there.
#[test]
fn promptfoo_hands_folders_to_agents() {
    if !has_integrations("promptfoo") {
        return;
    }
    let Some(program) = promptfoo() else { return };
    let source = r#"suite files { title "Files" version "1" samples 3 }

task total {
  csv orders at "in/orders.csv" { rows 5  AMOUNT : int 1..900 }
  prompt "What is the total AMOUNT in <<orders>>? Reply with the number only."
  expect reply number sum(orders.AMOUNT)
}
"#;
    let desk = Desk::of(source, &[]);
    let out = desk.export("promptfoo", &[]);
    let provider = format!(
        "const fs = require('node:fs');\nmodule.exports = class {{\n  id() {{ return 'reader'; }}\n  async callApi(prompt, context) {{\n    \
         const folder = context.prompt.config.working_dir;\n    if (folder !== context.vars.folder) return {{ error: 'other folders' }};\n    \
         const rows = fs.readFileSync(`{}/${{folder}}/in/orders.csv`, 'utf8').trim().split('\\n').slice(1);\n    \
         return {{ output: String(rows.reduce((sum, row) => sum + Number(row), 0)) }};\n  }}\n}};\n",
        out.display()
    );
    fs::write(desk.at("reader.cjs"), provider).expect("written");
    let found = eval_of("agents.yaml", &program, &desk, &out, Some("reader.cjs"));
    assert_eq!(found.iter().map(|one| one["success"] == true).collect::<Vec<_>>(), [true; 3], "{found:?}");
}

/// promptfoo's program, installed below `target/`; or, said, why it is not there.
fn promptfoo() -> Option<PathBuf> {
    let folder = root().join("target/export-promptfoo");
    let program = folder.join("node_modules/promptfoo/dist/src/entrypoint.js");
    if !program.exists() {
        fs::create_dir_all(&folder).expect("a folder");
        fs::write(folder.join("package.json"), "{\"private\": true}\n").expect("written");
        let npm =
            Command::new("npm").args(["install", "--no-audit", "--no-fund", PROMPTFOO]).current_dir(&folder).output();
        if !npm.as_ref().is_ok_and(|ran| ran.status.success()) {
            eprintln!("skipped: {PROMPTFOO} cannot be installed: {npm:?}");
            return None;
        }
    }
    Some(program)
}

/// The results of a run; with the provider `echo` if there is none.
fn eval(program: &Path, desk: &Desk, out: &Path, provider: Option<&str>) -> Vec<Json> {
    eval_of("promptfooconfig.yaml", program, desk, out, provider)
}

fn eval_of(config: &str, program: &Path, desk: &Desk, out: &Path, provider: Option<&str>) -> Vec<Json> {
    let result = desk.at("result.json");
    let mut command = Command::new("node");
    command.arg(program).args(["eval", "--no-table", "--no-progress-bar", "-o"]).arg(&result);
    command.arg("-c").arg(out.join(config));
    if let Some(provider) = provider {
        command.arg("-r").arg(format!("file://{}", desk.at(provider).display()));
    }
    for (name, value) in [
        ("PROMPTFOO_DISABLE_TELEMETRY", "1"),
        ("PROMPTFOO_DISABLE_UPDATE", "1"),
        ("PROMPTFOO_DISABLE_REMOTE_GENERATION", "1"),
    ] {
        command.env(name, value);
    }
    command.env("PICARDC", testing::find_program()).env("PROMPTFOO_CONFIG_DIR", desk.at("promptfoo-home"));
    let ran = output(command.current_dir(desk.path()));
    assert!(result.exists(), "{}", ran.join_output());
    super::desk::json(&result)["results"]["results"].as_array().expect("results").clone()
}

#[test]
fn hugging_face_reads_the_same_rows() {
    let Some(python) = DATA.python() else { return };
    let desk = Desk::new(&[]);
    desk.does(0, &["export", "hf", "bundle", "-o", "hf", "--keys"]);
    let found = asked(&python, "hf_read.py", &[&desk.at("hf"), &desk.at("bundle")]);
    assert_eq!(found, json!({"rows": 8, "keys": 8, "same": true}));
    // Without keys there is one configuration; and the Hub's cache gives an edited suite its own rows.
    fs::remove_dir_all(desk.at("hf")).expect("removed");
    desk.does(0, &["export", "hf", "bundle", "-o", "hf"]);
    let found = asked(&python, "hf_read.py", &[&desk.at("hf"), &desk.at("bundle")]);
    assert_eq!(found, json!({"rows": 8, "keys": 0, "same": true}));
    let source = fs::read_to_string(root().join("tests/export/desk.pcd")).expect("readable");
    fs::write(desk.at("desk.pcd"), source.replace("What is", "How much is")).expect("written");
    desk.does(0, &["build", "desk.pcd", "-o", "bundle", "--seed", "7", "-q", "--force"]);
    fs::remove_dir_all(desk.at("hf")).expect("removed");
    desk.does(0, &["export", "hf", "bundle", "-o", "hf"]);
    let found = asked(&python, "hf_read.py", &[&desk.at("hf"), &desk.at("bundle")]);
    assert_eq!(found, json!({"rows": 8, "keys": 0, "same": true}));
    for (desk, _) in bundles() {
        desk.export("hf", &["--unverified"]);
        let found = asked(&python, "hf_read.py", &[&desk.at("hf"), &desk.at("bundle")]);
        assert_eq!(found["same"], true);
    }
}

#[test]
fn croissant_records_are_read() {
    let Some(python) = DATA.python() else { return };
    let desk = Desk::new(&[]);
    desk.does(0, &["export", "croissant", "bundle", "-o", "croissant", "--keys"]);
    let found = asked(&python, "croissant_read.py", &[&desk.at("croissant"), &desk.at("bundle")]);
    assert_eq!(found, json!({"instances": 8, "keys": 8, "same": true}));
    // An edited suite in the same place: its own records.
    let source = fs::read_to_string(root().join("tests/export/desk.pcd")).expect("readable");
    fs::write(desk.at("desk.pcd"), source.replace("What is", "How much is")).expect("written");
    desk.does(0, &["build", "desk.pcd", "-o", "bundle", "--seed", "7", "-q", "--force"]);
    fs::remove_dir_all(desk.at("croissant")).expect("removed");
    desk.does(0, &["export", "croissant", "bundle", "-o", "croissant", "--keys"]);
    let found = asked(&python, "croissant_read.py", &[&desk.at("croissant"), &desk.at("bundle")]);
    assert_eq!(found, json!({"instances": 8, "keys": 8, "same": true}));
    for (desk, prompts) in bundles() {
        desk.export("croissant", &["--unverified"]);
        let found = asked(&python, "croissant_read.py", &[&desk.at("croissant"), &desk.at("bundle")]);
        assert_eq!(found["same"], true, "{prompts:?}");
    }
}

#[test]
fn every_eval_ever_takes_the_records() {
    let Some(python) = DATA.python() else { return };
    let desk = Desk::new(&["--samples", "3"]);
    for agent in ["oracle", "null"] {
        desk.does(0, &["run", "bundle", "--agent", agent, "-o", agent, "-q"]);
    }
    desk.does(0, &["export", "eee", "oracle", "null", "-o", "eee", "--partial", "-q"]);
    let found = asked(&python, "eee_read.py", &[&desk.at("eee")]);
    let scores = |agent: &str| lines(&desk.at(&format!("{agent}/scores.jsonl")));
    for agent in ["oracle", "null"] {
        let all = scores(agent);
        let correct = all.iter().filter(|line| line["correct"] == true).count();
        let record = &found[format!("picardc/{agent}")];
        assert_eq!(record["score"], json!(correct as f64 / all.len() as f64), "{found}");
        assert_eq!(
            record["samples"],
            json!(all.iter().map(|line| json!([line["id"], line["correct"]])).collect::<Vec<_>>())
        );
    }
    assert_eq!(found["picardc/oracle"]["score"], 1.0);
    for (desk, prompts) in bundles() {
        desk.does(0, &["run", "bundle", "--agent", "oracle", "-o", "run", "-q", "--unverified"]);
        desk.does(0, &["export", "eee", "run", "-o", "eee", "-q", "--unverified", "--keys"]);
        let record = &asked(&python, "eee_read.py", &[&desk.at("eee")])["picardc/oracle"];
        assert_eq!(record["score"], 1.0);
        let read = record["prompts"].as_array().expect("prompts");
        assert!(read.len() >= prompts.len());
        assert!(read.iter().zip(&prompts).all(|(read, prompt)| read == prompt), "{prompts:?}");
    }
}
