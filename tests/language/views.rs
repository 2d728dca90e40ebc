//! Views of generated databases.

use model::Value;
use testing::find_answer;

use super::{agree, codes, compile, instances};

const SHOP: &str = "least : int 40..60 sqlite shop at \"shop.db\" { \
    view sold = <<rows: SELECT ITEM, SUM(N) AS ALL_OF_IT FROM large GROUP BY ITEM ORDER BY ITEM>> \
    table items { rows 5 ID : serial NAME : word PRICE : decimal 1.00..9.99 } \
    table sales { rows 30 ID : serial ITEM : ref items.ID N : int 1..9 blank 20% DAY : date } \
    view large = <<rows: SELECT s.ID, s.ITEM, s.N, i.PRICE, s.DAY FROM sales s JOIN items i ON i.ID = s.ITEM WHERE s.N > 2>> \
    } csv other at \"o.csv\" { rows 5 ITEM : serial } prompt \"<<shop>> <<other>>\" ";

fn checked(value: &str) -> String {
    format!("{SHOP} expect reply json {{ v: {value} }}")
}

#[test]
fn a_view_is_read_like_a_table() {
    for (value, other) in [
        ("count(shop.large)", "count(shop.sales where N > 2)"),
        ("coalesce(sum(shop.large.N), 0)", "coalesce(sum(shop.sales.N where N > 2), 0)"),
        ("list(shop.large.DAY where N > 5)", "<<list: SELECT DAY FROM shop.sales WHERE N > 5 ORDER BY ID>>"),
        ("coalesce(max(shop.large.PRICE), 0.00)", "coalesce(<<value: SELECT MAX(PRICE) FROM shop.large>>, 0.00)"),
        // Views of views, in a query of the database, of the task, and of both with a file.
        ("coalesce(sum(shop.sold.ALL_OF_IT), 0)", "coalesce(<<sqlite_query: shop, SELECT SUM(N) FROM large>>, 0)"),
        ("<<sqlite_query: shop, SELECT COUNT(*) FROM sold>>", "count(shop.sold)"),
        (
            "<<value: SELECT COUNT(*) FROM shop.sold s JOIN other o ON o.ITEM = s.ITEM>>",
            "<<value: SELECT COUNT(DISTINCT ITEM) FROM shop.sales WHERE N > 2>>",
        ),
        ("list(shop.sold.ITEM)", "sort(list(shop.sold.ITEM))"),
    ] {
        agree(checked, value, other);
    }
}

#[test]
fn a_view_is_stored_in_the_file() {
    let task = checked("schema(shop)");
    let (first, again) = (instances(&task), instances(&task));
    for (instance, again) in first.iter().zip(&again) {
        let Value::Object(fields) = find_answer(instance) else { panic!("an object") };
        let [(_, Value::Text(schema))] = fields.as_slice() else { panic!("a text") };
        assert!(schema.contains("CREATE VIEW large AS\nSELECT s.ID, s.ITEM"), "{schema}");
        let bytes = |of: &runtime::generate::Instance| -> Vec<u8> {
            of.files.iter().find(|file| file.path == "shop.db").expect("the file").bytes.to_vec()
        };
        assert_eq!(bytes(instance), bytes(again));
        let text = String::from_utf8_lossy(&bytes(instance)).into_owned();
        assert!(text.contains("CREATE VIEW sold AS\nSELECT ITEM, SUM(N)"), "the file has no view");
    }
}

#[test]
fn layout_does_not_change_what_is_stored() {
    let task = |query: &str| {
        format!(
            "sqlite d at \"d.db\" {{ table t {{ rows 9 A : serial B : word }} view v = <<rows: {query}>> }} prompt \"<<d>>\" expect reply text schema(d)"
        )
    };
    let one = instances(&task("SELECT A, 'x  y' AS C FROM t WHERE B <> '--' ORDER BY t.A"));
    let other =
        instances(&task("SELECT A,\n    'x  y' AS C -- why\n  FROM t\nWHERE B <> '--' /* the order */ ORDER BY t.A  "));
    for (one, other) in one.iter().zip(&other) {
        assert_eq!(find_answer(one), find_answer(other));
        let bytes = |of: &runtime::generate::Instance| of.files.first().map(|file| file.bytes.to_vec());
        assert_eq!(bytes(one), bytes(other));
    }
}

#[test]
fn mistakes_in_views_are_told() {
    for (view, wanted) in [
        ("view v = <<rows: SELECT ID FROM v>>", vec!["E0208"]),
        ("view v = <<rows: SELECT ID FROM w>> view w = <<rows: SELECT ID FROM v>>", vec!["E0208"]),
        ("view v = <<rows: SELECT ID FROM absent>>", vec!["E0602"]),
        ("view v = <<rows: SELECT WRONG FROM t>>", vec!["E0603"]),
        ("view v = <<rows: SELECT A FROM elsewhere>>", vec!["E0602"]),
        ("view T = <<rows: SELECT ID FROM t>>", vec!["E0206"]),
        ("view v = <<rows: SELECT ID FROM t WHERE ID > :n>>", vec!["E0606"]),
        ("view v = <<rows: SELECT quantile(ID, 0.5) AS Q FROM t>>", vec!["E0604"]),
        ("view v = <<rows: SELECT random() AS R FROM t>>", vec!["E0608"]),
        ("view v = <<rows: SELECT ID, ID FROM t>>", vec!["E0605"]),
        ("view v = <<rows: DELETE FROM t>>", vec!["E0607"]),
        ("view v = 3", vec!["E0605"]),
        ("view v = <<list: SELECT ID FROM t>>", vec!["E0605"]),
        ("view v =", vec!["E0105"]),
        ("view v = <<rows: SELECT ID FROM t>>", vec![]),
    ] {
        let task = format!(
            "n : int 1..9 csv elsewhere at \"e.csv\" {{ rows 3 A : int 1..9 }} sqlite d at \"d.db\" {{ table t {{ rows 3 ID : serial }} {view} }} \
             prompt \"<<d>> <<elsewhere>>\" expect reply number n"
        );
        assert_eq!(codes(&task), wanted, "{view}: {:?}", compile(&task).diagnostics);
    }
}

#[test]
fn lints_look_at_the_query_of_a_view() {
    for (query, wanted) in [
        ("SELECT ID, A / 2 AS HALF FROM t", Some("W0501")),
        ("SELECT a.ID FROM t a, t b", Some("W0505")),
        ("SELECT ID FROM t WHERE A > 9", Some("W0401")),
        ("WITH w AS (SELECT ID FROM t) SELECT ID FROM t", Some("W0504")),
        // Nobody has asked for these rows in an order.
        ("SELECT ID, A FROM t", None),
    ] {
        let view = format!("view v = <<rows: {query}>>");
        let task = |before: &str, said: &str| {
            format!(
                "{said} sqlite d at \"d.db\" {{ table t {{ rows 3 ID : serial A : int 1..9 }} {before} }} \
                 prompt \"How many rows has table t of <<d>>, and how many view v?\" expect reply number count(d.v) + count(d.t)"
            )
        };
        let found =
            |task: &str| testing::list_codes(&testing::compile_text(&testing::build_suite_source("samples 40", task)));
        let found = found(&task(&view, ""));
        let lints: Vec<&str> =
            found.iter().copied().filter(|code| ["W04", "W05"].iter().any(|of| code.starts_with(of))).collect();
        assert_eq!(lints, wanted.into_iter().collect::<Vec<_>>(), "{query}: {found:?}");
    }
}

#[test]
fn a_view_that_is_wrong_is_said_once() {
    let task = "sqlite d at \"d.db\" { table t { rows 3 ID : serial } view v = <<rows: SELECT NO FROM t>> \
        view w = <<rows: SELECT ID FROM v>> } prompt \"<<d>>\" a = count(d.v) b = sum(d.v.ID) c = <<value: SELECT COUNT(*) FROM d.w>> \
        e = <<sqlite_query: d, SELECT COUNT(*) FROM v>> expect reply number count(d.t)";
    assert_eq!(codes(task), ["E0603"], "{:?}", compile(task).diagnostics);
}

#[test]
fn a_database_cannot_need_its_own_view() {
    let task = "sqlite d at \"d.db\" { table t { rows 3 ID : serial } view v = <<rows: SELECT ID FROM t>> \
        table u { rows 2 N = count(d.v) } } prompt \"<<d>>\" expect reply number count(d.u)";
    assert_eq!(codes(task), ["E0208"], "{:?}", compile(task).diagnostics);
}

#[test]
fn a_view_is_in_a_database() {
    let body = |file: &str| format!("{file} prompt \"x\" expect reply text \"y\"");
    let book = "xlsx b at \"b.xlsx\" { table t { rows 3 A : serial } view v = <<rows: SELECT A FROM t>> }";
    assert_eq!(codes(&body(book)).len(), 1);
    // A column, a name, and a table can still be called so.
    for right in [
        "csv c at \"c.csv\" { rows 3 view : int 1..9 }",
        "view : int 1..9",
        "view = 3",
        "sqlite d at \"d.db\" { table view { rows 3 view : serial } }",
    ] {
        assert_eq!(codes(&body(right)), [""; 0], "{right}");
    }
}

#[test]
fn a_view_is_not_a_use_of_its_tables() {
    let task = "sqlite d at \"d.db\" { table t { rows 3 ID : serial } view v = <<rows: SELECT ID FROM t>> } prompt \"x\" expect reply text \"y\"";
    let said = testing::compile_text(&testing::build_suite_source("samples 2", task)).diagnostics;
    assert!(said.iter().any(|said| said.message.starts_with("`d` is generated but never used")), "{said:?}");
}
