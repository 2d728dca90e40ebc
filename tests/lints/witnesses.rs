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
                &["no row of `orders`", "no row;", "the condition in ON"],
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
            &["`customers` (ID 1, CREDIT 101), (ID 2, CREDIT 101)", "can return 1 or 2"],
        )],
    );
    check(
        "tied_answer",
        &[(
            "Which customer has the highest CREDIT? Give the ID and the CREDIT.",
            "SELECT ID, MAX(CREDIT) FROM customers",
            &["`customers` (ID 1, CREDIT 101), (ID 2, CREDIT 101)", "can return (1, 101) or (2, 101)"],
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
