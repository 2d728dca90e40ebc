//! Runs a gold query on its database to judge whether it can measure an agent.

use std::path::Path;

use compiler::host::MAX_FIXTURE_BYTES;
use compiler::sql::is_write_statement;
use compiler::sql::limit_ties::{Tied, find_tie};
use model::Value;
use model::compute::{Gold, GoldResult};
use model::value::RowSet;
use sqlite::{GOLD, NoResult, REPLY, Table, describe_error, to_suite_value};

use crate::import::Obstacle;

/// Why a gold query cannot measure an agent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rejection {
    /// The reason as a word for `where`.
    pub word: &'static str,
    /// The reason for people, with advice: sentences without the last period.
    pub why: String,
}

impl Rejection {
    /// Rejects a query whose database cannot be read.
    pub fn from_database(why: &str) -> Rejection {
        Rejection { word: "no database", why: format!("its database cannot be read: {why}; add the database") }
    }

    /// Rejects a query, which is in the field `gold`, without usable rows.
    fn from_result(result: &NoResult, gold: &str) -> Rejection {
        let (word, why) = match result {
            NoResult::Database(why) => return Rejection::from_database(why),
            NoResult::Fails(why) => ("fails", format!("fails ({why}); correct `{gold}`")),
            NoResult::Writes => ("writes", format!("does not only read; write a query in `{gold}`")),
            NoResult::Unsteady(why) => {
                ("unsteady", format!("does not always return the same rows ({why}); correct `{gold}`"))
            }
            NoResult::Value(what) => {
                ("value", format!("returns {what}, which cannot be expected; convert it in `{gold}`"))
            }
            NoResult::Limit(_) | NoResult::Interrupted => {
                ("limit", format!("takes too much ({result}); simplify `{gold}`"))
            }
        };
        Rejection { word, why: format!("its gold query {why}") }
    }
}

/// A database of the data set, opened twice: with the rules of stock SQLite, which reads a word in double quotes as a text if it is not a name, and with those
/// of suites.
pub struct Database {
    stock: sqlite::Database,
    ours: sqlite::Database,
}

impl Database {
    /// Reads the database.
    ///
    /// # Errors
    /// If the file cannot be read, or is not a database.
    pub fn from_path(path: &Path) -> Result<Database, Obstacle> {
        let shown = path.file_name().unwrap_or_default().to_string_lossy();
        let bytes = disk::read_regular(path, MAX_FIXTURE_BYTES).map_err(|error| match error.kind() {
            std::io::ErrorKind::NotFound => Obstacle::new(format!("the folder does not have the file `{shown}`")),
            _ => Obstacle::new(format!("`{shown}`: {error}")),
        })?;
        let of =
            |rules| sqlite::Database::from_bytes(&bytes, rules).map_err(|error| Obstacle::new(describe_error(&error)));
        let database = Database { stock: of(&REPLY)?, ours: of(&GOLD)? };
        match database.run_query("SELECT COUNT(*) FROM sqlite_schema") {
            Ok(_) => Ok(database),
            Err(_) => Err(Obstacle::new(format!("`{shown}` is not a SQLite database"))),
        }
    }

    /// Creates a database with these statements.
    #[cfg(test)]
    pub fn from_sql(statements: &str) -> Database {
        let of = |rules| {
            let database = sqlite::Database::new_empty(rules).expect("opened");
            database.connection().execute_batch(statements).expect("good statements");
            database
        };
        Database { stock: of(&REPLY), ours: of(&GOLD) }
    }

    /// Whether stock SQLite can prepare the query.
    pub fn can_prepare(&self, sql: &str) -> bool {
        self.stock.run_bounded(None, |connection| connection.prepare(sql).map(drop)).is_ok()
    }

    /// Runs and judges a query, which is in the field `gold`: it must return rows, and only these may be correct.
    pub fn judge_query(&self, sql: &str, gold: &str) -> Result<(), Rejection> {
        let run = if is_write_statement(sql) { Err(NoResult::Writes) } else { self.run_query(sql) };
        let table = run.map_err(|result| Rejection::from_result(&result, gold))?;
        if table.rows.is_empty() {
            let why = "its gold query returns no rows, so every query without rows would be correct";
            return Err(Rejection { word: "empty", why: format!("{why}; correct `{gold}`") });
        }
        self.find_tie(sql).map_or(Ok(()), |tie| {
            let why = format!("{tie}, so other rows would be as correct; add a column to `ORDER BY` in `{gold}`");
            Err(Rejection { word: "tied", why })
        })
    }

    /// Describes a tie in the results of a query, if there is one.
    pub fn find_tie(&self, sql: &str) -> Option<String> {
        find_tie(sql, &|sql| self.run_gold_query(sql)).map(Tied::into_message)
    }

    fn run_gold_query(&self, sql: &str) -> GoldResult {
        let Table { columns, rows } = self.run_query(sql).map_err(|why| why.to_string())?;
        Ok(Gold { rows: RowSet { columns, rows }, types: Vec::new() }.into())
    }

    /// Returns the rows of a query.
    pub fn run_query(&self, sql: &str) -> Result<Table<Value>, NoResult> {
        sqlite::run_query(&self.ours, sql, to_suite_value)
    }
}

#[cfg(test)]
#[path = "ties_tests.rs"]
mod ties;
