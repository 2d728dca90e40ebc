//! The differences of a database from the goal: row by row, and for rows with the same key, cell by cell.

use std::borrow::Cow;

use model::pointer::escape_step;
use model::value::render_float;
use records::verdict::Difference;
use sqlite::state::{Cell, Real};

use super::table_versions::{TableVersions, group_by_key};
use crate::finding::new_difference;
use crate::got::quote_json;

/// Lists the differences between the remaining rows and the goal's: `/TABLE` for a missing or additional row, `/TABLE/KEY/COLUMN` for a cell.
pub(super) fn list_differences(table: &TableVersions) -> Vec<Difference> {
    let found = sqlite::state::diff_rows(&table.goal, &table.left);
    let at = format!("/{}", table.name);
    let missing = |row: &Vec<Cell>| new_difference(at.as_str(), render_row(row, table), "no such row");
    let more = |row: &Vec<Cell>| new_difference(at.as_str(), "no such row", render_row(row, table));
    if table.key.is_empty() {
        return found.removed.iter().map(missing).chain(found.added.iter().map(more)).collect();
    }
    let mut out = Vec::new();
    for (key, (wanted, got)) in group_by_key(found, &table.key) {
        let ([wanted], [got]) = (wanted.as_slice(), got.as_slice()) else {
            out.extend(wanted.iter().map(missing).chain(got.iter().map(more)));
            continue;
        };
        let key: Vec<String> = key.iter().map(|cell| escape_step(&render_key_part(cell)).into_owned()).collect();
        let cells = wanted.iter().zip(got).zip(&table.columns).filter(|((wanted, got), _)| wanted != got);
        out.extend(cells.map(|((wanted, got), column)| {
            new_difference(format!("{at}/{}/{column}", key.join(",")), render_cell(wanted), render_cell(got))
        }));
    }
    out
}

fn render_row(row: &[Cell], table: &TableVersions) -> String {
    let cells = table.columns.iter().zip(row).map(|(column, cell)| format!("{column} = {}", render_cell(cell)));
    cells.collect::<Vec<_>>().join(", ")
}

/// Renders a key as a part of a place: texts without quotes.
fn render_key_part(cell: &Cell) -> Cow<'_, str> {
    match cell {
        Cell::Text(text) => Cow::Borrowed(text),
        other => render_cell(other),
    }
}

pub(super) fn render_cell(cell: &Cell) -> Cow<'static, str> {
    match cell {
        Cell::Null => "null".into(),
        Cell::Int(value) => value.to_string().into(),
        Cell::Real(Real(value)) if value.is_finite() => render_float(*value).into(),
        Cell::Real(Real(value)) => value.to_string().into(),
        Cell::Text(text) => quote_json(text).into(),
        Cell::Broken(_) => "a text that is not UTF-8".into(),
        Cell::Blob(blob) => format!("a blob of {} bytes", blob.len()).into(),
    }
}
