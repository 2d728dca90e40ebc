//! Mistakes: the code, the exact bytes (marked «so»), and the words (in the snapshot).

use std::fmt::Write as _;

use compiler::diagnostics::{Applicability, Diagnostic};

use crate::world::{in_shop, look, marked, tables};

/// Queries inside the database `shop`: codes in order, marks in order.
const CASES: &[(&str, &str)] = &[
    // tables
    ("E0602", "SELECT COUNT(*) FROM «ordres»"),
    ("E0602", "SELECT COUNT(*) FROM «invoices»"),
    ("E0602", "SELECT COUNT(*) FROM «hr»"),
    ("E0602", "SELECT COUNT(*) FROM «shop.orders»"),
    ("E0602", "SELECT (SELECT COUNT(*) FROM «nowhere») FROM orders"),
    ("E0602 E0602", "SELECT ORD_ID FROM «ordrs» JOIN «custmers» ON CUST_REF = CUST_ID"),
    ("E0602", "SELECT «orders».ORD_ID FROM orders o"),
    ("E0602", "SELECT «c».CUST_NM FROM orders"),
    ("E0602", "SELECT «customers».CUST_NM FROM orders"),
    ("E0602", "SELECT CUST_ID FROM customers WHERE CUST_ID IN «ordrs»"),
    ("E0602", "SELECT COUNT(*) FROM «order»"),
    ("E0602", "SELECT COUNT(*) FROM «shop.order»"),
    ("E0603", "SELECT COUNT(*) FROM orders o WHERE o.«select» > 5"),
    // columns
    ("E0603", "SELECT COUNT(*) FROM orders WHERE «REG DT» > 3"),
    ("E0603", "SELECT COUNT(*) FROM orders o WHERE o.«REG DT» > 3 AND PAID"),
    ("E0603", "SELECT COUNT(*) FROM orders WHERE PAID AND «REG DT» > 3"),
    ("E0603", "SELECT «_H» FROM customers"),
    ("E0603", "SELECT ORD_AMT AS amount FROM orders UNION SELECT CUST_ID FROM customers ORDER BY «amuont»"),
    ("E0603", "SELECT ORD_AMT AS amount FROM orders UNION SELECT CUST_ID FROM customers ORDER BY «PRICE»"),
    ("E0603", "SELECT «CUST_NAM» FROM customers"),
    ("E0603", "SELECT c.«CUST_NAM» FROM customers c"),
    ("E0603", "SELECT «SALARY» FROM customers"),
    ("E0603", "SELECT COUNT(*) FROM orders WHERE «DEPT_CD» = 'Sales'"),
    ("E0603 E0603", "SELECT «CUST_NAM» FROM customers WHERE «DEPT» > 1"),
    ("E0603", "SELECT ORD_ID FROM orders WHERE CUST_REF IN (SELECT «CUST» FROM customers)"),
    ("E0603", "WITH big AS (SELECT ORD_ID AS id FROM orders) SELECT «ORD_ID» FROM big"),
    ("E0603", "SELECT «REG DT» FROM orders"),
    ("E0603", "-- Grüße 🦀\r\nSELECT 'größe', «CUST_NAM»\r\nFROM customers"),
    ("E0603", "SELECT ORD_ID FROM orders ORDER BY «ORD_DATE»"),
    ("E0603", "SELECT COUNT(*) FROM orders JOIN customers USING («CUST_ID»)"),
    ("E0603", "SELECT «x» "),
    // texts and parameters
    ("E0603", "SELECT COUNT(*) FROM customers WHERE DEPT_CD = «\"Engineering\"»"),
    ("E0603", "SELECT COUNT(*) FROM customers WHERE «\"Engineering\"» = DEPT_CD"),
    ("E0603", "SELECT COUNT(*) FROM customers WHERE DEPT_CD IN ('Sales', «\"Legal\"»)"),
    ("E0603", "SELECT COUNT(*) FROM customers WHERE DEPT_CD = «Engineering»"),
    ("E0603", "SELECT COUNT(*) FROM customers WHERE CUST_NM = «\"Ada Lovelace\"»"),
    ("E0603", "SELECT COUNT(*) FROM orders WHERE ORD_AMT > «threshold»"),
    ("E0606", "SELECT COUNT(*) FROM orders WHERE ORD_AMT > «:treshold»"),
    ("E0606", "SELECT COUNT(*) FROM orders WHERE ORD_AMT > «:zzz»"),
    ("E0606", "SELECT COUNT(*) FROM orders WHERE ORD_AMT > «?»"),
    ("E0606", "SELECT COUNT(*) FROM orders WHERE ORD_AMT > «?1»"),
    ("E0606", "SELECT COUNT(*) FROM orders WHERE ORD_AMT > «@threshold»"),
    ("E0606", "SELECT COUNT(*) FROM orders WHERE ORD_AMT > «$threshold»"),
    ("E0606", "SELECT COUNT(*) FROM orders WHERE ORD_AMT > «:shop»"),
    ("E0606", "SELECT COUNT(*) FROM orders WHERE ORD_AMT > «:hr»"),
    ("E0606", "SELECT COUNT(*) FROM orders WHERE ORD_AMT IN («:many»)"),
    ("E0606", "SELECT COUNT(*) FROM customers WHERE DEPT_CD = '«:dept»'"),
    ("E0606", "SELECT COUNT(*) FROM customers WHERE CUST_NM LIKE '%«:dept»%'"),
    ("E0606", "SELECT COUNT(*) FROM customers WHERE DEPT_CD = '«<<dept>>»'"),
    ("E0606", "SELECT COUNT(*) FROM orders WHERE ORD_AMT > «<<threshold»"),
    // ambiguity, functions
    ("E0207", "SELECT COUNT(*) FROM orders a JOIN orders b ON a.ORD_ID = b.CUST_REF WHERE «ORD_AMT» > 5"),
    ("E0604", "SELECT «COUTN»(*) FROM orders"),
    ("E0604", "SELECT «YEAR»(SHIPPED) FROM orders"),
    ("E0604", "SELECT «frobnicate»(SHIPPED) FROM orders"),
    ("E0604", "SELECT «LENGTH»() FROM orders"),
    ("E0604", "SELECT ORD_ID FROM orders WHERE «SUM»(ORD_AMT) > 5"),
    ("E0604", "SELECT ORD_ID FROM orders «ORDER» BY 3"),
    ("E0604", "SELECT «*»"),
    ("E0605", "SELECT ORD_ID FROM orders «UNION» SELECT CUST_ID, CUST_NM FROM customers"),
    ("E0605", "SELECT («SELECT» ORD_ID, ORD_AMT FROM orders) FROM customers"),
    // syntax
    ("E0601", "SELECT COUNT(*) «FORM» orders"),
    ("E0601", "SELECT COUNT(*) FROM orders «WHER» ORD_AMT > 5"),
    ("E0601", "SELECT ORD_ID FROM orders «ODER» BY ORD_AMT"),
    ("E0601", "SELECT ORD_ID«,» FROM orders"),
    ("E0601", "SELECT COUNT«(»ORD_ID FROM orders"),
    ("E0601", "SELECT COUNT(ORD_ID)«)» FROM orders"),
    ("E0601", "SELECT «group» FROM orders"),
    ("E0601", "SELECT ORD_ID FROM orders WHERE CUST_REF = 'a' «ORD_AMT» > 5"),
    ("E0601", "SELECT COUNT(*) FROM customers WHERE CUST_NM = «'»Ada"),
    ("E0601", "SELECT COUNT(*) FROM customers WHERE CUST_NM = «‘Ada’»"),
    ("E0601", "SELECT ORD_AMT«::»int FROM orders"),
    ("E0601", "SELECT ORD_ID FROM orders WHERE PAID «&&» ORD_AMT > 5"),
    ("E0601", "SELECT COUNT(*) FROM orders WHERE ORD_AMT > «{»threshold}"),
    ("E0601", "SELECT COUNT(*) FROM orders WHERE SHIPPED > «DATE '2024-01-01'»"),
    ("E0601", "SELECT «EXTRACT»(YEAR FROM SHIPPED) FROM orders"),
    ("E0601", "SELECT COUNT(*) FROM customers WHERE CUST_NM «ILIKE» 'a%'"),
    ("E0601", "SELECT COUNT(*) FROM orders «WHERE»"),
    ("E0601", "SELECT COUNT(*) FROM «nothing»"),
    ("E0601", "SELECT COUNT(*) FROM orders WHERE ORD_AMT > «>» 5"),
    ("E0601", "SELECT «12ab» FROM orders"),
    ("E0601", "SELECT 1; «SELECT» 2"),
    ("E0601", "«-- nothing»"),
    // writes, chance, clocks
    ("E0607", "WITH x AS (SELECT 1) «DELETE» FROM orders"),
    ("E0607", "«DROP» TABLE orders"),
    ("E0608", "SELECT ORD_ID FROM orders ORDER BY «random»() LIMIT 1"),
    ("E0608", "SELECT COUNT(*) FROM orders WHERE SHIPPED < date(«'now'», '-1 day')"),
    ("E0608", "SELECT COUNT(*) FROM orders WHERE SHIPPED < «CURRENT_DATE»"),
    ("E0608", "SELECT «date»()"),
    ("E0608", "SELECT strftime('%Y', «'now'»)"),
    ("E0608", "SELECT datetime(SHIPPED, «'localtime'») FROM orders"),
    // text against numbers
    ("E0301", "SELECT COUNT(*) FROM orders WHERE ORD_AMT > «'50000'»"),
    ("E0301", "SELECT COUNT(*) FROM orders WHERE ORD_AMT > «'many'»"),
    ("E0301", "SELECT COUNT(*) FROM customers WHERE DEPT_CD = «:threshold»"),
    ("E0301", "SELECT COUNT(*) FROM orders WHERE ORD_AMT > «:dept»"),
    ("E0301", "SELECT COUNT(*) FROM customers WHERE CUST_NM IN ('a', «5»)"),
    ("E0301", "SELECT COUNT(*) FROM orders WHERE ORD_AMT BETWEEN 5 AND «'9'»"),
    ("E0301", "SELECT COUNT(*) FROM orders WHERE SHIPPED > «2024»"),
    ("E0301", "SELECT COUNT(*) FROM orders WHERE strftime('%Y', SHIPPED) = «2024»"),
    ("E0301", "SELECT COUNT(*) FROM orders WHERE PAID = «'true'»"),
    ("E0301", "SELECT COUNT(*) FROM orders o JOIN customers c ON o.CUST_REF = «c.CUST_NM»"),
    ("E0301", "SELECT CASE ORD_AMT WHEN «'5'» THEN 1 END FROM orders"),
    ("E0606 E0301", "SELECT COUNT(*) FROM orders WHERE ORD_AMT > «:treshold» OR ORD_AMT = «'7'»"),
];

#[test]
fn every_mistake_is_found_once_and_in_its_place() {
    let mut failures = String::new();
    for (codes, sql) in CASES {
        let (plain, spans) = marked(sql);
        let (analysis, found, source) = in_shop(&plain);
        let seen: Vec<&str> = found.iter().map(|diagnostic| diagnostic.code.id).collect();
        let places: Vec<(u32, u32)> = found.iter().map(|d| (d.primary.span.start, d.primary.span.end)).collect();
        if seen.join(" ") != *codes || places != spans || analysis.ok {
            let shown = describe(&plain, &found, &source);
            let _ = writeln!(failures, "expected {codes} in {sql}\n{shown}");
        }
    }
    assert!(failures.is_empty(), "{failures}");
}

#[test]
fn the_words() {
    let mut out = String::new();
    for (_, sql) in CASES {
        let (plain, _) = marked(sql);
        let (_, found, source) = in_shop(&plain);
        out.push_str(&describe(&plain, &found, &source));
        out.push('\n');
    }
    insta::assert_snapshot!(out);
}

#[test]
fn a_safe_fix_mends_what_it_is_for() {
    for (_, sql) in CASES {
        let (plain, _) = marked(sql);
        let (_, found, mut source) = in_shop(&plain);
        let mut edits: Vec<_> = found
            .iter()
            .filter_map(|d| d.fixes.iter().find(|fix| fix.applicability == Applicability::Safe))
            .flat_map(|fix| fix.edits.clone())
            .collect();
        if edits.len() != found.len() {
            continue;
        }
        edits.sort_by_key(|edit| std::cmp::Reverse(edit.span.start));
        for edit in edits {
            source.replace_range(edit.span.start as usize..edit.span.end as usize, &edit.text);
        }
        let mended = &source[crate::world::BEFORE.len()..source.len() - 2];
        let (_, left, source) = in_shop(mended);
        let again = left.iter().any(|left| found.iter().any(|found| left.code == found.code));
        assert!(!again, "{plain}\n{}", describe(mended, &left, &source));
    }
}

#[test]
fn tables_of_a_database_are_written_with_it() {
    let tables = tables(Some("shop"));
    let (analysis, found, _) = look("SELECT SUM(o.PRICE) FROM shop.orders o", &tables, None);
    assert!(analysis.ok, "{found:?}");
    let (_, found, source) = look("SELECT COUNT(*) FROM orders", &tables, None);
    assert_eq!(
        describe("", &found, &source).lines().nth(1),
        Some("  E0602 `orders`: table `orders` of database `shop` is written `shop.orders` here")
    );
    assert_eq!(found[0].fixes[0].edits[0].text, "shop.orders");
    let (_, found, _) = look("SELECT COUNT(*) FROM shop.ordres", &tables, None);
    assert_eq!(found[0].fixes[0].edits[0].text, "shop.orders");
    let (_, found, _) = look("SELECT COUNT(*) FROM shpo.orders", &tables, None);
    assert_eq!((found.len(), found[0].fixes[0].edits[0].text.as_str()), (1, "shop.orders"));
}

#[test]
fn a_keyword_behind_a_database_is_a_table_that_is_not_there() {
    let (_, found, source) = look("SELECT COUNT(*) FROM shop.order", &tables(Some("shop")), None);
    assert_eq!(
        describe("", &found, &source).lines().nth(1),
        Some("  E0602 `shop.order`: the task does not have a table `shop.order`")
    );
    assert_eq!((found.len(), found[0].fixes[0].edits[0].text.as_str()), (1, "shop.orders"));
}

#[test]
fn databases_that_sqlite_cannot_join_are_named() {
    let names = ["a1", "a2", "a3", "a4", "a5", "a6", "a7", "a8", "a9", "b1", "b2"];
    let many: Vec<_> = names.into_iter().flat_map(|name| tables(Some(name))).collect();
    let (analysis, found, _) = look("SELECT COUNT(*) FROM a1.orders, b2.orders", &many, None);
    assert!(analysis.ok, "{found:?}");
    let all = names.map(|name| format!("SELECT ORD_ID FROM {name}.orders")).join(" UNION ");
    let (_, found, source) = look(&all, &many, None);
    assert_eq!(describe("", &found, &source).lines().count(), 4);
    assert_eq!(found[0].message, "the query reads 11 databases, but SQLite joins at most 10");
    for own in ["main", "temp"] {
        for sql in [format!("SELECT COUNT(*) FROM {own}.orders"), "SELECT COUNT(*) FROM orders".to_owned()] {
            let (_, found, _) = look(&sql, &tables(Some(own)), None);
            assert_eq!(found.len(), 1);
            assert_eq!(found[0].message, format!("SQL cannot read database `{own}`: the name is reserved in SQLite"));
        }
    }
}

#[test]
fn messages_begin_in_lower_case() {
    for (_, sql) in CASES {
        for diagnostic in in_shop(&marked(sql).0).1 {
            let message = &diagnostic.message;
            let word = message.split(' ').next().unwrap_or("");
            assert!(
                word.starts_with('`') || ["SQL", "SQLite"].contains(&word) || !word.starts_with(char::is_uppercase),
                "{message}"
            );
        }
    }
}

#[test]
fn tables_that_sqlite_cannot_make_are_named() {
    let mut tables = tables(None);
    let mut again = tables[0].columns[0].clone();
    again.name = "cust_id";
    again.primary_key = false;
    tables[0].columns.push(again);
    let (_, found, _) = look("SELECT 1 FROM customers", &tables, None);
    assert_eq!(found.len(), 1);
    assert!(found[0].message.contains("`CUST_ID` and `cust_id`"), "{}", found[0].message);
}

/// A query and what is said of it.
fn describe(sql: &str, found: &[Diagnostic], source: &str) -> String {
    let text = |span: compiler::ast::Span| source.get(span.start as usize..span.end as usize).unwrap_or("OUTSIDE");
    let mut out = format!("{}\n", sql.escape_debug());
    for diagnostic in found {
        let _ = writeln!(out, "  {} `{}`: {}", diagnostic.code.id, text(diagnostic.primary.span), diagnostic.message);
        let labels = std::iter::once(&diagnostic.primary).chain(&diagnostic.secondary);
        let labels: Vec<&str> = labels.map(|label| label.message.as_str()).collect();
        let _ = writeln!(out, "    labels: {}", labels.join(" | "));
        if let Some(help) = &diagnostic.help {
            let _ = writeln!(out, "    help: {help}");
        }
        for fix in &diagnostic.fixes {
            let edits: Vec<String> =
                fix.edits.iter().map(|edit| format!("`{}` -> `{}`", text(edit.span), edit.text)).collect();
            let _ = writeln!(out, "    {:?} fix: {}: {}", fix.applicability, fix.message, edits.join(", "));
        }
    }
    out
}
