//! Queries that are data: runs the gold SQL of a data set on a database in the same way as a reply that is a query.

use std::cell::OnceCell;
use std::convert::Infallible;
use std::sync::Arc;

use model::ValueType;
use model::cache::Cache;
use model::compute::{Gold, GoldQuery, GoldResult, ResultVisitor};
use model::value::RowSet;
use sqlite::{Database, GOLD, NoResult, StepBudget, describe_error, run_query, to_suite_value};

use super::constant_cache::{estimate_value_size, load_cached};
use model::threads::try_map_on_threads;

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
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    let Ok(_) = try_map_on_threads(threads, asked.len(), |at| {
        if let (Some(query), Some(digest)) = (asked.get(at), of_database.get(at)) {
            let opened = Opened::new(*digest, query.database);
            look(at, &opened.run_query(query.sql), &|sql| opened.run_query(sql));
        }
        Ok::<(), Infallible>(())
    });
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
        let make = || {
            let open = || Database::from_bytes(self.bytes, &GOLD).map_err(|error| describe_error(&error));
            match self.database.get_or_init(open) {
                Ok(database) => read_gold(database, sql).map(Arc::new).map_err(|why| why.to_string()),
                Err(why) => Err(why.clone()),
            }
        };
        load_cached(&KNOWN, hasher.finalize().into(), make, |found| {
            found.as_ref().map_or(0, |gold| gold.rows.rows.iter().flatten().map(estimate_value_size).sum())
        })
    }
}

fn read_gold(database: &Database, sql: &str) -> Result<Gold, NoResult> {
    let found = run_query(database, sql, to_suite_value)?;
    let types = (0..found.columns.len()).map(|at| {
        let types = found.rows.iter().filter_map(|row| row.get(at)?.value_type());
        types.map(Some).reduce(join_types).flatten()
    });
    Ok(Gold { types: types.collect(), rows: RowSet { columns: found.columns, rows: found.rows } })
}

/// Returns the type of values of both types; `None` if they have several.
fn join_types(one: Option<ValueType>, other: Option<ValueType>) -> Option<ValueType> {
    match (one?, other?) {
        (one, other) if one == other => Some(one),
        (ValueType::Int | ValueType::Float, ValueType::Int | ValueType::Float) => Some(ValueType::Float),
        _ => None,
    }
}
