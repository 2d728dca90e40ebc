//! Mistakes planted into the shipped suites by program: nearly all are caught, none panics, and each that is not is known and right.

mod mutate;

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use api::Memory;
use mutate::Mutant;
use testing::{list_sources, root};

/// Mistakes are planted in suites of at most so many bytes.
const LONGEST: u64 = 20_000;

/// The most mutants of one kind from one suite: taken evenly.
const MAX_EACH: usize = 60;
/// The share of mutants that must be caught.
const CAUGHT: f64 = 0.98;

/// At most [`MAX_EACH`] of each kind, spread evenly over the source.
fn chosen(all: Vec<Mutant>) -> Vec<Mutant> {
    let mut kinds: BTreeMap<&str, Vec<Mutant>> = BTreeMap::new();
    for mutant in all {
        kinds.entry(mutant.kind).or_default().push(mutant);
    }
    let thin = |mutants: Vec<Mutant>| {
        let stride = mutants.len().div_ceil(MAX_EACH).max(1);
        mutants.into_iter().step_by(stride).collect::<Vec<_>>()
    };
    kinds.into_values().flat_map(thin).collect()
}

struct Tally {
    planted: BTreeMap<&'static str, (usize, usize)>,
    survivors: Vec<String>,
}

/// Compiles every mutant of a suite, in two threads.
fn tally(path: &Path) -> Tally {
    let source = fs::read_to_string(path).expect("a suite");
    let name = path.file_name().expect("a name").to_string_lossy().into_owned();
    let files = testing::read_files(path.parent().expect("a folder"));
    let mutants = chosen(mutate::mutants(&source));
    let half = mutants.len().div_ceil(2).max(1);
    let survives = |mutant: &Mutant, host: &mut Memory| {
        host.insert_file(name.as_str(), mutant.text.as_str());
        compiler::compile(&name, host).diagnostics.is_empty()
    };
    let (survives, files) = (&survives, &files);
    let survivors: Vec<bool> = std::thread::scope(|scope| {
        let parts: Vec<_> = mutants
            .chunks(half)
            .map(|part| {
                scope.spawn(move || {
                    let mut host = Memory::new(files.clone());
                    part.iter().map(|mutant| survives(mutant, &mut host)).collect::<Vec<bool>>()
                })
            })
            .collect();
        parts.into_iter().flat_map(|part| part.join().expect("no mutant makes the compiler panic")).collect()
    });
    let mut tally = Tally { planted: BTreeMap::new(), survivors: Vec::new() };
    for (mutant, survived) in mutants.iter().zip(survivors) {
        let (planted, caught) = tally.planted.entry(mutant.kind).or_default();
        *planted += 1;
        *caught += usize::from(!survived);
        if survived {
            tally.survivors.push(format!("{name}: {}: {} | {}", mutant.kind, mutant.change, mutant.line));
        }
    }
    tally
}

#[test]
fn nearly_every_planted_mistake_is_caught_and_the_rest_is_right() {
    let known = fs::read_to_string(root().join("tests/mutations/survivors.txt")).unwrap_or_default();
    let known: BTreeMap<&str, &str> = known
        .lines()
        .filter(|line| !line.starts_with('#') && !line.trim().is_empty())
        .map(|line| line.split_once(" || ").unwrap_or((line, "")))
        .collect();
    let (mut planted, mut caught) = (0, 0);
    let mut kinds: BTreeMap<&str, (usize, usize)> = BTreeMap::new();
    let mut unknown = Vec::new();
    for path in list_sources(root().join("suites")) {
        // The suites that write lakes are longer: thousands of mistakes, and a check of each takes a tenth of a second. Their verifiers see to them.
        if fs::metadata(&path).expect("a suite").len() > LONGEST {
            continue;
        }
        let tally = tally(&path);
        for (kind, (all, found)) in tally.planted {
            planted += all;
            caught += found;
            let sum = kinds.entry(kind).or_default();
            *sum = (sum.0 + all, sum.1 + found);
        }
        unknown.extend(
            tally.survivors.into_iter().filter(|line| known.get(line.as_str()).is_none_or(|why| why.is_empty())),
        );
    }
    let table: Vec<String> = kinds.iter().map(|(kind, (all, found))| format!("{kind}: {found} of {all}")).collect();
    println!("{}", unknown.join("\n"));
    println!("{caught} of {planted} planted mistakes are caught\n{}", table.join("\n"));
    assert!(planted >= 1_000, "only {planted} mistakes planted");
    assert!(
        caught as f64 >= CAUGHT * planted as f64,
        "{caught} of {planted}\n{}\n{}",
        table.join("\n"),
        unknown.join("\n")
    );
    assert!(unknown.is_empty(), "survivors without a reason in tests/mutations/survivors.txt:\n{}", unknown.join("\n"));
}
