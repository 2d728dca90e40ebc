//! How the compiler reaches the outside: files and SQLite, through traits that the caller implements (disk in the command line, open
//! buffers over disk in an editor, a map in tests).

/// Files and SQLite.
pub trait Host {
    /// The bytes of a file. `path` uses `/`; the root source's path is as the caller gave it, others are below its folder.
    fn read(&self, path: &str) -> Result<Vec<u8>, ReadError>;
    /// The same of a file that may have so many bytes. A longer one is refused; a host that can tell does so before it reads.
    fn read_at_most(&self, path: &str, most: u64) -> Result<Vec<u8>, ReadError> {
        let bytes = self.read(path)?;
        let size = bytes.len() as u64;
        if size > most { Err(ReadError::Other(too_large(size, most))) } else { Ok(bytes) }
    }
    /// SQLite, as authority on SQL.
    fn sqlite(&self) -> &dyn Sqlite;
}

/// The most bytes of a source or word list.
pub const MOST_OF_A_SOURCE: u64 = 64 << 20;

/// The most bytes of a fixture.
pub const MOST_OF_A_FIXTURE: u64 = 1 << 30;

/// Says that a file is too large to be read, in words that follow its path.
pub fn too_large(size: u64, most: u64) -> String {
    let shown = |bytes: u64| match bytes {
        0..1_048_576 => format!("{} bytes", plan::value::grouped(bytes)),
        _ => format!("{} MiB", plan::value::grouped(bytes.div_ceil(1 << 20))),
    };
    let most = shown(most);
    format!("it has {}, and may have {}", shown(size), most.strip_suffix(" bytes").unwrap_or(&most))
}

/// Why a file could not be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ReadError {
    /// There is none.
    NotFound,
    /// There is one, but: what the system says.
    Other(String),
}

/// Prepares queries against an empty database, and reads databases that are there.
pub trait Sqlite {
    /// Reads every table and view of a database file given as bytes, in the order of its schema, SQLite's own tables left out. What it
    /// refuses (no database, a broken one, a view that cannot be run) comes back in words.
    fn read(&self, database: &[u8]) -> Result<Vec<StoredTable>, String>;
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

/// A table or view that is read from a database.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct StoredTable {
    /// Its name.
    pub name: String,
    /// Its columns in order, generated ones included.
    pub columns: Vec<StoredColumn>,
    /// Its rows, each with one cell a column; a table's in the order of its keys, a view's as it gives them.
    pub rows: Vec<Vec<Stored>>,
}

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
    /// BLOB: what is in it does not matter.
    Blob,
}
