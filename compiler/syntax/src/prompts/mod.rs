//! The words of prompts by which lints understand what is asked: data, without rules. A prompt in a language that is not here is not read.
//!
//! There is one folder for each language of prompts: `english`.

pub mod english;
mod language;

use memchr::memmem::find_iter;

pub use language::{Asks, Changes, End, Language, Unit};
pub use model::functions::Aggregate;

/// Checks whether a list of words, separated by blanks, has a word.
pub fn has_listed(words: &str, word: &str) -> bool {
    let is_end = |byte: Option<&u8>| byte.is_none_or(u8::is_ascii_whitespace);
    let words = words.as_bytes();
    let is_whole = |at: usize| {
        let before = at.checked_sub(1).and_then(|before| words.get(before));
        is_end(before) && is_end(words.get(at + word.len()))
    };
    !word.is_empty() && find_iter(words, word.as_bytes()).any(is_whole)
}
