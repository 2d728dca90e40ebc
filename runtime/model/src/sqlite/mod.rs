//! The compiler's interface to SQLite, which the crate `sqlite/` implements, and the properties of SQLite's functions.

pub mod functions;

/// Prepares queries against an empty database, and reads existing databases.
pub trait Sqlite {
    /// Lists the tables and views of a database file, given as bytes, in the order of its schema, without SQLite's own tables. A view that cannot be
    /// prepared is included ([`StoredTable::unread`]). The error describes why a file is rejected (not a database, or a damaged one).
    fn list_tables(&self, database: &[u8]) -> Result<Vec<StoredTable>, String>;
    /// Reads the cells of a table or view by column: the rows of a table in the order of its keys, those of a view as returned. Fails if there are
    /// more cells than `cells`, or more bytes of text than `texts`; the error describes the reason.
    fn read_columns(
        &self,
        database: &[u8],
        table: &str,
        cells: usize,
        texts: usize,
    ) -> Result<Vec<Vec<Stored>>, String>;
    /// Runs the statements of `ddl` on an empty database (once for each different list), then prepares `sql` on it without running it.
    fn prepare_query(&self, ddl: &[String], sql: &str) -> Result<Prepared, SqlError>;
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
