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
fn state_agrees_with_python_and_its_readers_in_every_layout() {
    if let Some(interpreter) = READERS.interpreter_or_skip("YAML files") {
        agrees_in_every_layout(&interpreter, "state");
    }
}

/// The files of these are written from clean tables; their stages have answers of their own.
fn written_lake_agrees(suite: &str) {
    if let Some(interpreter) = READERS.interpreter_or_skip("YAML files") {
        for flags in [
            &[][..],
            &["--inline", "--samples", "1"],
            &["--split-keys", "--samples", "2"],
            &["--stages", "each", "--samples", "2"],
        ] {
            let (_folder, bundle) = build(suite, flags);
            let verified = verify(&interpreter, suite, &bundle);
            assert!(verified.status.success(), "{suite} {flags:?}: {}", verified.said());
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
        ("lake", &[]),
        ("lake", &["--inline"]),
        ("lake", &["--split-keys"]),
    ] {
        let (_folder, bundle) = build(suite, flags);
        // The files of a lake are in the bundle once, for all instances.
        assert_eq!(bundle.join("static").is_dir(), suite == "lake" && flags != ["--inline"], "{suite} {flags:?}");
        let loaded: Ran = Command::new(&interpreter)
            .arg(root().join("tests/python/inspect_load.py"))
            .arg(&bundle)
            .output()
            .expect("the interpreter starts")
            .into();
        assert!(loaded.status.success(), "{suite} {flags:?}: {}", loaded.said());
    }
}

/// The scorer that the manual gives to users of Inspect AI, and Inspect with it.
struct Manual {
    home: TempDir,
    interpreter: PathBuf,
}

impl Manual {
    fn new(interpreter: PathBuf) -> Manual {
        let home = TempDir::new().expect("a temporary folder");
        fs::write(home.path().join("picard.py"), Manual::block("picard.py")).expect("written");
        Manual { home, interpreter }
    }

    /// A file of the manual's page.
    fn block(name: &str) -> &'static str {
        let page = include_str!("../docs/src/guides/inspect-ai.md");
        let (_, block) = page.split_once(&format!(" file={name}\n")).expect("the page has it");
        block.split_once("```\n").expect("the block ends").0
    }

    /// The scores of what a mock model replies in Inspect. With `command` it runs this before it replies: `TARGET` in it is the expected number.
    fn scores(&self, suite: &str, command: &str) -> Vec<serde_json::Value> {
        let home = self.home.path();
        fs::write(home.join("s.pcd"), suite).expect("written");
        succeeds(home, &["build", "s.pcd", "-o", "built", "--seed", "7", "--quiet"]);
        succeeds(home, &["run", "built", "--agent", "null", "-o", "run", "--quiet"]);
        fs::remove_file(home.join("run/responses.jsonl")).expect("removed");
        let script = root().join("tests/python/inspect_score.py");
        let arguments = ["built", "run/responses.jsonl", command];
        let output = Command::new(&self.interpreter).arg(script).args(arguments).current_dir(home).output();
        let ran = Ran::from(output.expect("it starts"));
        assert!(ran.status.success(), "{}", ran.said());
        succeeds(home, &["score", "built", "run", "--quiet"]);
        let scores = fs::read_to_string(home.join("run/scores.jsonl")).expect("scores");
        scores.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect()
    }
}

#[test]
fn the_manuals_scorer_for_inspect_saves_what_is_scored() {
    let Some(interpreter) = inspect() else { return };
    let scores = Manual::new(interpreter).scores(Manual::block("desk.pcd"), "echo TARGET > answer.txt");
    let correct: Vec<_> = scores.iter().map(|score| score["correct"] == true).collect();
    assert_eq!(correct, [true, true, false], "{scores:?}");
    // The last sample has its reply, and not its file.
    assert_eq!(scores[2]["score"], 0.5, "{}", scores[2]);
}

/// The files of a lake are in the sandboxes that Inspect makes: a command computes the answer from them, and writes to them in one sandbox only.
#[test]
fn inspect_hands_out_a_lake() {
    let Some(interpreter) = inspect() else { return };
    let suite = r#"suite rain { title "Rain" version "1.0.0" samples 3 }
lake stations at "data/rain" from "lake" {
  csv rain from "monthly/*.csv" { STATION = file.stem  YEAR : int  MM : int  key (STATION, YEAR) }
}
task wet {
  least : int 100..900
  lake stations
  n = sum(stations.rain.MM where MM > least)
  require n != null
  prompt "In <<stations>> are tables of rainfalls. Write the sum of all MM above <<least>> to answer.txt, and reply with it. Number only."
  expect reply number n
  expect file "answer.txt" number n
}
"#;
    let manual = Manual::new(interpreter);
    for (station, rows) in [("a", "2001,120\n2002,640\n"), ("b", "2001,333\n"), ("c", "2003,899\n2004,5\n")] {
        let path = manual.home.path().join(format!("lake/monthly/{station}.csv"));
        fs::create_dir_all(path.parent().expect("a folder")).expect("made");
        fs::write(path, format!("YEAR,MM\n{rows}")).expect("written");
    }
    // Adds what is above `least`, and then a row that would count in the next sandbox, were it the same file.
    let command = "cat data/rain/monthly/*.csv | awk -F, -v least=DRAW_least '$2 + 0 > least { n += $2 } END { print n }' > answer.txt; \
                   echo 2005,9000 >> data/rain/monthly/a.csv";
    let scores = manual.scores(suite, command);
    let scored: Vec<_> = scores.iter().map(|score| score["score"].as_f64().expect("a number")).collect();
    assert_eq!(scored, [1.0, 1.0, 0.5], "the last sample has its reply, and not its file: {scores:?}");
    let kept = fs::read_to_string(manual.home.path().join("built/static/lake/monthly/a.csv")).expect("kept");
    assert_eq!(kept, "YEAR,MM\n2001,120\n2002,640\n");
}
