//! `rows`: columns that are not expected, ties, and options for some columns.

use super::common::{Files, reply, scored, verdict, word};
use model::{Decimal, Value};
use proptest::prelude::*;
use serde_json::{Value as Json, json};

fn says(expect: &Json, said: &str) -> String {
    word(&verdict(expect, said))
}

fn rows(columns: &[&str], rows: &Json, options: &Json) -> Json {
    json!({"subject": "reply", "match": "rows", "value": {"columns": columns, "rows": rows}, "options": options})
}

#[test]
fn open_finds_columns_by_their_names_or_takes_the_first() {
    let key = rows(&["TOWN", "N"], &json!([["Ulm", 1], ["Kiel", 2]]), &json!({"": {"open": true}}));
    for (said, reason) in [
        ("TOWN,N\nUlm,1\nKiel,2", "right"),
        ("N,TOWN\n1,Ulm\n2,Kiel", "right"),
        ("extra,n , town,more\nx,1,Ulm,y\nx,2,Kiel,y", "right"),
        ("| **N** | `TOWN` |\n|---|---|\n| 1 | Ulm |\n| 2 | Kiel |", "right"),
        ("| Rank | Town | N |\n|---|---|---|\n| 1 | Ulm | 1 |\n| 2 | Kiel | 2 |", "right"),
        (r#"[{"x": 0, "town": "Ulm", "N": 1}, {"N": 2, "y": 1, "town": "Kiel"}]"#, "right"),
        // Other names: the first columns.
        ("City,Count,Share\nUlm,1,50\nKiel,2,50", "right"),
        ("Share,City,Count\n50,Ulm,1\n50,Kiel,2", "differs"),
        (r#"[["Ulm", 1, 9], ["Kiel", 2, 9]]"#, "right"),
        (r#"[[9, "Ulm", 1], [9, "Kiel", 2]]"#, "differs"),
        // A name that is there twice is none.
        ("town,TOWN,N\nUlm,1,x\nKiel,2,x", "right"),
        ("TOWN\nUlm\nKiel", "differs"),
        ("TOWN,N\nUlm,1", "differs"),
        ("TOWN,N,x\nUlm,1\nKiel,2", "not_rows"),
    ] {
        assert_eq!(says(&key, said), reason, "{said}");
    }
    let closed = rows(&["TOWN", "N"], &json!([["Ulm", 1], ["Kiel", 2]]), &json!({}));
    assert_eq!(says(&closed, "x,TOWN,N\n0,Ulm,1\n0,Kiel,2"), "differs");
    assert_eq!(says(&closed, r#"[{"x": 0, "TOWN": "Ulm", "N": 1}, {"N": 2, "x": 1, "TOWN": "Kiel"}]"#), "differs");
}

#[test]
fn a_query_may_return_other_columns() {
    let database = {
        sqlite::init_process().expect("SQLite");
        let mut connection = rusqlite::Connection::open_in_memory().expect("a database");
        connection
            .execute_batch("CREATE TABLE t (TOWN TEXT, N INT); INSERT INTO t VALUES ('Ulm', 1), ('Kiel', 2)")
            .expect("a table");
        connection.serialize("main").expect("bytes").to_vec()
    };
    let start: Files = [("t.db".to_owned(), database)].into();
    let key = |options: &Json| json!({"subject": "reply", "match": "sql", "database": "t.db", "value": {"columns": ["TOWN", "N"], "rows": [["Ulm", 1], ["Kiel", 2]]}, "options": options});
    let ask = |key: &Json, sql: &str| word(&scored(key, &reply(sql), &start).verdicts[0]);
    let open = key(&json!({"": {"open": true}}));
    assert_eq!(ask(&open, "SELECT N * 2 AS x, N, TOWN FROM t"), "right");
    assert_eq!(ask(&open, "SELECT TOWN, N, 5 FROM t"), "right");
    assert_eq!(ask(&open, "SELECT TOWN FROM t"), "differs");
    assert_eq!(ask(&key(&json!({})), "SELECT TOWN, N, 5 FROM t"), "differs");
    let ordered = key(&json!({"": {"ordered": {"by": [["N"]]}}}));
    assert_eq!(ask(&ordered, "SELECT * FROM t ORDER BY N"), "right");
    assert_eq!(ask(&ordered, "SELECT * FROM t ORDER BY N DESC"), "differs");
}

#[test]
fn ties_may_be_in_any_order() {
    let key = rows(
        &["TOWN", "N"],
        &json!([["Ulm", 5], ["Kiel", 3], ["Bonn", 3], ["Jena", 1]]),
        &json!({"": {"ordered": {"by": [["N", "desc"]]}}}),
    );
    for (order, reason) in [
        ([0, 1, 2, 3], "right"),
        ([0, 2, 1, 3], "right"),
        ([1, 0, 2, 3], "differs"),
        ([0, 1, 3, 2], "differs"),
        ([3, 2, 1, 0], "differs"),
    ] {
        let lines = ["Ulm,5", "Kiel,3", "Bonn,3", "Jena,1"];
        let said: Vec<&str> = std::iter::once("TOWN,N").chain(order.map(|at: usize| lines[at])).collect();
        assert_eq!(says(&key, &said.join("\n")), reason, "{order:?}");
    }
    assert_eq!(says(&key, "TOWN,N\nUlm,5\nKiel,3\nBonn,3"), "differs");
}

#[test]
fn options_are_for_their_columns() {
    let key = rows(
        &["TOWN", "MEAN", "N"],
        &json!([["Ulm", 1.236, 100], ["Kiel", 2.5, 7]]),
        &json!({"": {"within": "1"}, "/*/MEAN": {"rounded": 2}, "/*/TOWN": {"ignore": ["case"], "within": "1"}}),
    );
    for (said, reason) in [
        ("a,b,c\nUlm,1.24,100\nKiel,2.5,7", "right"),
        ("a,b,c\nULM,1.24,101\nkiel,2.50,8", "right"),
        ("a,b,c\nUlm,1.25,100\nKiel,2.5,7", "differs"),
        ("a,b,c\nUlm,1.24,102\nKiel,2.5,7", "differs"),
        ("a,b,c\nUlm.x,1.24,100\nKiel,2.5,7", "differs"),
    ] {
        assert_eq!(says(&key, said), reason, "{said}");
    }
    // A name that a pointer escapes.
    let odd = rows(&["a/b~"], &json!([["X"]]), &json!({"/*/a~1b~0": {"ignore": ["case"]}}));
    assert_eq!(says(&odd, "h\nx"), "right");
}

#[test]
fn a_cell_may_hold_more_than_its_text() {
    let key = rows(
        &["ID", "NOTE", "CODE"],
        &json!([[1, "late", "[A-Z]{2}"], [2, "paid", "[0-9]+"], [3, "late", "x"]]),
        &json!({"/*/NOTE": {"cells": "contains"}, "/*/CODE": {"cells": "matches"}}),
    );
    let right = "ID,NOTE,CODE\n3,It was Late.,x\n1,too late again,QX\n2,all paid,12";
    assert_eq!(says(&key, right), "right");
    for (from, to) in [("all paid", "unpaid"), ("QX", "qx"), ("12", "12 "), ("It was Late.", "")] {
        let said = right.replace(from, to);
        assert_eq!(says(&key, &said), if to == "12 " { "right" } else { "differs" }, "{said}");
    }
}

proptest! {
    /// The rows in any order that keeps the keys in theirs are right; any other order is wrong.
    #[test]
    fn orders_are_right_as_their_keys_say(
        (cells, order) in prop::collection::vec((0i64..4, 0i64..3), 1..9)
            .prop_flat_map(|cells| { let all: Vec<usize> = (0..cells.len()).collect(); (Just(cells), Just(all).prop_shuffle()) }),
    ) {
        let mut cells = cells;
        cells.sort_by_key(|(key, _)| -key);
        let row = |(key, more): &(i64, i64)| json!([key, more]);
        let key = rows(&["K", "M"], &cells.iter().map(row).collect(), &json!({"": {"ordered": {"by": [["K", "desc"]]}}}));
        let said: Vec<Json> = order.iter().map(|at| row(&cells[*at])).collect();
        let keeps = order.windows(2).all(|two| cells[two[0]].0 >= cells[two[1]].0);
        prop_assert_eq!(says(&key, &Json::Array(said).to_string()) == "right", keeps);
    }
}

#[test]
fn values_of_keys_are_compared_exactly() {
    let decimal = |text: &str| Value::Decimal(text.parse::<Decimal>().expect("a decimal")).to_key_json();
    let key = rows(
        &["A", "P"],
        &json!([["x", decimal("2.50")], ["y", decimal("2.5")], ["z", decimal("1.00")]]),
        &json!({"": {"ordered": {"by": [["P", "desc"]]}}}),
    );
    assert_eq!(says(&key, "A,P\ny,2.5\nx,2.50\nz,1"), "right");
}
