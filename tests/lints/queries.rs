//! The lints on SQL.

use super::lints;

/// Declarations that every case has.
const TABLES: &str = r#"
  status : one_of ["open", "paid"]
  least  : int 1..90
  sqlite shop at "shop.db" {
    table customers { rows 20  CUST_ID : serial  NAME : person_name  CITY : city }
    table orders {
      rows 90
      ORD_ID  : serial
      CUST_ID : ref customers.CUST_ID
      STATUS  : one_of ["open", "paid", "sent"]
      CITY    : city
      QTY     : int 1..9
      LEAST   : int 1..9
      PRICE   : decimal 1.00..9.99
      DAY     : date 2024-01-01..2024-12-31
    }
    table lines { rows 200  LINE_ID : serial  ORD_ID : ref orders.ORD_ID  SKU : word  N : int 1..5 }
  }
  prompt "The database <<shop>>, the status <<status>> and <<least>>: reply with the number of customers, orders, lines."
"#;

/// Checks that `lint` points at exactly `at` (nothing: it says nothing), and that no other lint speaks.
fn case(lint: &str, expect: &str, at: &[&str]) {
    let found = lints(&format!("{TABLES}\n{expect}"));
    let wanted: Vec<(&str, String)> = at.iter().map(|at| (lint, (*at).to_owned())).collect();
    let found: Vec<(&str, String)> = found.into_iter().collect();
    assert_eq!(found, wanted, "{expect}");
}

/// Each query as the number that is expected; the words that the lint points at.
fn table(lint: &str, cases: &[(&str, &[&str])]) {
    for (sql, at) in cases {
        case(lint, &format!("  expect reply number coalesce(<<value: {sql}>>, 0) rounded 2"), at);
    }
}

#[test]
fn integer_division() {
    table(
        "sql_integer_division",
        &[
            ("SELECT SUM(QTY) / COUNT(*) FROM shop.orders", &["SUM(QTY) / COUNT(*)"]),
            ("SELECT MAX(QTY / 2) FROM shop.orders", &["QTY / 2"]),
            ("SELECT 100 * COUNT(*) / :least FROM shop.orders", &["100 * COUNT(*) / :least"]),
            ("SELECT (SUM(QTY) + 1) / (COUNT(*) + 1) FROM shop.orders", &["(SUM(QTY) + 1) / (COUNT(*) + 1)"]),
            ("SELECT SUM(CAST(PRICE AS INTEGER) / QTY) FROM shop.orders", &["CAST(PRICE AS INTEGER) / QTY"]),
            ("SELECT ROUND(SUM(QTY) / COUNT(*), 2) FROM shop.orders", &["SUM(QTY) / COUNT(*)"]),
            ("SELECT COUNT(*) FROM shop.orders WHERE QTY / LEAST / 2 > 1", &["QTY / LEAST"]),
            ("SELECT MAX(-QTY / 2) FROM shop.orders", &["-QTY / 2"]),
            // near misses
            ("SELECT 1.0 * SUM(QTY) / COUNT(*) FROM shop.orders", &[]),
            ("SELECT SUM(PRICE) / COUNT(*) FROM shop.orders", &[]),
            ("SELECT AVG(QTY) / 2 FROM shop.orders", &[]),
            ("SELECT CAST(SUM(QTY) / COUNT(*) AS INTEGER) FROM shop.orders", &[]),
            ("SELECT floor(SUM(QTY) / COUNT(*)) FROM shop.orders", &[]),
            ("SELECT SUM(QTY) / CAST(COUNT(*) AS REAL) FROM shop.orders", &[]),
            ("SELECT COUNT(*) FROM shop.orders WHERE QTY / 3 * 3 = QTY", &[]),
            ("SELECT COUNT(*) + 6 / 2 FROM shop.orders", &[]),
            ("SELECT SUM(QTY) / 2.0 FROM shop.orders", &[]),
        ],
    );
}

#[test]
fn name_without_colon() {
    table(
        "sql_name_without_colon",
        &[
            ("SELECT COUNT(*) FROM shop.orders WHERE STATUS = status", &["STATUS = status"]),
            ("SELECT COUNT(*) FROM shop.orders o WHERE o.STATUS = status", &["o.STATUS = status"]),
            ("SELECT COUNT(*) FROM shop.orders WHERE QTY > least", &["least"]),
            ("SELECT COUNT(*) FROM shop.orders WHERE CITY <> city", &["CITY <> city"]),
            ("SELECT COUNT(*) FROM shop.orders WHERE status = STATUS", &["status = STATUS"]),
            ("SELECT SUM(CASE WHEN status = status THEN QTY ELSE 0 END) FROM shop.orders", &["status = status"]),
            (
                "SELECT COUNT(*) FROM shop.orders o JOIN shop.customers c ON c.CUST_ID = c.CUST_ID AND o.CUST_ID = c.CUST_ID",
                &["c.CUST_ID = c.CUST_ID"],
            ),
            // near misses
            ("SELECT COUNT(*) FROM shop.orders WHERE STATUS = :status", &[]),
            ("SELECT COUNT(*) FROM shop.orders WHERE QTY > orders.LEAST", &[]),
            ("SELECT COUNT(*) FROM shop.orders WHERE QTY > LEAST", &[]),
            ("SELECT COUNT(*) FROM shop.orders WHERE QTY > least AND QTY < :least", &[]),
            (
                "SELECT COUNT(*) FROM shop.orders a JOIN shop.orders b ON a.STATUS = b.STATUS AND a.ORD_ID < b.ORD_ID",
                &[],
            ),
            ("SELECT COUNT(*) FROM shop.orders o JOIN shop.customers c USING (CUST_ID)", &[]),
            (
                "SELECT COUNT(*) FROM shop.orders o WHERE EXISTS (SELECT 1 FROM shop.lines l WHERE l.ORD_ID = o.ORD_ID)",
                &[],
            ),
        ],
    );
}

#[test]
fn unused_cte() {
    table(
        "unused_cte",
        &[
            ("WITH a AS (SELECT 1) SELECT COUNT(*) FROM shop.orders", &["a"]),
            ("WITH a AS (SELECT 1 AS x), b AS (SELECT 2 AS y) SELECT MAX(x) FROM a", &["b"]),
            ("WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 5) SELECT 3", &["n"]),
            ("SELECT (WITH a AS (SELECT 1) SELECT COUNT(*) FROM shop.orders)", &["a"]),
            ("SELECT COUNT(*) FROM (WITH a AS (SELECT 1) SELECT ORD_ID FROM shop.orders)", &["a"]),
            ("WITH a AS (SELECT 1), b AS (SELECT 2) SELECT COUNT(*) FROM shop.orders", &["a", "b"]),
            // near misses
            ("WITH a AS (SELECT 1 AS x) SELECT MAX(x) FROM a", &[]),
            ("WITH a AS (SELECT 1 AS x), b AS (SELECT x FROM a) SELECT MAX(x) FROM b", &[]),
            ("WITH a AS (SELECT ORD_ID FROM shop.orders) SELECT COUNT(*) FROM shop.lines WHERE ORD_ID IN a", &[]),
            ("WITH a AS (SELECT 1 AS x) SELECT (SELECT MAX(x) FROM A)", &[]),
            ("WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 5) SELECT SUM(i) FROM n", &[]),
            ("WITH \"a b\" AS (SELECT 1 AS x) SELECT MAX(x) FROM [a b]", &[]),
        ],
    );
}
