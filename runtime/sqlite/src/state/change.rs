//! Runs statements of a suite on a copy of a database.

use rusqlite::config::DbConfig;
use rusqlite::{Batch, Connection, Error, ToSql};

use rusqlite::fallible_iterator::FallibleIterator as _;

use super::read::with_opened;
use super::{Cell, Real, State, Table, read_state};
use crate::database::{Database, QueryError, describe_error, limit_of};
use crate::rules::CHANGE;
use crate::state::UnreadableDatabase;
use crate::stored::list_tables_and_views;

/// The effect of statements on a database.
#[derive(Clone, Debug, PartialEq)]
pub struct Changed {
    /// The state before them.
    pub before: State,
    /// The state after them.
    pub after: State,
}

/// The reason why statements have no result.
#[derive(Debug)]
pub enum Refusal {
    /// A statement failed; contains SQLite's message.
    Failed(String),
    /// A statement uses a virtual table whose module SQLite does not have, through a trigger or a view.
    NoModule {
        /// The virtual tables of the module.
        tables: Vec<String>,
        /// The module.
        module: String,
    },
    /// A statement exceeded a limit.
    Over(crate::ExceededLimit),
    /// A statement reads the clock.
    Clock,
    /// A statement depends on the time zone of the machine.
    LocalTime,
    /// The resulting rows depend on the order in which SQLite reads rows.
    Unsteady,
    /// The database itself, or its changed state, cannot be read.
    Unread(UnreadableDatabase),
    /// [`crate::stop_all`] was called.
    Interrupted,
}

/// Runs lists of statements on a copy of a database, each list in one transaction, with references between tables enforced. They are run twice, the
/// second time with rows in the opposite order where no ORDER BY fixes it; both runs must result in the same rows. Triggers run, also those that keep a
/// virtual table in step, which SQLite's own modules can do; of a virtual table, only the name is part of a state.
///
/// `bind` returns the values of the parameters of a statement of a list.
///
/// ```
/// use sqlite::state::{Cell, Refusal, apply_statements};
/// use sqlite::{Database, TOOL};
///
/// let mut made = Database::new_empty(&TOOL).expect("SQLite");
/// let statements = "CREATE TABLE towns (ID INTEGER PRIMARY KEY, N INTEGER); INSERT INTO towns VALUES (1, 3), (2, 4)";
/// made.connection().execute_batch(statements).expect("written");
/// let bytes = made.to_bytes().expect("bytes");
/// let apply = |statement| apply_statements::<i64>(&bytes, &[(statement, vec![])]);
/// let changed = apply("UPDATE towns SET N = N * 10 WHERE ID = 2").expect("a change");
/// assert_eq!(changed.after.tables[0].rows[1], [Cell::Int(2), Cell::Int(40)]);
/// // The copy was changed, not the database.
/// assert_eq!(changed.before.tables[0].rows[1], [Cell::Int(2), Cell::Int(4)]);
/// // A result that depends on the order of rows is refused.
/// assert!(matches!(apply("INSERT INTO towns SELECT 9, N FROM towns LIMIT 1"), Err(Refusal::Unsteady)));
/// assert!(matches!(apply("INSERT INTO towns VALUES (1, 5)"), Err(Refusal::Failed(_))));
/// ```
///
/// # Errors
/// The reason why the statements have no result.
pub fn apply_statements<P: ToSql>(database: &[u8], lists: &[(&str, Vec<(String, P)>)]) -> Result<Changed, Refusal> {
    let before = read_state(database).map_err(Refusal::Unread)?;
    let after = run_lists(database, lists, ScanOrder::Usual)?;
    let again = match run_lists(database, lists, ScanOrder::Reversed) {
        // A constraint that is met at the end may fail on the way; this is not a different result.
        Err(Refusal::Failed(_)) => run_lists(database, lists, ScanOrder::Usual)?,
        other => other?,
    };
    if !is_alike(&after, &again) {
        return Err(Refusal::Unsteady);
    }
    Ok(Changed { before, after })
}

/// The order in which SQLite returns rows without ORDER BY.
#[derive(Clone, Copy, PartialEq, Eq)]
enum ScanOrder {
    Usual,
    Reversed,
}

fn run_lists<P: ToSql>(bytes: &[u8], lists: &[(&str, Vec<(String, P)>)], order: ScanOrder) -> Result<State, Refusal> {
    let failed = |error: Error| match (limit_of(&error, &CHANGE), describe_error(&error)) {
        (Some(over), _) => Refusal::Over(over),
        (None, why) => match why.strip_prefix("no such module: ") {
            Some(module) => Refusal::NoModule { tables: list_tables_of(bytes, module), module: module.to_owned() },
            None => Refusal::Failed(why),
        },
    };
    let mut database = Database::from_bytes(bytes, &CHANGE).map_err(failed)?;
    let connection = database.connection();
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_ENABLE_FKEY, true).map_err(failed)?;
    if order == ScanOrder::Reversed {
        connection.execute_batch("PRAGMA reverse_unordered_selects = 1").map_err(failed)?;
    }
    for (text, params) in lists {
        connection.execute_batch("BEGIN").map_err(failed)?;
        database.run_bounded(None, |connection| run_statements(connection, text, params)).map_err(|stopped| {
            match stopped {
                QueryError::Failed(error) => failed(error),
                QueryError::Over(over) => Refusal::Over(over),
                QueryError::Clock => Refusal::Clock,
                QueryError::LocalTime => Refusal::LocalTime,
                QueryError::Refused(_, why) | QueryError::NoResult(why) => Refusal::Failed(why),
                QueryError::Interrupted => Refusal::Interrupted,
            }
        })?;
        connection.execute_batch("COMMIT").map_err(failed)?;
    }
    let bytes = database.to_bytes().map_err(failed)?;
    read_state(&bytes).map_err(Refusal::Unread)
}

/// Lists the virtual tables of a module.
fn list_tables_of(bytes: &[u8], module: &str) -> Vec<String> {
    let names = with_opened(bytes, |connection| Ok(list_tables_and_views(connection)?)).unwrap_or_default();
    let own = names.into_iter().filter(|named| named.kind.module().is_some_and(|of| of.eq_ignore_ascii_case(module)));
    own.map(|named| named.name).collect()
}

fn run_statements<P: ToSql>(connection: &Connection, text: &str, params: &[(String, P)]) -> rusqlite::Result<()> {
    let mut batch = Batch::new(connection, text);
    while let Some(mut statement) = batch.next()? {
        for (name, value) in params {
            if let Some(at) = statement.parameter_index(&format!(":{name}"))? {
                statement.raw_bind_parameter(at, value)?;
            }
        }
        let mut rows = statement.raw_query();
        // The rows of RETURNING are ignored.
        while rows.next()?.is_some() {}
    }
    Ok(())
}

/// Checks whether two runs have the same result, except that sums of doubles may differ in their last digits because of the order of addition.
fn is_alike(a: &State, b: &State) -> bool {
    a.tables.len() == b.tables.len() && a.tables.iter().zip(&b.tables).all(|(a, b)| has_same_rows(a, b))
}

fn has_same_rows(a: &Table, b: &Table) -> bool {
    let sorted = |table: &Table| {
        let mut rows = table.rows.clone();
        rows.sort();
        rows
    };
    let (mut x, mut y) = (sorted(a), sorted(b));
    if a.columns != b.columns || x.len() != y.len() {
        return false;
    }
    if x == y {
        return true;
    }
    // Rows are sorted by their other cells first, so rounding errors do not change the order.
    let rigid = |rows: &mut Vec<Vec<Cell>>| {
        let whole = |row: &Vec<Cell>| -> Vec<Cell> {
            let cell = |cell: &Cell| if matches!(cell, Cell::Real(_)) { Cell::Null } else { cell.clone() };
            row.iter().map(cell).collect()
        };
        rows.sort_by_cached_key(|row| (whole(row), row.clone()));
    };
    rigid(&mut x);
    rigid(&mut y);
    x.iter().flatten().zip(y.iter().flatten()).all(|(x, y)| is_near(x, y))
}

fn is_near(a: &Cell, b: &Cell) -> bool {
    let number = |cell: &Cell| match cell {
        Cell::Int(value) => Some(*value as f64),
        Cell::Real(Real(value)) => Some(*value),
        _ => None,
    };
    match (number(a), number(b)) {
        (Some(x), Some(y)) if a != b => (x - y).abs() <= 1e-9 * x.abs().max(y.abs()),
        _ => a == b,
    }
}
