//! The rows in notes for which two readings of a query differ.

use compiler::diagnostics::Severity;

/// Declarations that every case has.
const TABLES: &str = r#"
  sqlite shop at "shop.db" {
    table customers { rows 20  ID : serial  NAME : person_name  CREDIT : int 100..900  BOSS : int 1..20 blank 20% }
    table orders {
      rows 90
      ORD    : serial
      CUST   : ref customers.ID
      STATUS : one_of ["open", "paid", "sent"] blank 10%
      AMOUNT : int 10..500
      BONUS  : int 0..9 blank 20%
    }
    table tickets { rows 40  TICKET : serial  CUST : ref customers.ID  HOURS : int 1..9 }
  }
"#;

/// The note of the only diagnostic with this name about a query; errors fail.
fn read_note(lint: &str, prompt: &str, sql: &str) -> String {
    let body = format!(
        "{TABLES}\n  prompt \"{prompt} Look at <<shop>>: customers, orders, tickets.\"\n  expect reply rows <<rows: {}>>",
        qualify(sql)
    );
    let compiled = testing::compile_text(&testing::build_suite_source("", &body));
    let errors: Vec<_> = compiled.diagnostics.iter().filter(|said| said.severity() == Severity::Error).collect();
    assert!(errors.is_empty(), "{sql}\n{errors:#?}");
    let mut own = compiled.diagnostics.iter().filter(|said| said.code.name == lint);
    let found = own.next().unwrap_or_else(|| panic!("{lint} is not told of {sql}\n{:#?}", compiled.diagnostics));
    assert!(own.next().is_none(), "{lint} is told twice of {sql}");
    found.note.clone().unwrap_or_default()
}

/// The text with the database before each table.
fn qualify(sql: &str) -> String {
    let mut text = sql.to_owned();
    for table in ["customers", "orders", "tickets"] {
        for word in ["FROM", "JOIN", ","] {
            text = text.replace(&format!("{word} {table}"), &format!("{word} shop.{table}"));
        }
    }
    text
}

/// Checks that the note of each query shows few rows and both results, and that it contains these words.
fn check(lint: &str, cases: &[(&str, &str, &[&str])]) {
    let mut wrong = Vec::new();
    for (prompt, sql, words) in cases {
        let note = read_note(lint, prompt, sql);
        let rows = note.matches('(').count();
        let has_results =
            note.starts_with("with ") && (note.contains("the query returns") || note.contains("the query can return"));
        if !has_results || rows > 7 || !words.iter().all(|word| note.contains(word)) {
            wrong.push(format!("{sql}\n  {note}\n  wanted {words:?}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn joins_that_repeat_or_lose_rows() {
    check(
        "multiplied_rows",
        &[
            (
                "What is the sum of CREDIT of customers with orders?",
                "SELECT SUM(c.CREDIT) FROM customers c JOIN orders o ON o.CUST = c.ID",
                &["CREDIT 101", "each row of `customers` once"],
            ),
            (
                "How many customers have orders?",
                "SELECT COUNT(c.ID) FROM customers c JOIN orders o ON o.CUST = c.ID",
                &["`orders` (CUST 1), (CUST 1)", "returns 2;", "returns 1"],
            ),
            (
                "How many orders does each customer have?",
                "SELECT o.CUST, COUNT(*) FROM orders o JOIN tickets t ON t.CUST = o.CUST GROUP BY o.CUST ORDER BY 1",
                &["`orders`", "`tickets`", "each row of `orders` once"],
            ),
        ],
    );
    check(
        "unmatched_rows",
        &[
            (
                "How many orders does each customer have? Give 0 if none.",
                "SELECT c.ID, COUNT(*) FROM customers c LEFT JOIN orders o ON o.CUST = c.ID GROUP BY c.ID ORDER BY 1",
                &["no row of `orders`", "(1, 1)", "(1, 0)", "`COUNT(o.ORD)`"],
            ),
            (
                "Give the ID and the number of open orders of each customer.",
                "SELECT c.ID, COUNT(o.ORD) FROM customers c LEFT JOIN orders o ON o.CUST = c.ID WHERE o.STATUS = 'open' GROUP BY c.ID ORDER BY 1",
                &["(CUST 2, STATUS 'open')", "(2, 1); with the condition in ON", "(1, 0) and (2, 1)"],
            ),
        ],
    );
}

#[test]
fn nulls_and_duplicates() {
    check(
        "nulls_left_out",
        &[
            (
                "How many orders are not paid?",
                "SELECT COUNT(*) FROM orders WHERE STATUS <> 'paid'",
                &["STATUS null", "returns 0;", "returns 1"],
            ),
            (
                "How many customers are nobody's BOSS?",
                "SELECT COUNT(*) FROM customers WHERE ID NOT IN (SELECT BOSS FROM customers)",
                &["BOSS null", "the nulls left out"],
            ),
        ],
    );
    check(
        "duplicates_dropped",
        &[(
            "What is the sum of AMOUNT of all orders?",
            "SELECT SUM(DISTINCT AMOUNT) FROM orders",
            &["`orders` (AMOUNT 11), (AMOUNT 11)", "returns 11;", "`SUM(AMOUNT)`", "returns 22"],
        )],
    );
}

#[test]
fn means_brackets_and_orders() {
    check(
        "mean_of_means",
        &[(
            "What is the mean AMOUNT of an order?",
            "SELECT AVG(M) FROM (SELECT AVG(AMOUNT) AS M FROM orders GROUP BY CUST)",
            &["`orders` (CUST", "all rows in one group"],
        )],
    );
    check(
        "unbracketed_or",
        &[(
            "How many orders of the customer 3 are open or paid?",
            "SELECT COUNT(*) FROM orders WHERE CUST = 3 AND STATUS = 'open' OR STATUS = 'paid'",
            &["STATUS 'paid'", "`(STATUS = 'open' OR STATUS = 'paid')`"],
        )],
    );
    check(
        "sql_integer_division",
        &[(
            "What is the mean of HOURS, as a fraction?",
            "SELECT SUM(HOURS) / COUNT(*) FROM tickets",
            &["`tickets` (HOURS", "`1.0 * SUM(HOURS) / COUNT(*)`"],
        )],
    );
    check(
        "tied_answer",
        &[(
            "Which customer has the highest CREDIT? Give the ID.",
            "SELECT ID FROM customers ORDER BY CREDIT DESC LIMIT 1",
            &["`customers` (ID 1, CREDIT", "(ID 2, CREDIT", "can return 1 or 2"],
        )],
    );
    check(
        "tied_answer",
        &[(
            "Which customer has the highest CREDIT? Give the ID and the CREDIT.",
            "SELECT ID, MAX(CREDIT) FROM customers",
            &["`customers` (ID 1, CREDIT", "(ID 2, CREDIT", "can return (1, ", " or (2, "],
        )],
    );
    check(
        "ambiguous_order",
        &[
            ("Give an order's ORD.", "SELECT ORD FROM orders LIMIT 1", &["can return 1 or 2"]),
            (
                "Give the customer and the number of orders.",
                "SELECT CUST, COUNT(*) FROM orders",
                &["`orders` (CUST", "can return"],
            ),
        ],
    );
}

#[test]
fn parameters_have_values() {
    let body = "sqlite shop at \"shop.db\" { table orders { rows 90  ORD : serial  STATUS : one_of [\"open\", \"paid\"] blank 10%  AMOUNT : int 10..500 } } \
        least : int 100..300 \
        prompt \"How many rows of orders in <<shop>> have an AMOUNT above <<least>> and are not paid? Number only.\" \
        expect reply number <<value: SELECT COUNT(*) FROM shop.orders WHERE AMOUNT > :least AND STATUS <> 'paid'>>";
    let compiled = super::compile(body);
    let found = compiled.diagnostics.iter().find(|said| said.code.name == "nulls_left_out").expect("the null");
    let note = found.note.as_deref().unwrap_or_default();
    assert!(note.contains("STATUS null") && note.contains("`:least`") && note.contains("the nulls kept"), "{note}");
}

/// The lints on conditions, joins, and ties that a task with this query gets.
fn list_codes(prompt: &str, sql: &str) -> Vec<&'static str> {
    let body = format!(
        "{TABLES}\n  prompt \"{prompt} Look at <<shop>>: customers, orders, tickets.\"\n  expect reply rows <<rows: {}>>",
        qualify(sql)
    );
    let compiled = testing::compile_text(&testing::build_suite_source("", &body));
    const OWN: [&str; 5] =
        ["impossible_predicate", "vacuous_predicate", "cartesian_join", "multiplied_rows", "tied_answer"];
    compiled.diagnostics.iter().map(|said| said.code.name).filter(|name| OWN.contains(name)).collect()
}

#[test]
fn one_slip_has_one_diagnostic() {
    for (prompt, sql, wanted) in [
        // What is computed with a misspelt text is not told, too.
        (
            "On how many CUST is the sum of AMOUNT, less that of the orders that were sent, above 0?",
            "SELECT COUNT(*) FROM (SELECT CUST, SUM(CASE STATUS WHEN 'sentt' THEN -AMOUNT ELSE AMOUNT END) AS NET FROM orders GROUP BY CUST) WHERE NET > 0",
            vec!["impossible_predicate"],
        ),
        // Nor that a join without a condition repeats rows.
        (
            "What is the sum of CREDIT?",
            "SELECT SUM(c.CREDIT) FROM customers c, orders o WHERE o.AMOUNT > 20",
            vec!["cartesian_join"],
        ),
        // Nor rows that tie in a running sum over rows that tie.
        (
            "At which order does the running sum of AMOUNT, by BONUS, exceed 100? Give the ORD.",
            "SELECT ORD FROM (SELECT ORD, SUM(AMOUNT) OVER (ORDER BY BONUS ROWS UNBOUNDED PRECEDING) AS T FROM orders) WHERE T > 100 ORDER BY T LIMIT 1",
            vec!["tied_answer"],
        ),
    ] {
        assert_eq!(list_codes(prompt, sql), wanted, "{sql}");
    }
    let row = r#"pos : int 1..60 csv panel at "p.csv" { rows 40..80  JACK : unique int 1..400  PEER : unique pattern "sw[1-4]-ge[0-9]{2}" }
        peer = csv_value(panel.PEER, pos) jack = csv_value(panel.JACK, pos)
        prompt "Give the `jack` and the `peer` of row <<pos>> of <<panel>> as JSON." expect reply json { jack: jack, peer: peer }"#;
    assert_eq!(super::list_told(row, &[]), [("E0503".to_owned(), "pos".to_owned())]);
    // Two numbers are two mistakes.
    let two = row
        .replace("csv_value(panel.PEER, pos)", "csv_value(panel.PEER, 90)")
        .replace("csv_value(panel.JACK, pos)", "csv_value(panel.JACK, 90)");
    assert_eq!(super::list_told(&two, &[]).len(), 2);
}

#[test]
fn groups_of_a_result_are_one_row_each() {
    let body = "csv visits at \"v.csv\" { rows 60  SITE : one_of [\"a\", \"b\", \"c\"]  HOURS : int 1..9 } csv sites at \"s.csv\" { rows 3  SITE : unique one_of [\"a\", \"b\", \"c\"]  PEOPLE : int 10..99 } \
        means = <<rows: SELECT SITE, AVG(HOURS) AS H FROM visits GROUP BY SITE>> \
        people = <<value: SELECT COALESCE(SUM(s.PEOPLE), 0) FROM sites s JOIN means m ON s.SITE = m.SITE>> \
        prompt \"What is the sum of PEOPLE of the sites in <<sites>> that <<visits>> has? Number only.\" expect reply number people";
    assert_eq!(super::list_told(body, &["W0520"]), []);
}
