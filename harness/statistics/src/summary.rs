//! Summaries of amounts: mean, minimum, maximum, mode, and quantiles.

use serde::{Serialize, Serializer};

/// The distribution of an amount that is measured once per trial: rounds, milliseconds, tokens, money. Whole numbers are serialized as integers.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Spread {
    /// The number of values.
    pub n: u64,
    /// Their sum.
    #[serde(serialize_with = "serialize_number")]
    pub total: f64,
    /// Their mean.
    pub mean: f64,
    /// The minimum.
    #[serde(serialize_with = "serialize_number")]
    pub min: f64,
    /// The maximum.
    #[serde(serialize_with = "serialize_number")]
    pub max: f64,
    /// The mode; the least of equally common values.
    #[serde(serialize_with = "serialize_number")]
    pub mode: f64,
    /// The median (nearest rank).
    #[serde(serialize_with = "serialize_number")]
    pub median: f64,
    /// The 95th percentile (nearest rank).
    #[serde(serialize_with = "serialize_number")]
    pub p95: f64,
}

impl Spread {
    /// Summarizes these values; `None` without values. `parts` units of a value make 1.
    ///
    /// ```
    /// use statistics::summary::Spread;
    ///
    /// // Milliseconds, shown in seconds.
    /// let spread = Spread::from_values([1_500, 500, 500, 9_500], 1_000).expect("values");
    /// assert_eq!((spread.min, spread.max, spread.mean, spread.total), (0.5, 9.5, 3.0, 12.0));
    /// // The median is a value that occurred (nearest rank), not one between two.
    /// assert_eq!((spread.median, spread.mode, spread.p95), (0.5, 0.5, 9.5));
    /// assert_eq!(Spread::from_values([], 1), None);
    /// ```
    pub fn from_values(values: impl IntoIterator<Item = u64>, parts: u64) -> Option<Spread> {
        let mut values: Vec<u64> = values.into_iter().collect();
        values.sort_unstable();
        let (min, max) = (*values.first()?, *values.last()?);
        let n = values.len() as u64;
        let total: u128 = values.iter().map(|value| u128::from(*value)).sum();
        let mut mode = (0, min);
        for run in values.chunk_by(|a, b| a == b) {
            if run.len() > mode.0 {
                mode = (run.len(), run[0]);
            }
        }
        let one = |value: u64| value as f64 / parts as f64;
        Some(Spread {
            n,
            total: total as f64 / parts as f64,
            mean: total as f64 / n as f64 / parts as f64,
            min: one(min),
            max: one(max),
            mode: one(mode.1),
            median: one(find_percentile(&values, 50)),
            p95: one(find_percentile(&values, 95)),
        })
    }
}

/// The quartiles of amounts, with minimum and maximum.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Quartiles {
    /// The number of values.
    pub n: u64,
    /// The minimum.
    #[serde(serialize_with = "serialize_number")]
    pub min: f64,
    /// The first quartile (nearest rank, as are the others).
    #[serde(serialize_with = "serialize_number")]
    pub p25: f64,
    /// The median.
    #[serde(serialize_with = "serialize_number")]
    pub median: f64,
    /// The third quartile.
    #[serde(serialize_with = "serialize_number")]
    pub p75: f64,
    /// The maximum.
    #[serde(serialize_with = "serialize_number")]
    pub max: f64,
}

impl Quartiles {
    /// Summarizes these values; `None` without values. `parts` units of a value make 1.
    ///
    /// ```
    /// use statistics::summary::Quartiles;
    ///
    /// let quartiles = Quartiles::from_values([4, 1, 3, 2], 1).expect("values");
    /// assert_eq!((quartiles.p25, quartiles.median, quartiles.p75), (1.0, 2.0, 3.0));
    /// ```
    pub fn from_values(values: impl IntoIterator<Item = u64>, parts: u64) -> Option<Quartiles> {
        let mut values: Vec<u64> = values.into_iter().collect();
        values.sort_unstable();
        let one = |value: u64| value as f64 / parts as f64;
        Some(Quartiles {
            n: values.len() as u64,
            min: one(*values.first()?),
            p25: one(find_percentile(&values, 25)),
            median: one(find_percentile(&values, 50)),
            p75: one(find_percentile(&values, 75)),
            max: one(*values.last()?),
        })
    }
}

/// Returns the nearest rank: the value at place ⌈percent · n / 100⌉ in order.
fn find_percentile(sorted: &[u64], percent: usize) -> u64 {
    sorted.get((sorted.len() * percent).div_ceil(100).saturating_sub(1)).copied().unwrap_or(0)
}

/// Serializes a whole number as an integer.
fn serialize_number<S: Serializer>(value: &f64, serializer: S) -> Result<S::Ok, S::Error> {
    const EXACT: f64 = 9_007_199_254_740_992.0;
    if value.fract() == 0.0 && (0.0..EXACT).contains(value) {
        return serializer.serialize_u64(*value as u64);
    }
    serializer.serialize_f64(*value)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_five() {
        let spread = Spread::from_values([5, 3, 5, 3, 7], 1).expect("five");
        assert_eq!((spread.min, spread.max, spread.mode, spread.median, spread.p95), (3.0, 7.0, 3.0, 5.0, 7.0));
        assert_eq!((spread.n, spread.total, spread.mean), (5, 23.0, 4.6));
        assert_eq!(Spread::from_values([], 1), None);
        let quartiles = Quartiles::from_values([5, 3, 5, 3, 7], 1).expect("five");
        assert_eq!(
            (quartiles.min, quartiles.p25, quartiles.median, quartiles.p75, quartiles.max),
            (3.0, 3.0, 5.0, 5.0, 7.0)
        );
        assert_eq!(Quartiles::from_values([], 1), None);
        let cents = Spread::from_values([5, 25], 100).expect("two");
        assert_eq!((cents.min, cents.total, cents.mean), (0.05, 0.3, 0.15));
    }
}
