//! The lines of a run, and how they are grouped.

use std::collections::BTreeMap;

use records::{Score, Unit};
use statistics::accuracy::{Numbering, Observation};

/// One instance in one trial.
#[derive(Clone, Copy, Debug)]
pub struct Line<'a> {
    /// Its score.
    pub score: &'a Score,
    /// The same as an observation for statistics.
    pub row: Observation,
}

/// Builds all lines of a run, in the bundle's order.
pub fn build_lines(scores: &[Score]) -> Vec<Line<'_>> {
    let mut numbering: Numbering<Unit> = Numbering::default();
    scores
        .iter()
        .map(|score| Line {
            score,
            row: numbering.number_row(&score.task, score.to_unit(), score.correct, score.score),
        })
        .collect()
}

/// Returns the observations of lines.
pub fn extract_rows(lines: &[Line<'_>]) -> Vec<Observation> {
    lines.iter().map(|line| line.row).collect()
}

/// Groups items by their keys, in the order of first occurrence.
pub fn group_by<T: Copy, K: Ord + Clone>(items: &[T], keys: impl Fn(T) -> Vec<K>) -> Vec<(K, Vec<T>)> {
    let mut places: BTreeMap<K, usize> = BTreeMap::new();
    let mut found: Vec<(K, Vec<T>)> = Vec::new();
    for item in items {
        for key in keys(*item) {
            let place = *places.entry(key.clone()).or_insert_with(|| {
                found.push((key, Vec::new()));
                found.len() - 1
            });
            found[place].1.push(*item);
        }
    }
    found
}

/// Returns keys without duplicates, in the order of first occurrence.
pub fn collect_unique<K: PartialEq>(keys: impl Iterator<Item = K>) -> Vec<K> {
    let mut all: Vec<K> = Vec::new();
    for key in keys {
        if !all.contains(&key) {
            all.push(key);
        }
    }
    all
}
