//! How the compiler reaches the outside: files and SQLite, through traits that the caller implements (disk in the command line, open
//! buffers over disk in an editor, a map in tests).

/// Files and SQLite.
pub trait Host {
    /// The bytes of a file. `path` uses `/`; the root source's path is as the caller gave it, others are below its folder.
    fn read(&self, path: &str) -> Result<Vec<u8>, ReadError>;
    /// SQLite, as authority on SQL.
    fn sqlite(&self) -> &dyn Sqlite;
}

/// Why a file could not be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ReadError {
    /// There is none.
    NotFound,
    /// There is one, but: what the system says.
    Other(String),
}

/// Prepares queries against an empty database.
pub trait Sqlite {
    /// Runs the statements of `ddl` on an empty database (once for each different list), then prepares `sql` on it without running it.
    fn prepare(&self, ddl: &[String], sql: &str) -> Result<Prepared, SqlError>;
}

/// What SQLite knows of a query that it accepts.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Prepared {
    /// Its result columns.
    pub columns: Vec<PreparedColumn>,
    /// Its parameters as written (`:name`), each once; a nameless `?` as `?1`.
    pub params: Vec<String>,
    /// Whether it leaves the database as it is.
    pub read_only: bool,
    /// Functions called, lower case, each once.
    pub functions: Vec<String>,
    /// (table, column) read, each once.
    pub reads: Vec<(String, String)>,
}

/// A result column.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PreparedColumn {
    /// Its name.
    pub name: String,
    /// The declared type, where it is a plain column.
    pub decl_type: Option<String>,
    /// (database, table, column), where it is a plain column.
    pub origin: Option<(String, String, String)>,
}

/// SQLite's refusal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SqlError {
    /// SQLite's words.
    pub message: String,
    /// Byte offset in the query, where SQLite tells.
    pub offset: Option<usize>,
}
