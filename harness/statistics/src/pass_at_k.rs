//! Several trials of one instance: the probability that one of k is correct, and that all of k are.

/// Returns the probability that at least one of `k` trials is correct if `right` of `n` are: 1 − C(n − right, k) / C(n, k), unbiased (M. Chen and others,
/// "Evaluating large language models trained on code", 2021). `None` if `k` is 0 or more than `n`.
///
/// ```
/// use statistics::pass_at_k::{pass_all, pass_at};
///
/// // Three of ten trials were right. Two trials: one is right with 1 − 7/10 · 6/9, and both with 3/10 · 2/9.
/// let (any, all) = (pass_at(2, 3, 10).unwrap(), pass_all(2, 3, 10).unwrap());
/// assert!((any - 8.0 / 15.0).abs() < 1e-12 && (all - 1.0 / 15.0).abs() < 1e-12, "{any} {all}");
/// assert_eq!(pass_at(1, 3, 10).map(|share| (share * 10.0).round()), Some(3.0));
/// // Ten trials do not show what eleven would.
/// assert_eq!((pass_at(11, 3, 10), pass_at(0, 3, 10)), (None, None));
/// ```
pub fn pass_at(k: u64, right: u64, n: u64) -> Option<f64> {
    (right <= n).then(|| compute_all_chance(k, n - right, n).map(|none| 1.0 - none)).flatten()
}

/// Returns the probability that all of `k` trials are correct: C(right, k) / C(n, k), unbiased (S. Yao, N. Shinn, P. Razavi, K. Narasimhan, "τ-bench", 2024).
/// `None` if `k` is 0 or more than `n`.
pub fn pass_all(k: u64, right: u64, n: u64) -> Option<f64> {
    (right <= n).then(|| compute_all_chance(k, right, n)).flatten()
}

/// Returns C(some, k) / C(n, k), computed as a product.
fn compute_all_chance(k: u64, some: u64, n: u64) -> Option<f64> {
    if k == 0 || k > n {
        return None;
    }
    if k > some {
        return Some(0.0);
    }
    Some((0..k).map(|at| (some - at) as f64 / (n - at) as f64).product())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Over every choice of k of n trials, the first `right` of which are right: (some right, all right), of how many.
    fn counted(k: u64, right: u64, n: u64) -> (u64, u64, u64) {
        let choices = (0u64..1 << n).filter(|set| u64::from(set.count_ones()) == k);
        let good = (1u64 << right) - 1;
        choices.fold((0, 0, 0), |(some, all, of), set| {
            (some + u64::from(set & good != 0), all + u64::from(set & !good == 0), of + 1)
        })
    }

    #[test]
    fn agree_with_counting_every_choice() {
        for n in 1..=7 {
            for right in 0..=n {
                for k in 1..=n {
                    let (some, all, of) = counted(k, right, n);
                    let near = |a: Option<f64>, b: u64| (a.expect("in range") - b as f64 / of as f64).abs() < 1e-12;
                    assert!(near(pass_at(k, right, n), some) && near(pass_all(k, right, n), all), "{k} {right} {n}");
                }
            }
        }
        assert_eq!((pass_at(0, 1, 2), pass_at(3, 1, 2), pass_all(1, 3, 2)), (None, None, None));
    }
}
