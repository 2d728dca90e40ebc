//! The permissions and limits of queries, as data: one value for each origin of SQL.

use std::time::Duration;

/// The limits of one query.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bounds {
    /// Number of steps of SQLite's virtual machine and equivalent work, which is the same on every machine.
    pub work: u64,
    /// Number of bytes of memory, excluding the database itself.
    pub heap: u64,
    /// Processor time. This is only a safety net, because almost all queries reach the limit of steps first.
    pub time: Duration,
}

impl Bounds {
    /// No limits.
    pub const NONE: Bounds = Bounds { work: u64::MAX, heap: i64::MAX as u64, time: Duration::MAX };
}

/// The permissions and limits of SQL of one origin.
#[derive(Clone, Copy, Debug)]
pub struct Rules {
    /// The limits of one query.
    pub bounds: Bounds,
    /// Maximum size of a value or row in bytes.
    pub length: i32,
    /// Maximum size of a query in bytes.
    pub sql_length: i32,
    /// Maximum number of instructions of a compiled query. Instructions between two jumps cannot be interrupted.
    pub instructions: i32,
    /// Maximum size of a LIKE or GLOB pattern in bytes.
    pub pattern: i32,
    /// Whether LIKE and GLOB count their work. SQLite then uses no index for them, and rows may have another order, so this is not for answer keys.
    pub counted_like: bool,
    /// Whether only deterministic functions are allowed, and no clock.
    pub steady: bool,
    /// Whether the library's statistics are available as functions.
    pub statistics: bool,
    /// The changes that it may make.
    pub writes: Writes,
    /// Whether a word in double quotes that is not a name is a text.
    pub quoted_texts: bool,
    /// Whether the database is untrusted; then nothing in its schema is trusted.
    pub hostile: bool,
    /// Pragmas that may be read, but not set.
    pub pragmas: &'static [&'static str],
}

/// The changes that SQL may make.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Writes {
    /// Nothing.
    Nothing,
    /// Rows of tables, but not the schema; and no transactions of its own.
    Rows,
    /// The whole database.
    Anything,
}

/// The kind of a forbidden action.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RefusalKind {
    /// A function that is not deterministic.
    Fickle,
    /// A change.
    Change,
    /// Something else.
    Other,
}

const MIB: u64 = 1 << 20;

/// Maximum size in bytes of a value in SQL from agents.
const SHORT: i32 = 1_000_000;

/// Queries of a suite, on tables that the suite makes.
pub const AUTHOR: Rules = Rules {
    bounds: Bounds { work: 500_000_000, heap: 256 * MIB, time: Duration::from_secs(60) },
    length: 16 << 20,
    sql_length: 1_000_000,
    instructions: 250_000_000,
    pattern: 1000,
    counted_like: false,
    steady: true,
    statistics: true,
    writes: Writes::Nothing,
    quoted_texts: false,
    hostile: false,
    pragmas: &[],
};

/// The same while a suite is checked; longer work is left to the build.
pub const CHECKED: Rules =
    Rules { bounds: Bounds { work: 200_000_000, heap: 256 * MIB, time: Duration::from_secs(60) }, ..AUTHOR };

/// Queries of a suite on a fixture, which is untrusted and may have longer values.
pub const GIVEN: Rules = Rules { length: 256 << 20, hostile: true, ..AUTHOR };

/// A reply that is a query.
pub const REPLY: Rules = Rules {
    bounds: Bounds { work: 200_000_000, heap: 48 * MIB, time: Duration::from_secs(10) },
    length: SHORT,
    sql_length: 100_000,
    instructions: 25_000,
    counted_like: true,
    statistics: false,
    quoted_texts: true,
    hostile: true,
    ..AUTHOR
};

/// Gold SQL of a data set: like a reply, but a word in double quotes is always a name.
pub const GOLD: Rules = Rules { quoted_texts: false, ..REPLY };

/// An agent's work on a database in its sandbox. It may use the clock and random numbers, because its results are not an answer key.
pub const TOOL: Rules = Rules {
    sql_length: SHORT,
    steady: false,
    writes: Writes::Anything,
    pragmas: &[
        "table_info",
        "table_xinfo",
        "table_list",
        "index_list",
        "index_info",
        "index_xinfo",
        "foreign_key_list",
        "user_version",
        "database_list",
    ],
    ..REPLY
};

/// A fixture that is read as a whole: its tables, and its views as written by their author.
pub const FIXTURE: Rules = Rules {
    statistics: false,
    quoted_texts: true,
    pragmas: &["integrity_check", "table_list", "table_xinfo", "index_list", "index_info", "foreign_key_list"],
    ..GIVEN
};

/// Statements of a suite that define the expected state of a database, run on a copy. Triggers of a fixture run too, with any quoting of their text, and
/// the full-text indexes that they fill ask for these pragmas.
pub const CHANGE: Rules =
    Rules { writes: Writes::Rows, quoted_texts: true, pragmas: &["data_version", "page_size"], ..GIVEN };

/// A database whose rows are read for a comparison, including one that an agent left.
pub const STATE: Rules = Rules {
    // The order of the compared rows does not matter.
    counted_like: true,
    pragmas: &[
        "integrity_check",
        "quick_check",
        "ignore_check_constraints",
        "table_list",
        "table_xinfo",
        "index_list",
        "index_info",
        "foreign_key_list",
        "user_version",
        "application_id",
    ],
    ..FIXTURE
};

/// A copy of a database that our own statements convert to another state, row by row.
pub const RESTORE: Rules = Rules { writes: Writes::Anything, ..FIXTURE };
