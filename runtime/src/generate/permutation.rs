//! Keyed permutations of `0..n`: `unique` takes row r's value at `perm(r)`, so appending a row or a name never changes an earlier value.

use super::streams::{self, Words};

/// Maximum size of a shuffled permutation, which is exactly uniform; larger ones are computed.
const SMALL: u128 = 256;
/// Number of half rounds; 8 would pass statistical tests.
const ROUNDS: usize = 12;

/// A permutation of `0..n`, n from 1 to 2⁶⁴.
pub(crate) enum Permutation {
    /// All positions, or the first few, of a forward Fisher–Yates shuffle.
    Small([u8; 256]),
    /// An alternating Feistel network over the next power of two, iterated along its cycle until the result is below n.
    Large {
        /// The size n.
        n: u128,
        /// Number of bits of the right half.
        right_bits: u32,
        /// Masks of the left and the right half.
        masks: (u64, u64),
        /// Keys of the rounds.
        keys: [u64; ROUNDS],
    },
}

impl Permutation {
    /// Creates the permutation of `0..n` that `words` key. Only positions below `first` may be requested, which saves shuffle steps; their values do
    /// not depend on `first`.
    pub fn new(words: &mut Words, n: u128, first: u64) -> Permutation {
        if n <= SMALL {
            let mut table: [u8; 256] = std::array::from_fn(|at| at as u8);
            let n = n as usize;
            for at in 0..n.saturating_sub(1).min(first as usize) {
                let other = at + streams::to_index(streams::next(words), (n - at) as u128) as usize;
                table.swap(at, other);
            }
            return Permutation::Small(table);
        }
        let bits = 128 - (n - 1).leading_zeros();
        let right_bits = bits.div_ceil(2);
        let mask = |bits: u32| u64::MAX >> (64 - bits);
        let keys = std::array::from_fn(|_| streams::next(words));
        Permutation::Large { n, right_bits, masks: (mask(bits - right_bits), mask(right_bits)), keys }
    }

    /// Returns the image of `position` (below n).
    pub fn map_position(&self, position: u64) -> u64 {
        match self {
            Permutation::Small(table) => u64::from(table[(position & 255) as usize]),
            Permutation::Large { n, right_bits, masks, keys } => {
                let mut value = position;
                loop {
                    value = apply_network(value, *right_bits, *masks, keys);
                    if u128::from(value) < *n {
                        return value;
                    }
                }
            }
        }
    }
}

fn apply_network(value: u64, right_bits: u32, masks: (u64, u64), keys: &[u64; ROUNDS]) -> u64 {
    let (mut left, mut right) = (value >> right_bits, value & masks.1);
    for pair in keys.chunks_exact(2) {
        left ^= mix_bits(right ^ pair[0]) & masks.0;
        right ^= mix_bits(left ^ pair[1]) & masks.1;
    }
    (left << right_bits) | right
}

/// Applies the finalizer of SplitMix64: every bit of the input flips half of the output's bits on average.
fn mix_bits(mut x: u64) -> u64 {
    x = (x ^ (x >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    x ^ (x >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::generate::streams::{Keys, Stream};

    fn stream(seed: &str) -> Stream {
        Keys::new(1, seed).derive_stream(&["test"])
    }

    #[test]
    fn every_position_goes_somewhere_else() {
        for n in [1u64, 2, 3, 4, 10, 154, 255, 256, 257, 258, 1000, 4096, 4097, 65_537] {
            let permutation = Permutation::new(stream("bijective").derive_child(n), n.into(), n);
            let mut seen = vec![false; n as usize];
            for position in 0..n {
                let at = permutation.map_position(position) as usize;
                assert!(!std::mem::replace(&mut seen[at], true), "{n}: {at} twice");
            }
        }
    }

    #[test]
    fn the_first_positions_do_not_depend_on_how_many_are_asked_for() {
        for first in 1..20 {
            let few = Permutation::new(stream("prefix").derive_child(0), 154, first);
            let all = Permutation::new(stream("prefix").derive_child(0), 154, 154);
            assert!((0..first).all(|position| few.map_position(position) == all.map_position(position)));
        }
    }

    #[test]
    fn the_widest_permutation_stays_in_its_range() {
        let permutation = Permutation::new(stream("wide").derive_child(0), 1 << 64, u64::MAX);
        assert_ne!(permutation.map_position(0), permutation.map_position(u64::MAX));
    }
}
