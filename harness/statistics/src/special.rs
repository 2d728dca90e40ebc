//! Special functions that tests and intervals use.

use std::f64::consts::PI;

/// Returns ln n!.
fn compute_ln_factorial(n: u64) -> f64 {
    libm::lgamma(n as f64 + 1.0)
}

/// Returns ln of n over k; minus infinity if k > n.
pub fn compute_ln_choose(n: u64, k: u64) -> f64 {
    if k > n {
        f64::NEG_INFINITY
    } else {
        compute_ln_factorial(n) - compute_ln_factorial(k) - compute_ln_factorial(n - k)
    }
}

/// Returns the probability that Student's t with `freedom` degrees of freedom (1 or more) is within ±`t`: the finite series for whole degrees (M. Abramowitz,
/// I. A. Stegun, *Handbook of Mathematical Functions*, 1964, 26.7.3 and 26.7.4).
pub fn compute_t_within(t: f64, freedom: u64) -> f64 {
    let angle = libm::atan(t / (freedom as f64).sqrt());
    let (sine, cosine) = (libm::sin(angle), libm::cos(angle));
    let odd = freedom % 2 == 1;
    // Odd: cos + 2/3 cos³ + 2·4/(3·5) cos⁵ …; even: 1 + 1/2 cos² + 1·3/(2·4) cos⁴ …; the last power is freedom − 2.
    let mut term = if odd { cosine } else { 1.0 };
    let mut sum = if freedom == 1 { 0.0 } else { term };
    let mut power = if odd { 1 } else { 0 };
    while power + 2 + 2 <= freedom {
        term *= (power + 1) as f64 / (power + 2) as f64 * cosine * cosine;
        sum += term;
        power += 2;
    }
    if odd { 2.0 / PI * (angle + sine * sum) } else { sine * sum }
}

/// Returns the 97.5% quantile of Student's t: half the width, in standard errors, of a 95% confidence interval. Infinite for 0 degrees of freedom.
///
/// ```
/// use statistics::special::{compute_t_quantile, compute_t_within};
///
/// // As in tables: 12.706 for one degree of freedom, 2.571 for five.
/// assert!((compute_t_quantile(1) - 12.706).abs() < 0.001 && (compute_t_quantile(5) - 2.571).abs() < 0.001);
/// assert!((compute_t_within(compute_t_quantile(5), 5) - 0.95).abs() < 1e-12);
/// // With many it is the normal quantile; with none, any width is possible.
/// assert!((compute_t_quantile(200_000) - statistics::Z).abs() < 1e-12);
/// assert_eq!(compute_t_quantile(0), f64::INFINITY);
/// ```
pub fn compute_t_quantile(freedom: u64) -> f64 {
    if freedom == 0 {
        return f64::INFINITY;
    }
    if freedom > 100_000 {
        return crate::Z;
    }
    // It is between that of the normal distribution and that of one degree of freedom; 60 bisections determine every digit.
    let (mut low, mut high) = (1.9, 12.8);
    for _ in 0..60 {
        let middle = (low + high) / 2.0;
        if compute_t_within(middle, freedom) < 0.95 { low = middle } else { high = middle }
    }
    (low + high) / 2.0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quantiles_are_those_of_the_tables() {
        for (freedom, published) in [
            (1, 12.706),
            (2, 4.303),
            (3, 3.182),
            (4, 2.776),
            (5, 2.571),
            (9, 2.262),
            (10, 2.228),
            (30, 2.042),
            (120, 1.980),
        ] {
            let quantile = compute_t_quantile(freedom);
            assert!((quantile - published).abs() < 6e-4, "{freedom}: {quantile}");
        }
        assert!(compute_t_quantile(0).is_infinite());
    }

    #[test]
    fn choices_are_counted() {
        assert!((libm::exp(compute_ln_choose(10, 3)) - 120.0).abs() < 1e-9);
        assert_eq!(compute_ln_choose(3, 4), f64::NEG_INFINITY);
    }
}
