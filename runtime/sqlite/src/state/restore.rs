//! Makes a copy of a database with some rows removed and some added.

use std::collections::BTreeMap;

use model::ddl::quote_name;
use rusqlite::config::DbConfig;
use rusqlite::types::{ToSqlOutput, Value, ValueRef};
use rusqlite::{Connection, ToSql};

use super::read::{PRIMARY_KEY, convert_cell};
use super::{Cell, Difference, Real};
use crate::database::{Database, collect_rows};
use crate::ffi;
use crate::rules::RESTORE;

/// Applies these differences to the database, table by table. Missing rows that should be removed are skipped. Triggers do not run, and references
/// are not checked. Virtual tables stay as they are.
///
/// # Errors
/// An error of SQLite.
pub fn restore_database(bytes: &[u8], differences: &[(&str, Difference)]) -> rusqlite::Result<Vec<u8>> {
    let mut database = open_copy(bytes)?;
    let connection = database.connection();
    connection.execute_batch("BEGIN")?;
    for (table, difference) in differences {
        remove_rows(connection, table, &difference.removed)?;
    }
    for (table, difference) in differences {
        insert_rows(connection, table, &difference.added)?;
    }
    connection.execute_batch("COMMIT")?;
    database.to_bytes()
}

/// Runs statements of our own on a copy of a database. Triggers do not run, and references are not checked.
///
/// ```
/// use sqlite::state::{read_state, run_on_copy};
/// use sqlite::{Database, TOOL};
///
/// let mut made = Database::new_empty(&TOOL).expect("SQLite");
/// made.connection().execute_batch("CREATE TABLE towns (N INTEGER); INSERT INTO towns VALUES (3)").expect("written");
/// let bytes = made.to_bytes().expect("bytes");
/// let analyzed = run_on_copy(&bytes, "ANALYZE").expect("statistics");
/// assert_ne!(analyzed, bytes);
/// assert_eq!(read_state(&analyzed), read_state(&bytes));
/// assert!(run_on_copy(&bytes, "CREATE TABLE towns (M)").is_err());
/// ```
///
/// # Errors
/// An error of SQLite.
pub fn run_on_copy(bytes: &[u8], statements: &str) -> rusqlite::Result<Vec<u8>> {
    let mut database = open_copy(bytes)?;
    database.connection().execute_batch(statements)?;
    database.to_bytes()
}

fn open_copy(bytes: &[u8]) -> rusqlite::Result<Database> {
    let database = Database::from_bytes(bytes, &RESTORE)?;
    let connection = database.connection();
    ffi::drop_modules(connection)?;
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_ENABLE_TRIGGER, false)?;
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_ENABLE_FKEY, false)?;
    Ok(database)
}

/// Lists the columns of a table in order, and whether each is generated.
fn list_columns(connection: &Connection, table: &str) -> rusqlite::Result<Vec<(String, bool)>> {
    const COLUMNS: &str = "SELECT name, hidden > 1 FROM pragma_table_xinfo(?1) WHERE hidden <> 1 ORDER BY cid";
    collect_rows(connection, COLUMNS, [table], |row| Ok((row.get(0)?, row.get(1)?)))
}

fn remove_rows(connection: &Connection, table: &str, rows: &[Vec<Cell>]) -> rusqlite::Result<()> {
    if rows.is_empty() {
        return Ok(());
    }
    let columns = list_columns(connection, table)?;
    // The identifier of a row in SQLite: its number or, in a table without one (WITHOUT ROWID), its primary key.
    let numbered: bool = connection.query_row(
        "SELECT NOT wr FROM pragma_table_list WHERE schema = 'main' AND name = ?1",
        [table],
        |row| row.get(0),
    )?;
    let free = |name: &&&str| !columns.iter().any(|(column, _)| column.eq_ignore_ascii_case(name));
    let names: Vec<String> = match ["rowid", "_rowid_", "oid"].iter().find(free).filter(|_| numbered) {
        Some(name) => vec![(*name).to_owned()],
        None => collect_rows(connection, PRIMARY_KEY, [table], |row| Ok(quote_name(&row.get::<_, String>(0)?)))?,
    };
    let table = quote_name(table);
    let mut places: BTreeMap<Vec<Cell>, Vec<Vec<Cell>>> = BTreeMap::new();
    {
        let mut statement = connection.prepare(&format!("SELECT *, {} FROM {table}", names.join(", ")))?;
        let mut found = statement.raw_query();
        while let Some(row) = found.next()? {
            let all = 0..columns.len() + names.len();
            let mut cells: Vec<Cell> =
                all.map(|at| Ok(convert_cell(row.get_ref(at)?))).collect::<rusqlite::Result<_>>()?;
            let place = cells.split_off(columns.len());
            places.entry(cells).or_default().push(place);
        }
    }
    let test: Vec<String> = (1..).zip(&names).map(|(at, name)| format!("{name} COLLATE BINARY IS ?{at}")).collect();
    let mut statement = connection.prepare(&format!("DELETE FROM {table} WHERE {}", test.join(" AND ")))?;
    for row in rows {
        if let Some(place) = places.get_mut(row).and_then(Vec::pop) {
            statement.execute(rusqlite::params_from_iter(place.iter().map(Bound)))?;
        }
    }
    Ok(())
}

fn insert_rows(connection: &Connection, table: &str, rows: &[Vec<Cell>]) -> rusqlite::Result<()> {
    if rows.is_empty() {
        return Ok(());
    }
    let columns = list_columns(connection, table)?;
    let stored: Vec<(usize, String)> = (0..)
        .zip(&columns)
        .filter(|(_, (_, computed))| !computed)
        .map(|(at, (name, _))| (at, quote_name(name)))
        .collect();
    let names: Vec<&str> = stored.iter().map(|(_, name)| name.as_str()).collect();
    let marks = vec!["?"; names.len()].join(", ");
    let table = quote_name(table);
    let mut statement = connection.prepare(&format!("INSERT INTO {table} ({}) VALUES ({marks})", names.join(", ")))?;
    for row in rows {
        let cells = stored.iter().filter_map(|(at, _)| row.get(*at)).map(Bound);
        statement.execute(rusqlite::params_from_iter(cells))?;
    }
    Ok(())
}

/// A cell in the form passed to SQLite.
struct Bound<'c>(&'c Cell);

impl ToSql for Bound<'_> {
    fn to_sql(&self) -> rusqlite::Result<ToSqlOutput<'_>> {
        Ok(match self.0 {
            Cell::Null => ToSqlOutput::Owned(Value::Null),
            Cell::Int(value) => ToSqlOutput::Owned(Value::Integer(*value)),
            Cell::Real(Real(value)) => ToSqlOutput::Owned(Value::Real(*value)),
            Cell::Text(text) => ToSqlOutput::Borrowed(ValueRef::Text(text.as_bytes())),
            Cell::Broken(text) => ToSqlOutput::Borrowed(ValueRef::Text(text)),
            Cell::Blob(blob) => ToSqlOutput::Borrowed(ValueRef::Blob(blob)),
        })
    }
}
