//! What is in a database, as rows: to say what an agent should leave, and to see what it left.
//!
//! | module | what |
//! | --- | --- |
//! | `read` | the tables of a database of any origin |
//! | `change` | statements of a suite run on a copy |
//! | `goal` | what they change, as an answer key says it |
//! | `restore` | a copy with some rows removed and some added |
//! | `comparison` | whether a database is as it was |
//! | `recover` | a database file with the write-ahead log or the rollback journal next to it |

mod change;
mod comparison;
mod goal;
mod read;
mod recover;
mod restore;

use std::cmp::Ordering;

pub use change::{Changed, Refusal, apply_statements};
pub use comparison::{DatabaseChange, find_alteration};
pub use goal::{Goal, GoalTable};
pub use read::{UnreadableDatabase, read_state};
pub use recover::{find_super_journal, recover_database};
pub use restore::restore_database;

/// The largest database file that is compared, in bytes; its log may have as many.
pub const MAX_BYTES: usize = 16 << 20;

/// Whether a file begins as each SQLite database does: <https://www.sqlite.org/fileformat2.html#the_database_header>.
pub fn is_database_file(bytes: &[u8]) -> bool {
    bytes.starts_with(b"SQLite format 3\0")
}

/// The tables of a database.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct State {
    /// In the order of the schema; SQLite's own left out.
    pub tables: Vec<Table>,
}

/// A table.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Table {
    /// Its name.
    pub name: String,
    /// Its columns in order, generated ones included. None of a virtual table, whose module is not run: it has no rows here.
    pub columns: Vec<String>,
    /// The columns by which a row is known: the primary key, else the first columns that are unique together and never null. Empty: the whole row.
    pub key: Vec<usize>,
    /// Its rows, each with one cell a column, in no order that means anything.
    pub rows: Vec<Vec<Cell>>,
}

/// What a cell holds. A REAL that is a whole number is an [`Cell::Int`]: 5 is 5.0.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Cell {
    /// NULL
    Null,
    /// A whole number.
    Int(i64),
    /// Any other number; not always finite.
    Real(Real),
    /// TEXT
    Text(String),
    /// TEXT that is not UTF-8.
    Broken(Vec<u8>),
    /// BLOB
    Blob(Vec<u8>),
}

/// A double, ordered and equal by its bits.
#[derive(Clone, Copy, Debug)]
pub struct Real(pub f64);

impl Cell {
    /// Of a REAL.
    pub fn from_real(value: f64) -> Cell {
        // Doubles from -2⁶³ on and below 2⁶³ are ints exactly.
        const BEYOND: f64 = 9_223_372_036_854_775_808.0;
        if value.trunc() == value && (-BEYOND..BEYOND).contains(&value) {
            return Cell::Int(value as i64);
        }
        Cell::Real(Real(value))
    }

    /// How many bytes it takes, about.
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

/// Rows of one table that went and came.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Difference {
    /// Rows that were there and are not any more.
    pub removed: Vec<Vec<Cell>>,
    /// Rows that were not there before.
    pub added: Vec<Vec<Cell>>,
}

/// What went and came between two bags of rows, both sorted.
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
