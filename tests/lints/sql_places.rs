//! The lints on SQL at every place where SQL can be: a query, the SQL of `query` (on a database that is drawn, and on one that is a file), and a statement of
//! `after`. The same slip gets the same lint at the same words, once, and what comes near gets none.

use compiler::diagnostics::{Diagnostic, Severity};

use super::queries::{EDIT, OWN, TABLES};

/// The places of a query.
const PLACES: [&str; 4] = ["query", "value", "file", "after"];

/// The prompt of the questions.
const PROMPT: &str = r#"prompt "The database <<shop>>, the status <<status>> and <<least>>: the customers, orders, lines. Reply with one query in a sql block.""#;

/// The prompt of the questions about the file.
const FILE: &str = r#"prompt "The database <<kept>>, the status <<status>> and <<least>>. <<schema(kept)>> Reply with one query in a sql block.""#;

/// The tables as a file, in which all rows tie that can: every third order is the same but for its number.
fn build_database() -> Vec<u8> {
    let mut database = picardc::sqlite::Database::new_empty(&picardc::sqlite::TOOL).expect("opened");
    let tables = "CREATE TABLE customers (CUST_ID INTEGER PRIMARY KEY, NAME TEXT NOT NULL, CITY TEXT NOT NULL);
        CREATE TABLE orders (ORD_ID INTEGER PRIMARY KEY, CUST_ID INTEGER NOT NULL REFERENCES customers (CUST_ID), STATUS TEXT NOT NULL,
            CITY TEXT NOT NULL, QTY INTEGER NOT NULL, LEAST INTEGER NOT NULL, PRICE REAL NOT NULL, DAY TEXT NOT NULL);
        CREATE TABLE lines (LINE_ID INTEGER PRIMARY KEY, ORD_ID INTEGER NOT NULL REFERENCES orders, SKU TEXT NOT NULL, N INTEGER NOT NULL);
        CREATE TABLE settings (RATE INTEGER NOT NULL);
        CREATE TABLE seats (HALL TEXT NOT NULL, SEAT INTEGER NOT NULL, WHO TEXT NOT NULL, PRIMARY KEY (HALL, SEAT));
        INSERT INTO settings VALUES (2);
        WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 20) INSERT INTO customers SELECT i, 'n' || i, 'Mesa' FROM n;
        WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 90)
            INSERT INTO orders SELECT i, i % 3 + 1, substr('openpaidsent', i % 3 * 4 + 1, 4), 'Mesa', i % 3 + 2, i % 3 + 1, 1.5, '2024-03-01' FROM n;
        WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 90) INSERT INTO lines SELECT i, i, 'sku', i % 3 + 1 FROM n;
        INSERT INTO seats SELECT CITY, ORD_ID, STATUS FROM orders;";
    database.connection().execute_batch(tables).expect("filled");
    database.to_bytes().expect("serialized")
}

/// The task with a query at a place.
fn build_task(place: &str, sql: &str) -> String {
    let of_file =
        "status : one_of [\"open\", \"paid\"]\n  least : int 1..90\n  sqlite kept at \"kept.db\" from \"kept.db\"";
    match place {
        "query" => {
            format!("{TABLES}\n{PROMPT}\n  expect reply number coalesce(<<sqlite_query: shop, {sql}>>, 0) rounded 2")
        }
        "value" => format!("{TABLES}\n{PROMPT}\n  expect reply fenced \"sql\" sql shop query(shop, \"{sql}\")"),
        "file" => {
            format!("{of_file}\n{FILE}\n  gold = query(kept, \"{sql}\")\n  expect reply fenced \"sql\" sql kept gold")
        }
        _ => format!(
            "{TABLES}\n{EDIT}\n  goal = <<after: shop, UPDATE orders SET STATUS = 'sent' WHERE ORD_ID IN ({sql})>>\n  \
             require changed(goal) > 0\n  expect file shop database goal"
        ),
    }
}

/// The findings about a query, and all errors, of a task, and the words that they point at.
fn list_findings(task: &str, database: &[u8]) -> Vec<(&'static str, String)> {
    let text = testing::build_suite_source("", task);
    let compiled = testing::compile_with(&text, &[("kept.db", database)]);
    let is_own = |said: &&Diagnostic| {
        let name = said.code.name;
        said.severity() == Severity::Error || OWN.contains(&name) || name.ends_with("_predicate")
    };
    let point = |said: &Diagnostic| compiled.sources.text(said.primary.span).to_owned();
    compiled.diagnostics.iter().filter(is_own).map(|said| (said.code.name, point(said))).collect()
}

/// Checks queries at all places but those where a lint cannot apply.
fn check(lint: &str, without: &[&str], cases: &[(&str, Option<&str>)]) {
    let database = build_database();
    let mut wrong = Vec::new();
    for (sql, at) in cases {
        for place in PLACES {
            let wanted = at.filter(|_| !without.contains(&place));
            let wanted: Vec<(&str, String)> = wanted.iter().map(|at| (lint, (*at).to_owned())).collect();
            let found = list_findings(&build_task(place, sql), &database);
            if found != wanted {
                wrong.push(format!("{place}: {sql}\n  said   {found:?}\n  wanted {wanted:?}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{lint}\n{}", wrong.join("\n"));
}

/// V14: every lint on SQL, the same slip in every place.
#[test]
fn a_slip_is_one_wherever_the_sql_is() {
    check(
        "sql_integer_division",
        &[],
        &[
            ("SELECT SUM(QTY) / COUNT(*) FROM orders", Some("SUM(QTY) / COUNT(*)")),
            ("SELECT MAX(QTY / 2) FROM orders", Some("QTY / 2")),
            ("SELECT 1.0 * SUM(QTY) / COUNT(*) FROM orders", None),
            ("SELECT SUM(PRICE) / COUNT(*) FROM orders", None),
            ("SELECT CAST(SUM(QTY) / COUNT(*) AS INTEGER) FROM orders", None),
        ],
    );
    check(
        "sql_name_without_colon",
        &[],
        &[
            ("SELECT COUNT(*) FROM orders WHERE STATUS = status", Some("STATUS = status")),
            ("SELECT COUNT(*) FROM orders o WHERE o.CITY <> city", Some("o.CITY <> city")),
            ("SELECT COUNT(*) FROM orders WHERE QTY > orders.LEAST", None),
            ("SELECT COUNT(*) FROM orders a JOIN orders b ON a.STATUS = b.STATUS AND a.ORD_ID < b.ORD_ID", None),
        ],
    );
    // A name of another column is meant as a value of the task only where a query can have one: SQL that is a value has no parameters.
    check(
        "sql_name_without_colon",
        &["value", "file"],
        &[("SELECT COUNT(*) FROM orders WHERE QTY > least", Some("least"))],
    );
    check(
        "unused_cte",
        &[],
        &[
            ("WITH a AS (SELECT 1) SELECT COUNT(*) FROM orders", Some("a")),
            ("SELECT (WITH a AS (SELECT 1) SELECT COUNT(*) FROM orders)", Some("a")),
            ("WITH a AS (SELECT 1 AS x) SELECT MAX(x) FROM a", None),
        ],
    );
    check(
        "cartesian_join",
        &[],
        &[
            ("SELECT COUNT(*) FROM orders, customers", Some("customers")),
            ("SELECT COUNT(*) FROM orders o JOIN customers c ON c.CITY = 'Mesa'", Some("customers c")),
            ("SELECT COUNT(*) FROM orders o CROSS JOIN customers c", None),
            ("SELECT COUNT(*) FROM orders o, customers c WHERE o.CUST_ID = c.CUST_ID", None),
            ("SELECT COUNT(*) FROM orders o, (SELECT AVG(PRICE) AS a FROM orders) x WHERE o.QTY > 3", None),
        ],
    );
    check(
        "join_on_no_key",
        &[],
        &[
            ("SELECT COUNT(*) FROM orders o JOIN customers c ON o.ORD_ID = c.CUST_ID", Some("o.ORD_ID = c.CUST_ID")),
            ("SELECT COUNT(*) FROM lines l JOIN orders o ON l.LINE_ID = o.ORD_ID", Some("l.LINE_ID = o.ORD_ID")),
            ("SELECT COUNT(*) FROM orders o JOIN customers c ON o.CUST_ID = c.CUST_ID", None),
            ("SELECT COUNT(*) FROM orders o JOIN customers c USING (CUST_ID) WHERE o.QTY = c.CUST_ID", None),
        ],
    );
    check(
        "ambiguous_order",
        &[],
        &[
            ("SELECT ORD_ID FROM orders WHERE QTY > 3 LIMIT 1", Some("LIMIT 1")),
            ("SELECT SUM(QTY) FROM (SELECT QTY FROM orders LIMIT 5)", Some("LIMIT 5")),
            ("SELECT MAX(N) FROM (SELECT ORD_ID + COUNT(*) AS N FROM orders GROUP BY STATUS)", Some("ORD_ID")),
            ("SELECT length(GROUP_CONCAT(STATUS)) FROM orders", Some("GROUP_CONCAT(STATUS)")),
            (
                "SELECT ORD_ID FROM (SELECT ORD_ID FROM orders WHERE QTY IN (SELECT N FROM lines ORDER BY N)) LIMIT 1",
                Some("LIMIT 1"),
            ),
            ("SELECT ORD_ID FROM orders WHERE ORD_ID = 3 LIMIT 1", None),
            ("SELECT ORD_ID FROM (SELECT ORD_ID FROM orders ORDER BY ORD_ID) LIMIT 1", None),
            ("SELECT COUNT(*) FROM (SELECT QTY FROM orders LIMIT 5)", None),
        ],
    );
    check(
        "tied_answer",
        &[],
        &[
            ("SELECT ORD_ID FROM orders ORDER BY DAY LIMIT 1", Some("DAY")),
            ("SELECT SUM(ORD_ID) FROM (SELECT ORD_ID FROM orders ORDER BY PRICE DESC LIMIT 5)", Some("PRICE")),
            ("SELECT N FROM (SELECT CUST_ID AS N, MAX(PRICE) FROM orders)", Some("CUST_ID")),
            (
                "SELECT SUM(ORD_ID) FROM (SELECT ORD_ID, ROW_NUMBER() OVER (ORDER BY DAY) AS r FROM orders) WHERE r = 1",
                Some("DAY"),
            ),
            ("SELECT ORD_ID FROM orders ORDER BY ORD_ID LIMIT 1", None),
            ("SELECT QTY FROM orders ORDER BY QTY DESC LIMIT 1", None),
            ("SELECT SUM(PRICE) FROM (SELECT PRICE FROM orders ORDER BY PRICE DESC LIMIT 5)", None),
        ],
    );
    check(
        "unshared_tiebreak",
        &[],
        &[
            ("SELECT ORD_ID FROM orders ORDER BY PRICE DESC, ORD_ID LIMIT 1", Some("ORD_ID")),
            ("SELECT SUM(ORD_ID) FROM (SELECT ORD_ID FROM orders ORDER BY DAY, ORD_ID LIMIT 5)", Some("ORD_ID")),
            ("SELECT ORD_ID FROM orders ORDER BY ORD_ID, PRICE LIMIT 1", None),
        ],
    );
    // Of a file, only the declarations are compared and not the values: running the query shows what it returns (W0507).
    check(
        "impossible_predicate",
        &["file"],
        &[
            ("SELECT COUNT(*) FROM orders WHERE STATUS = 'payd'", Some("STATUS = 'payd'")),
            ("SELECT COUNT(*) FROM orders WHERE QTY > 9", Some("QTY > 9")),
            ("SELECT COUNT(*) FROM orders WHERE STATUS = 'paid'", None),
        ],
    );
    check(
        "vacuous_predicate",
        &["file"],
        &[
            ("SELECT COUNT(*) FROM orders WHERE QTY > 0", Some("QTY > 0")),
            ("SELECT COUNT(*) FROM orders WHERE QTY > 1 AND DAY IS NOT NULL", Some("DAY IS NOT NULL")),
        ],
    );
}

/// V14: what the rows of a file show is not reported.
#[test]
fn the_rows_of_a_file_decide() {
    let database = build_database();
    let said = |sql: &str| list_findings(&build_task("file", sql), &database);
    let none: [(&str, String); 0] = [];
    // The slip is real in a drawn table, which may have other rows.
    assert_eq!(said("SELECT RATE * QTY FROM orders, settings WHERE ORD_ID < 4"), none, "one row of settings");
    assert_eq!(said("SELECT ORD_ID FROM orders WHERE ORD_ID < 3 LIMIT 2"), none, "all that there are");
    assert_eq!(said("SELECT CUST_ID FROM orders WHERE ORD_ID < 3 ORDER BY QTY LIMIT 1"), none, "no tie");
    assert_eq!(
        said("SELECT ORD_ID FROM orders WHERE ORD_ID < 4 ORDER BY QTY, ORD_ID LIMIT 1"),
        none,
        "nothing to break"
    );
    assert_eq!(said("SELECT HALL, SEAT, WHO, COUNT(*) FROM seats GROUP BY HALL, SEAT"), none, "a key of two columns");
    assert_eq!(said("SELECT HALL, WHO, COUNT(*) FROM seats GROUP BY HALL"), [("ambiguous_order", "WHO".to_owned())]);
    assert_eq!(
        said("SELECT s.RATE FROM settings s, orders, lines WHERE RATE > 1"),
        [("cartesian_join", "lines".to_owned())]
    );
    // SQL that has a name is reported where it is written, and SQL that is put together where that is done.
    let call = |names: &str, sql: &str| {
        let body = build_task("file", "").replace("query(kept, \"\")", &format!("query(kept, {sql})\n  {names}"));
        list_findings(&body, &database)
    };
    let found = call("asked = \"SELECT COUNT(*) FROM orders, customers\"", "asked");
    assert_eq!(found, [("cartesian_join", "customers".to_owned())]);
    let joined = "\"SELECT COUNT(*) FROM orders, <<other>>\"";
    let found = call("other = \"customers\"", joined);
    assert_eq!(found, [("cartesian_join", joined.to_owned())]);
}

/// V14: rows that must be in order, of SQL that is a value.
#[test]
fn the_order_of_a_value_matters_where_it_is_expected() {
    let database = build_database();
    let said = |sql: &str| {
        let body = build_task("file", sql).replace("sql kept gold", "sql kept gold ordered");
        list_findings(&body, &database)
    };
    let none: [(&str, String); 0] = [];
    let all = "SELECT NAME FROM customers";
    assert_eq!(said(all), [("ambiguous_order", all.to_owned())]);
    assert_eq!(said("SELECT NAME FROM customers ORDER BY CITY"), [("tied_answer", "CITY".to_owned())]);
    assert_eq!(said("SELECT NAME FROM customers ORDER BY NAME"), none, "no two names are the same");
    assert_eq!(said("SELECT CITY FROM customers ORDER BY CITY"), none, "the same rows in any order");
    assert_eq!(said("SELECT NAME FROM customers WHERE CUST_ID = 3"), none, "one row");
    assert_eq!(said("SELECT COUNT(*) FROM customers"), none, "one row");
}
