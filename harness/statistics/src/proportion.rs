//! Shares: confidence intervals for one, for the difference of two, and for a weighted mean of several.

use crate::{Interval, Z};

/// Returns the 95% confidence interval for a share, `times` of `n`, by the score method (E. B. Wilson, "Probable inference, the law of succession, and
/// statistical inference", *Journal of the American Statistical Association* 22, 1927). 0 to 1 if n is 0.
///
/// ```
/// use statistics::proportion::compute_wilson_interval;
///
/// let interval = compute_wilson_interval(8, 10);
/// assert!((interval.low - 0.490).abs() < 0.001 && (interval.high - 0.943).abs() < 0.001, "{interval:?}");
/// // Ten of ten right is not certainty.
/// let all = compute_wilson_interval(10, 10);
/// assert!((all.low - 0.722).abs() < 0.001 && all.high == 1.0, "{all:?}");
/// let none = compute_wilson_interval(0, 0);
/// assert_eq!((none.low, none.high), (0.0, 1.0));
/// ```
pub fn compute_wilson_interval(times: u64, n: u64) -> Interval {
    if n == 0 {
        return Interval { low: 0.0, high: 1.0 };
    }
    compute_wilson_for_size(times as f64 / n as f64, n as f64, Z)
}

/// Returns the interval for a share with an effective size, `size` ≥ 0 (a fraction if observations are dependent), and a quantile other than the
/// normal one (few clusters): C. Franco, R. J. A. Little, T. A. Louis, E. V. Slud, "Comparative study of confidence intervals for proportions in
/// complex sample surveys", *Journal of Survey Statistics and Methodology* 7, 2019.
pub fn compute_wilson_for_size(share: f64, size: f64, quantile: f64) -> Interval {
    if size <= 0.0 || !quantile.is_finite() {
        return Interval { low: 0.0, high: 1.0 };
    }
    let square = quantile * quantile;
    let middle = share + square / (2.0 * size);
    let half = quantile * (share * (1.0 - share) / size + square / (4.0 * size * size)).sqrt();
    let by = 1.0 + square / size;
    // At the ends the exact result is 0 or 1, in spite of rounding errors.
    let low = if share <= 0.0 { 0.0 } else { (middle - half) / by };
    let high = if share >= 1.0 { 1.0 } else { (middle + half) / by };
    Interval { low: low.max(0.0), high: high.min(1.0) }
}

/// Returns the 95% confidence interval for the difference of two independent shares, second minus first: the hybrid score method (R. G. Newcombe, "Interval
/// estimation for the difference between independent proportions", *Statistics in Medicine* 17, 1998, method 10).
///
/// ```
/// use statistics::proportion::compute_newcombe_interval;
///
/// // 75 of 100 right, where another had 60 of 100: better, if only just.
/// let difference = compute_newcombe_interval((60, 100), (75, 100));
/// assert!((difference.low - 0.020).abs() < 0.001 && (difference.high - 0.273).abs() < 0.001, "{difference:?}");
/// // The same shares of 20 each show nothing.
/// assert!(compute_newcombe_interval((12, 20), (15, 20)).has_value(0.0));
/// ```
pub fn compute_newcombe_interval(first: (u64, u64), second: (u64, u64)) -> Interval {
    let share = |(times, n): (u64, u64)| if n == 0 { 0.0 } else { times as f64 / n as f64 };
    combine_by_mover(&[
        (-1.0, share(first), compute_wilson_interval(first.0, first.1)),
        (1.0, share(second), compute_wilson_interval(second.0, second.1)),
    ])
}

/// Returns the 95% confidence interval for a weighted sum of independent estimates, each (weight, estimate, interval): variances are recovered from the
/// intervals (G. Y. Zou, A. Donner, "Construction of confidence limits about effect measures", *Statistics in Medicine* 27, 2008).
///
/// ```
/// use statistics::Interval;
/// use statistics::proportion::combine_by_mover;
///
/// // The mean of two tasks of equal weight: nearer than each alone.
/// let one = Interval { low: 0.4, high: 0.6 };
/// let mean = combine_by_mover(&[(0.5, 0.5, one), (0.5, 0.5, one)]);
/// assert!((mean.width() - one.width() / 2.0_f64.sqrt()).abs() < 1e-12, "{mean:?}");
/// // A difference has the width of both.
/// let difference = combine_by_mover(&[(1.0, 0.5, one), (-1.0, 0.5, one)]);
/// assert!((difference.width() - one.width() * 2.0_f64.sqrt()).abs() < 1e-12, "{difference:?}");
/// ```
pub fn combine_by_mover(parts: &[(f64, f64, Interval)]) -> Interval {
    let (mut sum, mut below, mut above) = (0.0, 0.0, 0.0);
    for (weight, estimate, interval) in parts {
        let down = weight * (estimate - interval.low);
        let up = weight * (interval.high - estimate);
        let (down, up) = if *weight < 0.0 { (up, down) } else { (down, up) };
        sum += weight * estimate;
        below += down * down;
        above += up * up;
    }
    Interval { low: sum - below.sqrt(), high: sum + above.sqrt() }
}

/// Renders `times` of `of` as a percentage with one decimal place, halves rounded up, from the integers themselves. `-` if `of` is 0.
///
/// ```
/// use statistics::proportion::render_percent;
///
/// assert_eq!([render_percent(2, 3), render_percent(1, 2_000), render_percent(0, 7)], ["66.7", "0.1", "0.0"]);
/// assert_eq!(render_percent(0, 0), "-");
/// ```
pub fn render_percent(times: u64, of: u64) -> String {
    if of == 0 {
        return "-".to_owned();
    }
    let tenths = (u128::from(times) * 2_000 + u128::from(of)) / (2 * u128::from(of));
    format!("{}.{}", tenths / 10, tenths % 10)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn near(a: f64, b: f64) -> bool {
        (a - b).abs() < 1e-4
    }

    #[test]
    fn intervals_of_wilson_are_those_published() {
        // R. G. Newcombe, "Two-sided confidence intervals for the single proportion", Statistics in Medicine 17, 1998, table I, method 3.
        for (times, n, low, high) in
            [(81, 263, 0.2553, 0.3662), (15, 148, 0.0624, 0.1605), (0, 20, 0.0, 0.1611), (1, 29, 0.0061, 0.1718)]
        {
            let interval = compute_wilson_interval(times, n);
            assert!(near(interval.low, low) && near(interval.high, high), "{times}/{n}: {interval:?}");
        }
        assert_eq!(compute_wilson_interval(0, 0), Interval { low: 0.0, high: 1.0 });
    }

    #[test]
    fn intervals_of_newcombe_are_those_published() {
        // The paper's table II, method 10, for 56/70 − 48/80, 9/10 − 3/10, 10/10 − 0/20.
        for (first, second, low, high) in
            [((48, 80), (56, 70), 0.0524, 0.3339), ((3, 10), (9, 10), 0.1705, 0.8090), ((0, 20), (10, 10), 0.6791, 1.0)]
        {
            let interval = compute_newcombe_interval(first, second);
            assert!(near(interval.low, low) && near(interval.high, high), "{first:?} {second:?}: {interval:?}");
        }
    }

    #[test]
    fn halves_go_up() {
        assert_eq!(
            [render_percent(45, 80), render_percent(49, 80), render_percent(39, 80), render_percent(7, 80)],
            ["56.3", "61.3", "48.8", "8.8"]
        );
        assert_eq!(
            [render_percent(0, 20), render_percent(20, 20), render_percent(0, 0), render_percent(1, 3)],
            ["0.0", "100.0", "-", "33.3"]
        );
    }

    proptest! {
        #[test]
        fn wilson_holds_the_share_and_narrows(times in 0u64..1000, more in 0u64..1000) {
            let n = times + more;
            prop_assume!(n > 0);
            let interval = compute_wilson_interval(times, n);
            prop_assert!(interval.low >= 0.0 && interval.high <= 1.0 && interval.has_value(times as f64 / n as f64));
            prop_assert!(compute_wilson_interval(times * 4, n * 4).width() < interval.width());
        }

        #[test]
        fn a_difference_turned_round_is_the_negative(a in 0u64..50, b in 0u64..50, n in 50u64..90, m in 50u64..90) {
            let (there, back) = (compute_newcombe_interval((a, n), (b, m)), compute_newcombe_interval((b, m), (a, n)));
            prop_assert!((there.low + back.high).abs() < 1e-12 && (there.high + back.low).abs() < 1e-12);
            prop_assert!(there.low >= -1.0 - 1e-12 && there.high <= 1.0 + 1e-12);
        }
    }
}
