//! The reply as a query: run on the starting database, in memory, read only.

use std::io::Read as _;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use records::Reason;
use rusqlite::hooks::{AuthAction, AuthContext, Authorization};
use rusqlite::limits::Limit;
use rusqlite::types::ValueRef;
use rusqlite::{Connection, Error, ErrorCode};

use crate::exact::Exact;
use crate::got::{Got, Number, Source};

/// The most steps of SQLite's machine that a query may take: the same on every machine.
pub const MOST_STEPS: u64 = 200_000_000;
/// A query that is still running by then is stopped, so that none hangs; steps end all but a few before.
pub const MOST_TIME: Duration = Duration::from_secs(60);
/// The most rows it may give.
pub const MOST_ROWS: usize = 100_000;
/// The most bytes of all its values, and of one of them.
pub const MOST_BYTES: usize = 64 << 20;
const STEPS_A_LOOK: i32 = 10_000;

/// Why there are no rows.
pub struct Refused {
    /// The word of it.
    pub reason: Reason,
    /// In a few words.
    pub why: String,
}

fn refused(reason: Reason, why: impl Into<String>) -> Refused {
    Refused { reason, why: why.into() }
}

/// The rows of one query. It sees the database and nothing else: no other file, no pragma, no extension, nothing that changes from run to run.
pub fn rows(database: &[u8], sql: &str) -> Result<Vec<Vec<Got>>, Refused> {
    let said: Arc<Mutex<Option<String>>> = Arc::default();
    let mut connection =
        open(database).map_err(|error| refused(Reason::BadKey, format!("the database cannot be opened: {error}")))?;
    let steps = guard(&mut connection, Arc::clone(&said))
        .map_err(|error| refused(Reason::BadKey, format!("the database cannot be guarded: {error}")))?;
    run(&connection, sql).map_err(|error| match error {
        Stop::Refused(refused) => refused,
        Stop::Sqlite(Error::SqliteFailure(failure, _)) if failure.code == ErrorCode::OperationInterrupted => {
            let stopped = steps.load(Ordering::Relaxed) >= MOST_STEPS;
            let limit = if stopped { "200 million steps" } else { "60 seconds" };
            refused(Reason::SqlLimit, format!("the query was stopped after {limit}"))
        }
        Stop::Sqlite(Error::SqliteFailure(failure, _)) if failure.code == ErrorCode::TooBig => {
            refused(Reason::SqlLimit, "the query makes a value of more than 64 MB")
        }
        Stop::Sqlite(Error::SqliteFailure(failure, _))
            if matches!(failure.code, ErrorCode::NotADatabase | ErrorCode::DatabaseCorrupt) =>
        {
            refused(Reason::BadKey, "the database cannot be read")
        }
        Stop::Sqlite(error) => {
            let said = said.lock().unwrap_or_else(PoisonError::into_inner).take();
            refused(Reason::SqlError, said.unwrap_or_else(|| words(&error)))
        }
    })
}

fn open(database: &[u8]) -> rusqlite::Result<Connection> {
    let mut connection = Connection::open_in_memory()?;
    // A database in memory has no write-ahead log; bytes 18 and 19 of the header ask for one (https://sqlite.org/fileformat.html).
    match database.split_at_checked(20) {
        Some((head, rest)) if head.ends_with(&[2, 2]) => {
            let bytes = head[..18].chain(&[1, 1][..]).chain(rest);
            connection.deserialize_read_exact("main", bytes, database.len(), true)?;
        }
        _ => connection.deserialize_read_exact("main", database, database.len(), true)?,
    }
    // Sorting spills into memory, not into a file.
    connection.execute_batch("PRAGMA temp_store = MEMORY; PRAGMA query_only = ON")?;
    Ok(connection)
}

/// Lets through what reads, and counts the steps.
fn guard(connection: &mut Connection, said: Arc<Mutex<Option<String>>>) -> rusqlite::Result<Arc<AtomicU64>> {
    connection.set_limit(Limit::SQLITE_LIMIT_LENGTH, MOST_BYTES as i32)?;
    connection.set_limit(Limit::SQLITE_LIMIT_ATTACHED, 0)?;
    connection.authorizer(Some(move |context: AuthContext<'_>| {
        let why = match context.action {
            AuthAction::Select | AuthAction::Read { .. } | AuthAction::Recursive => return Authorization::Allow,
            AuthAction::Function { function_name } if !is_fickle(function_name) => return Authorization::Allow,
            AuthAction::Function { function_name } => {
                format!("`{function_name}` is not allowed: it may give something else each time")
            }
            AuthAction::Pragma { .. } => "PRAGMA is no query".to_owned(),
            AuthAction::Attach { .. } => "ATTACH is no query".to_owned(),
            _ => "only a query that reads is run".to_owned(),
        };
        *said.lock().unwrap_or_else(PoisonError::into_inner) = Some(why);
        Authorization::Deny
    }))?;
    let steps = Arc::new(AtomicU64::new(0));
    let (count, start) = (Arc::clone(&steps), Instant::now());
    let look = move || {
        let all = count.fetch_add(STEPS_A_LOOK as u64, Ordering::Relaxed) + STEPS_A_LOOK as u64;
        all >= MOST_STEPS || start.elapsed() >= MOST_TIME
    };
    connection.progress_handler(STEPS_A_LOOK, Some(look))?;
    Ok(steps)
}

/// Functions that give something else each time, or reach outside.
fn is_fickle(function: &str) -> bool {
    const FICKLE: [&str; 8] = [
        "random",
        "randomblob",
        "current_timestamp",
        "current_date",
        "current_time",
        "load_extension",
        "fts3_tokenizer",
        "sqlite_log",
    ];
    FICKLE.iter().any(|known| known.eq_ignore_ascii_case(function))
}

enum Stop {
    Refused(Refused),
    Sqlite(Error),
}

impl From<Error> for Stop {
    fn from(error: Error) -> Stop {
        Stop::Sqlite(error)
    }
}

fn run(connection: &Connection, sql: &str) -> Result<Vec<Vec<Got>>, Stop> {
    let error = |why: &str| Err(Stop::Refused(refused(Reason::SqlError, why)));
    if sql.contains('\0') {
        return error("there is a NUL character in it");
    }
    let mut statement = match connection.prepare(sql) {
        Err(Error::MultipleStatement) => return error("there is more than one statement"),
        other => other?,
    };
    let width = statement.column_count();
    if width == 0 || !statement.readonly() {
        return error("it gives no rows: only a query that reads is run");
    }
    let mut found = statement.query([])?;
    let mut rows = Vec::new();
    let mut bytes = 0;
    while let Some(row) = found.next()? {
        if rows.len() == MOST_ROWS {
            return Err(Stop::Refused(refused(Reason::SqlLimit, "the query gives more than 100,000 rows")));
        }
        let cells = (0..width).map(|at| Ok(cell(row.get_ref(at)?, &mut bytes))).collect::<Result<_, Error>>()?;
        if bytes > MOST_BYTES {
            return Err(Stop::Refused(refused(Reason::SqlLimit, "the query gives more than 64 MB")));
        }
        rows.push(cells);
    }
    Ok(rows)
}

fn cell(value: ValueRef<'_>, bytes: &mut usize) -> Got {
    *bytes += match value {
        ValueRef::Text(text) | ValueRef::Blob(text) => text.len(),
        _ => 8,
    };
    match value {
        ValueRef::Null => Got::Null,
        ValueRef::Integer(value) => {
            Got::Number(Number { exact: Exact::from_int(value), source: Source::Integer, shown: value.to_string() })
        }
        ValueRef::Real(value) => match Exact::from_f64(value) {
            Some(exact) => Got::Number(Number { exact, source: Source::Real, shown: plan::value::render_float(value) }),
            None => Got::Text(if value > 0.0 { "Inf" } else { "-Inf" }.to_owned()),
        },
        ValueRef::Text(text) => Got::Text(String::from_utf8_lossy(text).into_owned()),
        ValueRef::Blob(blob) => Got::Text(format!("a blob of {} bytes", blob.len())),
    }
}

/// SQLite's own words, without the statement that rusqlite adds.
fn words(error: &Error) -> String {
    match error {
        Error::SqlInputError { msg, .. } => msg.clone(),
        Error::SqliteFailure(_, Some(message)) => message.clone(),
        other => other.to_string(),
    }
}
