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
use testing::{Environment, READERS, Ran, has_python, root, sources, succeeds};

/// The version whose facts the bundle was made to.
const INSPECT: Environment = Environment {
    folder: "inspect-venv",
    packages: &["inspect_ai==0.3.285"],
    probe: "import inspect_ai; assert inspect_ai.__version__ == '0.3.285'",
};

/// Every way in which a bundle is laid out, and more samples than usual.
const LAYOUTS: &[&[&str]] = &[&[], &["--inline"], &["--split-keys"], &["--samples", "100"]];

/// Builds a shipped suite into a folder that goes when the value does.
fn build(suite: &str, flags: &[&str]) -> (TempDir, PathBuf) {
    let folder = TempDir::new().expect("a temporary folder");
    let out = folder.path().join("bundle");
    let suite = root().join("suites").join(suite).with_extension("pcd").display().to_string();
    succeeds(folder.path(), &[&["build", &suite, "-o", "bundle", "--seed", "independent"], flags].concat());
    (folder, out)
}

fn verify(interpreter: &Path, suite: &str, bundle: &Path) -> Ran {
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
        assert!(verified.status.success(), "{suite} {flags:?}: {}", verified.said());
    }
}

#[test]
fn every_suite_that_ships_has_a_verifier() {
    for path in sources(root().join("suites")) {
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
fn text_needles_agrees_with_python_in_every_layout() {
    if has_python() {
        agrees_in_every_layout("python3".as_ref(), "text_needles");
    }
}

#[test]
fn formats_agrees_with_python_and_its_readers_in_every_layout() {
    if let Some(interpreter) = READERS.interpreter_or_skip("YAML files and workbooks") {
        agrees_in_every_layout(&interpreter, "formats");
    }
}

#[test]
fn lake_agrees_with_python_and_its_readers_in_every_layout() {
    if let Some(interpreter) = READERS.interpreter_or_skip("YAML files and workbooks") {
        agrees_in_every_layout(&interpreter, "lake");
    }
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
        assert!(verified.said().contains("199 of 200 agree"), "{}", verified.said());
    }
}

/// An interpreter with Inspect AI, if it is asked for and can be had; says why if not.
fn inspect() -> Option<PathBuf> {
    let asked = |name, value| std::env::var(name).is_ok_and(|set| set == value);
    if !asked("PICARDC_INSPECT", "1") && !asked("CI", "true") {
        eprintln!("skipped: Inspect AI is installed only where PICARDC_INSPECT=1 or CI=true asks for it");
        return None;
    }
    INSPECT.interpreter_or_skip("Inspect AI")
}

#[test]
fn inspect_loads_the_bundles() {
    let Some(interpreter) = inspect() else { return };
    for (suite, flags) in [
        ("past", &[][..]),
        ("past", &["--inline"]),
        ("past", &["--split-keys"]),
        ("failure_modes", &[]),
        ("formats", &[]),
    ] {
        let (_folder, bundle) = build(suite, flags);
        let loaded: Ran = Command::new(&interpreter)
            .arg(root().join("tests/python/inspect_load.py"))
            .arg(&bundle)
            .output()
            .expect("the interpreter starts")
            .into();
        assert!(loaded.status.success(), "{suite} {flags:?}: {}", loaded.said());
    }
}

/// The scorer that the manual gives to users of Inspect AI saves what `picardc score` needs.
#[test]
fn the_manuals_scorer_for_inspect_saves_what_is_scored() {
    let Some(interpreter) = inspect() else { return };
    let page = include_str!("../docs/src/guides/inspect-ai.md");
    let home = TempDir::new().expect("a temporary folder");
    for name in ["desk.pcd", "picard.py"] {
        let (_, block) = page.split_once(&format!(" file={name}\n")).expect("the page has it");
        let (block, _) = block.split_once("```\n").expect("the block ends");
        fs::write(home.path().join(name), block).expect("written");
    }
    let run = |command: &mut Command| {
        let ran = Ran::from(command.current_dir(home.path()).output().expect("it starts"));
        assert!(ran.status.success(), "{}", ran.said());
    };
    let picardc = |args: &[&str]| succeeds(home.path(), args);
    picardc(&["build", "desk.pcd", "-o", "desk", "--seed", "7", "--quiet"]);
    picardc(&["run", "desk", "--agent", "null", "-o", "run", "--quiet"]);
    fs::remove_file(home.path().join("run/responses.jsonl")).expect("removed");
    run(Command::new(interpreter)
        .arg(root().join("tests/python/inspect_score.py"))
        .args(["desk", "run/responses.jsonl"]));
    picardc(&["score", "desk", "run", "--quiet"]);
    let scores = fs::read_to_string(home.path().join("run/scores.jsonl")).expect("scores");
    let scores: Vec<serde_json::Value> = scores.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    let correct: Vec<_> = scores.iter().map(|score| score["correct"] == true).collect();
    assert_eq!(correct, [true, true, false], "{scores:?}");
    // The last sample has its reply, and not its file.
    assert_eq!(scores[2]["score"], 0.5, "{}", scores[2]);
}
