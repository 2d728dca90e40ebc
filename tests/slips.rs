//! The corpora of `slips/`: suites with one slip each, and right suites of unusual form, by people who had read the manual alone. `check` tells nearly every slip at its
//! line, and is silent on the right suites. `cargo test --test it slips:: -- --nocapture` prints the share of each kind, and the slips that are not told.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use serde_json::Value as Json;
use tempfile::TempDir;
use testing::{copy_folder, root, run_picardc};

/// The least share of each kind that is told at its line.
const LEAST_OF_KIND: f64 = 0.85;
/// The least share of all that is told at its line.
const LEAST: f64 = 0.92;

fn load(name: &str) -> Vec<Json> {
    let lines = fs::read_to_string(root().join("tests/slips").join(name)).expect("a corpus");
    lines.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect()
}

fn text<'j>(entry: &'j Json, key: &str) -> &'j str {
    entry[key].as_str().expect("a text")
}

/// What `check` tells of these suites, each next to the files of its author, by the file of the entry.
fn check(entries: &[Json]) -> BTreeMap<String, Vec<Json>> {
    let folder = TempDir::new().expect("a temporary folder");
    let mut said: BTreeMap<String, Vec<Json>> = BTreeMap::new();
    for entry in entries {
        let (author, name) = text(entry, "file").split_once('-').expect("an author");
        let home = folder.path().join(author);
        let files = root().join("tests/slips").join(author);
        if !home.exists() && files.exists() {
            copy_folder(&files, &home);
        }
        let path = home.join(name);
        fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
        fs::write(&path, text(entry, "suite")).expect("a suite");
        said.insert(text(entry, "file").to_owned(), Vec::new());
    }
    // Files that suites read are looked for from their own folder.
    for author in fs::read_dir(folder.path()).expect("authors").flatten() {
        let author = author.file_name().into_string().expect("a name");
        let of_author: Vec<&str> = said.keys().filter_map(|file| file.strip_prefix(&format!("{author}-"))).collect();
        let arguments = [&["check", "--format", "json"], of_author.as_slice()].concat();
        let ran = run_picardc(folder.path().join(&author), &arguments);
        for line in ran.out.lines().filter(|line| line.starts_with('{')) {
            let told: Json = serde_json::from_str(line).expect("JSON");
            let Some(file) = told["file"].as_str() else { continue };
            let name = Path::new(file).strip_prefix(folder.path().join(&author)).unwrap_or(Path::new(file));
            let file = format!("{author}-{}", name.to_str().expect("a path"));
            said.get_mut(&file).unwrap_or_else(|| panic!("another file: {file}")).push(told);
        }
    }
    said
}

/// Whether a diagnostic is at one of the lines of a slip, or has a label there.
fn is_at(told: &Json, slip: &Json) -> bool {
    let is_line =
        |line: &Json| *line == slip["line"] || slip["also"].as_array().is_some_and(|also| also.contains(line));
    let labels = told["labels"].as_array().into_iter().flatten();
    is_line(&told["line"]) || labels.into_iter().any(|label| label["line"] == slip["line"])
}

#[test]
fn nearly_every_slip_is_told_at_its_line() {
    let slips = load("slips.jsonl");
    let said = check(&slips);
    let mut kinds: BTreeMap<&str, (usize, usize)> = BTreeMap::new();
    for slip in &slips {
        let is_told = said[text(slip, "file")].iter().any(|told| is_at(told, slip));
        let (told, all) = kinds.entry(text(slip, "kind")).or_default();
        *told += usize::from(is_told);
        *all += 1;
        if !is_told {
            println!("not told: {} {}: {}", text(slip, "file"), slip["line"], text(slip, "slip"));
        }
    }
    let share = |(told, all): (usize, usize)| told as f64 / all as f64;
    for (kind, of_kind) in &kinds {
        println!("{kind:10} {} of {}", of_kind.0, of_kind.1);
        assert!(share(*of_kind) >= LEAST_OF_KIND, "{kind}: {of_kind:?}");
    }
    let whole = kinds.values().fold((0, 0), |sum, of_kind| (sum.0 + of_kind.0, sum.1 + of_kind.1));
    println!("told at their lines: {} of {}", whole.0, whole.1);
    assert!(share(whole) >= LEAST, "{whole:?}");
}

#[test]
fn right_suites_are_silent() {
    let said = check(&load("right.jsonl"));
    let told: Vec<String> = said
        .iter()
        .flat_map(|(file, all)| all.iter().map(move |told| format!("{file}: {} {}", told["code"], told["message"])))
        .collect();
    assert!(told.is_empty(), "{}", told.join("\n"));
}
