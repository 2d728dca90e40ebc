//! Abbreviations: short forms of words (`qty`, `mngr`) and of several words (`dob`).

use std::sync::LazyLock;

use super::index::Index;
use super::words::is_consonant_skeleton;

/// On each line a word and its short forms. A short form may belong to several words (`st`: street, state).
pub(super) const SHORT_FORMS: &str = include_str!("data/short_forms.txt");

/// Short forms of several words, each followed by these words.
const PHRASES: &str = include_str!("data/phrases.txt");

/// The words of each group of [`SHORT_FORMS`], by word.
pub(super) static SHORT_FORM: LazyLock<Index> = LazyLock::new(|| Index::from_lines(SHORT_FORMS));

/// Whether one is a short form of the other, or both are of the same word.
pub fn is_short_form(a: &str, b: &str) -> bool {
    SHORT_FORM.has_both(a, b) || is_consonant_skeleton(a, b) || is_consonant_skeleton(b, a)
}

/// Finds the words that a short form of several words abbreviates.
pub fn find_phrase(word: &str) -> Option<impl Iterator<Item = &'static str> + use<>> {
    let mut phrases = PHRASES.lines().filter_map(|line| line.split_once(' '));
    phrases.find(|(short, _)| *short == word).map(|(_, words)| words.split(' '))
}

/// Lists a word and the words that it is a short form of.
pub(super) fn list_meanings(word: &str) -> impl Iterator<Item = &str> {
    let groups = SHORT_FORM.find_groups(word).iter();
    let full = groups.filter_map(|group| SHORT_FORM.first_word(*group));
    std::iter::once(word).chain(full)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn short_forms_of_one_word() {
        for (a, b) in [("qty", "quantity"), ("dept", "dpt"), ("no", "number"), ("mngr", "manager"), ("st", "street")] {
            assert!(is_short_form(a, b) && is_short_form(b, a), "{a} {b}");
        }
        for (a, b) in [("count", "country"), ("state", "street"), ("min", "max"), ("nm", "number")] {
            assert!(!is_short_form(a, b) && !is_short_form(b, a), "{a} {b}");
        }
    }
}
