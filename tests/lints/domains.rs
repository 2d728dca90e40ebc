//! Lints that follow from the domains: each row is the body of a task and what is said of it.

/// Tables for every row.
const DATA: &str = r#"
  least : int 40_000..60_000
  far   : int 200_000..300_000
  dept  : department
  team  : one_of ["Red", "Blue"]
  none  : int 0..3
  csv hr at "hr.csv" {
    rows 20
    ID   : serial
    DEPT : one_of ["HR", "Legal", "Sales"]
    PAY  : int 30_000..90_000 step 500
    RATE : decimal 0.10..0.50
    BORN : date 1970-01-01..1999-12-31
    BOSS : person_name blank 30%
    GRADE : int 1..5 blank 10%
    OK   : bool 50%
    CODE : pattern "[A-C][0-9]{2}"
    TOTAL = PAY * 2
  }
  csv some at "some.csv" { rows 0..9  N : int 1..9  TEAM : one_of ["Red", "Blue"] }
  sqlite shop at "shop.db" {
    table items { rows 10  SKU : unique pattern "[A-Z]{2}[0-9]"  PRICE : decimal 1.00..9.99  KIND : one_of ["Tool", "Toy"] }
    table sales { rows 30  SKU : ref items.SKU  N : int 1..9  DAY : date 2024-01-01..2024-12-31  NOTE : word blank 20%  PAID : bool }
  }
"#;

/// The lints that follow from domains.
const OWN: [&str; 6] = ["W0301", "W0305", "W0401", "W0402", "W0404", "W0405"];

/// The codes of the warnings on a task of the tables above and this, in order, with where each begins.
fn said(body: &str) -> Vec<(String, String)> {
    let settings = "allow unused_name \"a test\" allow unused_allow \"a test\" allow unmentioned_file \"a test\"";
    let compiled =
        testing::compile_text(&testing::build_suite_source(settings, &format!("{DATA}\n{body}\n  prompt \"?\"")));
    let mut said: Vec<(String, String)> = compiled
        .diagnostics
        .iter()
        // Other families of lints have tables of their own.
        .filter(|said| OWN.contains(&said.code.id))
        .map(|said| (said.code.id.to_owned(), compiled.sources.text(said.primary.span).to_owned()))
        .collect();
    said.sort();
    said
}

/// (code, what it points at, the end of a task)
const CAUGHT: &[(&str, &str, &str)] = &[
    // A condition that never holds.
    ("W0401", "DEPT == \"Leagl\"", r#"expect reply number count(hr where DEPT == "Leagl")"#),
    ("W0401", "PAY > 90_000", "expect reply number count(hr where PAY > 90_000)"),
    ("W0401", "PAY == 30_250", "expect reply number count(hr where PAY == 30_250)"),
    ("W0401", "BORN >= 2000-01-01", "expect reply number count(hr where BORN >= 2000-01-01)"),
    ("W0401", "year(BORN) == 2001", "expect reply number count(hr where year(BORN) == 2001)"),
    ("W0401", "TOTAL > 180_000", "expect reply number count(hr where OK and TOTAL > 180_000)"),
    ("W0401", "CODE == \"D10\"", r#"expect reply number count(hr where CODE == "D10")"#),
    ("W0401", "PAY < 50_000", "expect reply number count(hr where PAY > 60_000 and PAY < 50_000)"),
    ("W0401", "DEPT == \"Legal\"", r#"expect reply number count(hr where DEPT == "HR" and OK and DEPT == "Legal")"#),
    ("W0401", "\"Purchase\"", r#"expect reply number count(hr where DEPT in ["HR", "Purchase"])"#),
    ("W0401", "DEPT == null", "expect reply number count(hr where DEPT == null)"),
    ("W0401", "least < 10", "expect reply number if least < 10 then 1 else least"),
    ("W0401", "count(hr) > 20", "require count(hr) > 20 expect reply number least"),
    ("W0401", "hr.BORN > 2024-01-01", "x : ref hr.BORN where hr.BORN > 2024-01-01 expect reply text x"),
    ("W0401", "PAY > PAY", "expect reply number count(hr where PAY > PAY)"),
    ("W0401", "dept != dept", "expect reply number count(hr where OK and dept != dept)"),
    ("W0401", "lower(DEPT) < lower( DEPT )", "expect reply number count(hr where lower(DEPT) < lower( DEPT ))"),
    // One that always holds.
    ("W0402", "DEPT == DEPT", "expect reply number count(hr where DEPT == DEPT and PAY > least)"),
    ("W0402", "hr.DEPT == DEPT", "expect reply number count(hr where hr.DEPT == DEPT and PAY > least)"),
    ("W0402", "dept == dept", "expect reply number count(hr where dept == dept and PAY > least)"),
    ("W0402", "BOSS == BOSS", "expect reply number count(hr where BOSS == BOSS and PAY > least)"),
    ("W0402", "PAY == PAY", "x : ref hr.DEPT where PAY == PAY expect reply text x"),
    ("W0402", "least <= least", "expect reply number if least <= least then 1 else none"),
    ("W0402", "least >= least", "require least >= least expect reply number least"),
    ("W0402", "PAY >= 30_000", "expect reply number count(hr where PAY >= 30_000 and OK)"),
    ("W0402", "DEPT != \"Purchase\"", r#"expect reply number count(hr where DEPT != "Purchase")"#),
    (
        "W0402",
        "DEPT in [\"HR\", \"Legal\", \"Sales\"]",
        r#"expect reply number count(hr where DEPT in ["HR", "Legal", "Sales"])"#,
    ),
    ("W0402", "RATE < 1", "expect reply number count(hr where RATE < 1 and OK)"),
    ("W0402", "ID <= 20", "expect reply number count(hr where ID <= 20)"),
    ("W0402", "DEPT != null", "expect reply number count(hr where DEPT != null)"),
    ("W0402", "least > 0", "require least > 0 expect reply number least"),
    ("W0402", "weekday(BORN) < 8", "expect reply number count(hr where weekday(BORN) < 8)"),
    // A draw that lies beyond the data.
    ("W0404", "far", "expect reply number count(hr where PAY > far)"),
    ("W0404", "far", "expect reply number count(hr where PAY < far)"),
    ("W0404", "team", "expect reply number count(hr where DEPT == team)"),
    ("W0404", "far", "top = max(hr.PAY) expect reply text if top < far then \"a\" else \"b\""),
    ("W0404", "least", "expect reply number count(hr where least > year(BORN))"),
    ("W0404", "none", "expect reply number count(some where N + 5 > none)"),
    // The same in SQL.
    ("W0401", "KIND = 'Tol'", "expect reply number <<value: SELECT COUNT(*) FROM shop.items WHERE KIND = 'Tol'>>"),
    ("W0401", "'Tule'", "expect reply number <<value: SELECT COUNT(*) FROM shop.items WHERE KIND IN ('Toy', 'Tule')>>"),
    (
        "W0401",
        "s.N > 9",
        "expect reply number <<sqlite_query: shop, SELECT COUNT(*) FROM sales s JOIN items i USING (SKU) WHERE s.N > 9 AND i.KIND = 'Toy'>>",
    ),
    (
        "W0401",
        "N BETWEEN 10 AND 20",
        "expect reply number <<value: SELECT COUNT(*) FROM shop.sales WHERE N BETWEEN 10 AND 20>>",
    ),
    (
        "W0401",
        "KIND LIKE 'tols'",
        "expect reply number <<value: SELECT COUNT(*) FROM shop.items WHERE KIND LIKE 'tols'>>",
    ),
    ("W0401", "DAY IS NULL", "expect reply number <<value: SELECT COUNT(*) FROM shop.sales WHERE DAY IS NULL>>"),
    (
        "W0401",
        "DAY < '2024-01-01'",
        "expect reply number <<value: SELECT COUNT(*) FROM shop.sales WHERE DAY < '2024-01-01'>>",
    ),
    ("W0401", "SKU = 'ABC'", "expect reply number <<value: SELECT COUNT(*) FROM shop.sales WHERE SKU = 'ABC'>>"),
    (
        "W0401",
        "KIND = 'Tols'",
        "expect reply number <<value: SELECT SUM(CASE WHEN KIND = 'Tols' THEN 1 ELSE 0 END) FROM shop.items>>",
    ),
    ("W0401", "PRICE > 10", "expect reply list <<list: SELECT KIND FROM shop.items WHERE PRICE > 10 OR KIND = 'Toy'>>"),
    (
        "W0401",
        "DEPT = 'Purchase'",
        "expect reply number <<value: SELECT COUNT(*) FILTER (WHERE DEPT = 'Purchase') FROM hr>>",
    ),
    // Calls that are conditions by themselves.
    ("W0401", "starts_with(CODE, \"D\")", r#"expect reply number count(hr where starts_with(CODE, "D"))"#),
    ("W0401", "contains(DEPT, \"x\")", r#"expect reply number count(hr where OK and contains(DEPT, "x"))"#),
    // Computed values.
    (
        "W0401",
        "KIND LIKE 'X%' ESCAPE 'X'",
        "expect reply number <<value: SELECT COUNT(*) FROM shop.items WHERE KIND LIKE 'X%' ESCAPE 'X'>>",
    ),
    ("W0401", "KIND GLOB 'X*'", "expect reply number <<value: SELECT COUNT(*) FROM shop.items WHERE KIND GLOB 'X*'>>"),
    (
        "W0401",
        "strftime('%Y', DAY) = '1999'",
        "expect reply number <<value: SELECT COUNT(*) FROM shop.sales WHERE strftime('%Y', DAY) = '1999'>>",
    ),
    (
        "W0401",
        "COUNT(*) > 900",
        "expect reply list <<list: SELECT SKU FROM shop.sales GROUP BY SKU HAVING COUNT(*) > 900 ORDER BY SKU>>",
    ),
    (
        "W0402",
        "N > 9",
        "expect reply list <<list: SELECT N FROM (SELECT N + 10 AS N FROM shop.sales) WHERE N > 9 ORDER BY N>>",
    ),
    ("W0402", "PAY > 50_000", "expect reply number count(hr where PAY < 60_000 or PAY > 50_000)"),
    ("W0402", "DEPT != \"Legal\"", r#"expect reply number count(hr where DEPT != "HR" or DEPT != "Legal")"#),
    // Patterns, CASE with an operand, two conditions together.
    ("W0401", "KIND LIKE 'X%'", "expect reply number <<value: SELECT COUNT(*) FROM shop.items WHERE KIND LIKE 'X%'>>"),
    (
        "W0401",
        "KIND LIKE '%ols'",
        "expect reply number <<value: SELECT COUNT(*) FROM shop.items WHERE KIND LIKE '%ols'>>",
    ),
    ("W0401", "SKU LIKE 'A1%'", "expect reply number <<value: SELECT COUNT(*) FROM shop.items WHERE SKU LIKE 'A1%'>>"),
    (
        "W0401",
        "DAY LIKE '2023-%'",
        "expect reply number <<value: SELECT COUNT(*) FROM shop.sales WHERE DAY LIKE '2023-%'>>",
    ),
    ("W0402", "KIND LIKE 'T%'", "expect reply number <<value: SELECT COUNT(*) FROM shop.items WHERE KIND LIKE 'T%'>>"),
    (
        "W0402",
        "DEPT NOT LIKE '%x%'",
        "expect reply number <<value: SELECT COUNT(*) FROM hr WHERE DEPT NOT LIKE '%x%'>>",
    ),
    (
        "W0401",
        "'Tols'",
        "expect reply number <<value: SELECT SUM(CASE KIND WHEN 'Tols' THEN 1 WHEN 'Toy' THEN 2 ELSE 0 END) FROM shop.items>>",
    ),
    (
        "W0401",
        "12",
        "expect reply number <<value: SELECT SUM(CASE N WHEN 12 THEN 1 WHEN 2 THEN 2 ELSE 0 END) FROM shop.sales>>",
    ),
    ("W0401", "N < 3", "expect reply number <<value: SELECT COUNT(*) FROM shop.sales WHERE N > 7 AND N < 3>>"),
    (
        "W0401",
        "N = 3",
        "expect reply number <<value: SELECT COUNT(*) FROM shop.sales WHERE N > 7 AND PAID AND (N = 3)>>",
    ),
    (
        "W0401",
        "N BETWEEN 2 AND 4",
        "expect reply number <<value: SELECT COUNT(*) FROM shop.sales WHERE N IN (7, 8) AND N BETWEEN 2 AND 4>>",
    ),
    (
        "W0401",
        "KIND = 'Tool'",
        "expect reply number <<value: SELECT COUNT(*) FROM shop.items WHERE KIND = 'Toy' AND KIND = 'Tool'>>",
    ),
    (
        "W0401",
        "DAY < '2024-03-01'",
        "expect reply list <<list: SELECT N FROM shop.sales WHERE PAID OR DAY > '2024-05-01' AND DAY < '2024-03-01' ORDER BY N>>",
    ),
    (
        "W0401",
        "PAY < :least",
        "expect reply number <<value: SELECT COUNT(*) FROM hr WHERE PAY > :least AND PAY < :least>>",
    ),
    ("W0401", "PAY < least", "expect reply number count(hr where PAY > least and PAY < least)"),
    ("W0402", "N >= 1", "expect reply number <<value: SELECT COUNT(*) FROM shop.sales WHERE N >= 1>>"),
    (
        "W0402",
        "DAY >= '2024'",
        "expect reply number <<value: SELECT COUNT(*) FROM shop.sales WHERE DAY >= '2024' AND N = 2>>",
    ),
    (
        "W0402",
        "N IS NOT NULL",
        "expect reply number <<value: SELECT COUNT(*) FROM shop.sales WHERE N IS NOT NULL AND N > 3>>",
    ),
    (
        "W0402",
        "KIND NOT IN ('A', 'B')",
        "expect reply number <<value: SELECT COUNT(*) FROM shop.items WHERE KIND NOT IN ('A', 'B')>>",
    ),
    (
        "W0402",
        "i.PRICE > 0.5",
        "expect reply number <<value: SELECT COUNT(*) FROM shop.sales s JOIN shop.items i ON s.SKU = i.SKU AND i.PRICE > 0.5>>",
    ),
    ("W0404", "far", "expect reply number <<value: SELECT COUNT(*) FROM hr WHERE PAY > :far>>"),
    ("W0404", "team", "expect reply number <<value: SELECT COUNT(*) FROM hr WHERE DEPT = :team>>"),
    // The same answer every time.
    ("W0301", "count(hr)", "expect reply number count(hr)"),
    ("W0301", "count(hr.PAY)", "expect reply json { a: count(hr.PAY), b: max(hr.PAY) }"),
    ("W0301", "n", "n = count(shop.sales) expect reply number n"),
    ("W0301", "sum(hr.ID)", "expect reply number sum(hr.ID)"),
    ("W0301", "max(hr.ID) * 2", "expect reply number max(hr.ID) * 2"),
    ("W0301", "distinct_count(hr.ID)", "expect reply number distinct_count(hr.ID)"),
    (
        "W0301",
        "<<value: SELECT COUNT(*) FROM shop.sales>>",
        "expect reply number <<value: SELECT COUNT(*) FROM shop.sales>>",
    ),
    (
        "W0301",
        "<<sqlite_query: shop, SELECT COUNT(s.N) AS n FROM sales s>>",
        "expect reply number <<sqlite_query: shop, SELECT COUNT(s.N) AS n FROM sales s>>",
    ),
    (
        "W0301",
        "coalesce(<<value: SELECT MAX(ID) FROM hr>>, 0)",
        "expect reply number coalesce(<<value: SELECT MAX(ID) FROM hr>>, 0)",
    ),
    ("W0301", "x", "x : int 7..7 expect reply number x"),
    ("W0301", "\"<<count(hr)>> rows\"", r#"expect reply text "<<count(hr)>> rows""#),
];

/// What looks like one of them and is none.
const NOT_CAUGHT: &[&str] = &[
    r#"expect reply number count(hr where starts_with(CODE, "A"))"#,
    r#"expect reply number count(hr where contains(DEPT, "e"))"#,
    "expect reply number count(hr where PAY < 50_000 or PAY > 60_000)",
    r#"expect reply number count(hr where DEPT == "HR" or DEPT != "Legal")"#,
    "expect reply number count(hr where GRADE < 4 or GRADE > 2)",
    "expect reply number <<value: SELECT COUNT(*) FROM shop.items WHERE KIND GLOB 'To*l'>>",
    "expect reply list <<list: SELECT SKU FROM shop.sales GROUP BY SKU HAVING COUNT(*) > 9 ORDER BY SKU>>",
    "csv two at \"two.csv\" { rows 5 PAY : int 30_000..90_000 N = count(hr where hr.PAY == two.PAY) } expect reply number max(two.N)",
    "expect reply number count(hr where PAY == max(hr.PAY))",
    r#"expect reply number count(hr where DEPT == "Legal")"#,
    "expect reply number count(hr where PAY > 89_500)",
    "expect reply number count(hr where PAY >= 90_000)",
    "expect reply number count(hr where PAY != 30_500)",
    "expect reply number count(hr where BORN >= 1999-12-31)",
    r#"expect reply number count(hr where CODE == "B10")"#,
    "expect reply number count(hr where PAY > 40_000 and PAY < 50_000)",
    "expect reply number count(hr where PAY < 40_000 or PAY > 50_000)",
    r#"expect reply number count(hr where DEPT == "HR" or DEPT == "Legal")"#,
    r#"expect reply number count(hr where DEPT in ["HR", "Legal"])"#,
    // Null meets no comparison.
    "expect reply number count(hr where GRADE >= 1)",
    "expect reply number count(hr where GRADE != 9)",
    "expect reply number count(hr where BOSS != null)",
    "expect reply number count(hr where BOSS == null)",
    r#"expect reply number count(hr where BOSS != "Nobody")"#,
    // What the data may hold.
    "expect reply number count(hr where PAY > least)",
    "expect reply number count(hr where DEPT == dept)",
    "who : ref hr.DEPT expect reply number count(hr where DEPT == who)",
    "top = max(hr.PAY) expect reply number count(hr where PAY == top)",
    "require count(hr where PAY > least) > 0 expect reply number least",
    "total = sum(hr.PAY where PAY > least) require total != null expect reply number total",
    "expect reply number if count(some) > 0 then 1 else 2",
    "axis limit = [10, 50_000] expect reply number count(hr where PAY > limit)",
    // SQL.
    "expect reply number <<value: SELECT COUNT(*) FROM shop.items WHERE KIND = 'Toy'>>",
    "expect reply number <<value: SELECT COUNT(*) FROM shop.items WHERE KIND = 'toy' COLLATE NOCASE>>",
    "expect reply number <<value: SELECT COUNT(*) FROM shop.items WHERE KIND LIKE 'TOY'>>",
    "expect reply number <<value: SELECT COUNT(*) FROM shop.items WHERE KIND LIKE 'toy%'>>",
    "expect reply number <<value: SELECT COUNT(*) FROM shop.items WHERE KIND LIKE '_o_l'>>",
    "expect reply number <<value: SELECT COUNT(*) FROM shop.items WHERE SKU LIKE 'ab%'>>",
    "expect reply number <<value: SELECT COUNT(*) FROM shop.sales WHERE N LIKE '5'>>",
    "expect reply number <<value: SELECT COUNT(*) FROM shop.sales WHERE DAY LIKE '2024-1%'>>",
    "expect reply number <<value: SELECT COUNT(*) FROM shop.items WHERE PRICE LIKE '1%'>>",
    "expect reply number <<value: SELECT COUNT(*) FROM shop.sales WHERE NOTE LIKE '%'>>",
    "expect reply number <<value: SELECT SUM(CASE KIND WHEN 'Toy' THEN 1 WHEN 'Tool' THEN 2 ELSE 0 END) FROM shop.items>>",
    "expect reply number <<value: SELECT COUNT(*) FROM shop.sales WHERE N > 3 AND N < 8>>",
    "expect reply number <<value: SELECT COUNT(*) FROM shop.sales WHERE N > 7 OR N < 3>>",
    "expect reply number <<value: SELECT COUNT(*) FROM hr WHERE PAY > :least AND PAY < :least + 10>>",
    "expect reply number <<value: SELECT COUNT(*) FROM hr WHERE PAY >= :least AND PAY <= :least>>",
    "expect reply number <<value: SELECT COUNT(*) FROM shop.sales a JOIN shop.sales b ON a.SKU = b.SKU WHERE a.N > 7 AND b.N < 3>>",
    "expect reply number <<value: SELECT COUNT(*) FROM shop.sales s WHERE N > 7 AND EXISTS (SELECT 1 FROM shop.sales t WHERE t.SKU = s.SKU AND t.N < 3)>>",
    "expect reply number <<value: SELECT COUNT(*) FROM shop.items WHERE upper(KIND) = 'TOY'>>",
    "expect reply number <<value: SELECT COUNT(*) FROM shop.sales WHERE NOTE IS NULL>>",
    "expect reply number <<value: SELECT COUNT(*) FROM shop.sales WHERE NOTE IS NOT NULL AND N > 3>>",
    "expect reply number <<value: SELECT COUNT(*) FROM shop.items i LEFT JOIN shop.sales s USING (SKU) WHERE s.N IS NULL>>",
    "expect reply number <<value: SELECT COUNT(*) FROM shop.items i LEFT JOIN shop.sales s ON i.SKU = s.SKU WHERE s.N >= 1>>",
    "expect reply number <<value: SELECT COUNT(*) FROM hr WHERE GRADE >= 1>>",
    "expect reply number <<value: SELECT COUNT(*) FROM hr WHERE GRADE <> 9 AND GRADE IS NOT NULL>>",
    "expect reply number <<value: SELECT COUNT(*) FROM hr WHERE PAY > :least>>",
    "expect reply number <<value: SELECT COUNT(*) FROM hr WHERE DEPT = :dept>>",
    "expect reply number <<value: SELECT COUNT(*) FROM shop.sales WHERE DAY BETWEEN '2024-12-31' AND '2025-06-01'>>",
    "expect reply number <<value: SELECT COUNT(*) FROM shop.sales WHERE PAID = TRUE>>",
    "expect reply number <<value: SELECT COUNT(*) FROM shop.items WHERE PRICE = 9.99>>",
    "expect reply list <<list: SELECT SKU FROM shop.sales GROUP BY SKU HAVING COUNT(*) > 9 ORDER BY SKU>>",
    "expect reply list <<list: WITH t AS (SELECT MAX(N) * 5 AS N, SKU FROM shop.sales GROUP BY SKU) SELECT SKU FROM t WHERE N > 9 ORDER BY SKU>>",
    // Answers that vary, or are simply said.
    "expect reply number count(some)",
    "expect reply number count(hr.BOSS)",
    "expect reply number max(hr.PAY)",
    "expect reply number <<value: SELECT COUNT(*) FROM some>>",
    "expect reply number <<value: SELECT COUNT(NOTE) FROM shop.sales>>",
    "expect reply number <<value: SELECT COUNT(DISTINCT N) FROM shop.sales>>",
    "expect reply number <<value: SELECT COUNT(*) FROM shop.sales WHERE PAID>>",
    "expect reply number <<value: SELECT COUNT(*) FILTER (WHERE PAID) FROM shop.sales>>",
    "expect reply number <<value: SELECT COUNT(*) FROM (SELECT DISTINCT N FROM shop.sales)>>",
    "expect reply number coalesce(<<value: SELECT MAX(N) FROM shop.sales>>, 0)",
    "expect reply number <<value: SELECT COUNT(*) FROM shop.items NATURAL JOIN shop.sales>>",
    "expect reply number 42",
    "n = 42 expect reply number n",
    "axis size = [5, 50] expect reply number size",
    "axis size = [5, 50] csv more at \"more.csv\" { rows size  A : int 1..9 } expect reply number count(more)",
    r#"expect reply json { kind: "fixed", n: max(hr.PAY) }"#,
    r#"expect file "a.txt" text "done""#,
];

fn caught(rows: &[(&str, &str, &str)]) {
    let mut wrong = Vec::new();
    for (code, place, body) in rows {
        let found = said(body);
        if found != [((*code).to_owned(), (*place).to_owned())] {
            wrong.push(format!("{body}\n   wanted {code} at `{place}`, not {found:?}"));
        }
    }
    assert!(wrong.is_empty(), "{} of {}:\n{}", wrong.len(), rows.len(), wrong.join("\n"));
}

fn not_caught(rows: &[&str]) {
    let wrong: Vec<String> = rows
        .iter()
        .map(|body| (body, said(body)))
        .filter(|(_, said)| !said.is_empty())
        .map(|row| format!("{row:?}"))
        .collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn what_never_varies_is_said() {
    caught(CAUGHT);
}

#[test]
fn what_may_vary_is_not() {
    not_caught(NOT_CAUGHT);
}

/// Divisors that are 0 in some samples.
const ZERO: &[(&str, &str, &str)] = &[
    ("W0405", "none", "expect reply number least / none within 1"),
    ("W0405", "none", "expect reply number mod(least, none)"),
    ("W0405", "none", "expect reply number if least > 50_000 then least / none else 1.0 within 1"),
    ("W0405", "count(some)", "expect reply number least / count(some) within 1"),
    ("W0405", "n", r#"n = count(hr where DEPT == "Legal" and OK) expect reply number least / n within 1"#),
    ("W0405", "z", "axis z = [0, 5] expect reply number least / z within 1"),
    ("W0405", "_Z", "csv d at \"d.csv\" { rows 5 _Z : int 0..4 Q = 10 / _Z } expect reply number max(d.Q) within 1"),
    ("W0405", "count(hr where PAY > 89_000)", "expect reply number least / count(hr where PAY > 89_000) within 1"),
];

/// And those that are not, or not so that it could be proved.
const NOT_ZERO: &[&str] = &[
    "expect reply number least / (none + 1) within 1",
    "require none != 0 expect reply number least / none within 1",
    "require none > 0 expect reply number mod(least, none)",
    "expect reply number if none != 0 then least / none else 1.0 within 1",
    "expect reply number if none == 0 then 1.0 else least / none within 1",
    "expect reply number least / count(hr) within 1",
    "require count(some) > 0 expect reply number least / count(some) within 1",
    "n = count(some) require n > 0 expect reply number least / n within 1",
    "who : ref hr.DEPT expect reply number least / count(hr where DEPT == who) within 1",
    "expect reply number least / count(hr where PAY > 31_000) within 1",
    "top = max(hr.PAY) expect reply number least / count(hr where PAY == top) within 1",
    "mean = avg(some.N) require mean != null expect reply number least / count(some) within 1",
    "z : int 0..2_000_000_000 expect reply number least / z within 1",
    "z : normal mean 50 sd 9 0..100 expect reply number least / z within 1",
    "z : int 0..5 except 0 expect reply number least / z within 1",
];

#[test]
fn divisors_that_are_zero_are_said() {
    caught(ZERO);
    not_caught(NOT_ZERO);
}

/// Result sets whose only row may hold null.
const NULL: &[(&str, &str, &str)] = &[
    (
        "W0305",
        "<<rows: SELECT MAX(PAY) AS m FROM hr WHERE DEPT = 'HR'>>",
        "expect reply rows <<rows: SELECT MAX(PAY) AS m FROM hr WHERE DEPT = 'HR'>>",
    ),
    ("W0305", "r", "r = <<rows: SELECT COUNT(*) AS n, SUM(PAY) AS m FROM hr WHERE PAY > 80000>> expect reply rows r"),
    (
        "W0305",
        "<<rows: SELECT AVG(N) AS m FROM shop.sales WHERE N = 3>>",
        "expect reply rows <<rows: SELECT AVG(N) AS m FROM shop.sales WHERE N = 3>>",
    ),
    (
        "W0305",
        "<<rows: SELECT MIN(N) AS m FROM shop.sales WHERE SKU = 'AB1'>>",
        "expect reply rows <<rows: SELECT MIN(N) AS m FROM shop.sales WHERE SKU = 'AB1'>>",
    ),
    (
        "W0305",
        "<<rows: SELECT MAX(PAY) AS m FROM hr WHERE PAY > :least>>",
        "expect reply rows <<rows: SELECT MAX(PAY) AS m FROM hr WHERE PAY > :least>>",
    ),
    (
        "W0305",
        "<<rows: SELECT MAX(PAY) AS m FROM hr WHERE DEPT = :dept>>",
        "expect reply rows <<rows: SELECT MAX(PAY) AS m FROM hr WHERE DEPT = :dept>>",
    ),
];

const NOT_NULL: &[&str] = &[
    "expect reply rows <<rows: SELECT MAX(PAY) AS m FROM hr>>",
    "expect reply rows <<rows: SELECT COUNT(*) AS m FROM hr WHERE DEPT = 'HR'>>",
    "expect reply rows <<rows: SELECT COALESCE(MAX(PAY), 0) AS m FROM hr WHERE DEPT = 'HR'>>",
    "expect reply rows <<rows: SELECT DEPT, MAX(PAY) AS m FROM hr WHERE PAY > 40000 GROUP BY DEPT>>",
    "require count(hr where DEPT == \"HR\") > 0 expect reply rows <<rows: SELECT MAX(PAY) AS m FROM hr WHERE DEPT = 'HR'>>",
    "who : ref hr.DEPT expect reply rows <<rows: SELECT MAX(PAY) AS m FROM hr WHERE DEPT = :who>>",
    "expect reply rows <<rows: SELECT BOSS FROM hr WHERE ID = 3>>",
];

#[test]
fn rows_of_nulls_are_said() {
    caught(NULL);
    not_caught(NOT_NULL);
}

/// V10: what is read or written with `%` is divided by 100. What is decided gets the reason; of a computed column, whose values are not known, a number above
/// 1.5 is said to be meant otherwise.
#[test]
fn percentages_are_not_compared_with_the_numbers_of_their_files() {
    let warned = |body: &str, files: &[(&str, &[u8])], items: &str| {
        let text = format!(
            "suite s {{ title \"S\" version \"1\" samples 4 }}\n{items}\ntask q {{\n{body}\n  prompt \"How many? Reply with the number only.\"\n}}\n"
        );
        let compiled = testing::compile_with(&text, files);
        let of = compiled
            .diagnostics
            .iter()
            .filter(|said| said.code.id.starts_with('E') || ["W0401", "W0402", "W0404"].contains(&said.code.id));
        of.map(|said| {
            let divides = said.iter_notes().any(|(_, note)| note.contains("by 100: 50% is 0.5"));
            format!("{} {}{}", said.code.id, said.message, if divides { " (%)" } else { "" })
        })
        .collect::<Vec<_>>()
    };
    let file: &[(&str, &[u8])] = &[("r.csv", b"P,Q\n10%,1\n80%,2\n")];
    let view = "table r from \"r.csv\" { P : decimal as written \"0%\"  Q : int }";
    let of_view = |condition: &str| warned(&format!("expect reply number count(r where {condition})"), file, view);
    let drawn = |condition: &str| {
        warned(
            &format!(
                "csv r at \"r.csv\" {{ rows 9 P : decimal 0.00..1.00 as written \"0%\" A : int 1000..9999 S = to_decimal(\"0.<<A>>\", 4) as written \"0.00 %\" }} expect reply number count(r where {condition})"
            ),
            &[],
            "",
        )
    };
    let taken = |condition: &str| {
        warned(
            &format!(
                "table t {{ rows 9 A : int 1000..9999 S = to_decimal(\"0.<<A>>\", 4) P : decimal 0.00..1.00 }} csv r at \"r.csv\" from t {{ P = P as written \"0%\" S = S as written \"0.00%\" }} expect reply number count(t where {condition})"
            ),
            &[],
            "",
        )
    };
    let mut tried = 0;
    for number in [2, 10, 15, 50, 80, 100] {
        for (op, code, verb) in [
            (">", "W0401", "false for every row"),
            (">=", "W0401", "false for every row"),
            ("<", "W0402", "true for every row"),
            ("<=", "W0402", "true for every row"),
        ] {
            let condition = format!("P {op} {number}");
            let expected = format!("{code} `{condition}` is {verb} (%)");
            assert_eq!(of_view(&condition), [expected.as_str()]);
            assert_eq!(drawn(&condition), [expected.as_str()]);
            assert_eq!(taken(&condition), [expected.as_str()]);
            // What is not known of a column is probable.
            let verb = if code == "W0401" { "probably never true" } else { "probably always true" };
            let condition = format!("S {op} {number}");
            let expected = format!("{code} `{condition}` is {verb} (%)");
            assert_eq!(drawn(&condition), [expected.as_str()]);
            assert_eq!(taken(&condition), [expected.as_str()]);
            tried += 5;
        }
    }
    assert_eq!(tried, 120);
    // In SQL, and with a drawn number.
    assert_eq!(
        warned("expect reply number <<value: SELECT COUNT(*) FROM r WHERE P > 50>>", file, view),
        ["W0401 `P > 50` is false for every row (%)"]
    );
    assert_eq!(
        warned("n : int 10..90 expect reply number count(r where P > n)", file, view),
        ["W0404 `P > n` is never true, for every `n` (%)"]
    );
    // Numbers that percentages have, and other columns.
    for condition in ["P > 0.5", "P >= 0.1", "Q > 1", "P > 0.2 and Q < 2"] {
        assert_eq!(of_view(condition), [""; 0], "{condition}");
    }
    for condition in ["S > 0.5", "S > 1.5", "S <= 1", "A > 2000", "P > 0.5"] {
        assert_eq!(drawn(condition), [""; 0], "{condition}");
    }
    // Percentages that are known to be as large as that.
    let growth: &[(&str, &[u8])] = &[("r.csv", b"P,Q\n10%,1\n900%,2\n")];
    assert_eq!(warned("expect reply number count(r where P > 2)", growth, view), [""; 0]);
    // Another impossible comparison of another column says nothing of percentages.
    assert_eq!(of_view("Q > 50"), ["W0401 `Q > 50` is false for every row"]);
}
