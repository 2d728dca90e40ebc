//! Several tests at the same time.

/// Adjusts p values, in the given order, so the probability of any false positive among all tests is bounded (S. Holm, "A simple sequentially rejective
/// multiple test procedure", *Scandinavian Journal of Statistics* 6, 1979).
///
/// ```
/// use statistics::multiple_testing::adjust_by_holm;
///
/// let adjusted = adjust_by_holm(&[0.02, 0.01, 0.5]);
/// // The least of three counts three times, the next twice; the order stays.
/// assert!((adjusted[1] - 0.03).abs() < 1e-12 && (adjusted[0] - 0.04).abs() < 1e-12, "{adjusted:?}");
/// assert_eq!(adjusted[2], 0.5);
/// ```
pub fn adjust_by_holm(values: &[f64]) -> Vec<f64> {
    let mut order: Vec<usize> = (0..values.len()).collect();
    order.sort_by(|a, b| values[*a].total_cmp(&values[*b]));
    let mut adjusted = vec![1.0; values.len()];
    let mut least: f64 = 0.0;
    for (rank, at) in order.into_iter().enumerate() {
        least = least.max((values[at] * (values.len() - rank) as f64).min(1.0));
        adjusted[at] = least;
    }
    adjusted
}

/// Adjusts p values where they are, as [`adjust_by_holm`] does.
///
/// ```
/// use statistics::multiple_testing::adjust_in_place;
///
/// let mut rows = [("a", 0.75), ("b", 0.25)];
/// adjust_in_place(rows.iter_mut().map(|(_, p)| p));
/// assert_eq!(rows, [("a", 0.75), ("b", 0.5)]);
/// ```
pub fn adjust_in_place<'p>(values: impl Iterator<Item = &'p mut f64>) {
    let values: Vec<&mut f64> = values.collect();
    let adjusted = adjust_by_holm(&values.iter().map(|value| **value).collect::<Vec<_>>());
    values.into_iter().zip(adjusted).for_each(|(value, p)| *value = p);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_counts_those_not_yet_refuted() {
        assert_eq!(adjust_by_holm(&[0.01, 0.04, 0.03, 0.005]), [0.03, 0.06, 0.06, 0.02]);
        assert_eq!(adjust_by_holm(&[0.9, 0.8]), [1.0, 1.0]);
        assert!(adjust_by_holm(&[]).is_empty());
    }
}
