//! Keyed random words (language §8): which word belongs to which value, and how a word becomes an index or a fraction.
//!
//! Edition 1 freezes everything here; the golden vectors in `golden.rs` hold it still.

use blake3::Hasher;
use rand::rngs::ChaCha8Rng;
use rand::{Rng, SeedableRng};

/// The part before a reserved word, so that a column called `rows` or `blank` does not share a key with it: names are
/// never empty.
const OWN: &str = "";

/// A hash of the path so far: edition, seed, suite, task, sample, attempt. Cloned and finished once a stream.
#[derive(Clone)]
pub(crate) struct Keys(Hasher);

impl Keys {
    /// Keys of one edition and seed.
    pub fn new(edition: u32, seed: &str) -> Keys {
        let context = format!("picardc 2026-11 random streams, edition {edition}");
        Keys(Hasher::new_derive_key(&context)).with_part(seed.as_bytes())
    }

    /// The same path with one more part. Parts are preceded by their length, so that `ab, c` is not `a, bc`.
    pub fn with_part(mut self, part: &[u8]) -> Keys {
        self.push_part(part);
        self
    }

    /// The keys of an attempt at a sample (both from 0), of a row of a data set where there is one.
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

    /// The stream of the value at `path`.
    pub fn derive_stream(&self, path: &[&str]) -> Stream {
        Stream::new(self.derive_key(path, &[]))
    }

    /// The stream that says which values of `path` are blank: its own, so that adding `blank` moves no value.
    pub fn derive_blank_stream(&self, path: &[&str]) -> Stream {
        Stream::new(self.derive_key(path, &[OWN, "blank"]))
    }

    /// The stream that the number of rows of a relation is drawn from.
    pub fn derive_row_stream(&self, relation: &str) -> Stream {
        Stream::new(self.derive_key(&[relation], &[OWN, "rows"]))
    }

    /// The key by which files of a lake are chosen.
    pub fn derive_lake_key(&self, name: &str) -> [u8; 32] {
        self.derive_key(&[], &[OWN, "lake", name])
    }

    /// The stream that says what is done to the rows or cells of a file between its relation and its bytes: of a column's style, for the rows that are
    /// clean and for those that are there once more; of the rows that are.
    pub fn derive_dirt_stream(&self, file: &str, what: &[&str]) -> Stream {
        let mut path = vec![OWN];
        path.extend(what);
        Stream::new(self.derive_key(&[file], &path))
    }

    fn derive_key(&self, path: &[&str], more: &[&str]) -> [u8; 32] {
        let mut keys = self.clone();
        for part in path.iter().chain(more) {
            keys.push_part(part.as_bytes());
        }
        *keys.0.finalize().as_bytes()
    }
}

/// The words of one value path: row r owns the r-th.
pub(crate) struct Stream {
    key: [u8; 32],
    words: ChaCha8Rng,
    child: Option<ChaCha8Rng>,
}

impl Stream {
    /// The stream of a key.
    pub fn new(key: [u8; 32]) -> Stream {
        Stream { key, words: ChaCha8Rng::from_seed(key), child: None }
    }

    /// The next row's word.
    #[inline]
    pub fn next(&mut self) -> u64 {
        self.words.next_u64()
    }

    /// The words of the first `rows` rows.
    pub fn draw_words(&mut self, rows: usize) -> Vec<u64> {
        std::iter::repeat_with(|| self.next()).take(rows).collect()
    }

    /// As many words as a value needs, keyed by its row's `word`: a ChaCha8 stream with the word as nonce. Its key differs from the
    /// column's in one bit, or the word 0 would give the column's own words.
    pub fn derive_child(&mut self, word: u64) -> &mut Words {
        let key = self.key;
        let child = self.child.get_or_insert_with(|| ChaCha8Rng::from_seed(derive_child_key(key)));
        child.set_stream(word);
        child
    }

    /// The words of [`Stream::derive_child`], for one who shares the stream with others.
    pub fn derive_own_child(&self, word: u64) -> Words {
        let mut child = Words::from_seed(derive_child_key(self.key));
        child.set_stream(word);
        child
    }
}

/// The key of a stream's children.
fn derive_child_key(mut key: [u8; 32]) -> [u8; 32] {
    key[31] ^= 0x80;
    key
}

/// A source of words, one after the other.
pub(crate) type Words = ChaCha8Rng;

/// The next word of `words`.
#[inline]
pub(crate) fn next(words: &mut Words) -> u64 {
    words.next_u64()
}

/// One of `n` choices (`n` at most 2⁶⁴, at least 1) for a word: the high half of the product. A choice's chance is off by less than 2⁻⁶⁴.
#[inline]
pub(crate) fn to_index(word: u64, n: u128) -> u64 {
    ((u128::from(word) * n) >> 64) as u64
}

/// One of `n` choices for two words, where one is not enough.
pub(crate) fn to_wide_index(high: u64, low: u64, n: u128) -> u128 {
    let (n_high, n_low) = (n >> 64, n & u128::from(u64::MAX));
    let (high, low) = (u128::from(high), u128::from(low));
    // The high 128 bits of a 256-bit product, carries from the middle included.
    let middle =
        ((low * n_low) >> 64) + ((high * n_low) & u128::from(u64::MAX)) + ((low * n_high) & u128::from(u64::MAX));
    high * n_high + ((high * n_low) >> 64) + ((low * n_high) >> 64) + (middle >> 64)
}

/// A fraction in the open interval (0, 1), of 53 significant bits: the middle of one of 2⁵² equal steps, so that neither end is met.
pub(crate) fn to_fraction(word: u64) -> f64 {
    const STEP: f64 = 1.0 / (1u64 << 53) as f64;
    ((word >> 12) as f64 * 2.0 + 1.0) * STEP
}
