//! Options for the columns of a database: what the goal writes may be there in another form, and nothing else may change.

use records::{Captured, Reason, Verdict};
use serde_json::{Value as Json, json};

use super::common::{Files, files, scored};
use super::corpus::database;

const NOTES: &str = "CREATE TABLE orders(OID INTEGER PRIMARY KEY, OPEN INTEGER); INSERT INTO orders VALUES (1, 1), (2, 1);
    CREATE TABLE refunds(REFUND_ID INTEGER PRIMARY KEY, OID INTEGER REFERENCES orders, AMOUNT REAL); INSERT INTO refunds VALUES (1, 2, 5.5);
    CREATE TABLE notes(NID INTEGER PRIMARY KEY, REFUND_ID INTEGER REFERENCES refunds, TEXT TEXT, DAY TEXT, N REAL);
    INSERT INTO notes VALUES (1, 1, 'a gift', '2024-03-01', 1.5), (2, 1, 'calm refund sea', '2024-03-02', 2.5);
    CREATE TABLE log(WHAT TEXT, N INTEGER); INSERT INTO log VALUES ('start', 1), ('a refund was made', 2);";

/// What `scripts` leave, where the goal removes and adds rows of a table.
fn judge(changes: &[(&str, Json, Json)], options: &Json, script: &str) -> Verdict {
    let start = database(NOTES);
    let of = |name: &str| changes.iter().find(|(table, _, _)| *table == name);
    let table = |(name, columns, key): (&str, Json, Json)| {
        let (removed, added) =
            of(name).map_or((json!([]), json!([])), |(_, removed, added)| (removed.clone(), added.clone()));
        json!({"name": name, "columns": columns, "key": key, "removed": removed, "added": added})
    };
    let tables: Vec<Json> = [
        ("orders", json!(["OID", "OPEN"]), json!(["OID"])),
        ("refunds", json!(["REFUND_ID", "OID", "AMOUNT"]), json!(["REFUND_ID"])),
        ("notes", json!(["NID", "REFUND_ID", "TEXT", "DAY", "N"]), json!(["NID"])),
        ("log", json!(["WHAT", "N"]), json!([])),
    ]
    .into_iter()
    .map(table)
    .collect();
    let expect =
        json!({"subject": {"file": "t.db"}, "match": "database", "value": {"tables": tables}, "options": options});
    let left = Captured::from_bytes(database(&format!("{NOTES}{script}")));
    let response = files(&[("t.db", left)]);
    scored(&expect, &response, &Files::from([("t.db".to_owned(), start)])).verdicts.remove(0)
}

fn is_right(changes: &[(&str, Json, Json)], options: &Json, script: &str) -> bool {
    let found = judge(changes, options, script);
    assert_ne!(found.reason, Reason::BadKey, "{script}");
    found.reason == Reason::Right
}

/// The goal: a row of `notes` with the text `refund` is added.
fn added_note() -> Vec<(&'static str, Json, Json)> {
    vec![("notes", json!([]), json!([[3, 1, "refund", "2024-03-05", 4.0]]))]
}

#[test]
fn what_the_goal_writes_may_be_in_a_text() {
    let options = json!({"/notes/*/TEXT": {"cells": "contains"}});
    let add = |text: &str| format!("INSERT INTO notes VALUES (3, 1, '{text}', '2024-03-05', 4.0);");
    for (text, right) in [
        ("refund", true),
        ("A Refund, as asked.", true),
        ("**refund**", true),
        ("refunds", false),
        ("", false),
        ("gift", false),
    ] {
        assert_eq!(is_right(&added_note(), &options, &add(text)), right, "{text}");
    }
    // Without the option, and in another column, texts are exact.
    assert!(!is_right(&added_note(), &json!({}), &add("A refund.")));
    assert!(!is_right(&added_note(), &options, &add("A refund.").replace("2024-03-05", "on 2024-03-05")));
    // What the goal leaves alone may not be added to.
    assert!(!is_right(
        &added_note(),
        &options,
        &(add("A refund.") + "UPDATE notes SET TEXT = 'a gift, too' WHERE NID = 1;")
    ));
    assert!(!is_right(
        &added_note(),
        &options,
        &(add("A refund.") + "UPDATE notes SET TEXT = 'calm refund seas' WHERE NID = 2;")
    ));
}

#[test]
fn what_was_there_so_is_no_change() {
    let changed = vec![(
        "notes",
        json!([[2, 1, "calm refund sea", "2024-03-02", 2.5]]),
        json!([[2, 1, "refund", "2024-03-02", 2.5]]),
    )];
    let options = json!({"/notes/*/TEXT": {"cells": "contains"}});
    let set = |text: &str| format!("UPDATE notes SET TEXT = '{text}' WHERE NID = 2;");
    assert!(!is_right(&changed, &options, ""));
    assert!(!is_right(&changed, &options, &set("calm refund sea")));
    assert!(is_right(&changed, &options, &set("refund")));
    assert!(is_right(&changed, &options, &set("the refund of order 2")));
    assert!(!is_right(&changed, &options, &set("calm sea")));
}

#[test]
fn rows_without_a_key_pair_by_what_they_contain() {
    let options = json!({"/log/*/WHAT": {"cells": "contains"}});
    let goal = vec![("log", json!([]), json!([["refund", 7], ["refund 5", 7]]))];
    // The first text is in both: the rows pair as many as can.
    for (script, right) in [
        ("('refund 5 is done', 7), ('a refund', 7)", true),
        ("('a refund', 7), ('refund 5 is done', 7)", true),
        ("('a refund', 7), ('refund 6 is done', 7)", false),
        ("('refund 5', 7), ('refund 5', 7)", true),
        ("('a refund', 7), ('refund 5', 8)", false),
        ("('refund 5', 7)", false),
    ] {
        assert_eq!(is_right(&goal, &options, &format!("INSERT INTO log VALUES {script};")), right, "{script}");
    }
    // A row of the start is not one that was added, and is not to be changed.
    let one = vec![("log", json!([]), json!([["refund", 2]]))];
    assert!(!is_right(&one, &options, ""));
    assert!(is_right(&one, &options, "INSERT INTO log VALUES ('my refund', 2);"));
    assert!(!is_right(
        &one,
        &options,
        "INSERT INTO log VALUES ('my refund', 2); UPDATE log SET WHAT = 'start again' WHERE N = 1;"
    ));
    let gone = vec![("log", json!([["a refund was made", 2]]), json!([["refund", 2]]))];
    assert!(!is_right(&gone, &options, ""));
    assert!(is_right(&gone, &options, "UPDATE log SET WHAT = 'refund!' WHERE N = 2;"));
}

#[test]
fn other_options_are_for_their_columns() {
    let goal = vec![("notes", json!([]), json!([[3, 1, "Refund", "2024-03-05", 1234.5]]))];
    let options = json!({
        "": {"within": "0.1"},
        "/notes/*/TEXT": {"ignore": ["case", "space", "punctuation"], "within": "0.1"},
        "/notes/*/DAY": {"written": [{"pattern": "dd.MM.yyyy"}], "within": "0.1"},
        "/notes/*/N": {"written": [{"pattern": "#.##0,00"}]},
    });
    let add = |cells: &str| format!("INSERT INTO notes VALUES (3, 1, {cells});");
    for (cells, right) in [
        ("'Refund', '2024-03-05', 1234.5", true),
        ("'re-FUND', '05.03.2024', '1.234,50'", true),
        ("'Refund', '5.3.2024', 1234.5", true),
        ("'Refund', '03.05.2024', 1234.5", false),
        ("'Refund', 'March 5, 2024', 1234.5", false),
        ("'Refund', '2024-03-05', 1234.6", false),
        ("'Refund', '2024-03-05', '1234,6'", false),
        ("'Refunds', '2024-03-05', 1234.5", false),
        ("NULL, '2024-03-05', 1234.5", false),
    ] {
        assert_eq!(is_right(&goal, &options, &add(cells)), right, "{cells}");
    }
    // A column with options of its own has no other tolerance, and those without any have that of the whole.
    let refund = vec![("refunds", json!([]), json!([[2, 1, 7.0]]))];
    assert!(is_right(&refund, &options, "INSERT INTO refunds VALUES (2, 1, 7.05);"));
    assert!(!is_right(
        &refund,
        &json!({"": {"within": "0.1"}, "/refunds/*/AMOUNT": {"rounded": 2}}),
        "INSERT INTO refunds VALUES (2, 1, 7.05);"
    ));
}

#[test]
fn new_keys_follow_texts_that_contain_the_goals() {
    let goal = vec![
        ("refunds", json!([]), json!([[2, 1, 9.0], [3, 1, 9.0]])),
        ("notes", json!([]), json!([[3, 2, "refund", "d", 1.0], [4, 3, "gift", "d", 1.0]])),
    ];
    let options = json!({"": {"ignore": ["refunds.REFUND_ID", "notes.NID"]}, "/notes/*/TEXT": {"cells": "contains"}});
    // Two refunds with the same cells: the notes tell which is which.
    let leave = |one: &str, other: &str, first: i64, second: i64| {
        format!(
            "INSERT INTO refunds VALUES (80, 1, 9.0), (70, 1, 9.0);
             INSERT INTO notes VALUES (55, {first}, '{one}', 'd', 1.0), (54, {second}, '{other}', 'd', 1.0);"
        )
    };
    assert!(is_right(&goal, &options, &leave("a refund of 9", "as a gift", 80, 70)));
    assert!(is_right(&goal, &options, &leave("a refund of 9", "as a gift", 70, 80)));
    assert!(!is_right(&goal, &options, &leave("a refund of 9", "as a gift", 70, 70)));
    assert!(!is_right(&goal, &options, &leave("a refund of 9", "a present", 80, 70)));
    assert!(!is_right(&goal, &json!({"": options[""]}), &leave("a refund of 9", "as a gift", 80, 70)));
}
