//! The content of a database as rows, to define the expected state, and to read the state that an agent left.
//!
//! | module | what |
//! | --- | --- |
//! | `read` | the tables of an untrusted database |
//! | `change` | statements of a suite run on a copy |
//! | `goal` | the effect of statements, as stored in an answer key |
//! | `restore` | a copy with some rows removed and some added, or after statements of our own |
//! | `comparison` | checks whether a database is unchanged |
//! | `schema` | the declarations of a database, compared by the `sql_tokens` in them |
//! | `recover` | a database file with the write-ahead log or the rollback journal next to it |
//! | `write_log` | the same log, written |

mod change;
mod comparison;
mod goal;
mod read;
mod recover;
mod restore;
mod schema;
mod sql_tokens;
mod write_log;

use std::cmp::Ordering;

pub use change::{Changed, Refusal, apply_statements};
pub use comparison::{DatabaseChange, find_alteration};
pub use goal::{Goal, GoalTable};
pub use read::{UnreadableDatabase, read_state};
pub use recover::{find_super_journal, recover_database};
pub use restore::{restore_database, run_on_copy};
pub use schema::{Declaration, SchemaChange, SchemaPart, find_schema_change, read_schema};
pub use write_log::write_log;

/// Maximum size in bytes of a database file that is compared; its log may have the same size.
pub const MAX_BYTES: usize = 16 << 20;

/// Checks whether a file begins like an SQLite database: <https://www.sqlite.org/fileformat2.html#the_database_header>.
pub fn is_database_file(bytes: &[u8]) -> bool {
    bytes.starts_with(b"SQLite format 3\0")
}

/// The tables of a database.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct State {
    /// The tables in the order of the schema, without SQLite's own.
    pub tables: Vec<Table>,
}

/// A table.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Table {
    /// Its name.
    pub name: String,
    /// Its columns in order, including generated ones. Empty for a virtual table, whose module is not run, so it has no rows here.
    pub columns: Vec<String>,
    /// The indexes of the columns that identify a row: the primary key, otherwise the first columns that are unique in combination and never null.
    /// Empty if the whole row identifies it.
    pub key: Vec<usize>,
    /// Its foreign keys.
    pub references: Vec<Reference>,
    /// Its rows, each with one cell per column, in arbitrary order.
    pub rows: Vec<Vec<Cell>>,
}

/// A foreign key.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Reference {
    /// The columns that refer.
    pub columns: Vec<String>,
    /// The table to which they refer.
    pub table: String,
    /// Its columns; empty if they are its primary key.
    pub to: Vec<String>,
}

/// The content of a cell. A REAL that is a whole number is a [`Cell::Int`]: 5 equals 5.0.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Cell {
    /// NULL
    Null,
    /// An integer.
    Int(i64),
    /// Any other number, which may not be finite.
    Real(Real),
    /// TEXT
    Text(String),
    /// TEXT that is not UTF-8.
    Broken(Vec<u8>),
    /// BLOB
    Blob(Vec<u8>),
}

/// A double, compared and ordered by its bits.
#[derive(Clone, Copy, Debug)]
pub struct Real(pub f64);

impl Cell {
    /// Converts a REAL.
    ///
    /// ```
    /// use sqlite::state::Cell;
    ///
    /// assert_eq!(Cell::from_real(5.0), Cell::Int(5));
    /// assert!(matches!(Cell::from_real(0.5), Cell::Real(_)));
    /// // Beyond 64 bits, a whole number stays a double.
    /// assert!(matches!(Cell::from_real(1e19), Cell::Real(_)));
    /// ```
    pub fn from_real(value: f64) -> Cell {
        // Whole doubles from -2⁶³ to less than 2⁶³ are exact ints.
        const BEYOND: f64 = 9_223_372_036_854_775_808.0;
        if value.trunc() == value && (-BEYOND..BEYOND).contains(&value) {
            return Cell::Int(value as i64);
        }
        Cell::Real(Real(value))
    }

    /// Estimates its size in bytes.
    fn estimate_size(&self) -> usize {
        let more = match self {
            Cell::Text(text) => text.len(),
            Cell::Broken(bytes) | Cell::Blob(bytes) => bytes.len(),
            Cell::Null | Cell::Int(_) | Cell::Real(_) => 0,
        };
        size_of::<Cell>() + more
    }
}

impl PartialEq for Real {
    fn eq(&self, other: &Real) -> bool {
        self.0.to_bits() == other.0.to_bits()
    }
}

impl Eq for Real {}

impl std::hash::Hash for Real {
    fn hash<H: std::hash::Hasher>(&self, state: &mut H) {
        self.0.to_bits().hash(state);
    }
}

impl Ord for Real {
    fn cmp(&self, other: &Real) -> Ordering {
        self.0.total_cmp(&other.0)
    }
}

impl PartialOrd for Real {
    fn partial_cmp(&self, other: &Real) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

/// The changed rows of one table.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Difference {
    /// Rows that existed and were removed.
    pub removed: Vec<Vec<Cell>>,
    /// Rows that were added.
    pub added: Vec<Vec<Cell>>,
}

/// Returns the difference between two sorted multisets of rows.
///
/// ```
/// use sqlite::state::{Cell, diff_rows};
///
/// let rows = |numbers: &[i64]| numbers.iter().map(|number| vec![Cell::Int(*number)]).collect::<Vec<_>>();
/// // Order does not count, but how often a row occurs does.
/// let difference = diff_rows(&rows(&[1, 2, 2]), &rows(&[3, 2, 1]));
/// assert_eq!((difference.removed, difference.added), (rows(&[2]), rows(&[3])));
/// assert_eq!(diff_rows(&rows(&[1, 2]), &rows(&[2, 1])), Default::default());
/// ```
pub fn diff_rows<'r>(before: &'r [Vec<Cell>], after: &'r [Vec<Cell>]) -> Difference {
    let sorted = |rows: &'r [Vec<Cell>]| {
        let mut rows: Vec<&'r Vec<Cell>> = rows.iter().collect();
        rows.sort();
        rows.into_iter().peekable()
    };
    let (mut a, mut b) = (sorted(before), sorted(after));
    let mut out = Difference::default();
    loop {
        let order = match (a.peek(), b.peek()) {
            (None, None) => return out,
            (Some(_), None) => Ordering::Less,
            (None, Some(_)) => Ordering::Greater,
            (Some(x), Some(y)) => x.cmp(y),
        };
        if order.is_le()
            && let Some(x) = a.next()
            && order.is_lt()
        {
            out.removed.push(x.clone());
        }
        if order.is_ge()
            && let Some(y) = b.next()
            && order.is_gt()
        {
            out.added.push(y.clone());
        }
    }
}
