//! The permutation test of pairs, over clusters. Differences are whole numbers (of [`UNIT`]s), so ties are exact on every machine. Random numbers come from
//! ChaCha8 with a fixed key, so the same runs have the same digits.

use rand::rngs::ChaCha8Rng;
use rand::{Rng as _, SeedableRng as _};

/// The weight of an instance: divisible by 1 to 16, so the mean of up to 16 trials is exact.
pub const UNIT: i64 = 720_720;

/// The number of random sign vectors of a permutation test that is not exact.
pub const SHUFFLES: u64 = 20_000;
/// The maximum number of steps of an exact permutation test.
const STEPS: u128 = 20_000_000;

/// Returns the two-sided p of the paired permutation test: without a difference, each cluster's difference is as likely as its negative (R. A. Fisher, *The
/// Design of Experiments*, 1935, §21). Exact by convolution if possible, otherwise with random signs, including the observed ones (B. Phipson, G. K. Smyth,
/// "Permutation p-values should never be zero", 2010). Also returns whether it is exact.
///
/// ```
/// use statistics::permutation_test::compute_sign_flip_p;
///
/// // Of the 2⁶ signs, two give a sum as far from 0.
/// assert_eq!(compute_sign_flip_p(&[1i64; 6]), (2.0 / 64.0, true));
/// // Five clusters can never be significant at 5%.
/// assert_eq!(compute_sign_flip_p(&[7i64; 5]), (2.0 / 32.0, true));
/// // Equal results are not evidence.
/// assert_eq!(compute_sign_flip_p(&[0i64; 6]), (1.0, true));
/// ```
pub fn compute_sign_flip_p<T: Copy + Into<i128>>(differences: &[T]) -> (f64, bool) {
    let seen = differences.iter().fold(0i128, |sum, value| sum.saturating_add((*value).into())).unsigned_abs();
    let sizes = differences.iter().map(|value| (*value).into().unsigned_abs());
    let moving: Vec<u128> = sizes.filter(|value| *value > 0).collect();
    let step = moving.iter().copied().fold(0, compute_gcd);
    if step == 0 {
        return (1.0, true);
    }
    let sizes: Vec<u128> = moving.iter().map(|value| value / step).collect();
    let range = sizes.iter().fold(0u128, |sum, size| sum.saturating_add(*size));
    if range.saturating_mul(sizes.len() as u128) <= STEPS {
        (compute_exact_flip(&sizes, range as usize, (seen / step) as usize), true)
    } else {
        (sample_random_flip(&moving, seen), false)
    }
}

/// Returns the probability of a sum at least as far from 0 as `seen`, from the distribution of Σ±size, built one size after the other. Index p
/// is the sum 2p − range.
fn compute_exact_flip(sizes: &[u128], range: usize, seen: usize) -> f64 {
    let mut chances = vec![0.0; range + 1];
    chances[0] = 1.0;
    let mut reached = 0;
    for size in sizes.iter().map(|size| *size as usize) {
        reached += size;
        for at in (0..=reached).rev() {
            let stay = if at + size <= reached { chances[at] } else { 0.0 };
            let gone = if at >= size { chances[at - size] } else { 0.0 };
            chances[at] = 0.5 * stay + 0.5 * gone;
        }
    }
    let far = |at: &usize| (2 * at).abs_diff(range) >= seen;
    (0..=range).filter(far).map(|at| chances[at]).sum::<f64>().min(1.0)
}

fn sample_random_flip(sizes: &[u128], seen: u128) -> f64 {
    let chunks: Vec<Vec<Group>> = sizes.chunks(64).map(group_sizes).collect();
    let mut words = ChaCha8Rng::from_seed(*b"picardc report, resampling, v. 1");
    let mut as_far = 0u64;
    for _ in 0..SHUFFLES {
        let mut sum = 0i128;
        for groups in &chunks {
            let signs = words.next_u64();
            for group in groups {
                // A size with a set bit is subtracted, one with another bit is added.
                let added = i128::from(group.places.count_ones()) - 2 * i128::from((signs & group.places).count_ones());
                sum = sum.saturating_add(group.size.saturating_mul(added));
            }
        }
        as_far += u64::from(sum.unsigned_abs() >= seen);
    }
    (as_far + 1) as f64 / (SHUFFLES + 1) as f64
}

/// The places of a size among 64 others, as bits. Most runs have few sizes: their sums are counts.
struct Group {
    size: i128,
    places: u64,
}

/// Groups up to 64 sizes by their value.
fn group_sizes(sizes: &[u128]) -> Vec<Group> {
    let mut groups: Vec<Group> = Vec::new();
    for (at, size) in sizes.iter().enumerate() {
        let size = i128::try_from(*size).unwrap_or(i128::MAX);
        match groups.iter_mut().find(|group| group.size == size) {
            Some(group) => group.places |= 1 << at,
            None => groups.push(Group { size, places: 1 << at }),
        }
    }
    groups
}

fn compute_gcd(a: u128, b: u128) -> u128 {
    if b == 0 { a } else { compute_gcd(b, a % b) }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::exact_tests::compute_mcnemar_p;

    #[test]
    fn without_difference_nothing_is_shown() {
        assert_eq!(compute_sign_flip_p::<i64>(&[]), (1.0, true));
        assert_eq!(compute_sign_flip_p(&[0, 0]), (1.0, true));
        // Sums that 64 bits cannot hold.
        assert_eq!(compute_sign_flip_p(&[i64::MAX, i64::MAX, i64::MAX]), (0.25, true));
    }

    #[test]
    fn random_signs_are_near_the_exact_ones() {
        let sizes: Vec<u128> = (1..40).collect();
        let seen: u128 = 300;
        let exact = compute_exact_flip(&sizes, sizes.iter().sum::<u128>() as usize, seen as usize);
        assert!((sample_random_flip(&sizes, seen) - exact).abs() < 0.01);
    }

    /// The same sums, sign by sign.
    fn sample_each_sign(sizes: &[u128], seen: u128) -> f64 {
        let mut words = ChaCha8Rng::from_seed(*b"picardc report, resampling, v. 1");
        let mut as_far = 0u64;
        for _ in 0..SHUFFLES {
            let mut sum = 0i128;
            for chunk in sizes.chunks(64) {
                let signs = words.next_u64();
                let signed =
                    |(at, size): (usize, &u128)| if signs >> at & 1 == 0 { *size as i128 } else { -(*size as i128) };
                sum += chunk.iter().enumerate().map(signed).sum::<i128>();
            }
            as_far += u64::from(sum.unsigned_abs() >= seen);
        }
        (as_far + 1) as f64 / (SHUFFLES + 1) as f64
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(24))]

        #[test]
        fn groups_of_sizes_have_the_sum_of_their_signs(sizes in prop::collection::vec(1u128..5, 1..150), seen in 0u128..40) {
            prop_assert_eq!(sample_random_flip(&sizes, seen), sample_each_sign(&sizes, seen));
        }
    }

    proptest! {
        #[test]
        fn single_pairs_give_mcnemar(won in 0u64..40, lost in 0u64..40, same in 0usize..5) {
            let mut pairs = vec![UNIT; won as usize];
            pairs.extend(vec![-UNIT; lost as usize]);
            pairs.extend(vec![0; same]);
            let (p, exact) = compute_sign_flip_p(&pairs);
            prop_assert!(exact && (p - compute_mcnemar_p(won, lost)).abs() < 1e-9);
        }

        #[test]
        fn convolution_agrees_with_every_sign(differences in prop::collection::vec(-6i64..=6, 1..10)) {
            let seen = differences.iter().sum::<i64>().abs();
            let sum = |signs: u32| -> i64 {
                differences.iter().enumerate().map(|(at, value)| if signs >> at & 1 == 1 { *value } else { -value }).sum()
            };
            let all = 1u32 << differences.len();
            let as_far = (0..all).filter(|signs| sum(*signs).abs() >= seen).count();
            prop_assert!((compute_sign_flip_p(&differences).0 - as_far as f64 / f64::from(all)).abs() < 1e-9);
        }
    }
}
