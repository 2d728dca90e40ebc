//! What the compiler asks of SQLite, and what is known of SQLite's functions. The crate `sqlite/` answers.

pub mod functions;

/// Prepares queries against an empty database, and reads databases that are there.
pub trait Sqlite {
    /// The tables and views of a database file given as bytes, in the order of its schema, SQLite's own tables left out. A view that cannot be
    /// prepared is among them ([`StoredTable::unread`]). What is refused as a whole (no database, a broken one) comes back in words.
    fn list_tables(&self, database: &[u8]) -> Result<Vec<StoredTable>, String>;
    /// The cells of one of them by column: a table's rows in the order of its keys, a view's as it gives them. Of more cells than `cells`, or
    /// more bytes of text than `texts`, none is given. What is refused comes back in words.
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

/// A table or view of a database.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct StoredTable {
    /// Its name.
    pub name: String,
    /// Its columns in order, generated ones included.
    pub columns: Vec<StoredColumn>,
    /// Why it cannot be read at all, and what to do, in words: a view of what is not there, a virtual table.
    pub unread: Option<(String, &'static str)>,
}

/// What to do about a database that cannot be read.
pub const CHECK: &str = "check the file with `sqlite3 FILE 'PRAGMA integrity_check'`";

/// A column of a [`StoredTable`].
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct StoredColumn {
    /// Its name.
    pub name: String,
    /// The declared type as written, where there is one.
    pub decl_type: Option<String>,
    /// `NOT NULL`.
    pub not_null: bool,
    /// It alone is the table's primary key.
    pub primary_key: bool,
    /// It alone is declared unique, without a condition.
    pub unique: bool,
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
    /// TEXT whose bytes are not UTF-8, with a sign for each that is not.
    NotUtf8(String),
    /// BLOB: what is in it does not matter.
    Blob,
}
