//! How the compiler reaches the outside: files and SQLite, through traits that the caller implements (disk in the command line, open
//! buffers over disk in an editor, a map in tests).

pub use plan::sqlite::{Prepared, PreparedColumn, SqlError, Sqlite, Stored, StoredColumn, StoredTable};

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
