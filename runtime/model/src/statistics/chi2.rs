//! The upper tail of the chi-squared distribution: Q(df / 2, x / 2), the regularized upper incomplete gamma function (NIST Digital Library of
//! Mathematical Functions, 8.2.4).

use std::f64::consts::{PI, TAU};

use super::StatisticsError;

/// Maximum number of degrees of freedom; with more, the series is too long.
pub const MAX_FREEDOM: f64 = 1e9;

/// Computes the probability of `x` or more with this number of degrees of freedom.
///
/// ```
/// use model::statistics::{StatisticsError, compute_chi2_p};
///
/// // 3.84 is the 5% point of one degree of freedom.
/// let p = compute_chi2_p(3.841_458_820_694_124, 1.0).expect("in range");
/// assert!((p - 0.05).abs() < 1e-12, "{p}");
/// assert_eq!(compute_chi2_p(0.0, 4.0), Ok(1.0));
/// assert_eq!(compute_chi2_p(-1.0, 1.0), Err(StatisticsError::NegativeX(-1.0)));
/// ```
///
/// # Errors
/// `x` is less than 0, or `freedom` is less than 1 or greater than [`MAX_FREEDOM`].
pub fn compute_chi2_p(x: f64, freedom: f64) -> Result<f64, StatisticsError> {
    if x.is_nan() || x < 0.0 {
        return Err(StatisticsError::NegativeX(x));
    }
    if !(1.0..=MAX_FREEDOM).contains(&freedom) {
        return Err(StatisticsError::Freedom(freedom));
    }
    if x == 0.0 || x.is_infinite() {
        return Ok(if x == 0.0 { 1.0 } else { 0.0 });
    }
    let (a, x) = (freedom / 2.0, x / 2.0);
    let tail = if x < a + 1.0 {
        1.0 - compute_density(a, x) * sum_series(a, x)
    } else {
        compute_density(a, x) * a * evaluate_fraction(a, x)
    };
    Ok(tail.clamp(0.0, 1.0))
}

/// Σ x^k / ((a + 1) … (a + k)) from k = 0 (DLMF 8.11.4).
fn sum_series(a: f64, x: f64) -> f64 {
    let (mut term, mut sum, mut k) = (1.0, 1.0, 1.0);
    while term > sum * f64::EPSILON / 16.0 {
        term *= x / (a + k);
        sum += term;
        k += 1.0;
    }
    sum
}

/// 1 / (x + 1 − a − 1 (1 − a) / (x + 3 − a − …)) (DLMF 8.9.2), by Lentz's method (W. H. Press and others, Numerical Recipes, 3rd edition, 5.2).
fn evaluate_fraction(a: f64, x: f64) -> f64 {
    const TINY: f64 = 1e-300;
    let mut b = x + 1.0 - a;
    let (mut c, mut d) = (1.0 / TINY, 1.0 / b);
    let (mut value, mut k) = (d, 1.0);
    // With the maximum degrees of freedom, this takes about 100,000 iterations.
    while k < 1e7 {
        let by = -k * (k - a);
        b += 2.0;
        d = by * d + b;
        c = b + by / c;
        d = 1.0 / if d == 0.0 { TINY } else { d };
        c = if c == 0.0 { TINY } else { c };
        value *= d * c;
        if (d * c - 1.0).abs() <= f64::EPSILON {
            break;
        }
        k += 1.0;
    }
    value
}

/// x^a e^−x / Γ(a + 1) without powers that overflow or cancel: C. Loader, Fast and Accurate Computation of Binomial Probabilities, 2000.
fn compute_density(a: f64, x: f64) -> f64 {
    libm::exp(-compute_stirling_error(a) - compute_deviance(a, x)) / libm::sqrt(TAU * a)
}

/// Computes ln Γ(a + 1) minus Stirling's formula (DLMF 5.11.1).
fn compute_stirling_error(a: f64) -> f64 {
    if a < 10.0 {
        return libm::lgamma(a + 1.0) - (a + 0.5) * libm::log(a) + a - 0.5 * libm::log(2.0 * PI);
    }
    let square = a * a;
    let terms = [1.0 / 12.0, -1.0 / 360.0, 1.0 / 1260.0, -1.0 / 1680.0, 1.0 / 1188.0, -691.0 / 360_360.0, 1.0 / 156.0];
    terms.iter().rev().fold(0.0, |sum, term| sum / square + term) / a
}

/// a ln(a / x) + x − a.
fn compute_deviance(a: f64, x: f64) -> f64 {
    if (a - x).abs() >= 0.1 * (a + x) {
        return a * libm::log(a / x) + x - a;
    }
    // ln(a / x) = 2 (v + v³/3 + v⁵/5 + …); the remainder of the first term is (a − x) v.
    let v = (a - x) / (a + x);
    let (mut sum, mut power, mut k) = ((a - x) * v, 2.0 * a * v, 1.0);
    loop {
        power *= v * v;
        k += 2.0;
        let next = sum + power / k;
        if next == sum {
            return sum;
        }
        sum = next;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Where the tail is an elementary function: of 2 degrees e^(−x/2), of 1 degree erfc(√(x/2)), of 4 (1 + x/2) e^(−x/2).
    #[test]
    fn the_tail_where_it_is_elementary() {
        for x in [1e-9, 0.01, 0.5, 1.0, 2.0, 3.84, 5.99, 10.0, 50.0, 300.0, 1200.0] {
            let half = x / 2.0;
            let wanted =
                [(1.0, libm::erfc(libm::sqrt(half))), (2.0, libm::exp(-half)), (4.0, (1.0 + half) * libm::exp(-half))];
            for (freedom, wanted) in wanted {
                let tail = compute_chi2_p(x, freedom).expect("in range");
                assert!((tail - wanted).abs() <= 5e-13 * wanted, "chi2_p({x}, {freedom}) is {tail}, not {wanted}");
            }
        }
    }

    #[test]
    fn ends_and_mistakes() {
        assert_eq!(
            [compute_chi2_p(0.0, 3.0), compute_chi2_p(f64::INFINITY, 3.0), compute_chi2_p(1e5, 1.0)],
            [Ok(1.0), Ok(0.0), Ok(0.0)]
        );
        let middle = compute_chi2_p(1e9, 1e9).expect("in range");
        assert!((middle - 0.5).abs() < 1e-4, "{middle}");
        for (x, freedom) in [(-1.0, 3.0), (f64::NAN, 3.0), (1.0, 0.5), (1.0, 2e9), (1.0, f64::NAN)] {
            assert!(compute_chi2_p(x, freedom).is_err());
        }
    }

    #[test]
    fn the_tail_falls() {
        for freedom in [1.0, 2.5, 7.0, 19.0, 20.0, 21.0, 400.0] {
            let tails: Vec<f64> = (0..600).map(|x| compute_chi2_p(f64::from(x), freedom).expect("in range")).collect();
            assert!(tails.windows(2).all(|pair| pair[1] <= pair[0]), "with {freedom} degrees of freedom");
        }
    }
}
