//! The rows of a sheet, each of which is a record. A row without cells is an empty line; the first column is always A.

use crate::fault::{SizeLimit, Wrong};
use crate::grid::{Entry, Grid};
use crate::limits::MAX_CELLS;
use crate::workbook::{Book, normalize_value};
use crate::{FaultKind, Raw, Unreadable};
use model::Value;

/// Reads all rows of a sheet: the chosen one, otherwise the only one with content.
pub(super) fn read_grid(chosen: Option<&str>, bytes: &[u8]) -> Result<Grid<'static>, Wrong> {
    let broken = |error: Unreadable| (0, FaultKind::Unreadable(error));
    let mut book = Book::open(bytes).map_err(broken)?;
    let sheets = book.sheets().to_vec();
    let name = match chosen {
        Some(name) if sheets.iter().any(|sheet| sheet == name) => name.to_owned(),
        Some(name) => return Err((0, FaultKind::NoSheet { sheet: name.to_owned(), sheets })),
        None => match find_only_sheet(&mut book, sheets).map_err(broken)? {
            Ok(Some(name)) => name,
            Ok(None) => return Ok(Grid::default()),
            Err(sheets) => return Err((0, FaultKind::Sheets(sheets))),
        },
    };
    let mut sheet = book.read_sheet(&name).map_err(broken)?;
    sheet.cells.sort_by_key(|(row, column, _)| (*row, *column));
    sheet.odd.sort_by_key(|(row, column, _)| (*row, *column));
    let mut odd = sheet.odd.into_iter().peekable();
    let mut entries: Vec<Entry<'static>> = Vec::new();
    let mut count = 0;
    for (row, column, value) in sheet.cells {
        let line = row.saturating_add(1);
        let last = entries.last().map_or(0, |entry| entry.line);
        if line > last {
            entries.push(Entry { gap: line - last - 1, line, cells: Vec::new(), above: Vec::new() });
        }
        let Some(entry) = entries.last_mut() else { continue };
        let width = column as usize + 1;
        count += width.saturating_sub(entry.cells.len());
        SizeLimit::Cells.check_size(count, MAX_CELLS, line)?;
        entry.cells.resize(width.max(entry.cells.len()), Raw::EMPTY);
        let mut cell = convert_value(&value);
        while let Some((_, _, problem)) = odd.next_if(|(at, place, _)| (*at, *place) <= (row, column)) {
            cell = Raw::Odd(Box::new(problem));
        }
        if let Some(place) = entry.cells.get_mut(column as usize) {
            *place = cell;
        }
    }
    Ok(Grid { entries, gap: 0 })
}

fn convert_value(value: &Value) -> Raw<'static> {
    match normalize_value(value) {
        Value::Null => Raw::EMPTY,
        Value::Text(text) => Raw::from_text(text),
        value => Raw::Value(value),
    }
}

/// Returns the only sheet, or the only one with content; otherwise all that have content.
fn find_only_sheet(
    book: &mut Book<'_>,
    mut sheets: Vec<String>,
) -> Result<Result<Option<String>, Vec<String>>, Unreadable> {
    if sheets.len() > 1 {
        let mut filled = Vec::new();
        for name in sheets {
            if book.has_content(&name)? {
                filled.push(name);
            }
        }
        sheets = filled;
    }
    Ok(if sheets.len() > 1 { Err(sheets) } else { Ok(sheets.pop()) })
}
