//! Means of unbounded amounts: seconds, tokens, rounds.

use crate::Interval;
use crate::clustered::{Cluster, compute_mean, compute_standard_error};
use crate::special::compute_t_quantile;

/// Returns the 95% confidence interval for the mean of values that come in clusters: Student's t with G − 1 degrees of freedom times the clustered standard
/// error ("Student", "The probable error of a mean", *Biometrika* 6, 1908; the error after K.-Y. Liang and S. L. Zeger, see [`compute_standard_error`]). `None`
/// for fewer than two clusters, and if all of them are the same: equal unbounded values give no information about the range of others.
///
/// ```
/// use statistics::clustered::Cluster;
/// use statistics::means::compute_mean_interval;
///
/// let seconds = [2.0, 4.0, 6.0].map(|sum| Cluster { sum, n: 1 });
/// let interval = compute_mean_interval(&seconds).expect("they differ");
/// // The mean ± 4.303 standard errors, of which each is 2/√3.
/// assert!((interval.high - 4.0 - 4.3027 * 2.0 / 3.0_f64.sqrt()).abs() < 1e-3, "{interval:?}");
/// // Equal amounts say nothing about others.
/// assert_eq!(compute_mean_interval(&seconds.map(|_| Cluster { sum: 4.0, n: 1 })), None);
/// ```
pub fn compute_mean_interval(clusters: &[Cluster]) -> Option<Interval> {
    let freedom = (clusters.len() as u64).checked_sub(1)?;
    let (middle, error) = (compute_mean(clusters), compute_standard_error(clusters)?);
    // Rounding errors may leave a small variance instead of 0.
    if error <= middle.abs() * 1e-12 {
        return None;
    }
    let half = compute_t_quantile(freedom) * error;
    Some(Interval { low: middle - half, high: middle + half })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(values: &[f64]) -> Vec<Cluster> {
        values.iter().map(|value| Cluster { sum: *value, n: 1 }).collect()
    }

    #[test]
    fn students_own_data() {
        // The extra hours of sleep of ten patients (Student 1908): 0.75 ± 2.262 · 1.789 / √10.
        let interval =
            compute_mean_interval(&of(&[0.7, -1.6, -0.2, -1.2, -0.1, 3.4, 3.7, 0.8, 0.0, 2.0])).expect("ten");
        assert!(
            (interval.low + 0.529_780_4).abs() < 1e-6 && (interval.high - 2.029_780_4).abs() < 1e-6,
            "{interval:?}"
        );
    }

    #[test]
    fn what_cannot_be_told() {
        assert_eq!(compute_mean_interval(&[]), None);
        assert_eq!(compute_mean_interval(&of(&[3.0])), None);
        assert_eq!(compute_mean_interval(&of(&[0.1; 7])), None);
        assert_eq!(compute_mean_interval(&of(&[0.0; 3])), None);
    }
}
