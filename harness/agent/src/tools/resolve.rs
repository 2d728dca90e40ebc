//! Finds the column of a database that a name means. The file may have any content: agents write files.

use std::time::{Duration, Instant};

use names;
use rusqlite::Error;
use rusqlite::types::ValueRef;
use sqlite::{Database, TOOL};

use super::sql::{TIME, refuse_database};
use super::{ToolError, files};
use crate::sandbox::Sandbox;

/// The maximum number of columns that are compared with a name.
const COLUMNS: usize = 5000;
/// The maximum length of a name, in characters.
const NAME: usize = 200;

/// The columns of all tables and views, in the order in which these were created.
const SCHEMA: &str = "SELECT m.name, c.name FROM sqlite_schema AS m, pragma_table_info(m.name) AS c \
                      WHERE m.type IN ('table', 'view') AND m.name NOT LIKE 'sqlite\\_%' ESCAPE '\\' ORDER BY m.rowid, c.cid LIMIT 5001";

/// Returns the column that a name means, as JSON.
pub fn resolve_column(
    sandbox: &Sandbox,
    database: &str,
    table: Option<&str>,
    name: &str,
    left: Duration,
) -> Result<String, ToolError> {
    if name.chars().count() > NAME {
        return Err(ToolError::Call(format!("`name` has more than {NAME} characters")));
    }
    let bytes = files::read_bytes(sandbox, files::normalize_path(database)?)?;
    let columns = read_columns(&bytes, left.min(TIME))?;
    if let Some(table) = table
        && !columns.iter().any(|(of, _)| of.eq_ignore_ascii_case(table))
    {
        return Err(ToolError::Call(format!("no such table: {table}")));
    }
    Ok(names::resolve_column(name, table, &columns).to_json().to_string())
}

/// Reads the columns of a database, each after its table.
fn read_columns(bytes: &[u8], time: Duration) -> Result<Vec<(String, String)>, ToolError> {
    let database = Database::from_bytes(bytes, &TOOL)?;
    let found = database.run_bounded(Some(Instant::now() + time), |connection| {
        let mut statement = connection.prepare(SCHEMA)?;
        let rows = statement.query_map([], |row| {
            let text = |at: usize| match row.get_ref(at)? {
                ValueRef::Text(text) => Ok(String::from_utf8_lossy(text).into_owned()),
                _ => Ok::<_, Error>(String::new()),
            };
            Ok((text(0)?, text(1)?))
        })?;
        rows.collect::<Result<Vec<_>, _>>()
    });
    let found = found.map_err(refuse_database)?;
    match found.len() > COLUMNS {
        true => Err(ToolError::Sql(format!("the database has more than {COLUMNS} columns"))),
        false => Ok(found),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_of_tables_and_views() {
        let mut database = Database::from_bytes(&[], &TOOL).expect("a database");
        let schema = "CREATE TABLE items (id INTEGER PRIMARY KEY AUTOINCREMENT, \"dear price\" REAL); CREATE VIEW dear AS SELECT id FROM items;";
        database.connection().execute_batch(schema).expect("the schema");
        let bytes = database.to_bytes().expect("bytes");
        let own = |of: &str, column: &str| (of.to_owned(), column.to_owned());
        let wanted = vec![own("items", "id"), own("items", "dear price"), own("dear", "id")];
        assert_eq!(read_columns(&bytes, TIME), Ok(wanted));
        assert!(read_columns(b"not a database, and long enough to be looked at", TIME).is_err());
        assert_eq!(read_columns(&[], TIME), Ok(Vec::new()));
    }
}
