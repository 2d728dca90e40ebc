//! A suite in a folder of its own, and the command run there.

#![allow(dead_code, reason = "each module uses some of it")]

use std::path::Path;
use std::process::{Command, Output};

use tempfile::TempDir;

/// A new folder with these files, as (path, content).
pub fn folder(files: &[(&str, &str)]) -> TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    for (path, content) in files {
        write(folder.path(), path, content.as_bytes());
    }
    folder
}

/// Writes one file below a folder, and the folders above it.
pub fn write(folder: &Path, path: &str, content: &[u8]) {
    let place = folder.join(path);
    std::fs::create_dir_all(place.parent().expect("a parent")).expect("folders");
    std::fs::write(place, content).expect("a file");
}

/// `picardc` with these arguments, run in a folder.
pub fn picardc(folder: &Path, arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_picardc")).args(arguments).current_dir(folder).output().expect("picardc starts")
}

/// Standard output as text.
pub fn stdout(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned()
}

/// Standard error as text.
pub fn stderr(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// What a command wrote, after it is known to have succeeded.
pub fn succeeds(folder: &Path, arguments: &[&str]) -> String {
    let output = picardc(folder, arguments);
    assert!(output.status.success(), "picardc {arguments:?}: {}{}", stdout(&output), stderr(&output));
    stdout(&output)
}

/// The lines of a file of a bundle or a run; none where it is not there.
pub fn lines(folder: &Path, path: &str) -> Vec<serde_json::Value> {
    let text = std::fs::read_to_string(folder.join(path)).unwrap_or_default();
    text.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect()
}

/// The first expected value of every instance of `s.pcd` in the folder, built into `out` with seed 7.
pub fn keys(folder: &Path) -> Vec<serde_json::Value> {
    succeeds(folder, &["build", "-q", "--seed", "7", "--force", "-o", "out", "s.pcd"]);
    let lines = std::fs::read_to_string(folder.join("out/instances.jsonl")).expect("instances");
    let key = |line: &str| {
        let instance: serde_json::Value = serde_json::from_str(line).expect("JSON");
        instance["metadata"]["picard"]["expect"][0]["value"].clone()
    };
    lines.lines().map(key).collect()
}

/// A suite of one task and one sample.
pub fn suite(task: &str) -> String {
    format!(
        "suite s {{ title \"S\" version \"1.0.0\" samples 1 }}\ntask q {{\n  allow constant_answer \"a test\"\n  allow unmentioned_key \"a test\"\n{task}\n}}\n"
    )
}

/// The answer key of the first instance of a task, with these files beside the suite.
pub fn key(task: &str, files: &[(&str, &[u8])]) -> serde_json::Value {
    let home = folder(&[("s.pcd", &suite(task))]);
    files.iter().for_each(|(path, content)| write(home.path(), path, content));
    keys(home.path()).remove(0)
}

/// What `check` says of a task.
pub fn said(task: &str, files: &[(&str, &[u8])]) -> String {
    let home = folder(&[("s.pcd", &suite(task))]);
    files.iter().for_each(|(path, content)| write(home.path(), path, content));
    let checked = picardc(home.path(), &["check", "s.pcd"]);
    format!("{}{}", stdout(&checked), stderr(&checked))
}
