//! Every natural way to write a right answer is right, and every near miss is wrong: an independent program in Python (`tests/python/styles.py`)
//! writes both from the values of keys, for every matcher and type of value, and the scorer judges them.
//!
//! The page `docs/src/reference/styles.md` is made from the same cases; `UPDATE_DOCS=1 cargo test --test it styles::` rewrites it. Where `python3`
//! has not NumPy and pandas, `target/styles-venv` gets them; PICARDC_PYTHON names another interpreter. Without a registry their formats are skipped, and
//! without any Python all of it; the tests say so.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::process::Command;
use std::sync::OnceLock;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use records::{Captured, Instance, Reason, Response};
use serde::Deserialize;
use serde_json::{Value as Json, json};
use testing::{CommandOutput, Environment, has_python, root};

mod page;

/// What writes the formats of arrays and frames.
const STYLES: Environment =
    Environment { folder: "styles-venv", packages: &["numpy==2.3.5", "pandas==2.3.3"], probe: "import numpy, pandas" };

/// So many values are drawn for each type.
const DRAWS: &str = "6";

#[derive(Deserialize)]
struct Case {
    matcher: String,
    r#type: String,
    style: String,
    /// It is wrong, by a little.
    near: bool,
    expect: Json,
    subject: String,
    said: String,
    database: Option<u64>,
}

#[derive(Deserialize)]
#[serde(untagged)]
enum Line {
    Case(Box<Case>),
    Database { database: u64, bytes: String },
    Skipped { skipped: Vec<String> },
}

struct Cases {
    cases: Vec<Case>,
    databases: BTreeMap<u64, Vec<u8>>,
}

/// One with NumPy and pandas; else Python's own, and why; `None` where there is no Python.
fn interpreter() -> Option<PathBuf> {
    has_python()
        .then(|| STYLES.find_interpreter_or_skip("the formats of NumPy and pandas").unwrap_or_else(|| "python3".into()))
}

/// What the program writes; `None` where there is no Python, which is said.
fn cases() -> Option<&'static Cases> {
    static CASES: OnceLock<Option<Cases>> = OnceLock::new();
    let made = || {
        let interpreter = interpreter()?;
        let program = root().join("tests/python/styles.py");
        let output = Command::new(interpreter).arg(program).arg(DRAWS).env("PYTHONIOENCODING", "utf-8").output();
        let ran = CommandOutput::from(output.expect("started"));
        assert!(ran.status.success(), "{}", ran.join_output());
        let mut made = Cases { cases: Vec::new(), databases: BTreeMap::new() };
        for line in ran.out.lines() {
            match serde_json::from_str(line).expect("a case") {
                Line::Case(case) => made.cases.push(*case),
                Line::Database { database, bytes } => {
                    made.databases.insert(database, STANDARD.decode(bytes).expect("base64"));
                }
                Line::Skipped { skipped } if skipped.is_empty() => {}
                Line::Skipped { skipped } => {
                    eprintln!("skipped: the formats of {}", skipped.join(" and "));
                }
            }
        }
        Some(made)
    };
    CASES.get_or_init(made).as_ref()
}

/// What a scorer says of each case, in their order.
fn judged(made: &Cases, scorer: u32) -> Vec<Reason> {
    let judge = |case: &Case| {
        let line = json!({
            "id": "task-1", "input": "?", "target": "", "files": {},
            "metadata": {"picard": {
                "schema": 1, "scorer": scorer, "suite": "s", "version": "1.0.0", "task": "task", "variant": null, "axis": {}, "sample": 1,
                "draws": {}, "folders": [], "expect": [case.expect], "tags": [], "canary": null
            }}
        });
        let instance = Instance::from_json(&line, None).unwrap_or_else(|error| panic!("{}: {error:?}", case.expect));
        let mut response = Response { id: "task-1".into(), trial: 1, ..Response::default() };
        if case.subject == "file" {
            response.files.push(("answer.txt".to_owned(), Captured::from_bytes(case.said.clone().into_bytes())));
        } else {
            response.reply.clone_from(&case.said);
        }
        let start: BTreeMap<String, Vec<u8>> =
            case.database.map(|number| ("data.db".to_owned(), made.databases[&number].clone())).into_iter().collect();
        score::score_response(&instance, Some(&response), 1, &start).verdicts[0].reason
    };
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    let share = made.cases.len().div_ceil(threads).max(1);
    std::thread::scope(|scope| {
        let parts: Vec<_> = made
            .cases
            .chunks(share)
            .map(|part| scope.spawn(move || part.iter().map(judge).collect::<Vec<_>>()))
            .collect();
        parts.into_iter().flat_map(|part| part.join().expect("no panic")).collect()
    })
}

/// A cell of the table: matcher, type and style.
type Cell<'a> = (&'a str, &'a str, &'a str);

/// How many cells there are and in how many every case is judged as it should be; first of the ways to write an answer, then of near misses. And a
/// line for each cell that fails, with the first case that does.
fn cells(made: &Cases, verdicts: &[Reason]) -> ([(usize, usize); 2], Vec<String>) {
    let mut cells: BTreeMap<(bool, Cell<'_>), (usize, usize, String)> = BTreeMap::new();
    for (case, reason) in made.cases.iter().zip(verdicts) {
        let cell = cells.entry((case.near, (&case.matcher, &case.r#type, &case.style))).or_default();
        cell.0 += 1;
        if (*reason == Reason::Right) == case.near {
            cell.1 += 1;
            if cell.2.is_empty() {
                let expect = case.expect.to_string().chars().take(400).collect::<String>();
                cell.2 =
                    format!("{expect}\n      said {:?} -> {reason:?}", case.said.chars().take(300).collect::<String>());
            }
        }
    }
    let count = |near: bool| {
        let own = cells.iter().filter(|((is_near, _), _)| *is_near == near);
        (own.clone().count(), own.filter(|(_, (_, wrong, _))| *wrong == 0).count())
    };
    let failed = cells.iter().filter(|(_, (_, wrong, _))| *wrong > 0).map(|((near, cell), (all, wrong, first))| {
        let what = if *near { "a near miss is right" } else { "a right answer is wrong" };
        format!("{what} {cell:?}: {wrong} of {all}\n      {first}")
    });
    ([count(false), count(true)], failed.collect())
}

#[test]
fn every_style_is_right_and_every_near_miss_is_wrong() {
    let Some(made) = cases() else { return };
    let ([styles, near], failed) = cells(made, &judged(made, model::Scorer::CURRENT.number()));
    println!(
        "{} cases: {} of {} styles are always right, {} of {} near misses always wrong",
        made.cases.len(),
        styles.1,
        styles.0,
        near.1,
        near.0
    );
    assert!(failed.is_empty(), "{} cells\n{}", failed.len(), failed[..failed.len().min(40)].join("\n"));
    assert!(styles.0 > 3000 && near.0 > 1900, "{styles:?} {near:?}");
    // At least twenty ways to write each type of value for each matcher.
    let mut ways: BTreeMap<(&str, &str), std::collections::BTreeSet<&str>> = BTreeMap::new();
    let options = [",", " rounded", " within", " with", " array"];
    for case in
        made.cases.iter().filter(|case| !case.near && !options.iter().any(|option| case.r#type.contains(option)))
    {
        ways.entry((&case.matcher, &case.r#type)).or_default().insert(&case.style);
    }
    let few: Vec<_> = ways.iter().filter(|(_, styles)| styles.len() < 20).collect();
    assert!(few.is_empty() && ways.len() > 35, "{} {few:?}", ways.len());
}

/// What the loop found before the rules of scorer 2: many right answers that were wrong, and not a near miss that was right.
#[test]
fn the_first_scorer_called_right_answers_wrong() {
    let Some(made) = cases() else { return };
    let ([styles, near], failed) = cells(made, &judged(made, 1));
    println!(
        "scorer 1: {} of {} styles are always right, {} of {} near misses always wrong",
        styles.1, styles.0, near.1, near.0
    );
    for line in &failed {
        println!("{line}");
    }
    assert!(styles.1 * 10 < styles.0 * 9, "{styles:?}");
}

/// The page of the manual has the styles of these very cases.
#[test]
fn the_page_of_styles_is_fresh() {
    let Some(made) = cases() else { return };
    let path = root().join("docs/src/reference/styles.md");
    let page = page::page(&made.cases);
    if testing::is_switched_on("UPDATE_DOCS") {
        std::fs::write(&path, &page).expect("written");
        return;
    }
    let there = std::fs::read_to_string(&path).unwrap_or_default();
    let line = there
        .lines()
        .zip(page.lines())
        .position(|(a, b)| a != b)
        .unwrap_or(there.lines().count().min(page.lines().count()));
    assert!(
        there == page,
        "docs/src/reference/styles.md is stale from line {}: UPDATE_DOCS=1 cargo test --test it styles:: rewrites it",
        line + 1
    );
}
