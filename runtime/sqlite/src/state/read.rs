//! Reads the tables of an untrusted database.

use rusqlite::types::ValueRef;
use rusqlite::{Connection, Error, ErrorCode, Row};

use model::ddl::quote_name;

use super::{Cell, Reference, State, Table};
use crate::database::{self, Database, QueryError, collect_rows, describe_error, limit_of, read_value};
use crate::ffi;
use crate::rules::{Rules, STATE};
use crate::stored::{Kind, find_virtual_table, list_tables_and_views};

/// Approximate maximum size of all rows in memory. A file has fewer bytes than its rows, unless columns are generated.
const MAX_BYTES: usize = 512 << 20;

/// The reason why a database cannot be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum UnreadableDatabase {
    /// It is not a database, or is damaged; contains a description.
    Broken(String),
    /// It exceeds a limit.
    TooLarge(String),
    /// [`crate::stop_all`] was called.
    Interrupted,
}

/// Reads every table, except views, SQLite's own tables, and those in which a full-text index or the like stores its data. Only the name of a virtual
/// table is read.
///
/// # Errors
/// It is not a database, fails `integrity_check`, or is too large.
pub fn read_state(bytes: &[u8]) -> Result<State, UnreadableDatabase> {
    with_opened(bytes, read_tables)
}

/// Opens an untrusted database and runs `work` on it.
pub(super) fn with_opened<T>(
    bytes: &[u8],
    work: impl FnOnce(&Connection) -> Result<T, Stop>,
) -> Result<T, UnreadableDatabase> {
    if !super::is_database_file(bytes) {
        return Err(UnreadableDatabase::Broken("the file is not an SQLite database".to_owned()));
    }
    let rules: &'static Rules = &STATE;
    let database =
        Database::from_bytes(bytes, rules).map_err(|error| UnreadableDatabase::Broken(describe_error(&error)))?;
    ffi::drop_modules(database.connection()).map_err(|error| UnreadableDatabase::Broken(describe_error(&error)))?;
    database.run_bounded(None, work).map_err(|stopped| match stopped {
        QueryError::Failed(Stop::Own(why)) => why,
        QueryError::Failed(Stop::Sqlite(error)) => match (limit_of(&error, rules), error.sqlite_error_code()) {
            (Some(over), _) => UnreadableDatabase::TooLarge(format!("reading it takes more than {over}")),
            (None, Some(ErrorCode::NotADatabase)) => {
                UnreadableDatabase::Broken("the file is not an SQLite database".to_owned())
            }
            (None, _) => UnreadableDatabase::Broken(describe_error(&error)),
        },
        QueryError::Over(over) => UnreadableDatabase::TooLarge(format!("reading it takes more than {over}")),
        QueryError::Clock => UnreadableDatabase::Broken("a column depends on the clock".to_owned()),
        QueryError::LocalTime => UnreadableDatabase::Broken("a column depends on the time zone".to_owned()),
        QueryError::Refused(_, why) | QueryError::NoResult(why) => UnreadableDatabase::Broken(why),
        QueryError::Interrupted => UnreadableDatabase::Interrupted,
    })
}

/// The reason why work on a database ends.
pub(super) type Stop = database::Stop<UnreadableDatabase>;

fn read_tables(connection: &Connection) -> Result<State, Stop> {
    check_sound(connection)?;
    let mut taken = 0;
    let names = list_tables_and_views(connection)?;
    let own = names.iter().filter(|named| named.kind != Kind::View && find_virtual_table(&names, named).is_none());
    let tables = own.map(|named| match named.kind.module() {
        Some(_) => Ok(Table { name: named.name.clone(), ..Table::default() }),
        None => read_table(connection, named.name.clone(), &mut taken),
    });
    Ok(State { tables: tables.collect::<Result<_, Stop>>()? })
}

/// Fails if SQLite finds a defect.
pub(super) fn check_sound(connection: &Connection) -> Result<(), Stop> {
    match find_defect(connection)? {
        Some(why) => Err(Stop::Own(UnreadableDatabase::Broken(why.replace('\n', " ")))),
        None => Ok(()),
    }
}

/// Returns the defect that SQLite finds, if any. Constraints and indexes that need a function or a collation of the program which wrote the database
/// are not checked.
fn find_defect(connection: &Connection) -> rusqlite::Result<Option<String>> {
    let first = |sql: &str| connection.query_row(sql, [], |row| row.get::<_, String>(0));
    let is_unknown = |error: &Error| {
        let why = describe_error(error);
        ["unknown function: ", "no such function: ", "no such collation sequence: "]
            .iter()
            .any(|of| why.starts_with(of))
    };
    let mut sound = first("PRAGMA integrity_check(1)");
    if sound.as_ref().is_err_and(is_unknown) {
        connection.execute_batch("PRAGMA ignore_check_constraints = 1")?;
        sound = first("PRAGMA quick_check(1)");
    }
    match sound {
        // Reading the rows shows whether their pages are valid.
        Err(error) if is_unknown(&error) => Ok(None),
        other => Ok(Some(other?).filter(|said| said != "ok")),
    }
}

fn read_table(connection: &Connection, name: String, taken: &mut usize) -> Result<Table, Stop> {
    let (columns, rows) = read_rows(connection, &name, taken, convert_cell)?;
    let key = find_key(connection, &name, &columns)?;
    let references = list_references(connection, &name)?;
    Ok(Table { name, columns, key, references, rows })
}

/// Lists the foreign keys of a table.
fn list_references(connection: &Connection, table: &str) -> rusqlite::Result<Vec<Reference>> {
    const REFERENCES: &str = "SELECT id, \"table\", \"from\", \"to\" FROM pragma_foreign_key_list(?1) ORDER BY id, seq";
    type Found = (i64, String, String, Option<String>);
    let read = |row: &Row<'_>| Ok((row.get(0)?, row.get(1)?, row.get(2)?, row.get(3)?));
    let mut all: Vec<(i64, Reference)> = Vec::new();
    for (id, to_table, from, to) in collect_rows::<Found>(connection, REFERENCES, [table], read)? {
        if all.last().is_none_or(|(known, _)| *known != id) {
            all.push((id, Reference { table: to_table, ..Reference::default() }));
        }
        if let Some((_, reference)) = all.last_mut() {
            reference.columns.push(from);
            reference.to.extend(to);
        }
    }
    Ok(all.into_iter().map(|(_, reference)| reference).collect())
}

/// Reads the names of the columns of a table, and its rows. `taken` is the memory that rows take already.
pub(super) fn read_rows(
    connection: &Connection,
    name: &str,
    taken: &mut usize,
    convert: fn(ValueRef<'_>) -> Cell,
) -> Result<(Vec<String>, Vec<Vec<Cell>>), Stop> {
    let mut statement = connection.prepare(&format!("SELECT * FROM {} NOT INDEXED", quote_name(name)))?;
    let columns: Vec<String> = statement.column_names().map(str::to_owned).collect();
    let mut rows = Vec::new();
    let mut cursor = statement.raw_query();
    while let Some(row) = cursor.next()? {
        let cells = (0..columns.len()).map(|at| Ok(convert(read_value(row, at)?)));
        let cells = cells.collect::<rusqlite::Result<Vec<Cell>>>()?;
        *taken += size_of::<Vec<Cell>>() + cells.iter().map(Cell::estimate_size).sum::<usize>();
        if *taken > MAX_BYTES {
            return Err(Stop::Own(UnreadableDatabase::TooLarge(format!(
                "its rows take more than {} MiB",
                MAX_BYTES >> 20
            ))));
        }
        rows.push(cells);
    }
    Ok((columns, rows))
}

pub(super) fn convert_cell(value: ValueRef<'_>) -> Cell {
    match value {
        ValueRef::Null => Cell::Null,
        ValueRef::Integer(value) => Cell::Int(value),
        ValueRef::Real(value) => Cell::from_real(value),
        ValueRef::Text(text) => match std::str::from_utf8(text) {
            Ok(text) => Cell::Text(text.to_owned()),
            Err(_) => Cell::Broken(text.to_vec()),
        },
        ValueRef::Blob(blob) => Cell::Blob(blob.to_vec()),
    }
}

/// The columns of a table's primary key.
pub(super) const PRIMARY_KEY: &str = "SELECT name FROM pragma_table_xinfo(?1) WHERE pk > 0 ORDER BY pk";

/// Returns the primary key; otherwise the first columns that are declared unique in combination, without a condition, and NOT NULL.
fn find_key(connection: &Connection, table: &str, columns: &[String]) -> rusqlite::Result<Vec<usize>> {
    let place = |name: &str| columns.iter().position(|column| column == name);
    let places = |sql: &str, of: &str| -> rusqlite::Result<Vec<Option<usize>>> {
        collect_rows(connection, sql, [of], |row| Ok(row.get::<_, Option<String>>(0)?.as_deref().and_then(place)))
    };
    let whole = |places: Vec<Option<usize>>| places.into_iter().collect::<Option<Vec<usize>>>().unwrap_or_default();
    let primary = whole(places(PRIMARY_KEY, table)?);
    if !primary.is_empty() {
        return Ok(primary);
    }
    let never_null = whole(places("SELECT name FROM pragma_table_xinfo(?1) WHERE \"notnull\"", table)?);
    const INDEXES: &str = "SELECT name FROM pragma_index_list(?1) WHERE \"unique\" AND NOT partial ORDER BY seq DESC";
    for index in collect_rows(connection, INDEXES, [table], |row| row.get::<_, String>(0))? {
        let unique = whole(places("SELECT name FROM pragma_index_info(?1) ORDER BY seqno", &index)?);
        if !unique.is_empty() && unique.iter().all(|column| never_null.contains(column)) {
            return Ok(unique);
        }
    }
    Ok(Vec::new())
}
