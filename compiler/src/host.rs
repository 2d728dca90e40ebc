//! How the compiler reaches the outside: files and SQLite, through traits that the caller implements (disk in the command line, open
//! buffers over disk in an editor, a map in tests).

pub use model::listing::{Entry, EntryKind, list_below};
pub use model::sqlite::{Prepared, PreparedColumn, SqlError, Sqlite, Stored, StoredColumn, StoredTable};

pub use model::compute::Compute;

/// Files, SQLite, and what is computed when instances are made.
pub trait Host {
    /// The bytes of a file. `path` uses `/`; the root source's path is as the caller gave it, others are below its folder.
    fn read_file(&self, path: &str) -> Result<Vec<u8>, ReadError>;
    /// The bytes of a file that has at most `most` of them; a longer one is an error. A host that knows the size checks
    /// it before it reads.
    fn read_at_most(&self, path: &str, most: u64) -> Result<Vec<u8>, ReadError> {
        let bytes = self.read_file(path)?;
        let size = bytes.len() as u64;
        if size > most { Err(ReadError::Other(describe_excess(size, most))) } else { Ok(bytes) }
    }
    /// What is below a folder of the project, in any order; of names that begin with `.`, what they are and what is below them is not told. `folder` ends without `/`. Links are told,
    /// and not followed; a folder that is a link is an error.
    fn list_folder(&self, folder: &str) -> Result<Vec<Entry>, ReadError>;
    /// Whether the tables of fixtures are read even if nothing in the suite asks for their cells, so that they can be
    /// shown.
    fn must_read_all_tables(&self) -> bool {
        false
    }
    /// How many queries that are data are run for one call. An editor runs fewer: it asks at every key.
    fn max_queries(&self) -> usize {
        usize::MAX
    }
    /// Called between the stages of a compilation. A host whose caller no longer wants the result may end it here by unwinding.
    fn check_cancellation(&self) {}
    /// SQLite, as authority on SQL.
    fn sqlite(&self) -> &dyn Sqlite;
    /// The evaluator that makes instances, for what depends on no draw.
    fn compute(&self) -> &dyn Compute;
}

/// The most bytes of a source or word list.
pub const MAX_SOURCE_BYTES: u64 = 64 << 20;

/// The most bytes of a fixture.
pub const MAX_FIXTURE_BYTES: u64 = 1 << 30;

pub use model::size::describe_excess;

/// Why a file could not be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ReadError {
    /// The file does not exist.
    NotFound,
    /// The file exists but cannot be read; contains the error of the operating system.
    Other(String),
}
