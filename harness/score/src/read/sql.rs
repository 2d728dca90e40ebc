//! Runs the reply as a query on the starting database, in memory and read-only.

use records::Reason;
use rusqlite::fallible_iterator::FallibleIterator as _;
use rusqlite::types::ValueRef;
use rusqlite::{Batch, Error};
use sqlite::{Database, NoResult, REPLY, TOOL, describe_error};

use crate::exact::Exact;
use crate::got::{Number, ResponseValue, Source};
use crate::read::limit::Limit;
use crate::read::table::Table;

/// Why a query returns no rows.
pub struct Refused {
    /// The reason in the records.
    pub reason: Reason,
    /// The explanation.
    pub why: String,
}

/// Runs one query and returns its result. It can only access the database: no other file, no pragma, no extension, no clock, nothing that changes from
/// run to run. Its limits depend only on the query and the database (`sqlite::REPLY`).
pub fn run_query(database: &[u8], sql: &str, limit: &Limit) -> Result<Table, Refused> {
    let opened = Database::from_bytes(database, &REPLY).map_err(|error| NoResult::Database(describe_error(&error)));
    let found = opened.and_then(|database| sqlite::run_query(&database, sql, |value| take_cell(value, limit)));
    found.map(|table| Table { names: Some(table.columns), rows: table.rows }).map_err(|why| {
        let reason = match &why {
            NoResult::Database(_) => Reason::BadKey,
            // After the user stopped the process, scores are not kept.
            NoResult::Limit(_) | NoResult::Interrupted => Reason::SqlLimit,
            NoResult::Fails(_) | NoResult::Writes | NoResult::Unsteady(_) | NoResult::Value(_) => Reason::SqlError,
        };
        Refused { reason, why: why.to_string() }
    })
}

/// Whether one of the statements, run one after the other, changes the database: SQLite can prepare it, and it is not read-only. The first statement that
/// cannot be prepared ends the check, as it ends a run.
pub fn has_changing_statement(database: &[u8], sql: &str) -> bool {
    let Ok(database) = Database::from_bytes(database, &TOOL) else { return false };
    let found = database.run_bounded(None, |connection| -> Result<bool, Error> {
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

/// Converts a cell, within the limit.
fn take_cell(value: ValueRef<'_>, limit: &Limit) -> Result<ResponseValue, &'static str> {
    limit.take_value().map_err(|_| "more values than could be right")?;
    Ok(convert_cell(value))
}

fn convert_cell(value: ValueRef<'_>) -> ResponseValue {
    match value {
        ValueRef::Null => ResponseValue::Null,
        ValueRef::Integer(value) => ResponseValue::Number(Number {
            exact: Exact::from_int(value),
            source: Source::Integer,
            shown: value.to_string(),
        }),
        ValueRef::Real(value) => match Exact::from_f64(value) {
            Some(exact) => {
                ResponseValue::Number(Number { exact, source: Source::Real, shown: model::value::render_float(value) })
            }
            None => ResponseValue::Text(if value > 0.0 { "Inf" } else { "-Inf" }.to_owned()),
        },
        ValueRef::Text(text) => ResponseValue::Text(String::from_utf8_lossy(text).into_owned()),
        ValueRef::Blob(blob) => ResponseValue::Text(format!("a blob of {} bytes", blob.len())),
    }
}
