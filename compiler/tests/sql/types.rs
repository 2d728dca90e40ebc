//! Good queries: types of their columns, proofs on their rows, what they read.

use model::ValueType;
use model::suite::{ColumnId, RelationId};

use crate::sql::world::{filled_tables, in_shop, look, tables};

/// A query and what is known of it.
pub struct Case {
    pub sql: String,
    types: &'static str,
    rows: &'static str,
    /// The tables are known to have three and four rows.
    filled: bool,
}

/// The queries of `types.txt`.
pub fn cases() -> Vec<Case> {
    let mut filled = false;
    let mut cases = Vec::new();
    for line in include_str!("types.txt").lines().filter(|line| !line.is_empty() && !line.starts_with('#')) {
        if let Some(section) = line.strip_prefix("== ") {
            filled = section != "of tables with any number of rows";
            continue;
        }
        let [rows, types, sql] = line.splitn(3, " | ").collect::<Vec<_>>()[..] else { panic!("{line}") };
        cases.push(Case { sql: sql.replace("\\n", "\n"), types, rows, filled });
    }
    cases
}

/// (query, for each column: `e` endless, `n` null only where no row met the condition).
const KINDS: &[(&str, &str)] = &[
    ("SELECT AVG(PRICE), MAX(PRICE), SUM(PRICE) / 3, SUM(PRICE) / 4, ROUND(AVG(PRICE), 2) FROM orders", "e - e - -"),
    ("SELECT MAX(ORD_AMT) FROM orders WHERE \"group\" = 'a/b' /* avg( */", "n"),
    ("SELECT ORD_AMT / 7, 1.0 * ORD_AMT / 7, -(1.0 * ORD_AMT / 7), CAST(PRICE / 7 AS INTEGER) FROM orders", "- e e -"),
    ("SELECT x + 1 FROM (SELECT CUST_REF, AVG(ORD_AMT) AS x FROM orders GROUP BY CUST_REF)", "e"),
    ("SELECT SUM(ORD_AMT), SUM(ORD_AMT) + 1, COUNT(*), MAX(SHIPPED) FROM orders WHERE PAID", "n n - -"),
    ("SELECT SUM(ORD_AMT) FROM orders", "-"),
    ("SELECT MAX(SHIPPED) FROM orders WHERE SHIPPED IS NOT NULL", "-"),
    ("SELECT COALESCE(SUM(ORD_AMT), 0), sqrt(ORD_AMT) FROM orders WHERE PAID", "- e"),
];

#[test]
fn means_and_quotients_are_endless_and_aggregates_may_be_over_nothing() {
    for (sql, kinds) in KINDS {
        let analysis = in_shop(sql).0;
        let seen: Vec<&str> = analysis
            .columns
            .iter()
            .map(|column| match (column.endless, column.empty) {
                (true, _) => "e",
                (_, true) => "n",
                _ => "-",
            })
            .collect();
        assert_eq!(seen.join(" "), *kinds, "{sql}");
    }
}

#[test]
fn what_leaves_nulls_out_is_written_for_the_author() {
    let guards =
        |sql: &str| -> Vec<String> { in_shop(sql).0.columns.into_iter().filter_map(|column| column.guard).collect() };
    assert_eq!(guards("SELECT date(SHIPPED) AS d FROM orders"), ["WHERE date(SHIPPED) IS NOT NULL"]);
    assert_eq!(guards("SELECT MAX(SHIPPED) FROM orders GROUP BY PAID"), ["HAVING MAX(SHIPPED) IS NOT NULL"]);
}

#[test]
fn types_and_rows_are_what_sqlite_gives() {
    let mut failures = String::new();
    let (plain, known) = (tables(None), filled_tables());
    let cases = cases();
    assert!(cases.len() > 150, "{} queries", cases.len());
    for Case { sql, types, rows, filled } in cases {
        let (analysis, found, _) = look(&sql, if filled { &known } else { &plain }, Some("shop"));
        let seen: Vec<String> = analysis
            .columns
            .iter()
            .map(|column| {
                let ty = match column.value_type {
                    Some(ValueType::Decimal(places)) => format!("decimal{places}"),
                    Some(ty) => ty.name().to_owned(),
                    None => "-".to_owned(),
                };
                format!("{ty}{}", if column.nullable { "?" } else { "" })
            })
            .collect();
        let proved = match (analysis.at_most_one_row, analysis.always_a_row) {
            (true, true) => "1",
            (true, false) => "?",
            (false, true) => "+",
            (false, false) => "*",
        };
        if !analysis.ok || seen.join(" ") != types || proved != rows {
            let messages: Vec<&str> = found.iter().map(|diagnostic| diagnostic.message.as_str()).collect();
            failures +=
                &format!("{sql}\n  expected {types} {rows}\n  seen     {} {proved} {messages:?}\n", seen.join(" "));
        }
    }
    assert!(failures.is_empty(), "{failures}");
}

#[test]
fn what_was_read_in_full_is_told() {
    assert!(in_shop("SELECT ORD_AMT FROM orders").0.understood);
    assert!(!in_shop("SELECT value FROM json_each('[1]')").0.understood);
}

#[test]
fn reads_and_parameters_are_listed() {
    let (analysis, ..) = in_shop("SELECT COUNT(*) FROM orders o, customers WHERE o.ORD_AMT > :threshold + :threshold");
    assert_eq!(analysis.reads, [(RelationId(1), ColumnId(2))]);
    assert_eq!(analysis.tables, [RelationId(0), RelationId(1)]);
    let names: Vec<&str> = analysis.params.iter().map(|(name, _)| name.as_str()).collect();
    assert_eq!(names, ["threshold", "threshold"]);
    let (analysis, ..) = in_shop("SELECT * FROM customers");
    assert_eq!(analysis.reads, [0, 1, 2, 3].map(|at| (RelationId(0), ColumnId(at))));
    let names: Vec<&str> = analysis.columns.iter().map(|column| column.name.as_str()).collect();
    assert_eq!(names, ["CUST_ID", "CUST_NM", "DEPT_CD", "EMAIL"]);
}
