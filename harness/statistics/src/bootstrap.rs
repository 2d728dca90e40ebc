//! The bootstrap of clusters: confidence intervals for differences of means or medians of unbounded amounts (tokens, calls, milliseconds). Random numbers come
//! from ChaCha8 with a fixed key, so the same runs have the same digits.

use rand::rngs::ChaCha8Rng;
use rand::{Rng as _, SeedableRng as _};

use crate::Interval;
use crate::clustered::{Cluster, FEWEST_CLUSTERS, compute_mean};
use crate::means;
use crate::special::compute_t_quantile;

/// The number of resamples.
pub const DRAWS: usize = 10_000;

/// The values of one instance in both arms: the first, and the second.
pub type Pair = (f64, f64);

/// The 95% confidence interval for the mean of all observations: the percentiles of the means of as many clusters, drawn with replacement (B. Efron,
/// R. J. Tibshirani, *An Introduction to the Bootstrap*, 1993, ch. 13; of clusters A. C. Davison, D. V. Hinkley, *Bootstrap Methods and their
/// Application*, 1997, §3.8), expanded as [`compute_tail`] says. For fewer than [`FEWEST_CLUSTERS`], which cannot be resampled far enough, it is Student's
/// ([`means::compute_mean_interval`]). `None` for fewer than two clusters, and if all draws have the same mean: such data do not show its uncertainty.
pub fn compute_mean_interval(clusters: &[Cluster]) -> Option<Interval> {
    if clusters.len() < FEWEST_CLUSTERS {
        return means::compute_mean_interval(clusters);
    }
    find_percentiles(resample_means(clusters)?, compute_tail(clusters.len()))
}

/// Returns the means of all resamples.
fn resample_means(clusters: &[Cluster]) -> Option<Vec<f64>> {
    draw_values(clusters.len(), |chosen| {
        let (sum, n) = chosen.iter().zip(clusters).fold((0.0, 0), |(sum, n), (times, cluster)| {
            (sum + f64::from(*times) * cluster.sum, n + u64::from(*times) * cluster.n)
        });
        if n == 0 { compute_mean(clusters) } else { sum / n as f64 }
    })
}

/// Returns the share of draws beyond each end: less than 2.5%, since draws from few clusters differ less than fresh clusters would. It is that of the normal
/// distribution beyond t(G − 1) · √(G/(G − 1)), the expanded percentile interval (T. C. Hesterberg, "What teachers should know about the bootstrap", *The
/// American Statistician* 69, 2015): 0.24% for 6 clusters, 1.6% for 20.
///
/// ```
/// use statistics::bootstrap::compute_tail;
///
/// // Few clusters need percentiles farther out; many approach the usual 2.5%.
/// let percent = |clusters| (compute_tail(clusters) * 1_000.0).round() / 10.0;
/// assert_eq!([percent(6), percent(20), percent(10_000)], [0.2, 1.6, 2.5]);
/// ```
pub fn compute_tail(clusters: usize) -> f64 {
    let count = clusters as f64;
    let far = compute_t_quantile((clusters as u64).saturating_sub(1)) * (count / (count - 1.0)).sqrt();
    libm::erfc(far / std::f64::consts::SQRT_2) / 2.0
}

/// Returns the 95% confidence interval for the median of the second arm minus that of the first (nearest rank). Each cluster has its pairs. `None` for fewer
/// than [`FEWEST_CLUSTERS`]: the result would be between their medians, which is too narrow.
pub fn compute_median_interval(clusters: &[Vec<Pair>]) -> Option<Interval> {
    if clusters.len() < FEWEST_CLUSTERS {
        return None;
    }
    let (first, second) = (sort_values(clusters, |pair| pair.0), sort_values(clusters, |pair| pair.1));
    let differences = draw_values(clusters.len(), |chosen| {
        let n: u64 = chosen.iter().zip(clusters).map(|(times, pairs)| u64::from(*times) * pairs.len() as u64).sum();
        find_weighted_median(&second, chosen, n) - find_weighted_median(&first, chosen, n)
    })?;
    find_percentiles(differences, compute_tail(clusters.len()))
}

/// Returns the median of the second arm minus that of the first, over all pairs (nearest rank). `None` without pairs.
///
/// ```
/// use statistics::bootstrap::{compute_median_difference, compute_median_interval};
///
/// // Milliseconds of two agents on six samples; the median ignores the outlier.
/// let pairs = [(100.0, 150.0), (110.0, 140.0), (90.0, 135.0), (105.0, 155.0), (95.0, 9_000.0), (102.0, 148.0)];
/// let clusters: Vec<_> = pairs.into_iter().map(|pair| vec![pair]).collect();
/// assert_eq!(compute_median_difference(&clusters), Some(148.0 - 100.0));
/// assert!(compute_median_interval(&clusters).expect("enough clusters").has_value(48.0));
/// // Five clusters are too few for an interval.
/// assert_eq!(compute_median_interval(&clusters[..5]), None);
/// ```
pub fn compute_median_difference(clusters: &[Vec<Pair>]) -> Option<f64> {
    let n = clusters.iter().map(Vec::len).sum::<usize>() as u64;
    if n == 0 {
        return None;
    }
    let once = vec![1; clusters.len()];
    let median = |value: fn(&Pair) -> f64| find_weighted_median(&sort_values(clusters, value), &once, n);
    Some(median(|pair| pair.1) - median(|pair| pair.0))
}

/// Returns `value` for [`DRAWS`] resamples of `clusters` clusters; its argument is how often each cluster was drawn. `None` for fewer than two clusters.
fn draw_values(clusters: usize, mut value: impl FnMut(&[u32]) -> f64) -> Option<Vec<f64>> {
    if clusters < 2 {
        return None;
    }
    let mut words = ChaCha8Rng::from_seed(*b"picardc report, resampling, v. 1");
    let mut chosen = vec![0u32; clusters];
    let drawn = (0..DRAWS).map(|_| {
        chosen.fill(0);
        for _ in 0..clusters {
            let at = (u128::from(words.next_u64()) * clusters as u128) >> 64;
            if let Some(times) = chosen.get_mut(at as usize) {
                *times += 1;
            }
        }
        value(&chosen)
    });
    Some(drawn.collect())
}

/// Returns the values with this share below and above them (nearest rank); `None` if they are equal.
fn find_percentiles(mut values: Vec<f64>, tail: f64) -> Option<Interval> {
    values.sort_by(f64::total_cmp);
    // At least one value.
    let out = ((values.len() as f64 * tail).ceil() as usize).max(1);
    let (low, high) = (values.get(out - 1).copied()?, values.get(values.len().checked_sub(out)?).copied()?);
    (low < high).then_some(Interval { low, high })
}

/// Returns the values in order, each with the number of its cluster.
fn sort_values(clusters: &[Vec<Pair>], value: impl Fn(&Pair) -> f64) -> Vec<(f64, usize)> {
    let all = clusters.iter().enumerate().flat_map(|(at, pairs)| pairs.iter().map(move |pair| (pair, at)));
    let mut all: Vec<(f64, usize)> = all.map(|(pair, at)| (value(pair), at)).collect();
    all.sort_by(|a, b| a.0.total_cmp(&b.0));
    all
}

/// Returns the value at place ⌈n/2⌉ if each value occurs as often as its cluster was drawn; 0 without values.
fn find_weighted_median(sorted: &[(f64, usize)], chosen: &[u32], n: u64) -> f64 {
    let mut left = n.div_ceil(2);
    for (value, cluster) in sorted {
        let times = u64::from(chosen.get(*cluster).copied().unwrap_or_default());
        if times >= left && left > 0 {
            return *value;
        }
        left -= times;
    }
    0.0
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn single(values: &[f64]) -> Vec<Cluster> {
        values.iter().map(|value| Cluster { sum: *value, n: 1 }).collect()
    }

    /// The tails are those that Hesterberg's rule gives (R: `pnorm(-qt(.975, n - 1) * sqrt(n / (n - 1)))`).
    #[test]
    fn tails_grow_towards_those_of_many() {
        for (clusters, expected) in [(6, 0.002_430), (10, 0.008_549), (20, 0.015_881), (100_000, 0.024_998)] {
            assert!((compute_tail(clusters) - expected).abs() < 2e-6, "{clusters}: {}", compute_tail(clusters));
        }
    }

    #[test]
    fn few_clusters_have_students_interval() {
        let few = single(&[1.0, 5.0, 12.0, 3.0, 8.0]);
        assert_eq!(compute_mean_interval(&few), means::compute_mean_interval(&few));
        assert_eq!(compute_median_interval(&[vec![(1.0, 2.0)], vec![(3.0, 9.0)], vec![(5.0, 5.0)]]), None);
    }

    /// Clusters of several observations that have a part of their own. With plain percentiles, four clusters hold the mean in about 80% of runs.
    #[test]
    fn few_clusters_hold_the_truth_nearly_as_often_as_they_say() {
        let mut bits = 5u64;
        let mut next = || {
            bits = bits.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (bits >> 11) as f64 / (1u64 << 53) as f64 - 0.5
        };
        for count in [4, 8] {
            let (mut held, mut plain, runs) = (0, 0, 200);
            for _ in 0..runs {
                let clusters: Vec<Cluster> = (0..count)
                    .map(|_| {
                        let (n, own) = (6 + (next() * 8.0) as u64, next());
                        Cluster { sum: (0..n).map(|_| own + next() + next()).sum(), n }
                    })
                    .collect();
                held += u32::from(compute_mean_interval(&clusters).is_some_and(|interval| interval.has_value(0.0)));
                if count == 4 {
                    let means = resample_means(&clusters).and_then(|means| find_percentiles(means, 0.025));
                    plain += u32::from(means.is_some_and(|interval| interval.has_value(0.0)));
                }
            }
            assert!(held * 100 >= runs * 90, "{held} of {runs} with {count} clusters");
            assert!(plain * 100 < runs * 88, "{plain} of {runs} with plain percentiles");
        }
    }

    #[test]
    fn what_cannot_be_told_is_not() {
        assert_eq!(compute_mean_interval(&single(&[4.0])), None);
        assert_eq!(compute_mean_interval(&single(&[4.0; 9])), None);
        assert_eq!(compute_median_interval(&[vec![(1.0, 2.0)], vec![(1.0, 2.0)]]), None);
        assert_eq!(compute_median_difference(&[]), None);
        assert_eq!(compute_median_difference(&[vec![(1.0, 4.0), (2.0, 9.0)], vec![(30.0, 5.0)]]), Some(5.0 - 2.0));
    }

    #[test]
    fn copies_in_a_cluster_make_it_no_surer() {
        let once: Vec<Cluster> = single(&[1.0, 4.0, 2.0, 8.0, 5.0, 7.0]);
        let copied: Vec<Cluster> = once.iter().map(|one| Cluster { sum: one.sum * 5.0, n: 5 }).collect();
        let (a, b) = (compute_mean_interval(&once).expect("six"), compute_mean_interval(&copied).expect("six"));
        assert!((a.low - b.low).abs() < 1e-12 && (a.high - b.high).abs() < 1e-12, "{a:?} {b:?}");
    }

    proptest! {
        #[test]
        fn it_is_within_the_values(values in prop::collection::vec(-50i32..50, 6..30)) {
            let values: Vec<f64> = values.into_iter().map(f64::from).collect();
            if let Some(interval) = compute_mean_interval(&single(&values)) {
                let (least, most) = values.iter().fold((f64::MAX, f64::MIN), |(l, m), v| (l.min(*v), m.max(*v)));
                prop_assert!(least <= interval.low && interval.high <= most && interval.width() > 0.0);
            }
        }

        #[test]
        fn the_median_is_that_of_all_that_were_drawn(pairs in prop::collection::vec((-9i32..9, -9i32..9), 1..20)) {
            let clusters: Vec<Vec<Pair>> = pairs.chunks(3).map(|chunk| {
                chunk.iter().map(|(a, b)| (f64::from(*a), f64::from(*b))).collect()
            }).collect();
            let median = |mut values: Vec<i32>| {
                values.sort_unstable();
                f64::from(values[values.len().div_ceil(2) - 1])
            };
            let expected = median(pairs.iter().map(|pair| pair.1).collect()) - median(pairs.iter().map(|pair| pair.0).collect());
            prop_assert_eq!(compute_median_difference(&clusters), Some(expected));
        }
    }
}
