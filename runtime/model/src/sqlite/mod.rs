//! The compiler's interface to SQLite, which the crate `sqlite/` implements, and the properties of SQLite's functions.

pub mod functions;

use std::fmt;

use crate::value::{Value, group_digits};

/// Prepares queries against an empty database, and reads existing databases.
pub trait Sqlite: Sync {
    /// Lists the tables and views of a database file, given as bytes, in the order of its schema, without SQLite's own tables. A view that cannot be
    /// prepared is included ([`StoredTable::unread`]).
    fn list_tables(&self, database: &[u8]) -> Result<Vec<StoredTable>, DatabaseError>;
    /// Reads the cells of a table or view by column: the rows of a table in the order of its keys, those of a view as returned. Fails if there are
    /// more cells than `cells`, or more bytes of text than `texts`.
    fn read_columns(
        &self,
        database: &[u8],
        table: &str,
        cells: usize,
        texts: usize,
    ) -> Result<Vec<Vec<Stored>>, DatabaseError>;
    /// Runs the statements of `ddl` on an empty database (once for each different list), then prepares `sql` on it without running it.
    fn prepare_query(&self, ddl: &[String], sql: &str) -> Result<Prepared, SqlError>;
    /// Inserts a few rows into the tables that `ddl` makes, returns the rows of each query, and removes the inserted rows. By default, it cannot.
    fn run_example(&self, ddl: &[String], example: &Example<'_>) -> Result<Vec<Vec<Vec<Value>>>, SqlError> {
        let _ = (ddl, example);
        Err(SqlError { message: "queries are not run here".to_owned(), offset: None })
    }
}

/// A few rows, and queries on them.
#[derive(Clone, Copy, Debug)]
pub struct Example<'e> {
    /// The statements that insert the rows.
    pub inserts: &'e [String],
    /// The queries.
    pub queries: &'e [String],
    /// Their parameters, with the colon.
    pub params: &'e [(String, Value)],
}

/// The properties of a query that SQLite accepts.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Prepared {
    /// Its result columns.
    pub columns: Vec<PreparedColumn>,
    /// Its parameters as written (`:name`), each once; an unnamed `?` is `?1`.
    pub params: Vec<String>,
    /// Whether it never changes the database.
    pub read_only: bool,
    /// The functions that it calls, in lower case, each once.
    pub functions: Vec<String>,
    /// The columns that it reads as (table, column), each once.
    pub reads: Vec<(String, String)>,
}

/// A result column.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PreparedColumn {
    /// Its name.
    pub name: String,
    /// The declared type, if it is a plain column.
    pub decl_type: Option<String>,
    /// Its (database, table, column), if it is a plain column.
    pub origin: Option<(String, String, String)>,
}

/// An error of SQLite.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SqlError {
    /// SQLite's message.
    pub message: String,
    /// Byte offset in the query, if SQLite provides it.
    pub offset: Option<usize>,
}

/// The reason why a database file, or a table or view of it, cannot be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum DatabaseError {
    /// It is not a database.
    NotADatabase,
    /// It needs a write-ahead log, which a fixture does not have.
    WalMode,
    /// It is damaged, as SQLite describes.
    Broken(String),
    /// It has more tables and views than the maximum.
    TooManyTables {
        /// Their number.
        count: usize,
        /// The maximum.
        most: usize,
    },
    /// A table has more cells or bytes than the maximum.
    TooLarge {
        /// Its name.
        table: String,
        /// The maximum.
        most: usize,
        /// What is counted.
        what: &'static str,
    },
    /// A query of the schema, or of this table, was stopped or failed, as described.
    Unread(Option<String>, String),
    /// It cannot be opened, as SQLite describes.
    Sqlite(String),
    /// The process is ending.
    Interrupted,
}

impl fmt::Display for DatabaseError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            DatabaseError::NotADatabase => f.write_str("the file is not an SQLite database"),
            DatabaseError::WalMode => {
                f.write_str("the database is in WAL mode: run `PRAGMA journal_mode = DELETE` on it")
            }
            DatabaseError::Broken(why) => write!(f, "the database is broken: {why}"),
            DatabaseError::TooManyTables { count, most } => {
                write!(f, "the database has {count} tables and views, and may have {most}")
            }
            DatabaseError::TooLarge { table, most, what } => {
                write!(f, "`{table}` cannot be read: it has more than {} {what}", group_digits(*most as u64))
            }
            DatabaseError::Unread(None, why) => write!(f, "the database cannot be read: {why}"),
            DatabaseError::Unread(Some(table), why) => write!(f, "`{table}` cannot be read: {why}"),
            DatabaseError::Sqlite(message) => f.write_str(message),
            DatabaseError::Interrupted => f.write_str("interrupted"),
        }
    }
}

impl std::error::Error for DatabaseError {}

/// A table or view of a database.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct StoredTable {
    /// Its name.
    pub name: String,
    /// Its columns in order, including generated ones.
    pub columns: Vec<StoredColumn>,
    /// Sets of several columns, by index, that are declared unique together, without a condition.
    pub keys: Vec<Vec<usize>>,
    /// The reason why it cannot be read at all, and the remedy: a view of a missing table, or a virtual table.
    pub unread: Option<(String, &'static str)>,
    /// What it is to the module of a virtual table, as a sentence: this virtual table, or an ordinary one in which the module stores its rows.
    pub of_module: Option<String>,
}

/// The remedy for a database that cannot be read.
pub const CHECK: &str = "check the file with `sqlite3 FILE 'PRAGMA integrity_check'`";

/// A column of a [`StoredTable`].
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct StoredColumn {
    /// Its name.
    pub name: String,
    /// The declared type as written, if it has one.
    pub decl_type: Option<String>,
    /// `NOT NULL`.
    pub not_null: bool,
    /// Whether this single column is the table's primary key.
    pub primary_key: bool,
    /// Whether this single column is declared unique, without a condition.
    pub unique: bool,
    /// The table and the column that it alone references, as declared.
    pub references: Option<(String, String)>,
}

/// A cell of a [`StoredTable`], in SQLite's storage classes.
#[derive(Clone, Debug, PartialEq)]
pub enum Stored {
    /// NULL
    Null,
    /// INTEGER
    Int(i64),
    /// REAL
    Real(f64),
    /// TEXT
    Text(String),
    /// TEXT whose bytes are not UTF-8, with a replacement character for each invalid part.
    NotUtf8(String),
    /// BLOB, whose content is not read.
    Blob,
}
