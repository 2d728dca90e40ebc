//! Renders parts of a database for people.

use rusqlite::types::ValueRef;

/// The query for the names of a database's own tables, in the order of their creation.
pub const TABLES: &str =
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
