//! Words of columns and tables that can replace each other: synonyms, words for similar things, and words that look alike but mean
//! something else. Each line of a file in `data/` is a group.

use std::sync::LazyLock;

use super::abbreviations::{SHORT_FORM, find_phrase, list_meanings};
use super::index::Index;

/// Words for the same thing: where the rest of two names agrees, so do they.
const SYNONYMS: &str = include_str!("data/synonyms.txt");

/// Words for similar things, which may both exist: worth a suggestion, but never applied without asking.
const NEAR: &str = include_str!("data/near.txt");

/// Words that look like others and mean something else.
const LOOKALIKES: &str = include_str!("data/lookalikes.txt");

static SYNONYM: LazyLock<Index> = LazyLock::new(|| Index::from_lines(SYNONYMS));
static NEARLY: LazyLock<Index> = LazyLock::new(|| Index::from_lines(NEAR));
static LOOKALIKE: LazyLock<Index> = LazyLock::new(|| Index::from_lines(LOOKALIKES));

/// Whether both are words for the same thing; short forms count as the words that they abbreviate.
pub fn is_synonym(a: &str, b: &str) -> bool {
    list_meanings(a).any(|a| list_meanings(b).any(|b| SYNONYM.has_both(a, b)))
}

/// Whether both are words for near things.
pub fn is_near_synonym(a: &str, b: &str) -> bool {
    list_meanings(a).any(|a| list_meanings(b).any(|b| NEARLY.has_both(a, b)))
}

/// Whether a word exists: then a word one stroke away is not a misspelling of it.
pub fn is_known(word: &str) -> bool {
    [&SHORT_FORM, &SYNONYM, &NEARLY, &LOOKALIKE].iter().any(|index| index.has_word(word)) || find_phrase(word).is_some()
}

#[cfg(test)]
mod tests {
    use super::super::abbreviations::SHORT_FORMS;
    use super::*;

    #[test]
    fn the_tables_are_as_large_as_they_say_and_have_no_word_twice_in_a_group() {
        let lines = |table: &'static str| table.lines().count();
        assert!(lines(SHORT_FORMS) >= 60 && lines(SYNONYMS) >= 30, "{} {}", lines(SHORT_FORMS), lines(SYNONYMS));
        for group in [SHORT_FORMS, SYNONYMS, NEAR].iter().flat_map(|table| table.lines()) {
            let group: Vec<&str> = group.split(' ').collect();
            assert!(group.len() > 1, "{group:?}");
            for (index, word) in group.iter().enumerate() {
                assert!(!group[..index].contains(word), "{group:?}");
                assert!(word.chars().all(|c| c.is_ascii_lowercase()), "{word}");
            }
        }
    }

    #[test]
    fn short_forms_are_synonyms_of_what_their_words_are() {
        assert!(is_synonym("sal", "pay") && !is_synonym("cost", "price") && is_near_synonym("cost", "price"));
    }
}
