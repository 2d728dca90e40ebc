//! The compiler's interface to SQLite: prepares queries against an empty database of the declared schema, runs them on a few rows for an example, and
//! reads databases that are fixtures.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex, PoisonError};

use model::Value;
use model::sqlite::functions::find_nature;
use model::sqlite::{DatabaseError, Example, Prepared, PreparedColumn, SqlError, Sqlite, Stored, StoredTable};
use rusqlite::hooks::{AuthAction, AuthContext, Authorization};
use rusqlite::{ColumnMetadata, Error};

use crate::database::{self, Database, QueryError, describe_error};
use crate::rules::{AUTHOR, Bounds};
use crate::{examples, stored};

/// Maximum work of preparing a query. It usually takes a few thousand units; a query that refers to itself repeatedly would never end.
const WORK: u64 = 100_000_000;

/// One empty in-memory database for each schema, with all earlier results.
///
/// ```
/// use model::sqlite::Sqlite as _;
/// use sqlite::PreparedSchemas;
///
/// let schemas = PreparedSchemas::default();
/// let ddl = ["CREATE TABLE orders (ID INTEGER, AMOUNT REAL)".to_owned()];
/// // The query is not run; its columns, parameters, and reads are known.
/// let query = schemas.prepare_query(&ddl, "SELECT MAX(AMOUNT) AS most FROM orders WHERE ID > :least").expect("a query");
/// assert_eq!((query.columns[0].name.as_str(), query.params, query.read_only), ("most", vec![":least".to_owned()], true));
/// assert!(query.reads.contains(&("orders".to_owned(), "AMOUNT".to_owned())));
/// let error = schemas.prepare_query(&ddl, "SELECT SIZE FROM orders").expect_err("no such column");
/// assert_eq!((error.message.as_str(), error.offset), ("no such column: SIZE", Some(7)));
/// ```
#[derive(Default)]
pub struct PreparedSchemas {
    schemas: Mutex<BTreeMap<Vec<String>, Result<Schema, SqlError>>>,
}

/// An empty database, with the results of its queries.
struct Schema {
    database: Database,
    seen: Arc<Mutex<Seen>>,
    answers: BTreeMap<String, Result<Prepared, SqlError>>,
}

/// The observations of SQLite during the preparation of a query.
#[derive(Default)]
struct Seen {
    functions: BTreeSet<String>,
    reads: BTreeSet<(String, String)>,
    /// The reason for a rejection, in the author's terms.
    refused: Option<String>,
}

impl Sqlite for PreparedSchemas {
    fn list_tables(&self, database: &[u8]) -> Result<Vec<StoredTable>, DatabaseError> {
        stored::read_tables(database)
    }

    fn read_columns(
        &self,
        database: &[u8],
        table: &str,
        cells: usize,
        texts: usize,
    ) -> Result<Vec<Vec<Stored>>, DatabaseError> {
        stored::read_columns(database, table, cells, texts)
    }

    fn prepare_query(&self, ddl: &[String], sql: &str) -> Result<Prepared, SqlError> {
        self.with_schema(ddl, |schema| schema.prepare_query(sql))
    }

    fn run_example(&self, ddl: &[String], example: &Example<'_>) -> Result<Vec<Vec<Vec<Value>>>, SqlError> {
        self.with_schema(ddl, |schema| examples::run_example(schema.database.connection(), example))
    }
}

impl PreparedSchemas {
    /// Works on the database of a schema, which is empty before and after.
    fn with_schema<T>(
        &self,
        ddl: &[String],
        work: impl FnOnce(&mut Schema) -> Result<T, SqlError>,
    ) -> Result<T, SqlError> {
        let mut schemas = self.schemas.lock().unwrap_or_else(PoisonError::into_inner);
        if !schemas.contains_key(ddl) {
            schemas.insert(ddl.to_vec(), Schema::open(ddl));
        }
        match schemas.get_mut(ddl) {
            Some(Ok(schema)) => work(schema),
            Some(Err(error)) => Err(error.clone()),
            None => Err(SqlError { message: "the schema is lost".to_owned(), offset: None }),
        }
    }
}

impl Schema {
    fn open(ddl: &[String]) -> Result<Schema, SqlError> {
        let wrong = |error: &Error| SqlError {
            message: format!("the declared schema is refused: {}", explain_error(error).message),
            offset: None,
        };
        let mut database = Database::new_empty(&AUTHOR).map_err(|error| wrong(&error))?;
        for statement in ddl {
            database.connection().execute_batch(statement).map_err(|error| wrong(&error))?;
        }
        let seen = Arc::new(Mutex::new(Seen::default()));
        let notes = Arc::clone(&seen);
        // This replaces the rules of running queries: it collects the information for the compiler, and explains rejections.
        database
            .connection_mut()
            .authorizer(Some(move |context: AuthContext<'_>| {
                notes.lock().unwrap_or_else(PoisonError::into_inner).note_action(&context.action)
            }))
            .map_err(|error| wrong(&error))?;
        Ok(Schema { database, seen, answers: BTreeMap::new() })
    }

    fn prepare_query(&mut self, sql: &str) -> Result<Prepared, SqlError> {
        if let Some(known) = self.answers.get(sql) {
            return known.clone();
        }
        if sql.contains('\0') {
            return Err(SqlError { message: "there is a NUL character in it".to_owned(), offset: sql.find('\0') });
        }
        let seen = || self.seen.lock().unwrap_or_else(PoisonError::into_inner);
        *seen() = Seen::default();
        let bounds = Bounds { work: WORK, ..AUTHOR.bounds };
        let answer = database::run_bounded(&AUTHOR, bounds, None, || {
            let statement = self.database.connection().prepare(sql)?;
            let origin = |origin: &ColumnMetadata<'_>| {
                let (database, table) = (origin.database_name()?, origin.table_name()?);
                Some((database.to_owned(), table.to_owned(), origin.origin_name()?.to_owned()))
            };
            let columns = statement.columns().zip(statement.columns_with_metadata());
            let mut seen = seen();
            Ok(Prepared {
                columns: columns
                    .map(|(column, metadata)| PreparedColumn {
                        name: column.name().to_owned(),
                        decl_type: column.decl_type().map(str::to_owned),
                        origin: origin(&metadata),
                    })
                    .collect(),
                params: (1..=statement.parameter_count())
                    .map(|index| statement.parameter_name(index).map_or_else(|| format!("?{index}"), str::to_owned))
                    .collect(),
                read_only: statement.readonly(),
                functions: std::mem::take(&mut seen.functions).into_iter().collect(),
                reads: std::mem::take(&mut seen.reads).into_iter().collect(),
            })
        });
        let answer = answer.map_err(|stopped| match (stopped, seen().refused.take()) {
            (QueryError::Failed(_), Some(message)) => SqlError { message, offset: None },
            (QueryError::Failed(error), None) => explain_error(&error),
            // The compiler recognizes a rejection because of size by the words `too large`.
            (_, _) => SqlError { message: "the query is too large to be prepared".to_owned(), offset: None },
        });
        self.answers.insert(sql.to_owned(), answer.clone());
        answer
    }
}

impl Seen {
    fn note_action(&mut self, action: &AuthAction<'_>) -> Authorization {
        let refused = match action {
            AuthAction::Read { table_name, column_name } => {
                self.reads.insert(((*table_name).to_owned(), (*column_name).to_owned()));
                return Authorization::Allow;
            }
            AuthAction::Function { function_name } => {
                if find_nature(function_name).is_some() {
                    self.functions.insert(function_name.to_ascii_lowercase());
                    return Authorization::Allow;
                }
                self.refused = Some(format!("no such function: {function_name}"));
                return Authorization::Deny;
            }
            // Some pragmas act while they are prepared.
            AuthAction::Pragma { .. } => "PRAGMA is not a query",
            AuthAction::Attach { .. } => "ATTACH is not a query",
            AuthAction::Detach { .. } => "DETACH is not a query",
            _ => return Authorization::Allow,
        };
        self.refused = Some(refused.to_owned());
        Authorization::Deny
    }
}

/// Returns SQLite's message and its position.
fn explain_error(error: &Error) -> SqlError {
    match error {
        Error::SqlInputError { msg, offset, .. } => {
            SqlError { message: msg.clone(), offset: usize::try_from(*offset).ok() }
        }
        Error::MultipleStatement => {
            SqlError { message: "there is more than one statement; only the first would run".to_owned(), offset: None }
        }
        other => SqlError { message: describe_error(other), offset: None },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ddl() -> Vec<String> {
        [
            "CREATE TABLE items (SKU TEXT PRIMARY KEY, PRICE REAL)",
            "ATTACH ':memory:' AS shop",
            "CREATE TABLE shop.sales (SKU TEXT, N INTEGER, DAY DATE)",
        ]
        .map(str::to_owned)
        .to_vec()
    }

    fn prepare(sql: &str) -> Result<Prepared, SqlError> {
        PreparedSchemas::default().prepare_query(&ddl(), sql)
    }

    fn refused(sql: &str) -> (String, Option<usize>) {
        let error = prepare(sql).expect_err(sql);
        (error.message, error.offset)
    }

    #[test]
    fn tells_what_a_query_is() {
        let query = "SELECT s.DAY, Round(sum(s.N * i.PRICE), 2) AS total FROM shop.sales s JOIN items i USING (SKU) WHERE s.N > :n AND :n < ?";
        let prepared = prepare(query).expect("good");
        let columns: Vec<_> =
            prepared.columns.iter().map(|column| (column.name.as_str(), column.decl_type.as_deref())).collect();
        assert_eq!(columns, [("DAY", Some("DATE")), ("total", None)]);
        assert_eq!(prepared.params, [":n", "?2"]);
        assert!(prepared.read_only);
        assert!(
            prepared.functions.contains(&"round".to_owned()) && prepared.functions.contains(&"sum".to_owned()),
            "{prepared:?}"
        );
        let reads: Vec<_> = prepared.reads.iter().map(|(table, column)| format!("{table}.{column}")).collect();
        // SQLite does not report columns that only USING names.
        assert_eq!(reads, ["items.PRICE", "sales.DAY", "sales.N"]);
    }

    #[test]
    fn refuses_what_sqlite_refuses_at_its_place() {
        assert_eq!(refused("SELECT NOPE FROM items"), ("no such column: NOPE".into(), Some(7)));
        assert_eq!(refused("SELECT \"nope\" FROM items").1, Some(7));
        assert_eq!(refused("SELECT 1 FROM nope"), ("no such table: nope".into(), None));
        assert_eq!(refused("SELECT 'é', NOPE FROM items").1, Some(13));
        assert_eq!(refused("SELEC 1"), ("near \"SELEC\": syntax error".into(), Some(0)));
        assert!(refused("SELECT 1; SELECT 2").0.contains("more than one statement"));
        assert_eq!(refused("PRAGMA journal_mode").0, "PRAGMA is not a query");
        assert_eq!(refused("ATTACH 'x.db' AS x").0, "ATTACH is not a query");
        assert_eq!(refused("SELECT '\0'").0, "there is a NUL character in it");
    }

    #[test]
    fn writing_is_told_and_nothing_is_run() {
        assert!(!prepare("DELETE FROM items").expect("prepares").read_only);
        assert!(prepare("SELECT count(*) FROM items").expect("good").reads.contains(&("items".into(), String::new())));
        assert_eq!(prepare("-- nothing").expect("prepares").columns, []);
    }

    #[test]
    fn a_bad_schema_says_so_every_time() {
        let sqlite = PreparedSchemas::default();
        for _ in 0..2 {
            let error =
                sqlite.prepare_query(&["CREATE TABLE t (a INT, a INT)".to_owned()], "SELECT 1").expect_err("bad");
            assert_eq!(error.message, "the declared schema is refused: duplicate column name: a");
        }
    }
}
