//! Keyed random words (language §8): assigns words to values, and converts words to indexes and fractions.
//!
//! Edition 1 freezes everything in this module; the golden vectors in `golden.rs` verify it.

use blake3::Hasher;
use rand::rngs::ChaCha8Rng;
use rand::{Rng, SeedableRng};

/// The part before a reserved word, which keeps a column called `rows` or `blank` from sharing a key with it: names are never empty.
const OWN: &str = "";

/// A hash of the path until now: edition, seed, suite, task, sample, attempt. Cloned and finished once per stream.
#[derive(Clone)]
pub(crate) struct Keys(Hasher);

impl Keys {
    /// Creates the keys of one edition and seed.
    pub fn new(edition: u32, seed: &str) -> Keys {
        let context = format!("picardc 2026-11 random streams, edition {edition}");
        Keys(Hasher::new_derive_key(&context)).with_part(seed.as_bytes())
    }

    /// Returns the path with one more part. Each part is preceded by its length, so `ab, c` differs from `a, bc`.
    pub fn with_part(mut self, part: &[u8]) -> Keys {
        self.push_part(part);
        self
    }

    /// Returns the keys of an attempt at a sample (both from 0), for a row of a data set if the task has one.
    pub fn with_attempt(&self, sample: u32, row: Option<&str>, attempt: u32) -> Keys {
        let of_sample = self.clone().with_part(&u64::from(sample).to_le_bytes());
        let of_row = match row {
            Some(key) => of_sample.with_part(key.as_bytes()),
            None => of_sample,
        };
        of_row.with_part(&u64::from(attempt).to_le_bytes())
    }

    fn push_part(&mut self, part: &[u8]) {
        self.0.update(&(part.len() as u64).to_le_bytes());
        self.0.update(part);
    }

    /// Returns the stream of the value at `path`.
    pub fn derive_stream(&self, path: &[&str]) -> Stream {
        Stream::new(self.derive_key(path, &[]))
    }

    /// Returns the stream that decides which values of `path` are blank. It is separate, so adding `blank` does not change a value.
    pub fn derive_blank_stream(&self, path: &[&str]) -> Stream {
        Stream::new(self.derive_key(path, &[OWN, "blank"]))
    }

    /// Returns the stream from which the number of rows of a relation is drawn.
    pub fn derive_row_stream(&self, relation: &str) -> Stream {
        Stream::new(self.derive_key(&[relation], &[OWN, "rows"]))
    }

    /// Returns the key by which files of a lake are chosen.
    pub fn derive_lake_key(&self, name: &str) -> [u8; 32] {
        self.derive_key(&[], &[OWN, "lake", name])
    }

    /// Returns the stream of the dirt between a file's relation and its bytes: for a column's style, in the first copies or the duplicates of rows;
    /// or for the choice of duplicates.
    pub fn derive_dirt_stream(&self, file: &str, what: &[&str]) -> Stream {
        Stream::new(self.derive_key(&[file], &[&[OWN], what].concat()))
    }

    fn derive_key(&self, path: &[&str], more: &[&str]) -> [u8; 32] {
        let mut keys = self.clone();
        for part in path.iter().chain(more) {
            keys.push_part(part.as_bytes());
        }
        *keys.0.finalize().as_bytes()
    }
}

/// The words of one value path: row r has the r-th.
pub(crate) struct Stream {
    key: [u8; 32],
    words: ChaCha8Rng,
    child: Option<ChaCha8Rng>,
}

impl Stream {
    /// Creates the stream of a key.
    pub fn new(key: [u8; 32]) -> Stream {
        Stream { key, words: ChaCha8Rng::from_seed(key), child: None }
    }

    /// Returns the word of the next row.
    #[inline]
    pub fn next(&mut self) -> u64 {
        self.words.next_u64()
    }

    /// Returns the words of the first `rows` rows.
    pub fn draw_words(&mut self, rows: usize) -> Vec<u64> {
        std::iter::repeat_with(|| self.next()).take(rows).collect()
    }

    /// Returns as many words as a value needs, keyed by its row's `word`: a ChaCha8 stream with the word as nonce. Its key differs from the column's
    /// in one bit; otherwise the word 0 would repeat the column's own words.
    pub fn derive_child(&mut self, word: u64) -> &mut Words {
        let key = self.key;
        let child = self.child.get_or_insert_with(|| ChaCha8Rng::from_seed(derive_child_key(key)));
        child.set_stream(word);
        child
    }

    /// Returns the words of [`Stream::derive_child`] for a caller that shares the stream.
    pub fn derive_own_child(&self, word: u64) -> Words {
        let mut child = Words::from_seed(derive_child_key(self.key));
        child.set_stream(word);
        child
    }
}

/// Derives the key of a stream's children.
fn derive_child_key(mut key: [u8; 32]) -> [u8; 32] {
    key[31] ^= 0x80;
    key
}

/// A sequence of random words.
pub(crate) type Words = ChaCha8Rng;

/// Returns the next word of `words`.
#[inline]
pub(crate) fn next(words: &mut Words) -> u64 {
    words.next_u64()
}

/// Maps a word to one of `n` choices (`n` from 1 to 2⁶⁴): the high half of the product. The error of a choice's probability is less than 2⁻⁶⁴.
#[inline]
pub(crate) fn to_index(word: u64, n: u128) -> u64 {
    ((u128::from(word) * n) >> 64) as u64
}

/// Maps two words to one of `n` choices, for numbers that need more than one word.
pub(crate) fn to_wide_index(high: u64, low: u64, n: u128) -> u128 {
    let (n_high, n_low) = (n >> 64, n & u128::from(u64::MAX));
    let (high, low) = (u128::from(high), u128::from(low));
    // The high 128 bits of a 256-bit product, including carries from the middle.
    let middle =
        ((low * n_low) >> 64) + ((high * n_low) & u128::from(u64::MAX)) + ((low * n_high) & u128::from(u64::MAX));
    high * n_high + ((high * n_low) >> 64) + ((low * n_high) >> 64) + (middle >> 64)
}

/// Maps a word to a fraction in the open interval (0, 1) with 53 significant bits: the middle of one of 2⁵² equal steps, which is never 0 or 1.
pub(crate) fn to_fraction(word: u64) -> f64 {
    const STEP: f64 = 1.0 / (1u64 << 53) as f64;
    ((word >> 12) as f64 * 2.0 + 1.0) * STEP
}
