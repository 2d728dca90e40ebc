//! Python as another implementation.

use std::io::Write as _;
use std::process::{Command, Stdio};

/// What Python prints, line by line; `None`, with a notice, without Python.
pub(crate) fn run_python(script: &str) -> Option<Vec<String>> {
    run_python_with_input(script, &[])
}

/// The same of a program that reads these bytes, all of them before it prints.
pub(crate) fn run_python_with_input(script: &str, input: &[u8]) -> Option<Vec<String>> {
    let started = Command::new("python3")
        .args(["-c", script])
        .env("PYTHONIOENCODING", "utf-8")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn();
    let Ok(mut child) = started else {
        eprintln!("skipped: python3 is not installed");
        return None;
    };
    // A program that does not read all of it says why itself.
    let _ = child.stdin.take().expect("a pipe").write_all(input);
    let output = child.wait_with_output().expect("it ends");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    Some(String::from_utf8(output.stdout).expect("UTF-8").lines().map(str::to_owned).collect())
}
