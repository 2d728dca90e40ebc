//! The corpus of mistakes: small suites in `tests/mistakes/wrong/<area>/`, each with one mistake that authors make. The first line of each
//! (`# E0203 at 9:31`) tells the code and the place that were decided from the source; `check` must say that and nothing else. The
//! snapshot next to it is what people read about it.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use api::Memory;
use compiler::diagnostics::Diagnostic;
use picardc::console::Console;
use picardc::render::{Tally, human};

/// So many there are at least.
const LEAST: usize = 600;

/// What people read about a suite; adds to `wrong` if that is not what its first line announces.
fn said(path: &Path, host: &Memory, wrong: &mut Vec<String>) -> String {
    let name = path.file_name().expect("a name").to_string_lossy();
    let text = fs::read_to_string(path).expect("a suite");
    let compiled = compiler::compile(&name, host);
    let announced = text.lines().next().and_then(|line| line.strip_prefix("# ")).unwrap_or_default();
    let found = testing::list_places(&compiled);
    if found != [announced] {
        wrong.push(format!("{}: {announced:?} is announced, {found:?} was said", path.display()));
    }
    let said: Vec<&Diagnostic> = compiled.diagnostics.iter().collect();
    human::render_all(&said, &compiled.sources, &Console::PLAIN, &mut Tally::default())
}

#[test]
fn every_planted_mistake_is_told_once_in_its_place() {
    // The files of each area: fixtures are next to the suites.
    let mut areas: BTreeMap<PathBuf, Memory> = BTreeMap::new();
    let mut wrong = Vec::new();
    let suites = testing::check_snapshots(&testing::root().join("tests/mistakes/wrong"), "pcd", |suite| {
        let area = suite.parent().expect("an area").to_owned();
        let host = areas.entry(area).or_insert_with_key(|area| Memory::new(testing::read_files(area)));
        said(suite, host, &mut wrong)
    });
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(suites.len() >= LEAST, "{} suites", suites.len());
}

#[test]
#[should_panic(expected = "left.snap has no source")]
fn a_snapshot_without_a_source_fails() {
    let snapshot = "---\nsource: s\n---\nsaid\n";
    let home = testing::create_folder(&[("a.pcd", ""), ("a.snap", snapshot), ("left.snap", snapshot)]);
    testing::check_snapshots(home.path(), "pcd", |_| "said".to_owned());
}

/// Unless insta was told to write it.
#[test]
fn a_source_without_a_snapshot_fails() {
    let home = testing::create_folder(&[("a.pcd", "")]);
    let compared = std::panic::catch_unwind(|| testing::check_snapshots(home.path(), "pcd", |_| "said".to_owned()));
    assert!(compared.is_err() || home.path().join("a.snap").is_file());
}
