//! Where a text has a secret, or a part of it: as it is, escaped, in hexadecimal digits, or in base64.
//!
//! Nothing is encoded: the text is decoded in every way that may apply, and what comes out is searched. So it does not matter where an encoded text begins.
//!
//! ```text
//! text ─unescape→ text ─unescape→ … (each) ─→ as it is    ┐
//!                                          ─→ hexadecimal ├─→ runs of the secret ─→ where they are in the text
//!                                          ─→ base64      ┘
//! ```

use std::ops::Range;

use super::decode::{Escapes, Kind, Lengths, decode_base64, decode_hexadecimal};

/// How often escapes of one kind are removed: JSON in JSON in the arguments of a call, for example.
const LEVELS: usize = 6;

/// A secret as it is looked for.
pub struct Needle {
    bytes: Vec<u8>,
    /// Where in it each pair of neighbours is.
    pairs: Vec<(u16, u32)>,
    /// Which pairs it has: most places of a text are left at once.
    has: Vec<u64>,
}

impl Needle {
    /// Of at least two bytes.
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

    /// How many bytes it has.
    pub fn len(&self) -> usize {
        self.bytes.len()
    }

    /// Whether it is in a text as it is.
    pub fn is_in(&self, text: &str) -> bool {
        let mut found = false;
        self.find_runs(text.as_bytes(), self.len(), |_| found = true);
        found
    }

    /// Calls `found` for every run of at least `least` bytes that the secret has, too.
    fn find_runs(&self, bytes: &[u8], least: usize, mut found: impl FnMut(Range<usize>)) {
        let least = least.clamp(2, self.len().max(2));
        let mut at = 0;
        while at + least <= bytes.len() {
            // All that begin before the last pair of this window have it, too.
            if !self.may_have(pair_at(bytes, at + least - 2)) {
                at += least - 1;
                continue;
            }
            let key = pair_at(bytes, at);
            let longest =
                if self.may_have(key) { self.measure_longest_run(bytes.get(at..).unwrap_or_default(), key) } else { 0 };
            if longest >= least {
                found(at..at + longest);
                // Another run may begin before this one ends, but not before one of this length would have been found.
                at = (at + 1).max(at + longest + 1 - least);
            } else {
                at += 1;
            }
        }
    }

    fn may_have(&self, pair: u16) -> bool {
        self.has.get(usize::from(pair >> 6)).is_some_and(|word| word >> (pair & 63) & 1 == 1)
    }

    /// How many bytes from here on are a run of the secret.
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

/// Where `text` has runs of at least `least` bytes of the secret, in whatever form; in no order, and they may overlap.
pub fn find_places(text: &[u8], needle: &Needle, least: usize) -> Vec<Range<usize>> {
    let mut search = Search { needle, least, removed: Vec::new(), places: Vec::new() };
    search.search_level(text);
    search.places
}

/// A text with some of its escapes removed, step by step.
struct Search<'n> {
    needle: &'n Needle,
    least: usize,
    /// Which escapes were removed, in order.
    removed: Vec<(Kind, Escapes)>,
    places: Vec<Range<usize>>,
}

impl Search<'_> {
    /// Looks for the secret in what is left, and then without the escapes of each kind. A kind alone may be removed again and again, and two kinds once each:
    /// a secret may itself have what looks like an escape of another kind.
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
