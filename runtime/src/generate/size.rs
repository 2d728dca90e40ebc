//! Limits the files of an instance to 2 GB: sizes are checked during growth, and data that is certainly larger is not begun.

use model::TiSlice;
use model::domain::{Domain, LoremUnit};
use model::suite::{Column, ColumnSource, DomainExpr, DomainId, Relation};

use super::column::{self, Data};
use super::failures::{Res, fail_with_help};
use super::lorem;
use crate::failure::FailureKind;

/// Maximum size of a file in bytes.
pub(crate) const MAX_BYTES: usize = 2 << 30;

/// Minimum number of bytes of a lorem word and the space after it.
const WORD: u64 = 3;
/// Fails if a size exceeds the limit.
pub(crate) fn check_size(bytes: usize) -> Res<()> {
    if bytes <= MAX_BYTES { Ok(()) } else { fail_too_large("a file") }
}

/// Does the same as [`check_size`] for a column's texts.
pub(crate) fn check_column_size(column: &column::Column) -> Res<()> {
    match column.data() {
        Data::Text { buf, .. } => check_size(buf.len()),
        _ => Ok(()),
    }
}

/// Fails before a table is made that is certainly too large.
pub(crate) fn check_table_size(relation: &Relation, rows: usize, domains: &TiSlice<DomainId, Domain>) -> Res<()> {
    let row: u64 =
        relation.columns.iter().map(|column| estimate_min_bytes(column, domains)).fold(0, u64::saturating_add);
    match (rows as u64).saturating_mul(row) {
        bytes if bytes > MAX_BYTES as u64 => fail_too_large(&format!("`{}`", relation.name)),
        _ => Ok(()),
    }
}

fn fail_too_large<T>(what: &str) -> Res<T> {
    let message = format!("{what} would have more than 2 GB");
    fail_with_help(FailureKind::TooLarge, message, "generate fewer rows, or shorter texts")
}

/// Returns the minimum size of a cell in bytes.
fn estimate_min_bytes(column: &Column, domains: &TiSlice<DomainId, Domain>) -> u64 {
    let ColumnSource::Draw { draw, .. } = &column.source else { return 0 };
    let lorem = match &draw.domain {
        DomainExpr::Fixed(id) => domains.get(*id),
        _ => None,
    };
    match lorem {
        // Blank cells are not counted, because their number is unknown.
        Some(Domain::Lorem { unit, low, .. }) if !draw.may_be_blank() => {
            let each = match unit {
                LoremUnit::Words => WORD,
                LoremUnit::Sentences | LoremUnit::Lines => WORD * lorem::SENTENCE.0,
                LoremUnit::Paragraphs => WORD * lorem::SENTENCE.0 * lorem::PARAGRAPH.0,
            };
            u64::from(*low) * each
        }
        _ => 0,
    }
}
