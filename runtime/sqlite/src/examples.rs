//! Queries on a few rows, for examples in the compiler's messages.

use model::Value;
use model::sqlite::{Example, SqlError};
use rusqlite::config::DbConfig;
use rusqlite::types::ToSql;
use rusqlite::{Connection, Error};

use crate::database::{self, QueryError, describe_error, read_value};
use crate::results::to_suite_value;
use crate::rules::{AUTHOR, Bounds};

/// Maximum work of the statements of one example.
const WORK: u64 = 200_000;

/// Maximum number of rows of a result.
const MAX_ROWS: usize = 200;

/// The rows of each query of an example. The inserted rows are removed again.
pub fn run_example(connection: &Connection, example: &Example<'_>) -> Result<Vec<Vec<Vec<Value>>>, SqlError> {
    let bounds = Bounds { work: WORK, ..AUTHOR.bounds };
    // A table to which others refer is missing if the query does not name it.
    let keys = DbConfig::SQLITE_DBCONFIG_ENABLE_FKEY;
    let set = |on| connection.set_db_config(keys, on).map_err(|error| refuse(describe_error(&error)));
    let before = connection.db_config(keys).map_err(|error| refuse(describe_error(&error)))?;
    set(false)?;
    let found = database::run_bounded(&AUTHOR, bounds, None, || {
        connection.execute_batch("BEGIN")?;
        for insert in example.inserts {
            connection.execute_batch(insert)?;
        }
        example
            .queries
            .iter()
            .map(|query| read_rows(connection, query, example.params))
            .collect::<Result<Option<Vec<_>>, Error>>()
    });
    // After some errors, SQLite has ended the transaction itself.
    if !connection.is_autocommit() {
        connection.execute_batch("ROLLBACK").map_err(|error| refuse(describe_error(&error)))?;
    }
    set(before)?;
    match found {
        Ok(Some(rows)) => Ok(rows),
        Ok(None) => Err(refuse("it is not a query, or returns too much".to_owned())),
        Err(QueryError::Failed(error)) => Err(refuse(describe_error(&error))),
        Err(other) => Err(refuse(format!("{other}"))),
    }
}

/// The rows of a query; `None` if it does not only read, has too many rows, or returns a value that no column has.
fn read_rows(
    connection: &Connection,
    query: &str,
    params: &[(String, Value)],
) -> Result<Option<Vec<Vec<Value>>>, Error> {
    let mut statement = connection.prepare_cached(query)?;
    if !statement.readonly() {
        return Ok(None);
    }
    for (name, value) in params {
        if let Some(index) = statement.parameter_index(name)? {
            statement.raw_bind_parameter(index, to_parameter(value))?;
        }
    }
    let columns = statement.column_count();
    let mut rows = statement.raw_query();
    let mut found = Vec::new();
    while let Some(row) = rows.next()? {
        let mut cells = Vec::with_capacity(columns);
        for at in 0..columns {
            let Ok(value) = to_suite_value(read_value(row, at)?) else { return Ok(None) };
            cells.push(value);
        }
        found.push(cells);
        if found.len() > MAX_ROWS {
            return Ok(None);
        }
    }
    Ok(Some(found))
}

fn to_parameter(value: &Value) -> Box<dyn ToSql> {
    match value {
        Value::Null => Box::new(rusqlite::types::Null),
        Value::Int(number) => Box::new(*number),
        Value::Bool(value) => Box::new(*value),
        Value::Float(number) => Box::new(*number),
        Value::Decimal(_) => Box::new(value.render_text().parse::<f64>().unwrap_or_default()),
        other => Box::new(other.render_text().into_owned()),
    }
}

fn refuse(message: String) -> SqlError {
    SqlError { message, offset: None }
}
