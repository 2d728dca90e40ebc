//! Bounds on the numbers of rows and lines, shared by the checker, the facts, and the SQL analysis.

use model::Value;
use model::domain::{Domain, LoremUnit};
use model::suite::{FileId, RelationId};

use super::Fact;
use crate::{Draw, DrawDomain, Expr, Rows};
use syntax::bounds::Bounds;

/// A sentence of lorem has 8 to 15 words, a paragraph 4 to 8 sentences (edition 1).
const WORDS_A_SENTENCE: Bounds = Bounds { least: 8, most: 15 };
const SENTENCES_A_PARAGRAPH: Bounds = Bounds { least: 4, most: 8 };

/// The bounds of a count between two values; 0 and `u64::MAX` where they are not known.
pub fn infer_count_bounds(low: &Fact<'_>, high: &Fact<'_>) -> Bounds {
    let count = |end: i64| u64::try_from(end).unwrap_or(0);
    Bounds {
        least: low.as_int_range().map_or(0, |(least, _)| count(least)),
        most: high.as_int_range().map_or(u64::MAX, |(_, most)| count(most)),
    }
}

/// The bounds of a relation's number of rows. `number` returns the fact of an expression, `rows` the bounds of another relation, `lines` those of a file's
/// lines.
pub fn infer_row_bounds<'e>(
    of: &'e Rows,
    number: &dyn Fn(&'e Expr) -> Fact<'e>,
    rows: &dyn Fn(RelationId) -> Bounds,
    lines: &dyn Fn(FileId) -> Bounds,
) -> Bounds {
    match of {
        Rows::Count(low, high) => infer_count_bounds(&number(low), &number(high)),
        Rows::PerRow { parent, low, high } => {
            infer_count_bounds(&number(low), &number(high)).multiply_by(rows(*parent))
        }
        Rows::Given(rows) => Bounds::from_count(u64::from(*rows)),
        Rows::Lines(file) => lines(*file),
        Rows::Taken { from, filter: None } => rows(*from),
        Rows::Taken { from, filter: Some(_) } => Bounds { least: 0, ..rows(*from) },
        Rows::Query(_) | Rows::View(_) => Bounds::ANY,
    }
}

/// The number of lines or words of a drawn text, if it is known.
pub fn infer_lorem_bounds(draw: &Draw, unit: LoremUnit) -> Option<Bounds> {
    let DrawDomain::Fixed(Domain::Lorem { unit: has, low, high }) = &draw.domain else { return None };
    count_lorem_parts(*has, Bounds { least: u64::from(*low), most: u64::from(*high) }, unit)
}

/// The number of lines or words of a text with a number of units, if it is known.
pub(super) fn count_lorem_parts(has: LoremUnit, drawn: Bounds, unit: LoremUnit) -> Option<Bounds> {
    Some(match (has, unit) {
        (LoremUnit::Lines, LoremUnit::Lines) | (LoremUnit::Words, LoremUnit::Words) => drawn,
        // A text without units has no line.
        (LoremUnit::Words | LoremUnit::Sentences, LoremUnit::Lines) => {
            Bounds { least: drawn.least.min(1), most: drawn.most.min(1) }
        }
        // Each paragraph is one line, and a blank line separates two paragraphs.
        (LoremUnit::Paragraphs, LoremUnit::Lines) => {
            let lines = |paragraphs: u64| paragraphs.saturating_mul(2).saturating_sub(1);
            Bounds { least: lines(drawn.least), most: lines(drawn.most) }
        }
        (LoremUnit::Lines | LoremUnit::Sentences, LoremUnit::Words) => drawn.multiply_by(WORDS_A_SENTENCE),
        (LoremUnit::Paragraphs, LoremUnit::Words) => {
            drawn.multiply_by(SENTENCES_A_PARAGRAPH).multiply_by(WORDS_A_SENTENCE)
        }
        _ => return None,
    })
}
impl Fact<'_> {
    /// The smallest and the largest integer that it can be; `None` if its range is not one of integers.
    pub fn as_int_range(&self) -> Option<(i64, i64)> {
        match self.range.as_ref()? {
            (Value::Int(low), Value::Int(high)) => Some((*low, *high)),
            _ => None,
        }
    }
}
