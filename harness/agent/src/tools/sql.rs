//! SQL on a database of the sandbox. SQLite never opens a file: the database is read into memory, and written back if it changed, both through the sandbox's
//! own folder.

use std::time::{Duration, Instant};

use rusqlite::fallible_iterator::FallibleIterator as _;
use rusqlite::types::ValueRef;
use rusqlite::{Batch, Connection, Error, ErrorCode, Statement};
use serde_json::{Value as Json, json};
use sqlite::{Database, QueryError, TOOL, limit_of};

use records::calls::NO_DATABASE;

use super::output::OUTPUT;
use super::{ToolError, files};
use crate::sandbox::Sandbox;

/// The maximum number of rows of a result.
const ROWS: usize = 1000;

/// The time limit.
pub(super) const TIME: Duration = Duration::from_secs(10);

/// The maximum number of pages of a database: with pages of 4 KiB, the maximum size of a file.
const PAGES: u32 = 4096;

/// Runs statements. Returns the columns and rows of the last statement that has some.
pub fn run_statements(sandbox: &Sandbox, database: &str, sql: &str, left: Duration) -> Result<String, ToolError> {
    let path = files::normalize_path(database)?;
    // A database that does not exist yet is created by the first statement that writes.
    let found = sandbox.follow_link(path);
    let exists = found.dir.symlink_metadata(found.path).is_ok();
    let before = if exists { files::read_bytes(sandbox, path)? } else { Vec::new() };
    let (said, after) = run_on_bytes(&before, sql, left.min(TIME))?;
    match after {
        Some(after) => files::write_bytes(sandbox, path, &after)?,
        // Otherwise SQLite's result for an empty database would be taken as an answer.
        None if !exists => {
            let why = format!("{NO_DATABASE}: `{path}`; a statement that writes, such as CREATE TABLE, creates it");
            return Err(ToolError::Sql(why));
        }
        None => {}
    }
    said
}

/// The result of statements, or why one of them failed; and the bytes of the database if they changed. Both are possible: changes before a
/// failure stay.
type Worked = (Result<String, ToolError>, Option<Vec<u8>>);

/// Runs statements on a database.
///
/// # Errors
/// No statement can be run.
fn run_on_bytes(before: &[u8], sql: &str, time: Duration) -> Result<Worked, ToolError> {
    let mut database = Database::from_bytes(before, &TOOL)?;
    let deadline = Instant::now() + time;
    // Reading the schema shows whether it is a database: agents can write any file.
    let looked = database.run_bounded(Some(deadline), |connection| {
        connection.query_row("SELECT count(*) FROM sqlite_schema", [], |_| Ok(()))
    });
    looked.map_err(refuse_database)?;
    let pages = format!("PRAGMA max_page_count = {PAGES}");
    database.connection().execute_batch(&pages)?;
    let said = database.run_bounded(Some(deadline), |connection| run_on_connection(connection, sql));
    let said = said.map_err(|stopped| ToolError::Sql(explain_stop(stopped)));
    // The rest is picardc's own work, and runs even after the deadline.
    if !database.connection().is_autocommit() {
        // An open transaction is rolled back, as if a program were closed.
        database.connection().execute_batch("ROLLBACK")?;
    }
    // Changes before a failure stay, as they do in a file.
    let after = database.to_bytes()?;
    let after = (after != before && !after.is_empty()).then_some(after);
    Ok((said, after))
}

/// Builds the error for a file whose schema cannot be read.
pub(super) fn refuse_database(stopped: QueryError<Error>) -> ToolError {
    ToolError::Sql(format!("this is not a SQLite database: {}", explain_stop(stopped)))
}

/// Explains to the agent why a query has no result.
fn explain_stop(stopped: QueryError<Error>) -> String {
    match stopped {
        QueryError::Over(over) => format!("it was stopped after {over}"),
        QueryError::Interrupted => "it was interrupted".to_owned(),
        QueryError::Clock => "the clock is not available here".to_owned(),
        QueryError::LocalTime => "local time is not available here: leave out 'localtime' and 'utc'".to_owned(),
        QueryError::Refused(_, why) | QueryError::NoResult(why) => why,
        QueryError::Failed(error) => match limit_of(&error, &TOOL) {
            Some(over) => format!("it needs more than {over}"),
            None if error.sqlite_error_code() == Some(ErrorCode::AuthorizationForStatementDenied) => {
                "not allowed: ATTACH, VACUUM, extensions, and PRAGMAs that change something".to_owned()
            }
            None => error.to_string(),
        },
    }
}

fn run_on_connection(connection: &Connection, sql: &str) -> rusqlite::Result<String> {
    let changes = connection.total_changes();
    let mut batch = Batch::new(connection, sql);
    let mut said = None;
    while let Some(mut statement) = batch.next()? {
        if statement.column_count() == 0 {
            statement.raw_execute()?;
        } else {
            said = Some(format_rows(&mut statement)?);
        }
    }
    Ok(said.unwrap_or_else(|| format!("done; {} rows changed", connection.total_changes() - changes)))
}

/// Writes the names of the columns and then the rows, each as a JSON array on its own line.
fn format_rows(statement: &mut Statement) -> rusqlite::Result<String> {
    let names: Vec<String> = statement.column_names().map(str::to_owned).collect();
    let mut lines = vec![json!(names).to_string()];
    let mut size = 0;
    let mut rows = statement.raw_query();
    while let Some(row) = rows.next()? {
        if lines.len() > ROWS || size > 4 * OUTPUT {
            lines.push(format!("[cut: only the first {} rows are shown]", lines.len() - 1));
            break;
        }
        let values = (0..names.len())
            .map(|at| sqlite::read_value(row, at).map(convert_value))
            .collect::<rusqlite::Result<Vec<Json>>>()?;
        let line = Json::Array(values).to_string();
        size += line.len();
        lines.push(line);
    }
    Ok(lines.join("\n"))
}

fn convert_value(value: ValueRef) -> Json {
    match value {
        ValueRef::Null => Json::Null,
        ValueRef::Integer(number) => json!(number),
        ValueRef::Real(number) if number.is_finite() => json!(number),
        ValueRef::Real(number) => json!(number.to_string()),
        ValueRef::Text(text) => json!(String::from_utf8_lossy(text)),
        ValueRef::Blob(bytes) => json!(format!("[{} bytes]", bytes.len())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn database(sql: &str) -> Vec<u8> {
        run_on_bytes(&[], sql, TIME).expect("made").1.expect("bytes")
    }

    fn says(before: &[u8], sql: &str) -> (Result<String, String>, bool) {
        match run_on_bytes(before, sql, TIME) {
            Ok((said, after)) => (said.map_err(|why| why.to_string()), after.is_some()),
            Err(why) => (Err(why.to_string()), false),
        }
    }

    #[test]
    fn reads_and_writes() {
        let before = database("CREATE TABLE t (a, b); INSERT INTO t VALUES (1, 'x'), (NULL, 2.5)");
        let (said, changed) = says(&before, "SELECT a, b FROM t ORDER BY a");
        assert_eq!((said.as_deref(), changed), (Ok("[\"a\",\"b\"]\n[null,2.5]\n[1,\"x\"]"), false));
        let (said, changed) = says(&before, "DELETE FROM t WHERE a = 1");
        assert_eq!((said.as_deref(), changed), (Ok("done; 1 rows changed"), true));
        let (said, changed) = says(&before, "BEGIN; DELETE FROM t");
        assert!(said.is_ok() && !changed, "rolled back: {said:?}");
        let (said, _) = says(&before, "PRAGMA table_info(t)");
        assert!(said.is_ok_and(|said| said.contains("\"b\"")));
    }

    /// Finding: a failure after a change was told as an error, but did not count as one.
    #[test]
    fn a_failure_after_a_change_is_a_failure() {
        let before = database("CREATE TABLE t (a)");
        let (said, changed) = says(&before, "INSERT INTO t VALUES (1); SELECT nope");
        assert_eq!((said, changed), (Err("no such column: nope in  SELECT nope at offset 8".to_owned()), true));
    }

    #[test]
    fn reaches_nothing_else() {
        let outside = tempfile::tempdir().expect("a folder");
        let path = outside.path().join("stolen.db").display().to_string();
        let before = database("CREATE TABLE t (a)");
        for sql in [
            format!("ATTACH '{path}' AS x; CREATE TABLE x.t (a)"),
            format!("VACUUM INTO '{path}'"),
            "SELECT load_extension('/tmp/x.so')".to_owned(),
            format!("SELECT writefile('{path}', 'x')"),
            "SELECT readfile('/etc/hostname')".to_owned(),
            format!("PRAGMA temp_store_directory = '{path}'"),
            "PRAGMA journal_mode = WAL".to_owned(),
            "PRAGMA writable_schema = 1".to_owned(),
        ] {
            let (said, changed) = says(&before, &sql);
            assert!(said.is_err() && !changed, "{sql}: {said:?}");
        }
        assert_eq!(std::fs::read_dir(outside.path()).expect("read").count(), 0);
    }

    #[test]
    fn is_bounded() {
        let endless = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT ";
        let began = Instant::now();
        let stopped = run_on_bytes(&[], &format!("{endless} count(*) FROM n"), Duration::from_millis(200));
        assert_eq!(stopped, Ok((Err(ToolError::Sql("it was stopped after the time it had".to_owned())), None)));
        assert!(began.elapsed() < Duration::from_secs(5));
        let (said, _) = says(&[], &format!("{endless} i FROM n"));
        assert!(said.is_ok_and(|said| said.ends_with("[cut: only the first 1000 rows are shown]")));
        // Each doubles it: the sixth would be 28 MB.
        let fill =
            format!("CREATE TABLE t AS SELECT zeroblob(900000) AS b; {}", "INSERT INTO t SELECT b FROM t; ".repeat(5));
        let (said, changed) = says(&[], &fill);
        assert_eq!((said, changed), (Err("database or disk is full".to_owned()), true));
        assert!(says(b"not a database at all, but long enough to look", "SELECT 1").0.is_err());
    }
}
