//! Columns whose names differ in one word, such as `FILED_ON` and `DECIDED_ON`: the one of which a question speaks, and the one that is read.

use std::cell::LazyCell;

use super::hints::Hints;
use names::words::split_words;
use syntax::prompts::english::data::{AGGREGATES, REQUESTS};
use syntax::prompts::has_listed;

/// The shortest word of a name that tells which of two columns is meant.
const MIN_WORD: usize = 4;

/// A column of a table.
pub struct Named<'a> {
    /// Its name.
    pub name: &'a str,
    /// The kind of its values; only columns of one kind can be mistaken for each other.
    pub kind: u8,
    /// Whether it is read.
    pub read: bool,
}

/// Finds the only column that a question speaks of and that is not read, with the only one of such a name that is read and of which the question does not speak. Both are
/// indexes. `list_values` gives texts of the data, whose words can mean something else.
pub fn find_sibling(
    question: &Hints,
    columns: &[Named<'_>],
    list_values: impl Fn() -> String,
) -> Option<(usize, usize)> {
    let values = LazyCell::new(|| Hints::from_text(&list_values()));
    let mut found = Vec::new();
    for (at, asked) in columns.iter().enumerate().filter(|(_, column)| !column.read) {
        for (other, read) in columns.iter().enumerate().filter(|(_, column)| column.read && column.kind == asked.kind) {
            let (own, others) = (split_words(asked.name), split_words(read.name));
            let is_shared = |word: &&String| others.contains(word);
            let differing = |these: &[String], those: &[String]| -> Vec<String> {
                these.iter().filter(|word| !those.contains(word)).cloned().collect()
            };
            let (telling, untold) = (differing(&own, &others), differing(&others, &own));
            // Another form of the word can mean something else: "open" and `OPENED_ON`.
            let is_telling = |word: &String| {
                word.chars().count() >= MIN_WORD
                    && question.words.contains(word)
                    && !has_listed(REQUESTS, word)
                    && !has_listed(AGGREGATES, word)
                    && !values.has_form(word)
            };
            let is_asked = || !telling.is_empty() && telling.iter().all(is_telling);
            let is_untold = || !untold.is_empty() && !untold.iter().any(|word| question.has_form(word));
            if own.iter().any(|word| is_shared(&word)) && is_untold() && is_asked() {
                found.push((at, other));
            }
        }
    }
    let (first, rest) = found.split_first()?;
    rest.is_empty().then_some(*first)
}
