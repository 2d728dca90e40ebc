//! Converts a value to its cell: first letter case, then spaces, then the pattern; null has a mark.

use std::borrow::Cow;

use model::Val;
use model::text_style::{ByTextStyle, TextStyle};

use super::fold::find_case_forms;
use super::table_layout::Refusal;
use crate::{CellType, Pattern, Reading};

/// The style of one cell, with the words drawn for it. An empty style is the usual form of the type.
#[derive(Clone, Copy, Debug, Default)]
pub struct Style<'s> {
    /// For a text: the words that choose its other letters and blanks.
    pub texts: ByTextStyle<Option<u64>>,
    /// For a value: its pattern.
    pub written: Option<&'s Pattern>,
    /// For a number that its pattern does not hold: other patterns, of which the first is used that does.
    pub others: &'s [Pattern],
    /// For null: its mark.
    pub missing: Option<&'s str>,
}

impl Style<'_> {
    /// Checks whether a value has the usual form of its type.
    pub fn is_plain(&self) -> bool {
        self.texts.is_empty() && self.written.is_none()
    }

    /// Renders the text of a cell; `None` for a cell that is empty because of null.
    ///
    /// # Errors
    /// The pattern would lose a part of the value.
    pub fn render_cell<'v>(&'v self, value: &'v Val<'v>) -> Result<Option<Cow<'v, str>>, Refusal> {
        if value.is_null() {
            return Ok(self.missing.filter(|mark| !mark.is_empty()).map(Cow::Borrowed));
        }
        if self.is_plain() {
            return Ok(Some(value.render_text()));
        }
        let mut out = String::new();
        self.write_value(value, &mut out)?;
        Ok(Some(Cow::Owned(out)))
    }

    /// Appends the text of a value that is not null.
    ///
    /// # Errors
    /// The pattern would lose a part of the value.
    pub fn write_value(&self, value: &Val<'_>, out: &mut String) -> Result<(), Refusal> {
        match (value.as_text(), self.written) {
            (Some(text), Some(pattern)) => {
                pattern.write_into(&Val::from_text(self.vary_text(text)), out).ok_or(Refusal::Pattern)
            }
            (Some(text), None) => {
                out.push_str(&self.vary_text(text));
                Ok(())
            }
            (None, Some(pattern)) => {
                let start = out.len();
                for pattern in std::iter::once(pattern).chain(self.others) {
                    if pattern.write_into(value, out).is_some() {
                        return Ok(());
                    }
                    out.truncate(start);
                }
                Err(Refusal::Pattern)
            }
            (None, None) => {
                value.render_into(out);
                Ok(())
            }
        }
    }

    /// Returns the text with the letters and blanks of the style.
    fn vary_text<'t>(&self, text: &'t str) -> Cow<'t, str> {
        self.texts
            .iter_present()
            .fold(Cow::Borrowed(text), |text, (style, word)| vary_text(style, &text, *word).map_or(text, Cow::Owned))
    }
}

/// Returns the text in a style, in the form chosen by `word`; `None` if the style does not change it.
pub fn vary_text(style: TextStyle, text: &str, word: u64) -> Option<String> {
    match style {
        TextStyle::Case => vary_case(text, word),
        TextStyle::Space => vary_space(text, word),
    }
}

/// Lists the texts that a style can make of a text and that have letters which the text lacks.
pub fn list_letter_forms(style: TextStyle, text: &str) -> Vec<String> {
    match style {
        TextStyle::Case => list_cases(text).collect(),
        TextStyle::Space => Vec::new(),
    }
}

/// Builds the reading of a column with styles: `marks` are null (without marks, an empty cell of a nullable column), `patterns` are those of the
/// column, and `usual` says whether some of its cells have the usual form of the type.
pub fn build_reading(ty: CellType, nullable: bool, marks: &[String], patterns: &[Pattern], usual: bool) -> Reading {
    let missing = if marks.is_empty() && nullable { vec![String::new()] } else { marks.to_vec() };
    let plain = (usual && !patterns.is_empty()).then(|| Pattern::from_type(ty));
    Reading { ty, missing, written: patterns.iter().cloned().chain(plain).collect() }
}

/// A letter case. Only letters whose uppercase and lowercase forms convert to each other are changed.
#[derive(Clone, Copy, Debug)]
enum Case {
    Capitals,
    Small,
    /// The first letter in uppercase, the others in lowercase.
    Capitalized,
}

impl Case {
    /// Applies it to a text.
    fn apply_case(self, text: &str) -> impl Iterator<Item = char> {
        let mut first = true;
        text.chars().map(move |char| {
            let is_first = first && char.is_alphabetic();
            first &= !is_first;
            match (self, find_case_forms(char)) {
                (_, None) => char,
                (Case::Capitals, Some((capital, _))) => capital,
                (Case::Capitalized, Some((capital, _))) if is_first => capital,
                (Case::Small | Case::Capitalized, Some((_, small))) => small,
            }
        })
    }
}

/// Returns the text in uppercase, in lowercase, or capitalized: one of those that differ from it, chosen by `word`. `None` if none differs.
///
/// ```
/// use tables::write::{list_cases, vary_case};
///
/// assert_eq!(list_cases("Ulm").collect::<Vec<_>>(), ["ULM", "ulm"]);
/// // The word chooses among them; a text without letters has no other case.
/// assert!(["ULM", "ulm"].contains(&vary_case("Ulm", 7).expect("a case").as_str()));
/// assert_eq!(vary_case("2024", 7), None);
/// ```
pub fn vary_case(text: &str, word: u64) -> Option<String> {
    choose_other_case(text, word).map(|case| case.apply_case(text).collect())
}

/// Lists the forms of a text in uppercase, in lowercase, and capitalized that differ from it.
pub fn list_cases(text: &str) -> impl Iterator<Item = String> {
    list_other_cases(text).map(move |case| case.apply_case(text).collect())
}

/// Lists the letter cases that change a text.
fn list_other_cases(text: &str) -> impl Iterator<Item = Case> {
    let all = [Case::Capitals, Case::Small, Case::Capitalized].into_iter();
    all.filter(move |case| !case.apply_case(text).eq(text.chars()))
}

/// Chooses a letter case that changes a text.
fn choose_other_case(text: &str, word: u64) -> Option<Case> {
    let mut others: Vec<Case> = list_other_cases(text).collect();
    others.dedup_by(|next, case| next.apply_case(text).eq(case.apply_case(text)));
    let (chosen, _) = choose_index(word, others.len())?;
    others.get(chosen).copied()
}

/// Returns the text with an additional space: at the start, at the end, or next to a space inside it, chosen by `word`. `None` for a blank text.
pub fn vary_space(text: &str, word: u64) -> Option<String> {
    let at = place_of_space(text, word)?;
    let (before, after) = text.split_at_checked(at)?;
    Some([before, " ", after].concat())
}

/// Chooses the position of the additional space.
fn place_of_space(text: &str, word: u64) -> Option<usize> {
    let inner = text.trim();
    if inner.is_empty() {
        return None;
    }
    let start = text.len() - text.trim_start().len();
    let blanks = || inner.match_indices(' ').map(|(at, _)| start + at);
    let count = blanks().count();
    match choose_index(word, if count > 0 { 3 } else { 2 })? {
        (0, _) => Some(0),
        (1, _) => Some(text.len()),
        (_, rest) => blanks().nth(choose_index(rest, count)?.0),
    }
}

/// Maps a word to one of a number of choices; also returns the remaining randomness for another choice.
fn choose_index(word: u64, count: usize) -> Option<(usize, u64)> {
    let product = u128::from(word) * u128::try_from(count).ok().filter(|count| *count > 0)?;
    // The high half is less than the count; the low half is truncated on purpose.
    Some((usize::try_from(product >> 64).ok()?, product as u64))
}
