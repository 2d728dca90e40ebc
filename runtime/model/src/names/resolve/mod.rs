//! The resolver that agents may use as a tool: which column of a database is meant by a name, or none.
//!
//! A name is read in every way that its words allow ([`read`]), and compared with each column ([`fit`]). What fits well, and better than all
//! others, is meant; where two fit about as well, nobody can tell.

mod classes;
mod fit;
mod lexicon;
mod read;
mod similarity;

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Value as Json, json};

use fit::{Fit, Table, compute_fit};
use similarity::Compared;

/// The version of the resolver: its rules and its words are frozen with the edition.
pub const RESOLVER: u32 = 1;
/// A match has at least this score, of 1, and is ahead of the next by [`AHEAD`].
const MATCH: f64 = 0.76;
const AHEAD: f64 = 0.05;
/// Where the next has as much of the name.
const AHEAD_OF_LIKE: f64 = 0.1;
/// What has less is a match if it is far ahead.
const ALONE: f64 = 0.68;
const ALONE_OF_ALL: f64 = 0.72;
/// What is the only column of its kind is a match for a word for the kind alone.
const KIND: f64 = 0.5;
const FAR_AHEAD: f64 = 0.2;
/// What is listed next to it has at least this.
const LISTED: f64 = 0.5;
/// No more are listed.
const MAX_LISTED: usize = 5;
/// Names of more characters are compared by letter case alone.
const LONGEST: usize = 80;

/// What a resolver says of a name.
#[derive(Clone, Debug, PartialEq)]
pub struct Resolved {
    /// The column that is meant, as `table.column`; `None` where none is, or nobody can tell which.
    pub found: Option<String>,
    /// How well the best candidate fits, from 0 to 1; 0 without a candidate.
    pub score: f64,
    /// Other candidates, best first: at most 5, of a score of 0.5 and more.
    pub others: Vec<String>,
}

impl Resolved {
    /// As the tool answers: `{"match": "orders.cust_ref" or null, "score": 0.93, "others": [...]}`.
    pub fn to_json(&self) -> Json {
        json!({"match": self.found, "score": self.score, "others": self.others})
    }
}

/// The column that is meant among these, as `(column, its table)`, if one is: without what is exactly the name.
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

/// Says which column is meant by a name. `columns` are `(table, column)`; with `table`, only its columns are candidates. A name that is a
/// column's, letter case aside, is that column.
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
    let nothing = Fit { score: 0.0, asked: 0.0, literal: false, kind: false };
    let best = ranked.first().map_or(nothing, |(fit, _)| *fit);
    let second = ranked.get(1).map_or(nothing, |(fit, _)| *fit);
    let ahead = best.score - second.score + 1e-9;
    // An exact name is that column, whatever else resembles it, if there is only one.
    let exact = best.score >= 1.0 && ahead > 0.001 || best.literal && !second.literal;
    // Two columns that have all of the name differ in what they have more: that must say little.
    let needed = if (best.asked - second.asked).abs() < 0.02 { AHEAD_OF_LIKE } else { AHEAD };
    let alone = if table.is_some() { ALONE } else { ALONE_OF_ALL };
    // The only column of a kind is what a word for the kind means.
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
