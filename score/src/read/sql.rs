//! The reply as a query: run on the starting database, in memory, read only.

use records::Reason;
use rusqlite::fallible_iterator::FallibleIterator as _;
use rusqlite::types::ValueRef;
use rusqlite::{Batch, Connection, Error, ErrorCode};
use sqlite::{Database, REPLY, Stopped, TOOL, limit_of, value, words};

use crate::exact::Exact;
use crate::got::{Got, Number, Source};

/// The most rows it may give.
pub const MOST_ROWS: usize = 100_000;
/// The most bytes of all its values.
pub const MOST_BYTES: usize = 16 << 20;

/// Why a query gives no rows.
pub struct Refused {
    /// The word of it.
    pub reason: Reason,
    /// In a few words.
    pub why: String,
}

fn refused(reason: Reason, why: impl Into<String>) -> Refused {
    Refused { reason, why: why.into() }
}

/// The rows of one query. It sees the database and nothing else: no other file, no pragma, no extension, no clock, nothing that changes from
/// run to run. How far it may go depends on the query and the database alone (`sqlite::REPLY`).
pub fn rows(database: &[u8], sql: &str) -> Result<Vec<Vec<Got>>, Refused> {
    let database = Database::of(database, &REPLY)
        .map_err(|error| refused(Reason::BadKey, format!("the database cannot be opened: {}", words(&error))))?;
    database.bounded(None, |connection| run(connection, sql)).map_err(|stopped| match stopped {
        Stopped::Failed(Stop::Refused(refused)) => refused,
        Stopped::Failed(Stop::Sqlite(error)) => match (limit_of(&error, &REPLY), error.sqlite_error_code()) {
            (Some(over), _) => refused(Reason::SqlLimit, format!("the query needs more than {over}")),
            (None, Some(ErrorCode::NotADatabase | ErrorCode::DatabaseCorrupt)) => {
                refused(Reason::BadKey, "the database cannot be read")
            }
            (None, _) => refused(Reason::SqlError, words(&error)),
        },
        Stopped::Over(over) => refused(Reason::SqlLimit, format!("the query was stopped after {over}")),
        Stopped::Clock => refused(Reason::SqlError, "the query reads the clock, which is not available here"),
        Stopped::LocalTime => refused(Reason::SqlError, "the query asks for local time, which is not available here"),
        Stopped::Refused(why) | Stopped::NoResult(why) => refused(Reason::SqlError, why),
        // Nobody keeps what is scored after the user has stopped the process.
        Stopped::Interrupted => refused(Reason::SqlLimit, "the query was interrupted"),
    })
}

/// Whether one of the statements, run one after the other, changes a database: SQLite prepares it, and it is not one that only reads. The first that
/// cannot be prepared ends them, as it does where they are run.
pub fn changes(database: &[u8], sql: &str) -> bool {
    let Ok(database) = Database::of(database, &TOOL) else { return false };
    let found = database.bounded(None, |connection| -> Result<bool, Error> {
        let mut batch = Batch::new(connection, sql);
        while let Some(statement) = batch.next()? {
            if !statement.readonly() {
                return Ok(true);
            }
        }
        Ok(false)
    });
    found.unwrap_or(false)
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
        let cells = (0..width).map(|at| Ok(cell(value(row, at)?, &mut bytes))).collect::<Result<_, Error>>()?;
        if bytes > MOST_BYTES {
            return Err(Stop::Refused(refused(Reason::SqlLimit, "the query gives more than 16 MB")));
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
