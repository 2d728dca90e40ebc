//! What styles make equal: texts apart from letter case, and apart from blanks at their ends and how many are between words.

use std::borrow::Cow;

use model::{Val, Value};

use crate::header::normalize_blanks;

/// In which ways the texts of a column may differ and still be the same.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Folds {
    /// The case of letters.
    pub case: bool,
    /// Blanks at the ends, and how many are between words.
    pub space: bool,
}

impl Folds {
    /// The text by which texts are compared.
    pub fn fold_key(self, text: &str) -> Cow<'_, str> {
        let spaced = match self.space && !is_tidy(text) {
            true => Cow::Owned(normalize_blanks(text)),
            false => Cow::Borrowed(text),
        };
        if !self.case {
            return spaced;
        }
        // Most texts are ASCII, which folds faster.
        match spaced.is_ascii() {
            true if spaced.bytes().any(|byte| byte.is_ascii_uppercase()) => Cow::Owned(spaced.to_ascii_lowercase()),
            false if spaced.chars().any(|char| fold_char(char) != char) => {
                Cow::Owned(spaced.chars().map(fold_char).collect())
            }
            _ => spaced,
        }
    }

    /// The same, made in `room` where it is not a part of the text: for one who asks for the keys of many texts, one after another.
    pub fn fold_key_in<'k>(self, text: &'k str, room: &'k mut String) -> &'k str {
        if self.case && text.is_ascii() && (!self.space || is_tidy(text)) {
            room.clear();
            room.push_str(text);
            room.make_ascii_lowercase();
            return room;
        }
        match self.fold_key(text) {
            Cow::Borrowed(key) => key,
            Cow::Owned(key) => {
                *room = key;
                room
            }
        }
    }

    /// Whether a cell that reads as `read` has the value `clean`: numbers and days by value, nulls as nulls, texts as folded.
    pub fn is_same(self, clean: &Value, read: &Value) -> bool {
        self.is_same_val(&Val::Ref(clean), &Val::Ref(read))
    }

    /// The same of values that need not be owned.
    pub fn is_same_val(self, clean: &Val<'_>, read: &Val<'_>) -> bool {
        match (clean.as_text(), read.as_text()) {
            (Some(clean), Some(read)) => {
                clean == read || (self != Folds::default() && self.fold_key(clean) == self.fold_key(read))
            }
            // What is not a type of cells (a duration) is in them as its text.
            (None, Some(read)) => !clean.is_null() && clean.render_text() == read,
            (Some(_), None) => false,
            (None, None) => clean.is_same(read),
        }
    }
}

/// Whether [`normalize_blanks`] leaves a text as it is.
fn is_tidy(text: &str) -> bool {
    let mut blank = true;
    let mut is_next = |this: bool, is_space: bool| {
        let tidy = !this || (is_space && !blank);
        blank = this;
        tidy
    };
    let tidy = match text.is_ascii() {
        // What `char::is_whitespace` takes for a blank in ASCII: the vertical tab, too.
        true => text.bytes().all(|byte| is_next(matches!(byte, b' ' | b'\t'..=b'\r'), byte == b' ')),
        false => text.chars().all(|char| is_next(char.is_whitespace(), char == ' ')),
    };
    tidy && (text.is_empty() || !blank)
}

/// The capital and the small form of a letter, where each is one letter and leads back to the other: so not of `ß`, `ſ`, or `İ`.
pub(super) fn find_case_forms(letter: char) -> Option<(char, char)> {
    if letter.is_ascii() {
        let both = (letter.to_ascii_uppercase(), letter.to_ascii_lowercase());
        return letter.is_ascii_alphabetic().then_some(both);
    }
    let (capital, small) = (take_only(letter.to_uppercase())?, take_only(letter.to_lowercase())?);
    let one_to_one = capital != small
        && (letter == capital || letter == small)
        && take_only(capital.to_lowercase()) == Some(small)
        && take_only(small.to_uppercase()) == Some(capital);
    one_to_one.then_some((capital, small))
}

fn take_only(mut chars: impl Iterator<Item = char>) -> Option<char> {
    chars.next().filter(|_| chars.next().is_none())
}

/// The small form of a letter that has one; else itself. Two characters with one fold are the two forms of a letter.
fn fold_char(char: char) -> char {
    if char.is_ascii() { char.to_ascii_lowercase() } else { find_case_forms(char).map_or(char, |(_, small)| small) }
}
