//! Queries of a data set that occur twice by mistake.

use std::collections::BTreeMap;

use super::lex::{Kind, tokenize_sql};

/// The largest number of queries that are repeated by mistake.
const MAX_REPEATED: usize = 3;

/// Finds the few queries that occur twice on one database, whose index is in `databases`; empty where many do, because the data set then asks each question in several ways.
pub fn find_repeated_queries(queries: &[&str], databases: &[usize]) -> Vec<usize> {
    let mut places: BTreeMap<(usize, String), Vec<usize>> = BTreeMap::new();
    for (at, query) in queries.iter().enumerate().filter(|(_, query)| !query.trim().is_empty()) {
        let database = databases.get(at).copied().unwrap_or_default();
        places.entry((database, normalize_query(query))).or_default().push(at);
    }
    let mut found: Vec<usize> = places.into_values().filter(|places| places.len() > 1).flatten().collect();
    found.sort_unstable();
    let is_few = found.len() <= MAX_REPEATED && found.len() * 2 <= queries.len();
    if is_few { found } else { Vec::new() }
}

/// A query without its layout, and without the letter case of its words.
fn normalize_query(sql: &str) -> String {
    let word = |text: &str, kind: Kind| if kind == Kind::Text { text.to_owned() } else { text.to_lowercase() };
    let words: Vec<String> = tokenize_sql(sql).iter().map(|token| word(token.text, token.kind)).collect();
    words.join(" ").trim_end_matches([';', ' ']).to_owned()
}
