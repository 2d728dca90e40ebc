//! What the same instances cost twice: in two arms, or in two runs.

use std::collections::BTreeMap;

use records::Score;
use serde::Serialize;
use statistics::Interval;
use statistics::clustered::{Cluster, mean};
use statistics::means::mean_interval;
use statistics::signs::{UNIT, sign_flip};

use super::measure::Measure;

/// What is the same in both, and the cluster that it belongs to.
pub type Place<K, C> = (K, C);

/// Sum and number of what the trials of each place tell.
pub type Told<K, C> = BTreeMap<Place<K, C>, (u128, u64)>;

/// One cost less the other, over the places that tell the measure in both.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Paired {
    /// How many places there are.
    pub pairs: u64,
    /// The second's less the first's, in the mean over pairs; trials count with their mean.
    pub difference: f64,
    /// Its 95% confidence interval over clusters (Student's t); `None` if it is undefined: with a single cluster, or if
    /// all differences are the same.
    pub interval: Option<Interval>,
    /// p of the permutation test over clusters.
    pub p: f64,
}

/// What each place tells.
pub fn told<'a, K: Ord, C: Ord>(
    scores: impl IntoIterator<Item = &'a Score>,
    what: Measure,
    place: impl Fn(&'a Score) -> Place<K, C>,
) -> Told<K, C> {
    let mut all: Told<K, C> = BTreeMap::new();
    for score in scores {
        if let Some(value) = what.of(score) {
            let (sum, n) = all.entry(place(score)).or_default();
            *sum += u128::from(value);
            *n += 1;
        }
    }
    all
}

/// The second against the first; `None` if they have no place in common.
pub fn pair<K: Ord, C: Ord>(first: &Told<K, C>, second: &Told<K, C>, what: Measure) -> Option<Paired> {
    // Sums of differences, and how many pairs, by cluster.
    let mut sums: BTreeMap<&C, (i128, u64)> = BTreeMap::new();
    for (place, here) in second {
        let Some(there) = first.get(place) else { continue };
        let (sum, n) = sums.entry(&place.1).or_default();
        *sum = sum.saturating_add(units(*here).saturating_sub(units(*there)));
        *n += 1;
    }
    let pairs: u64 = sums.values().map(|(_, n)| n).sum();
    if pairs == 0 {
        return None;
    }
    let differences: Vec<i128> = sums.values().map(|(sum, _)| *sum).collect();
    let parts = what.parts() as f64;
    let clusters: Vec<Cluster> =
        sums.values().map(|(sum, n)| Cluster { sum: *sum as f64 / UNIT as f64 / parts, n: *n }).collect();
    Some(Paired {
        pairs,
        difference: mean(&clusters),
        interval: mean_interval(&clusters),
        p: sign_flip(&differences).0,
    })
}

/// A mean in units, exact up to 16 trials; held within what 128 bits can hold.
fn units((sum, n): (u128, u64)) -> i128 {
    i128::try_from(sum).unwrap_or(i128::MAX).saturating_mul(i128::from(UNIT)) / i128::from(n.max(1))
}
