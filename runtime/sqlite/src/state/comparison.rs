//! Checks whether a database is unchanged: its rows to the last bit, and its whole schema. The storage in the file does not matter.

use std::collections::BTreeMap;

use rusqlite::types::ValueRef;
use rusqlite::{Connection, Row};

use super::read::{check_sound, convert_cell, read_rows, with_opened};
use super::{Cell, Real, UnreadableDatabase};
use crate::database::collect_rows;

/// The first difference between two databases.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum DatabaseChange {
    /// A table, view, trigger, or index, with its declarations before and after.
    Declared {
        /// `table`, `view`, `trigger`, or `index`.
        kind: String,
        /// Its name.
        name: String,
        /// Its declaration at the start; `None` if it did not exist.
        before: Option<String>,
        /// Its declaration now; `None` if it does not exist any more.
        after: Option<String>,
    },
    /// A number that programs store in the header: `user_version` or `application_id`.
    Header {
        /// The name of the number.
        name: &'static str,
        /// Its value at the start.
        before: i64,
        /// Its value now.
        after: i64,
    },
    /// Rows of a table.
    Rows {
        /// The name of the table.
        table: String,
        /// A removed row, if there is one.
        removed: Option<Vec<Cell>>,
        /// An added row, if there is one.
        added: Option<Vec<Cell>>,
    },
}

/// Returns the first difference; `None` if the databases are equal. The log, the journal mode, the size and order of pages, free pages, and the
/// results of `ANALYZE` are ignored.
///
/// ```
/// use sqlite::state::{DatabaseChange, find_alteration};
/// use sqlite::{Database, TOOL};
///
/// let make = |statements: &str| {
///     let mut made = Database::new_empty(&TOOL).expect("SQLite");
///     made.connection().execute_batch(statements).expect("written");
///     made.to_bytes().expect("bytes")
/// };
/// let start = make("CREATE TABLE t (N INTEGER); INSERT INTO t VALUES (1), (2)");
/// // Deleted and inserted again, with free pages: the content is the same.
/// let rewritten = make("CREATE TABLE t (N INTEGER); INSERT INTO t VALUES (2), (7), (1); DELETE FROM t WHERE N = 7");
/// assert_eq!(find_alteration(&start, &rewritten), Ok(None));
/// let more = make("CREATE TABLE t (N INTEGER); INSERT INTO t VALUES (1), (2), (3)");
/// assert!(matches!(find_alteration(&start, &more), Ok(Some(DatabaseChange::Rows { removed: None, .. }))));
/// let indexed = make("CREATE TABLE t (N INTEGER); INSERT INTO t VALUES (1), (2); CREATE INDEX i ON t (N)");
/// assert!(matches!(find_alteration(&start, &indexed), Ok(Some(DatabaseChange::Declared { .. }))));
/// assert!(matches!(find_alteration(&start, b"no database"), Err((false, _))));
/// ```
///
/// # Errors
/// The first database that cannot be read: whether it is the one before, and the reason.
pub fn find_alteration(before: &[u8], after: &[u8]) -> Result<Option<DatabaseChange>, (bool, UnreadableDatabase)> {
    let before = read_whole(before).map_err(|why| (true, why))?;
    let after = read_whole(after).map_err(|why| (false, why))?;
    Ok(before.find_first_difference(&after))
}

type Rows = Vec<Vec<Cell>>;

/// The compared content of a database.
struct Whole {
    /// By kind and name: the table to which it belongs, and its declaration.
    declared: BTreeMap<(String, String), (String, String)>,
    header: [i64; 2],
    /// The sorted rows, by table name.
    rows: BTreeMap<String, Rows>,
}

const HEADER: [&str; 2] = ["user_version", "application_id"];

fn read_whole(bytes: &[u8]) -> Result<Whole, UnreadableDatabase> {
    with_opened(bytes, |connection| {
        check_sound(connection)?;
        let mut taken = 0;
        let mut rows = BTreeMap::new();
        for name in list_stored_tables(connection)? {
            let (_, mut found) = read_rows(connection, &name, &mut taken, convert_exact)?;
            found.sort_unstable();
            rows.insert(name, found);
        }
        let mut header = [0; 2];
        for (place, name) in header.iter_mut().zip(HEADER) {
            *place = connection.query_row(&format!("PRAGMA {name}"), [], |row| row.get(0))?;
        }
        Ok(Whole { declared: read_declared(connection)?, header, rows })
    })
}

/// Reads the declarations of the schema, without the tables in which `ANALYZE` stores its results.
fn read_declared(connection: &Connection) -> rusqlite::Result<BTreeMap<(String, String), (String, String)>> {
    const DECLARED: &str = "SELECT type, name, tbl_name, coalesce(sql, '') FROM sqlite_schema \
                            WHERE lower(name) NOT GLOB 'sqlite_stat[0-9]*'";
    let read = |row: &Row<'_>| Ok(((row.get(0)?, row.get(1)?), (row.get(2)?, row.get(3)?)));
    Ok(collect_rows(connection, DECLARED, [], read)?.into_iter().collect())
}

/// Lists the tables with rows of their own, including that of `AUTOINCREMENT`, and those in which virtual tables store their rows.
fn list_stored_tables(connection: &Connection) -> rusqlite::Result<Vec<String>> {
    const NAMES: &str = "SELECT name FROM sqlite_schema WHERE type = 'table' AND lower(name) NOT GLOB 'sqlite_stat[0-9]*' \
                         AND coalesce(sql, '') NOT LIKE 'CREATE VIRTUAL TABLE%'";
    collect_rows(connection, NAMES, [], |row| row.get(0))
}

/// Converts a cell exactly: 5 differs from 5.0 here.
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
            // Both are sorted, so of the first two different rows, only one database contains the smaller one.
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
