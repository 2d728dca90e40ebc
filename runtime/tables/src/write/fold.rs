//! Folds texts that styles make equal: they differ only in letter case, or in spaces at their ends and between words.

use std::borrow::Cow;

use model::text_style::{ByTextStyle, TextStyle};
use model::{Val, Value};

use crate::header::normalize_blanks;

/// The differences that the texts of a column may have and still be equal.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Folds(ByTextStyle<bool>);

impl Folds {
    /// Creates the differences that these styles make.
    pub fn from_styles(styles: impl IntoIterator<Item = TextStyle>) -> Folds {
        let mut folds = Folds::default();
        styles.into_iter().for_each(|style| folds.0[style] = true);
        folds
    }

    /// Creates the differences of all styles.
    pub fn of_all_styles() -> Folds {
        Folds::from_styles(TextStyle::ALL.iter().copied())
    }

    /// Checks whether the texts may differ in this style.
    pub fn has_style(self, style: TextStyle) -> bool {
        self.0[style]
    }

    /// Returns the key by which texts are compared.
    ///
    /// ```
    /// use tables::write::Folds;
    ///
    /// let folds = Folds::of_all_styles();
    /// assert_eq!(folds.fold_key("  New   YORK "), "new york");
    /// assert_eq!(Folds::default().fold_key("New  York"), "New  York");
    /// // `ß` has no capital form of one letter, so it stays itself.
    /// assert_ne!(folds.fold_key("Straße"), folds.fold_key("STRASSE"));
    /// ```
    pub fn fold_key(self, text: &str) -> Cow<'_, str> {
        // The last style of a cell is folded first.
        let styles = TextStyle::ALL.iter().rev().filter(|style| self.has_style(**style));
        styles.fold(Cow::Borrowed(text), |text, style| fold_style(*style, &text).map_or(text, Cow::Owned))
    }

    /// Returns the same key, stored in `room` if it is not a part of the text, for callers that need the keys of many texts in sequence.
    pub fn fold_key_in<'k>(self, text: &'k str, room: &'k mut String) -> &'k str {
        // The usual texts, without an allocation.
        let is_lowercase = |(style, folded): (TextStyle, &bool)| match style {
            TextStyle::Case => *folded,
            TextStyle::Space => !folded || is_tidy(text),
        };
        if text.is_ascii() && self.0.iter().all(is_lowercase) {
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

    /// Checks whether a cell that reads as `read` has the value `clean`: numbers and dates by value, null equals null, texts are folded.
    pub fn is_same(self, clean: &Value, read: &Value) -> bool {
        self.is_same_val(&Val::Ref(clean), &Val::Ref(read))
    }

    /// Does the same for values that may be borrowed.
    pub fn is_same_val(self, clean: &Val<'_>, read: &Val<'_>) -> bool {
        match (clean.as_text(), read.as_text()) {
            (Some(clean), Some(read)) => {
                clean == read || (self != Folds::default() && self.fold_key(clean) == self.fold_key(read))
            }
            // A type that cells do not have (a duration) is stored as its text.
            (None, Some(read)) => !clean.is_null() && clean.render_text() == read,
            (Some(_), None) => false,
            (None, None) => clean.is_same(read),
        }
    }
}

/// Returns the text to which all forms of a text in a style are folded; `None` if that is the text itself.
fn fold_style(style: TextStyle, text: &str) -> Option<String> {
    match style {
        // Most texts are ASCII, which is faster to fold.
        TextStyle::Case if text.is_ascii() => {
            text.bytes().any(|byte| byte.is_ascii_uppercase()).then(|| text.to_ascii_lowercase())
        }
        TextStyle::Case => {
            text.chars().any(|char| fold_char(char) != char).then(|| text.chars().map(fold_char).collect())
        }
        TextStyle::Space => (!is_tidy(text)).then(|| normalize_blanks(text)),
    }
}

/// Checks whether [`normalize_blanks`] leaves a text unchanged.
fn is_tidy(text: &str) -> bool {
    let mut blank = true;
    let mut is_next = |this: bool, is_space: bool| {
        let tidy = !this || (is_space && !blank);
        blank = this;
        tidy
    };
    let tidy = match text.is_ascii() {
        // These are the ASCII characters of `char::is_whitespace`, including the vertical tab.
        true => text.bytes().all(|byte| is_next(matches!(byte, b' ' | b'\t'..=b'\r'), byte == b' ')),
        false => text.chars().all(|char| is_next(char.is_whitespace(), char == ' ')),
    };
    tidy && (text.is_empty() || !blank)
}

/// Returns the uppercase and lowercase forms of a letter, if both are single letters and convert to each other; this excludes `ß`, `ſ`, and `İ`.
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

/// Returns the lowercase form of a letter, if it has one; otherwise the character itself. Two characters with the same result are the two forms of a letter.
fn fold_char(char: char) -> char {
    if char.is_ascii() { char.to_ascii_lowercase() } else { find_case_forms(char).map_or(char, |(_, small)| small) }
}
