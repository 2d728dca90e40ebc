//! The lines of a run, and how they hang together.

use std::collections::BTreeMap;

use records::Score;

use crate::statistics::clustered::Cluster;

/// One instance in one trial.
#[derive(Clone, Copy, Debug)]
pub struct Line<'a> {
    /// Its score.
    pub score: &'a Score,
    /// Which sample of which cell of which task it is of: variants and trials of one sample share their draws, and are no independent observations.
    pub unit: usize,
}

/// All lines of a run, in the bundle's order.
pub fn lines<'a>(scores: &'a [Score]) -> Vec<Line<'a>> {
    let mut units = BTreeMap::new();
    let mut line = |score: &'a Score| {
        let next = units.len();
        Line { score, unit: *units.entry((&score.task, &score.axis, score.sample)).or_insert(next) }
    };
    scores.iter().map(&mut line).collect()
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

/// What each unit gives: sums of `value`, one cluster a unit.
pub fn units<'a>(lines: &[Line<'a>], value: impl Fn(&'a Score) -> f64) -> Vec<Cluster> {
    let mut clusters: BTreeMap<usize, Cluster> = BTreeMap::new();
    for line in lines {
        let cluster = clusters.entry(line.unit).or_default();
        cluster.sum += value(line.score);
        cluster.n += 1;
    }
    clusters.into_values().collect()
}

/// 1 where it is right.
pub fn right(score: &Score) -> f64 {
    f64::from(u8::from(score.correct))
}
