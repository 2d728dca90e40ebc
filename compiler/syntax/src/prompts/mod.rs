//! The words of prompts by which lints understand what is asked: data, without rules. A prompt in a language that is not here is not read.
//!
//! There is one folder for each language of prompts: `english`.

pub mod english;
mod language;

pub use language::{Asks, Changes, End, Language, Unit};
pub use model::functions::Aggregate;

/// Checks whether a list of words, separated by blanks, has a word.
pub fn has_listed(words: &str, word: &str) -> bool {
    words.split_ascii_whitespace().any(|known| known == word)
}
