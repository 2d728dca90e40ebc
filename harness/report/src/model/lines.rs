//! The lines of a run, and how they hang together.

use std::collections::BTreeMap;

use records::{Score, Unit};
use statistics::accuracy::{Numbering, Row};
use statistics::clustered::Cluster;

/// One instance in one trial.
#[derive(Clone, Copy, Debug)]
pub struct Line<'a> {
    /// Its score.
    pub score: &'a Score,
    /// The same, as statistics see it.
    pub row: Row,
}

/// All lines of a run, in the bundle's order.
pub fn lines(scores: &[Score]) -> Vec<Line<'_>> {
    let mut numbering: Numbering<Unit> = Numbering::default();
    scores
        .iter()
        .map(|score| Line { score, row: numbering.row(&score.task, score.unit(), score.correct, score.score) })
        .collect()
}

/// Lines as statistics see them.
pub fn rows(lines: &[Line<'_>]) -> Vec<Row> {
    lines.iter().map(|line| line.row).collect()
}

/// Groups, in the order in which they first come.
pub fn groups<T: Copy, K: Ord + Clone>(items: &[T], keys: impl Fn(T) -> Vec<K>) -> Vec<(K, Vec<T>)> {
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

/// Keys without repetition, in the order in which they first come.
pub fn union<K: PartialEq>(keys: impl Iterator<Item = K>) -> Vec<K> {
    let mut all: Vec<K> = Vec::new();
    for key in keys {
        if !all.contains(&key) {
            all.push(key);
        }
    }
    all
}

/// Right ones, one cluster a sample.
pub fn right_by_sample(lines: &[Line<'_>]) -> Vec<Cluster> {
    statistics::accuracy::by_sample(&rows(lines), statistics::accuracy::right)
}
