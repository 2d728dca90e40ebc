//! Means of observations that come in clusters: several variants of one sample, several trials of one instance, all instances of one task.

use crate::proportion::wilson_of;
use crate::special::t_quantile;
use crate::{Interval, Z};

/// What is known of one cluster.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Cluster {
    /// The sum of its observations.
    pub sum: f64,
    /// How many there are.
    pub n: u64,
}

/// The mean of all observations; 0 where there are none.
pub fn mean(clusters: &[Cluster]) -> f64 {
    let (sum, n) = clusters.iter().fold((0.0, 0), |(sum, n), cluster| (sum + cluster.sum, n + cluster.n));
    if n == 0 { 0.0 } else { sum / n as f64 }
}

/// The standard error of that mean, robust to any dependence within clusters: √(G/(G−1) · Σ(Sᵢ − nᵢ·mean)²) / n over G clusters (K.-Y. Liang, S. L. Zeger,
/// "Longitudinal data analysis using generalized linear models", *Biometrika* 73, 1986; for evaluations E. Miller, "Adding error bars to
/// evals", 2024). `None` for fewer than two clusters.
pub fn standard_error(clusters: &[Cluster]) -> Option<f64> {
    let count = clusters.len() as f64;
    let n: u64 = clusters.iter().map(|cluster| cluster.n).sum();
    if clusters.len() < 2 || n == 0 {
        return None;
    }
    let mean = mean(clusters);
    let squares: f64 = clusters
        .iter()
        .map(|cluster| {
            let off = cluster.sum - cluster.n as f64 * mean;
            off * off
        })
        .sum();
    Some((count / (count - 1.0) * squares).sqrt() / n as f64)
}

/// What the dependence within clusters costs: by how much the variance exceeds that of as many independent observations of 0 and 1 (L. Kish, *Survey
/// Sampling*, 1965). Never below 1. Where nothing varies (all right, all wrong, a single cluster) the dependence cannot be seen, and is taken to be
/// complete: Σnᵢ²/n, so that G clusters of one size count as G observations.
pub fn design_effect(clusters: &[Cluster]) -> f64 {
    if clusters.iter().all(|cluster| cluster.n == 1) {
        return 1.0;
    }
    let n: u64 = clusters.iter().map(|cluster| cluster.n).sum();
    let mean = mean(clusters);
    let simple = mean * (1.0 - mean) / (n as f64 - 1.0);
    match standard_error(clusters) {
        // Rounding may leave something of a variance of 0.
        Some(error) if simple > 1e-12 => (error * error / simple).max(1.0),
        _ => complete_dependence(clusters.iter().map(|cluster| cluster.n)),
    }
}

/// The design effect of clusters of these sizes whose observations are all alike; 1 where there are none.
pub(crate) fn complete_dependence(sizes: impl Iterator<Item = u64>) -> f64 {
    let (n, squares) = sizes.fold((0.0, 0.0), |(n, squares), size| (n + size as f64, squares + (size * size) as f64));
    if n > 0.0 { (squares / n).max(1.0) } else { 1.0 }
}

/// The 95% confidence interval for a share whose observations of 0 and 1 come in many clusters: Wilson's, with n over
/// the design effect.
pub fn share_interval(clusters: &[Cluster]) -> Interval {
    let n: u64 = clusters.iter().map(|cluster| cluster.n).sum();
    wilson_of(mean(clusters), n as f64 / design_effect(clusters), Z)
}

/// The same for few clusters: Student's t with G − 1 degrees of freedom in place of the normal quantile. `None` for fewer than two clusters.
pub fn few_clusters_interval(clusters: &[Cluster]) -> Option<Interval> {
    let n: u64 = clusters.iter().map(|cluster| cluster.n).sum();
    let freedom = (clusters.len() as u64).checked_sub(1).filter(|freedom| *freedom > 0)?;
    Some(wilson_of(mean(clusters), n as f64 / design_effect(clusters), t_quantile(freedom)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::proportion::wilson;

    #[test]
    fn independent_observations_give_wilson() {
        let clusters: Vec<Cluster> = (0..20).map(|at| Cluster { sum: f64::from(at % 4 == 0), n: 1 }).collect();
        assert_eq!(share_interval(&clusters), wilson(5, 20));
    }

    #[test]
    fn clusters_that_agree_with_themselves_count_once() {
        // Ten clusters of ten equal observations know as much as ten observations.
        let clusters: Vec<Cluster> = (0..10).map(|at| Cluster { sum: f64::from(at % 2) * 10.0, n: 10 }).collect();
        // The correction G/(G−1) against n/(n−1) leaves 11 rather than 10.
        assert!((design_effect(&clusters) - 11.0).abs() < 1e-12);
        assert!(few_clusters_interval(&clusters).expect("ten").width() > share_interval(&clusters).width());
    }

    #[test]
    fn what_cannot_be_told() {
        assert_eq!(standard_error(&[Cluster { sum: 3.0, n: 4 }]), None);
        assert_eq!(few_clusters_interval(&[Cluster { sum: 3.0, n: 4 }]), None);
        assert_eq!(mean(&[]), 0.0);
    }

    #[test]
    fn where_nothing_varies_clusters_are_counted() {
        for sum in [0.0, 50.0] {
            let clusters = [Cluster { sum, n: 50 }; 12];
            assert_eq!(design_effect(&clusters), 50.0);
            assert_eq!(share_interval(&clusters), wilson(if sum > 0.0 { 12 } else { 0 }, 12));
        }
        // One of 30 and one of 10 are not worth more than two.
        let unequal = [Cluster { sum: 30.0, n: 30 }, Cluster { sum: 10.0, n: 10 }];
        assert_eq!(design_effect(&unequal), 25.0);
        assert_eq!(design_effect(&[Cluster { sum: 1.0, n: 1 }; 5]), 1.0);
        assert_eq!(design_effect(&[]), 1.0);
    }
}
