//! Runs a gold query on its database to judge whether it can measure an agent.

use std::path::Path;

use compiler::host::MAX_FIXTURE_BYTES;
use compiler::sql::is_write_statement;
use compiler::sql::limit_ties::{Tied, find_tie};
use model::Value;
use model::compute::{Gold, GoldResult};
use model::value::RowSet;
use sqlite::{GOLD, NoResult, REPLY, Table, describe_error, to_suite_value};

use super::Layout;
use crate::import::Obstacle;

/// The judgment of a gold query.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// It returns rows, and only these are correct.
    Good,
    /// Its database cannot be read.
    NoDatabase(String),
    /// SQLite rejects it.
    Fails(String),
    /// It would change the database.
    Writes,
    /// Its rows differ from run to run.
    Unsteady(String),
    /// It returns a value that no suite can expect.
    Value(String),
    /// It exceeds a limit.
    Limit(String),
    /// It returns no rows.
    Empty,
    /// Other rows would be equally correct.
    Tied(String),
}

impl Verdict {
    /// Returns the verdict as a word; `None` if the query is good.
    pub fn word(&self) -> Option<&'static str> {
        Some(match self {
            Verdict::Good => return None,
            Verdict::NoDatabase(_) => "no database",
            Verdict::Fails(_) => "fails",
            Verdict::Writes => "writes",
            Verdict::Unsteady(_) => "unsteady",
            Verdict::Value(_) => "value",
            Verdict::Limit(_) => "limit",
            Verdict::Empty => "empty",
            Verdict::Tied(_) => "tied",
        })
    }

    /// Explains the verdict to people, with advice: sentences without the last period. `None` if the query is good.
    pub fn explain_verdict(&self, layout: &Layout) -> Option<String> {
        let gold = layout.gold;
        Some(match self {
            Verdict::Good => return None,
            Verdict::NoDatabase(why) => format!("its database cannot be read: {why}; add the database"),
            Verdict::Fails(why) => format!("its gold query fails ({why}); correct `{gold}`"),
            Verdict::Writes => format!("its gold query does not only read; write a query in `{gold}`"),
            Verdict::Unsteady(why) => {
                format!("its gold query does not always return the same rows ({why}); correct `{gold}`")
            }
            Verdict::Value(what) => {
                format!("its gold query returns {what}, which cannot be expected; convert it in `{gold}`")
            }
            Verdict::Limit(why) => format!("its gold query takes too much ({why}); simplify `{gold}`"),
            Verdict::Empty => {
                format!(
                    "its gold query returns no rows, so every query without rows would be correct; correct `{gold}`"
                )
            }
            Verdict::Tied(why) => {
                format!("{why}, so other rows would be as correct; add a column to `ORDER BY` in `{gold}`")
            }
        })
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

    /// Runs and judges a query.
    pub fn judge_query(&self, sql: &str) -> Verdict {
        if is_write_statement(sql) {
            return Verdict::Writes;
        }
        match self.run_query(sql) {
            Err(NoResult::Database(why)) => Verdict::NoDatabase(why),
            Err(NoResult::Fails(why)) => Verdict::Fails(why),
            Err(NoResult::Writes) => Verdict::Writes,
            Err(NoResult::Unsteady(why)) => Verdict::Unsteady(why),
            Err(NoResult::Value(what)) => Verdict::Value(what),
            Err(why @ (NoResult::Limit(_) | NoResult::Interrupted)) => Verdict::Limit(why.to_string()),
            Ok(table) if table.rows.is_empty() => Verdict::Empty,
            Ok(_) => self.find_tie(sql).map_or(Verdict::Good, Verdict::Tied),
        }
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
