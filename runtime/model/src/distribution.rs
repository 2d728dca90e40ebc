//! Continuous distributions: syntax, arguments, and cumulative probabilities. The runtime truncates them at the bounds and rounds to multiples of the
//! step (`runtime/src/generate/distributions.rs`).
//!
//! Only `libm` is used, whose results are the same on every platform.

use serde::{Deserialize, Serialize};

/// A distribution with known arguments.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Distribution {
    /// The normal distribution.
    Normal {
        /// Its mean.
        mean: f64,
        /// Its standard deviation, greater than 0.
        sd: f64,
    },
    /// The distribution of exp(X), where X is normal.
    Lognormal {
        /// The mean of the logarithm.
        mean: f64,
        /// The standard deviation of the logarithm, greater than 0.
        sd: f64,
    },
}

/// The names of the arguments of all distributions.
pub const ARGUMENTS: &[&str] = &["mean", "sd"];

/// The smallest and the largest value that may be drawn.
pub type Ends = (f64, f64);

/// A constructor of distributions; [`FAMILIES`] contains one row for each.
#[derive(Debug)]
pub struct Family {
    /// The word in the source.
    pub name: &'static str,
    /// The names of its arguments, each one of [`ARGUMENTS`], in the order of `make`.
    pub arguments: &'static [&'static str],
    /// The description of the arguments in a message about a missing one.
    pub needs: &'static str,
    /// A complete example.
    pub example: &'static str,
    /// Creates the distribution with these arguments between these bounds.
    pub make: fn(&[f64], Ends) -> Result<Distribution, Misfit>,
}

/// The reason why a distribution cannot be drawn from, as the parts of a diagnostic.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Misfit {
    /// Whether the arguments are valid, but no value is between the bounds.
    pub empty: bool,
    /// The message.
    pub message: &'static str,
    /// The label.
    pub label: &'static str,
    /// The help; if it is `None`, the example is shown.
    pub help: Option<&'static str>,
}

/// Every constructor of distributions.
pub const FAMILIES: &[Family] = &[
    Family {
        name: "normal",
        arguments: &["mean", "sd"],
        needs: "a mean and a standard deviation",
        example: "normal mean 50 sd 10 0..100 step 1",
        make: |arguments, bounds| check_mean_sd(arguments, bounds).map(|(mean, sd)| Distribution::Normal { mean, sd }),
    },
    Family {
        name: "lognormal",
        arguments: &["mean", "sd"],
        needs: "a mean and a standard deviation",
        example: "lognormal mean 3 sd 0.5 1..200 step 1",
        make: |arguments, (low, high)| {
            let log = |value: f64| libm::log(value.max(f64::MIN_POSITIVE));
            check_mean_sd(arguments, (log(low), log(high))).map(|(mean, sd)| Distribution::Lognormal { mean, sd })
        },
    },
];

/// Checks a mean and a standard deviation against the bounds.
fn check_mean_sd(arguments: &[f64], (low, high): Ends) -> Result<(f64, f64), Misfit> {
    let &[mean, sd] = arguments else { return Err(Misfit::PARTS) };
    if sd <= 0.0 {
        let (message, label) = ("`sd` must be greater than 0", "not greater than 0");
        return Err(Misfit { empty: false, message, label, help: None });
    }
    // Values more than eight standard deviations from the mean are never drawn.
    if mean + 8.0 * sd < low || mean - 8.0 * sd > high {
        return Err(Misfit {
            empty: true,
            message: "the bounds are too far from the mean to draw a value",
            label: "more than 8 sd away",
            help: Some("put the bounds around the mean (of the logarithm, for `lognormal`)"),
        });
    }
    Ok((mean, sd))
}

impl Misfit {
    const PARTS: Misfit =
        Misfit { empty: false, message: "the distribution has other arguments", label: "incomplete", help: None };
}

impl Family {
    /// Returns the constructor with this name.
    ///
    /// ```
    /// use model::distribution::{Distribution, Family};
    ///
    /// let normal = Family::from_name("normal").expect("a family");
    /// let made = (normal.make)(&[50.0, 10.0], (0.0, 100.0)).expect("a distribution");
    /// assert_eq!(made, Distribution::Normal { mean: 50.0, sd: 10.0 });
    /// let refused = |arguments: &[f64], bounds| (normal.make)(arguments, bounds).expect_err("refused").message;
    /// assert_eq!(refused(&[50.0, 0.0], (0.0, 100.0)), "`sd` must be greater than 0");
    /// assert_eq!(refused(&[50.0, 1.0], (90.0, 100.0)), "the bounds are too far from the mean to draw a value");
    /// ```
    pub fn from_name(name: &str) -> Option<&'static Family> {
        FAMILIES.iter().find(|family| family.name == name)
    }
}

impl Distribution {
    /// Converts a value to the distribution's own scale, whose center is 0.
    pub fn to_z_score(&self, value: f64) -> f64 {
        match self {
            Distribution::Normal { mean, sd } => (value - mean) / sd,
            Distribution::Lognormal { mean, sd } => {
                let log = if value > 0.0 { libm::log(value) } else { f64::NEG_INFINITY };
                (log - mean) / sd
            }
        }
    }

    /// Converts a point on that scale to a value.
    pub fn to_value(&self, place: f64) -> f64 {
        match self {
            Distribution::Normal { mean, sd } => mean + sd * place,
            Distribution::Lognormal { mean, sd } => libm::exp(mean + sd * place),
        }
    }
}

/// Computes Φ(x), the probability of values below a point on the scale of [`Distribution::to_z_score`]. It is precise in the lower tail; Φ(-x) is the
/// probability above, precise in the upper one.
pub fn compute_normal_cdf(x: f64) -> f64 {
    0.5 * libm::erfc(-x / std::f64::consts::SQRT_2)
}

/// Computes Φ⁻¹(p) for 0 < p < 1, the point below which values have this probability: P. J. Acklam's rational approximation (relative error 1.15e-9),
/// refined by one step of Halley's method.
///
/// ```
/// use model::distribution::{Distribution, compute_normal_cdf, invert_normal_cdf};
///
/// let heights = Distribution::Normal { mean: 170.0, sd: 10.0 };
/// let middle = heights.to_value(invert_normal_cdf(0.5));
/// assert!((middle - 170.0).abs() < 1e-9, "{middle}");
/// // Of a normal distribution, 97.5% are below the mean plus 1.96 standard deviations.
/// let high = heights.to_value(invert_normal_cdf(0.975));
/// assert!((high - 189.6).abs() < 0.01, "{high}");
/// assert!((compute_normal_cdf(-heights.to_z_score(high)) - 0.025).abs() < 1e-9);
/// ```
#[allow(clippy::excessive_precision)] // the coefficients as published
pub fn invert_normal_cdf(p: f64) -> f64 {
    const A: [f64; 6] = [
        -3.969683028665376e+01,
        2.209460984245205e+02,
        -2.759285104469687e+02,
        1.383577518672690e+02,
        -3.066479806614716e+01,
        2.506628277459239e+00,
    ];
    const B: [f64; 5] = [
        -5.447609879822406e+01,
        1.615858368580409e+02,
        -1.556989798598866e+02,
        6.680131188771972e+01,
        -1.328068155288572e+01,
    ];
    const C: [f64; 6] = [
        -7.784894002430293e-03,
        -3.223964580411365e-01,
        -2.400758277161838e+00,
        -2.549732539343734e+00,
        4.374664141464968e+00,
        2.938163982698783e+00,
    ];
    const D: [f64; 4] = [7.784695709041462e-03, 3.224671290700398e-01, 2.445134137142996e+00, 3.754408661907416e+00];
    const LOW: f64 = 0.02425;
    let polynomial = |coefficients: &[f64], x: f64| coefficients.iter().fold(0.0, |sum, c| sum * x + c);
    let tail = |p: f64| {
        let q = libm::sqrt(-2.0 * libm::log(p));
        polynomial(&C, q) / (polynomial(&D, q) * q + 1.0)
    };
    if p <= 0.0 {
        return f64::NEG_INFINITY;
    }
    if p >= 1.0 {
        return f64::INFINITY;
    }
    let x = if p < LOW {
        tail(p)
    } else if p > 1.0 - LOW {
        -tail(1.0 - p)
    } else {
        let q = p - 0.5;
        let r = q * q;
        polynomial(&A, r) * q / (polynomial(&B, r) * r + 1.0)
    };
    let e = compute_normal_cdf(x) - p;
    let u = e * libm::sqrt(2.0 * std::f64::consts::PI) * libm::exp(x * x / 2.0);
    // Far from the center, exp overflows; the approximation itself is accurate enough there.
    if u.is_finite() { x - u / (1.0 + x * u / 2.0) } else { x }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn arguments_are_those_of_distributions() {
        let used: BTreeSet<_> = FAMILIES.iter().flat_map(|family| family.arguments).collect();
        assert_eq!(used, ARGUMENTS.iter().collect());
    }

    #[test]
    fn the_quantile_inverts_the_distribution() {
        for p in [1e-300, 1e-12, 0.001, 0.02425, 0.3, 0.5, 0.7, 0.975, 0.999_999] {
            let back = compute_normal_cdf(invert_normal_cdf(p));
            assert!((back / p - 1.0).abs() < 1e-12, "{p}: {back}");
        }
        assert!((invert_normal_cdf(0.975) - 1.959_963_984_540_054).abs() < 1e-14);
    }
}
