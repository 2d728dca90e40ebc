//! The result of one reading query from others: a reply, a gold query of a data set, or a query that searches for ties. All of them run here within
//! the same limits: those of the database's [`Rules`](crate::Rules), [`MAX_ROWS`], and [`MAX_BYTES`].

use std::fmt;

use model::Value;
use rusqlite::types::ValueRef;
use rusqlite::{Connection, Error, ErrorCode};

use crate::database::{Database, QueryError, Stop, describe_error, limit_of, read_value};
use crate::rules::RefusalKind;

/// Maximum number of rows of a result.
pub const MAX_ROWS: usize = 100_000;
/// Maximum size of all its values in bytes: the length of texts and blobs, and 8 for any other value.
pub const MAX_BYTES: usize = 16 << 20;

/// The result of a query.
#[derive(Clone, Debug, PartialEq)]
pub struct Table<T> {
    /// The names of its columns, as SQLite returns them.
    pub columns: Vec<String>,
    /// Its rows, each with a cell for every column.
    pub rows: Vec<Vec<T>>,
}

/// The reason why a query has no result.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NoResult {
    /// The database cannot be read; contains SQLite's message.
    Database(String),
    /// The query fails; contains SQLite's message, or a sentence about it.
    Fails(String),
    /// It does more than read.
    Writes,
    /// It depends on more than its text and its database; contains a sentence about this.
    Unsteady(String),
    /// It exceeds a limit; contains its description.
    Limit(String),
    /// It returns a value that cannot be used; contains its description.
    Value(String),
    /// [`crate::stop_all`] was called.
    Interrupted,
}

/// Renders a sentence about the query; after a fixed subject, or with SQLite's message.
impl fmt::Display for NoResult {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            NoResult::Database(why) => write!(f, "the database cannot be read: {why}"),
            NoResult::Fails(why) | NoResult::Unsteady(why) => f.write_str(why),
            NoResult::Writes => f.write_str("only a query that reads is run"),
            NoResult::Limit(what) => write!(f, "it exceeds {what}"),
            NoResult::Value(what) => write!(f, "it returns {what}"),
            NoResult::Interrupted => f.write_str("it was interrupted"),
        }
    }
}

/// Runs one query. `cell` converts a value, or describes in a few words why it cannot be used ("a blob").
///
/// ```
/// use sqlite::{Database, GOLD, NoResult, run_query, to_suite_value};
///
/// let database = Database::new_empty(&GOLD).expect("SQLite");
/// let ask = |sql| run_query(&database, sql, to_suite_value).map(|table| table.rows.len());
/// assert_eq!(ask("VALUES (1), (2)"), Ok(2));
/// assert_eq!(ask("DROP TABLE t"), Err(NoResult::Fails("no such table: t".to_owned())));
/// assert_eq!(ask("CREATE TABLE t (N)"), Err(NoResult::Writes));
/// assert_eq!(ask("SELECT 1; SELECT 2"), Err(NoResult::Fails("it is more than one statement".to_owned())));
/// assert!(matches!(ask("SELECT datetime('now')"), Err(NoResult::Unsteady(_))));
/// // A blob has no place in an answer key.
/// assert!(matches!(ask("SELECT x'00'"), Err(NoResult::Value(_))));
/// ```
///
/// # Errors
/// The reason why it has no result.
pub fn run_query<T>(
    database: &Database,
    sql: &str,
    cell: impl Fn(ValueRef<'_>) -> Result<T, &'static str>,
) -> Result<Table<T>, NoResult> {
    let rules = database.rules();
    database.run_bounded(None, |connection| read_rows(connection, sql, cell)).map_err(|stopped| match stopped {
        QueryError::Failed(Stop::Own(why)) => why,
        QueryError::Failed(Stop::Sqlite(error)) => match (limit_of(&error, rules), error.sqlite_error_code()) {
            (Some(over), _) => NoResult::Limit(over.to_string()),
            (None, Some(ErrorCode::NotADatabase | ErrorCode::DatabaseCorrupt)) => {
                NoResult::Database(describe_error(&error))
            }
            (None, _) => NoResult::Fails(describe_error(&error)),
        },
        QueryError::Over(over) => NoResult::Limit(over.to_string()),
        QueryError::Clock => NoResult::Unsteady("it reads the clock".to_owned()),
        QueryError::LocalTime => NoResult::Unsteady("it depends on the time zone of the machine".to_owned()),
        QueryError::Refused(RefusalKind::Fickle, why) => NoResult::Unsteady(why),
        QueryError::Refused(RefusalKind::Change, _) => NoResult::Writes,
        QueryError::Refused(RefusalKind::Other, why) | QueryError::NoResult(why) => NoResult::Fails(why),
        QueryError::Interrupted => NoResult::Interrupted,
    })
}

fn read_rows<T>(
    connection: &Connection,
    sql: &str,
    cell: impl Fn(ValueRef<'_>) -> Result<T, &'static str>,
) -> Result<Table<T>, Stop<NoResult>> {
    let known = |why: NoResult| Err(Stop::Own(why));
    let fails = |why: &str| known(NoResult::Fails(why.to_owned()));
    if sql.contains('\0') {
        return fails("it has a NUL character");
    }
    let mut statement = match connection.prepare(sql) {
        Err(Error::MultipleStatement) => return fails("it is more than one statement"),
        other => other?,
    };
    let width = statement.column_count();
    if width == 0 || !statement.readonly() {
        return known(NoResult::Writes);
    }
    if statement.parameter_count() > 0 {
        return fails("it has a parameter, which has no value");
    }
    let columns = statement.column_names().map(str::to_owned).collect();
    let mut found = statement.query([])?;
    let (mut rows, mut bytes) = (Vec::new(), 0);
    while let Some(row) = found.next()? {
        if rows.len() == MAX_ROWS {
            return known(NoResult::Limit(format!("{} rows", model::value::group_digits(MAX_ROWS as u64))));
        }
        let mut cells = Vec::with_capacity(width);
        for at in 0..width {
            let value = read_value(row, at)?;
            bytes += match value {
                ValueRef::Text(text) | ValueRef::Blob(text) => text.len(),
                _ => 8,
            };
            if bytes > MAX_BYTES {
                return known(NoResult::Limit("16 MB of values".to_owned()));
            }
            cells.push(cell(value).map_err(|what| Stop::Own(NoResult::Value(what.to_owned())))?);
        }
        rows.push(cells);
    }
    Ok(Table { columns, rows })
}

/// Converts a value to one of a suite, for [`run_query`].
///
/// # Errors
/// A blob, a number that is not finite, or a text that is not UTF-8.
pub fn to_suite_value(value: ValueRef<'_>) -> Result<Value, &'static str> {
    Ok(match value {
        ValueRef::Null => Value::Null,
        ValueRef::Integer(value) => Value::Int(value),
        ValueRef::Real(value) if value.is_finite() => Value::Float(value),
        ValueRef::Real(_) => return Err("a number that is not finite"),
        ValueRef::Text(bytes) => Value::from_text(std::str::from_utf8(bytes).map_err(|_| "a text that is not UTF-8")?),
        ValueRef::Blob(_) => return Err("a blob"),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::{GOLD, REPLY, Rules};

    fn ask(rules: &'static Rules, sql: &str) -> Result<Table<Value>, NoResult> {
        let database = Database::new_empty(rules).expect("opened");
        database.connection().execute_batch("CREATE TABLE t (A, B); INSERT INTO t VALUES (1, 'x')").expect("filled");
        run_query(&database, sql, to_suite_value)
    }

    #[test]
    fn what_has_no_result_is_told_by_its_kind() {
        let rows_without_end = "WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n) SELECT x FROM n";
        for rules in [&GOLD, &REPLY] {
            let kind = |sql: &str| ask(rules, sql).expect_err(sql);
            for sql in ["DELETE FROM t", "CREATE TABLE u (A)", "BEGIN", "", "-- nothing"] {
                assert_eq!(kind(sql), NoResult::Writes, "{sql}");
            }
            for sql in ["SELECT random()", "SELECT date('now')", "SELECT sqlite_version()", "SELECT changes()"] {
                assert!(matches!(kind(sql), NoResult::Unsteady(_)), "{sql}: {:?}", kind(sql));
            }
            for sql in [
                "SELECT 1; SELECT 2",
                "SELECT :a",
                "SELECT nope FROM t",
                "SELECT 1 FROM",
                "SELECT '\0'",
                "PRAGMA page_size",
            ] {
                assert!(matches!(kind(sql), NoResult::Fails(_)), "{sql}: {:?}", kind(sql));
            }
            for sql in ["SELECT 1e999", "SELECT -1e999", "SELECT x'00'", "SELECT CAST(x'ff' AS TEXT)"] {
                assert!(matches!(kind(sql), NoResult::Value(_)), "{sql}: {:?}", kind(sql));
            }
            let wide = "WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n LIMIT 40) SELECT printf('%900000d', x) FROM n";
            for sql in [rows_without_end, wide] {
                assert!(matches!(kind(sql), NoResult::Limit(_)), "{sql}: {:?}", kind(sql));
            }
        }
    }

    #[test]
    fn a_database_that_is_none_is_not_a_query_that_fails() {
        let database =
            Database::from_bytes(&b"not a database, but as long as a page of one".repeat(200), &REPLY).expect("opened");
        assert!(matches!(
            run_query(&database, "SELECT 1 FROM sqlite_schema", to_suite_value),
            Err(NoResult::Database(_))
        ));
    }
}
