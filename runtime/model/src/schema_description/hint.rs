//! The relevance of a table or a column to a hint.

use std::collections::BTreeSet;

use super::Table;
use names::words::split_words;

/// The words of a hint.
pub(super) struct Hint(BTreeSet<String>);

impl Hint {
    pub fn new(hint: &str) -> Hint {
        Hint(split_stems(hint).collect())
    }

    /// Scores a table: 10 for each word of its name in the hint, 1 for each column with all its words in the hint.
    pub fn score_table(&self, table: &Table) -> u64 {
        let name: BTreeSet<String> = split_stems(&table.name).collect();
        let of_name = name.iter().filter(|word| self.0.contains(*word)).count() as u64;
        let all = |name: &str| {
            let mut words = split_stems(name).peekable();
            words.peek().is_some() && words.all(|word| self.0.contains(&word))
        };
        10 * of_name + table.columns.iter().filter(|column| all(&column.name)).count() as u64
    }

    /// Checks whether the hint contains a word of a name.
    pub fn has_word_of(&self, name: &str) -> bool {
        split_stems(name).any(|word| self.0.contains(&word))
    }
}

/// Returns the words of a text in lower case, without the final `s` of words of more than 3 letters.
fn split_stems(text: &str) -> impl Iterator<Item = String> {
    split_words(text).into_iter().map(|word| match word.strip_suffix('s') {
        Some(rest) if word.chars().count() > 3 => rest.to_owned(),
        _ => word,
    })
}
