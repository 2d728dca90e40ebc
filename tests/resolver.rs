//! The resolver of column names, measured on questions that were written before it was: what it finds, what it misses, and what it takes
//! for a column though none is right.

use std::collections::BTreeMap;

use plan::names::resolve;
use rusqlite::Connection;
use serde_json::Value as Json;

/// The tables of a schema with their columns.
fn columns(ddl: &str) -> Vec<(String, String)> {
    let database = Connection::open_in_memory().expect("a database");
    database.execute_batch(ddl).expect("the schema");
    let query = "SELECT m.name, c.name FROM sqlite_schema AS m, pragma_table_info(m.name) AS c \
                 WHERE m.type = 'table' ORDER BY m.rowid, c.cid";
    let mut statement = database.prepare(query).expect("a query");
    let rows = statement.query_map([], |row| Ok((row.get(0)?, row.get(1)?))).expect("rows");
    rows.map(|row| row.expect("a row")).collect()
}

/// What comes of a corpus.
#[derive(Debug, Default)]
struct Tally {
    right: usize,
    cases: usize,
    /// A column, though none is right or another is.
    false_accepts: Vec<String>,
    /// Right of all, by kind of question.
    kinds: BTreeMap<String, (usize, usize)>,
}

fn measure(file: &str) -> Tally {
    let text = std::fs::read_to_string(testing::root().join("tests/resolver").join(file)).expect("the corpus");
    let corpus: Json = serde_json::from_str(&text).expect("JSON");
    let schemas = corpus["schemas"].as_object().expect("schemas").iter();
    let schemas: BTreeMap<&str, Vec<(String, String)>> =
        schemas.map(|(name, ddl)| (name.as_str(), columns(ddl.as_str().expect("statements")))).collect();
    let mut tally = Tally::default();
    for record in corpus["records"].as_array().expect("records") {
        let field = |field: &str| record[field].as_str();
        let name = field("name").expect("a name");
        let found = resolve(name, field("table"), &schemas[field("schema").expect("a schema")]).found;
        let is_right = found.as_deref() == field("gold");
        tally.cases += 1;
        tally.right += usize::from(is_right);
        let kind = tally.kinds.entry(field("kind").expect("a kind").to_owned()).or_default();
        *kind = (kind.0 + usize::from(is_right), kind.1 + 1);
        if let (Some(found), false) = (found, is_right) {
            tally.false_accepts.push(format!("{}: `{name}` is taken for `{found}`", field("id").expect("an id")));
        }
    }
    println!("{file}: {} of {} right, {} false accepts", tally.right, tally.cases, tally.false_accepts.len());
    tally
}

#[test]
fn the_own_corpus() {
    let tally = measure("own.json");
    assert!(tally.cases == 38 && tally.right >= 36 && tally.false_accepts.len() <= 1, "{tally:#?}");
}

#[test]
fn the_second_corpus() {
    let tally = measure("second.json");
    assert!(tally.cases == 200 && tally.right >= 184 && tally.false_accepts.len() <= 2, "{tally:#?}");
}
