//! The resolver, which agents may use as a tool: finds the column of a database that a name means, if any.
//!
//! A name is read in every way that its words allow ([`read`]) and compared with each column ([`fit`]). A column is the match if it fits well and
//! better than all others; if two fit about equally well, the name is ambiguous.

mod classes;
mod fit;
mod lexicon;
mod read;
mod similarity;

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Value as Json, json};

use fit::{Fit, Table, compute_fit};
use similarity::Compared;

/// Version of the resolver, whose rules and words are frozen with the edition.
pub const RESOLVER: u32 = 1;
/// Minimum score of a match, at most 1; it must also exceed the next score by [`AHEAD`].
const MATCH: f64 = 0.76;
const AHEAD: f64 = 0.05;
/// Minimum lead if the next candidate contains as much of the name.
const AHEAD_OF_LIKE: f64 = 0.1;
/// Minimum score of a match that leads by [`FAR_AHEAD`].
const ALONE: f64 = 0.68;
const ALONE_OF_ALL: f64 = 0.72;
/// Minimum score of a match for a word for a kind, if the column is the only one of that kind.
const KIND: f64 = 0.5;
const FAR_AHEAD: f64 = 0.2;
/// Minimum score of the other candidates that are listed.
const LISTED: f64 = 0.5;
/// Maximum number of other candidates.
const MAX_LISTED: usize = 5;
/// Maximum length of a name in bytes; a longer one matches only apart from letter case.
const LONGEST: usize = 80;

/// The result of resolving a name.
#[derive(Clone, Debug, PartialEq)]
pub struct Resolved {
    /// The matching column, as `table.column`; `None` if nothing matches or the name is ambiguous.
    pub found: Option<String>,
    /// Score of the best candidate, from 0 to 1; 0 without a candidate.
    pub score: f64,
    /// Other candidates, best first: at most 5, with a score of at least 0.5.
    pub others: Vec<String>,
}

impl Resolved {
    /// Renders the tool's answer: `{"match": "orders.cust_ref" or null, "score": 0.93, "others": [...]}`.
    pub fn to_json(&self) -> Json {
        json!({"match": self.found, "score": self.score, "others": self.others})
    }
}

/// Returns the matching column, if any, among these `(column, its table)`. Columns with exactly this name are excluded.
pub(super) fn suggest_column<'a>(name: &str, columns: &BTreeSet<(&'a str, &'a str)>) -> Option<&'a str> {
    let all: Vec<(String, String)> = columns
        .iter()
        .filter(|(column, of)| *column != name && !of.is_empty())
        .map(|(column, of)| ((*of).to_owned(), (*column).to_owned()))
        .collect();
    let first = all.first().map(|(of, _)| of.as_str())?;
    let table = all.iter().all(|(of, _)| of == first).then_some(first);
    let found = resolve_column(name, table, &all).found?;
    columns.iter().find(|(column, of)| format!("{of}.{column}") == found).map(|(column, _)| *column)
}

/// Resolves a name to a column. `columns` are `(table, column)`; with `table`, only its columns are candidates. A name that equals a column's name,
/// apart from letter case, means that column.
///
/// ```
/// use names::resolve_column;
///
/// let columns = [("orders", "cust_ref"), ("orders", "ship_dt"), ("items", "qty")];
/// let columns = columns.map(|(table, column)| (table.to_owned(), column.to_owned()));
/// let find = |name: &str, table| resolve_column(name, table, &columns).found;
/// assert_eq!(find("quantity", None).as_deref(), Some("items.qty"));
/// assert_eq!(find("ship date", None).as_deref(), Some("orders.ship_dt"));
/// // The table is a condition, not a hint.
/// assert_eq!(find("quantity", Some("orders")), None);
/// ```
pub fn resolve_column(name: &str, table: Option<&str>, columns: &[(String, String)]) -> Resolved {
    let mut tables: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    for (of, column) in columns.iter().filter(|(of, _)| table.is_none_or(|table| of.eq_ignore_ascii_case(table))) {
        tables.entry(of).or_default().insert(column);
    }
    let compared = Compared::default();
    let mut ranked: Vec<(Fit, String)> = Vec::new();
    for (of, columns) in tables {
        let known = Table::new(of, &columns, table.is_some());
        for column in columns {
            let fit = match () {
                () if column.eq_ignore_ascii_case(name) => Fit { score: 1.0, asked: 1.0, literal: true, kind: false },
                () if column.len() > LONGEST || name.len() > LONGEST => continue,
                () => {
                    let fit = compute_fit(name, column, &known, &compared);
                    Fit { score: (fit.score.min(0.99) * 100.0).round() / 100.0, ..fit }
                }
            };
            if fit.score > 0.0 {
                ranked.push((fit, format!("{of}.{column}")));
            }
        }
    }
    ranked.sort_by(|(a, one), (b, another)| b.score.total_cmp(&a.score).then_with(|| one.cmp(another)));
    let best = ranked.first().map_or(Fit::default(), |(fit, _)| *fit);
    let second = ranked.get(1).map_or(Fit::default(), |(fit, _)| *fit);
    let ahead = best.score - second.score + 1e-9;
    // An exact name means that column, regardless of similar ones, if only one column has it.
    let exact = best.score >= 1.0 && ahead > 0.001 || best.literal && !second.literal;
    // Two columns that contain the whole name differ only in additional words, which must have little meaning.
    let needed = if (best.asked - second.asked).abs() < 0.02 { AHEAD_OF_LIKE } else { AHEAD };
    let alone = if table.is_some() { ALONE } else { ALONE_OF_ALL };
    // A word for a kind of value means the only column of that kind.
    let only = table.is_some() && best.kind && !second.kind && best.score >= KIND && ahead >= FAR_AHEAD;
    let meant = exact || only || best.score >= MATCH && ahead >= needed || best.score >= alone && ahead >= FAR_AHEAD;
    let found = ranked.first().filter(|_| meant).map(|(_, column)| column.clone());
    let skipped = usize::from(found.is_some());
    let others = ranked.iter().skip(skipped).filter(|(fit, _)| fit.score >= LISTED);
    Resolved { found, score: best.score, others: others.take(MAX_LISTED).map(|(_, column)| column.clone()).collect() }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn columns(text: &str) -> Vec<(String, String)> {
        text.split(' ')
            .filter_map(|name| name.split_once('.'))
            .map(|(of, column)| (of.to_owned(), column.to_owned()))
            .collect()
    }

    const SHOP: &str = "customers.id customers.name customers.city orders.id orders.cust_id orders.qty orders.created_at products.name";

    #[test]
    fn a_column_or_none() {
        for (name, table, found) in [
            ("quantity", None, Some("orders.qty")),
            ("QTY", None, Some("orders.qty")),
            ("customer_name", None, Some("customers.name")),
            ("name", None, None),
            ("town", Some("customers"), Some("customers.city")),
            ("created_by", Some("orders"), None),
            ("customer_id", Some("ORDERS"), Some("orders.cust_id")),
            ("weight", None, None),
            ("city", Some("orders"), None),
            ("", None, None),
            ("___", None, None),
            ("id", Some("orders"), Some("orders.id")),
        ] {
            assert_eq!(resolve_column(name, table, &columns(SHOP)).found.as_deref(), found, "{name}");
        }
        let none = resolve_column("name", None, &columns(SHOP));
        assert_eq!(
            none.to_json().to_string(),
            r#"{"match":null,"score":1.0,"others":["customers.name","products.name"]}"#
        );
    }

    #[test]
    fn words_that_are_written_together() {
        let legacy = columns("POLMST.POLNO POLMST.CLTNM POLMST.EFFDT POLMST.EXPDT POLMST.PREMAMT POLMST.STATCD");
        for (name, found) in [
            ("policy_number", Some("POLMST.POLNO")),
            ("client_name", Some("POLMST.CLTNM")),
            ("effective_date", Some("POLMST.EFFDT")),
            ("premium_amount", Some("POLMST.PREMAMT")),
            ("PREMPCT", None),
            ("STATDT", None),
        ] {
            assert_eq!(resolve_column(name, Some("POLMST"), &legacy).found.as_deref(), found, "{name}");
        }
    }

    #[test]
    fn siblings_are_not_taken_for_each_other() {
        let visits =
            columns("visits.start_time visits.weight_kg visits.phone_home visits.phone_work visits.net_amount");
        for name in ["end_time", "weight_lb", "phone", "gross_amount", "start_place", "unstarted"] {
            let found = resolve_column(name, Some("visits"), &visits);
            assert_eq!(found.found, None, "{name} {found:?}");
        }
    }

    #[test]
    fn long_and_strange_names_are_answered_at_once() {
        let many: Vec<(String, String)> =
            (0..300).map(|at| ("t".to_owned(), format!("some_rather_long_column_{at}"))).collect();
        for name in [
            "x".repeat(5000),
            "a_".repeat(500),
            "é".repeat(79),
            "cdnmdtnoidcdnmdtnoidcd".to_owned(),
            "\u{0}".to_owned(),
        ] {
            let found = resolve_column(&name, None, &many);
            assert_eq!(found.found, None, "{found:?}");
        }
    }
}
