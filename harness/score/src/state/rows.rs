//! The differences of a database that is not as expected: row by row, and in rows of one key cell by cell.

use std::borrow::Cow;
use std::collections::BTreeMap;

use model::pointer::escaped;
use model::value::render_float;
use records::score::Difference;
use sqlite::state::{Cell, Real};

use super::{Held, Rows, key_of};
use crate::finding::difference;
use crate::got::quoted;

/// Where the rows that are left are not the goal's: `/TABLE` for a row that is missing or too many, `/TABLE/KEY/COLUMN` for a cell.
pub(super) fn that_differ(table: &Held<'_>) -> Vec<Difference> {
    let found = sqlite::state::difference(&table.goal, &table.left);
    let at = format!("/{}", table.name);
    let missing = |row: &Vec<Cell>| difference(at.as_str(), row_shown(row, table), "no such row");
    let more = |row: &Vec<Cell>| difference(at.as_str(), "no such row", row_shown(row, table));
    if table.key.is_empty() {
        return found.removed.iter().map(missing).chain(found.added.iter().map(more)).collect();
    }
    let mut by_key: BTreeMap<Vec<Cell>, (Rows, Rows)> = BTreeMap::new();
    for row in found.removed {
        by_key.entry(key_of(&row, &table.key)).or_default().0.push(row);
    }
    for row in found.added {
        by_key.entry(key_of(&row, &table.key)).or_default().1.push(row);
    }
    let mut out = Vec::new();
    for (key, (wanted, got)) in by_key {
        let ([wanted], [got]) = (wanted.as_slice(), got.as_slice()) else {
            out.extend(wanted.iter().map(missing).chain(got.iter().map(more)));
            continue;
        };
        let key: Vec<String> = key.iter().map(|cell| escaped(&plain(cell)).into_owned()).collect();
        let cells = wanted.iter().zip(got).zip(&table.columns).filter(|((wanted, got), _)| wanted != got);
        out.extend(cells.map(|((wanted, got), column)| {
            difference(format!("{at}/{}/{column}", key.join(",")), shown(wanted), shown(got))
        }));
    }
    out
}

fn row_shown(row: &[Cell], table: &Held<'_>) -> String {
    let cells = table.columns.iter().zip(row).map(|(column, cell)| format!("{column} = {}", shown(cell)));
    cells.collect::<Vec<_>>().join(", ")
}

/// A key as a part of a place: texts without quotes.
fn plain(cell: &Cell) -> Cow<'_, str> {
    match cell {
        Cell::Text(text) => Cow::Borrowed(text),
        other => shown(other),
    }
}

pub(super) fn shown(cell: &Cell) -> Cow<'static, str> {
    match cell {
        Cell::Null => "null".into(),
        Cell::Int(value) => value.to_string().into(),
        Cell::Real(Real(value)) if value.is_finite() => render_float(*value).into(),
        Cell::Real(Real(value)) => value.to_string().into(),
        Cell::Text(text) => quoted(text).into(),
        Cell::Broken(_) => "a text that is not UTF-8".into(),
        Cell::Blob(blob) => format!("a blob of {} bytes", blob.len()).into(),
    }
}
