//! The instances of a run, each with all its trials.

use records::{Score, Status};

use crate::model::lines::group_by;

/// An instance with all its trials in one run.
#[derive(Clone, Debug)]
pub struct InstanceTrials<'a> {
    pub score: &'a Score,
    pub right: u64,
    pub trials: u64,
    pub worst: Status,
}

impl InstanceTrials<'_> {
    /// Whether it is correct in most of its trials.
    pub fn is_right(&self) -> bool {
        self.right * 2 > self.trials
    }
}

/// Groups the scores of a run by instance.
pub fn group_trials(scores: &[Score]) -> Vec<InstanceTrials<'_>> {
    let all: Vec<&Score> = scores.iter().collect();
    group_by(&all, |score| vec![score.id.as_str()])
        .into_iter()
        .filter_map(|(_, trials)| {
            let first = *trials.first()?;
            Some(InstanceTrials {
                score: first,
                right: trials.iter().filter(|score| score.correct).count() as u64,
                trials: trials.len() as u64,
                worst: trials.iter().map(|score| score.status).max().unwrap_or(first.status),
            })
        })
        .collect()
}

/// Returns the share of correct trials.
pub fn compute_accuracy(instances: &[&InstanceTrials<'_>]) -> f64 {
    let (right, trials) =
        instances.iter().fold((0, 0), |(right, trials), one| (right + one.right, trials + one.trials));
    if trials == 0 { 0.0 } else { right as f64 / trials as f64 }
}

/// Returns how many instances are correct in most of their trials, and how many there are.
pub fn count_right(instances: &[&InstanceTrials<'_>]) -> (u64, u64) {
    (instances.iter().filter(|one| one.is_right()).count() as u64, instances.len() as u64)
}
