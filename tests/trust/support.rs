//! Suites of one task, built and checked by the command.

use std::path::Path;

use testing::{create_folder, expect_success, run_picardc, write_in_folder};

/// The lines of a file of a bundle or a run; none where it is not there.
pub fn lines(folder: &Path, path: &str) -> Vec<serde_json::Value> {
    let text = std::fs::read_to_string(folder.join(path)).unwrap_or_default();
    text.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect()
}

/// The first expected value of every instance of `s.pcd` in the folder, built into `out` with seed 7.
pub fn keys(folder: &Path) -> Vec<serde_json::Value> {
    expect_success(folder, &["build", "-q", "--seed", "7", "--force", "-o", "out", "s.pcd"]);
    let lines = std::fs::read_to_string(folder.join("out/instances.jsonl")).expect("instances");
    let key = |line: &str| {
        let instance: serde_json::Value = serde_json::from_str(line).expect("JSON");
        instance["metadata"]["picard"]["expect"][0]["value"].clone()
    };
    lines.lines().map(key).collect()
}

/// A suite of one task and one sample.
pub fn suite(task: &str) -> String {
    let allowed = "  allow constant_answer \"a test\"\n  allow unmentioned_key \"a test\"";
    testing::build_suite_source("samples 1", &format!("{allowed}\n{task}"))
}

/// The answer key of the first instance of a task, with these files beside the suite.
pub fn key(task: &str, files: &[(&str, &[u8])]) -> serde_json::Value {
    let home = create_folder(&[("s.pcd", &suite(task))]);
    files.iter().for_each(|(path, content)| write_in_folder(home.path(), path, content));
    keys(home.path()).remove(0)
}

/// What `check` says of a task.
pub fn said(task: &str, files: &[(&str, &[u8])]) -> String {
    let home = create_folder(&[("s.pcd", &suite(task))]);
    files.iter().for_each(|(path, content)| write_in_folder(home.path(), path, content));
    run_picardc(home.path(), &["check", "s.pcd"]).join_output()
}
