//! What is wrong with a pattern: facts and the place; the sentences are the checker's.

use std::ops::Range;

use crate::cell::CellType;
use crate::pattern::looks_like;

/// Why a text is not a pattern for a type.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PatternError {
    /// What is wrong.
    pub kind: PatternErrorKind,
    /// The bytes of the pattern that are at fault.
    pub at: Range<usize>,
    /// The whole pattern as it was probably meant, where that is known.
    pub instead: Option<String>,
}

/// What is wrong with a pattern.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PatternErrorKind {
    /// There is nothing in it.
    Empty,
    /// A blank at an end, where cells have none.
    OuterBlank,
    /// The type has no patterns: a bool.
    NoPatterns,
    /// It is a pattern for other values: of numbers, dates or texts.
    Meant(CellType),
    /// Of numbers: no digit.
    NoBody,
    /// Of numbers: digits that are not a body, such as `#,###`, `00` or `0.##`.
    BadBody,
    /// Of numbers: a digit that neither prefix nor suffix can have.
    DigitOutside,
    /// Of numbers: a character that neither prefix nor suffix can have.
    Forbidden(char),
    /// Of numbers: a minus in front, where that of negative numbers is.
    Minus,
    /// Of numbers: more than one `%`.
    Percents,
    /// Of dates: letters that mean nothing.
    Letters,
    /// Of dates: a quote that is not closed.
    OpenQuote,
    /// Of dates: a part of the date that is there already, such as `d` after `dd`, or `h` after `H`.
    Again,
    /// Of dates: this part, without the other that it needs: `h` needs `a`, `mm` needs `H`, `d` needs `M`.
    Needs(&'static str),
    /// Of dates: a part that a date does not have.
    NotOfDate,
    /// Of dates: nothing between two numbers of open length.
    Touching,
    /// Of texts: no `@`.
    NoPlace,
    /// Of texts: more than one `@`.
    Places,
    /// A value would lose this.
    Drops(Dropped),
    /// Of numbers: a float has no fixed places, so it cannot be written.
    OfFloat,
    /// A part that can only be read.
    OnlyRead,
}

/// What a pattern would lose.
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

    /// With the pattern as it was probably meant.
    pub(super) fn with_suggestion(mut self, pattern: impl Into<String>) -> PatternError {
        self.instead = Some(pattern.into());
        self
    }

    /// The error, or that the text is a pattern for values of another type.
    pub(super) fn suggest_other_type(self, source: &str, ty: CellType) -> PatternError {
        let others = [CellType::Decimal(None), CellType::Date, CellType::Text];
        let same = |other: &CellType| other.is_number() == ty.is_number() && other.is_calendar() == ty.is_calendar();
        let says_little = matches!(
            self.kind,
            PatternErrorKind::NoBody
                | PatternErrorKind::NoPlace
                | PatternErrorKind::Letters
                | PatternErrorKind::Drops(Dropped::Year)
        );
        match others.into_iter().filter(|other| !same(other)).find(|other| looks_like(source, *other)) {
            Some(other) if says_little && self.instead.is_none() => {
                PatternError::new(PatternErrorKind::Meant(other), 0..source.len())
            }
            _ => self,
        }
    }
}
