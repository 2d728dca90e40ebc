//! The answer keys of the shipped suites, recomputed by programs that share nothing with ours: Python's own `csv` and `sqlite3` over the
//! written files (`tests/python/`), and Inspect AI loading the bundle as any dataset.
//!
//! Without `python3` these tests say that they skip. Inspect AI is installed, into `target/inspect-venv`, only where
//! `PICARDC_INSPECT=1` or `CI=true` asks for it.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use tempfile::TempDir;

/// The version whose facts the bundle was made to.
const INSPECT: &str = "inspect_ai==0.3.285";

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// Builds a shipped suite into a folder that goes when the value does.
fn build(suite: &str, flags: &[&str]) -> (TempDir, PathBuf) {
    let folder = TempDir::new().expect("a temporary folder");
    let out = folder.path().join("bundle");
    let built = Command::new(env!("CARGO_BIN_EXE_picardc"))
        .arg("build")
        .arg(root().join("suites").join(suite).with_extension("pcd"))
        .arg("-o")
        .arg(&out)
        .args(["--seed", "independent"])
        .args(flags)
        .output()
        .expect("the binary starts");
    assert!(built.status.success(), "build {suite} {flags:?}: {}", said(&built));
    (folder, out)
}

fn said(output: &Output) -> String {
    format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr))
}

/// Whether there is a Python to ask; says so if not.
fn python() -> bool {
    let there = Command::new("python3").arg("--version").output().is_ok_and(|output| output.status.success());
    if !there {
        eprintln!("skipped: there is no python3 here");
    }
    there
}

fn verify(suite: &str, bundle: &Path) -> Output {
    Command::new("python3")
        .arg(root().join("tests/python").join(format!("verify_{suite}.py")))
        .arg(bundle)
        .env("PYTHONDONTWRITEBYTECODE", "1")
        .output()
        .expect("python3 starts")
}

fn agrees(suite: &str, flags: &[&str]) {
    let (_folder, bundle) = build(suite, flags);
    let verified = verify(suite, &bundle);
    assert!(verified.status.success(), "{suite} {flags:?}: {}", said(&verified));
}

#[test]
fn past_agrees_with_python_in_every_layout() {
    if python() {
        for flags in [&[][..], &["--inline"], &["--split-keys"], &["--samples", "100"]] {
            agrees("past", flags);
        }
    }
}

#[test]
fn failure_modes_agrees_with_python_in_every_layout() {
    if python() {
        for flags in [&[][..], &["--inline"], &["--split-keys"], &["--samples", "100"]] {
            agrees("failure_modes", flags);
        }
    }
}

#[test]
fn a_wrong_answer_key_does_not_agree() {
    if python() {
        let (_folder, bundle) = build("past", &[]);
        let path = bundle.join("instances.jsonl");
        let written = fs::read_to_string(&path).expect("the instances");
        let wrong = written.replacen("\"total_customers\":75", "\"total_customers\":76", 1);
        assert_ne!(written, wrong, "there is a key to falsify");
        fs::write(&path, wrong).expect("written");
        let verified = verify("past", &bundle);
        assert_eq!(verified.status.code(), Some(1));
        assert!(said(&verified).contains("199 of 200 agree"), "{}", said(&verified));
    }
}

#[test]
fn inspect_loads_the_bundles() {
    let asked = |name, value| std::env::var(name).is_ok_and(|set| set == value);
    if !asked("PICARDC_INSPECT", "1") && !asked("CI", "true") {
        eprintln!("skipped: Inspect AI is installed only where PICARDC_INSPECT=1 or CI=true asks for it");
        return;
    }
    if !python() {
        return;
    }
    let interpreter = match inspect_environment() {
        Ok(interpreter) => interpreter,
        Err(reason) => {
            eprintln!("skipped: {INSPECT} cannot be installed: {reason}");
            return;
        }
    };
    for (suite, flags) in
        [("past", &[][..]), ("past", &["--inline"]), ("past", &["--split-keys"]), ("failure_modes", &[])]
    {
        let (_folder, bundle) = build(suite, flags);
        let loaded = Command::new(&interpreter)
            .arg(root().join("tests/python/inspect_load.py"))
            .arg(&bundle)
            .output()
            .expect("the interpreter starts");
        assert!(loaded.status.success(), "{suite} {flags:?}: {}", said(&loaded));
    }
}

/// The interpreter of an environment that has Inspect AI, made where there is none yet.
fn inspect_environment() -> Result<PathBuf, String> {
    let folder = root().join("target/inspect-venv");
    let interpreter = folder.join(if cfg!(windows) { "Scripts/python.exe" } else { "bin/python" });
    let has_it = || {
        let version = format!("import inspect_ai; assert 'inspect_ai==' + inspect_ai.__version__ == '{INSPECT}'");
        Command::new(&interpreter).args(["-c", &version]).output().is_ok_and(|output| output.status.success())
    };
    if has_it() {
        return Ok(interpreter);
    }
    run(Command::new("python3").args(["-m", "venv"]).arg(&folder))?;
    run(Command::new(&interpreter).args([
        "-m",
        "pip",
        "install",
        "--quiet",
        "--retries",
        "1",
        "--timeout",
        "20",
        INSPECT,
    ]))?;
    if has_it() { Ok(interpreter) } else { Err("installed, and yet it cannot be imported".to_owned()) }
}

fn run(command: &mut Command) -> Result<(), String> {
    let output = command.output().map_err(|error| error.to_string())?;
    if output.status.success() {
        return Ok(());
    }
    let text = said(&output);
    Err(text.trim().lines().last().unwrap_or("no reason given").to_owned())
}
