//! The resolver that agents may use as a tool: which column of a database is meant by a name, or none.
//!
//! It judges names as "did you mean" does. What that calls clear is a match; a tool asks nobody, so a word for a similar thing, or one word
//! too many, is a match, too, where no other column has anything to do with the name.

use serde_json::{Value as Json, json};

use super::kin::{Kin, Name};
use super::{near, rivals};

/// The version of the resolver: its rules and its words are frozen with the edition.
pub const RESOLVER: u32 = 1;
/// A match has at least this score, of 1.
const MATCH: f64 = 0.8;
/// What is listed next to it has at least this.
const LISTED: f64 = 0.5;
/// No more are listed.
const MOST_LISTED: usize = 5;

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

/// Says which column is meant by a name. `columns` are `(table, column)`; with `table`, only its columns are candidates. A name that is a
/// column's, letter case aside, is that column.
pub fn resolve(name: &str, table: Option<&str>, columns: &[(String, String)]) -> Resolved {
    let of_table = |of: &str| table.is_none_or(|table| of.eq_ignore_ascii_case(table));
    let scope: Vec<(&str, &str)> =
        columns.iter().filter(|(of, _)| of_table(of)).map(|(of, column)| (column.as_str(), of.as_str())).collect();
    let written = |(column, of): &(&str, &str)| format!("{of}.{column}");
    let same: Vec<String> = scope.iter().filter(|(column, _)| column.eq_ignore_ascii_case(name)).map(written).collect();
    match same.as_slice() {
        [] => {}
        [only] => return Resolved { found: Some(only.clone()), score: 1.0, others: Vec::new() },
        several => {
            return Resolved { found: None, score: 1.0, others: several.iter().take(MOST_LISTED).cloned().collect() };
        }
    }
    let asked = Name::new(name);
    let mut ranked: Vec<(Kin, String)> = Vec::new();
    let mut siblings: Vec<(String, Name)> = Vec::new();
    for (column, of, kin, candidate) in near(name, &asked, scope.iter().copied()) {
        ranked.push((kin, written(&(column, of))));
        siblings.push((written(&(column, of)), candidate));
    }
    ranked.sort();
    let Some((best, column)) = ranked.first().cloned() else {
        return Resolved { found: None, score: 0.0, others: Vec::new() };
    };
    let second = ranked.get(1).map(|(kin, _)| *kin);
    let series = best
        .short
        .is_some_and(|at| siblings.iter().any(|(other, name)| *other != column && name.differs_only_at(&asked, at)));
    let clear = !best.doubtful && !rivals(best, second) && !series;
    let alone = ranked.iter().skip(1).all(|(kin, _)| kin.doubtful && !kin.loose && !kin.part);
    let found = (clear || best.loose && alone && !series).then_some(column);
    let score = if found.is_some() { score(best).max(MATCH) } else { score(best) };
    let skipped = usize::from(found.is_some());
    let others = ranked.iter().skip(skipped).filter(|(kin, _)| self::score(*kin) >= LISTED);
    Resolved { found, score, others: others.take(MOST_LISTED).map(|(_, column)| column.clone()).collect() }
}

/// What the cost of an explanation is as a score, to two decimal places.
fn score(kin: Kin) -> f64 {
    let hundredths = match kin {
        Kin { part: true, .. } => 85,
        Kin { loose: true, .. } => 70,
        Kin { doubtful: true, cost, .. } => 60_u32.saturating_sub(cost),
        Kin { cost, .. } => 100 - 2 * cost.min(9),
    };
    f64::from(hundredths) / 100.0
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

    #[test]
    fn a_column_or_none() {
        let shop = columns(
            "customers.id customers.name customers.city orders.id orders.cust_id orders.qty orders.created_at products.name",
        );
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
        ] {
            assert_eq!(resolve(name, table, &shop).found.as_deref(), found, "{name}");
        }
        let none = resolve("name", None, &shop);
        assert_eq!(
            none.to_json().to_string(),
            r#"{"match":null,"score":1.0,"others":["customers.name","products.name"]}"#
        );
    }
}
