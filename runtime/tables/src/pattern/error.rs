//! Errors of patterns, with their place, as facts; the checker turns them into sentences.

use std::ops::Range;

use crate::cell_type::CellType;

/// The reason why a text is not a pattern for a type.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PatternError {
    /// The kind of error.
    pub kind: PatternErrorKind,
    /// The wrong bytes of the pattern.
    pub at: Range<usize>,
    /// The whole pattern as it was probably meant, if known.
    pub instead: Option<String>,
}

/// The kind of error in a pattern.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PatternErrorKind {
    /// The pattern is empty.
    Empty,
    /// It has a space at an end, where cells have none.
    OuterBlank,
    /// The type does not support patterns: a bool.
    NoPatterns,
    /// It is a pattern for values of another type: numbers, dates, or texts.
    Meant(CellType),
    /// Numbers: a digit is missing.
    NoBody,
    /// Numbers: the digits are not a valid body, such as `#,###`, `00`, or `0.##`.
    BadBody,
    /// Numbers: a digit that is not allowed in a prefix or suffix.
    DigitOutside,
    /// Numbers: a character that is not allowed in a prefix or suffix.
    Forbidden(char),
    /// Numbers: a leading minus, which is the position of a negative number's sign.
    Minus,
    /// Numbers: more than one `%`.
    Percents,
    /// Numbers: more than two forms.
    Sections,
    /// Numbers: the form of numbers below 0 has the same text around them as the other one.
    SameSections,
    /// Dates: letters without a meaning.
    Letters,
    /// Dates: an offset from UTC in another pattern language, or the name of a time zone.
    Offset,
    /// Dates: an offset from UTC before a part of the time.
    OffsetBefore,
    /// Dates: a quote that is not closed.
    OpenQuote,
    /// Dates: a part that already occurs, such as `d` after `dd`, or `h` after `H`.
    Again,
    /// Dates: this part without the one that it requires: `h` needs `a`, `mm` needs `H`, `d` needs `M`.
    Needs(&'static str),
    /// Dates: a part that a date does not have.
    NotOfDate,
    /// Dates: two adjacent numbers of variable length without a separator.
    Touching,
    /// Texts: `@` is missing.
    NoPlace,
    /// Texts: more than one `@`.
    Places,
    /// A value would lose this part.
    Drops(Dropped),
    /// Numbers: a float has no fixed places, so it cannot be written.
    OfFloat,
    /// The pattern has a part that can only be read.
    OnlyRead,
}

/// A part of a value that a pattern would lose.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum Dropped {
    Decimals { needed: u8 },
    Year,
    Month,
    Day,
    Time,
}

impl PatternError {
    pub(super) fn new(kind: PatternErrorKind, at: Range<usize>) -> PatternError {
        PatternError { kind, at, instead: None }
    }

    /// Suggests the pattern `source` with `by` in place of the mistake.
    pub(super) fn with_replacement(self, source: &str, by: &str) -> PatternError {
        let (before, after) = (source.get(..self.at.start), source.get(self.at.end..));
        let pattern = [before.unwrap_or_default(), by, after.unwrap_or_default()].concat();
        self.with_suggestion(pattern)
    }

    /// Adds the pattern as it was probably meant.
    pub(super) fn with_suggestion(mut self, pattern: impl Into<String>) -> PatternError {
        self.instead = Some(pattern.into());
        self
    }
}
