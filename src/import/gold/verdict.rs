//! A gold query, run on its database: whether an agent can be measured with it.

use std::path::Path;

use compiler::host::MOST_OF_A_FIXTURE;
use compiler::sql::does_not_read;
use rusqlite::types::ValueRef;
use rusqlite::{Connection, Error};
use sqlite::{REPLY, Stopped, limit_of, value, words};

use super::Layout;
use super::ties::{self, Cut, Term};

/// The most rows that a query may give, as when a reply is scored.
const MOST_ROWS: usize = 100_000;

/// What is said of a gold query.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// It has rows, and these are the only right ones.
    Good,
    /// Its database cannot be read.
    NoDatabase(String),
    /// SQLite refuses it.
    Fails(String),
    /// It would change the database.
    Writes,
    /// Its rows change from run to run.
    Unsteady(String),
    /// It takes too much.
    Limit(String),
    /// It gives no rows.
    Empty,
    /// Other rows would be as right.
    Tied(String),
}

impl Verdict {
    /// In a word; `None`: it is good.
    pub fn word(&self) -> Option<&'static str> {
        Some(match self {
            Verdict::Good => return None,
            Verdict::NoDatabase(_) => "no database",
            Verdict::Fails(_) => "fails",
            Verdict::Writes => "writes",
            Verdict::Unsteady(_) => "unsteady",
            Verdict::Limit(_) => "limit",
            Verdict::Empty => "empty",
            Verdict::Tied(_) => "tied",
        })
    }

    /// For people, with what to do: sentences without the last period.
    pub fn why(&self, layout: &Layout) -> Option<String> {
        let gold = layout.gold;
        Some(match self {
            Verdict::Good => return None,
            Verdict::NoDatabase(why) => format!("its database cannot be read: {why}; add the database"),
            Verdict::Fails(why) => format!("its gold query fails ({why}); correct `{gold}`"),
            Verdict::Writes => format!("its gold query does not only read; write a query in `{gold}`"),
            Verdict::Unsteady(why) => {
                format!("its gold query has other rows on another day ({why}); write a date in `{gold}`")
            }
            Verdict::Limit(why) => format!("its gold query takes too much ({why}); simplify `{gold}`"),
            Verdict::Empty => {
                format!(
                    "its gold query returns no rows, so every query without rows would be correct; correct `{gold}`"
                )
            }
            Verdict::Tied(why) => {
                format!("{why}, so other rows would be as correct; add a column to `ORDER BY` in `{gold}`")
            }
        })
    }
}

/// The rows of a query; cells are as they compare.
struct Rows {
    columns: Vec<String>,
    rows: Vec<Vec<String>>,
}

/// A database of the data set.
pub struct Database(sqlite::Database);

impl Database {
    /// Reads it.
    ///
    /// # Errors
    /// The file cannot be read, or is not a database: in words.
    pub fn open(path: &Path) -> Result<Database, String> {
        let shown = path.file_name().unwrap_or_default().to_string_lossy();
        let bytes = disk::read(path, MOST_OF_A_FIXTURE).map_err(|error| match error.kind() {
            std::io::ErrorKind::NotFound => format!("the folder does not have the file `{shown}`"),
            _ => format!("`{shown}`: {error}"),
        })?;
        let database = sqlite::Database::of(&bytes, &REPLY).map_err(|error| words(&error))?;
        let database = Database(database);
        match database.rows("SELECT COUNT(*) FROM sqlite_schema") {
            Ok(_) => Ok(database),
            Err(_) => Err(format!("`{shown}` is not a SQLite database")),
        }
    }

    /// One of these statements.
    #[cfg(test)]
    pub fn of_sql(statements: &str) -> Database {
        let database = sqlite::Database::empty(&REPLY).expect("opened");
        database.connection().execute_batch(statements).expect("good statements");
        Database(database)
    }

    /// The rows of a query.
    #[cfg(test)]
    pub fn cells(&self, sql: &str) -> Vec<Vec<String>> {
        self.rows(sql).map(|rows| rows.rows).unwrap_or_else(|verdict| panic!("{sql}: {verdict:?}"))
    }

    /// Whether SQLite can prepare it.
    pub fn prepares(&self, sql: &str) -> bool {
        self.0.bounded(None, |connection| connection.prepare(sql).map(drop)).is_ok()
    }

    /// What is to be said of a query.
    pub fn verdict(&self, sql: &str) -> Verdict {
        if does_not_read(sql) {
            return Verdict::Writes;
        }
        match self.rows(sql) {
            Err(verdict) => verdict,
            Ok(rows) if rows.rows.is_empty() => Verdict::Empty,
            Ok(_) => ties::cuts(sql).iter().find_map(|cut| self.tie(cut)).map_or(Verdict::Good, Verdict::Tied),
        }
    }

    /// What is tied at this cut, in words; `None` also where that cannot be known: a query in brackets may need the row of the query around it.
    pub fn tie(&self, cut: &Cut) -> Option<String> {
        let all = self.rows(&cut.all).ok()?;
        let (first, end) = (cut.offset, cut.offset.saturating_add(cut.limit));
        let total = all.rows.len();
        if cut.limit == 0 || first >= total || (first == 0 && end >= total) {
            return None;
        }
        if cut.terms.is_empty() {
            let alike = all.rows.iter().all(|row| Some(row) == all.rows.first());
            return (!alike)
                .then(|| format!("`LIMIT {}` without `ORDER BY` takes any {} of {total} rows", cut.limit, cut.limit));
        }
        let (rows, keys) = self.keys(cut, &all)?;
        // On both sides of a bound, rows with the same keys, and not all of them the same.
        let split = |at: usize| {
            let (before, after) = (keys.get(at.checked_sub(1)?)?, keys.get(at)?);
            let equal: Vec<&[String]> =
                keys.iter().zip(&rows).filter(|(key, _)| *key == before).map(|(_, row)| row.as_slice()).collect();
            (before == after && equal.iter().any(|row| Some(row) != equal.first())).then_some(equal.len())
        };
        let count = split(first).or_else(|| split(end))?;
        Some(format!("`LIMIT {}` takes some of {count} rows that are equal in what they are ordered by", cut.limit))
    }

    /// The rows of a query without its LIMIT, and what each is ordered by.
    #[allow(clippy::type_complexity, reason = "two lists of the same length")]
    fn keys(&self, cut: &Cut, all: &Rows) -> Option<(Vec<Vec<String>>, Vec<Vec<String>>)> {
        let width = all.columns.len();
        let named = |name: &str| all.columns.iter().position(|column| column.eq_ignore_ascii_case(name));
        let by_place: Option<Vec<usize>> = cut
            .terms
            .iter()
            .map(|term| match term {
                Term::Place(at) => Some(*at),
                Term::Name(name) => named(name),
                Term::Expression(_) => None,
            })
            .collect();
        let key = |row: &[String], places: &[usize]| -> Option<Vec<String>> {
            places.iter().map(|at| row.get(*at).cloned()).collect()
        };
        if let Some(places) = by_place {
            let keys = all.rows.iter().map(|row| key(row, &places)).collect::<Option<Vec<_>>>()?;
            return Some((all.rows.clone(), keys));
        }
        let wide = cut.with_keys.iter().find_map(|sql| self.rows(sql).ok())?;
        // Further columns are those of the terms that are not places, in their order.
        let mut further = width;
        let places: Vec<usize> = cut
            .terms
            .iter()
            .map(|term| match term {
                Term::Place(at) => *at,
                Term::Name(_) | Term::Expression(_) => {
                    further += 1;
                    further - 1
                }
            })
            .collect();
        let keys = wide.rows.iter().map(|row| key(row, &places)).collect::<Option<Vec<_>>>()?;
        let rows = wide.rows.iter().map(|row| row.get(..width).map(<[String]>::to_vec)).collect::<Option<Vec<_>>>()?;
        Some((rows, keys))
    }

    fn rows(&self, sql: &str) -> Result<Rows, Verdict> {
        self.0.bounded(None, |connection| read(connection, sql)).map_err(|stopped| match stopped {
            Stopped::Failed(Stop::Verdict(verdict)) => verdict,
            Stopped::Failed(Stop::Sqlite(error)) => match limit_of(&error, &REPLY) {
                Some(over) => Verdict::Limit(format!("more than {over}")),
                None => Verdict::Fails(words(&error)),
            },
            Stopped::Over(over) => Verdict::Limit(format!("it was stopped after {over}")),
            Stopped::Clock => Verdict::Unsteady("it reads the clock".to_owned()),
            Stopped::LocalTime => Verdict::Unsteady("it asks for local time".to_owned()),
            Stopped::Refused(why) | Stopped::NoResult(why) => Verdict::Fails(why),
            Stopped::Interrupted => Verdict::Limit("it was interrupted".to_owned()),
        })
    }
}

enum Stop {
    Verdict(Verdict),
    Sqlite(Error),
}

impl From<Error> for Stop {
    fn from(error: Error) -> Stop {
        Stop::Sqlite(error)
    }
}

fn read(connection: &Connection, sql: &str) -> Result<Rows, Stop> {
    let verdict = |verdict: Verdict| Err(Stop::Verdict(verdict));
    if sql.contains('\0') {
        return verdict(Verdict::Fails("there is a NUL character in it".to_owned()));
    }
    let mut statement = match connection.prepare(sql) {
        Err(Error::MultipleStatement) => return verdict(Verdict::Fails("there is more than one statement".to_owned())),
        other => other?,
    };
    let width = statement.column_count();
    if width == 0 || !statement.readonly() {
        return verdict(Verdict::Writes);
    }
    let columns = statement.column_names().map(str::to_owned).collect();
    let mut found = statement.query([])?;
    let mut rows = Vec::new();
    while let Some(row) = found.next()? {
        if rows.len() == MOST_ROWS {
            return verdict(Verdict::Limit("more than 100,000 rows".to_owned()));
        }
        rows.push((0..width).map(|at| Ok(cell(value(row, at)?))).collect::<Result<_, Error>>()?);
    }
    Ok(Rows { columns, rows })
}

/// A cell as text: alike only for what compares alike.
fn cell(value: ValueRef<'_>) -> String {
    match value {
        ValueRef::Null => "null".to_owned(),
        ValueRef::Integer(number) => number.to_string(),
        ValueRef::Real(number) => plan::value::render_float(number),
        ValueRef::Text(text) => format!("'{}'", String::from_utf8_lossy(text)),
        ValueRef::Blob(blob) => format!("{blob:?}"),
    }
}
