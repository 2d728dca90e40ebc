//! The cookbook: each suite is short, has no diagnostic, can be answered by a perfect agent and not by an idle one, and is not weak.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use testing::root;

use super::blocks::blocks;
use super::named;

/// The most lines that a suite of the cookbook has.
const MAX_LINES: usize = 25;

/// Every page but the index, by path.
pub fn pages() -> Vec<PathBuf> {
    let folder = root().join("docs/src/cookbook");
    testing::list_below(folder, "md").into_iter().filter(|path| !path.ends_with("index.md")).collect()
}

/// What is wrong with a page; empty if nothing is.
pub fn faults(path: &Path) -> Vec<String> {
    let text = fs::read_to_string(path).expect("a page");
    let home = tempfile::tempdir().expect("a folder");
    let mut faults = Vec::new();
    let mut suites = Vec::new();
    for block in blocks(&text) {
        let Some(name) = block.value("file") else { continue };
        block.write(&home.path().join(name)).expect("written");
        if block.text.lines().any(|line| line.starts_with("suite ")) {
            let lines = block.text.lines().count();
            if lines > MAX_LINES {
                faults.push(format!("{lines} lines are too many for a recipe"));
            }
            suites.push(name.to_owned());
        }
    }
    if !text.starts_with("# How do I ")
        || !text.contains("\n## Why it is written so\n")
        || !text.contains("\n## One instance\n")
    {
        faults.push("a recipe has a question as its title, `Why it is written so`, and `One instance`".to_owned());
    }
    let [suite] = suites.as_slice() else {
        faults.push(format!("a recipe has one suite, and this page has {}", suites.len()));
        return faults;
    };
    let run = |args: &[&str]| {
        Command::new(testing::find_program()).current_dir(home.path()).args(args).output().expect("it starts")
    };
    for args in [
        &["fmt", "--check", suite][..],
        &["check", "--deny-warnings", suite],
        &["analyze", "--deny-weak", "--samples", "200", suite],
    ] {
        let output = run(args);
        if !output.status.success() {
            faults.push(format!("picardc {}:\n{}", args.join(" "), both(&output)));
        }
    }
    let output = run(&["selftest", "--json", suite]);
    let tested: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap_or_default();
    let tasks = tested["tasks"].as_array().cloned().unwrap_or_default();
    let is_sound = |task: &serde_json::Value| {
        task["instances"].as_u64().is_some_and(|count| count > 0)
            && task["oracle_correct"] == task["instances"]
            && task["null_correct"] == 0
    };
    if tasks.is_empty() || !tasks.iter().all(is_sound) {
        faults.push(format!("picardc selftest:\n{}", both(&output)));
    }
    faults.into_iter().map(|fault| format!("{}: {fault}", named(path))).collect()
}

fn both(output: &Output) -> String {
    format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr))
}
