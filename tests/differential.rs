//! Every function of the standard library against Python: the suites in `tests/differential/` expect what functions give over random files,
//! and `tests/python/differential.py` recomputes it from the written files with `csv`, `sqlite3`, `decimal`, `fractions` and `datetime`.
//!
//! Trees and workbooks are read with PyYAML, lxml and openpyxl, and paths asked of other implementations (`tests/python/trees.py`).
//!
//! Without `python3`, or without those packages, these tests say that they skip. `DIFFERENTIAL_SEED=…` tries other files.

mod asked;

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

use regex::{Captures, Regex};
use tempfile::TempDir;
use testing::{CommandOutput, FRAMES, READERS, STATISTICS, expect_success, has_python, root};

/// Columns of `of_csv` in `aggregates.pcd`, and what stands for null there.
const COLUMNS: [(&str, &str); 14] = [
    ("I", "-1"),
    ("IB", "-1"),
    ("BIG", "-1"),
    ("D", "-1.00"),
    ("DB", "-1.000"),
    ("W", "-1.000000"),
    ("F", "-1 / 1"),
    ("C", "\"none\""),
    ("TX", "\"none\""),
    ("TB", "\"none\""),
    ("DT", "1999-12-31"),
    ("DTB", "1999-12-31"),
    ("AT", "1999-12-31T00:00"),
    ("B", "false"),
];

/// As in `differential.py`, by the same names.
const CONDITIONS: [(&str, &str); 18] = [
    ("w1", "I > k"),
    ("w2", "C == c and DT >= day"),
    ("w3", "TB != null"),
    ("w4", "IB > k"),
    ("w5", "not (IB > k)"),
    ("w6", "D < d or IB == null"),
    ("w7", "C in [c, \"beta\"]"),
    ("w8", "I > 10 and I < -10"),
    ("w9", "contains(TX, \"a\") and year(DT) == y"),
    ("w10", "weekday(DT) <= 5 and month(DT) >= m"),
    ("w11", "starts_with(TX, \"Z\") or ends_with(TX, \"n\") or len(TX) > n"),
    ("w12", "mod(I, 3) == 1 and abs(D) > 2.50"),
    ("w13", "F > 0.5"),
    ("w14", "C not in [\"alpha\", \"gamma\"] and B"),
    ("w15", "coalesce(IB, 0) * 2 + I < k"),
    ("w16", "AT >= 2024-02-29T00:00 and AT < 2024-03-01T00:00 or TB == \"\""),
    ("w17", "not (IB > k and B)"),
    ("w18", "not (IB <= k or DTB != day) or TB != null and not (B and DB < d)"),
];

/// The functions of one column, from their signatures: name, whether only numbers have it, whether it is a float, and whether it is never null.
fn aggregates() -> Vec<(String, bool, bool, bool)> {
    let library = fs::read_to_string(root().join("stdlib/1/functions.pcd")).expect("the library");
    let signature =
        Regex::new(r"(?m)^fn (\w+)\(values: (column(?: of (\w+))?)\) -> (.+)$").expect("a regular expression");
    let mut all: Vec<(String, bool, bool, bool)> = Vec::new();
    for found in signature.captures_iter(&library) {
        let (of_numbers, to) = (found.get(3).is_some_and(|of| of.as_str() != "T"), &found[4]);
        match all.iter_mut().find(|(name, ..)| *name == found[1]) {
            Some((_, _, float, _)) => *float &= to == "float?",
            None => all.push((found[1].to_owned(), of_numbers, to == "float?", !to.ends_with('?'))),
        }
    }
    assert!(all.len() >= 12, "{all:?}");
    all
}

/// The conditions that each aggregate of each column is tried with, beside none: enough that all meet all sorts.
const CONDITIONS_EACH: usize = 3;

/// The suites by name. That of YAML files is that of JSON files, in other words.
const SUITES: [&str; 10] =
    ["aggregates", "csv", "feeds", "files", "json", "queries", "relations", "scalars", "statistics", "yaml"];

fn source(suite: &str) -> String {
    let file = if matches!(suite, "json" | "yaml") { "trees" } else { suite };
    let path = root().join("tests/differential").join(file).with_extension("pcd");
    let text = recomputed_keys(&fs::read_to_string(path).expect("the suite")).replace("# KEYS", &keys());
    match suite {
        "feeds" => asked::expand(&text, "xpath"),
        "yaml" => asked::expand(&text.replace("\n  json ", "\n  yaml ").replace(".json\"", ".yaml\""), "yaml")
            .replace("json_", "yaml_"),
        _ => asked::expand(&text, "json"),
    }
}

/// The suite with `# KEYS of TASK` made into keys: those of what the function TASK of `differential.py` returns. The name of each is its expression.
fn recomputed_keys(suite: &str) -> String {
    let program = fs::read_to_string(root().join("tests/python/differential.py")).expect("the program");
    let key = Regex::new(r#"(?m)(?:^ +|, )r?(?:"([^"\n]+)"|'([^'\n]+)'): "#).expect("a regular expression");
    let marked = Regex::new(r"# KEYS of (\w+)").expect("a regular expression");
    let of_task = |task: &Captures<'_>| -> String {
        let body = program.split(&format!("\ndef {}(", &task[1])).nth(1).expect("a function of that name");
        let keys = key.captures_iter(body.split("\n\n\n").next().unwrap_or_default());
        keys.filter_map(|key| key.get(1).or(key.get(2))).map(|key| format!("`{0}`: {0},\n", key.as_str())).collect()
    };
    marked.replace_all(suite, of_task).into_owned()
}

/// `sum_D_w6: coalesce(sum(t.D where …), -1.00),` and so on.
fn keys() -> String {
    let mut out = String::new();
    for (label, condition) in CONDITIONS {
        let _ = writeln!(out, "    count_rows_{label}: count(t where {condition}),");
    }
    let mut turn = 0;
    for (function, of_numbers, float, never_null) in aggregates() {
        for (column, null) in COLUMNS {
            let numeric = ["I", "IB", "BIG", "D", "DB", "W", "F"].contains(&column);
            if of_numbers && !numeric {
                continue;
            }
            let null = if float { "-1 / 1" } else { null };
            let mut key = |label: &str, condition: &str| {
                let call = format!("{function}(t.{column}{condition})");
                let call = if never_null { call } else { format!("coalesce({call}, {null})") };
                // Keys are taken apart at `_`.
                let _ = writeln!(out, "    {}_{column}_{label}: {call},", function.trim_end_matches("_count"));
            };
            key("all", "");
            for _ in 0..CONDITIONS_EACH {
                let (label, condition) = CONDITIONS[turn % CONDITIONS.len()];
                key(label, &format!(" where {condition}"));
                turn += 1;
            }
        }
    }
    out
}

/// Builds a suite into a folder that goes when the value does.
fn build(suite: &str) -> (TempDir, PathBuf) {
    let folder = TempDir::new().expect("a temporary folder");
    let path = folder.path().join(suite).with_extension("pcd");
    fs::write(&path, source(suite)).expect("written");
    for file in ["lines.txt", "feed.xml"] {
        fs::copy(root().join("tests/differential").join(file), folder.path().join(file)).expect("copied");
    }
    let out = built(folder.path(), suite);
    (folder, out)
}

fn seed() -> String {
    std::env::var("DIFFERENTIAL_SEED").unwrap_or_else(|_| "differential".to_owned())
}

/// Builds the suite of this name that stands in the folder, and gives the bundle's.
fn built(folder: &Path, suite: &str) -> PathBuf {
    let out = folder.join("bundle");
    let suite = folder.join(suite).with_extension("pcd").display().to_string();
    expect_success(folder, &["build", "--quiet", "--seed", &seed(), "-o", "bundle", &suite]);
    out
}

fn recompute(bundle: &Path) -> CommandOutput {
    checked(Path::new("python3"), "differential", bundle)
}

fn checked(interpreter: &Path, program: &str, bundle: &Path) -> CommandOutput {
    Command::new(interpreter)
        .arg(root().join("tests/python").join(program).with_extension("py"))
        .arg(bundle)
        .env("PYTHONDONTWRITEBYTECODE", "1")
        .env("PYTHONIOENCODING", "utf-8")
        .output()
        .expect("python3 starts")
        .into()
}

fn agrees(suite: &str) {
    if has_python() {
        agrees_with(Path::new("python3"), "differential", suite);
    }
}

/// A Python that has the independent readers; why there is none is said once.
fn readers() -> Option<&'static Path> {
    static FOUND: OnceLock<Option<PathBuf>> = OnceLock::new();
    FOUND.get_or_init(|| READERS.find_interpreter_or_skip("trees, workbooks, and paths")).as_deref()
}

/// The same with a Python that has the independent readers.
fn agrees_with_readers(program: &str, suite: &str) {
    if let Some(interpreter) = readers() {
        agrees_with(interpreter, program, suite);
    }
}

fn agrees_with(interpreter: &Path, program: &str, suite: &str) {
    let (_folder, bundle) = build(suite);
    let recomputed = checked(interpreter, program, &bundle);
    println!("{suite}: {}", recomputed.join_output().trim_end());
    assert!(recomputed.status.success(), "{suite}: {}", recomputed.join_output());
}

#[test]
fn aggregates_agree_with_python() {
    agrees("aggregates");
}

#[test]
fn csv_files_agree_with_python() {
    agrees("csv");
}

#[test]
fn text_files_agree_with_python() {
    agrees("files");
}

#[test]
fn queries_agree_with_python() {
    agrees("queries");
}

#[test]
fn scalars_agree_with_python() {
    agrees("scalars");
}

#[test]
fn statistics_agree_with_scipy() {
    if let Some(interpreter) = STATISTICS.find_interpreter_or_skip("statistics") {
        agrees_with(&interpreter, "spread", "statistics");
    }
}

#[test]
fn json_files_agree_with_python() {
    agrees_with_readers("trees", "json");
}

#[test]
fn yaml_files_agree_with_python() {
    agrees_with_readers("trees", "yaml");
}

#[test]
fn xml_files_agree_with_python() {
    agrees_with_readers("trees", "feeds");
}

#[test]
fn relations_of_every_file_agree_with_python() {
    agrees_with_readers("relations", "relations");
}

/// A program of `tests/python` writes files and a suite that reads them; picardc builds it; the program holds the answers against what it wrote.
fn writes_and_checks(interpreter: &Path, program: &str) {
    let folder = TempDir::new().expect("a temporary folder");
    let asked = |command: &str, last: &Path| {
        let output: CommandOutput = Command::new(interpreter)
            .arg(root().join("tests/python").join(program).with_extension("py"))
            .arg(command)
            .arg(folder.path())
            .arg(last)
            .env("PYTHONDONTWRITEBYTECODE", "1")
            .env("PYTHONIOENCODING", "utf-8")
            .output()
            .expect("the interpreter starts")
            .into();
        assert!(output.status.success(), "{command}: {}", output.join_output());
        output
    };
    asked("write", Path::new(&seed()));
    let out = built(folder.path(), program);
    println!("{program}: {}", asked("check", &out).join_output().trim_end());
}

#[test]
fn fixtures_agree_with_python() {
    if let Some(interpreter) = readers() {
        writes_and_checks(interpreter, "fixtures");
    }
}

#[test]
fn tables_of_pages_and_elements_agree_with_lxml_and_pandas() {
    if let Some(interpreter) = FRAMES.find_interpreter_or_skip("tables of HTML pages and of XML") {
        writes_and_checks(&interpreter, "pages");
    }
}

#[test]
fn every_function_is_compared() {
    let suites = SUITES.map(source).concat();
    // States of databases are compared with Python's in `tests/trust/state.rs`, edits by the verifier of the suite `state`, and queries that are data in
    // `tests/figures.rs`; descriptions in `tests/describe.rs`, and tokens there with those of another implementation.
    let elsewhere = ["after", "changed", "edit", "remove", "append", "query", "describe", "tokens"];
    let called = |name: &String| {
        elsewhere.contains(&name.as_str())
            || suites.contains(&format!("<<{name}:"))
            || calls(&suites).contains(name.as_str())
    };
    let never: Vec<String> = compiler::list_function_names().into_iter().filter(|name| !called(name)).collect();
    assert!(never.is_empty(), "no suite of tests/differential/ calls {never:?}");
}

/// The names in front of an opening parenthesis.
fn calls(text: &str) -> BTreeSet<&str> {
    let word = |c: char| c.is_ascii_alphanumeric() || c == '_';
    text.match_indices('(')
        .map(|(at, _)| &text[text[..at].rfind(|c| !word(c)).map_or(0, |before| before + 1)..at])
        .collect()
}

/// Whether all of thousands of answers but one agree: `7199 of 7200 agree`.
fn one_differs(said: &str) -> bool {
    let words: Vec<&str> = said.split_whitespace().collect();
    words.windows(4).any(|words| match words {
        [agree, "of", all, end] if end.starts_with("agree") => {
            let (agree, all): (Result<u32, _>, Result<u32, _>) = (agree.parse(), all.parse());
            matches!((agree, all), (Ok(agree), Ok(all)) if agree + 1 == all && all > 1_000)
        }
        _ => false,
    })
}

#[test]
fn a_wrong_answer_key_does_not_agree() {
    if has_python() {
        let (_folder, bundle) = build("csv");
        let path = bundle.join("instances.jsonl");
        let written = fs::read_to_string(&path).expect("the instances");
        // One digit of a sum of decimals, in the last instance.
        let key = written.rfind("\"s_sum_PRICE\":{\"decimal\":\"").expect("the key");
        let digit = key + written[key..].find("\"}").expect("its end") - 1;
        let other = if &written[digit..=digit] == "7" { "8" } else { "7" };
        fs::write(&path, format!("{}{other}{}", &written[..digit], &written[digit + 1..])).expect("written");
        let recomputed = recompute(&bundle);
        assert_eq!(recomputed.status.code(), Some(1));
        let said = recomputed.join_output();
        assert!(one_differs(&said) && said.contains("s_sum_PRICE"), "{said}");
    }
}

#[test]
fn a_wrong_count_of_elements_does_not_agree() {
    let Some(interpreter) = readers() else { return };
    let (_folder, bundle) = build("feeds");
    let path = bundle.join("instances.jsonl");
    let written = fs::read_to_string(&path).expect("the instances");
    let key = "\"<<xpath_count: feed, /catalog/item>>\":";
    let digit = written.rfind(key).expect("the key") + key.len();
    fs::write(&path, format!("{}9{}", &written[..digit], &written[digit + 1..])).expect("written");
    let recomputed = checked(interpreter, "trees", &bundle);
    assert_eq!(recomputed.status.code(), Some(1));
    let said = recomputed.join_output();
    assert!(one_differs(&said) && said.contains("/catalog/item>>"), "{said}");
}
