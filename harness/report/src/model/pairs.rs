//! Compares the costs of the same instances in two arms or two runs.

use std::collections::BTreeMap;

use records::Score;
use serde::Serialize;
use statistics::Interval;
use statistics::clustered::{Cluster, compute_mean};
use statistics::paired::{Pairs, compute_paired_interval};
use statistics::permutation_test::{UNIT, compute_sign_flip_p};

/// The key that is the same in both, and its cluster.
pub type Place<K, C> = (K, C);

/// The sum and the number of the trials' values, by place.
pub type PlaceSums<K, C> = BTreeMap<Place<K, C>, (u128, u64)>;

/// The difference of two costs, over the places that report the measure in both.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Paired {
    /// The number of places.
    pub pairs: u64,
    /// The second cost minus the first, as the mean over pairs; a pair counts with the mean of its trials.
    pub difference: f64,
    /// Its 95% confidence interval over clusters; `None` if it is undefined: with a single cluster, or if
    /// all differences are the same.
    pub interval: Option<Interval>,
    /// The p of the permutation test over clusters.
    pub p: f64,
}

/// Sums the values of each place.
pub fn sum_by_place<'a, K: Ord, C: Ord>(
    scores: impl IntoIterator<Item = &'a Score>,
    value: impl Fn(&'a Score) -> Option<u64>,
    place: impl Fn(&'a Score) -> Place<K, C>,
) -> PlaceSums<K, C> {
    let mut all: PlaceSums<K, C> = BTreeMap::new();
    for score in scores {
        if let Some(value) = value(score) {
            let (sum, n) = all.entry(place(score)).or_default();
            *sum += u128::from(value);
            *n += 1;
        }
    }
    all
}

/// Sums of differences in units, and their number of pairs, for each cluster.
pub type Differences = Vec<(i128, u64)>;

/// Computes the second minus the first, over the places that both have.
pub fn compute_differences<K: Ord, C: Ord>(first: &PlaceSums<K, C>, second: &PlaceSums<K, C>) -> Differences {
    let mut sums: BTreeMap<&C, (i128, u64)> = BTreeMap::new();
    for (place, here) in second {
        let Some(there) = first.get(place) else { continue };
        let (sum, n) = sums.entry(&place.1).or_default();
        *sum = sum.saturating_add(to_mean_units(*here).saturating_sub(to_mean_units(*there)));
        *n += 1;
    }
    sums.into_values().collect()
}

/// Converts differences to amounts; `parts` units make 1.
pub fn to_clusters(found: &Differences, parts: u64) -> Vec<Cluster> {
    let amount = |sum: i128| sum as f64 / UNIT as f64 / parts as f64;
    found.iter().map(|(sum, n)| Cluster { sum: amount(*sum), n: *n }).collect()
}

/// Compares the second with the first in amounts of which `parts` units make 1, with an interval over clusters; `None` if they have no place in common.
pub fn compare_pairs<K: Ord, C: Ord>(
    first: &PlaceSums<K, C>,
    second: &PlaceSums<K, C>,
    parts: u64,
    interval: fn(&[Cluster]) -> Option<Interval>,
) -> Option<Paired> {
    let found = compute_differences(first, second);
    let pairs: u64 = found.iter().map(|(_, n)| n).sum();
    if pairs == 0 {
        return None;
    }
    let sums: Vec<i128> = found.iter().map(|(sum, _)| *sum).collect();
    let clusters = to_clusters(&found, parts);
    Some(Paired {
        pairs,
        difference: compute_mean(&clusters),
        interval: interval(&clusters),
        p: compute_sign_flip_p(&sums).0,
    })
}

/// Returns a mean in units, exact up to 16 trials; saturates at the bounds of 128 bits.
fn to_mean_units((sum, n): (u128, u64)) -> i128 {
    i128::try_from(sum).unwrap_or(i128::MAX).saturating_mul(i128::from(UNIT)) / i128::from(n.max(1))
}

/// Pairs of outcomes of the same questions, before and after.
#[derive(Clone, Debug, Default)]
pub struct Gains {
    /// The number of pairs.
    pub n: u64,
    /// The number that is right before.
    pub before: u64,
    /// The number that is right after.
    pub after: u64,
    /// The number that is right only after.
    pub won: u64,
    /// The number that is right only before.
    pub lost: u64,
    /// By sample: the sum of its gains, and its pairs.
    samples: BTreeMap<usize, (i64, Pairs)>,
}

impl Gains {
    /// Adds a pair of a sample.
    pub fn add_pair(&mut self, sample: usize, before: bool, after: bool) {
        let gain = i64::from(after) - i64::from(before);
        self.n += 1;
        self.before += u64::from(before);
        self.after += u64::from(after);
        self.won += u64::from(gain > 0);
        self.lost += u64::from(gain < 0);
        let (sum, pairs) = self.samples.entry(sample).or_default();
        *sum += gain;
        pairs.add_pair(gain as f64);
    }

    /// Computes Tango's 95% confidence interval of the gain, over samples, and the p of the permutation test over samples.
    pub fn compute_interval_and_p(self) -> (Interval, f64) {
        let (sums, pairs): (Vec<i64>, Vec<Pairs>) = self.samples.into_values().unzip();
        (compute_paired_interval(&pairs, 1), compute_sign_flip_p(&sums).0)
    }
}
