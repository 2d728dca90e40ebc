//! Queries that are data: runs the gold SQL of a data set on a database in the same way as a reply that is a query.

use std::cell::OnceCell;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use model::cache::{Cache, Key};
use model::compute::{Gold, GoldQuery, GoldResult, ResultVisitor};
use model::value::RowSet;
use model::{Value, ValueType};
use sqlite::{Database, GOLD, NoResult, StepBudget, describe_error, run_query, to_suite_value};

use crate::threads::run_on_threads;

/// Approximate maximum size of the cached results in bytes.
const MAX_CACHED_BYTES: usize = 64 << 20;

static KNOWN: Cache<GoldResult> = Cache::new(MAX_CACHED_BYTES);

/// Returns the result of a query, from the cache if it was run on the same database before.
pub(crate) fn run_gold_query(database: &[u8], sql: &str) -> GoldResult {
    // Caching depends on chance, so no budget is charged; each query has its own limit.
    StepBudget::run_unmetered(|| Opened::new(blake3::hash(database), database).run_query(sql))
}

/// Runs queries on all cores, and passes each result to `look`.
pub(crate) fn run_queries(asked: &[GoldQuery<'_>], look: &ResultVisitor<'_>) {
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
    let work = || {
        loop {
            let at = next.fetch_add(1, Ordering::Relaxed);
            let (Some(query), Some(digest)) = (asked.get(at), of_database.get(at)) else { return };
            let opened = Opened::new(*digest, query.database);
            look(at, &opened.run_query(query.sql), &|sql| opened.run_query(sql));
        }
    };
    let threads = std::thread::available_parallelism().map_or(1, usize::from).min(asked.len());
    run_on_threads(threads, work);
}

/// A database that is opened once, for all queries without a cached result.
struct Opened<'a> {
    digest: blake3::Hash,
    bytes: &'a [u8],
    database: OnceCell<Result<Database, String>>,
}

impl<'a> Opened<'a> {
    fn new(digest: blake3::Hash, bytes: &'a [u8]) -> Opened<'a> {
        Opened { digest, bytes, database: OnceCell::new() }
    }

    fn run_query(&self, sql: &str) -> GoldResult {
        let mut hasher = blake3::Hasher::new();
        hasher.update(self.digest.as_bytes()).update(sql.as_bytes());
        let key: Key = hasher.finalize().into();
        if let Some(known) = KNOWN.find_value(&key) {
            return known;
        }
        let database = self
            .database
            .get_or_init(|| Database::from_bytes(self.bytes, &GOLD).map_err(|error| describe_error(&error)));
        let found = match database {
            Ok(database) => read_gold(database, sql).map(Arc::new).map_err(|why| why.to_string()),
            Err(why) => Err(why.clone()),
        };
        // A result is not kept if the end of the process caused it.
        if !::sqlite::is_stopped() {
            let bytes = found.as_ref().map_or(0, |gold| gold.rows.rows.iter().flatten().map(estimate_value_size).sum());
            KNOWN.insert_value(key, bytes, found.clone());
        }
        found
    }
}

fn estimate_value_size(value: &Value) -> usize {
    size_of::<Value>() + if let Value::Text(text) = value { text.len() } else { 0 }
}

fn read_gold(database: &Database, sql: &str) -> Result<Gold, NoResult> {
    let found = run_query(database, sql, to_suite_value)?;
    let mut types = vec![Seen::Nothing; found.columns.len()];
    for row in &found.rows {
        for (seen, value) in types.iter_mut().zip(row) {
            seen.add_value(value);
        }
    }
    let types = types.into_iter().map(Seen::into_type).collect();
    Ok(Gold { rows: RowSet { columns: found.columns, rows: found.rows }, types })
}

/// The type of a column's values until now.
#[derive(Clone, Copy)]
enum Seen {
    Nothing,
    One(ValueType),
    Several,
}

impl Seen {
    fn add_value(&mut self, value: &Value) {
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

    fn into_type(self) -> Option<ValueType> {
        match self {
            Seen::One(own) => Some(own),
            Seen::Nothing | Seen::Several => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Mutex;

    use rusqlite::Connection;

    use super::*;

    fn database() -> Arc<[u8]> {
        ::sqlite::init_process().unwrap();
        let mut source = Connection::open_in_memory().unwrap();
        source.execute_batch("CREATE TABLE t (A, B); INSERT INTO t VALUES (1, 'x'), (2.5, NULL), (3, x'00')").unwrap();
        source.serialize("main").unwrap().to_vec().into()
    }

    #[test]
    fn a_query_gives_its_rows_or_says_why_not() {
        let database = database();
        let ask = |sql: &str| run_gold_query(&database, sql);
        let gold = ask("SELECT A, A + 0 FROM t WHERE B IS NULL OR A = 1 ORDER BY A").unwrap();
        assert_eq!(gold.rows.rows[0], [Value::Int(1), Value::Int(1)]);
        assert_eq!(gold.types, [Some(ValueType::Float), Some(ValueType::Float)]);
        for (sql, why) in [
            ("SELECT nope FROM t", "no such column: nope"),
            ("SELECT \"nope\" FROM t", "no such column: \"nope\""),
            ("DELETE FROM t", "only a query that reads is run"),
            ("SELECT 1; SELECT 2", "it is more than one statement"),
            ("SELECT random()", "`random` is not available here: it depends on"),
            ("SELECT date('now')", "it reads the clock"),
            ("SELECT :a", "it has a parameter"),
            ("SELECT B FROM t", "it returns a blob"),
            (
                "WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n) SELECT x FROM n",
                "it exceeds 100,000 rows",
            ),
        ] {
            let said = ask(sql).unwrap_err();
            assert!(said.contains(why), "{sql}: {said}");
        }
    }

    #[test]
    fn each_of_many_queries_is_looked_at_at_its_place() {
        let database = database();
        let texts: Vec<String> = (0..40).map(|at| format!("SELECT {at}, COUNT(*) FROM t")).collect();
        let asked: Vec<GoldQuery<'_>> = texts.iter().map(|sql| GoldQuery { database: &database, sql }).collect();
        let seen = Mutex::new(vec![None; asked.len()]);
        run_queries(&asked, &|at, found, ask| {
            let further = ask("SELECT MAX(A) FROM t").unwrap().rows.rows.clone();
            seen.lock().unwrap()[at] = Some((found.clone().unwrap().rows.rows.clone(), further));
        });
        for (at, found) in seen.into_inner().unwrap().into_iter().enumerate() {
            let (rows, further) = found.unwrap();
            assert_eq!((rows, further), (vec![vec![Value::Int(at as i64), Value::Int(3)]], vec![vec![Value::Int(3)]]));
        }
    }
}
