//! In-memory databases, and queries on them within rules.

use std::fmt;
use std::io::Read as _;

use model::ddl::quote_name;
use model::sqlite::functions::{Determinism, find_nature};
use rusqlite::config::DbConfig;
use rusqlite::hooks::{AuthAction, AuthContext, Authorization};
use rusqlite::limits::Limit;
use rusqlite::types::ValueRef;
use rusqlite::{Connection, Error, ErrorCode, OpenFlags, Params, Row};
use web_time::Instant;

use crate::ffi;
use crate::meter::{self, ExceededLimit, Running, STEPS_A_LOOK, StopCause};
use crate::rules::{Bounds, GIVEN, RefusalKind, Rules, Writes};
use crate::statistics;

/// The schema of the database that a connection opens.
const MAIN: &str = "main";

/// An in-memory database, with the rules of its queries.
pub struct Database {
    connection: Connection,
    rules: &'static Rules,
    /// Number of bytes with which it was opened.
    size: usize,
}

/// The reason why a query has no result.
#[derive(Debug)]
pub enum QueryError<E> {
    /// It exceeded a limit.
    Over(ExceededLimit),
    /// [`crate::stop_all`] was called.
    Interrupted,
    /// It reads the clock, under any name, which its rules forbid.
    Clock,
    /// It needs the time zone of the machine.
    LocalTime,
    /// Its rules forbid an action; contains the kind and a description.
    Refused(RefusalKind, String),
    /// A function of the library has no result for its arguments; contains a description.
    NoResult(String),
    /// The error of the caller's own work.
    Failed(E),
}

impl From<Error> for QueryError<Error> {
    fn from(error: Error) -> QueryError<Error> {
        QueryError::Failed(error)
    }
}

impl fmt::Display for QueryError<Error> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            QueryError::Failed(error) => f.write_str(&describe_error(error)),
            QueryError::Over(over) => write!(f, "it takes more than {over}"),
            QueryError::Refused(_, why) | QueryError::NoResult(why) => f.write_str(why),
            QueryError::Clock => f.write_str("it depends on the clock"),
            QueryError::LocalTime => f.write_str("it depends on the time zone of the machine"),
            QueryError::Interrupted => f.write_str("interrupted"),
        }
    }
}

impl std::error::Error for QueryError<Error> {}

/// The reason why work on a database ends early: one of its own, or an error of SQLite.
pub(crate) enum Stop<E> {
    Own(E),
    Sqlite(Error),
}

impl<E> From<Error> for Stop<E> {
    fn from(error: Error) -> Stop<E> {
        Stop::Sqlite(error)
    }
}

impl Database {
    /// Creates an empty database.
    ///
    /// # Errors
    /// SQLite has no memory, or was used before [`crate::init_process`].
    pub fn new_empty(rules: &'static Rules) -> rusqlite::Result<Database> {
        ffi::init_process()?;
        // Without SQLITE_OPEN_URI a name is only a name. A mutex is not needed, because only one thread at a time uses a connection.
        let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_CREATE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        let mut connection = if rules.steady {
            Connection::open_in_memory_with_flags_and_vfs(flags, ffi::NO_CLOCK)?
        } else {
            Connection::open_in_memory_with_flags(flags)?
        };
        for config in [DbConfig::SQLITE_DBCONFIG_DQS_DML, DbConfig::SQLITE_DBCONFIG_DQS_DDL] {
            // Otherwise `SELECT "nope"` would silently be a text.
            connection.set_db_config(config, rules.quoted_texts)?;
        }
        connection.set_db_config(DbConfig::SQLITE_DBCONFIG_LEGACY_FILE_FORMAT, false)?;
        if rules.hostile {
            connection.set_db_config(DbConfig::SQLITE_DBCONFIG_DEFENSIVE, true)?;
            connection.set_db_config(DbConfig::SQLITE_DBCONFIG_TRUSTED_SCHEMA, false)?;
            connection.set_db_config(DbConfig::SQLITE_DBCONFIG_ENABLE_TRIGGER, rules.writes != Writes::Nothing)?;
        }
        // These settings make the layout of a file independent of the flags in SQLite's build. Sorting uses memory instead of a file.
        connection.execute_batch(
            "PRAGMA page_size = 4096; PRAGMA encoding = 'UTF-8'; PRAGMA auto_vacuum = 0; PRAGMA temp_store = 2",
        )?;
        connection.set_limit(Limit::SQLITE_LIMIT_LENGTH, rules.length)?;
        connection.set_limit(Limit::SQLITE_LIMIT_SQL_LENGTH, rules.sql_length)?;
        connection.set_limit(Limit::SQLITE_LIMIT_VDBE_OP, rules.instructions)?;
        connection.set_limit(Limit::SQLITE_LIMIT_LIKE_PATTERN_LENGTH, rules.pattern)?;
        connection.set_limit(Limit::SQLITE_LIMIT_WORKER_THREADS, 0)?;
        if rules.hostile {
            connection.set_limit(Limit::SQLITE_LIMIT_ATTACHED, 0)?;
        }
        ffi::add_functions(&connection, rules)?;
        if rules.statistics {
            statistics::register_statistics(&connection)?;
        }
        // Both act only while a query runs; our own statements are not checked.
        connection.authorizer(Some(|context: AuthContext<'_>| authorize_action(rules, &context.action)))?;
        connection.progress_handler(STEPS_A_LOOK as i32, Some(meter::check_limits))?;
        Ok(Database { connection, rules, size: 0 })
    }

    /// Opens the database in these bytes, which have the format of a file. They are untrusted: SQLite does not read them before a query does.
    ///
    /// ```
    /// use sqlite::{Database, REPLY, TOOL, run_query, to_suite_value};
    ///
    /// let mut made = Database::new_empty(&TOOL).expect("SQLite");
    /// made.connection().execute_batch("CREATE TABLE towns (N INTEGER); INSERT INTO towns VALUES (3), (4)").expect("written");
    /// let bytes = made.to_bytes().expect("bytes");
    /// let opened = Database::from_bytes(&bytes, &REPLY).expect("SQLite");
    /// let table = run_query(&opened, "SELECT SUM(N) AS total FROM towns", to_suite_value).expect("a result");
    /// assert_eq!((table.columns, table.rows), (vec!["total".to_owned()], vec![vec![model::Value::Int(7)]]));
    /// // Bytes are not read before a query reads them.
    /// let broken = Database::from_bytes(b"not a database", &REPLY).expect("SQLite");
    /// assert!(run_query(&broken, "SELECT * FROM towns", to_suite_value).is_err());
    /// ```
    ///
    /// # Errors
    /// The same as for [`Database::new_empty`].
    pub fn from_bytes(bytes: &[u8], rules: &'static Rules) -> rusqlite::Result<Database> {
        let mut database = Database::new_empty(rules)?;
        if bytes.is_empty() {
            return Ok(database);
        }
        database.fill_schema(MAIN, bytes)?;
        Ok(database)
    }

    /// Attaches the database in these bytes under a name, read-only. They are untrusted, as in [`Database::from_bytes`].
    ///
    /// # Errors
    /// SQLite has no memory, or the maximum number of attached databases is reached.
    pub fn attach_bytes(&mut self, name: &str, bytes: &[u8]) -> rusqlite::Result<()> {
        let config = [
            (DbConfig::SQLITE_DBCONFIG_DEFENSIVE, true),
            (DbConfig::SQLITE_DBCONFIG_TRUSTED_SCHEMA, false),
            (DbConfig::SQLITE_DBCONFIG_ENABLE_TRIGGER, false),
        ];
        for (config, on) in config {
            self.connection.set_db_config(config, on)?;
        }
        self.connection.set_limit(Limit::SQLITE_LIMIT_LENGTH, self.rules.length.max(GIVEN.length))?;
        self.connection.execute_batch(&format!("ATTACH ':memory:' AS {}", quote_name(name)))?;
        let before = self.size;
        if !bytes.is_empty() {
            self.fill_schema(name, bytes)?;
        }
        self.size = before.saturating_add(bytes.len());
        Ok(())
    }

    /// Replaces an empty schema by a database file. Only the main one can be changed, if the rules allow it.
    pub(crate) fn fill_schema(&mut self, schema: &str, bytes: &[u8]) -> rusqlite::Result<()> {
        let read_only = schema != MAIN || self.rules.writes == Writes::Nothing;
        self.size = bytes.len();
        // An in-memory database has no write-ahead log, but bytes 18 and 19 of the header may request one (https://sqlite.org/fileformat.html).
        match bytes.split_at_checked(20) {
            Some((head, rest)) if head.ends_with(&[2, 2]) => {
                let whole = head[..18].chain(&[1, 1][..]).chain(rest);
                self.connection.deserialize_read_exact(schema, whole, bytes.len(), read_only)
            }
            _ => self.connection.deserialize_read_exact(schema, bytes, bytes.len(), read_only),
        }
    }

    /// Returns the rules of its queries.
    pub fn rules(&self) -> &'static Rules {
        self.rules
    }

    /// Returns the connection, for our own statements, which are not limited.
    pub fn connection(&self) -> &Connection {
        &self.connection
    }

    /// Returns the connection for changes of the connection itself.
    pub(crate) fn connection_mut(&mut self) -> &mut Connection {
        &mut self.connection
    }

    /// Returns the bytes of the file; empty if nothing was ever written.
    ///
    /// # Errors
    /// An error of SQLite.
    pub fn to_bytes(&mut self) -> rusqlite::Result<Vec<u8>> {
        let pages: i64 = self.connection.query_row("PRAGMA page_count", [], |row| row.get(0))?;
        if pages == 0 { Ok(Vec::new()) } else { self.connection.serialize(MAIN).map(|bytes| bytes.to_vec()) }
    }

    /// Runs SQL from others within the rules and until the deadline. Values are read with [`read_value`]. The result of `work` is discarded if a
    /// limit was exceeded, or if the SQL made a forbidden request.
    ///
    /// ```
    /// use sqlite::{AUTHOR, Database, QueryError, RefusalKind, TOOL};
    ///
    /// let ask = |rules, sql: &str| {
    ///     let database = Database::new_empty(rules).expect("SQLite");
    ///     database.run_bounded(None, |connection| connection.query_row(sql, [], |row| row.get::<_, i64>(0)))
    /// };
    /// assert_eq!(ask(&AUTHOR, "SELECT 6 * 7").expect("a number"), 42);
    /// // An answer key depends on nothing but its data; an agent's own work may.
    /// assert!(matches!(ask(&AUTHOR, "SELECT abs(random())"), Err(QueryError::Refused(RefusalKind::Fickle, _))));
    /// assert!(ask(&TOOL, "SELECT random() IS NOT NULL").is_ok());
    /// assert!(matches!(ask(&AUTHOR, "SELECT strftime('%Y', 'now')"), Err(QueryError::Clock)));
    /// ```
    ///
    /// # Errors
    /// The reason why there is not a result.
    pub fn run_bounded<T, E>(
        &self,
        deadline: Option<Instant>,
        work: impl FnOnce(&Connection) -> Result<T, E>,
    ) -> Result<T, QueryError<E>> {
        let bounds = self.rules.bounds;
        // Twice its own size, because sorting a copy of it is an ordinary request.
        let bounds = Bounds { heap: bounds.heap.saturating_add(2 * self.size as u64), ..bounds };
        run_bounded(self.rules, bounds, deadline, || work(&self.connection))
    }
}

/// Runs the work on this thread, with these limits.
pub(crate) fn run_bounded<T, E>(
    rules: &Rules,
    bounds: Bounds,
    deadline: Option<Instant>,
    work: impl FnOnce() -> Result<T, E>,
) -> Result<T, QueryError<E>> {
    let running = Running::start_query(bounds, deadline);
    let result = work();
    let ended = running.end();
    match ended.met {
        Some(StopCause::Stop) => return Err(QueryError::Interrupted),
        Some(StopCause::Bound(over)) => return Err(QueryError::Over(over)),
        None => {}
    }
    if ended.clock && rules.steady {
        return Err(QueryError::Clock);
    }
    if ended.local_time {
        return Err(QueryError::LocalTime);
    }
    match (result, ended.refused) {
        (Err(_), Some((kind, why))) => Err(QueryError::Refused(kind, why)),
        (Err(_), None) if let Some(why) = ended.no_result => Err(QueryError::NoResult(why)),
        (result, _) => result.map_err(QueryError::Failed),
    }
}

/// Checks whether a query may perform this action.
fn authorize_action(rules: &Rules, action: &AuthAction<'_>) -> Authorization {
    if !meter::is_on() {
        return Authorization::Allow;
    }
    match explain_refusal(rules, action) {
        None => Authorization::Allow,
        Some((kind, why)) => {
            meter::note_refusal(kind, why);
            Authorization::Deny
        }
    }
}

fn explain_refusal(rules: &Rules, action: &AuthAction<'_>) -> Option<(RefusalKind, String)> {
    let other = |why: String| Some((RefusalKind::Other, why));
    match action {
        // The position of pages in the file depends on SQLite's version.
        AuthAction::Read { table_name, .. } if rules.steady && table_name.eq_ignore_ascii_case("dbstat") => {
            other("`dbstat` is not available here".to_owned())
        }
        AuthAction::Select | AuthAction::Read { .. } | AuthAction::Recursive => None,
        AuthAction::Function { function_name } => match find_nature(function_name) {
            Some(Determinism::Steady) => None,
            Some(_) if !rules.steady => None,
            Some(nature) => {
                let why =
                    format!("`{function_name}` is not available here: it depends on {}", nature.describe_dependency());
                Some((RefusalKind::Fickle, why))
            }
            None => other(format!("`{function_name}` is not available here")),
        },
        AuthAction::Pragma { pragma_name, pragma_value } => {
            let known = rules.pragmas.iter().any(|known| pragma_name.eq_ignore_ascii_case(known));
            // The arguments of the others are names or numbers; only `user_version` would be set by one.
            let sets = pragma_value.is_some() && pragma_name.eq_ignore_ascii_case("user_version");
            (!known || sets).then(|| (RefusalKind::Other, format!("`PRAGMA {pragma_name}` is not available here")))
        }
        AuthAction::Attach { .. } | AuthAction::Detach { .. } => {
            other("ATTACH and VACUUM are not available here".to_owned())
        }
        _ if rules.writes == Writes::Anything => None,
        AuthAction::Insert { table_name }
        | AuthAction::Update { table_name, .. }
        | AuthAction::Delete { table_name }
            if rules.writes == Writes::Rows =>
        {
            let own = table_name.get(..7).is_some_and(|start| start.eq_ignore_ascii_case("sqlite_"));
            own.then(|| (RefusalKind::Other, format!("`{table_name}` is a table of SQLite's own")))
        }
        _ if rules.writes == Writes::Rows => other("only rows can be changed here".to_owned()),
        _ => Some((RefusalKind::Change, "only a query that reads is run".to_owned())),
    }
}

/// Runs a query and reads each row of its result.
pub(crate) fn collect_rows<T>(
    connection: &Connection,
    sql: &str,
    params: impl Params,
    read: impl FnMut(&Row<'_>) -> rusqlite::Result<T>,
) -> rusqlite::Result<Vec<T>> {
    connection.prepare(sql)?.query_map(params, read)?.collect()
}

/// Returns the value of a column in a result row.
///
/// # Errors
/// The column does not exist.
pub fn read_value<'r>(row: &'r Row<'_>, at: usize) -> rusqlite::Result<ValueRef<'r>> {
    meter::run_reading(|| row.get_ref(at))
}

/// Returns the limit that an error of SQLite is about.
pub fn limit_of(error: &Error, rules: &Rules) -> Option<ExceededLimit> {
    match error.sqlite_error_code()? {
        ErrorCode::TooBig => Some(ExceededLimit::Length(rules.length as u64)),
        // This also covers a query that compiles to too many instructions.
        ErrorCode::OutOfMemory => Some(ExceededLimit::Memory(rules.bounds.heap)),
        _ => None,
    }
}

/// Returns SQLite's message, without the statement that rusqlite adds.
pub fn describe_error(error: &Error) -> String {
    match error {
        Error::SqlInputError { msg, .. } => msg.clone(),
        Error::SqliteFailure(_, Some(message)) => message.clone(),
        other => other.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::{AUTHOR, CHANGE, FIXTURE, TOOL};

    /// Everything in the head of a file (https://sqlite.org/fileformat.html) that a flag of SQLite's build could decide.
    #[test]
    fn how_a_file_is_laid_out_is_said_here() {
        for rules in [&AUTHOR, &FIXTURE, &TOOL, &CHANGE] {
            let mut database = Database::new_empty(rules).expect("opened");
            let statements = "CREATE TABLE t (A INTEGER, B TEXT); INSERT INTO t VALUES (1, 'é')";
            database.connection().execute_batch(statements).expect("written");
            let bytes = database.to_bytes().expect("bytes");
            let number = |at: usize| u32::from_be_bytes(bytes[at..at + 4].try_into().expect("four bytes"));
            assert_eq!(bytes[..18], *b"SQLite format 3\0\x10\0", "pages of 4,096 bytes");
            assert_eq!(bytes[18..24], [1, 1, 0, 64, 32, 32], "no log; no bytes of a page are reserved");
            assert_eq!(bytes.len() % 4096, 0);
            assert_eq!(number(28) as usize, bytes.len() / 4096);
            assert_eq!((number(44), number(52), number(56)), (4, 0, 1), "format 4, no vacuum, UTF-8");
            assert_eq!((number(60), number(64), number(68)), (0, 0, 0), "no version and no application of the user's");
        }
    }
}
