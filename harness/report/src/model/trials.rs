//! Several trials of one instance.

use serde::Serialize;
use statistics::Interval;
use statistics::accuracy::sum_by_cluster;
use statistics::clustered::{compute_mean, compute_share_interval};
use statistics::pass_at_k::{pass_all, pass_at};

use super::lines::{Line, group_by};

/// The results for k trials.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Trials {
    /// The number of trials.
    pub k: u64,
    /// pass@k: at least one is correct, as the mean over instances.
    pub at_least_one: f64,
    /// Its 95% confidence interval for fresh samples.
    pub at_least_one_interval: Interval,
    /// pass^k: all are correct, as the mean over instances.
    pub all: f64,
    /// Its 95% confidence interval for fresh samples.
    pub all_interval: Interval,
}

/// Computes pass@k and pass^k for every k up to the number of trials that all instances have; empty for a single trial.
pub fn compute_pass_rates(lines: &[Line<'_>]) -> Vec<Trials> {
    // For each instance: its sample, its number of correct trials, and its number of trials.
    let instances: Vec<(usize, u64, u64)> = group_by(lines, |line| vec![line.score.id.as_str()])
        .into_iter()
        .filter_map(|(_, lines)| {
            let right = lines.iter().filter(|line| line.score.correct).count() as u64;
            Some((lines.first()?.row.sample, right, lines.len() as u64))
        })
        .collect();
    let most = instances.iter().map(|(_, _, n)| *n).min().unwrap_or(0);
    if most < 2 {
        return Vec::new();
    }
    // The probability of an instance is between 0 and 1, so it varies at most as much as a share: the interval is rather too wide.
    let over = |of: fn(u64, u64, u64) -> Option<f64>, k: u64| {
        let chances = instances.iter().filter_map(|(sample, right, n)| Some((*sample, of(k, *right, *n)?)));
        let clusters = sum_by_cluster(chances);
        (compute_mean(&clusters), compute_share_interval(&clusters))
    };
    let one = |k: u64| {
        let ((at_least_one, at_least_one_interval), (all, all_interval)) = (over(pass_at, k), over(pass_all, k));
        Trials { k, at_least_one, at_least_one_interval, all, all_interval }
    };
    (1..=most).map(one).collect()
}
