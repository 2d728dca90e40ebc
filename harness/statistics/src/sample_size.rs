//! Computes how many samples are sufficient.

use crate::proportion::compute_wilson_for_size;
use crate::{Interval, Z};

/// The 80% quantile of the standard normal distribution, for a power of 80%.
const POWER: f64 = 0.841_621_233_572_914_2;
/// The maximum number of observations that is considered.
const MAX_OBSERVATIONS: u64 = 1_000_000_000;

/// Returns the 95% confidence interval for this share of `n` observations; `effect` observations count as one.
pub fn compute_interval_at(share: f64, n: u64, effect: f64) -> Interval {
    compute_wilson_for_size(share, n as f64 / effect, Z)
}

/// Returns the smallest number of observations whose interval is at most ±`half` wide (Wilson's width, inverted by bisection).
/// `None` above 10⁹.
///
/// ```
/// use statistics::sample_size::find_size_for_half_width;
///
/// // ±5 percentage points around one half, and around 90%.
/// assert_eq!(find_size_for_half_width(0.5, 0.05, 1.0), Some(381));
/// assert_eq!(find_size_for_half_width(0.9, 0.05, 1.0), Some(141));
/// // Where three observations are worth one, three times as many are needed.
/// assert_eq!(find_size_for_half_width(0.5, 0.05, 3.0), Some(1141));
/// assert_eq!(find_size_for_half_width(0.5, 1e-9, 1.0), None);
/// ```
pub fn find_size_for_half_width(share: f64, half: f64, effect: f64) -> Option<u64> {
    let enough = |n: u64| compute_interval_at(share, n, effect).width() <= 2.0 * half;
    if !enough(MAX_OBSERVATIONS) {
        return None;
    }
    let (mut too_few, mut enough_of) = (0, MAX_OBSERVATIONS);
    while enough_of - too_few > 1 {
        let middle = too_few + (enough_of - too_few) / 2;
        if enough(middle) { enough_of = middle } else { too_few = middle }
    }
    Some(enough_of)
}

/// Returns the number of pairs that show a difference of `difference` at a significance level of 5% with a power of 80%, if the share `discordant` of pairs
/// differs (O. S. Miettinen, "The matched pairs design in the case of all-or-none responses", *Biometrics* 24, 1968; R. J. Connett, J. A. Smith, R. B. McHugh,
/// *Statistics in Medicine* 6, 1987). `None` above 10⁹.
///
/// ```
/// use statistics::sample_size::{find_each_side_for, find_pairs_for};
///
/// // Ten percentage points, if the agents differ on a fifth of the instances.
/// assert_eq!(find_pairs_for(0.1, 0.2), Some(155));
/// // Half the difference needs four times as many.
/// assert_eq!(find_pairs_for(0.05, 0.2), Some(626));
/// // Agents on different instances need far more, on each side.
/// assert_eq!(find_each_side_for(0.1, 0.7), Some(329));
/// ```
pub fn find_pairs_for(difference: f64, discordant: f64) -> Option<u64> {
    let discordant = discordant.clamp(difference.abs(), 1.0);
    let square = difference * difference;
    let root = Z * discordant.sqrt() + POWER * (discordant - square).max(0.0).sqrt();
    round_up(root * root / square)
}

/// Returns the number of observations on each side that show a difference of `difference` between two independent shares around `share`, at a significance
/// level of 5% with a power of 80% (J. L. Fleiss, *Statistical Methods for Rates and Proportions*, 1981, without the continuity correction). `None` above 10⁹.
pub fn find_each_side_for(difference: f64, share: f64) -> Option<u64> {
    let (low, high) = ((share - difference / 2.0).clamp(0.0, 1.0), (share + difference / 2.0).clamp(0.0, 1.0));
    let middle = (low + high) / 2.0;
    let root = Z * (2.0 * middle * (1.0 - middle)).sqrt() + POWER * (low * (1.0 - low) + high * (1.0 - high)).sqrt();
    round_up(root * root / (difference * difference))
}

fn round_up(n: f64) -> Option<u64> {
    let n = n.ceil();
    (n >= 0.0 && n <= MAX_OBSERVATIONS as f64).then_some(n as u64)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::proportion::compute_wilson_interval;

    #[test]
    fn the_fewest_that_are_enough() {
        for (times, of) in [(0u64, 20u64), (3, 20), (10, 20)] {
            let share = times as f64 / of as f64;
            let n = find_size_for_half_width(share, 0.05, 1.0).expect("enough");
            assert!(
                compute_interval_at(share, n, 1.0).width() <= 0.1
                    && compute_interval_at(share, n - 1, 1.0).width() > 0.1,
                "{n}"
            );
            assert_eq!(compute_interval_at(share, of, 1.0), compute_wilson_interval(times, of));
        }
        // Half right, ±5 points: the 385 of textbooks, less what Wilson's interval saves.
        assert_eq!(find_size_for_half_width(0.5, 0.05, 1.0), Some(381));
        assert_eq!(find_size_for_half_width(0.5, 0.0, 1.0), None);
    }

    #[test]
    fn pairs_and_sides() {
        // 10 points with 20% discordant: (1.96·√0.2 + 0.8416·√0.19)² / 0.01 = 154.6.
        assert_eq!(find_pairs_for(0.10, 0.20), Some(155));
        assert_eq!(find_pairs_for(0.0, 0.2), None);
        // 0.6 against 0.5: the 388 of tables.
        assert_eq!(find_each_side_for(0.1, 0.55), Some(388));
    }
}
