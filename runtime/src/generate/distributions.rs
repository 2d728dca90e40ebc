//! Distributions other than uniform: truncated ones by inversion of the distribution function, zipf and weights by exact integers.
//!
//! Each value takes one word, without rejection: truncation selects the part of the distribution function between the bounds.

use model::distribution::{Distribution, compute_normal_cdf, invert_normal_cdf};
use model::steps::Steps;
use model::{Decimal, Value};

use super::streams;

/// A distribution, truncated to multiples of a step within bounds.
#[derive(Clone, Debug)]
pub(crate) struct Truncated {
    distribution: Distribution,
    /// Whether both bounds are in the upper half; then probabilities are measured from above, where doubles are dense.
    upper: bool,
    /// The cumulative probability at the two bounds.
    mass: (f64, f64),
    /// The step, in units of `10^-places`.
    step: i128,
    places: u8,
    /// The smallest and the largest allowed multiple of the step.
    multiples: (i128, i128),
}

impl Truncated {
    /// Creates the distribution; `None` if no multiple of the step is within the bounds, or if the probability between the bounds is too small for a double.
    pub fn new(distribution: Distribution, low: Decimal, high: Decimal, step: Decimal) -> Option<Truncated> {
        let within = Steps::new_multiples(low, high, step)?;
        let least = within.low / within.step;
        let most = least.checked_add_unsigned(within.n.checked_sub(1)?)?;
        // The outermost multiples also cover the half step outside of them.
        let edge = |multiple: i128, side: f64| distribution.to_z_score((multiple as f64 + side) * step.to_f64());
        let (from, to) = (edge(least, -0.5), edge(most, 0.5));
        let upper = from > 0.0;
        let mass = if upper {
            (compute_normal_cdf(-to), compute_normal_cdf(-from))
        } else {
            (compute_normal_cdf(from), compute_normal_cdf(to))
        };
        (mass.1 > mass.0).then_some(Truncated {
            distribution,
            upper,
            mass,
            step: step.units(),
            places: step.places(),
            multiples: (least, most),
        })
    }

    /// Returns the number of values between the bounds.
    pub fn count_values(&self) -> u128 {
        (self.multiples.1 - self.multiples.0).unsigned_abs() + 1
    }

    /// Returns the value at an index, in ascending order.
    pub fn value_at(&self, place: u64) -> Value {
        self.scale_multiple((self.multiples.0 + i128::from(place)).min(self.multiples.1))
    }

    /// Converts a word to a value: an int if the step has no places, otherwise a decimal.
    pub fn draw_value(&self, word: u64) -> Value {
        let share = self.mass.0 + streams::to_fraction(word) * (self.mass.1 - self.mass.0);
        let place = if self.upper { -invert_normal_cdf(share) } else { invert_normal_cdf(share) };
        let x = self.distribution.to_value(place);
        let step = Decimal::new(self.step, self.places).map_or(1.0, Decimal::to_f64);
        // `as` saturates, and the clamp restores the range.
        self.scale_multiple((libm::round(x / step) as i128).clamp(self.multiples.0, self.multiples.1))
    }

    fn scale_multiple(&self, multiple: i128) -> Value {
        let units = multiple * self.step;
        match (self.places, i64::try_from(units)) {
            (0, Ok(value)) => Value::Int(value),
            _ => Decimal::new(units, self.places).map_or(Value::Null, Value::Decimal),
        }
    }
}

/// Cumulative sums of weights; a word selects the item in whose interval it falls.
#[derive(Clone, Debug)]
pub(crate) struct Cumulative(Vec<u64>);

impl Cumulative {
    /// Sums up the weights; `None` if the sum is 0 or exceeds 64 bits.
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

    /// Creates the weights of a zipf distribution of `n` items: 2⁵⁰/k, rounded down. Their sum stays below 2⁵⁴ for n up to a million.
    pub fn new_zipf(n: u32) -> Option<Cumulative> {
        Cumulative::new((1..=u64::from(n)).map(|k| (1 << 50) / k))
    }

    /// Returns the number of items.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Returns the item selected by a word.
    pub fn pick_item(&self, word: u64) -> usize {
        let total = self.0.last().copied().unwrap_or(1);
        let at = streams::to_index(word, total.into());
        self.0.partition_point(|sum| *sum <= at)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_far_tail_keeps_its_bounds() {
        let d = |text: &str| text.parse::<Decimal>().unwrap();
        let normal = Distribution::Normal { mean: 0.0, sd: 1.0 };
        let tail = Truncated::new(normal, d("10"), d("12"), d("0.001")).unwrap();
        for word in [0, 1 << 40, u64::MAX / 3, u64::MAX] {
            let value = tail.draw_value(word).as_f64().unwrap();
            assert!((10.0..=12.0).contains(&value), "{value}");
        }
        assert!(Truncated::new(normal, d("60"), d("70"), d("1")).is_none());
    }

    #[test]
    fn weights_share_the_words() {
        let weights = Cumulative::new([3, 0, 1].into_iter()).unwrap();
        assert_eq!(
            [0, u64::MAX / 2, u64::MAX / 4 * 3 + 10, u64::MAX].map(|word| weights.pick_item(word)),
            [0, 0, 2, 2]
        );
        assert!(Cumulative::new([0, 0].into_iter()).is_none());
    }
}
