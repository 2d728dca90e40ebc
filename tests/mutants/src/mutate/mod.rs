//! Random changes that suit the language: of tokens, brackets and their contents, lines, signs, and unexpected characters.

mod characters;
mod fragments;
mod pieces;
mod slips;

use rand::rngs::ChaCha8Rng;
use rand::{Rng, SeedableRng};

use crate::corpus::Source;

/// A changed source.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mutant {
    /// The index of the source from which it was made.
    pub source: usize,
    /// The names of the changes, in order.
    pub kinds: Vec<&'static str>,
    /// The text.
    pub text: String,
}

/// A change of one place: the bytes `start..end` are replaced by `text`.
#[derive(Debug)]
pub(crate) struct Change {
    pub start: usize,
    pub end: usize,
    pub text: String,
}

/// A way to change a source. Returns `None` if it does not apply to any place of the source.
type Way = fn(&mut Draw, &Source, &[Source]) -> Option<Change>;

/// All ways to change a source: the name, and the relative frequency.
const WAYS: &[(&str, u64, Way)] = &[
    ("delete a token", 8, pieces::remove_token),
    ("duplicate a token", 5, pieces::copy_token),
    ("swap tokens", 6, pieces::swap_tokens),
    ("replace a token", 12, pieces::replace_token),
    ("insert a token", 8, pieces::insert_token),
    ("splice brackets", 8, pieces::splice_group),
    ("remove brackets", 3, pieces::unwrap_group),
    ("edit a bracket", 5, pieces::insert_bracket),
    ("delete lines", 4, pieces::remove_lines),
    ("move lines", 4, pieces::move_lines),
    ("take lines of another file", 5, pieces::take_lines),
    ("misspell a word", 10, characters::misspell_word),
    ("edit a number", 5, characters::replace_number),
    ("edit a text", 6, characters::change_string),
    ("glue to a token", 5, characters::append_to_token),
    ("strange character next to a sign", 10, characters::insert_strange),
    ("strange character in a comment", 3, characters::insert_comment),
    ("insert a fragment", 6, characters::insert_fragment),
    ("truncate", 2, characters::truncate_source),
    ("line ends and marks", 3, characters::change_line_ends),
    ("habit of another language", 10, slips::replace_habit),
];

/// Generates the mutant for a seed and an index. The result depends only on them and the corpus.
pub fn generate_mutant(corpus: &[Source], seed: u64, index: u64) -> Mutant {
    let mut draw = Draw::new(seed, index);
    let number = draw.draw_below(corpus.len());
    let mut mutant = Mutant { source: number, kinds: Vec::new(), text: String::new() };
    let Some(source) = corpus.get(number) else { return mutant };
    let wanted = match draw.draw_below(10) {
        0..=5 => 1,
        6..=8 => 2,
        _ => 3,
    };
    let mut changes: Vec<Change> = Vec::new();
    for _ in 0..wanted {
        let (name, way) = draw.pick_way();
        let Some(change) = way(&mut draw, source, corpus) else { continue };
        // Changes of a source must not touch, because their order would matter.
        if changes.iter().all(|other| change.end < other.start || other.end < change.start) {
            mutant.kinds.push(name);
            changes.push(change);
        }
    }
    changes.sort_by_key(|change| change.start);
    mutant.text.clone_from(&source.text);
    for change in changes.iter().rev() {
        mutant.text.replace_range(change.start..change.end, &change.text);
    }
    mutant
}

/// The random numbers of one mutant.
pub(crate) struct Draw(ChaCha8Rng);

impl Draw {
    fn new(seed: u64, index: u64) -> Draw {
        let mut key = [0; 32];
        let (head, rest) = key.split_at_mut(8);
        head.copy_from_slice(&seed.to_le_bytes());
        rest[..8].copy_from_slice(&index.to_le_bytes());
        Draw(ChaCha8Rng::from_seed(key))
    }

    /// Draws a number below `most`; returns 0 if `most` is 0.
    pub fn draw_below(&mut self, most: usize) -> usize {
        ((u128::from(self.0.next_u64()) * most as u128) >> 64) as usize
    }

    /// Draws one of some values.
    pub fn pick_from<'t, T>(&mut self, all: &'t [T]) -> Option<&'t T> {
        let at = self.draw_below(all.len());
        all.get(at)
    }

    /// Returns true with probability 1/`n`.
    pub fn is_one_in(&mut self, n: usize) -> bool {
        self.draw_below(n) == 0
    }

    fn pick_way(&mut self) -> (&'static str, Way) {
        let all: u64 = WAYS.iter().map(|(_, often, _)| often).sum();
        let mut at = self.draw_below(all as usize) as u64;
        for (name, often, way) in WAYS {
            if at < *often {
                return (name, *way);
            }
            at -= often;
        }
        let (name, _, way) = WAYS[0];
        (name, way)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mutant_is_a_function_of_seed_and_index() {
        let corpus = crate::corpus::read_sources(&std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../.."))
            .expect("sources");
        assert!(corpus.len() > 600, "{} sources", corpus.len());
        for index in 0..200 {
            assert_eq!(generate_mutant(&corpus, 1, index), generate_mutant(&corpus, 1, index));
        }
        let changed = (0..200).filter(|index| {
            let mutant = generate_mutant(&corpus, 1, *index);
            mutant.text != corpus[mutant.source].text
        });
        assert!(changed.count() > 170);
    }
}
