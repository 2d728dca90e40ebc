//! Findings about queries that depend on the words of the question.

use super::list_told;

const TABLES: &str = r#"day : date 2024-02-01..2024-02-28
  month : int 1..12
  release : one_of ["2.9.0", "2.10.0"]
  sqlite shop at "shop.db" {
    table orders {
      rows 90
      ID      : serial
      SITE    : one_of ["Graz", "Lyon", "Porto"]
      LEVEL   : one_of ["low", "high", "critical"]
      OPEN    : bool 40%
      AGENT   : last_name blank 25%
      CUT     : int 1..25 blank 60%
      AT      : datetime 2024-01-01T00:00..2024-03-31T23:59
      DAY     : date 2024-01-01..2024-12-31
      MAJOR   : int 1..3
      MINOR   : int 0..24
      VERSION = "<<MAJOR>>.<<MINOR>>.0"
      HOST    = "10.0.<<MAJOR>>.<<MINOR>>"
      NAME    : pattern "(db_|db-|api_)[a-z]{4}"
      CODE    : pattern "[A-Z]_[0-9]{2}"
    }
    table legs { rows 160  LEG : serial  ORDER_ID : ref orders.ID  MODE : one_of ["air", "bus"]  FEE : int 1..9 }
  }"#;

/// Checks queries: the code is told at these words (none: it is not told), and there are no errors.
fn check(code: &str, cases: &[(&str, &str, Option<&str>)]) {
    let mut wrong = Vec::new();
    for (prompt, sql, at) in cases {
        let sql = sql.replace("FROM orders", "FROM shop.orders").replace("JOIN legs", "JOIN shop.legs");
        let body =
            format!("{TABLES}\n  prompt \"{prompt} Look at orders in <<shop>>.\"\n  expect reply rows <<rows: {sql}>>");
        let found = list_told(&body, &[code]);
        let wanted: Vec<(String, String)> = at.iter().map(|at| (code.to_owned(), (*at).to_owned())).collect();
        if found != wanted {
            wrong.push(format!("{prompt}\n  {sql}\n  said   {found:?}\n  wanted {wanted:?}"));
        }
    }
    assert!(wrong.is_empty(), "{code}\n{}", wrong.join("\n"));
}

#[test]
fn count_of_a_column_where_rows_are_asked_for() {
    let count = "SELECT SITE, COUNT(AGENT) AS N FROM orders GROUP BY SITE";
    let at = Some("COUNT(AGENT)");
    check(
        "W0523",
        &[
            ("How many orders are there in each SITE?", count, at),
            ("AGENT is empty where nobody is responsible. How many orders are there in each SITE?", count, at),
            ("What is the number of orders of each SITE?", count, at),
            ("How many orders have the LEVEL high?", "SELECT COUNT(AGENT) FROM orders WHERE LEVEL = 'high'", at),
            ("How many orders have an AGENT in each SITE?", count, None),
            ("How many orders are assigned, that is, not empty, in each SITE?", count, None),
            ("How many agents are there in each SITE?", count, None),
            ("How many orders are there in each SITE?", "SELECT SITE, COUNT(*) AS N FROM orders GROUP BY SITE", None),
            ("How many orders are there in each SITE?", "SELECT SITE, COUNT(ID) AS N FROM orders GROUP BY SITE", None),
            (
                "How many orders are there in each SITE?",
                "SELECT SITE, COUNT(AGENT) AS N FROM orders WHERE AGENT IS NOT NULL GROUP BY SITE",
                None,
            ),
            (
                "How many different names of agents are there among the orders?",
                "SELECT COUNT(DISTINCT AGENT) FROM orders",
                None,
            ),
        ],
    );
}

#[test]
fn mean_where_a_missing_value_counts_as_zero() {
    let mean = "SELECT ROUND(AVG(CUT), 2) FROM orders";
    let zero = "CUT is empty if there was none, which counts as 0. What is the mean CUT of all orders?";
    check(
        "W0523",
        &[
            (zero, mean, Some("AVG(CUT)")),
            ("What is the mean CUT of all orders, if an empty CUT is treated as zero?", mean, Some("AVG(CUT)")),
            ("A missing CUT means 0. What is the average CUT?", mean, Some("AVG(CUT)")),
            ("The CUT is blank for some orders; count blanks as 0 in the mean.", mean, Some("AVG(CUT)")),
            (zero, "SELECT ROUND(AVG(COALESCE(CUT, 0)), 2) FROM orders", None),
            ("CUT is empty if there was none. What is the mean of the others?", mean, None),
            ("AGENT is empty for some, which counts as 0 points. What is the mean CUT?", mean, None),
            (zero, "SELECT ROUND(AVG(CUT), 2) FROM orders WHERE CUT > 3", None),
        ],
    );
}

#[test]
fn alternatives_without_brackets() {
    let count = "SELECT COUNT(*) FROM orders WHERE SITE = 'Graz' AND LEVEL = 'high' OR LEVEL = 'critical' AND OPEN = 1";
    let at = Some("SITE = 'Graz' AND LEVEL = 'high'");
    check(
        "W0527",
        &[
            ("How many in Graz have the level high or critical and are open?", count, at),
            ("How many in Graz are open and either critical or high?", count, at),
            ("How many in Graz have LEVEL 'high' or 'critical', and OPEN is 1?", count, at),
            ("How many in Graz are high, and how many open ones are critical?", count, None),
            ("How many are high in Graz, or open and critical anywhere?", count, None),
            (
                "How many are high or critical?",
                "SELECT COUNT(*) FROM orders WHERE SITE = 'Graz' AND LEVEL = 'high' OR LEVEL = 'critical' AND SITE = 'Lyon'",
                None,
            ),
            (
                "How many are high or critical?",
                "SELECT COUNT(*) FROM orders WHERE SITE = 'Graz' AND (LEVEL = 'high' OR LEVEL = 'critical') AND OPEN = 1",
                None,
            ),
            (
                "How many are high or critical?",
                "SELECT COUNT(*) FROM orders WHERE LEVEL = 'high' AND SITE = 'Graz' OR LEVEL = 'critical' AND OPEN = 1",
                None,
            ),
        ],
    );
}

#[test]
fn sums_of_repeated_rows_by_a_condition() {
    let sum = "SELECT SUM(o.MINOR) FROM orders o JOIN legs l ON l.ORDER_ID = o.ID WHERE l.MODE = 'air'";
    let at = Some("SUM(o.MINOR)");
    check(
        "W0520",
        &[
            ("What are the MINORs of all orders that have a leg by air, in total?", sum, at),
            ("For the orders with at least one leg by air: what is their MINOR in total?", sum, at),
            ("For each leg by air, take the MINOR of its order. What is the total?", sum, None),
        ],
    );
}

#[test]
fn a_mean_of_means_and_words_of_other_sentences() {
    let mean = "SELECT AVG(M) FROM (SELECT SITE, AVG(MINOR) AS M FROM orders GROUP BY SITE)";
    check(
        "W0525",
        &[
            ("Every row is an order of one site. What is the mean MINOR of all rows?", mean, Some("AVG(M)")),
            ("Each order has a MINOR. What is the average MINOR?", mean, Some("AVG(M)")),
            ("Take the mean MINOR of each SITE. What is the mean of these?", mean, None),
            ("What is the average, if every SITE counts the same: the mean of each?", mean, None),
        ],
    );
}

#[test]
fn a_moment_compared_with_a_day_of_the_task() {
    let count = |condition: &str| format!("SELECT COUNT(*) FROM orders WHERE {condition}");
    check(
        "W0532",
        &[
            ("How many until <<day>>?", &count("AT <= :day"), Some("AT <= :day")),
            ("How many after <<day>>?", &count("AT > :day"), Some("AT > :day")),
            (
                "How many until <<day>>?",
                &count("AT BETWEEN '2024-01-05' AND :day"),
                Some("AT BETWEEN '2024-01-05' AND :day"),
            ),
            ("How many before <<day>>?", &count("AT < :day"), None),
            ("How many from <<day>> on?", &count("AT >= :day"), None),
            ("How many until <<day>>?", &count("date(AT) <= :day"), None),
            ("How many until <<day>>?", &count("DAY <= :day"), None),
        ],
    );
}

#[test]
fn months_with_leading_zeros() {
    let count = |condition: &str| format!("SELECT COUNT(*) FROM orders WHERE {condition}");
    let text = "strftime('%m', DAY) = CAST(:month AS TEXT)";
    check(
        "W0532",
        &[
            ("How many in month <<month>>?", &count(text), Some(text)),
            ("How many in month <<month>>?", &count("CAST(strftime('%m', DAY) AS INTEGER) = :month"), None),
            ("How many in month <<month>>?", &count("strftime('%m', DAY) = printf('%02d', :month)"), None),
            ("How many in month <<month>>?", &count("CAST(MAJOR AS TEXT) = CAST(:month AS TEXT)"), None),
        ],
    );
}

#[test]
fn versions_in_the_order_of_texts() {
    let count = |condition: &str| format!("SELECT COUNT(*) FROM orders WHERE {condition}");
    check(
        "W0531",
        &[
            ("How many are older than 2.10.0?", &count("VERSION < '2.10.0'"), Some("VERSION < '2.10.0'")),
            ("How many are at least <<release>>?", &count("VERSION >= :release"), Some("VERSION >= :release")),
            ("The newest VERSION?", "SELECT MAX(VERSION) FROM orders", Some("MAX")),
            ("How many have 2.10.0?", &count("VERSION = '2.10.0'"), None),
            ("How many have a HOST above?", &count("HOST > '10.0.1.9'"), None),
            ("How many have a MINOR below 10?", &count("MINOR < 10"), None),
        ],
    );
}

#[test]
fn underscores_in_patterns() {
    let count = |condition: &str| format!("SELECT COUNT(*) FROM orders WHERE {condition}");
    check(
        "W0528",
        &[
            ("How many begin with db_?", &count("NAME LIKE 'db_%'"), Some("'db_%'")),
            ("How many contain b_?", &count("NAME LIKE '%b_%'"), Some("'%b_%'")),
            ("How many do not begin with db_?", &count("NAME NOT LIKE 'db_%'"), Some("'db_%'")),
            ("How many begin with api_?", &count("NAME LIKE 'api_%'"), None),
            ("How many begin with db_?", &count("NAME LIKE 'db\\_%' ESCAPE '\\'"), None),
            ("How many begin with db-?", &count("NAME LIKE 'db-%'"), None),
            ("How many have the CODE A_ and digits?", &count("CODE LIKE 'A_%'"), None),
            ("How many have two digits?", &count("CODE LIKE 'A___'"), None),
        ],
    );
}

#[test]
fn counted_conditions() {
    let count = |argument: &str| format!("SELECT COUNT({argument}) FROM orders");
    check(
        "W0529",
        &[
            ("How many are high?", &count("LEVEL = 'high'"), Some("COUNT(LEVEL = 'high')")),
            (
                "How many?",
                &count("CASE WHEN MINOR > 5 THEN 1 ELSE 0 END"),
                Some("COUNT(CASE WHEN MINOR > 5 THEN 1 ELSE 0 END)"),
            ),
            ("How many?", &count("MINOR BETWEEN 2 AND 5"), Some("COUNT(MINOR BETWEEN 2 AND 5)")),
            ("How many?", &count("MINOR > 5 AND OPEN"), Some("COUNT(MINOR > 5 AND OPEN)")),
            ("How many are OPEN?", &count("OPEN"), Some("COUNT(OPEN)")),
            ("How many have no AGENT?", &count("AGENT IS NULL"), Some("COUNT(AGENT IS NULL)")),
            ("How many?", &count("CASE WHEN MINOR > 5 THEN 1 END"), None),
            ("How many?", &count("*"), None),
            ("How many?", &count("CASE WHEN MINOR > 5 THEN ID ELSE NULL END"), None),
            ("How many?", "SELECT SUM(MINOR > 5) FROM orders", None),
            ("How many?", &count("AGENT"), None),
            ("How many different?", &count("DISTINCT CASE WHEN MINOR > 5 THEN ID ELSE 0 END"), None),
        ],
    );
}

#[test]
fn values_that_stand_alone() {
    let count = |condition: &str| format!("SELECT COUNT(*) FROM orders WHERE {condition}");
    check(
        "W0401",
        &[
            ("How many?", &count("SITE = 'Graz' OR 'Lyon'"), Some("'Lyon'")),
            ("How many?", &count("MINOR > 2 AND (SITE = 'Graz' OR 'Lyon')"), Some("'Lyon'")),
            ("How many?", &count("SITE = 'Graz' OR SITE = 'Lyon'"), None),
            ("How many?", &count("SITE IN ('Graz', 'Lyon')"), None),
        ],
    );
    check(
        "W0402",
        &[
            ("How many?", &count("MINOR = 2 OR 3"), Some("3")),
            ("How many?", &count("1 AND MINOR = 2"), None),
            ("How many?", &count("OPEN AND MINOR = 2"), None),
        ],
    );
}

#[test]
fn sums_with_a_term_that_can_be_null() {
    check(
        "W0523",
        &[
            ("What is the total of MINOR minus CUT?", "SELECT SUM(MINOR - CUT) FROM orders", Some("SUM(MINOR - CUT)")),
            (
                "CUT is empty if there is none. The total of MINOR plus CUT?",
                "SELECT SUM(MINOR + CUT) FROM orders",
                Some("SUM(MINOR + CUT)"),
            ),
            (
                "What is the total of MINOR minus CUT? Skip orders with an empty CUT.",
                "SELECT SUM(MINOR - CUT) FROM orders",
                None,
            ),
            ("What is the total of MINOR minus CUT?", "SELECT SUM(MINOR - COALESCE(CUT, 0)) FROM orders", None),
            (
                "What is the total of MINOR minus CUT?",
                "SELECT SUM(MINOR - CUT) FROM orders WHERE CUT IS NOT NULL",
                None,
            ),
            ("What is the total of MINOR times CUT?", "SELECT SUM(MINOR * CUT) FROM orders", None),
        ],
    );
}

#[test]
fn months_as_texts_in_order() {
    let count = |condition: &str| format!("SELECT COUNT(*) FROM orders WHERE {condition}");
    check(
        "W0532",
        &[
            ("How many from January to March?", &count("strftime('%m', DAY) BETWEEN '1' AND '3'"), Some("'1'")),
            ("How many after January?", &count("strftime('%m', DAY) > '1'"), Some("'1'")),
            ("How many from January to March?", &count("strftime('%m', DAY) BETWEEN '01' AND '03'"), None),
            ("How many from March on?", &count("strftime('%m', DAY) >= '03'"), None),
        ],
    );
}

/// Files whose `ref` columns refer to unique columns of each other.
const FILES: &str = r#"area : one_of ["coast", "hills"]
  csv policies at "policies.csv" { rows 30  POLICY : serial  NAME : unique template "<<gem>> <<metal>>"  REGION : one_of ["coast", "hills"]  PREMIUM : int 200..1_900  FEE : int 1..90 }
  csv claims at "claims.csv" { rows 60  CLAIM : serial  POLICY : ref policies.POLICY  OWNER : ref policies.NAME  PAID : int 1..900 }"#;

#[test]
fn joins_of_files_by_their_references() {
    let wrong: Vec<String> = [
        ("Take the policies of <<area>> under which at least one claim was made. What is the sum of their premiums?", "value: SELECT SUM(p.PREMIUM) FROM policies p JOIN claims c ON c.POLICY = p.POLICY WHERE p.REGION = :area", "W0520"),
        ("Consider the policies of <<area>> that have a claim. Add up their premiums.", "value: SELECT SUM(p.PREMIUM) FROM claims c JOIN policies p ON c.POLICY = p.POLICY WHERE p.REGION = :area", "W0520"),
        ("How many of the policies of <<area>> were ever claimed?", "value: SELECT COUNT(*) FROM policies p JOIN claims c ON c.POLICY = p.POLICY WHERE p.REGION = :area", "W0520"),
        ("For each REGION, the FEE of the policies and the PAID of their claims, each in total.", "rows: SELECT p.REGION, SUM(p.FEE) AS FEES, SUM(c.PAID) AS PAID FROM policies p JOIN claims c ON c.POLICY = p.POLICY GROUP BY p.REGION", "W0520"),
        ("How many claims does each policy have? Name every policy.", "rows: SELECT p.NAME, COUNT(*) AS N FROM policies p LEFT JOIN claims c ON c.OWNER = p.NAME GROUP BY p.NAME", "W0521"),
        ("The PAID of each policy in total, and 0 for a policy without claims.", "rows: SELECT p.NAME, SUM(c.PAID) AS PAID FROM policies p LEFT JOIN claims c ON c.POLICY = p.POLICY GROUP BY p.NAME", "W0521"),
        ("The PREMIUM of each policy less what was PAID; a policy without claims keeps all of it.", "rows: SELECT p.NAME, p.PREMIUM - SUM(c.PAID) AS LEFT_OVER FROM policies p LEFT JOIN claims c ON c.POLICY = p.POLICY GROUP BY p.NAME, p.PREMIUM", "W0521"),
        ("What is the sum of PAID over the claims of the policies of <<area>>?", "value: SELECT SUM(c.PAID) FROM policies p JOIN claims c ON c.POLICY = p.POLICY WHERE p.REGION = :area", ""),
        ("For each claim of <<area>>, add the PREMIUM of its policy.", "value: SELECT SUM(p.PREMIUM) FROM policies p JOIN claims c ON c.POLICY = p.POLICY WHERE p.REGION = :area", ""),
        ("How many policies were claimed in <<area>>? Each claim counts.", "value: SELECT COUNT(*) FROM policies p JOIN claims c ON c.POLICY = p.POLICY WHERE p.REGION = :area", ""),
        ("How many claims does each policy have? Name every policy.", "rows: SELECT p.NAME, COUNT(c.CLAIM) AS N FROM policies p LEFT JOIN claims c ON c.OWNER = p.NAME GROUP BY p.NAME", ""),
        ("The PAID of each policy in total, and 0 for a policy without claims.", "rows: SELECT p.NAME, COALESCE(SUM(c.PAID), 0) AS PAID FROM policies p LEFT JOIN claims c ON c.POLICY = p.POLICY GROUP BY p.NAME", ""),
        ("The PAID of each policy in total, empty for those without any.", "rows: SELECT p.NAME, SUM(c.PAID) AS PAID FROM policies p LEFT JOIN claims c ON c.POLICY = p.POLICY GROUP BY p.NAME", ""),
    ]
    .into_iter()
    .filter_map(|(prompt, sql, code)| {
        let expect = if sql.starts_with("rows") { "reply rows x unordered" } else { "reply number x" };
        let require = if sql.starts_with("rows") { "" } else { "require x != null" };
        let body = format!("{FILES}\n  x = <<{sql}>>\n  {require}\n  prompt \"{prompt} See <<policies>> and <<claims>>.\"\n  expect {expect}");
        let found: Vec<String> = list_told(&body, &["W0520", "W0521"]).into_iter().map(|(code, _)| code).collect();
        let wanted: Vec<String> = Some(code.to_owned()).filter(|code| !code.is_empty()).into_iter().collect();
        (found != wanted).then(|| format!("{prompt}\n  {sql}\n  said {found:?}, wanted {wanted:?}"))
    })
    .collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn required_numbers_of_limited_rows_exclude_no_ties() {
    let told = |require: &str, sql: &str| {
        let body = format!(
            "csv goods at \"goods.csv\" {{ rows 60  ARTICLE : unique sku  SOLD : int 0..40 }}\n  best = <<list: {sql}>>\n  {require}\n  prompt \"Which articles in <<goods>> were SOLD most often?\"\n  expect reply list best"
        );
        list_told(&body, &["W0304"]).len()
    };
    let three = "SELECT ARTICLE FROM goods ORDER BY SOLD DESC LIMIT 3";
    assert_eq!(told("require len(best) == 3", three), 1);
    assert_eq!(told("require len(best) >= 2", three), 1);
    assert_eq!(told("", three), 1);
    assert_eq!(told("top = max(goods.SOLD) require count(goods where SOLD == top) == 1", three), 0);
    let most = "SELECT ARTICLE FROM goods WHERE SOLD = (SELECT MAX(SOLD) FROM goods) LIMIT 2";
    assert_eq!(told("require len(best) == 1", most), 0);
}
