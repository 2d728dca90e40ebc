//! Exact tests of counts.

use crate::special::compute_ln_choose;

/// Two-sided p of McNemar's exact test: `first` and `second` are the numbers of discordant pairs in each direction; the
/// null hypothesis is a fair coin. (Q. McNemar, "Note on the sampling error of the difference between correlated
/// proportions", *Psychometrika* 12, 1947.) 1 if all pairs agree.
///
/// ```
/// use statistics::exact_tests::compute_mcnemar_p;
///
/// // Of ten instances where two agents differ, one won nine.
/// let p = compute_mcnemar_p(1, 9);
/// assert!((p - 0.021_484_375).abs() < 1e-12, "{p}");
/// // Instances on which they agree do not count; without others, nothing is shown.
/// assert_eq!((compute_mcnemar_p(0, 0), compute_mcnemar_p(5, 5)), (1.0, 1.0));
/// ```
pub fn compute_mcnemar_p(first: u64, second: u64) -> f64 {
    let n = first + second;
    let fewer = first.min(second);
    let tail: f64 = (0..=fewer).map(|k| libm::exp(compute_ln_choose(n, k) - n as f64 * std::f64::consts::LN_2)).sum();
    (2.0 * tail).min(1.0)
}

/// Two-sided p of Fisher's exact test that two shares are equal: the sum of the probabilities of all tables with these
/// margins that are at most as probable as the one seen (R. A. Fisher, *Statistical Methods for Research Workers*, 5th
/// edition, 1934). Each is (times, n), times ≤ n.
///
/// ```
/// use statistics::exact_tests::compute_fisher_p;
///
/// // 3 of 10 against 9 of 10.
/// let p = compute_fisher_p((3, 10), (9, 10));
/// assert!((p - 0.019_766_6).abs() < 1e-6, "{p}");
/// assert!((compute_fisher_p((9, 10), (3, 10)) - p).abs() < 1e-12);
/// assert!((compute_fisher_p((5, 10), (5, 10)) - 1.0).abs() < 1e-9);
/// ```
pub fn compute_fisher_p(first: (u64, u64), second: (u64, u64)) -> f64 {
    let ((a, n), (b, m)) = (first, second);
    let right = a + b;
    let whole = compute_ln_choose(n + m, right);
    let ln_chance = |a: u64| compute_ln_choose(n, a) + compute_ln_choose(m, right - a) - whole;
    let seen = ln_chance(a);
    // As likely, but for rounding.
    let most = seen + 1e-7;
    let p: f64 = (right.saturating_sub(m)..=right.min(n)).map(ln_chance).filter(|ln| *ln <= most).map(libm::exp).sum();
    p.min(1.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn coins() {
        assert_eq!(compute_mcnemar_p(0, 0), 1.0);
        assert!((compute_mcnemar_p(0, 5) - 0.0625).abs() < 1e-12);
        assert!((compute_mcnemar_p(5, 1) - 0.21875).abs() < 1e-12);
        assert_eq!(compute_mcnemar_p(4, 4), 1.0);
    }

    #[test]
    fn the_lady_tasting_tea() {
        // 3 of 4 and 1 of 4: 34/70.
        assert!((compute_fisher_p((3, 4), (1, 4)) - 34.0 / 70.0).abs() < 1e-12);
        assert_eq!(compute_fisher_p((0, 5), (0, 9)), 1.0);
        assert_eq!(compute_fisher_p((0, 0), (3, 9)), 1.0);
    }
}
