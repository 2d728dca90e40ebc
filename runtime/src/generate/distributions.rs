//! Shapes other than uniform: truncated normal and lognormal by inverting the distribution function, zipf and weights by exact integers.
//!
//! One word a value and no rejection: truncation picks the part of the distribution function between the bounds. Only `libm` is used,
//! whose results are the same on every platform.

use plan::{Decimal, Value};

use super::streams;

/// A normal or lognormal, truncated to multiples of a step within bounds.
#[derive(Clone, Debug)]
pub(crate) struct Truncated {
    mean: f64,
    sd: f64,
    log: bool,
    /// The upper tail was mirrored to the lower one, where doubles are dense.
    mirrored: bool,
    /// The distribution function at the bounds.
    mass: (f64, f64),
    /// In units of `10^-places`.
    step: i128,
    places: u8,
    /// The least and greatest allowed multiple of the step.
    multiples: (i128, i128),
}

impl Truncated {
    /// `None` where no multiple of the step lies within the bounds, or the bounds hold less than a double can tell of the distribution.
    pub fn new(mean: f64, sd: f64, log: bool, low: Decimal, high: Decimal, step: Decimal) -> Option<Truncated> {
        let places = low.places().max(high.places()).max(step.places());
        let units = |value: Decimal| value.rescale(places).map(Decimal::units);
        let (low_units, high_units, step_units) = (units(low)?, units(high)?, units(step)?);
        if step_units < 1 || !(sd > 0.0 && sd.is_finite() && mean.is_finite()) {
            return None;
        }
        let least = -(-low_units).div_euclid(step_units);
        let most = high_units.div_euclid(step_units);
        // Half a step beyond the outermost multiples belongs to them.
        let edge = |multiple: i128, side: f64| {
            let value = (multiple as f64 + side) * step.to_f64();
            let value = if log { if value > 0.0 { libm::log(value) } else { f64::NEG_INFINITY } } else { value };
            (value - mean) / sd
        };
        let (from, to) = (edge(least, -0.5), edge(most, 0.5));
        let mirrored = from > 0.0;
        let mass = if mirrored { (normal_cdf(-to), normal_cdf(-from)) } else { (normal_cdf(from), normal_cdf(to)) };
        let holds = least <= most && mass.1 > mass.0;
        holds.then_some(Truncated {
            mean,
            sd,
            log,
            mirrored,
            mass,
            step: step.units(),
            places: step.places(),
            multiples: (least, most),
        })
    }

    /// The value of a word: an int where the step has no places, else a decimal.
    pub fn value(&self, word: u64) -> Value {
        let share = self.mass.0 + streams::fraction(word) * (self.mass.1 - self.mass.0);
        let z = normal_quantile(share);
        let x = self.mean + self.sd * if self.mirrored { -z } else { z };
        let x = if self.log { libm::exp(x) } else { x };
        let step = Decimal::new(self.step, self.places).map_or(1.0, Decimal::to_f64);
        // `as` saturates, and the clamp brings it back.
        let multiple = (libm::round(x / step) as i128).clamp(self.multiples.0, self.multiples.1);
        let units = multiple * self.step;
        match (self.places, i64::try_from(units)) {
            (0, Ok(value)) => Value::Int(value),
            _ => Decimal::new(units, self.places).map_or(Value::Null, Value::Decimal),
        }
    }
}

/// Φ(x), precise in the lower tail.
pub(crate) fn normal_cdf(x: f64) -> f64 {
    0.5 * libm::erfc(-x / std::f64::consts::SQRT_2)
}

/// Φ⁻¹(p) for 0 < p < 1: P. J. Acklam's rational approximation (relative error 1.15e-9), sharpened by one step of Halley's method.
#[allow(clippy::excessive_precision)] // the coefficients as published
pub(crate) fn normal_quantile(p: f64) -> f64 {
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
    let e = normal_cdf(x) - p;
    let u = e * libm::sqrt(2.0 * std::f64::consts::PI) * libm::exp(x * x / 2.0);
    // Far out, exp overflows; the approximation alone is good enough there.
    if u.is_finite() { x - u / (1.0 + x * u / 2.0) } else { x }
}

/// Running sums of weights: a word picks the item whose share it falls into.
#[derive(Clone, Debug)]
pub(crate) struct Cumulative(Vec<u64>);

impl Cumulative {
    /// `None` if the weights sum to 0 or beyond 64 bits.
    pub fn new(weights: impl Iterator<Item = u64>) -> Option<Cumulative> {
        let mut sum = 0u64;
        let sums: Option<Vec<u64>> = weights
            .map(|weight| {
                sum = sum.checked_add(weight)?;
                Some(sum)
            })
            .collect();
        sums.filter(|sums| sums.last().is_some_and(|sum| *sum > 0)).map(Cumulative)
    }

    /// Weights of a zipf of `n`: 2⁵⁰/k, rounded down. Their sum stays below 2⁵⁴ for n up to a million.
    pub fn zipf(n: u32) -> Option<Cumulative> {
        Cumulative::new((1..=u64::from(n)).map(|k| (1 << 50) / k))
    }

    /// The item of a word.
    pub fn pick(&self, word: u64) -> usize {
        let total = self.0.last().copied().unwrap_or(1);
        let at = streams::index(word, total.into());
        self.0.partition_point(|sum| *sum <= at)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_quantile_inverts_the_distribution() {
        for p in [1e-300, 1e-12, 0.001, 0.02425, 0.3, 0.5, 0.7, 0.975, 0.999_999] {
            let back = normal_cdf(normal_quantile(p));
            assert!((back / p - 1.0).abs() < 1e-12, "{p}: {back}");
        }
        assert!((normal_quantile(0.975) - 1.959_963_984_540_054).abs() < 1e-14);
    }

    #[test]
    fn a_far_tail_keeps_its_bounds() {
        let d = |text: &str| text.parse::<Decimal>().unwrap();
        let tail = Truncated::new(0.0, 1.0, false, d("10"), d("12"), d("0.001")).unwrap();
        for word in [0, 1 << 40, u64::MAX / 3, u64::MAX] {
            let value = tail.value(word).as_f64().unwrap();
            assert!((10.0..=12.0).contains(&value), "{value}");
        }
        assert!(Truncated::new(0.0, 1.0, false, d("60"), d("70"), d("1")).is_none());
    }

    #[test]
    fn weights_share_the_words() {
        let weights = Cumulative::new([3, 0, 1].into_iter()).unwrap();
        assert_eq!([0, u64::MAX / 2, u64::MAX / 4 * 3 + 10, u64::MAX].map(|word| weights.pick(word)), [0, 0, 2, 2]);
        assert!(Cumulative::new([0, 0].into_iter()).is_none());
    }
}
