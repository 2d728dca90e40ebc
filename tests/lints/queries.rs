//! The lints on SQL.

use super::lints;

/// Declarations that every case has.
pub const TABLES: &str = r#"
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
"#;

/// The lints on queries and order.
pub const OWN: [&str; 15] = [
    "ambiguous_order",
    "tied_answer",
    "sql_integer_division",
    "sql_name_without_colon",
    "unshared_tiebreak",
    "unused_cte",
    "cartesian_join",
    "join_on_no_key",
    "multiplied_rows",
    "unmatched_rows",
    "merged_groups",
    "nulls_left_out",
    "duplicates_dropped",
    "mean_of_means",
    "unbracketed_or",
];

/// The prompt of cases without one of their own.
const PROMPT: &str = r#"prompt "The database <<shop>>, the status <<status>> and <<least>>: reply with the number of customers, orders, lines.""#;

/// Checks each answer key: the lint points at exactly these words (none: it says nothing), and no other lint speaks.
fn answers(lint: &str, cases: &[(&str, &[&str])]) {
    let mut wrong = Vec::new();
    for (expect, at) in cases {
        let prompt = if expect.contains("prompt") { "" } else { PROMPT };
        let found = lints(&format!("{TABLES}\n{prompt}\n{expect}"));
        // Other families of lints have tables of their own.
        let found: Vec<(&str, String)> =
            found.into_iter().filter(|(name, _)| *name == lint || OWN.contains(name)).collect();
        let wanted: Vec<(&str, String)> = at.iter().map(|at| (lint, (*at).to_owned())).collect();
        if found != wanted {
            wrong.push(format!("{expect}\n  said   {found:?}\n  wanted {wanted:?}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Checks each query as the number that is expected.
fn table(lint: &str, cases: &[(&str, &[&str])]) {
    let cases: Vec<(String, &[&str])> = cases
        .iter()
        .map(|(sql, at)| (format!("  expect reply number coalesce(<<value: {sql}>>, 0) rounded 2"), *at))
        .collect();
    let cases: Vec<(&str, &[&str])> = cases.iter().map(|(expect, at)| (expect.as_str(), *at)).collect();
    answers(lint, &cases);
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

/// A column and the state of a database can have one name; a query cannot use a state, so none was meant, neither alone nor on both sides.
#[test]
fn name_of_a_state_without_colon() {
    let said = |declared: &str, condition: &str| {
        let query = format!("<<value: SELECT COUNT(*) FROM shop.orders WHERE {condition}>>");
        let body = format!("{TABLES}\n{EDIT}\n  {declared}\n  expect reply number {query}");
        let compiled = super::compile(&body);
        let own = compiled.diagnostics.iter().filter(|said| said.code.name == "sql_name_without_colon");
        own.map(|said| (said.message.clone(), said.help.clone().unwrap_or_default())).collect::<Vec<_>>()
    };
    let state = "qty = <<after: shop, DELETE FROM orders WHERE ORD_ID = 2>>\n  expect file shop database qty";
    let itself = "`QTY` is compared with itself: to SQL, `QTY` and `qty` are one";
    let help = "compare it with a value, written `:name`, or with another column";
    assert_eq!(said(state, "QTY > qty"), [(itself.to_owned(), help.to_owned())]);
    assert_eq!(said(state, "LEAST > qty"), Vec::new());
    // The same with a value.
    let value = "qty : int 1..9";
    let helps = ["QTY > qty", "LEAST > qty"]
        .map(|condition| said(value, condition).into_iter().map(|(_, help)| help).collect::<Vec<_>>());
    assert_eq!(helps[0], ["did you mean `:qty`, the value of the task?"]);
    assert_eq!(helps[1], ["did you mean the value, `:qty`? for the column, write its table before it"]);
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

#[test]
fn cartesian_join() {
    table(
        "cartesian_join",
        &[
            ("SELECT COUNT(*) FROM shop.orders, shop.customers", &["shop.customers"]),
            ("SELECT COUNT(*) FROM shop.orders o JOIN shop.customers c", &["shop.customers c"]),
            (
                "SELECT COUNT(*) FROM shop.orders o, shop.customers c WHERE o.QTY > 3 AND c.NAME LIKE 'A%'",
                &["shop.customers c"],
            ),
            (
                "SELECT COUNT(*) FROM shop.orders o JOIN shop.customers c USING (CUST_ID), shop.lines l WHERE l.N > 2",
                &["shop.lines l"],
            ),
            ("SELECT COUNT(*) FROM shop.orders o JOIN shop.customers c ON c.CITY = 'Mesa'", &["shop.customers c"]),
            ("SELECT COUNT(*) FROM shop.orders o, (SELECT N FROM shop.lines) AS l", &["l"]),
            // near misses
            ("SELECT COUNT(*) FROM shop.orders o CROSS JOIN shop.customers c", &[]),
            ("SELECT COUNT(*) FROM shop.orders o, shop.customers c WHERE o.CUST_ID = c.CUST_ID", &[]),
            ("SELECT COUNT(*) FROM shop.orders o, (SELECT AVG(PRICE) AS a FROM shop.orders) x WHERE o.QTY > 3", &[]),
            ("SELECT COUNT(*) FROM shop.orders o, shop.customers c WHERE c.CUST_ID = 3", &[]),
            ("SELECT COUNT(*) FROM shop.orders a JOIN shop.orders b ON a.ORD_ID < b.ORD_ID", &[]),
            (
                "SELECT COUNT(*) FROM shop.orders o JOIN shop.customers c WHERE o.CITY = :status AND c.CITY = :status",
                &[],
            ),
            ("SELECT COUNT(*) FROM shop.orders NATURAL JOIN shop.lines", &[]),
            ("SELECT COUNT(*) FROM shop.orders o JOIN shop.customers c ON o.CITY || 'x' = c.CITY || 'x'", &[]),
            (
                "SELECT COUNT(*) FROM shop.orders o, shop.customers c WHERE EXISTS (SELECT 1 FROM shop.lines l WHERE l.ORD_ID = o.ORD_ID AND l.N = c.CUST_ID)",
                &[],
            ),
            ("SELECT COUNT(*) FROM shop.orders o JOIN shop.customers c ON 1", &[]),
        ],
    );
}

#[test]
fn join_on_no_key() {
    table(
        "join_on_no_key",
        &[
            (
                "SELECT COUNT(*) FROM shop.orders o JOIN shop.customers c ON o.ORD_ID = c.CUST_ID",
                &["o.ORD_ID = c.CUST_ID"],
            ),
            ("SELECT COUNT(*) FROM shop.orders o, shop.customers c WHERE c.CUST_ID = o.QTY", &["c.CUST_ID = o.QTY"]),
            ("SELECT COUNT(*) FROM shop.lines l JOIN shop.orders o ON l.LINE_ID = o.ORD_ID", &["l.LINE_ID = o.ORD_ID"]),
            (
                "SELECT COUNT(*) FROM shop.lines l LEFT JOIN shop.orders o ON l.ORD_ID = o.CUST_ID",
                &["l.ORD_ID = o.CUST_ID"],
            ),
            ("SELECT COUNT(*) FROM shop.lines l JOIN shop.orders o ON l.N = o.ORD_ID", &["l.N = o.ORD_ID"]),
            (
                "SELECT COUNT(*) FROM shop.orders o JOIN shop.customers c ON o.ORD_ID = c.CUST_ID AND o.QTY > 3",
                &["o.ORD_ID = c.CUST_ID"],
            ),
            // near misses
            ("SELECT COUNT(*) FROM shop.orders o JOIN shop.customers c ON o.CUST_ID = c.CUST_ID", &[]),
            ("SELECT COUNT(*) FROM shop.orders o JOIN shop.customers c USING (CUST_ID)", &[]),
            ("SELECT COUNT(*) FROM shop.orders o JOIN shop.customers c ON o.CITY = c.CITY", &[]),
            ("SELECT COUNT(*) FROM shop.orders o JOIN shop.customers c USING (CUST_ID) WHERE o.QTY = c.CUST_ID", &[]),
            ("SELECT COUNT(*) FROM shop.orders a JOIN shop.orders b ON a.ORD_ID = b.QTY", &[]),
            ("SELECT COUNT(*) FROM shop.lines l JOIN shop.customers c ON l.N = c.CUST_ID", &[]),
            (
                "SELECT COUNT(*) FROM shop.lines l JOIN shop.orders o USING (ORD_ID) JOIN shop.customers c USING (CUST_ID)",
                &[],
            ),
        ],
    );
}

#[test]
fn ambiguous_order() {
    let limit = &["LIMIT 1"][..];
    table(
        "ambiguous_order",
        &[
            ("SELECT QTY FROM shop.orders WHERE QTY > 3 LIMIT 1", limit),
            ("SELECT QTY FROM shop.orders LIMIT 1 OFFSET 2", limit),
            ("SELECT SUM(QTY) FROM (SELECT QTY FROM shop.orders LIMIT 5)", &["LIMIT 5"]),
            ("SELECT QTY FROM shop.orders UNION SELECT N FROM shop.lines LIMIT 1", limit),
            ("SELECT MAX(N) FROM (SELECT QTY + COUNT(*) AS N FROM shop.orders GROUP BY STATUS)", &["QTY"]),
            ("SELECT length(GROUP_CONCAT(STATUS)) FROM shop.orders", &["GROUP_CONCAT(STATUS)"]),
            ("SELECT CUST_ID FROM shop.orders GROUP BY STATUS HAVING COUNT(*) > 5 ORDER BY 1 LIMIT 1", &["CUST_ID"]),
            // ORDER elsewhere does not sort the rows.
            (
                "SELECT QTY FROM (SELECT QTY FROM shop.orders WHERE QTY IN (SELECT N FROM shop.lines ORDER BY N)) LIMIT 1",
                limit,
            ),
            ("SELECT QTY FROM (SELECT QTY, COUNT(*) OVER (ORDER BY DAY) AS n FROM shop.orders) LIMIT 1", limit),
            (
                "WITH a AS (SELECT N FROM shop.lines ORDER BY N), b AS (SELECT QTY FROM shop.orders) SELECT QTY FROM b WHERE QTY IN a LIMIT 1",
                limit,
            ),
            (
                "SELECT QTY FROM (SELECT QTY FROM (SELECT QTY, STATUS FROM shop.orders ORDER BY DAY, ORD_ID) GROUP BY STATUS, QTY) LIMIT 1",
                limit,
            ),
            (
                "SELECT length(GROUP_CONCAT(STATUS)) FROM (SELECT STATUS, ROW_NUMBER() OVER (ORDER BY ORD_ID) AS n FROM shop.orders)",
                &["GROUP_CONCAT(STATUS)"],
            ),
            (
                "SELECT QTY FROM (SELECT QTY FROM (SELECT QTY FROM shop.orders ORDER BY ORD_ID) UNION ALL SELECT 1) LIMIT 1",
                limit,
            ),
            // near misses
            (
                "SELECT QTY FROM (SELECT QTY FROM (SELECT QTY FROM shop.orders ORDER BY ORD_ID) WHERE QTY > 2) LIMIT 1",
                &[],
            ),
            ("WITH a AS (SELECT QTY FROM shop.orders ORDER BY ORD_ID) SELECT QTY FROM a LIMIT 1", &[]),
            ("SELECT QTY FROM (SELECT QTY FROM shop.orders UNION SELECT N FROM shop.lines ORDER BY 1) LIMIT 1", &[]),
            ("SELECT COUNT(*) FROM shop.orders LIMIT 1", &[]),
            ("SELECT QTY FROM shop.orders WHERE ORD_ID = 3 LIMIT 1", &[]),
            ("SELECT QTY FROM shop.orders WHERE QTY = :least LIMIT 1", &[]),
            ("SELECT COUNT(*) FROM shop.orders o WHERE EXISTS (SELECT 1 FROM shop.lines LIMIT 1)", &[]),
            ("SELECT 3 FROM shop.orders LIMIT 1", &[]),
            ("SELECT COUNT(*) FROM (SELECT QTY FROM shop.orders LIMIT 5)", &[]),
            ("SELECT QTY FROM (SELECT QTY FROM shop.orders ORDER BY ORD_ID) LIMIT 1", &[]),
            (
                "SELECT MAX(N) FROM (SELECT c.NAME, c.CUST_ID, COUNT(*) AS N FROM shop.orders o JOIN shop.customers c USING (CUST_ID) GROUP BY c.CUST_ID)",
                &[],
            ),
            (
                "SELECT MAX(N) FROM (SELECT strftime('%m', DAY) AS M, COUNT(*) AS N FROM shop.orders GROUP BY strftime('%m', DAY))",
                &[],
            ),
            (
                "SELECT MAX(N) FROM (SELECT strftime('%m', DAY) AS M, COUNT(*) AS N FROM shop.orders o GROUP BY M HAVING M > '03')",
                &[],
            ),
            ("SELECT length(GROUP_CONCAT(STATUS, ',' ORDER BY ORD_ID)) FROM shop.orders", &[]),
            ("SELECT length(GROUP_CONCAT(STATUS)) FROM (SELECT STATUS FROM shop.orders ORDER BY ORD_ID)", &[]),
        ],
    );
    let list = &["SELECT NAME FROM shop.customers"][..];
    answers(
        "ambiguous_order",
        &[
            ("expect reply list <<list: SELECT NAME FROM shop.customers>> ordered", list),
            ("expect reply text join(<<list: SELECT NAME FROM shop.customers>>, \", \")", list),
            ("expect reply json { orders: <<list: SELECT NAME FROM shop.customers>> }", list),
            ("expect reply json <<rows: SELECT NAME FROM shop.customers>>", list),
            ("all = <<list: SELECT NAME FROM shop.customers>> expect reply text \"They are <<all>>\"", list),
            ("all = <<rows: SELECT NAME FROM shop.customers>> expect reply rows all ordered", list),
            // near misses
            ("expect reply list <<list: SELECT NAME FROM shop.customers>>", &[]),
            ("expect reply list <<list: SELECT NAME FROM shop.customers ORDER BY CUST_ID>> ordered", &[]),
            ("expect reply json { orders: <<list: SELECT NAME FROM shop.customers>> unordered }", &[]),
            ("expect reply json { orders: <<list: SELECT NAME FROM shop.customers>> } unordered", &[]),
            ("expect reply text any_of <<list: SELECT NAME FROM shop.customers>>", &[]),
            ("expect reply number len(<<list: SELECT NAME FROM shop.customers>>)", &[]),
            ("expect reply text join(sort(<<list: SELECT NAME FROM shop.customers>>), \", \")", &[]),
            ("all = <<list: SELECT NAME FROM shop.customers>> prompt \"<<all>>\" expect reply list all ordered", &[]),
        ],
    );
}

#[test]
fn tied_answer() {
    table(
        "tied_answer",
        &[
            ("SELECT QTY FROM shop.orders ORDER BY PRICE DESC LIMIT 1", &["PRICE"]),
            ("SELECT CUST_ID FROM shop.orders GROUP BY CUST_ID ORDER BY COUNT(*) DESC LIMIT 1", &["COUNT(*)"]),
            ("SELECT ORD_ID FROM shop.orders ORDER BY PRICE, DAY LIMIT 1", &["PRICE, DAY"]),
            ("SELECT SUM(QTY) FROM (SELECT QTY FROM shop.orders ORDER BY PRICE DESC LIMIT 5)", &["PRICE"]),
            (
                "SELECT o.QTY FROM shop.orders o JOIN shop.customers c USING (CUST_ID) ORDER BY c.CUST_ID LIMIT 1",
                &["c.CUST_ID"],
            ),
            ("SELECT N FROM (SELECT CUST_ID AS N, MAX(PRICE) FROM shop.orders)", &["CUST_ID"]),
            ("SELECT ORD_ID FROM shop.orders ORDER BY STATUS = 'paid' LIMIT 1", &["STATUS = 'paid'"]),
            // near misses
            ("SELECT QTY FROM shop.orders ORDER BY ORD_ID LIMIT 1", &[]),
            ("SELECT QTY FROM shop.orders ORDER BY QTY DESC LIMIT 1", &[]),
            ("SELECT COUNT(*) FROM shop.orders GROUP BY CUST_ID ORDER BY count(*) DESC LIMIT 1", &[]),
            ("SELECT COUNT(*) AS n FROM shop.orders GROUP BY CUST_ID ORDER BY n DESC LIMIT 1", &[]),
            ("SELECT COUNT(*) FROM shop.orders GROUP BY CUST_ID ORDER BY 1 DESC LIMIT 1", &[]),
            ("SELECT CUST_ID FROM shop.customers ORDER BY CUST_ID LIMIT 1", &[]),
            ("SELECT QTY FROM shop.orders WHERE ORD_ID = 3 ORDER BY PRICE LIMIT 1", &[]),
            ("SELECT DISTINCT QTY FROM shop.orders ORDER BY QTY LIMIT 1 OFFSET 1", &[]),
            ("SELECT MAX(PRICE) FROM shop.orders ORDER BY PRICE", &[]),
            ("SELECT SUM(PRICE) FROM (SELECT PRICE FROM shop.orders ORDER BY PRICE DESC LIMIT 5)", &[]),
            ("SELECT 2 * QTY + 1 FROM shop.orders ORDER BY QTY LIMIT 1", &[]),
            ("SELECT SUM(QTY) FROM (SELECT QTY FROM shop.orders ORDER BY PRICE LIMIT 90)", &[]),
        ],
    );
    answers(
        "tied_answer",
        &[
            ("expect reply list <<list: SELECT NAME FROM shop.customers ORDER BY CITY>> ordered", &["CITY"]),
            // near misses: told to the agent, dropped by `require`, not in order
            ("expect reply list <<list: SELECT NAME FROM shop.customers ORDER BY CITY>>", &[]),
            ("expect reply list <<list: SELECT CITY FROM shop.customers ORDER BY CITY>> ordered", &[]),
            (
                "best = <<value: SELECT COALESCE((SELECT ORD_ID FROM shop.orders ORDER BY PRICE LIMIT 1), 0)>> prompt \"Order <<best>>\"
                expect reply number <<value: SELECT COUNT(*) FROM shop.lines WHERE ORD_ID = :best>>",
                &[],
            ),
            (
                "require <<value: SELECT COUNT(*) FROM shop.orders WHERE PRICE = (SELECT MAX(PRICE) FROM shop.orders)>> == 1
                expect reply number coalesce(<<value: SELECT ORD_ID FROM shop.orders ORDER BY PRICE DESC LIMIT 1>>, 0)",
                &[],
            ),
        ],
    );
}

#[test]
fn unshared_tiebreak() {
    table(
        "unshared_tiebreak",
        &[
            ("SELECT QTY FROM shop.orders ORDER BY PRICE DESC, ORD_ID LIMIT 1", &["ORD_ID"]),
            ("SELECT CUST_ID FROM shop.orders GROUP BY CUST_ID ORDER BY COUNT(*) DESC, CUST_ID LIMIT 1", &["CUST_ID"]),
            ("SELECT ORD_ID FROM shop.orders ORDER BY PRICE, DAY, ORD_ID LIMIT 1", &["DAY, ORD_ID"]),
            ("SELECT SUM(QTY) FROM (SELECT QTY FROM shop.orders ORDER BY PRICE, ORD_ID LIMIT 5)", &["ORD_ID"]),
            ("SELECT CUST_ID AS who FROM shop.orders GROUP BY CUST_ID ORDER BY SUM(QTY) DESC, who LIMIT 1", &["who"]),
            ("SELECT ORD_ID FROM shop.orders ORDER BY 0 - QTY, 1 LIMIT 1", &["1"]),
            // near misses
            ("SELECT QTY FROM shop.orders ORDER BY ORD_ID, PRICE LIMIT 1", &[]),
            ("SELECT QTY FROM shop.orders ORDER BY QTY, ORD_ID LIMIT 1", &[]),
            ("SELECT QTY FROM shop.orders WHERE ORD_ID = 4 ORDER BY PRICE, DAY LIMIT 1", &[]),
            ("SELECT COUNT(*) FROM shop.orders GROUP BY CUST_ID ORDER BY COUNT(*) DESC, CUST_ID LIMIT 1", &[]),
        ],
    );
    let key =
        "expect reply number coalesce(<<value: SELECT QTY FROM shop.orders ORDER BY PRICE DESC, ORD_ID LIMIT 1>>, 0)";
    let caught: &[&str] = &["ORD_ID"];
    for (prompt, at) in [
        ("The QTY of the order with the highest PRICE?", caught),
        ("The QTY of the dearest order, please.", caught),
        ("Of several orders with that price, the one with the lowest number.", &[]),
        ("On a tie, take the first.", &[]),
        ("If two orders cost the same, the earlier one counts.", &[]),
        ("Sort by PRICE, then by number.", &[]),
        ("The order with the least ORD_ID wins.", &[]),
        ("Take the first alphabetically.", &[]),
    ] {
        answers("unshared_tiebreak", &[(&format!("prompt \"{prompt}\" {key}"), at)]);
    }
}

/// The prompt of cases in which a database is edited.
pub const EDIT: &str = r#"prompt "In <<shop>>, the status <<status>>, the least <<least>>: edit the customers, orders, and lines as asked.""#;

/// Checks each text of `after` as the state that is expected: as [`answers`].
fn edits(lint: &str, cases: &[(&str, &[&str])]) {
    let cases: Vec<(String, &[&str])> = cases
        .iter()
        .map(|(sql, at)| {
            let goal =
                format!("goal = <<after: shop, {sql}>>\n  require changed(goal) > 0\n  expect file shop database goal");
            // Cases with words of their own in the prompt.
            let prompt = if sql.contains("--") { "" } else { EDIT };
            (format!("{prompt}\n  {goal}"), *at)
        })
        .collect();
    let cases: Vec<(&str, &[&str])> = cases.iter().map(|(task, at)| (task.as_str(), *at)).collect();
    let mut wrong = Vec::new();
    for (task, at) in &cases {
        let found = lints(&format!("{TABLES}\n{task}"));
        let found: Vec<(&str, String)> =
            found.into_iter().filter(|(name, _)| *name == lint || OWN.contains(name)).collect();
        let wanted: Vec<(&str, String)> = at.iter().map(|at| (lint, (*at).to_owned())).collect();
        if found != wanted {
            wrong.push(format!("{task}\n  said   {found:?}\n  wanted {wanted:?}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// V14: which of several equal rows a statement takes.
#[test]
fn ties_in_statements_that_change_rows() {
    edits(
        "tied_answer",
        &[
            (
                "UPDATE orders SET STATUS = 'sent' WHERE ORD_ID = (SELECT ORD_ID FROM orders ORDER BY DAY LIMIT 1)",
                &["DAY"],
            ),
            ("DELETE FROM orders WHERE ORD_ID IN (SELECT ORD_ID FROM orders ORDER BY PRICE DESC LIMIT 3)", &["PRICE"]),
            (
                "UPDATE orders SET QTY = (SELECT N FROM lines WHERE lines.ORD_ID = orders.ORD_ID ORDER BY SKU LIMIT 1)",
                &["SKU"],
            ),
            ("UPDATE orders SET (QTY, PRICE) = (SELECT QTY, PRICE FROM orders ORDER BY DAY LIMIT 1)", &["DAY"]),
            ("INSERT INTO customers SELECT ORD_ID + 100, CITY, CITY FROM orders ORDER BY DAY LIMIT 1", &["DAY"]),
            (
                "INSERT INTO customers (CUST_ID, NAME, CITY) VALUES (99, 'x', (SELECT CITY FROM orders ORDER BY QTY LIMIT 1))",
                &["QTY"],
            ),
            (
                "WITH old AS (SELECT ORD_ID FROM orders ORDER BY DAY LIMIT 2) DELETE FROM orders WHERE ORD_ID IN (SELECT ORD_ID FROM old)",
                &["DAY"],
            ),
            (
                "UPDATE orders SET QTY = 1; DELETE FROM lines WHERE LINE_ID = (SELECT LINE_ID FROM lines ORDER BY N LIMIT 1)",
                &["N"],
            ),
            (
                "DELETE FROM orders WHERE ORD_ID IN (SELECT ORD_ID FROM (SELECT ORD_ID, ROW_NUMBER() OVER (PARTITION BY CITY ORDER BY DAY) AS n FROM orders) WHERE n > 1)",
                &["DAY"],
            ),
            (
                "UPDATE orders SET QTY = r.n FROM (SELECT ORD_ID, ROW_NUMBER() OVER (ORDER BY DAY) AS n FROM orders) r WHERE r.ORD_ID = orders.ORD_ID",
                &["DAY"],
            ),
            (
                "UPDATE orders SET QTY = (SELECT n FROM (SELECT ORD_ID, ROW_NUMBER() OVER (ORDER BY DAY) AS n FROM orders) r WHERE r.ORD_ID = orders.ORD_ID)",
                &["DAY"],
            ),
            (
                "INSERT INTO customers VALUES (1, 'x', 'y') ON CONFLICT (CUST_ID) DO UPDATE SET CITY = (SELECT CITY FROM orders ORDER BY DAY LIMIT 1)",
                &["DAY"],
            ),
            // near misses
            ("UPDATE orders SET QTY = 1 WHERE ORD_ID = (SELECT ORD_ID FROM orders ORDER BY ORD_ID DESC LIMIT 1)", &[]),
            ("DELETE FROM orders WHERE DAY = (SELECT DAY FROM orders ORDER BY DAY LIMIT 1)", &[]),
            ("DELETE FROM orders WHERE DAY = (SELECT MIN(DAY) FROM orders)", &[]),
            ("UPDATE orders SET QTY = (SELECT MAX(N) FROM lines WHERE lines.ORD_ID = orders.ORD_ID)", &[]),
            (
                "DELETE FROM orders WHERE EXISTS (SELECT 1 FROM lines WHERE lines.ORD_ID = orders.ORD_ID ORDER BY N LIMIT 1)",
                &[],
            ),
            ("INSERT INTO customers SELECT CUST_ID + 100, NAME, CITY FROM customers ORDER BY NAME", &[]),
            (
                "UPDATE orders SET QTY = (SELECT r FROM (SELECT ORD_ID, RANK() OVER (ORDER BY DAY) AS r FROM orders) x WHERE x.ORD_ID = orders.ORD_ID)",
                &[],
            ),
            ("UPDATE orders SET QTY = 2 WHERE QTY = 1", &[]),
        ],
    );
    edits(
        "ambiguous_order",
        &[
            ("DELETE FROM orders WHERE ORD_ID IN (SELECT ORD_ID FROM orders WHERE QTY > 3 LIMIT 2)", &["LIMIT 2"]),
            ("INSERT INTO customers SELECT ORD_ID + 100, CITY, CITY FROM orders LIMIT 2", &["LIMIT 2"]),
            ("UPDATE customers SET CITY = (SELECT GROUP_CONCAT(SKU) FROM lines)", &["GROUP_CONCAT(SKU)"]),
            ("DELETE FROM orders WHERE ORD_ID IN (SELECT ORD_ID FROM orders WHERE QTY > 3)", &[]),
        ],
    );
    edits(
        "unshared_tiebreak",
        &[(
            "UPDATE orders SET STATUS = 'sent' WHERE ORD_ID = (SELECT ORD_ID FROM orders ORDER BY DAY, ORD_ID LIMIT 1)",
            &["ORD_ID"],
        )],
    );
    edits(
        "sql_integer_division",
        &[("UPDATE orders SET PRICE = QTY / 2", &["QTY / 2"]), ("UPDATE orders SET PRICE = PRICE / 2", &[])],
    );
    edits("unused_cte", &[("WITH a AS (SELECT 1) DELETE FROM orders WHERE QTY = 1", &["a"])]);
    edits("sql_name_without_colon", &[("UPDATE orders SET QTY = 1 WHERE STATUS = status", &["STATUS = status"])]);
    edits(
        "cartesian_join",
        &[("INSERT INTO customers SELECT c.CUST_ID + 100, c.NAME, o.CITY FROM customers c, orders o", &["orders o"])],
    );
}

/// V14: what is compared in a statement is compared with the data of the start, unless a statement before it has changed that.
#[test]
fn comparisons_in_statements_that_change_rows() {
    let said = |sql: &str| {
        let task = format!("{EDIT}\n  goal = <<after: shop, {sql}>>\n  expect file shop database goal");
        let found = lints(&format!("{TABLES}\n{task}"));
        let own = found.into_iter().filter(|(name, _)| name.ends_with("_predicate"));
        own.map(|(name, at)| format!("{name} {at}")).collect::<Vec<_>>()
    };
    assert_eq!(said("DELETE FROM orders WHERE STATUS = 'payd'"), ["impossible_predicate STATUS = 'payd'"]);
    assert_eq!(said("UPDATE orders SET QTY = 0 WHERE QTY > 9"), ["impossible_predicate QTY > 9"]);
    assert_eq!(
        said("UPDATE orders SET QTY = 0 WHERE CUST_ID IN (SELECT CUST_ID FROM customers WHERE CUST_ID > 0)"),
        ["vacuous_predicate CUST_ID > 0"]
    );
    assert_eq!(said("UPDATE orders SET QTY = 0 WHERE QTY > 5 AND QTY < 3"), ["impossible_predicate QTY < 3"]);
    // The first statement has made it possible.
    let second = |first: &str| said(&format!("{first}; DELETE FROM orders WHERE STATUS = 'lost'"));
    assert_eq!(second("UPDATE orders SET STATUS = 'lost' WHERE QTY = 1"), Vec::<String>::new());
    assert_eq!(second("UPDATE OR IGNORE orders SET (QTY, STATUS) = (1, 'lost')"), Vec::<String>::new());
    assert_eq!(
        second("INSERT INTO orders SELECT ORD_ID + 100, 1, 'lost', CITY, QTY, LEAST, PRICE, DAY FROM orders"),
        Vec::<String>::new()
    );
    assert_eq!(second("UPDATE orders SET QTY = 3"), ["impossible_predicate STATUS = 'lost'"]);
    assert_eq!(second("DELETE FROM orders WHERE QTY = 3"), ["impossible_predicate STATUS = 'lost'"]);
    assert_eq!(second("UPDATE customers SET CITY = 'x'"), ["impossible_predicate STATUS = 'lost'"]);
}

/// V14: every order of a column with equal values before a `LIMIT`, in every place of a statement that can read, is a tie there exactly if it is one in a query.
#[test]
fn a_tie_is_one_wherever_it_is() {
    let columns = ["ORD_ID", "CUST_ID", "STATUS", "CITY", "QTY", "PRICE", "DAY"];
    let frames = [
        "DELETE FROM orders WHERE ORD_ID IN ({})",
        "UPDATE orders SET QTY = 0 WHERE ORD_ID = ({})",
        "UPDATE orders SET LEAST = ({})",
        "INSERT INTO customers SELECT x.ORD_ID + 100, 'a', 'b' FROM ({}) x",
        "INSERT INTO customers VALUES (({}) + 100, 'a', 'b')",
        "REPLACE INTO customers SELECT CUST_ID, NAME, CITY FROM customers WHERE CUST_ID IN ({})",
        "WITH w AS ({}) DELETE FROM orders WHERE ORD_ID IN (SELECT ORD_ID FROM w)",
        "UPDATE orders SET QTY = w.ORD_ID FROM ({}) w WHERE w.ORD_ID = orders.ORD_ID",
    ];
    let mut state = 14_u64;
    let mut pick = |many: usize| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as usize % many
    };
    let mut wrong = Vec::new();
    for round in 0..48 {
        let by: Vec<&str> = (0..=pick(2)).map(|_| columns[pick(columns.len())]).collect();
        let frame = frames[round % frames.len()];
        let inner =
            format!("SELECT ORD_ID FROM orders WHERE QTY > {} ORDER BY {} LIMIT 1", 1 + pick(5), by.join(" DESC, "));
        let tied = |task: &str| {
            let found = lints(&format!("{TABLES}\n{task}"));
            found.iter().any(|(name, _)| *name == "tied_answer")
        };
        let asked = tied(&format!("{PROMPT}\n expect reply number coalesce(<<sqlite_query: shop, {inner}>>, 0)"));
        let sql = frame.replace("{}", &inner);
        let edited = tied(&format!(
            "{EDIT}\n goal = <<after: shop, {sql}>>\n require changed(goal) > 0\n expect file shop database goal"
        ));
        if asked != edited || asked == by.contains(&"ORD_ID") {
            wrong.push(format!("{sql}: {asked} in a query, {edited} here"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
