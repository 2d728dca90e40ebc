//! Sizes: numbers so large that only bounds of their logarithms are kept.

/// Up to this logarithm, a number can be restored exactly, and integers are used.
const EXACT: f64 = 12.0;

/// Bounds for a number of different values, as log10.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Size {
    /// The minimum number of values that can be distinguished in an instance.
    pub least: f64,
    /// The most likely value has a probability of at most 1 in this number. It bounds how many of `least` remain if only some are kept at random.
    pub spread: f64,
    /// The maximum number of values; infinite if it is unknown.
    pub most: f64,
}

impl Size {
    /// One value.
    pub const ONE: Size = Size { least: 0.0, spread: 0.0, most: 0.0 };
    /// An unknown number of values.
    pub const UNKNOWN: Size = Size { least: 0.0, spread: 0.0, most: f64::INFINITY };

    /// The size of 10^`log` equally likely values.
    pub fn new_uniform(log: f64) -> Size {
        Size { least: log, spread: log, most: log }
    }

    /// Returns the size of the pairs of values.
    pub fn combine_with(self, other: Size) -> Size {
        Size { least: self.least + other.least, spread: self.spread + other.spread, most: self.most + other.most }
    }

    /// Returns the size of values that cannot be read: nothing distinguishes them.
    pub fn as_hidden(self) -> Size {
        Size { least: 0.0, spread: 0.0, ..self }
    }
}

/// Returns log10 of a sum, from the logarithms of its terms; −∞ without terms.
pub fn sum_logs(logs: impl IntoIterator<Item = f64>) -> f64 {
    let logs: Vec<f64> = logs.into_iter().collect();
    let most = logs.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    if !most.is_finite() {
        return most;
    }
    most + libm::log10(logs.iter().map(|log| libm::pow(10.0, log - most)).sum())
}

/// Returns log10 of the number of ordered selections of `k` different values of 10^`log`: n (n − 1) … (n − k + 1). `None` if there are too few values.
pub fn count_permutations(log: f64, k: u64) -> Option<f64> {
    if log > EXACT {
        return Some(log * k as f64);
    }
    let n = libm::pow(10.0, log).round();
    (k as f64 <= n).then(|| (0..k).map(|at| libm::log10(n - at as f64)).sum())
}

/// Returns log10 of the number of sets of `k` different values of 10^`log`. `None` if there are too few values.
pub fn count_combinations(log: f64, k: u64) -> Option<f64> {
    Some((count_permutations(log, k)? - compute_log_factorial(k)).max(0.0))
}

/// Returns log10 of the number of ascending lists of `k` of 10^`log` values, which may repeat: n (n + 1) … (n + k − 1) / k!.
pub fn count_multisets(log: f64, k: u64) -> f64 {
    let lists: f64 = if log > EXACT {
        log * k as f64
    } else {
        let n = libm::pow(10.0, log).round();
        (0..k).map(|at| libm::log10(n + at as f64)).sum()
    };
    (lists - compute_log_factorial(k)).max(0.0)
}

/// Returns log10 of k!.
pub fn compute_log_factorial(k: u64) -> f64 {
    (1..=k).map(|at| libm::log10(at as f64)).sum()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        /// Against counting one by one.
        #[test]
        fn lists_are_counted(n in 1u64..6, k in 0u64..5) {
            let all = (0..n.pow(k as u32)).map(|code| (0..k).map(|at| code / n.pow(at as u32) % n).collect::<Vec<_>>());
            let (mut different, mut rising, mut strict) = (0u32, 0u32, 0u32);
            for list in all {
                let unlike = (0..list.len()).all(|at| !list[..at].contains(&list[at]));
                different += u32::from(unlike);
                rising += u32::from(list.is_sorted());
                strict += u32::from(unlike && list.is_sorted());
            }
            let log = (n as f64).log10();
            let count = |log: Option<f64>| log.map_or(0, |log| 10f64.powf(log).round() as u32);
            prop_assert_eq!(count(count_permutations(log, k)), different);
            prop_assert_eq!(count(count_combinations(log, k)), strict);
            prop_assert_eq!(count(Some(count_multisets(log, k))), rising);
        }

        #[test]
        fn sums_are_sums(numbers in prop::collection::vec(1u32..1000, 1..10)) {
            let total: u32 = numbers.iter().sum();
            prop_assert_eq!(10f64.powf(sum_logs(numbers.iter().map(|n| f64::from(*n).log10()))).round() as u32, total);
        }
    }
}
