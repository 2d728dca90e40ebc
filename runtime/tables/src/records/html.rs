//! The chosen table of an HTML page: by its number, its caption, or one of its cells; otherwise the only one.

use super::choice::Choice;
use crate::fault::Wrong;
use crate::grid::{Entry, Grid};
use crate::header::{normalize_blanks, normalize_header};
use crate::page::{self, Table};
use crate::{FaultKind, Layout, Skip};

/// Maximum number of tables shown to an author.
const MAX_TABLES: usize = 12;

/// Maximum number of cells of each.
const MAX_FIELDS: usize = 4;

/// Maximum number of characters of each cell.
const MAX_CHARS: usize = 20;

/// Reads the rows of the table.
pub(super) fn read_grid(layout: &Layout, text: &str) -> Result<Grid<'static>, Wrong> {
    let mut tables = page::parse_tables(text)?;
    let at = match (&layout.at, &layout.skip) {
        (Some(at), _) => choose_table(at, &tables),
        (None, Some(Skip::Cell(cell))) => {
            let wanted = normalize_blanks(cell);
            let found = tables.iter().position(|table| table.rows.iter().any(|row| has_cell(row, &wanted)));
            if found.is_none() && !tables.is_empty() {
                return Err((0, FaultKind::NoStart { cell: cell.clone(), first: list_fields(&tables) }));
            }
            found
        }
        (None, _) if tables.len() > 1 => return Err((0, FaultKind::Tables(describe_tables(&tables)))),
        (None, _) => Some(0),
    };
    match at {
        Some(at) if at < tables.len() => Ok(Grid { entries: tables.swap_remove(at).rows, gap: 0 }),
        _ => {
            let at = layout.at.clone().filter(|_| !tables.is_empty());
            Err((0, FaultKind::NoTable { at, tables: describe_tables(&tables) }))
        }
    }
}

/// Lists the tables, by their captions or otherwise by their numbers.
pub(super) fn list_choices(text: &str) -> Vec<Choice> {
    let tables = page::parse_tables(text).unwrap_or_default();
    let choice = |((table, shows), number): ((&Table, String), usize)| {
        // If several have the same caption, it selects the first.
        let alone = choose_table(&table.caption, &tables) == Some(number - 1);
        let at = if table.caption.is_empty() || !alone { number.to_string() } else { table.caption.clone() };
        Choice { at, shows }
    };
    tables.iter().zip(describe_tables(&tables)).zip(1..).map(choice).collect()
}

fn choose_table(at: &str, tables: &[Table]) -> Option<usize> {
    match at.parse::<usize>() {
        Ok(number) => number.checked_sub(1),
        Err(_) => {
            let wanted = normalize_blanks(at);
            let exact = tables.iter().position(|table| table.caption == wanted);
            // A caption often ends in the number of a footnote.
            exact.or_else(|| tables.iter().position(|table| table.caption.starts_with(&wanted)))
        }
    }
}

fn has_cell(row: &Entry<'_>, wanted: &str) -> bool {
    row.cells.iter().any(|cell| normalize_header(cell) == wanted)
}

/// Lists the fields of the first rows, each once.
fn list_fields(tables: &[Table]) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    for cell in tables.iter().filter_map(find_first_row).flat_map(|row| &row.cells).filter(|cell| !cell.is_blank()) {
        let field: String = normalize_header(cell).chars().take(2 * MAX_CHARS).collect();
        if found.len() < MAX_TABLES && !found.contains(&field) {
            found.push(field);
        }
    }
    found
}

fn find_first_row(table: &Table) -> Option<&Entry<'static>> {
    table.rows.iter().find(|row| !row.cells.iter().all(crate::Raw::is_blank))
}

/// Describes the beginning of each table.
fn describe_tables(tables: &[Table]) -> Vec<String> {
    let start = |table: &Table| -> String {
        if !table.caption.is_empty() {
            return table.caption.chars().take(2 * MAX_CHARS).collect();
        }
        let cells = find_first_row(table)
            .into_iter()
            .flat_map(|row| &row.cells)
            .filter(|cell| !cell.is_blank())
            .take(MAX_FIELDS);
        let cells: Vec<String> = cells.map(|cell| cell.render_cell().chars().take(MAX_CHARS).collect()).collect();
        cells.join(", ")
    };
    tables.iter().take(MAX_TABLES).map(start).collect()
}
