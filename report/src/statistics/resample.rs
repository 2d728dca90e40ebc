//! Intervals and tests by resampling, over clusters. Differences are whole numbers (of [`UNIT`]s), so that ties are ties on every machine; chance comes from ChaCha8
//! with a fixed key, so that the same runs give the same digits.

use rand::rngs::ChaCha8Rng;
use rand::{Rng as _, SeedableRng as _};

use super::Interval;

/// What a whole instance is worth: divisible by 1 to 16, so that the mean of up to 16 trials is exact.
pub const UNIT: i64 = 720_720;

/// Resamples of a bootstrap, where they are not too many draws.
pub const RESAMPLES: u64 = 10_000;
/// Random signs of a permutation test that cannot be exact.
pub const SHUFFLES: u64 = 20_000;
/// The most draws of a bootstrap: with more clusters there are fewer resamples, down to 1,000.
const DRAWS: u64 = 10_000_000;
/// The most steps of an exact permutation test.
const STEPS: u64 = 20_000_000;

/// The sum of the differences of a cluster's pairs, in units, and how many pairs there are.
pub type Pairs = (i64, u64);

struct Words(ChaCha8Rng);

impl Words {
    fn new() -> Words {
        Words(ChaCha8Rng::from_seed(*b"picardc report, resampling, v. 1"))
    }

    /// One of `n` (at least 1): the high half of the product of a word and n.
    fn below(&mut self, n: usize) -> usize {
        ((u128::from(self.0.next_u64()) * n as u128) >> 64) as usize
    }
}

/// The percentile interval of 95 % for the mean difference: clusters are drawn with replacement within each stratum (B. Efron, R. J. Tibshirani, *An Introduction to the
/// Bootstrap*, 1993, chapter 13; over clusters A. C. Davison, D. V. Hinkley, *Bootstrap Methods and their Application*, 1997, 3.8). `None` where
/// there are no pairs.
pub fn bootstrap(strata: &[Vec<Pairs>]) -> Option<Interval> {
    let clusters: usize = strata.iter().map(Vec::len).sum();
    if strata.iter().flatten().all(|(_, n)| *n == 0) {
        return None;
    }
    let resamples = (DRAWS / clusters as u64).clamp(1_000, RESAMPLES);
    let mut words = Words::new();
    let mut means: Vec<f64> = Vec::new();
    for _ in 0..resamples {
        let (mut sum, mut n) = (0i64, 0u64);
        for stratum in strata.iter().filter(|stratum| !stratum.is_empty()) {
            for _ in 0..stratum.len() {
                let (more, pairs) = stratum[words.below(stratum.len())];
                sum += more;
                n += pairs;
            }
        }
        // A resample of nothing but empty clusters has no mean.
        if n > 0 {
            means.push(sum as f64 / UNIT as f64 / n as f64);
        }
    }
    means.sort_by(f64::total_cmp);
    let last = means.len().checked_sub(1)?;
    // 2.5 % lie outside at either end.
    let out = means.len() / 40;
    Some(Interval { low: means[out.min(last)], high: means[last - out.min(last)] })
}

/// The two-sided p of the paired permutation test: under no difference each cluster's difference is as likely as its negative (R. A. Fisher, *The Design of Experiments*,
/// 1935, §21). Exact by convolution where that is possible, else by random signs, counting what was seen as one of them (B. Phipson, G. K. Smyth,
/// "Permutation p-values should never be zero", 2010). Also says whether it is exact.
pub fn sign_flip(differences: &[i64]) -> (f64, bool) {
    let seen = differences.iter().sum::<i64>().unsigned_abs();
    let moving: Vec<u64> = differences.iter().map(|value| value.unsigned_abs()).filter(|value| *value > 0).collect();
    let step = moving.iter().copied().fold(0, gcd);
    if step == 0 {
        return (1.0, true);
    }
    let sizes: Vec<u64> = moving.iter().map(|value| value / step).collect();
    let range: u64 = sizes.iter().sum();
    if range.saturating_mul(sizes.len() as u64) <= STEPS {
        (exact_flip(&sizes, range as usize, (seen / step) as usize), true)
    } else {
        (random_flip(&moving, seen), false)
    }
}

/// The chance of a sum as far from 0: the distribution of Σ±size, built one size after the other. Place p stands for the sum 2p − range.
fn exact_flip(sizes: &[u64], range: usize, seen: usize) -> f64 {
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

fn random_flip(sizes: &[u64], seen: u64) -> f64 {
    let mut words = Words::new();
    let mut as_far = 0u64;
    for _ in 0..SHUFFLES {
        let mut sum = 0i64;
        for chunk in sizes.chunks(64) {
            let mut signs = words.0.next_u64();
            for size in chunk {
                sum += if signs & 1 == 0 { *size as i64 } else { -(*size as i64) };
                signs >>= 1;
            }
        }
        as_far += u64::from(sum.unsigned_abs() >= seen);
    }
    (as_far + 1) as f64 / (SHUFFLES + 1) as f64
}

fn gcd(a: u64, b: u64) -> u64 {
    if b == 0 { a } else { gcd(b, a % b) }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::exact::mcnemar;
    use super::*;

    #[test]
    fn without_difference_nothing_is_shown() {
        assert_eq!(sign_flip(&[]), (1.0, true));
        assert_eq!(sign_flip(&[0, 0]), (1.0, true));
        assert_eq!(bootstrap(&[]), None);
        assert_eq!(bootstrap(&[vec![(0, 4), (0, 2)]]), Some(Interval { low: 0.0, high: 0.0 }));
    }

    #[test]
    fn random_signs_are_near_the_exact_ones() {
        let sizes: Vec<u64> = (1..40).collect();
        let seen: u64 = 300;
        let exact = exact_flip(&sizes, sizes.iter().sum::<u64>() as usize, seen as usize);
        assert!((random_flip(&sizes, seen) - exact).abs() < 0.01);
    }

    #[test]
    fn a_bootstrap_is_near_the_normal_interval() {
        // 400 pairs, 80 won and 40 lost: 0.10 ± 1.96 · √((0.3 − 0.01) / 400).
        let pairs: Vec<Pairs> = (0..400)
            .map(|at| {
                (
                    if at < 80 {
                        UNIT
                    } else if at < 120 {
                        -UNIT
                    } else {
                        0
                    },
                    1,
                )
            })
            .collect();
        let interval = bootstrap(&[pairs]).expect("pairs");
        assert!((interval.low - 0.0472).abs() < 0.004 && (interval.high - 0.1528).abs() < 0.004, "{interval:?}");
    }

    proptest! {
        #[test]
        fn single_pairs_give_mcnemar(won in 0u64..40, lost in 0u64..40, same in 0usize..5) {
            let mut pairs = vec![UNIT; won as usize];
            pairs.extend(vec![-UNIT; lost as usize]);
            pairs.extend(vec![0; same]);
            let (p, exact) = sign_flip(&pairs);
            prop_assert!(exact && (p - mcnemar(won, lost)).abs() < 1e-9);
        }

        #[test]
        fn convolution_agrees_with_every_sign(differences in prop::collection::vec(-6i64..=6, 1..10)) {
            let seen = differences.iter().sum::<i64>().abs();
            let sum = |signs: u32| -> i64 {
                differences.iter().enumerate().map(|(at, value)| if signs >> at & 1 == 1 { *value } else { -value }).sum()
            };
            let all = 1u32 << differences.len();
            let as_far = (0..all).filter(|signs| sum(*signs).abs() >= seen).count();
            prop_assert!((sign_flip(&differences).0 - as_far as f64 / f64::from(all)).abs() < 1e-9);
        }
    }
}
