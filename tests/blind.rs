//! The shipped suites whose files are written dirty, solved by programs whose authors saw prompts and sandboxes only (`tests/blind/`).
//!
//! A solver is right in every instance, so prompts say all that is needed. Without one step of its cleaning, it is wrong in at least the share of
//! instances in which `analyze` says that the answer is surely wrong: if dirt is taken as it is, and if its rows are lost.
//!
//! `PICARDC_BLIND=50` asks for 50 samples of every task and cell. Without a Python that has pandas these tests say that they skip.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::{Value as Json, json};
use tempfile::TempDir;
use testing::{CommandOutput, FRAMES, expect_status, expect_success, root, run_picardc_with_input};

struct Built {
    folder: TempDir,
    instances: Vec<Json>,
}

impl Built {
    fn of(suite: &str, samples: u32) -> Built {
        let folder = TempDir::new().expect("a temporary folder");
        let source = root().join("suites").join(suite).with_extension("pcd").display().to_string();
        expect_success(
            folder.path(),
            &["build", &source, "-o", "bundle", "--seed", "blind", "--samples", &samples.to_string(), "--quiet"],
        );
        let lines = fs::read_to_string(folder.path().join("bundle/instances.jsonl")).expect("instances");
        let instances = lines.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
        Built { folder, instances }
    }

    fn task(&self, id: &str) -> &str {
        let found = self.instances.iter().find(|instance| instance["id"] == id).expect("an instance of the bundle");
        found["metadata"]["picard"]["task"].as_str().expect("a task")
    }
}

fn samples() -> u32 {
    std::env::var("PICARDC_BLIND").map_or(1, |samples| samples.parse().expect("a number of samples"))
}

fn solver(suite: &str) -> PathBuf {
    root().join("tests/blind").join(suite).with_extension("py")
}

/// As an agent: a process for each instance, in its sandbox. Each loads pandas, so one suite is enough where nobody asks for samples:
/// `is_trapped_without_cleaning` solves the others too, in one process.
fn is_solved(suite: &str) {
    if std::env::var_os("PICARDC_BLIND").is_none() && suite != "consumer" {
        eprintln!("skipped: {suite} as an agent in a sandbox: PICARDC_BLIND is not set");
        return;
    }
    let Some(python) = FRAMES.find_interpreter_or_skip("solvers with pandas") else { return };
    let built = Built::of(suite, samples());
    let agent = format!("cmd:'{}' '{}'", python.display(), solver(suite).display());
    expect_status(0, built.folder.path(), &["run", "bundle", "--agent", &agent, "-o", "run", "--quiet"]);
    let scores = fs::read_to_string(built.folder.path().join("run/scores.jsonl")).expect("scores");
    let mut wrong = Vec::new();
    let mut right = 0;
    for line in scores.lines() {
        let score: Json = serde_json::from_str(line).expect("JSON");
        match score["correct"].as_bool() {
            Some(true) => right += 1,
            _ => wrong.push(format!("{}: {}", score["id"], score["verdicts"])),
        }
    }
    assert!(wrong.is_empty(), "{suite}: the solver is wrong in {} instances:\n{}", wrong.len(), wrong.join("\n"));
    assert_eq!(right, built.instances.len(), "{suite}");
}

/// The kind of dirt that a trap is about.
fn kind(trap: &str) -> Option<&str> {
    let kinds = ["repeat", "case", "space", "missing", "written"];
    let last = trap.rsplit_once('.').map(|(_, last)| last).filter(|last| kinds.contains(last));
    last.or_else(|| trap.starts_with('_').then_some("decoy"))
}

/// The fewest samples that `analyze` takes.
const FEWEST: u32 = 30;

/// The share of the prediction that fewer samples than those may miss.
const TOLERANCE: f64 = 0.25;

/// In how many instances of each task `analyze` predicts that leaving out a kind of cleaning changes the answer: of several columns, the most. It sees
/// the same instances, if they are not too few for it.
fn predicted(built: &Built, suite: &str) -> BTreeMap<(String, String), u64> {
    let source = root().join("suites").join(suite).with_extension("pcd").display().to_string();
    let said = expect_success(
        built.folder.path(),
        &["analyze", &source, "--seed", "blind", "--samples", &samples().max(FEWEST).to_string(), "--json"],
    );
    let report: Json = serde_json::from_str(&said).expect("JSON");
    let mut most: BTreeMap<(String, String), u64> = BTreeMap::new();
    for row in report["tasks"].as_array().expect("tasks") {
        let task = row["task"].as_str().expect("a task");
        for dirt in row["dirt"].as_array().into_iter().flatten() {
            let Some(kind) = dirt["name"].as_str().and_then(kind) else { continue };
            let cells = dirt["cells"].as_array().expect("cells").iter();
            let changes = |cell: &Json| {
                let (share, of) =
                    (cell["surely"].as_f64().expect("a share"), cell["instances"].as_f64().expect("a number"));
                (share * of).round() as u64
            };
            let all = cells.map(changes).sum();
            let known = most.entry((task.to_owned(), kind.to_owned())).or_default();
            *known = (*known).max(all);
        }
    }
    most
}

/// Which replies are correct, in their order.
fn graded(built: &Built, answers: &[Json]) -> Vec<bool> {
    let response = |answer: &Json| {
        let files: Vec<Json> = answer["files"]
            .as_object()
            .into_iter()
            .flatten()
            .map(|(path, text)| json!([path, { "kind": "text", "text": text }]))
            .collect();
        json!({ "id": answer["id"], "reply": answer["reply"], "files": files }).to_string()
    };
    let lines: Vec<String> = answers.iter().map(response).collect();
    let ran = run_picardc_with_input(built.folder.path(), &["grade", "bundle", "--lines"], &lines.join("\n"));
    assert!(ran.status.code().is_some_and(|code| code <= 1), "{}", ran.join_output());
    let correct = |line: &str| {
        let score: Json = serde_json::from_str(line).expect("JSON");
        score["correct"].as_bool().unwrap_or_else(|| panic!("{line}"))
    };
    let correct: Vec<bool> = ran.out.lines().map(correct).collect();
    assert_eq!(correct.len(), answers.len());
    correct
}

/// Once with all of the cleaning, and once for each kind of it that is left out, over all instances.
fn answers(python: &Path, suite: &str, built: &Built) -> Vec<Json> {
    let ran: CommandOutput = Command::new(python)
        .arg(solver(suite))
        .args(["--bundle", "bundle", "--off", "none,repeat,case,space,missing,written,decoy"])
        .current_dir(built.folder.path())
        .env("PYTHONDONTWRITEBYTECODE", "1")
        .env("PYTHONIOENCODING", "utf-8")
        .output()
        .expect("the interpreter starts")
        .into();
    assert!(ran.status.success(), "{suite}: {}", ran.join_output());
    ran.out.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect()
}

fn is_trapped_without_cleaning(suite: &str) {
    let Some(python) = FRAMES.find_interpreter_or_skip("solvers with pandas") else { return };
    let built = Built::of(suite, samples());
    let predicted = predicted(&built, suite);
    let mut wrong: BTreeMap<(String, String), u64> = BTreeMap::new();
    let (answers, mut solved) = (answers(&python, suite, &built), 0);
    for (answer, correct) in answers.iter().zip(graded(&built, &answers)) {
        let (id, off) = (answer["id"].as_str().expect("an id"), answer["off"].as_str().expect("a kind"));
        if off == "none" {
            assert!(correct, "{suite}: the solver is wrong in {id}");
            solved += 1;
            continue;
        }
        let pair = (built.task(id).to_owned(), off.to_owned());
        if predicted.contains_key(&pair) {
            *wrong.entry(pair).or_default() += u64::from(!correct);
        }
    }
    eprintln!("{suite}: right in {solved} of {} instances", built.instances.len());
    assert_eq!(solved, built.instances.len(), "{suite}");
    assert!(predicted.values().any(|changes| *changes > 0), "{suite}: no dirt changes an answer");
    let mut fewer = Vec::new();
    for (pair, changes) in &predicted {
        let wrong = wrong.get(pair).copied().unwrap_or_default();
        let (task, off) = pair;
        eprintln!("{suite} {task}, without {off}: predicted {changes}, wrong {wrong}");
        if samples() >= FEWEST && wrong < *changes {
            fewer.push(format!("{task}, without {off}: wrong in {wrong}, not in {changes}"));
        }
    }
    if samples() < FEWEST {
        // Few instances vary, so all pairs are taken together.
        let expected = predicted.values().sum::<u64>() as f64 * f64::from(samples()) / f64::from(FEWEST);
        let found: u64 = wrong.iter().filter(|(pair, _)| predicted.get(pair) > Some(&0)).map(|(_, wrong)| wrong).sum();
        eprintln!("{suite}: predicted {expected:.1} in all, wrong {found}");
        if (found as f64) < expected * (1.0 - TOLERANCE) {
            fewer.push(format!("all together: wrong in {found}, not in {expected:.1}"));
        }
    }
    assert!(fewer.is_empty(), "{suite}: the solver is right where `analyze` predicts a mistake:\n{}", fewer.join("\n"));
}

macro_rules! suites {
    ($($suite:ident),*) => {$(
        mod $suite {
            #[test]
            fn is_solved() {
                super::is_solved(stringify!($suite));
            }

            #[test]
            fn is_trapped_without_cleaning() {
                super::is_trapped_without_cleaning(stringify!($suite));
            }
        }
    )*};
}

suites!(consumer, coast, wildfire, clinic, dig, orbit);
