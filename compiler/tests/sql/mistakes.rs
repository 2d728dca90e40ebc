//! Mistakes in queries inside the database `shop`: `mistakes/*.sql`. The first line of each has the codes in order, and «so» marks the exact bytes
//! of each; the words are in the snapshots next to them.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use compiler::diagnostics::{Applicability, Diagnostic};

use crate::sql::world::{in_shop, look, marked, tables};

/// The codes that a file announces, and its query with marks.
fn read(path: &Path) -> (String, String) {
    let text = fs::read_to_string(path).unwrap();
    let (codes, sql) = text.strip_prefix("-- ").and_then(|text| text.split_once('\n')).unwrap();
    (codes.to_owned(), sql.strip_suffix('\n').unwrap_or(sql).to_owned())
}

/// All queries, without marks.
fn queries() -> Vec<String> {
    let files = testing::list_below(testing::root().join("compiler/tests/sql/mistakes"), "sql");
    files.iter().map(|path| marked(&read(path).1).0).collect()
}

#[test]
fn every_mistake_is_found_once_and_in_its_place() {
    let mut wrong = String::new();
    let files = testing::check_snapshots(&testing::root().join("compiler/tests/sql/mistakes"), "sql", |path| {
        let (codes, sql) = read(path);
        let (plain, spans) = marked(&sql);
        let (analysis, found, source) = in_shop(&plain);
        let seen: Vec<&str> = found.iter().map(|diagnostic| diagnostic.code.id).collect();
        let places: Vec<(u32, u32)> = found.iter().map(|d| (d.primary.span.start, d.primary.span.end)).collect();
        let said = describe_diagnostics(&found, &source);
        if seen.join(" ") != codes || places != spans || analysis.ok {
            let _ = writeln!(wrong, "{}: expected {codes} in {sql}\n{said}", path.display());
        }
        said
    });
    assert!(wrong.is_empty(), "{wrong}");
    assert!(files.len() > 100, "{} queries", files.len());
}

#[test]
fn a_safe_fix_mends_what_it_is_for() {
    for plain in queries() {
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
        let mended = &source[crate::sql::world::BEFORE.len()..source.len() - 2];
        let (_, left, source) = in_shop(mended);
        let again = left.iter().any(|left| found.iter().any(|found| left.code == found.code));
        assert!(!again, "{plain}\n{mended}\n{}", describe_diagnostics(&left, &source));
    }
}

#[test]
fn tables_of_a_database_are_written_with_it() {
    let tables = tables(Some("shop"));
    let (analysis, found, _) = look("SELECT SUM(o.PRICE) FROM shop.orders o", &tables, None);
    assert!(analysis.ok, "{found:?}");
    let (_, found, source) = look("SELECT COUNT(*) FROM orders", &tables, None);
    assert_eq!(
        describe_diagnostics(&found, &source).lines().next(),
        Some("E0602 `orders`: table `orders` of database `shop` is written `shop.orders` here")
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
        describe_diagnostics(&found, &source).lines().next(),
        Some("E0602 `shop.order`: the task does not have a table `shop.order`")
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
    assert_eq!(describe_diagnostics(&found, &source).lines().count(), 3);
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
    for query in queries() {
        for diagnostic in in_shop(&query).1 {
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

/// What is said of a query.
fn describe_diagnostics(found: &[Diagnostic], source: &str) -> String {
    let text = |span: compiler::ast::Span| source.get(span.start as usize..span.end as usize).unwrap_or("OUTSIDE");
    let mut out = String::new();
    for diagnostic in found {
        let _ = writeln!(out, "{} `{}`: {}", diagnostic.code.id, text(diagnostic.primary.span), diagnostic.message);
        let labels = std::iter::once(&diagnostic.primary).chain(&diagnostic.secondary);
        let labels: Vec<&str> = labels.map(|label| label.message.as_str()).collect();
        let _ = writeln!(out, "  labels: {}", labels.join(" | "));
        if let Some(help) = &diagnostic.help {
            let _ = writeln!(out, "  help: {help}");
        }
        for fix in &diagnostic.fixes {
            let edits: Vec<String> =
                fix.edits.iter().map(|edit| format!("`{}` -> `{}`", text(edit.span), edit.text)).collect();
            let _ = writeln!(out, "  {:?} fix: {}: {}", fix.applicability, fix.message, edits.join(", "));
        }
    }
    out
}
