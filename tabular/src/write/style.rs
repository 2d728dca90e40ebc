//! A value to its cell: first its letters, then its blanks, then its pattern; null has a mark.

use std::borrow::Cow;

use plan::{Val, Value};

use super::dress::Refusal;
use super::fold::forms;
use crate::{CellType, Pattern, Reading};

/// How one cell is written. What was drawn for it is here; without anything, it is written as its type usually is.
#[derive(Clone, Copy, Debug, Default)]
pub struct Style<'s> {
    /// For a text: which other letter case.
    pub case: Option<u64>,
    /// For a text: which more blank.
    pub space: Option<u64>,
    /// For a value: its pattern.
    pub written: Option<&'s Pattern>,
    /// For null: its mark.
    pub missing: Option<&'s str>,
}

impl Style<'_> {
    /// The text of a cell; `None` for one that is empty because it is null.
    ///
    /// # Errors
    /// The pattern would lose something of the value.
    pub fn cell<'v>(&'v self, value: &'v Val<'v>) -> Result<Option<Cow<'v, str>>, Refusal> {
        if value.is_null() {
            return Ok(self.missing.filter(|mark| !mark.is_empty()).map(Cow::Borrowed));
        }
        let mut varied: Option<String> = None;
        if let Some(text) = value.as_text() {
            varied = self.case.and_then(|word| vary_case(text, word));
            let spaced = self.space.and_then(|word| vary_space(varied.as_deref().unwrap_or(text), word));
            varied = spaced.or(varied);
        }
        let Some(pattern) = self.written else {
            return Ok(Some(varied.map_or_else(|| value.render(), Cow::Owned)));
        };
        let written = match (varied, value.value(), value.as_text()) {
            (Some(text), ..) => pattern.write(&Value::Text(text)),
            (None, Some(value), _) => pattern.write(value),
            (None, None, text) => pattern.write(&Value::text(text.unwrap_or_default())),
        };
        written.map(|text| Some(Cow::Owned(text))).ok_or(Refusal::Pattern)
    }
}

/// How the cells of a column with styles are read: `marks` are null (without any, an empty cell of a column that can be null), patterns are those
/// it has, and `usual` says whether some of its cells are written as their type usually is.
pub fn reading(ty: CellType, nullable: bool, marks: &[String], patterns: &[Pattern], usual: bool) -> Reading {
    let missing = if marks.is_empty() && nullable { vec![String::new()] } else { marks.to_vec() };
    let plain = (usual && !patterns.is_empty()).then(|| Pattern::usual(ty));
    Reading { ty, missing, written: patterns.iter().cloned().chain(plain).collect() }
}

/// The text in capitals, in small letters, or capitalized (its first letter large, the others small): one of those that differ from it, chosen by
/// `word`. Only letters change whose capital and small form are one to one. `None` where all are the same.
pub fn vary_case(text: &str, word: u64) -> Option<String> {
    let capital = |char| forms(char).map_or(char, |(capital, _)| capital);
    let small = |char| forms(char).map_or(char, |(_, small)| small);
    let mut variants: Vec<String> = vec![text.chars().map(capital).collect(), text.chars().map(small).collect()];
    let mut first = true;
    let capitalized = text.chars().map(|char| match first && char.is_alphabetic() {
        true => {
            first = false;
            capital(char)
        }
        false => small(char),
    });
    variants.push(capitalized.collect());
    variants.retain(|variant| variant != text);
    variants.dedup();
    let (chosen, _) = choose(word, variants.len())?;
    variants.into_iter().nth(chosen)
}

/// The text with one more blank: in front, at its end, or next to one that is inside it, chosen by `word`. `None` for a text of nothing else.
pub fn vary_space(text: &str, word: u64) -> Option<String> {
    let inner = text.trim();
    if inner.is_empty() {
        return None;
    }
    let start = text.len() - text.trim_start().len();
    let blanks = || inner.match_indices(' ').map(|(at, _)| start + at);
    let count = blanks().count();
    let at = match choose(word, if count > 0 { 3 } else { 2 })? {
        (0, _) => 0,
        (1, _) => text.len(),
        (_, rest) => blanks().nth(choose(rest, count)?.0)?,
    };
    let (before, after) = text.split_at_checked(at)?;
    Some([before, " ", after].concat())
}

/// One of so many, with what is left of the word for another choice.
fn choose(word: u64, count: usize) -> Option<(usize, u64)> {
    let product = u128::from(word) * u128::try_from(count).ok().filter(|count| *count > 0)?;
    // The high half is less than the count, the low half is cut off on purpose.
    Some((usize::try_from(product >> 64).ok()?, product as u64))
}
