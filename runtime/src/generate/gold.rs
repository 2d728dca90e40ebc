//! Queries that are data: the gold SQL of a data set, run on a database as a reply that is a query is.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use plan::compute::{Gold, GoldQuery, GoldResult};
use plan::kept::{Kept, Key};
use plan::value::RowSet;
use plan::{Value, ValueType};
use rusqlite::types::ValueRef;
use rusqlite::{Connection, Error};
use sqlite::{Database, GOLD, Stopped, limit_of, value, words};

/// The most rows of a result, and the most bytes of its values: those of the scorer.
const MOST_ROWS: usize = 100_000;
const MOST_BYTES: usize = 16 << 20;

/// The bytes of results that are kept, about.
const MOST_KEPT: usize = 64 << 20;

static KNOWN: Kept<GoldResult> = Kept::new(MOST_KEPT);

/// What a query gives; from memory where the same was asked of the same database before.
pub(crate) fn run(database: &[u8], sql: &str) -> GoldResult {
    of_digest(blake3::hash(database), database, sql)
}

/// Runs queries on all cores, and gives their results in the order of the queries.
pub(crate) fn all(asked: &[GoldQuery<'_>]) -> Vec<GoldResult> {
    let mut digests: Vec<(*const u8, blake3::Hash)> = Vec::new();
    let of_database: Vec<blake3::Hash> = asked
        .iter()
        .map(|query| {
            let place = query.database.as_ptr();
            if let Some((_, known)) = digests.iter().find(|(known, _)| *known == place) {
                return *known;
            }
            let digest = blake3::hash(query.database);
            digests.push((place, digest));
            digest
        })
        .collect();
    let next = AtomicUsize::new(0);
    let found: Mutex<Vec<Option<GoldResult>>> = Mutex::new(vec![None; asked.len()]);
    let work = || {
        loop {
            let at = next.fetch_add(1, Ordering::Relaxed);
            let (Some(query), Some(digest)) = (asked.get(at), of_database.get(at)) else { return };
            let result = of_digest(*digest, query.database, query.sql);
            if let Some(slot) = found.lock().unwrap_or_else(PoisonError::into_inner).get_mut(at) {
                *slot = Some(result);
            }
        }
    };
    let threads = std::thread::available_parallelism().map_or(1, usize::from).min(asked.len());
    if threads > 1 {
        std::thread::scope(|scope| {
            for _ in 0..threads {
                scope.spawn(work);
            }
        });
    } else {
        work();
    }
    let found = found.into_inner().unwrap_or_else(PoisonError::into_inner);
    found.into_iter().map(|result| result.unwrap_or_else(|| Err("interrupted".to_owned()))).collect()
}

fn of_digest(digest: blake3::Hash, database: &[u8], sql: &str) -> GoldResult {
    let mut hasher = blake3::Hasher::new();
    hasher.update(digest.as_bytes()).update(sql.as_bytes());
    let key: Key = hasher.finalize().into();
    if let Some(known) = KNOWN.find(&key) {
        return known;
    }
    let found = rows(database, sql).map(Arc::new);
    // What ended because the process ends is not what it is.
    if !::sqlite::stopped() {
        let bytes = found.as_ref().map_or(0, |gold| gold.rows.rows.iter().flatten().map(size).sum());
        KNOWN.keep(key, bytes, found.clone());
    }
    found
}

fn size(value: &Value) -> usize {
    size_of::<Value>() + if let Value::Text(text) = value { text.len() } else { 0 }
}

/// What keeps a query from giving rows.
enum Stop {
    Said(&'static str),
    Sqlite(Error),
}

impl From<Error> for Stop {
    fn from(error: Error) -> Stop {
        Stop::Sqlite(error)
    }
}

fn rows(database: &[u8], sql: &str) -> Result<Gold, String> {
    let database = Database::of(database, &GOLD).map_err(|error| words(&error))?;
    database.bounded(None, |connection| read(connection, sql)).map_err(|stopped| match stopped {
        Stopped::Failed(Stop::Said(why)) => why.to_owned(),
        Stopped::Failed(Stop::Sqlite(error)) => match limit_of(&error, &GOLD) {
            Some(over) => format!("it needs more than {over}"),
            None => words(&error),
        },
        Stopped::Over(over) => format!("it takes more than {over}"),
        Stopped::Clock => "it reads the clock".to_owned(),
        Stopped::LocalTime => "it depends on the time zone of the machine".to_owned(),
        Stopped::Refused(why) | Stopped::NoResult(why) => why,
        Stopped::Interrupted => "interrupted".to_owned(),
    })
}

fn read(connection: &Connection, sql: &str) -> Result<Gold, Stop> {
    if sql.contains('\0') {
        return Err(Stop::Said("it has a NUL character"));
    }
    let mut statement = match connection.prepare(sql) {
        Err(Error::MultipleStatement) => return Err(Stop::Said("it is more than one statement")),
        other => other?,
    };
    let width = statement.column_count();
    if width == 0 || !statement.readonly() {
        return Err(Stop::Said("it returns no rows: only a query that reads is run"));
    }
    if statement.parameter_count() > 0 {
        return Err(Stop::Said("it has a parameter, which has no value"));
    }
    let columns = statement.column_names().map(str::to_owned).collect();
    let mut types = vec![Seen::Nothing; width];
    let mut found = statement.query([])?;
    let (mut rows, mut bytes) = (Vec::new(), 0);
    while let Some(row) = found.next()? {
        if rows.len() == MOST_ROWS {
            return Err(Stop::Said("it returns more than 100,000 rows"));
        }
        let mut values = Vec::with_capacity(width);
        for (at, seen) in types.iter_mut().enumerate() {
            let cell = cell(value(row, at)?)?;
            bytes += if let Value::Text(text) = &cell { text.len() } else { 8 };
            seen.see(&cell);
            values.push(cell);
        }
        if bytes > MOST_BYTES {
            return Err(Stop::Said("it returns more than 16 MB"));
        }
        rows.push(values);
    }
    let types = types.into_iter().map(Seen::of_all).collect();
    Ok(Gold { rows: RowSet { columns, rows }, types })
}

fn cell(value: ValueRef<'_>) -> Result<Value, Stop> {
    Ok(match value {
        ValueRef::Null => Value::Null,
        ValueRef::Integer(value) => Value::Int(value),
        ValueRef::Real(value) if value.is_finite() => Value::Float(value),
        ValueRef::Real(_) => return Err(Stop::Said("it returns a number that is not finite")),
        ValueRef::Text(bytes) => match std::str::from_utf8(bytes) {
            Ok(text) => Value::text(text),
            Err(_) => return Err(Stop::Said("it returns a text that is not UTF-8")),
        },
        ValueRef::Blob(_) => return Err(Stop::Said("it returns a blob")),
    })
}

/// The types of the values of a column so far.
#[derive(Clone, Copy)]
enum Seen {
    Nothing,
    One(ValueType),
    Several,
}

impl Seen {
    fn see(&mut self, value: &Value) {
        let own = match value {
            Value::Int(_) => ValueType::Int,
            Value::Float(_) => ValueType::Float,
            Value::Text(_) => ValueType::Text,
            _ => return,
        };
        *self = match *self {
            Seen::Nothing => Seen::One(own),
            Seen::One(before) if before == own => Seen::One(own),
            Seen::One(ValueType::Int | ValueType::Float) if own != ValueType::Text => Seen::One(ValueType::Float),
            _ => Seen::Several,
        };
    }

    fn of_all(self) -> Option<ValueType> {
        match self {
            Seen::One(own) => Some(own),
            Seen::Nothing | Seen::Several => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn database() -> Arc<[u8]> {
        ::sqlite::start().unwrap();
        let mut source = Connection::open_in_memory().unwrap();
        source.execute_batch("CREATE TABLE t (A, B); INSERT INTO t VALUES (1, 'x'), (2.5, NULL), (3, x'00')").unwrap();
        source.serialize("main").unwrap().to_vec().into()
    }

    #[test]
    fn a_query_gives_its_rows_or_says_why_not() {
        let database = database();
        let ask = |sql: &str| run(&database, sql);
        let gold = ask("SELECT A, A + 0 FROM t WHERE B IS NULL OR A = 1 ORDER BY A").unwrap();
        assert_eq!(gold.rows.rows[0], [Value::Int(1), Value::Int(1)]);
        assert_eq!(gold.types, [Some(ValueType::Float), Some(ValueType::Float)]);
        for (sql, why) in [
            ("SELECT nope FROM t", "no such column: nope"),
            ("SELECT \"nope\" FROM t", "no such column: nope"),
            ("DELETE FROM t", "only a query that reads is run"),
            ("SELECT 1; SELECT 2", "it is more than one statement"),
            ("SELECT random()", "`random` is not available here: it depends on"),
            ("SELECT date('now')", "it reads the clock"),
            ("SELECT :a", "it has a parameter"),
            ("SELECT B FROM t", "it returns a blob"),
            (
                "WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n) SELECT x FROM n",
                "more than 100,000 rows",
            ),
        ] {
            let said = ask(sql).unwrap_err();
            assert!(said.contains(why), "{sql}: {said}");
        }
    }

    #[test]
    fn many_queries_keep_their_order() {
        let database = database();
        let texts: Vec<String> = (0..40).map(|at| format!("SELECT {at}, COUNT(*) FROM t")).collect();
        let asked: Vec<GoldQuery<'_>> = texts.iter().map(|sql| GoldQuery { database: &database, sql }).collect();
        for (at, found) in all(&asked).into_iter().enumerate() {
            assert_eq!(found.unwrap().rows.rows, [[Value::Int(at as i64), Value::Int(3)]]);
        }
    }
}
