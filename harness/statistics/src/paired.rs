//! Paired shares: the same instances, answered by two agents. Computes the uncertainty of the difference.

use crate::Interval;
use crate::clustered::{Cluster, choose_quantile, complete_dependence, compute_standard_error};
use crate::proportion::combine_by_mover;
use crate::special::compute_t_quantile;

/// The pairs of one cluster (a sample, or a task).
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Pairs {
    /// Sum over the pairs in which the second is better: 1 for each, or a fraction if there are several trials.
    pub won: f64,
    /// The same for pairs in which the second is worse.
    pub lost: f64,
    /// The number of pairs.
    pub n: u64,
}

impl Pairs {
    /// Adds a pair; `difference` is the second's mean minus the first's, −1 to 1.
    ///
    /// ```
    /// use statistics::paired::{Pairs, compute_paired_interval};
    ///
    /// // Thirty instances: on twelve the second agent is better, on three worse.
    /// let clusters: Vec<Pairs> = (0..30)
    ///     .map(|at| {
    ///         let mut pairs = Pairs::default();
    ///         pairs.add_pair(if at < 12 { 1.0 } else if at < 15 { -1.0 } else { 0.0 });
    ///         pairs
    ///     })
    ///     .collect();
    /// let interval = compute_paired_interval(&clusters, 1);
    /// assert!(interval.has_value(0.3) && interval.low > 0.0, "{interval:?}");
    /// ```
    pub fn add_pair(&mut self, difference: f64) {
        self.won += difference.max(0.0);
        self.lost += (-difference).max(0.0);
        self.n += 1;
    }
}

/// Sums all clusters.
fn sum_pairs(clusters: &[Pairs]) -> Pairs {
    clusters.iter().fold(Pairs::default(), |sum, one| Pairs {
        won: sum.won + one.won,
        lost: sum.lost + one.lost,
        n: sum.n + one.n,
    })
}

/// Returns the interval for the difference (won − lost) / n of two shares over `n` pairs, by the score method: all differences that the score test does not
/// reject (T. Tango, "Equivalence test and confidence interval for the difference in proportions for the paired-sample design", *Statistics in Medicine* 17,
/// 1998). `quantile` is that of the normal distribution for a 95% confidence interval, or a greater one. Counts can be fractions. −1 to 1 without pairs; never
/// of width 0.
///
/// ```
/// use statistics::Z;
/// use statistics::paired::compute_tango_interval;
///
/// // All of six pairs won: (n − z²) / (n + z²) to 1.
/// let interval = compute_tango_interval(6.0, 0.0, 6.0, Z);
/// assert!((interval.low - (6.0 - Z * Z) / (6.0 + Z * Z)).abs() < 1e-9 && interval.high == 1.0, "{interval:?}");
/// // Exchanged agents have the mirrored interval, to the last digit.
/// let mirrored = compute_tango_interval(0.0, 6.0, 6.0, Z);
/// assert_eq!((mirrored.low, mirrored.high), (-1.0, -interval.low));
/// ```
pub fn compute_tango_interval(won: f64, lost: f64, n: f64, quantile: f64) -> Interval {
    if n <= 0.0 || !quantile.is_finite() {
        return Interval { low: -1.0, high: 1.0 };
    }
    // The lower bound is the upper bound of the reverse problem, so both ends are computed in the same way to the last digit.
    Interval { low: -find_upper_bound(lost, won, n, quantile), high: find_upper_bound(won, lost, n, quantile) }
}

/// Finds the greatest difference that is not rejected, by bisection.
fn find_upper_bound(won: f64, lost: f64, n: f64, quantile: f64) -> f64 {
    let seen = won - lost;
    if seen >= n {
        return 1.0;
    }
    let not_refuted = |difference: f64| n * difference - seen <= quantile * compute_deviation(won, lost, n, difference);
    let (mut inside, mut outside) = (seen / n, 1.0);
    for _ in 0..80 {
        let middle = (inside + outside) / 2.0;
        if not_refuted(middle) { inside = middle } else { outside = middle }
    }
    inside
}

/// Returns the standard deviation of won − lost if the true difference is `difference`, with the likeliest share of lost pairs.
fn compute_deviation(won: f64, lost: f64, n: f64, difference: f64) -> f64 {
    let a = 2.0 * n;
    let b = (a - won + lost) * difference - won - lost;
    let c = -lost * difference * (1.0 - difference);
    let share = ((b * b - 4.0 * a * c).max(0.0).sqrt() - b) / (2.0 * a);
    let share = share.clamp((-difference).max(0.0), (1.0 - difference) / 2.0);
    (n * (2.0 * share + difference * (1.0 - difference))).max(0.0).sqrt()
}

/// Returns Tango's interval for pairs that come in clusters, with the effective number of pairs: n divided by the design effect (the clustered variance of the
/// mean difference divided by that of n independent pairs; L. Kish, *Survey Sampling*, 1965). With `trials` trials of an instance, a pair is a mean, and counts
/// as up to as many pairs. If clusters have several pairs, Student's t with G − 1 degrees of freedom replaces the normal quantile; a single cluster has no
/// information.
pub fn compute_paired_interval(clusters: &[Pairs], trials: u64) -> Interval {
    compute_interval_with(clusters, trials, choose_quantile(clusters.iter().map(|one| one.n)))
}

/// Returns Tango's interval if the clusters are drawn from others like them (tasks, databases): always with Student's t. `None` for fewer than two clusters.
pub fn compute_few_paired_interval(clusters: &[Pairs], trials: u64) -> Option<Interval> {
    let freedom = (clusters.len() as u64).checked_sub(1).filter(|freedom| *freedom > 0)?;
    Some(compute_interval_with(clusters, trials, compute_t_quantile(freedom)))
}

fn compute_interval_with(clusters: &[Pairs], trials: u64, quantile: f64) -> Interval {
    let all = sum_pairs(clusters);
    let n = all.n as f64;
    if all.n == 0 {
        return Interval { low: -1.0, high: 1.0 };
    }
    let worth = 1.0 / compute_design_effect(clusters, trials);
    compute_tango_interval(all.won * worth, all.lost * worth, n * worth, quantile)
}

fn compute_design_effect(clusters: &[Pairs], trials: u64) -> f64 {
    let all = sum_pairs(clusters);
    let n = all.n as f64;
    let difference = (all.won - all.lost) / n;
    let simple = ((all.won + all.lost) / n - difference * difference) / (n - 1.0);
    let summed: Vec<Cluster> = clusters.iter().map(|one| Cluster { sum: one.won - one.lost, n: one.n }).collect();
    match compute_standard_error(&summed) {
        // Rounding errors may leave a small variance instead of 0.
        Some(error) if simple > 1e-12 => (error * error / simple).clamp(1.0 / trials.max(1) as f64, n),
        _ => complete_dependence(clusters.iter().map(|one| one.n)),
    }
}

/// Returns the interval for the difference over several strata (tasks), each with its clusters: the weighted sum of their intervals, by [`combine_by_mover`].
pub fn compute_stratified_interval(strata: &[Vec<Pairs>], trials: u64) -> Interval {
    combine_strata(strata, |stratum| compute_paired_interval(stratum, trials))
}

/// Returns the same for few clusters, each stratum by [`compute_few_paired_interval`]. A single cluster has no information: its difference can be any from −1
/// to 1.
pub fn compute_few_stratified_interval(strata: &[Vec<Pairs>], trials: u64) -> Interval {
    let any = Interval { low: -1.0, high: 1.0 };
    combine_strata(strata, |stratum| compute_few_paired_interval(stratum, trials).unwrap_or(any))
}

/// Returns the design effect over several strata: the mean of theirs, weighted by their pairs. At least 1.
pub fn compute_stratified_design_effect(strata: &[Vec<Pairs>], trials: u64) -> f64 {
    let parts = || strata.iter().map(|stratum| (sum_pairs(stratum).n as f64, stratum)).filter(|(n, _)| *n > 0.0);
    let n: f64 = parts().map(|(n, _)| n).sum();
    let all: f64 = parts().map(|(n, stratum)| n * compute_design_effect(stratum, trials)).sum();
    if n > 0.0 { (all / n).max(1.0) } else { 1.0 }
}

fn combine_strata(strata: &[Vec<Pairs>], interval: impl Fn(&[Pairs]) -> Interval) -> Interval {
    let n: u64 = strata.iter().map(|stratum| sum_pairs(stratum).n).sum();
    if let [only] = strata {
        return interval(only);
    }
    if n == 0 {
        return Interval { low: -1.0, high: 1.0 };
    }
    let part = |stratum: &Vec<Pairs>| {
        let all = sum_pairs(stratum);
        let difference = if all.n == 0 { 0.0 } else { (all.won - all.lost) / all.n as f64 };
        (all.n as f64 / n as f64, difference, interval(stratum))
    };
    combine_by_mover(&strata.iter().map(part).collect::<Vec<_>>())
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::Z;
    use crate::proportion::compute_wilson_interval;

    fn near(a: f64, b: f64) -> bool {
        (a - b).abs() < 1e-9
    }

    #[test]
    fn few_clusters_have_wider_intervals_and_need_more_pairs() {
        let clusters: Vec<Pairs> =
            [(9.0, 0.0), (2.0, 1.0), (8.0, 0.0), (1.0, 2.0)].map(|(won, lost)| Pairs { n: 12, won, lost }).to_vec();
        let strata = [clusters.clone()];
        let (few, many) = (compute_stratified_interval(&strata, 1), compute_interval_with(&clusters, 1, Z));
        assert_eq!(few, compute_few_stratified_interval(&strata, 1));
        assert!(few.low < many.low && few.high > many.high, "{few:?} {many:?}");
        assert!(few.low < 0.0, "four clusters cannot show a difference at 5%: {few:?}");
        assert!(compute_stratified_design_effect(&strata, 1) > 2.0);
        let single = [vec![Pairs { n: 12, won: 9.0, lost: 0.0 }]];
        assert_eq!(compute_few_stratified_interval(&single, 1), Interval { low: -1.0, high: 1.0 });
        let independent: Vec<Pairs> = (0..40).map(|at| Pairs { n: 1, won: f64::from(at % 2), lost: 0.0 }).collect();
        let effect = compute_stratified_design_effect(&[independent], 1);
        assert!((1.0..1.1).contains(&effect), "{effect}");
    }

    #[test]
    fn where_all_pairs_agree_it_is_wilson_of_none() {
        let interval = compute_tango_interval(0.0, 0.0, 40.0, Z);
        assert!(
            near(interval.high, compute_wilson_interval(0, 40).high) && near(interval.low, -interval.high),
            "{interval:?}"
        );
    }

    #[test]
    fn where_all_pairs_differ_alike_there_is_a_lower_end() {
        // (n − z²) / (n + z²), by hand.
        let interval = compute_tango_interval(6.0, 0.0, 6.0, Z);
        assert!(near(interval.low, (6.0 - Z * Z) / (6.0 + Z * Z)) && interval.high == 1.0, "{interval:?}");
        assert_eq!(compute_tango_interval(0.0, 6.0, 6.0, Z), Interval { low: -1.0, high: -interval.low });
        assert_eq!(compute_tango_interval(0.0, 0.0, 0.0, Z), Interval { low: -1.0, high: 1.0 });
    }

    #[test]
    fn copies_of_a_pair_say_nothing_new() {
        let mut one = Pairs::default();
        one.add_pair(1.0);
        let mut five = Pairs::default();
        (0..5).for_each(|_| five.add_pair(1.0));
        // One cluster of several says nothing of others; six are worth six pairs, but what they vary is known from six alone.
        assert_eq!(compute_paired_interval(&[five], 1), Interval { low: -1.0, high: 1.0 });
        assert_eq!(compute_few_paired_interval(&[one; 6], 1), Some(compute_paired_interval(&[five; 6], 1)));
        assert!(compute_few_paired_interval(&[one], 1).is_none());
    }

    #[test]
    fn independent_pairs_are_worth_themselves() {
        let clusters: Vec<Pairs> = (0..30)
            .map(|at| {
                let mut one = Pairs::default();
                one.add_pair([1.0, 0.0, -1.0, 0.0, 1.0][at % 5]);
                one
            })
            .collect();
        let (plain, clustered) = (compute_tango_interval(12.0, 6.0, 30.0, Z), compute_paired_interval(&clusters, 1));
        assert!(near(plain.low, clustered.low) && near(plain.high, clustered.high), "{plain:?} {clustered:?}");
    }

    /// Of 400 pairs of runs, with 40 samples in three variants each that agree, about 95% of the intervals contain the
    /// true difference of 0.2.
    #[test]
    fn intervals_hold_the_truth_as_often_as_they_say() {
        let mut bits = 5u64;
        let mut chance = || {
            bits = bits.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (bits >> 11) as f64 / (1u64 << 53) as f64
        };
        let mut held = 0;
        for _ in 0..400 {
            let clusters: Vec<Pairs> = (0..40)
                .map(|_| {
                    let drawn = chance();
                    let mut pairs = Pairs::default();
                    (0..3).for_each(|_| {
                        pairs.add_pair(if drawn < 0.3 {
                            1.0
                        } else if drawn < 0.4 {
                            -1.0
                        } else {
                            0.0
                        })
                    });
                    pairs
                })
                .collect();
            held += u32::from(compute_paired_interval(&clusters, 1).has_value(0.2));
        }
        assert!((368..=394).contains(&held), "{held} of 400");
    }

    proptest! {
        #[test]
        fn it_holds_the_difference_and_has_a_width(won in 0u32..60, lost in 0u32..60, same in 0u32..60, t in any::<bool>()) {
            let n = won + lost + same;
            prop_assume!(n > 0);
            let (won, lost, n) = (f64::from(won), f64::from(lost), f64::from(n));
            let interval = compute_tango_interval(won, lost, n, if t { 12.7 } else { Z });
            prop_assert!(interval.has_value((won - lost) / n) && interval.width() > 1e-6, "{interval:?}");
            prop_assert!(interval.low >= -1.0 && interval.high <= 1.0);
            let back = compute_tango_interval(lost, won, n, if t { 12.7 } else { Z });
            prop_assert_eq!((interval.low, interval.high), (-back.high, -back.low));
        }

        #[test]
        fn no_clusters_give_an_interval_without_width(
            strata in prop::collection::vec(prop::collection::vec(prop::collection::vec(-3i8..=3, 1..5), 1..7), 1..5),
            alike in prop::option::of(-3i8..=3),
        ) {
            let strata: Vec<Vec<Pairs>> = strata.iter().map(|stratum| stratum.iter().map(|cluster| {
                let mut pairs = Pairs::default();
                cluster.iter().for_each(|step| pairs.add_pair(f64::from(alike.unwrap_or(*step)) / 3.0));
                pairs
            }).collect()).collect();
            let all: Vec<Pairs> = strata.iter().flatten().copied().collect();
            let sum = sum_pairs(&all);
            let difference = (sum.won - sum.lost) / sum.n as f64;
            for interval in [Some(compute_stratified_interval(&strata, 3)), compute_few_paired_interval(&all, 3)].into_iter().flatten() {
                prop_assert!(interval.width() > 1e-6, "{interval:?}");
                prop_assert!(interval.low >= -1.0 - 1e-12 && interval.high <= 1.0 + 1e-12);
                prop_assert!(interval.low <= difference + 1e-9 && difference <= interval.high + 1e-9, "{interval:?}");
            }
        }
    }
}
