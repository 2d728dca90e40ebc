//! The reply as a query: run on the starting database, in memory, read only.

use records::Reason;
use rusqlite::fallible_iterator::FallibleIterator as _;
use rusqlite::types::ValueRef;
use rusqlite::{Batch, Error};
use sqlite::{Database, NoRows, REPLY, TOOL, words};

use crate::exact::Exact;
use crate::got::{Got, Number, Source};
use crate::read::limit::Limit;

/// Why a query gives no rows.
pub struct Refused {
    /// The word of it.
    pub reason: Reason,
    /// In a few words.
    pub why: String,
}

/// The rows of one query. It sees the database and nothing else: no other file, no pragma, no extension, no clock, nothing that changes from
/// run to run. How far it may go depends on the query and the database alone (`sqlite::REPLY`).
pub fn rows(database: &[u8], sql: &str, limit: &Limit) -> Result<Vec<Vec<Got>>, Refused> {
    let opened = Database::of(database, &REPLY).map_err(|error| NoRows::Database(words(&error)));
    let found = opened.and_then(|database| sqlite::rows(&database, sql, |value| limited(value, limit)));
    found.map(|table| table.rows).map_err(|why| {
        let reason = match &why {
            NoRows::Database(_) => Reason::BadKey,
            // Nobody keeps what is scored after the user has stopped the process.
            NoRows::Limit(_) | NoRows::Interrupted => Reason::SqlLimit,
            NoRows::Fails(_) | NoRows::Writes | NoRows::Unsteady(_) | NoRows::Value(_) => Reason::SqlError,
        };
        Refused { reason, why: why.to_string() }
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

/// A cell, unless there are too many.
fn limited(value: ValueRef<'_>, limit: &Limit) -> Result<Got, &'static str> {
    limit.take().map_err(|_| "more values than could be right")?;
    Ok(cell(value))
}

fn cell(value: ValueRef<'_>) -> Got {
    match value {
        ValueRef::Null => Got::Null,
        ValueRef::Integer(value) => {
            Got::Number(Number { exact: Exact::from_int(value), source: Source::Integer, shown: value.to_string() })
        }
        ValueRef::Real(value) => match Exact::from_f64(value) {
            Some(exact) => {
                Got::Number(Number { exact, source: Source::Real, shown: model::value::render_float(value) })
            }
            None => Got::Text(if value > 0.0 { "Inf" } else { "-Inf" }.to_owned()),
        },
        ValueRef::Text(text) => Got::Text(String::from_utf8_lossy(text).into_owned()),
        ValueRef::Blob(blob) => Got::Text(format!("a blob of {} bytes", blob.len())),
    }
}
