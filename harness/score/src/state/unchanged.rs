//! `unchanged` for a database: the same rows and the same schema as at the start, in any representation.

use records::{Captured, Reason};
use sqlite::state::{Cell, DatabaseChange, MAX_BYTES, UnreadableDatabase, find_alteration};

use super::rows::render_cell;
use super::{Files, read_left_bytes};
use crate::finding::Finding;

/// Checks that a database is unchanged. `None` if its bytes decide: it is not a file of a supported size, or it could not be read at the start either.
pub fn check_unchanged(before: &[u8], files: &Files<'_>) -> Option<Finding> {
    if before.len() > MAX_BYTES || !files.database.is_file() || matches!(files.database, Captured::TooLarge { .. }) {
        return None;
    }
    let now = match read_left_bytes(files) {
        Ok(now) => now,
        Err(finding) => return Some(finding),
    };
    if now == before {
        return Some(Finding::right());
    }
    let changed =
        |expected: String, got: String| Finding::wrong(Reason::Changed, format!("{expected}, as at the start"), got);
    Some(match find_alteration(before, &now) {
        Ok(None) => Finding::right(),
        Ok(Some(what)) => {
            let (expected, got) = describe_change(&what);
            changed(expected, got)
        }
        Err((true, _)) => return None,
        Err((false, UnreadableDatabase::Broken(why))) => changed("a database".to_owned(), why),
        Err((false, UnreadableDatabase::TooLarge(why))) => {
            Finding::wrong(Reason::TooLarge, "a database, as at the start", why)
        }
        // After the user stopped the process, scores are not kept.
        Err((false, UnreadableDatabase::Interrupted)) => {
            Finding::wrong(Reason::TooLarge, "a database, as at the start", "reading it was interrupted")
        }
    })
}

/// Describes the state before and after a change.
fn describe_change(altered: &DatabaseChange) -> (String, String) {
    match altered {
        DatabaseChange::Declared { kind, name, before, after } => {
            let one = |sql: &Option<String>| match sql {
                Some(sql) if sql.is_empty() => format!("the {kind} `{name}`"),
                Some(sql) => format!("the {kind} `{name}`: {sql}"),
                None => format!("no {kind} `{name}`"),
            };
            (one(before), one(after))
        }
        DatabaseChange::Header { name, before, after } => (format!("{name} {before}"), format!("{name} {after}")),
        DatabaseChange::Rows { table, removed, added } => {
            let row = |row: &[Cell]| row.iter().map(render_cell).collect::<Vec<_>>().join(" | ");
            let one = |found: &Option<Vec<Cell>>, other: &Option<Vec<Cell>>| match (found, other) {
                (Some(found), _) => format!("a row of `{table}`: {}", row(found)),
                (None, Some(other)) => format!("no row of `{table}`: {}", row(other)),
                (None, None) => format!("the rows of `{table}`"),
            };
            (one(removed, added), one(added, removed))
        }
    }
}
