//! What whole numbers are like: mean, ends, commonest, quantiles.

use serde::Serialize;

/// Rounds, milliseconds, tokens: whatever is counted once a trial.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Spread {
    /// How many there are.
    pub n: u64,
    /// Their sum.
    pub total: u64,
    /// Their mean.
    pub mean: f64,
    /// The least.
    pub min: u64,
    /// The greatest.
    pub max: u64,
    /// The commonest; the least of several.
    pub mode: u64,
    /// Half are no more (nearest rank).
    pub median: u64,
    /// 95 % are no more (nearest rank).
    pub p95: u64,
}

impl Spread {
    /// Of these; `None` where there are none.
    pub fn of(values: impl IntoIterator<Item = u64>) -> Option<Spread> {
        let mut values: Vec<u64> = values.into_iter().collect();
        values.sort_unstable();
        let (min, max) = (*values.first()?, *values.last()?);
        let n = values.len() as u64;
        let total = values.iter().fold(0u64, |sum, value| sum.saturating_add(*value));
        let mut mode = (0, min);
        for run in values.chunk_by(|a, b| a == b) {
            if run.len() > mode.0 {
                mode = (run.len(), run[0]);
            }
        }
        let mean = total as f64 / n as f64;
        Some(Spread { n, total, mean, min, max, mode: mode.1, median: rank(&values, 50), p95: rank(&values, 95) })
    }
}

/// The nearest rank: the value at place ⌈percent · n / 100⌉ of those in order.
fn rank(sorted: &[u64], percent: usize) -> u64 {
    sorted.get((sorted.len() * percent).div_ceil(100).saturating_sub(1)).copied().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_five() {
        let spread = Spread::of([5, 3, 5, 3, 7]).expect("five");
        assert_eq!((spread.min, spread.max, spread.mode, spread.median, spread.p95), (3, 7, 3, 5, 7));
        assert_eq!((spread.n, spread.total, spread.mean), (5, 23, 4.6));
        assert_eq!(Spread::of([]), None);
    }
}
