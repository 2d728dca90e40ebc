//! Means of observations that come in clusters: several variants of one sample, several trials of one instance, all instances of one task.

use crate::proportion::compute_wilson_for_size;
use crate::special::compute_t_quantile;
use crate::{Interval, Z};

/// With fewer clusters, no test over clusters can be significant (the smallest p of n signs is 2^(1−n), which is below 5% from n = 6 on). An interval from
/// resampling them can be no wider than the clusters themselves, which contain a median less often than 95% (1 − 2^(1−n)).
pub const FEWEST_CLUSTERS: usize = 6;

/// The observations of one cluster.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Cluster {
    /// The sum of its observations.
    pub sum: f64,
    /// The number of its observations.
    pub n: u64,
}

/// Returns the mean of all observations; 0 without observations.
pub fn compute_mean(clusters: &[Cluster]) -> f64 {
    let (sum, n) = clusters.iter().fold((0.0, 0), |(sum, n), cluster| (sum + cluster.sum, n + cluster.n));
    if n == 0 { 0.0 } else { sum / n as f64 }
}

/// Returns the standard error of the mean, robust to any dependence within clusters: √(G/(G−1) · Σ(Sᵢ − nᵢ·mean)²) / n over G clusters (K.-Y. Liang, S. L.
/// Zeger, "Longitudinal data analysis using generalized linear models", *Biometrika* 73, 1986; for evaluations E. Miller, "Adding error bars to evals", 2024).
/// `None` for fewer than two clusters.
///
/// ```
/// use statistics::clustered::{Cluster, compute_standard_error};
///
/// // Six samples in two variants each, which always agree: as uncertain as six observations, not twelve.
/// let twice = [0.0, 2.0, 2.0, 0.0, 2.0, 2.0].map(|sum| Cluster { sum, n: 2 });
/// let once = [0.0, 1.0, 1.0, 0.0, 1.0, 1.0].map(|sum| Cluster { sum, n: 1 });
/// let (twice_error, once_error) = (compute_standard_error(&twice).unwrap(), compute_standard_error(&once).unwrap());
/// assert!((twice_error - once_error).abs() < 1e-12);
/// assert_eq!(compute_standard_error(&once[..1]), None);
/// ```
pub fn compute_standard_error(clusters: &[Cluster]) -> Option<f64> {
    let count = clusters.len() as f64;
    let n: u64 = clusters.iter().map(|cluster| cluster.n).sum();
    if clusters.len() < 2 || n == 0 {
        return None;
    }
    let mean = compute_mean(clusters);
    let squares: f64 = clusters
        .iter()
        .map(|cluster| {
            let off = cluster.sum - cluster.n as f64 * mean;
            off * off
        })
        .sum();
    Some((count / (count - 1.0) * squares).sqrt() / n as f64)
}

/// Returns the design effect of clusters: the factor by which the variance exceeds that of as many independent observations of 0 and 1 (L. Kish, *Survey
/// Sampling*, 1965). Never below 1. If nothing varies (all correct, all wrong, or a single cluster), the dependence is unknown, and assumed to be
/// complete: Σnᵢ²/n, so G clusters of one size count as G observations.
///
/// ```
/// use statistics::clustered::{Cluster, compute_design_effect};
///
/// let effect = |sums: [f64; 6], n| compute_design_effect(&sums.map(|sum| Cluster { sum, n }));
/// // Single observations are independent.
/// assert_eq!(effect([0.0, 1.0, 1.0, 0.0, 1.0, 1.0], 1), 1.0);
/// // Three trials that always agree are worth one: more than three for one in a few samples, because the variance is estimated.
/// assert!((3.0..4.0).contains(&effect([0.0, 3.0, 3.0, 0.0, 3.0, 3.0], 3)));
/// // Where nothing varies, full dependence is assumed.
/// assert_eq!(effect([3.0; 6], 3), 3.0);
/// ```
pub fn compute_design_effect(clusters: &[Cluster]) -> f64 {
    if clusters.iter().all(|cluster| cluster.n == 1) {
        return 1.0;
    }
    let n: u64 = clusters.iter().map(|cluster| cluster.n).sum();
    let mean = compute_mean(clusters);
    let simple = mean * (1.0 - mean) / (n as f64 - 1.0);
    match compute_standard_error(clusters) {
        // Rounding errors may leave a small variance instead of 0.
        Some(error) if simple > 1e-12 => (error * error / simple).max(1.0),
        _ => complete_dependence(clusters.iter().map(|cluster| cluster.n)),
    }
}

/// Returns the design effect of clusters of these sizes if all observations of a cluster are equal; 1 without clusters.
pub(crate) fn complete_dependence(sizes: impl Iterator<Item = u64>) -> f64 {
    let (n, squares) = sizes.fold((0.0, 0.0), |(n, squares), size| (n + size as f64, squares + (size * size) as f64));
    if n > 0.0 { (squares / n).max(1.0) } else { 1.0 }
}

/// Returns the quantile for intervals over clusters of these sizes. If one has several observations, the variance is known from the G clusters only: Student's
/// t with G − 1 degrees of freedom (E. L. Korn, B. I. Graubard, "Confidence intervals for proportions with small expected number of positive counts estimated
/// from survey data", *Survey Methodology* 24, 1998; C. Franco and others, see [`compute_wilson_for_size`]). Infinite for a single cluster with several
/// observations, which gives no information about others. Single observations are independent, so the quantile is normal.
pub(crate) fn choose_quantile(sizes: impl Iterator<Item = u64>) -> f64 {
    let (mut clusters, mut single) = (0_u64, true);
    for size in sizes {
        clusters += 1;
        single &= size == 1;
    }
    if single { Z } else { compute_t_quantile(clusters.saturating_sub(1)) }
}

/// Returns the 95% confidence interval for a share whose observations of 0 and 1 come in clusters: Wilson's, with n divided by the design effect, and Student's
/// t instead of the normal quantile if clusters have several observations.
///
/// ```
/// use statistics::clustered::{Cluster, compute_share_interval};
/// use statistics::proportion::compute_wilson_interval;
///
/// // Independent observations: Wilson's interval.
/// let single: Vec<Cluster> = (0..10).map(|at| Cluster { sum: f64::from(u8::from(at < 8)), n: 1 }).collect();
/// assert_eq!(compute_share_interval(&single), compute_wilson_interval(8, 10));
/// // A single sample in ten variants says nothing about other samples.
/// let one = compute_share_interval(&[Cluster { sum: 8.0, n: 10 }]);
/// assert_eq!((one.low, one.high), (0.0, 1.0));
/// ```
pub fn compute_share_interval(clusters: &[Cluster]) -> Interval {
    compute_share_with(clusters, choose_quantile(clusters.iter().map(|cluster| cluster.n)))
}

/// Returns the 95% confidence interval for a share if the clusters are drawn from others like them (tasks): always with Student's t. `None` for fewer than two
/// clusters.
pub fn compute_few_clusters_interval(clusters: &[Cluster]) -> Option<Interval> {
    let freedom = (clusters.len() as u64).checked_sub(1).filter(|freedom| *freedom > 0)?;
    Some(compute_share_with(clusters, compute_t_quantile(freedom)))
}

fn compute_share_with(clusters: &[Cluster], quantile: f64) -> Interval {
    let n: u64 = clusters.iter().map(|cluster| cluster.n).sum();
    compute_wilson_for_size(compute_mean(clusters), n as f64 / compute_design_effect(clusters), quantile)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::proportion::compute_wilson_interval;

    #[test]
    fn independent_observations_give_wilson() {
        let clusters: Vec<Cluster> = (0..20).map(|at| Cluster { sum: f64::from(at % 4 == 0), n: 1 }).collect();
        assert_eq!(compute_share_interval(&clusters), compute_wilson_interval(5, 20));
    }

    #[test]
    fn clusters_that_agree_with_themselves_count_once() {
        // Ten clusters of ten equal observations know as much as ten observations.
        let clusters: Vec<Cluster> = (0..10).map(|at| Cluster { sum: f64::from(at % 2) * 10.0, n: 10 }).collect();
        // The correction G/(G−1) against n/(n−1) leaves 11 rather than 10.
        assert!((compute_design_effect(&clusters) - 11.0).abs() < 1e-12);
        assert_eq!(compute_few_clusters_interval(&clusters), Some(compute_share_interval(&clusters)));
        assert_eq!(
            compute_share_interval(&clusters),
            compute_wilson_for_size(0.5, 100.0 / compute_design_effect(&clusters), compute_t_quantile(9))
        );
    }

    #[test]
    fn what_cannot_be_told() {
        assert_eq!(compute_standard_error(&[Cluster { sum: 3.0, n: 4 }]), None);
        assert_eq!(compute_few_clusters_interval(&[Cluster { sum: 3.0, n: 4 }]), None);
        assert_eq!(compute_mean(&[]), 0.0);
    }

    #[test]
    fn where_nothing_varies_clusters_are_counted() {
        for sum in [0.0, 50.0] {
            let clusters = [Cluster { sum, n: 50 }; 12];
            assert_eq!(compute_design_effect(&clusters), 50.0);
            assert_eq!(
                compute_share_interval(&clusters),
                compute_wilson_for_size(sum / 50.0, 12.0, compute_t_quantile(11))
            );
        }
        // One of 30 and one of 10 are not worth more than two.
        let unequal = [Cluster { sum: 30.0, n: 30 }, Cluster { sum: 10.0, n: 10 }];
        assert_eq!(compute_design_effect(&unequal), 25.0);
        assert_eq!(compute_design_effect(&[Cluster { sum: 1.0, n: 1 }; 5]), 1.0);
        assert_eq!(compute_design_effect(&[]), 1.0);
    }

    #[test]
    fn one_cluster_of_several_says_nothing_of_others() {
        assert_eq!(compute_share_interval(&[Cluster { sum: 7.0, n: 9 }]), Interval { low: 0.0, high: 1.0 });
        assert_eq!(compute_share_interval(&[Cluster { sum: 1.0, n: 1 }]), compute_wilson_interval(1, 1));
    }

    /// Clusters of 5 to 24 observations whose shares differ (0.6 to 1, and 0.8 as the mean): 4 to 20 of them. With the normal quantile, four clusters held it in
    /// 84% of runs.
    #[test]
    fn few_clusters_hold_the_truth_as_often_as_they_say() {
        let mut bits = 11u64;
        let mut next = || {
            bits = bits.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (bits >> 11) as f64 / (1u64 << 53) as f64
        };
        for count in [4, 6, 10, 20] {
            let (mut held, mut normal) = (0, 0);
            for _ in 0..2_000 {
                let clusters: Vec<Cluster> = (0..count)
                    .map(|_| {
                        let (n, share) = (5 + (next() * 20.0) as u64, 0.6 + 0.4 * next());
                        Cluster { sum: (0..n).filter(|_| next() < share).count() as f64, n }
                    })
                    .collect();
                held += u32::from(compute_share_interval(&clusters).has_value(0.8));
                normal += u32::from(compute_share_with(&clusters, Z).has_value(0.8));
            }
            assert!((1_860..=1_985).contains(&held), "{held} of 2,000 with {count} clusters");
            assert!(count > 4 || normal < 1_800, "{normal} of 2,000 with the normal quantile");
        }
    }
}
