//! Renders parts of a database for people.

use rusqlite::types::ValueRef;

use crate::{Database, FIXTURE, NoResult, describe_error, run_query};

/// The query for the names of a database's own tables, in the order of their creation.
const TABLES: &str =
    "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\' ORDER BY rowid";

/// Renders a value for people; a blob by its size in bytes.
///
/// ```
/// use rusqlite::types::ValueRef;
/// use sqlite::render::render_cell;
///
/// assert_eq!(render_cell(ValueRef::Real(2.0)), "2.0");
/// assert_eq!(render_cell(ValueRef::Text(b"Ulm")), "Ulm");
/// assert_eq!([render_cell(ValueRef::Null), render_cell(ValueRef::Blob(&[0; 3]))], ["null", "3 bytes"]);
/// ```
pub fn render_cell(value: ValueRef<'_>) -> String {
    match value {
        ValueRef::Null => "null".to_owned(),
        ValueRef::Integer(number) => number.to_string(),
        ValueRef::Real(number) => model::value::render_float(number),
        ValueRef::Text(text) => String::from_utf8_lossy(text).into_owned(),
        ValueRef::Blob(bytes) => format!("{} bytes", bytes.len()),
    }
}

/// The beginning of a table, for people.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TableHead {
    /// The name.
    pub name: String,
    /// The number of its rows.
    pub count: String,
    /// The names of its columns.
    pub columns: Vec<String>,
    /// Its first rows, rendered with [`render_cell`].
    pub rows: Vec<Vec<String>>,
}

/// Reads the beginning of each table of a database, with at most `most` rows.
///
/// ```
/// use sqlite::render::read_table_heads;
/// use sqlite::{Database, TOOL};
///
/// let mut database = Database::new_empty(&TOOL)?;
/// database.connection().execute_batch("CREATE TABLE t (n); INSERT INTO t VALUES (1), (2), (NULL)")?;
/// let heads = read_table_heads(&database.to_bytes()?, 1).expect("a database");
/// assert_eq!((heads[0].name.as_str(), heads[0].count.as_str()), ("t", "3"));
/// assert_eq!((&heads[0].columns, &heads[0].rows), (&vec!["n".to_owned()], &vec![vec!["1".to_owned()]]));
/// assert!(read_table_heads(b"no database", 1).is_err());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// If the bytes are not a database, or a table cannot be read within the limits of fixtures.
pub fn read_table_heads(bytes: &[u8], most: u64) -> Result<Vec<TableHead>, NoResult> {
    let database = Database::from_bytes(bytes, &FIXTURE).map_err(|error| NoResult::Database(describe_error(&error)))?;
    let ask = |sql: &str| run_query(&database, sql, |value| Ok(render_cell(value)));
    let names = ask(TABLES)?.rows.into_iter().flatten();
    let head = |name: String| {
        let quoted = format!("\"{}\"", name.replace('"', "\"\""));
        let count = ask(&format!("SELECT count(*) FROM {quoted}"))?.rows.into_iter().flatten().next();
        let head = ask(&format!("SELECT * FROM {quoted} LIMIT {most}"))?;
        Ok(TableHead { name, count: count.unwrap_or_default(), columns: head.columns, rows: head.rows })
    };
    names.map(head).collect()
}
