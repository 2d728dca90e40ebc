//! Estimates from samples: entropy, and a lower bound for the number of different values if none occurred twice.

use std::f64::consts::LN_2;

/// The probability that a bound from samples is wrong.
const ERROR: f64 = 0.05;

/// Estimates the Shannon entropy, in bits, of values that occurred `counts` times: the plug-in estimate, with the correction of Miller and Madow for its bias,
/// (K − 1) / 2n nats for K different answers among n (G. A. Miller, "Note on the bias of information estimates", in H. Quastler (ed.), *Information Theory in
/// Psychology*, 1955). Zeros do not count. 0 without values.
///
/// ```
/// use statistics::entropy::estimate_entropy;
///
/// // A fair coin has one bit; a hundred throws overestimate it a little.
/// let coin = estimate_entropy(&[50, 50]);
/// assert!((coin - 1.0072).abs() < 1e-4, "{coin}");
/// assert_eq!((estimate_entropy(&[100]), estimate_entropy(&[])), (0.0, 0.0));
/// ```
pub fn estimate_entropy(counts: &[u64]) -> f64 {
    // Sorted, because sums of doubles depend on their order.
    let mut counts: Vec<u64> = counts.iter().copied().filter(|count| *count > 0).collect();
    counts.sort_unstable();
    let n: u64 = counts.iter().sum();
    if n == 0 {
        return 0.0;
    }
    let n = n as f64;
    let plug_in: f64 = counts
        .iter()
        .map(|count| {
            let share = *count as f64 / n;
            -share * libm::log2(share)
        })
        .sum();
    (plug_in + (counts.len() as f64 - 1.0) / (2.0 * n * LN_2)).max(0.0)
}

/// Returns log10 of a lower bound, with 95% confidence, for the number of different values, if `n` draws had no repetition. With N values of any probabilities,
/// all n differ with a probability of at most exp(−n(n − 1) / 2N), which is greatest if all are equally likely: so a smaller N is rejected.
///
/// ```
/// use statistics::entropy::estimate_birthday_bound;
///
/// // A thousand draws without a repetition: surely more than 10⁵ values.
/// let bound = estimate_birthday_bound(1_000);
/// assert!((bound - 5.222).abs() < 0.001, "{bound}");
/// assert_eq!(estimate_birthday_bound(1), 0.0);
/// ```
pub fn estimate_birthday_bound(n: u64) -> f64 {
    let pairs = n as f64 * (n as f64 - 1.0) / 2.0;
    if pairs < 1.0 { 0.0 } else { libm::log10(pairs / -libm::log(ERROR)).max(0.0) }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn entropies_that_are_known() {
        assert_eq!(estimate_entropy(&[]), 0.0);
        assert_eq!(estimate_entropy(&[12]), 0.0);
        // 1 bit, and 1 / (2 · 1000 · ln 2) for the second answer.
        assert!((estimate_entropy(&[500, 500]) - 1.000_721_347_5).abs() < 1e-9);
        // 0.811278 bits of 3 : 1, and 1 / (2 · 400 · ln 2).
        assert!((estimate_entropy(&[300, 0, 100]) - (0.811_278_124_5 + 0.001_803_368_8)).abs() < 1e-9);
    }

    #[test]
    fn birthdays() {
        // 23 of 365: even odds; so no repetition among 23 refutes, at 95%, only numbers far below 365.
        assert!((estimate_birthday_bound(23) - (253.0_f64 / 20f64.ln()).log10()).abs() < 1e-12);
        assert_eq!((estimate_birthday_bound(0), estimate_birthday_bound(1)), (0.0, 0.0));
    }

    proptest! {
        #[test]
        fn entropy_does_not_depend_on_order_and_is_bounded(mut counts in prop::collection::vec(1u64..500, 1..40)) {
            let n: u64 = counts.iter().sum();
            let before = estimate_entropy(&counts);
            let kinds = counts.len() as f64;
            let correction = (kinds - 1.0) / (2.0 * n as f64 * LN_2);
            prop_assert!(before >= correction - 1e-9 && before <= kinds.log2() + correction + 1e-9);
            counts.reverse();
            prop_assert_eq!(before.to_bits(), estimate_entropy(&counts).to_bits());
        }

        #[test]
        fn splitting_an_answer_never_lowers_entropy(counts in prop::collection::vec(2u64..500, 1..20), at in 0usize..20) {
            let mut split = counts.clone();
            let at = at % split.len();
            split[at] -= 1;
            split.push(1);
            prop_assert!(estimate_entropy(&split) > estimate_entropy(&counts));
        }

        #[test]
        fn no_repetition_refutes_no_more_than_it_may(n in 2u64..2000) {
            // At the bound itself, n draws without a repetition have a probability of at least about 5%.
            let count = 10f64.powf(estimate_birthday_bound(n)).ceil().max(n as f64);
            let log: f64 = (0..n).map(|at| (1.0 - at as f64 / count).ln()).sum();
            prop_assert!(log <= 0.0);
            prop_assert!(-(n as f64) * (n as f64 - 1.0) / (2.0 * count) >= ERROR.ln() - 1e-9);
        }
    }
}
