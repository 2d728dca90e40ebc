//! Several trials of one instance.

use serde::Serialize;

use super::lines::{Line, groups};
use crate::statistics::pass::{pass_all, pass_at};

/// What k trials give.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Trials {
    /// So many trials.
    pub k: u64,
    /// pass@k: at least one is right, in the mean over instances.
    pub at_least_one: f64,
    /// pass^k: all are right, in the mean over instances.
    pub all: f64,
}

/// For every k up to the trials that all instances have; empty for a single trial.
pub fn trials(lines: &[Line<'_>]) -> Vec<Trials> {
    let instances: Vec<(u64, u64)> = groups(lines, |line| vec![line.score.id.as_str()])
        .into_iter()
        .map(|(_, lines)| (lines.iter().filter(|line| line.score.correct).count() as u64, lines.len() as u64))
        .collect();
    let most = instances.iter().map(|(_, n)| *n).min().unwrap_or(0);
    if most < 2 {
        return Vec::new();
    }
    let mean = |of: fn(u64, u64, u64) -> Option<f64>, k: u64| {
        instances.iter().filter_map(|(right, n)| of(k, *right, *n)).sum::<f64>() / instances.len() as f64
    };
    (1..=most).map(|k| Trials { k, at_least_one: mean(pass_at, k), all: mean(pass_all, k) }).collect()
}
