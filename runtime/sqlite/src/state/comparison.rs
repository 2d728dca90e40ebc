//! Whether a database is as it was: its rows, to the last bit, and all that its schema says. How the file keeps them does not count.

use std::collections::BTreeMap;

use rusqlite::Connection;
use rusqlite::types::ValueRef;

use model::ddl::quote_name;

use super::read::{MAX_BYTES, Stop, check_sound, convert_cell, with_opened};
use super::{Cell, Real, UnreadableDatabase};
use crate::database::read_value;

/// What differs first between two databases.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum DatabaseChange {
    /// A table, view, trigger, or index: its kind and name, and how it was and is declared.
    Declared {
        /// `table`, `view`, `trigger`, or `index`.
        kind: String,
        /// Its name.
        name: String,
        /// Its declaration at the start; `None` where there was none.
        before: Option<String>,
        /// Its declaration now.
        after: Option<String>,
    },
    /// A number that a program keeps in the header: `user_version` or `application_id`.
    Header {
        /// Which.
        name: &'static str,
        /// It at the start.
        before: i64,
        /// It now.
        after: i64,
    },
    /// Rows of a table.
    Rows {
        /// Its name.
        table: String,
        /// A row that is gone, if one is.
        removed: Option<Vec<Cell>>,
        /// A row that has come, if one has.
        added: Option<Vec<Cell>>,
    },
}

/// What differs first; `None` where nothing does. Its log, its journal mode, the size and order of its pages, free ones, and what `ANALYZE` found do not
/// count.
///
/// # Errors
/// The first that cannot be read: whether it is the one before, and why.
pub fn find_alteration(before: &[u8], after: &[u8]) -> Result<Option<DatabaseChange>, (bool, UnreadableDatabase)> {
    let before = read_whole(before).map_err(|why| (true, why))?;
    let after = read_whole(after).map_err(|why| (false, why))?;
    Ok(before.find_first_difference(&after))
}

type Rows = Vec<Vec<Cell>>;

/// All that counts of a database.
struct Whole {
    /// By kind and name: the table that it belongs to, and how it is declared.
    declared: BTreeMap<(String, String), (String, String)>,
    header: [i64; 2],
    /// Sorted, by name.
    rows: BTreeMap<String, Rows>,
}

const HEADER: [&str; 2] = ["user_version", "application_id"];

fn read_whole(bytes: &[u8]) -> Result<Whole, UnreadableDatabase> {
    with_opened(bytes, |connection| {
        check_sound(connection)?;
        let mut taken = 0;
        let mut rows = BTreeMap::new();
        for name in list_stored_tables(connection)? {
            let found = read_rows(connection, &name, &mut taken)?;
            rows.insert(name, found);
        }
        let mut header = [0; 2];
        for (place, name) in header.iter_mut().zip(HEADER) {
            *place = connection.query_row(&format!("PRAGMA {name}"), [], |row| row.get(0))?;
        }
        Ok(Whole { declared: read_declared(connection)?, header, rows })
    })
}

/// What the schema declares, without the tables in which `ANALYZE` keeps what it found.
fn read_declared(connection: &Connection) -> rusqlite::Result<BTreeMap<(String, String), (String, String)>> {
    let mut statement = connection.prepare(
        "SELECT type, name, tbl_name, coalesce(sql, '') FROM sqlite_schema WHERE lower(name) NOT GLOB 'sqlite_stat[0-9]*'",
    )?;
    let all = statement.query_map([], |row| Ok(((row.get(0)?, row.get(1)?), (row.get(2)?, row.get(3)?))))?;
    all.collect()
}

/// The tables that have rows of their own: also that of `AUTOINCREMENT`, and those in which a virtual table keeps its rows.
fn list_stored_tables(connection: &Connection) -> rusqlite::Result<Vec<String>> {
    let mut statement = connection.prepare(
        "SELECT name FROM sqlite_schema WHERE type = 'table' AND lower(name) NOT GLOB 'sqlite_stat[0-9]*' \
         AND coalesce(sql, '') NOT LIKE 'CREATE VIRTUAL TABLE%'",
    )?;
    let names = statement.query_map([], |row| row.get(0))?;
    names.collect()
}

fn read_rows(connection: &Connection, name: &str, taken: &mut usize) -> Result<Rows, Stop> {
    let mut statement = connection.prepare(&format!("SELECT * FROM {} NOT INDEXED", quote_name(name)))?;
    let width = statement.column_count();
    let mut rows = Rows::new();
    let mut cursor = statement.raw_query();
    while let Some(row) = cursor.next()? {
        let cells =
            (0..width).map(|at| Ok(convert_exact(read_value(row, at)?))).collect::<rusqlite::Result<Vec<Cell>>>()?;
        *taken += size_of::<Vec<Cell>>() + cells.iter().map(Cell::estimate_size).sum::<usize>();
        if *taken > MAX_BYTES {
            return Err(Stop::Unread(UnreadableDatabase::TooLarge(format!(
                "its rows take more than {} MiB",
                MAX_BYTES >> 20
            ))));
        }
        rows.push(cells);
    }
    rows.sort_unstable();
    Ok(rows)
}

/// A cell to the last bit: 5 is not 5.0 here.
fn convert_exact(value: ValueRef<'_>) -> Cell {
    match value {
        ValueRef::Real(value) => Cell::Real(Real(value)),
        other => convert_cell(other),
    }
}

impl Whole {
    fn find_first_difference(&self, after: &Whole) -> Option<DatabaseChange> {
        let all = self.declared.keys().chain(after.declared.keys());
        let other = all.filter(|key| self.declared.get(*key) != after.declared.get(*key)).min();
        if let Some(key) = other {
            let of = |whole: &Whole| whole.declared.get(key).map(|(_, sql)| sql.clone());
            let (kind, name) = key.clone();
            return Some(DatabaseChange::Declared { kind, name, before: of(self), after: of(after) });
        }
        let header = HEADER.into_iter().zip(self.header.into_iter().zip(after.header));
        if let Some((name, (before, after))) = header.into_iter().find(|(_, (before, after))| before != after) {
            return Some(DatabaseChange::Header { name, before, after });
        }
        self.rows.iter().find_map(|(table, before)| {
            let after = after.rows.get(table)?;
            let mut pairs = before.iter().zip(after).enumerate();
            let at = pairs.find(|(_, (before, after))| before != after).map(|(at, _)| at);
            let at = at.or_else(|| (before.len() != after.len()).then(|| before.len().min(after.len())))?;
            // Both are sorted: of the first two that differ, the smaller one is in one database alone.
            let (old, new) = (before.get(at), after.get(at));
            let (removed, added) = match (old, new) {
                (Some(old), Some(new)) if old < new && after.get(at..)?.binary_search(old).is_err() => {
                    (Some(old), None)
                }
                (Some(old), Some(new)) if new < old && before.get(at..)?.binary_search(new).is_err() => {
                    (None, Some(new))
                }
                both => both,
            };
            Some(DatabaseChange::Rows { table: table.clone(), removed: removed.cloned(), added: added.cloned() })
        })
    }
}
