//! The accuracy of a group, with its interval.

use serde::Serialize;
use statistics::Interval;
pub use statistics::accuracy::Share;
use statistics::accuracy::sum_by_cluster;
use statistics::clustered::compute_share_interval;

use super::lines::{Line, extract_rows};

/// A group with its name.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Group {
    /// Its name.
    pub name: String,
    /// Its accuracy.
    #[serde(flatten)]
    pub share: Share,
}

/// Computes the share of these lines.
pub fn compute_share(lines: &[Line<'_>]) -> Share {
    Share::from_rows(&extract_rows(lines))
}

/// Computes the share of each group.
pub fn compute_group_shares(groups: Vec<(String, Vec<Line<'_>>)>) -> Vec<Group> {
    groups.into_iter().map(|(name, lines)| Group { name, share: compute_share(&lines) }).collect()
}

/// A part of a number, with the interval of its share.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Part {
    /// The number in this part …
    pub count: u64,
    /// … of this total number.
    pub of: u64,
    /// The share, 0 to 1.
    pub share: f64,
    /// Its 95% confidence interval, with the outcomes of one sample as one cluster.
    pub interval: Interval,
}

impl Part {
    /// Counts the outcomes that are true; each is given with the number of its sample.
    pub fn from_outcomes(outcomes: impl Iterator<Item = (usize, bool)>) -> Part {
        let outcomes: Vec<(usize, bool)> = outcomes.collect();
        let (count, of) = (outcomes.iter().filter(|(_, yes)| *yes).count() as u64, outcomes.len() as u64);
        let clusters = sum_by_cluster(outcomes.iter().map(|(sample, yes)| (*sample, f64::from(u8::from(*yes)))));
        let share = if of == 0 { 0.0 } else { count as f64 / of as f64 };
        Part { count, of, share, interval: compute_share_interval(&clusters) }
    }
}
