//! Finds a secret, or a part of it, in a text: in plain form, escaped, in hexadecimal digits, or in base64.
//!
//! The secret is not encoded. Instead, the text is decoded in every possible way and the results are searched, so it does not matter where an encoded text
//! begins.
//!
//! ```text
//! text ─unescape→ text ─unescape→ … (each) ─→ plain       ┐
//!                                          ─→ hexadecimal ├─→ runs of the secret ─→ their places in the text
//!                                          ─→ base64      ┘
//! ```

use std::ops::Range;

use super::decode::{Escapes, Kind, Lengths, decode_base64, decode_hexadecimal};

/// How often escapes of one kind are removed: for example, JSON in JSON in the arguments of a call.
const LEVELS: usize = 6;

/// A secret to search for.
pub struct Needle {
    bytes: Vec<u8>,
    /// Each pair of neighboring bytes in it, with its place; sorted.
    pairs: Vec<(u16, u32)>,
    /// A bit for each pair that it has: most places of a text are skipped at once.
    has: Vec<u64>,
}

impl Needle {
    /// Creates a needle from a secret of at least two bytes.
    pub fn new(secret: &str) -> Needle {
        let bytes = secret.as_bytes().to_vec();
        let mut pairs: Vec<(u16, u32)> =
            bytes.windows(2).zip(0..).map(|(window, at)| (pair_at(window, 0), at)).collect();
        pairs.sort_unstable();
        let mut has = vec![0; 1 << 10];
        for (pair, _) in &pairs {
            if let Some(word) = has.get_mut(usize::from(pair >> 6)) {
                *word |= 1 << (pair & 63);
            }
        }
        Needle { bytes, pairs, has }
    }

    /// Returns its length in bytes.
    pub fn len(&self) -> usize {
        self.bytes.len()
    }

    /// Whether a text contains it in plain form.
    pub fn is_in(&self, text: &str) -> bool {
        let mut found = false;
        self.find_runs(text.as_bytes(), self.len(), |_| found = true);
        found
    }

    /// Calls `found` for every run of at least `least` bytes that is also in the secret.
    fn find_runs(&self, bytes: &[u8], least: usize, mut found: impl FnMut(Range<usize>)) {
        let least = least.clamp(2, self.len().max(2));
        let mut at = 0;
        while at + least <= bytes.len() {
            // All runs that begin before the last pair of this window contain that pair.
            if !self.may_have(pair_at(bytes, at + least - 2)) {
                at += least - 1;
                continue;
            }
            let key = pair_at(bytes, at);
            let longest =
                if self.may_have(key) { self.measure_longest_run(bytes.get(at..).unwrap_or_default(), key) } else { 0 };
            if longest >= least {
                found(at..at + longest);
                // A run may begin within this one, but one that begins earlier would end no later.
                at = (at + 1).max(at + longest + 1 - least);
            } else {
                at += 1;
            }
        }
    }

    fn may_have(&self, pair: u16) -> bool {
        self.has.get(usize::from(pair >> 6)).is_some_and(|word| word >> (pair & 63) & 1 == 1)
    }

    /// Returns the length of the longest run of the secret at the start of `bytes`; `key` is their first pair.
    fn measure_longest_run(&self, bytes: &[u8], key: u16) -> usize {
        let first = self.pairs.partition_point(|(pair, _)| *pair < key);
        let mut longest = 0;
        for (_, at) in self.pairs.iter().skip(first).take_while(|(pair, _)| *pair == key) {
            let rest = self.bytes.get(*at as usize..).unwrap_or_default();
            if rest.len() <= longest {
                break;
            }
            longest = longest.max(rest.iter().zip(bytes).take_while(|(a, b)| a == b).count());
        }
        longest
    }
}

fn pair_at(bytes: &[u8], at: usize) -> u16 {
    match bytes.get(at..) {
        Some([first, second, ..]) => u16::from(*first) << 8 | u16::from(*second),
        _ => 0,
    }
}

/// Returns where `text` has runs of at least `least` bytes of the secret, in any form; unordered, and possibly overlapping.
pub fn find_places(text: &[u8], needle: &Needle, least: usize) -> Vec<Range<usize>> {
    let mut search = Search { needle, least, removed: Vec::new(), places: Vec::new() };
    search.search_level(text);
    search.places
}

/// A search in a text from which escapes are removed step by step.
struct Search<'n> {
    needle: &'n Needle,
    least: usize,
    /// The kinds of the removed escapes, in order.
    removed: Vec<(Kind, Escapes)>,
    places: Vec<Range<usize>>,
}

impl Search<'_> {
    /// Searches the text, and then the text without the escapes of each kind. The same kind may be removed several times, two different kinds once each: a
    /// secret may itself contain text that looks like an escape of another kind.
    fn search_level(&mut self, text: &[u8]) {
        let (needle, least, removed, places) = (self.needle, self.least, &self.removed, &mut self.places);
        let mut found = |range: Range<usize>| {
            places.push(removed.iter().rev().fold(range, |range, (_, escapes)| escapes.map_back(&range)));
        };
        needle.find_runs(text, least, &mut found);
        for decoded in [decode_hexadecimal, decode_base64] {
            decoded(text, Lengths { least, most: needle.len() }, &mut |bytes, before| {
                needle.find_runs(bytes, least, |range| found(before(&range)))
            });
        }
        for kind in Kind::ALL {
            let again = self.removed.iter().all(|(other, _)| *other == kind) && self.removed.len() < LEVELS;
            if (again || self.removed.len() == 1)
                && let Some((next, escapes)) = Escapes::remove_escapes(text, kind)
            {
                self.removed.push((kind, escapes));
                self.search_level(&next);
                self.removed.pop();
            }
        }
    }
}
