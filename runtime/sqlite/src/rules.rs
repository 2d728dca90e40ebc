//! What a query may do and take, as data: one value for each of those who write SQL.

use std::time::Duration;

/// What one query may take.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bounds {
    /// Steps of SQLite's machine, and what is counted as such: the same on every machine.
    pub work: u64,
    /// Bytes of memory, besides the database itself.
    pub heap: u64,
    /// Time on the processor. A net: steps end all but a few before.
    pub time: Duration,
}

impl Bounds {
    /// Without bounds.
    pub const NONE: Bounds = Bounds { work: u64::MAX, heap: i64::MAX as u64, time: Duration::MAX };
}

/// What SQL of one origin may do.
#[derive(Clone, Copy, Debug)]
pub struct Rules {
    /// What one query may take.
    pub bounds: Bounds,
    /// The most bytes of a value or row.
    pub length: i32,
    /// The most bytes of a query.
    pub sql_length: i32,
    /// The most instructions of a compiled query. What is between two jumps cannot be interrupted.
    pub instructions: i32,
    /// The most bytes of a pattern of LIKE or GLOB.
    pub pattern: i32,
    /// LIKE and GLOB count their work. SQLite then uses no index for them, and rows may come in another order: not for answer keys.
    pub counted_like: bool,
    /// Only functions that always give the same, and no clock.
    pub steady: bool,
    /// The library's statistics are functions here.
    pub statistics: bool,
    /// What it may change.
    pub writes: Writes,
    /// A word in double quotes that is not a name is a text.
    pub quoted_texts: bool,
    /// Where the database comes from anybody: nothing in its schema is trusted.
    pub hostile: bool,
    /// Pragmas that may be asked; none is set.
    pub pragmas: &'static [&'static str],
}

/// What SQL may change.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Writes {
    /// Nothing.
    Nothing,
    /// Rows of tables: neither tables themselves nor anything else of the schema, and no transaction of its own.
    Rows,
    /// All of the database.
    Anything,
}

const MIB: u64 = 1 << 20;

/// The most bytes of a value where SQL comes from agents.
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

/// The same while a suite is checked: what takes longer is left to the build.
pub const CHECKED: Rules =
    Rules { bounds: Bounds { work: 200_000_000, heap: 256 * MIB, time: Duration::from_secs(60) }, ..AUTHOR };

/// Queries of a suite on a fixture, which may have been made by anybody, with longer values.
pub const GIVEN: Rules = Rules { length: 256 << 20, hostile: true, ..AUTHOR };

/// A reply that is a query.
pub const REPLY: Rules = Rules {
    bounds: Bounds { work: 200_000_000, heap: 48 * MIB, time: Duration::from_secs(10) },
    length: SHORT,
    sql_length: 100_000,
    instructions: 25_000,
    pattern: 1000,
    counted_like: true,
    steady: true,
    statistics: false,
    writes: Writes::Nothing,
    quoted_texts: true,
    hostile: true,
    pragmas: &[],
};

/// SQL of a data set that says what is right: as a reply, but a word in double quotes is always a name.
pub const GOLD: Rules = Rules { quoted_texts: false, ..REPLY };

/// An agent that works on a database in its sandbox. It may use the clock and random numbers: its results are not an
/// answer key.
pub const TOOL: Rules = Rules {
    bounds: Bounds { work: 200_000_000, heap: 48 * MIB, time: Duration::from_secs(10) },
    length: SHORT,
    sql_length: SHORT,
    instructions: 25_000,
    pattern: 1000,
    counted_like: true,
    steady: false,
    statistics: false,
    writes: Writes::Anything,
    quoted_texts: true,
    hostile: true,
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
};

/// A database that is a fixture, read whole: its tables, and its views as their author wrote them.
pub const FIXTURE: Rules = Rules {
    statistics: false,
    quoted_texts: true,
    pragmas: &["integrity_check", "table_list", "table_xinfo", "index_list", "index_info", "foreign_key_list"],
    ..GIVEN
};

/// Statements of a suite that say what an agent should leave of a database: run on a copy. Triggers of a fixture run too, in whatever quotes they were
/// written.
pub const CHANGE: Rules = Rules { writes: Writes::Rows, quoted_texts: true, ..GIVEN };

/// A database whose rows are read to be compared: what an agent left, too.
pub const STATE: Rules = Rules {
    // The rows are compared in no order.
    counted_like: true,
    pragmas: &[
        "integrity_check",
        "quick_check",
        "ignore_check_constraints",
        "table_list",
        "table_xinfo",
        "index_list",
        "index_info",
        "user_version",
        "application_id",
    ],
    ..FIXTURE
};

/// A copy of a database that is brought to another state, row by row, by statements of our own.
pub const RESTORE: Rules = Rules { writes: Writes::Anything, ..FIXTURE };
