//! The lints on which rows a query counts: joins that repeat or lose rows, nulls, duplicates, means of means, and the order of windows.

use compiler::diagnostics::{Diagnostic, Severity};

/// Declarations that every case has.
const TABLES: &str = r#"
  sqlite shop at "shop.db" {
    table customers { rows 20  CUST_ID : serial  NAME : person_name  CITY : city  CREDIT : int 100..900  BOSS : int 1..20 blank 20% }
    table products  { rows 9   PROD_ID : serial  TITLE : unique word  PRICE : decimal 1.00..9.99 }
    table orders {
      rows 90
      ORD_ID  : serial
      CUST_ID : ref customers.CUST_ID
      PROD_ID : ref products.PROD_ID
      STATUS  : one_of ["open", "paid", "sent"] blank 10%
      KIND    : one_of ["web", "shop"]
      QTY     : int 1..9
      AMOUNT  : int 10..500
      DAY     : date 2024-01-01..2024-12-31
    }
    table tickets { rows 40  TICKET : serial  CUST_ID : ref customers.CUST_ID  LEVEL : int 1..3  HOURS : int 1..9 }
  }
"#;

/// The lints of this table.
const OWN: [&str; 11] = [
    "multiplied_rows",
    "unmatched_rows",
    "merged_groups",
    "nulls_left_out",
    "duplicates_dropped",
    "mean_of_means",
    "unbracketed_or",
    "ambiguous_order",
    "tied_answer",
    "impossible_predicate",
    "vacuous_predicate",
];

/// The findings of a task with this prompt and query, and the words that they point at; errors, too.
fn list_findings(prompt: &str, sql: &str) -> Vec<(&'static str, String)> {
    let body = format!(
        "{TABLES}\n  prompt \"{prompt} Look at <<shop>>: customers, products, orders, tickets.\"\n  expect reply rows <<rows: {}>>",
        qualify(sql)
    );
    let compiled = testing::compile_text(&testing::build_suite_source("", &body));
    let is_own = |said: &&Diagnostic| said.severity() == Severity::Error || OWN.contains(&said.code.name);
    let point = |said: &Diagnostic| compiled.sources.text(said.primary.span).to_owned();
    compiled.diagnostics.iter().filter(is_own).map(|said| (said.code.name, point(said))).collect()
}

/// The text with the database before each table.
fn qualify(sql: &str) -> String {
    let mut text = sql.to_owned();
    for table in ["customers", "products", "orders", "tickets"] {
        for word in ["FROM", "JOIN", ","] {
            text = text.replace(&format!("{word} {table}"), &format!("{word} shop.{table}"));
        }
    }
    text
}

/// Checks queries: the lint points at exactly these words (none: it says nothing), and no other lint speaks.
fn check(lint: &str, cases: &[(&str, &str, Option<&str>)]) {
    let mut wrong = Vec::new();
    for (prompt, sql, at) in cases {
        let found = list_findings(prompt, sql);
        let wanted: Vec<(&str, String)> = at.iter().map(|at| (lint, qualify(at))).collect();
        if found != wanted {
            wrong.push(format!("{prompt}\n  {sql}\n  said   {found:?}\n  wanted {wanted:?}"));
        }
    }
    assert!(wrong.is_empty(), "{lint}\n{}", wrong.join("\n"));
}

#[test]
fn multiplied_rows() {
    let chasm = "FROM customers c JOIN orders o ON o.CUST_ID = c.CUST_ID JOIN tickets t ON t.CUST_ID = c.CUST_ID";
    let from = |select: &str| format!("SELECT {select} {chasm}");
    let children = "FROM customers c JOIN orders o ON o.CUST_ID = c.CUST_ID";
    check(
        "multiplied_rows",
        &[
            ("The total?", &from("SUM(o.AMOUNT)"), Some("SUM(o.AMOUNT)")),
            ("The mean?", &from("ROUND(AVG(t.HOURS), 2)"), Some("AVG(t.HOURS)")),
            ("How many?", &from("COUNT(o.ORD_ID)"), Some("COUNT(o.ORD_ID)")),
            ("How many rows?", &from("COUNT(*)"), Some("COUNT(*)")),
            (
                "For each customer, the total AMOUNT.",
                &format!("SELECT c.CUST_ID, SUM(o.AMOUNT) AS N {chasm} GROUP BY c.CUST_ID"),
                Some("SUM(o.AMOUNT)"),
            ),
            (
                "For each CITY.",
                &format!("SELECT c.CITY, SUM(o.AMOUNT) AS N {chasm} WHERE t.LEVEL = 3 GROUP BY c.CITY"),
                Some("SUM(o.AMOUNT)"),
            ),
            (
                "The total AMOUNT.",
                "SELECT SUM(o.AMOUNT) FROM orders o JOIN tickets t ON t.CUST_ID = o.CUST_ID",
                Some("SUM(o.AMOUNT)"),
            ),
            (
                "The total AMOUNT.",
                "SELECT SUM(o.AMOUNT) FROM orders o LEFT JOIN tickets t USING (CUST_ID)",
                Some("SUM(o.AMOUNT)"),
            ),
            (
                "What is the total CREDIT of the customers with an open order?",
                &format!("SELECT SUM(c.CREDIT) {children} WHERE o.KIND = 'web'"),
                Some("SUM(c.CREDIT)"),
            ),
            (
                "What is the total CREDIT of the customers who have an order?",
                "SELECT SUM(CREDIT) FROM orders JOIN customers USING (CUST_ID)",
                Some("SUM(CREDIT)"),
            ),
            (
                "How many customers have an order from the web?",
                &format!("SELECT COUNT(*) {children} WHERE o.KIND = 'web'"),
                Some("COUNT(*)"),
            ),
            (
                "How many customers have an order?",
                &format!("SELECT COUNT(c.CUST_ID) {children}"),
                Some("COUNT(c.CUST_ID)"),
            ),
            (
                "How many pairs of customers live in one CITY?",
                "SELECT COUNT(*) FROM customers a JOIN customers b ON a.CITY = b.CITY AND a.CUST_ID <> b.CUST_ID",
                Some("a.CUST_ID <> b.CUST_ID"),
            ),
            (
                "List all pairs of customers in one CITY.",
                "SELECT a.NAME AS A, b.NAME AS B FROM customers a, customers b WHERE a.CITY = b.CITY AND b.CUST_ID != a.CUST_ID",
                Some("b.CUST_ID != a.CUST_ID"),
            ),
            (
                "How many customers have an order from the web?",
                "SELECT COUNT(*) FROM orders WHERE KIND = 'web'",
                Some("COUNT(*)"),
            ),
            (
                "How many customers bought something in May?",
                "SELECT COUNT(CUST_ID) FROM orders WHERE DAY LIKE '2024-05%'",
                Some("COUNT(CUST_ID)"),
            ),
            // near misses
            ("How many orders came from the web?", "SELECT COUNT(*) FROM orders WHERE KIND = 'web'", None),
            ("How many products were sold on the web?", "SELECT COUNT(*) FROM orders WHERE KIND = 'web'", None),
            (
                "For each customer, the number of products.",
                "SELECT CUST_ID, COUNT(*) AS N FROM orders GROUP BY CUST_ID",
                None,
            ),
            ("How many customers have an order?", "SELECT COUNT(DISTINCT CUST_ID) FROM orders", None),
            (
                "How many customers have three orders?",
                "SELECT COUNT(*) FROM (SELECT CUST_ID FROM orders GROUP BY CUST_ID HAVING COUNT(*) = 3)",
                None,
            ),
            (
                "The total AMOUNT of customers without tickets?",
                "SELECT SUM(o.AMOUNT) FROM orders o LEFT JOIN tickets t ON t.CUST_ID = o.CUST_ID WHERE t.TICKET IS NULL",
                None,
            ),
            ("The total?", &from("COUNT(DISTINCT o.ORD_ID)"), None),
            ("The largest?", &from("MAX(o.AMOUNT)"), None),
            ("How many pairs of an order and a ticket of one customer?", &from("COUNT(*)"), None),
            ("How many orders?", &format!("SELECT COUNT(*) {children}"), None),
            ("How many orders of customers?", &format!("SELECT COUNT(*) {children} WHERE c.CITY = 'Mesa'"), None),
            ("What is the total AMOUNT?", &format!("SELECT SUM(o.AMOUNT) {children} WHERE c.CREDIT > 300"), None),
            (
                "What is the total value of all orders?",
                "SELECT SUM(o.QTY * p.PRICE) FROM orders o JOIN products p ON p.PROD_ID = o.PROD_ID",
                None,
            ),
            (
                "What is the total PRICE of the products of all orders?",
                "SELECT SUM(p.PRICE) FROM orders o JOIN products p ON p.PROD_ID = o.PROD_ID",
                None,
            ),
            ("The total CREDIT over all orders?", &format!("SELECT SUM(c.CREDIT) {children}"), None),
            (
                "For each order, the HOURS.",
                "SELECT o.ORD_ID, SUM(t.HOURS) AS N FROM orders o JOIN tickets t USING (CUST_ID) GROUP BY o.ORD_ID",
                None,
            ),
            (
                "The total.",
                "SELECT SUM(o.N + t.M) FROM (SELECT CUST_ID, SUM(AMOUNT) AS N FROM orders GROUP BY CUST_ID) o JOIN (SELECT CUST_ID, SUM(HOURS) AS M FROM tickets GROUP BY CUST_ID) t USING (CUST_ID)",
                None,
            ),
            ("The total.", &format!("SELECT SUM(o.AMOUNT) {chasm} WHERE t.TICKET = 3"), None),
            (
                "How many pairs of customers live in one CITY?",
                "SELECT COUNT(*) FROM customers a JOIN customers b ON a.CITY = b.CITY AND a.CUST_ID < b.CUST_ID",
                None,
            ),
            (
                "For each customer, how many others live there?",
                "SELECT a.CUST_ID, COUNT(*) AS N FROM customers a JOIN customers b ON a.CITY = b.CITY AND a.CUST_ID <> b.CUST_ID GROUP BY a.CUST_ID",
                None,
            ),
            (
                "How many customers have a richer one in the CITY?",
                "SELECT COUNT(*) FROM customers a JOIN customers b ON a.CITY = b.CITY AND a.CUST_ID <> b.CUST_ID AND a.CREDIT < b.CREDIT",
                None,
            ),
        ],
    );
}

#[test]
fn unmatched_rows() {
    let left = "FROM customers c LEFT JOIN orders o ON o.CUST_ID = c.CUST_ID";
    let from = |select: &str, rest: &str| format!("SELECT {select} {left} {rest}");
    let each = "c.CUST_ID, COUNT(*) AS N";
    check(
        "unmatched_rows",
        &[
            ("For each customer, the orders.", &from(each, "GROUP BY c.CUST_ID"), Some("COUNT(*)")),
            (
                "For each customer, the orders.",
                &from("c.CUST_ID, COUNT(1) AS N", "GROUP BY c.CUST_ID"),
                Some("COUNT(1)"),
            ),
            (
                "For each customer, the orders.",
                &from("c.CUST_ID, COUNT(c.CUST_ID) AS N", "GROUP BY c.CUST_ID"),
                Some("COUNT(c.CUST_ID)"),
            ),
            ("For each CITY, the orders.", &from("c.CITY, COUNT(*) AS N", "GROUP BY c.CITY"), Some("COUNT(*)")),
            (
                "For each customer, the orders.",
                &from("c.CUST_ID, COUNT(o.ORD_ID) AS N", "WHERE o.KIND = 'web' GROUP BY c.CUST_ID"),
                Some("o.KIND = 'web'"),
            ),
            (
                "For each customer, the orders.",
                &from(
                    "c.CUST_ID, COUNT(o.ORD_ID) AS N",
                    "WHERE c.CREDIT > 200 AND o.QTY BETWEEN 2 AND 5 GROUP BY c.CUST_ID",
                ),
                Some("o.QTY BETWEEN 2 AND 5"),
            ),
            (
                "For each customer, the orders.",
                &from("c.CUST_ID, COUNT(o.ORD_ID) AS N", "WHERE strftime('%m', o.DAY) = '03' GROUP BY c.CUST_ID"),
                Some("strftime('%m', o.DAY) = '03'"),
            ),
            (
                "For each customer, the orders.",
                &from("c.CUST_ID, COUNT(o.ORD_ID) AS N", "WHERE replace(o.KIND, 'w', 'v') = 'veb' GROUP BY c.CUST_ID"),
                Some("replace(o.KIND, 'w', 'v') = 'veb'"),
            ),
            (
                "The customers and the products that they ordered.",
                "SELECT c.CUST_ID, p.TITLE FROM customers c LEFT JOIN orders o ON o.CUST_ID = c.CUST_ID JOIN products p ON p.PROD_ID = o.PROD_ID",
                Some("p.PROD_ID = o.PROD_ID"),
            ),
            (
                "For each customer, how many orders, including customers without orders.",
                "SELECT c.CUST_ID, COUNT(*) AS N FROM customers c JOIN orders o ON o.CUST_ID = c.CUST_ID GROUP BY c.CUST_ID",
                Some("JOIN"),
            ),
            // near misses
            ("For each customer, the orders.", &from("c.CUST_ID, COUNT(o.ORD_ID) AS N", "GROUP BY c.CUST_ID"), None),
            ("The customers without orders.", &from("COUNT(*)", "WHERE o.ORD_ID IS NULL"), None),
            ("The customers without orders.", &from("COUNT(DISTINCT c.CUST_ID)", "WHERE hex(o.ORD_ID) = ''"), None),
            ("The customers.", &from("c.CUST_ID, o.ORD_ID", "WHERE replace(c.CITY, '', o.KIND) = c.CITY"), None),
            ("The customers.", &from("c.CUST_ID, o.ORD_ID", "WHERE o.KIND = 'web' OR o.KIND IS NULL"), None),
            ("The customers.", &from("c.CUST_ID, o.ORD_ID", "WHERE COALESCE(o.KIND, 'web') = 'web'"), None),
            (
                "For each CITY, the orders.",
                "SELECT c.CITY, COUNT(*) AS N FROM orders o LEFT JOIN customers c ON o.CUST_ID = c.CUST_ID GROUP BY c.CITY",
                None,
            ),
            (
                "How many orders from Mesa?",
                "SELECT COUNT(*) FROM orders o LEFT JOIN customers c ON o.CUST_ID = c.CUST_ID WHERE c.CITY = 'Mesa'",
                None,
            ),
            (
                "For each customer, how many orders.",
                "SELECT c.CUST_ID, COUNT(*) AS N FROM customers c JOIN orders o ON o.CUST_ID = c.CUST_ID GROUP BY c.CUST_ID",
                None,
            ),
        ],
    );
}

#[test]
fn merged_groups() {
    let from = "FROM customers c JOIN orders o ON o.CUST_ID = c.CUST_ID";
    check(
        "merged_groups",
        &[
            (
                "For each customer, the total.",
                &format!("SELECT c.NAME, SUM(o.AMOUNT) AS N {from} GROUP BY c.NAME"),
                Some("c.NAME"),
            ),
            (
                "The highest number of orders of a customer.",
                &format!("SELECT MAX(N) FROM (SELECT COUNT(*) AS N {from} GROUP BY NAME)"),
                Some("NAME"),
            ),
            ("How many buyers?", &format!("SELECT COUNT(DISTINCT c.NAME) {from}"), Some("COUNT(DISTINCT c.NAME)")),
            (
                "The highest number of orders of a customer. Different customers can have the same NAME.",
                &format!("SELECT MAX(N) FROM (SELECT COUNT(*) AS N {from} GROUP BY NAME)"),
                Some("NAME"),
            ),
            (
                "For each customer and KIND.",
                &format!("SELECT c.NAME, o.KIND, COUNT(*) AS N {from} GROUP BY c.NAME, o.KIND"),
                Some("c.NAME"),
            ),
            ("Per customer.", &format!("SELECT c.NAME AS WHO, COUNT(*) AS N {from} GROUP BY WHO"), Some("WHO")),
            ("Per customer.", &format!("SELECT NAME, COUNT(*) AS N {from} GROUP BY 1"), Some("1")),
            (
                "How many customers live in Mesa?",
                "SELECT COUNT(DISTINCT NAME) FROM customers WHERE CITY = 'Mesa'",
                Some("COUNT(DISTINCT NAME)"),
            ),
            (
                "How many customers live in Mesa?",
                "SELECT COUNT(DISTINCT NAME) FROM customers WHERE CITY = 'Mesa'",
                Some("COUNT(DISTINCT NAME)"),
            ),
            // near misses
            (
                "How many different names are there?",
                "SELECT COUNT(DISTINCT NAME) FROM customers WHERE CITY = 'Mesa'",
                None,
            ),
            ("For each customer.", &format!("SELECT c.NAME, SUM(o.AMOUNT) AS N {from} GROUP BY c.CUST_ID"), None),
            (
                "For each customer.",
                &format!("SELECT c.NAME, SUM(o.AMOUNT) AS N {from} GROUP BY c.CUST_ID, c.NAME"),
                None,
            ),
            (
                "For each NAME of a customer.",
                &format!("SELECT c.NAME, SUM(o.AMOUNT) AS N {from} GROUP BY c.NAME"),
                None,
            ),
            ("For each CITY.", &format!("SELECT c.CITY, SUM(o.AMOUNT) AS N {from} GROUP BY c.CITY"), None),
            ("Who shares a name?", "SELECT NAME, COUNT(*) AS N FROM customers GROUP BY NAME", None),
            (
                "For each product.",
                "SELECT p.TITLE, COUNT(*) AS N FROM products p JOIN orders o ON o.PROD_ID = p.PROD_ID GROUP BY p.TITLE",
                None,
            ),
        ],
    );
}

#[test]
fn nulls_left_out() {
    let count = |condition: &str| format!("SELECT COUNT(*) FROM orders WHERE {condition}");
    let boss = "SELECT COUNT(*) FROM customers WHERE CUST_ID NOT IN";
    check(
        "nulls_left_out",
        &[
            ("How many are not paid?", &count("STATUS <> 'paid'"), Some("STATUS <> 'paid'")),
            ("How many are not paid?", &count("QTY > 3 AND 'paid' != STATUS"), Some("'paid' != STATUS")),
            (
                "How many are not paid?",
                &count("STATUS NOT IN ('paid', 'open')"),
                Some("STATUS NOT IN ('paid', 'open')"),
            ),
            ("How many are not paid?", &count("STATUS NOT LIKE 'p%'"), Some("STATUS NOT LIKE 'p%'")),
            ("How many are not paid?", &count("NOT (STATUS = 'paid')"), Some("NOT (STATUS = 'paid')")),
            (
                "How many lead nobody?",
                &format!("{boss} (SELECT BOSS FROM customers)"),
                Some("CUST_ID NOT IN (SELECT BOSS FROM customers)"),
            ),
            (
                "How many lead nobody?",
                &format!("{boss} (SELECT b.BOSS FROM customers b WHERE b.CREDIT > 500)"),
                Some("CUST_ID NOT IN (SELECT b.BOSS FROM customers b WHERE b.CREDIT > 500)"),
            ),
            (
                "What do unpaid orders sum up to?",
                "SELECT SUM(CASE WHEN STATUS <> 'paid' THEN AMOUNT ELSE 0 END) FROM orders",
                Some("STATUS <> 'paid'"),
            ),
            // near misses
            ("How many are not paid?", &count("KIND <> 'web'"), None),
            ("How many are not paid, blank ones included?", &count("STATUS <> 'paid' OR STATUS IS NULL"), None),
            ("How many have a STATUS other than paid? Leave out empty cells.", &count("STATUS <> 'paid'"), None),
            ("How many are not paid?", &count("STATUS IS NOT 'paid'"), None),
            ("How many are not paid?", &count("STATUS IS NOT NULL AND STATUS <> 'paid'"), None),
            ("How many are not paid?", &count("COALESCE(STATUS, '') <> 'paid'"), None),
            ("How many lead nobody?", &format!("{boss} (SELECT BOSS FROM customers WHERE BOSS IS NOT NULL)"), None),
            ("How many lead nobody?", &format!("{boss} (SELECT CUST_ID FROM orders)"), None),
            ("How many lead?", "SELECT COUNT(*) FROM customers WHERE CUST_ID IN (SELECT BOSS FROM customers)", None),
        ],
    );
}

#[test]
fn duplicates_dropped() {
    let both = |word: &str| format!("(SELECT AMOUNT AS X FROM orders {word} SELECT CREDIT FROM customers)");
    check(
        "duplicates_dropped",
        &[
            ("The total?", &format!("SELECT SUM(X) FROM {}", both("UNION")), Some("UNION")),
            ("The mean?", &format!("SELECT AVG(X) FROM {}", both("UNION")), Some("UNION")),
            ("How many values?", &format!("SELECT COUNT(*) FROM {}", both("UNION")), Some("UNION")),
            ("The total?", &format!("WITH a AS {} SELECT SUM(a.X) + 1 FROM a", both("UNION")), Some("UNION")),
            (
                "The total?",
                "SELECT SUM(X) FROM (SELECT SUM(AMOUNT) AS X FROM orders UNION SELECT SUM(CREDIT) FROM customers)",
                Some("UNION"),
            ),
            ("The total?", "SELECT SUM(AMOUNT) FROM (SELECT DISTINCT KIND, AMOUNT FROM orders)", Some("DISTINCT")),
            ("The total?", "SELECT SUM(DISTINCT AMOUNT) FROM orders", Some("SUM(DISTINCT AMOUNT)")),
            ("The mean?", "SELECT ROUND(AVG(DISTINCT QTY), 2) FROM orders", Some("AVG(DISTINCT QTY)")),
            // near misses
            ("The total?", &format!("SELECT SUM(X) FROM {}", both("UNION ALL")), None),
            ("The largest?", &format!("SELECT MAX(X) FROM {}", both("UNION")), None),
            ("The total of the different values?", "SELECT SUM(DISTINCT AMOUNT) FROM orders", None),
            ("The total?", "SELECT SUM(DISTINCT ORD_ID) FROM orders", None),
            ("How many CITYs?", "SELECT COUNT(DISTINCT CITY) FROM customers", None),
            (
                "How many customers?",
                "SELECT COUNT(*) FROM (SELECT CUST_ID FROM orders UNION SELECT CUST_ID FROM tickets)",
                None,
            ),
            (
                "The total?",
                "SELECT SUM(AMOUNT) FROM (SELECT ORD_ID, AMOUNT FROM orders WHERE QTY > 5 UNION SELECT ORD_ID, AMOUNT FROM orders WHERE KIND = 'web')",
                None,
            ),
            ("The CITYs?", "SELECT CITY FROM customers UNION SELECT KIND FROM orders", None),
        ],
    );
}

#[test]
fn mean_of_means() {
    let by = |select: &str| format!("(SELECT CUST_ID, {select} AS M FROM orders GROUP BY CUST_ID)");
    check(
        "mean_of_means",
        &[
            ("The average AMOUNT?", &format!("SELECT AVG(M) FROM {}", by("AVG(AMOUNT)")), Some("AVG(M)")),
            (
                "The average AMOUNT?",
                &format!("SELECT ROUND(AVG(x.M), 2) FROM {} x", by("ROUND(AVG(AMOUNT), 2)")),
                Some("AVG(x.M)"),
            ),
            ("The average AMOUNT?", &format!("WITH a AS {} SELECT AVG(M) FROM a", by("AVG(AMOUNT)")), Some("AVG(M)")),
            ("The mean QTY?", &format!("SELECT AVG(M) FROM {} WHERE M > 2", by("AVG(QTY)")), Some("AVG(M)")),
            (
                "The mean QTY of the web.",
                "SELECT AVG(M) FROM (SELECT AVG(QTY) AS M FROM orders WHERE KIND = 'web' GROUP BY PROD_ID)",
                Some("AVG(M)"),
            ),
            (
                "The average AMOUNT?",
                &format!("SELECT 2 * AVG(M) FROM {}", by("CAST(AVG(AMOUNT) AS REAL)")),
                Some("AVG(M)"),
            ),
            // near misses
            ("The average of the average AMOUNT?", &format!("SELECT AVG(M) FROM {}", by("AVG(AMOUNT)")), None),
            (
                "The mean over customers of each customer's mean AMOUNT?",
                &format!("SELECT AVG(M) FROM {}", by("AVG(AMOUNT)")),
                None,
            ),
            ("The mean of the customers' mean AMOUNT?", &format!("SELECT AVG(M) FROM {}", by("AVG(AMOUNT)")), None),
            ("The average total?", &format!("SELECT AVG(M) FROM {}", by("SUM(AMOUNT)")), None),
            ("The average number?", &format!("SELECT AVG(M) FROM {}", by("COUNT(*)")), None),
            ("The highest average?", &format!("SELECT MAX(M) FROM {}", by("AVG(AMOUNT)")), None),
            ("The average AMOUNT?", "SELECT AVG(AMOUNT) FROM orders", None),
            ("The average AMOUNT?", "SELECT AVG(M) FROM (SELECT AMOUNT AS M FROM orders)", None),
        ],
    );
}

#[test]
fn unbracketed_or() {
    let count = |condition: &str| format!("SELECT COUNT(*) FROM orders WHERE {condition}");
    check(
        "unbracketed_or",
        &[
            ("How many?", &count("QTY > 3 AND KIND = 'web' OR KIND = 'shop'"), Some("QTY > 3 AND KIND = 'web'")),
            ("How many?", &count("KIND = 'shop' OR KIND = 'web' AND QTY > 3"), Some("KIND = 'web' AND QTY > 3")),
            (
                "How many?",
                &count("QTY > 3 AND KIND = 'web' OR AMOUNT > 300 OR AMOUNT < 20"),
                Some("QTY > 3 AND KIND = 'web'"),
            ),
            (
                "How many?",
                &count("AMOUNT < 90 AND (QTY > 3 AND KIND = 'web' OR KIND = 'shop')"),
                Some("QTY > 3 AND KIND = 'web'"),
            ),
            (
                "How many?",
                "SELECT COUNT(*) FROM orders o JOIN products p ON o.PROD_ID = p.PROD_ID AND o.QTY > 3 OR p.PRICE > 5",
                Some("o.PROD_ID = p.PROD_ID AND o.QTY > 3"),
            ),
            (
                "Which?",
                "SELECT KIND, SUM(QTY) AS N FROM orders GROUP BY KIND HAVING SUM(QTY) > 3 AND MIN(QTY) < 4 OR MAX(QTY) > 8",
                Some("SUM(QTY) > 3 AND MIN(QTY) < 4"),
            ),
            // near misses
            ("How many?", &count("QTY > 3 AND (KIND = 'web' OR AMOUNT > 300)"), None),
            ("How many?", &count("(QTY > 3 AND KIND = 'web') OR AMOUNT > 300"), None),
            ("How many?", &count("QTY > 3 AND KIND = 'web' OR QTY < 2 AND KIND = 'shop'"), None),
            ("How many?", &count("QTY > 3 OR AMOUNT > 300 OR KIND = 'web'"), None),
            ("How many?", &count("QTY BETWEEN 3 AND 5 OR AMOUNT > 300"), None),
            ("How many?", &count("QTY > 3 AND KIND IN ('web') AND AMOUNT > 300"), None),
        ],
    );
}

#[test]
fn order_of_windows() {
    let over = |call: &str| format!("SELECT ORD_ID, {call} AS N FROM orders");
    check(
        "tied_answer",
        &[
            ("The one before.", &over("LAG(AMOUNT) OVER (ORDER BY DAY)"), Some("DAY")),
            ("The change.", &over("AMOUNT - LAG(AMOUNT, 1) OVER (PARTITION BY CUST_ID ORDER BY DAY)"), Some("DAY")),
            ("The next.", &over("LEAD(DAY) OVER (ORDER BY DAY)"), Some("DAY")),
            ("The first.", &over("FIRST_VALUE(AMOUNT) OVER (PARTITION BY CUST_ID ORDER BY DAY)"), Some("DAY")),
            ("The second.", &over("NTH_VALUE(AMOUNT, 2) OVER (ORDER BY DAY)"), Some("DAY")),
            ("The quarter.", &over("NTILE(4) OVER (ORDER BY AMOUNT DESC)"), Some("AMOUNT DESC")),
            ("The running total.", &over("SUM(AMOUNT) OVER (ORDER BY DAY ROWS UNBOUNDED PRECEDING)"), Some("DAY")),
            (
                "The moving mean.",
                &over("AVG(AMOUNT) OVER w")
                    .replace("FROM orders", "FROM orders WINDOW w AS (ORDER BY DAY ROWS 2 PRECEDING)"),
                Some("DAY"),
            ),
            (
                "How many rises?",
                "SELECT COUNT(*) FROM (SELECT AMOUNT - LAG(AMOUNT) OVER (ORDER BY DAY) AS D FROM orders) WHERE D > 0",
                Some("DAY"),
            ),
            (
                "The largest.",
                "SELECT MAX(D) FROM (SELECT AMOUNT - LAG(AMOUNT) OVER (ORDER BY DAY) AS D FROM orders)",
                Some("DAY"),
            ),
            (
                "The list.",
                "SELECT KIND, GROUP_CONCAT(ORD_ID, ' ' ORDER BY DAY) AS L FROM orders GROUP BY KIND",
                Some("DAY"),
            ),
            // near misses
            (
                "The list.",
                "SELECT KIND, GROUP_CONCAT(ORD_ID, ' ' ORDER BY DAY, ORD_ID) AS L FROM orders GROUP BY KIND",
                None,
            ),
            ("The list.", "SELECT KIND, GROUP_CONCAT(DAY, ' ' ORDER BY DAY) AS L FROM orders GROUP BY KIND", None),
            ("The one before.", &over("LAG(AMOUNT) OVER (ORDER BY DAY, ORD_ID)"), None),
            ("The running total.", &over("SUM(AMOUNT) OVER (ORDER BY DAY)"), None),
            ("The total.", &over("SUM(AMOUNT) OVER (PARTITION BY CUST_ID)"), None),
            ("The first.", &over("FIRST_VALUE(DAY) OVER (ORDER BY DAY)"), None),
            ("The rank.", &over("RANK() OVER (ORDER BY DAY)"), None),
            ("The days.", "SELECT DAY, LAG(DAY) OVER (ORDER BY DAY) AS P FROM orders", None),
            (
                "The months.",
                "SELECT M, N - LAG(N) OVER (ORDER BY M) AS D FROM (SELECT strftime('%m', DAY) AS M, SUM(AMOUNT) AS N FROM orders GROUP BY M)",
                None,
            ),
        ],
    );
    check(
        "ambiguous_order",
        &[
            ("The one before.", &over("LAG(AMOUNT) OVER ()"), Some("LAG(AMOUNT) OVER ()")),
            (
                "The first.",
                &over("FIRST_VALUE(AMOUNT) OVER (PARTITION BY CUST_ID)"),
                Some("FIRST_VALUE(AMOUNT) OVER (PARTITION BY CUST_ID)"),
            ),
            ("The number.", &over("ROW_NUMBER() OVER ()"), Some("ROW_NUMBER() OVER ()")),
            ("The share.", &over("1.0 * AMOUNT / SUM(AMOUNT) OVER ()"), None),
            ("The mean.", &over("AVG(AMOUNT) OVER (PARTITION BY CUST_ID)"), None),
            ("The first.", &over("FIRST_VALUE(CUST_ID) OVER (PARTITION BY CUST_ID)"), None),
        ],
    );
}

#[test]
fn groups() {
    let having =
        |condition: &str| format!("SELECT CUST_ID, COUNT(*) AS N FROM orders GROUP BY CUST_ID HAVING {condition}");
    check(
        "impossible_predicate",
        &[
            ("Which?", &having("COUNT(*) = 0"), Some("COUNT(*) = 0")),
            ("Which?", &having("COUNT(*) > 90"), Some("COUNT(*) > 90")),
            ("Which?", &having("1 > COUNT(*)"), Some("1 > COUNT(*)")),
            ("Which?", &having("COUNT(*) > 3 AND SUM(QTY) > 9"), None),
            ("Which?", &having("COUNT(*) = 90"), None),
            ("Which?", &having("COUNT(DISTINCT PROD_ID) = 1"), None),
        ],
    );
    // The help of a forgotten GROUP BY.
    let body = format!(
        "{TABLES}\n  prompt \"<<shop>>\"\n  expect reply rows <<rows: SELECT KIND, COUNT(*) AS N FROM shop.orders WHERE QTY > 3 ORDER BY KIND>>"
    );
    let compiled = testing::compile_text(&testing::build_suite_source("", &body));
    let said = compiled.diagnostics.iter().find(|said| said.code.name == "ambiguous_order").expect("a finding");
    assert_eq!(said.help.as_deref(), Some("for one row of each `KIND`, add `GROUP BY KIND`"));
    assert_eq!(said.fixes.len(), 1, "{said:?}");
}

/// The findings about the rows of a data set, each with its note.
fn list_findings_of_rows(database: &str, rows: &[(&str, &str)]) -> Vec<(&'static str, String)> {
    let quote = |text: &str| format!("\"{}\"", text.replace('"', "\"\""));
    let lines =
        rows.iter().enumerate().map(|(at, (asked, sql))| format!("{},{},{}\n", at + 1, quote(asked), quote(sql)));
    let table = format!("ID,QUESTION,SQL\n{}", lines.collect::<String>());
    let body = format!(
        "each q in qs key ID\n{database}\n  prompt \"<<q.QUESTION>> Reply with one query on <<shop>> in a sql block. <<schema(shop)>>\"\n  expect reply fenced \"sql\" sql shop query(shop, q.SQL)"
    );
    let text = testing::build_suite_source("", &body).replacen("task ", "table qs from \"qs.csv\"\n\ntask ", 1);
    let mut kept = picardc::sqlite::Database::new_empty(&picardc::sqlite::TOOL).expect("opened");
    let filled = "CREATE TABLE customers (CUST_ID INTEGER PRIMARY KEY, NAME TEXT NOT NULL, CITY TEXT);
        CREATE TABLE orders (ORD_ID INTEGER PRIMARY KEY, CUST_ID INTEGER NOT NULL REFERENCES customers (CUST_ID), AMOUNT INTEGER NOT NULL, STATUS TEXT);
        CREATE TABLE tickets (TICKET INTEGER PRIMARY KEY, CUST_ID INTEGER NOT NULL REFERENCES customers (CUST_ID), HOURS INTEGER NOT NULL);
        INSERT INTO customers VALUES (1, 'a', 'Mesa'), (2, 'b', 'Reno'), (3, 'c', NULL);
        INSERT INTO orders VALUES (1, 1, 10, 'paid'), (2, 1, 20, 'open'), (3, 2, 30, 'open');
        INSERT INTO tickets VALUES (1, 1, 5), (2, 1, 6), (3, 3, 7);";
    kept.connection().execute_batch(filled).expect("filled");
    let bytes = kept.to_bytes().expect("serialized");
    let compiled = testing::compile_with(&text, &[("qs.csv", table.as_bytes()), ("kept.db", &bytes)]);
    let is_own = |said: &&Diagnostic| {
        said.severity() == Severity::Error
            || OWN.contains(&said.code.name)
            || ["doubtful_gold", "impossible_predicate", "vacuous_predicate"].contains(&said.code.name)
    };
    let note = |said: &Diagnostic| {
        said.iter_notes().filter(|(kind, _)| *kind == "note").map(|(_, note)| note).collect::<Vec<_>>().join("; ")
    };
    let found = compiled.diagnostics.iter().filter(is_own);
    found.map(|said| (said.code.name, format!("{}: {}", said.message, note(said)))).collect()
}

/// The SQL of a data set gets the lints of queries; its question is that of the row.
#[test]
fn queries_of_data_sets() {
    let chasm = "SELECT SUM(o.AMOUNT) FROM customers c JOIN orders o ON o.CUST_ID = c.CUST_ID JOIN tickets t ON t.CUST_ID = c.CUST_ID";
    let counted = "SELECT COUNT(*) FROM customers c JOIN orders o ON o.CUST_ID = c.CUST_ID";
    let databases = ["sqlite shop at \"shop.db\" from \"kept.db\"".to_owned(), TABLES.to_owned()];
    for database in databases {
        let codes = |rows: &[(&str, &str)]| {
            let found = list_findings_of_rows(&database, rows);
            let mut names: Vec<&str> = found.iter().map(|(name, _)| *name).collect();
            names.dedup();
            (names.join(" "), found)
        };
        for (question, sql, wanted) in [
            ("What is the total AMOUNT?", chasm, "multiplied_rows"),
            ("How many customers have an order?", counted, "multiplied_rows"),
            ("How many orders are there?", counted, ""),
            (
                "How many are not paid?",
                "SELECT COUNT(*) FROM orders WHERE STATUS <> 'paid'",
                if database.contains("from") { "" } else { "nulls_left_out" },
            ),
            ("The CITY of each?", "SELECT CITY, COUNT(*) FROM customers", "ambiguous_order"),
            (
                "The total HOURS?",
                "SELECT SUM(HOURS) FROM tickets WHERE HOURS > 1 AND TICKET < 3 OR TICKET = 3",
                "unbracketed_or",
            ),
            ("The total HOURS?", "SELECT SUM(DISTINCT HOURS) FROM tickets", "duplicates_dropped"),
            ("The total of different HOURS?", "SELECT SUM(DISTINCT HOURS) FROM tickets", ""),
        ] {
            let (names, found) = codes(&[("Who?", "SELECT CUST_ID FROM customers"), (question, sql)]);
            assert_eq!(names, wanted, "{question} {sql} {found:?}");
            assert!(wanted.is_empty() || found.iter().any(|(_, note)| note.contains("`ID` 2")), "{found:?}");
        }
    }
    let kept = "sqlite shop at \"shop.db\" from \"kept.db\"";
    let said = |rows: &[(&str, &str)]| {
        let found = list_findings_of_rows(kept, rows);
        found.into_iter().filter(|(name, _)| *name == "doubtful_gold").map(|(_, said)| said).collect::<Vec<_>>()
    };
    let one = "SELECT COUNT(*) FROM orders";
    let again = said(&[("How many orders are there?", one), ("Who?", one), ("how many orders  are there?", one)]);
    assert_eq!(again, ["2 rows of the data set ask the same question of one database: `ID` 1, 3"]);
    let several = said(&[("How many orders are there?", "SELECT COUNT(*) FROM orders GROUP BY CUST_ID")]);
    assert_eq!(several, ["1 gold query returns several rows, but one value is asked for: `ID` 1"]);
    let none: [String; 0] = [];
    assert_eq!(said(&[("How many orders per customer?", "SELECT COUNT(*) FROM orders GROUP BY CUST_ID")]), none);
    assert_eq!(said(&[("Which orders?", "SELECT ORD_ID FROM orders"), ("Which orders are paid?", one)]), none);
}

#[test]
fn texts_in_other_letters_in_rows_of_data_sets() {
    let kept = "sqlite shop at \"shop.db\" from \"kept.db\"";
    for (sql, wanted) in [
        ("SELECT COUNT(*) FROM orders WHERE AMOUNT = 10 AND STATUS = 'Paid'", "impossible_predicate"),
        (
            "SELECT COUNT(*) FROM orders o JOIN customers c ON c.CUST_ID = o.CUST_ID WHERE c.CITY = 'RENO'",
            "impossible_predicate",
        ),
        ("SELECT COUNT(*) FROM customers WHERE CITY IS NOT NULL AND CITY <> 'mesa'", "vacuous_predicate"),
        ("SELECT COUNT(*) FROM orders WHERE AMOUNT = 10 AND STATUS = 'paid'", ""),
        ("SELECT COUNT(*) FROM orders WHERE STATUS = 'Lost'", ""),
        ("SELECT COUNT(*) FROM orders WHERE STATUS = 'Paid' COLLATE NOCASE", ""),
    ] {
        let found = list_findings_of_rows(kept, &[("Who?", "SELECT CUST_ID FROM customers"), ("How many of 10?", sql)]);
        let names: Vec<&str> = found.iter().map(|(name, _)| *name).collect();
        let wanted: Vec<&str> = [wanted].into_iter().filter(|name| !name.is_empty()).collect();
        assert_eq!(names, wanted, "{sql} {found:?}");
    }
}
