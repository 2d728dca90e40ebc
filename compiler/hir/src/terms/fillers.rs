//! Filler texts of one line, as `lorem` writes them.

use model::domain::LoremUnit;

use super::texts::Texts;

/// The characters of a word, and of words; those of a sentence, with which it begins, and with which it ends.
const OF_WORD: &[(char, char)] = &[('a', 'z')];
const OF_WORDS: &[(char, char)] = &[('a', 'z'), (' ', ' ')];
const OF_SENTENCE: &[(char, char)] = &[('A', 'Z'), ('a', 'z'), (' ', ' '), ('.', '.')];
const START: &[(char, char)] = &[('A', 'Z')];
const END: &[(char, char)] = &[('.', '.')];

/// How many characters they have at most.
const LONGEST_SENTENCE: usize = 400;
const LONGEST_WORD: usize = 20;

/// Filler texts, with more characters than they can have. `None` for those of several lines.
pub fn build_filler<'a>(unit: LoremUnit, low: u32, high: u32) -> Option<Texts<'a>> {
    let of = |ranges, least, most| Texts::Of { ranges, least, most };
    let most = |longest: usize| usize::try_from(high).ok()?.checked_mul(longest);
    let filler = match unit {
        LoremUnit::Words => {
            // A word has two letters or more.
            Texts::Joined(vec![of(OF_WORD, 1, 1), of(OF_WORDS, 0, most(LONGEST_WORD)?), of(OF_WORD, 1, 1)])
        }
        LoremUnit::Sentences => {
            Texts::Joined(vec![of(START, 1, 1), of(OF_SENTENCE, 1, most(LONGEST_SENTENCE)?), of(END, 1, 1)])
        }
        LoremUnit::Lines | LoremUnit::Paragraphs => return None,
    };
    Some(if low == 0 { Texts::Either(vec![of(OF_WORD, 0, 0), filler]) } else { filler })
}
