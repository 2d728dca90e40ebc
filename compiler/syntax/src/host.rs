//! The compiler's access to the outside: files and SQLite, through traits that the caller implements (disk on the command line, open buffers over disk in an
//! editor, a map in tests).

pub use model::listing::{Entry, EntryKind, list_below};
pub use model::sqlite::{
    DatabaseError, Example, Prepared, PreparedColumn, SqlError, Sqlite, Stored, StoredColumn, StoredTable,
};

pub use model::compute::Compute;
pub use model::observe::{Drawn, Observations, Observer};

/// Files, SQLite, and the evaluator.
pub trait Host {
    /// Reads a file. `path` uses `/`; the path of the root source is the caller's, the others begin with its folder.
    fn read_file(&self, path: &str) -> Result<Vec<u8>, ReadError>;
    /// Reads a file of at most `most` bytes; a longer one is an error. A host that knows the size checks it before reading.
    fn read_at_most(&self, path: &str, most: u64) -> Result<Vec<u8>, ReadError> {
        let bytes = self.read_file(path)?;
        let size = bytes.len() as u64;
        if size > most { Err(ReadError::Other(describe_excess(size, most))) } else { Ok(bytes) }
    }
    /// Lists the entries below a folder of the project, in any order. For names that begin with `.`, neither their kind nor their content is reported. `folder`
    /// does not end with `/`. Links are listed but not followed; a folder that is a link is an error.
    fn list_folder(&self, folder: &str) -> Result<Vec<Entry>, ReadError>;
    /// Whether tables of fixtures are always read, even if the suite does not use their cells, because they are shown.
    fn must_read_all_tables(&self) -> bool {
        false
    }
    /// The maximum number of queries in data that are run per call. An editor runs fewer, because it compiles on every keystroke.
    fn max_queries(&self) -> usize {
        usize::MAX
    }
    /// The maximum number of threads on which tasks are checked. The diagnostics do not depend on it.
    fn max_threads(&self) -> usize {
        1
    }
    /// Called between the stages of a compilation. A host may cancel the compilation here by unwinding if its caller does not need the result any more.
    fn check_cancellation(&self) {}
    /// SQLite, the reference for SQL.
    fn sqlite(&self) -> &dyn Sqlite;
    /// The evaluator of the build, for values that do not depend on a draw.
    fn evaluator(&self) -> &dyn Compute;
    /// Draws samples of a suite without errors and looks at them. Without an observer, which is the default, nothing is drawn: callers that make the
    /// instances anyway need none.
    fn observer(&self) -> Option<&dyn Observer> {
        None
    }
}

/// The maximum number of bytes of a source or word list.
pub const MAX_SOURCE_BYTES: u64 = 64 << 20;

/// The maximum number of bytes of a fixture.
pub const MAX_FIXTURE_BYTES: u64 = 1 << 30;

pub use model::size::describe_excess;

/// The reason why a file could not be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ReadError {
    /// The file does not exist.
    NotFound,
    /// The file exists but cannot be read; contains the error of the operating system.
    Other(String),
}
