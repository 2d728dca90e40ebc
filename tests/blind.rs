//! The shipped suites whose files are written dirty, solved by programs whose authors saw prompts and sandboxes only (`tests/blind/`).
//!
//! A solver is right in every instance, so prompts say all that is needed. Without one step of its cleaning, it is wrong about as often as the
//! traps of the answer keys say, so the traps are mistakes that people make.
//!
//! `PICARDC_BLIND=50` asks for 50 samples of every task and cell. Without a Python that has pandas these tests say that they skip.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::{Value as Json, json};
use tempfile::TempDir;
use testing::{FRAMES, Ran, expect, picardc_reading, root, succeeds};

/// The share of predicted instances that an uncleaned column may be wrong in less. The trap has the cell as it is written first; of rows that are there
/// twice, a solver takes the one that it reads first, and that one can be clean.
const TOLERANCE: f64 = 0.25;

/// Where the mistake of the trap is another than that of the solver, and why.
const OTHERS: &[(&str, &str, &str)] =
    &[("age_bands", "missing", "the trap counts an age of 0 to the band from 18 to 29, the solver to none")];

struct Built {
    folder: TempDir,
    instances: Vec<Json>,
}

impl Built {
    fn of(suite: &str, samples: &str) -> Built {
        let folder = TempDir::new().expect("a temporary folder");
        let source = root().join("suites").join(suite).with_extension("pcd").display().to_string();
        succeeds(
            folder.path(),
            &["build", &source, "-o", "bundle", "--seed", "blind", "--samples", samples, "--quiet"],
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

fn samples() -> String {
    std::env::var("PICARDC_BLIND").unwrap_or_else(|_| "1".to_owned())
}

fn solver(suite: &str) -> PathBuf {
    root().join("tests/blind").join(suite).with_extension("py")
}

/// As an agent: a process for each instance, in its sandbox.
fn is_solved(suite: &str) {
    let Some(python) = FRAMES.interpreter_or_skip("solvers with pandas") else { return };
    let built = Built::of(suite, &samples());
    let agent = format!("cmd:'{}' '{}'", python.display(), solver(suite).display());
    expect(0, built.folder.path(), &["run", "bundle", "--agent", &agent, "-o", "run", "--quiet"]);
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

/// The kinds of dirt that change the answer, by its key. A value that differs in capitals only is correct where they do not matter.
fn trapped_in(instance: &Json) -> BTreeSet<&str> {
    let mut kinds = BTreeSet::new();
    for expect in instance["metadata"]["picard"]["expect"].as_array().expect("expectations") {
        let key = expect["value"].to_string().to_lowercase();
        for trap in expect["traps"].as_array().into_iter().flatten() {
            let named = trap["name"].as_str().and_then(kind);
            kinds.extend(named.filter(|_| trap["value"].to_string().to_lowercase() != key));
        }
    }
    kinds
}

/// Whether a reply is correct.
fn graded(built: &Built, answer: &Json) -> bool {
    let files: Vec<Json> = answer["files"]
        .as_object()
        .into_iter()
        .flatten()
        .map(|(path, text)| json!([path, { "kind": "text", "text": text }]))
        .collect();
    let response = json!({ "reply": answer["reply"], "files": files }).to_string();
    let id = answer["id"].as_str().expect("an id");
    let ran = picardc_reading(built.folder.path(), &["grade", "bundle", id, "--response", "-"], &response);
    match ran.status.code() {
        Some(0) => true,
        Some(1) => false,
        _ => panic!("{id}: {}", ran.said()),
    }
}

/// Once for each kind of cleaning that is left out, over all instances.
fn answers(python: &Path, suite: &str, built: &Built) -> Vec<Json> {
    let ran: Ran = Command::new(python)
        .arg(solver(suite))
        .args(["--bundle", "bundle", "--off", "repeat,case,space,missing,written,decoy"])
        .current_dir(built.folder.path())
        .env("PYTHONDONTWRITEBYTECODE", "1")
        .env("PYTHONIOENCODING", "utf-8")
        .output()
        .expect("the interpreter starts")
        .into();
    assert!(ran.status.success(), "{suite}: {}", ran.said());
    ran.out.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect()
}

fn is_trapped_without_cleaning(suite: &str) {
    let Some(python) = FRAMES.interpreter_or_skip("solvers with pandas") else { return };
    let built = Built::of(suite, &samples());
    let predicted: BTreeMap<&str, BTreeSet<&str>> = built
        .instances
        .iter()
        .map(|instance| (instance["id"].as_str().expect("an id"), trapped_in(instance)))
        .collect();
    let mut counts: BTreeMap<(String, String), (usize, usize)> = BTreeMap::new();
    for answer in answers(&python, suite, &built) {
        let (id, off) = (answer["id"].as_str().expect("an id"), answer["off"].as_str().expect("a kind"));
        if !predicted[id].contains(off) {
            continue;
        }
        let count = counts.entry((built.task(id).to_owned(), off.to_owned())).or_default();
        count.0 += 1;
        count.1 += usize::from(!graded(&built, &answer));
    }
    assert!(!counts.is_empty(), "{suite}: the keys have no traps of dirt");
    let mut fewer = Vec::new();
    for ((task, off), (expected, wrong)) in &counts {
        eprintln!("{suite} {task}, without {off}: wrong in {wrong} of {expected}");
        let excused = OTHERS.iter().any(|(of, kind, _)| of == task && kind == off);
        // Few instances vary more: one of them can always be right.
        let least = (*expected as f64 * (1.0 - TOLERANCE)).floor().min(*expected as f64 - 1.0);
        if !excused && (*wrong as f64) < least {
            fewer.push(format!("{task}, without {off}: wrong in {wrong} of {expected}"));
        }
    }
    assert!(fewer.is_empty(), "{suite}: the solver is right where the keys predict a mistake:\n{}", fewer.join("\n"));
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
