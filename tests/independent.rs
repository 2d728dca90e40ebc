//! The answer keys of the shipped suites, recomputed by programs that share nothing with ours: Python's own `csv`, `json`, `sqlite3` and
//! `xml.etree`, PyYAML and openpyxl over the written files (`tests/python/`), and Inspect AI loading the bundle as any dataset.
//!
//! Without `python3` these tests say that they skip. Where PyYAML or openpyxl is missing, `target/readers-venv` gets them; without a
//! registry the test says that it skips. Inspect AI is installed, into `target/inspect-venv`, only where `PICARDC_INSPECT=1` or `CI=true`
//! asks for it.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use tempfile::TempDir;
use testing::{CommandOutput, READERS, expect_success, has_python, inspect_or_skip, list_sources, root};

/// Every way in which a bundle is laid out, and more samples than usual.
const LAYOUTS: &[&[&str]] = &[&[], &["--inline"], &["--split-keys"], &["--samples", "100"]];

/// Builds a shipped suite into a folder that goes when the value does.
fn build(suite: &str, flags: &[&str]) -> (TempDir, PathBuf) {
    let folder = TempDir::new().expect("a temporary folder");
    let out = folder.path().join("bundle");
    let suite = root().join("suites").join(suite).with_extension("pcd").display().to_string();
    expect_success(folder.path(), &[&["build", &suite, "-o", "bundle", "--seed", "independent"], flags].concat());
    (folder, out)
}

fn verify(interpreter: &Path, suite: &str, bundle: &Path) -> CommandOutput {
    Command::new(interpreter)
        .arg(verifier(suite))
        .arg(bundle)
        .env("PYTHONDONTWRITEBYTECODE", "1")
        .output()
        .expect("the interpreter starts")
        .into()
}

fn verifier(suite: &str) -> PathBuf {
    root().join("tests/python").join(format!("verify_{suite}.py"))
}

fn agrees_in_every_layout(interpreter: &Path, suite: &str) {
    for flags in LAYOUTS {
        let (_folder, bundle) = build(suite, flags);
        let verified = verify(interpreter, suite, &bundle);
        assert!(verified.status.success(), "{suite} {flags:?}: {}", verified.join_output());
    }
}

#[test]
fn every_suite_that_ships_has_a_verifier() {
    for path in list_sources(root().join("suites")) {
        let suite = path.file_stem().expect("a name").to_string_lossy().into_owned();
        assert!(verifier(&suite).is_file(), "tests/python/verify_{suite}.py is missing");
    }
}

#[test]
fn past_agrees_with_python_in_every_layout() {
    if has_python() {
        agrees_in_every_layout("python3".as_ref(), "past");
    }
}

#[test]
fn failure_modes_agrees_with_python_in_every_layout() {
    if has_python() {
        agrees_in_every_layout("python3".as_ref(), "failure_modes");
    }
}

#[test]
fn business_db_agrees_with_python_in_every_layout() {
    if has_python() {
        agrees_in_every_layout("python3".as_ref(), "business_db");
    }
}

#[test]
fn repair_sql_agrees_with_python_in_every_layout() {
    if has_python() {
        agrees_in_every_layout("python3".as_ref(), "repair_sql");
    }
}

#[test]
fn text_needles_agrees_with_python_in_every_layout() {
    if has_python() {
        agrees_in_every_layout("python3".as_ref(), "text_needles");
    }
}

#[test]
fn trades_agrees_with_python_in_every_layout() {
    if has_python() {
        agrees_in_every_layout("python3".as_ref(), "trades");
    }
}

#[test]
fn resolver_agrees_with_python_in_every_layout() {
    if has_python() {
        agrees_in_every_layout("python3".as_ref(), "resolver");
    }
}

#[test]
fn formats_agrees_with_python_and_its_readers_in_every_layout() {
    if let Some(interpreter) = READERS.find_interpreter_or_skip("YAML files and workbooks") {
        agrees_in_every_layout(&interpreter, "formats");
    }
}

#[test]
fn lake_agrees_with_python_and_its_readers_in_every_layout() {
    if let Some(interpreter) = READERS.find_interpreter_or_skip("YAML files and workbooks") {
        agrees_in_every_layout(&interpreter, "lake");
    }
}

#[test]
fn state_agrees_with_python_and_its_readers_in_every_layout() {
    if let Some(interpreter) = READERS.find_interpreter_or_skip("YAML files") {
        agrees_in_every_layout(&interpreter, "state");
    }
}

/// The files of these are written from clean tables; their stages have answers of their own.
fn written_lake_agrees(suite: &str) {
    if let Some(interpreter) = READERS.find_interpreter_or_skip("YAML files") {
        for flags in [
            &[][..],
            &["--inline", "--samples", "1"],
            &["--split-keys", "--samples", "2"],
            &["--stages", "each", "--samples", "2"],
        ] {
            let (_folder, bundle) = build(suite, flags);
            let verified = verify(&interpreter, suite, &bundle);
            assert!(verified.status.success(), "{suite} {flags:?}: {}", verified.join_output());
        }
    }
}

#[test]
fn consumer_agrees_with_python_by_stages_too() {
    written_lake_agrees("consumer");
}

#[test]
fn coast_agrees_with_python_by_stages_too() {
    written_lake_agrees("coast");
}

#[test]
fn wildfire_agrees_with_python_by_stages_too() {
    written_lake_agrees("wildfire");
}

#[test]
fn clinic_agrees_with_python_by_stages_too() {
    written_lake_agrees("clinic");
}

#[test]
fn dig_agrees_with_python_by_stages_too() {
    written_lake_agrees("dig");
}

#[test]
fn orbit_agrees_with_python_by_stages_too() {
    written_lake_agrees("orbit");
}

#[test]
fn a_wrong_answer_key_does_not_agree() {
    if has_python() {
        let (_folder, bundle) = build("past", &[]);
        let path = bundle.join("instances.jsonl");
        let written = fs::read_to_string(&path).expect("the instances");
        let wrong = written.replacen("\"total_customers\":75", "\"total_customers\":76", 1);
        assert_ne!(written, wrong, "there is a key to falsify");
        fs::write(&path, wrong).expect("written");
        let verified = verify("python3".as_ref(), "past", &bundle);
        assert_eq!(verified.status.code(), Some(1));
        assert!(verified.join_output().contains("199 of 200 agree"), "{}", verified.join_output());
    }
}

#[test]
fn inspect_loads_the_bundles() {
    let Some(interpreter) = inspect_or_skip() else { return };
    for (suite, flags) in [
        ("past", &[][..]),
        ("past", &["--inline"]),
        ("past", &["--split-keys"]),
        ("failure_modes", &[]),
        ("formats", &[]),
        ("lake", &[]),
        ("lake", &["--inline"]),
        ("lake", &["--split-keys"]),
    ] {
        let (_folder, bundle) = build(suite, flags);
        // The files of a lake are in the bundle once, for all instances.
        assert_eq!(bundle.join("static").is_dir(), suite == "lake" && flags != ["--inline"], "{suite} {flags:?}");
        let loaded: CommandOutput = Command::new(&interpreter)
            .arg(root().join("tests/python/inspect_load.py"))
            .arg(&bundle)
            .output()
            .expect("the interpreter starts")
            .into();
        assert!(loaded.status.success(), "{suite} {flags:?}: {}", loaded.join_output());
    }
}
