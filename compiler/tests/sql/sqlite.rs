//! SQLite for tests, as the product has it: names in double quotes are never texts.

use std::sync::{Arc, Mutex};

use compiler::host::{Prepared, PreparedColumn, SqlError, Sqlite, Stored, StoredTable};
use rusqlite::config::DbConfig;
use rusqlite::hooks::{AuthAction, AuthContext, Authorization};
use rusqlite::{Connection, Error};

/// A new database for every query.
pub struct TestSqlite;

impl Sqlite for TestSqlite {
    fn tables(&self, _: &[u8]) -> Result<Vec<StoredTable>, String> {
        Err("queries alone are tested here: no database is read".to_owned())
    }

    fn columns(&self, _: &[u8], _: &str, _: usize, _: usize) -> Result<Vec<Vec<Stored>>, String> {
        Err("queries alone are tested here: no database is read".to_owned())
    }

    fn prepare(&self, ddl: &[String], sql: &str) -> Result<Prepared, SqlError> {
        let mut connection = Connection::open_in_memory().map_err(refusal)?;
        connection.set_db_config(DbConfig::SQLITE_DBCONFIG_DQS_DML, false).map_err(refusal)?;
        connection.set_db_config(DbConfig::SQLITE_DBCONFIG_DQS_DDL, false).map_err(refusal)?;
        for statement in ddl {
            connection.execute_batch(statement).map_err(refusal)?;
        }
        let seen = Arc::new(Mutex::new(Prepared::default()));
        let noted = Arc::clone(&seen);
        let hook = move |context: AuthContext<'_>| {
            let mut seen = noted.lock().unwrap();
            match context.action {
                AuthAction::Function { function_name } => seen.functions.push(function_name.to_lowercase()),
                AuthAction::Read { table_name, column_name } => {
                    seen.reads.push((table_name.into(), column_name.into()))
                }
                _ => {}
            }
            Authorization::Allow
        };
        connection.authorizer(Some(hook)).map_err(refusal)?;
        let statement = connection.prepare(sql).map_err(refusal)?;
        let mut prepared = seen.lock().unwrap().clone();
        prepared.read_only = statement.readonly();
        let names = statement.column_names();
        prepared.columns =
            names.map(|name| PreparedColumn { name: name.to_owned(), ..PreparedColumn::default() }).collect();
        for index in 1..=statement.parameter_count() {
            prepared.params.push(statement.parameter_name(index).map_or_else(|| format!("?{index}"), str::to_owned));
        }
        Ok(prepared)
    }
}

fn refusal(error: Error) -> SqlError {
    match error {
        Error::SqlInputError { msg, offset, .. } => SqlError { message: msg, offset: usize::try_from(offset).ok() },
        Error::SqliteFailure(_, Some(message)) => SqlError { message, offset: None },
        other => SqlError { message: other.to_string(), offset: None },
    }
}
