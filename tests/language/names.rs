//! Names written in full: `hr.PAY`, `shop.orders.PAY`, `conf.services.port`.

use model::Value;
use testing::find_answer;

use super::{codes, compile, instances};

/// A column of the same values in every kind of file, and its full name.
const KINDS: &[(&str, &str, &str)] = &[
    ("csv hr at \"h.csv\" { rows 9 ID : serial PAY : int 1..9 }", "hr", "hr.PAY"),
    ("table hr { rows 9 ID : serial PAY : int 1..9 }", "hr", "hr.PAY"),
    ("sqlite db at \"h.db\" { table hr { rows 9 ID : serial PAY : int 1..9 } }", "db.hr", "db.hr.PAY"),
    (
        "xlsx wb at \"h.xlsx\" { table hr { rows 9 PAY : int 1..9 } table x { rows 1 ID : serial } }",
        "wb.hr",
        "wb.hr.PAY",
    ),
    ("json js at \"h.json\" { hr : [ { PAY : int 1..9 } ; 9 ] }", "js.hr", "js.hr.PAY"),
    ("yaml ym at \"h.yaml\" { hr : [ { at : { PAY : int 1..9 } } ; 9 ] }", "ym.hr", "ym.hr.at.PAY"),
    ("xml xm at \"h.xml\" root { hr : [ { @PAY : int 1..9 } ; 9 ] }", "xm.hr", "xm.hr.PAY"),
];

fn ints(value: &Value) -> Vec<i64> {
    let Value::List(items) = value else { panic!("{value:?}") };
    items.iter().map(|item| if let Value::Int(n) = item { *n } else { panic!("{item:?}") }).collect()
}

fn lists(data: &str, value: &str) -> Vec<Vec<i64>> {
    let body = format!("{data} prompt \"x\" expect reply list {value}");
    instances(&body).iter().map(|instance| ints(find_answer(instance))).collect()
}

#[test]
fn a_full_name_is_the_cell_inside_of_where() {
    for (data, relation, column) in KINDS {
        let all = lists(data, &format!("list({column})"));
        let some = lists(data, &format!("list({column} where {column} >= 5)"));
        for (all, some) in all.iter().zip(some) {
            assert_eq!(some, all.iter().copied().filter(|pay| *pay >= 5).collect::<Vec<_>>(), "{relation}");
        }
    }
}

#[test]
fn a_full_name_is_the_column_where_only_a_column_fits() {
    for (data, relation, column) in KINDS {
        let all = lists(data, &format!("list({column})"));
        let most = lists(data, &format!("list({column} where {column} == max({column}))"));
        let late = lists(data, &format!("list({column} where {column} == max({column} where {column} < 9))"));
        for ((all, most), late) in all.iter().zip(most).zip(late) {
            let equal = |limit: Option<&i64>| all.iter().copied().filter(|pay| Some(pay) == limit).collect::<Vec<_>>();
            assert_eq!(most, equal(all.iter().max()), "{relation}");
            assert_eq!(late, equal(all.iter().filter(|pay| **pay < 9).max()), "{relation}");
        }
    }
}

#[test]
fn a_column_cannot_be_made_of_the_whole_of_itself() {
    for (data, name) in [
        ("csv hr at \"h.csv\" { rows 9 PAY : int 1..9 ALL = sum(hr.PAY) }", "hr"),
        ("sqlite db at \"h.db\" { table hr { rows 9 PAY : int 1..9 ALL = sum(db.hr.PAY) } }", "db.hr"),
    ] {
        let said = codes(&format!("{data} prompt \"x\" expect reply number count({name})"));
        assert_eq!(said, ["E0208"], "{data}");
    }
}

#[test]
fn what_stands_in_the_wrong_place_is_not_called_planned() {
    let json = "json js at \"j.json\" { a : int 1..3 }";
    let said = compile(&format!("{json} n = <<json_valeu: js, $.a>> prompt \"<<n>>\" expect reply text \"y\""));
    assert_eq!(said.diagnostics[0].code.id, "E0205");
    assert_eq!(said.diagnostics[0].help.as_deref(), Some("did you mean `json_value`?"));
    for body in ["x : [ int 1..3 ; 2 ]", "x : { a : int 1..3 }", "csv h at \"h.csv\" { rows 3 X : [ word ; 2 ] }"] {
        assert_eq!(codes(&format!("{body} prompt \"x\" expect reply text \"y\"")), ["E0702"], "{body}");
    }
}

#[test]
fn traps_that_are_listed_twice_are_listed_once_together() {
    let said = compile("a = 1 b = 2 c = 3 prompt \"?\" expect reply number 4 trap a trap b, c");
    let told = said.diagnostics.iter().find(|said| said.code.id == "E0206").expect("a duplicate");
    assert_eq!(told.help.as_deref(), Some("write it once, with all names: `trap a, b, c`"));
    let said = compile("prompt \"?\" expect reply number 4 within 1 within 2");
    let told = said.diagnostics.iter().find(|said| said.code.id == "E0206").expect("a duplicate");
    assert_eq!(told.help.as_deref(), Some("keep one of the two"));
}

/// Each row: a declaration with a slip, a use, and what is offered for the name that is not declared.
#[test]
fn a_name_is_not_taken_for_what_it_is_compared_with() {
    const HR: &str = "csv hr at \"h.csv\" { rows 9 DEPT : department PAY : int 1..9 HEIGHT : int 1..9 }";
    for (declared, key, offered) in [
        ("det : ref hr.DEPT", "count(hr where DEPT == dept)", &["det"][..]),
        ("x : int 1..9", "count(hr where DEPT == dept)", &[]),
        ("x : int 1..9", "count(hr where dept == DEPT)", &[]),
        ("x : int 1..9", "count(hr where hr.DEPT == dept)", &[]),
        ("x : int 1..9", "count(hr where DEPT in [\"a\"] or DEPT != dept)", &[]),
        ("x : int 1..9", "count(hr where lower(DEPT) == lower(dept))", &[]),
        ("x : int 1..9", "count(hr where PAY > (pay - 1))", &[]),
        ("x : int 1..9", "count(hr where hr.PAY > hr.pay)", &[]),
        ("x : ref hr.PAY where PAY > pay", "x", &[]),
        // Of another row or comparison it may well be.
        ("x : int 1..9", "count(hr where PAY > max(hr.HEIGHT where pay > 1))", &["PAY"]),
        ("x : int 1..9", "count(hr where PAY > 3 and pay < 5)", &["PAY"]),
        ("x : int 1..9", "count(hr where HEIGHT > pay)", &["PAY"]),
    ] {
        let found = compile(&format!("{HR} {declared} prompt \"x <<hr>>\" expect reply number {key}"));
        let unknown = |said: &&compiler::diagnostics::Diagnostic| said.unknown.is_some();
        let said: Vec<_> = found.diagnostics.iter().filter(unknown).collect();
        assert_eq!(said.len(), 1, "{key}: {:?}", found.diagnostics);
        let texts = said.iter().flat_map(|said| &said.fixes).flat_map(|fix| &fix.edits);
        assert_eq!(texts.map(|edit| edit.text.as_str()).collect::<Vec<_>>(), offered, "{key}");
        let help = said[0].help.as_deref().unwrap_or_default();
        assert_eq!(help.contains("did you mean"), !offered.is_empty(), "{key}: {help}");
    }
}

#[test]
fn what_is_suggested_for_one_name_agrees_or_is_not_safe() {
    use compiler::diagnostics::Applicability::{Safe, Unsafe};
    const HR: &str = "csv hr at \"h.csv\" { rows 9 DEPT : department PAY : int 1..9 }";
    let fixes = |body: &str| {
        let found = compile(&format!("{HR} {body}"));
        let fixes = found.diagnostics.iter().filter(|said| said.code.id == "E0201").flat_map(|said| &said.fixes);
        fixes.map(|fix| (fix.edits[0].text.clone(), fix.applicability)).collect::<Vec<_>>()
    };
    let row = |text: &str, safe| (text.to_owned(), safe);
    let slip = "det : ref hr.DEPT prompt \"Who is in <<dept>> of <<hr>>?\" expect reply number";
    assert_eq!(fixes(&format!("{slip} count(hr where DEPT == dept)")), [row("det", Safe), row("det", Safe)]);
    let two = fixes(&format!("{slip} count(hr where dept == \"Legal\" and PAY > 3)"));
    assert_eq!(two, [row("det", Unsafe), row("DEPT", Unsafe)]);
}

/// A circle of names is one mistake, and found at once, wherever a check follows what names stand for.
#[test]
fn names_in_a_circle_are_told_once_wherever_they_are_used() {
    let circles = [
        "a = a",
        "a = b b = a",
        "a = b b = c c = a",
        "a = [b] b = a",
        "a = -b b = a",
        "a = \"<<b>>\" b = a",
        "a = if true then b else 1 b = a",
    ];
    let uses = [
        "prompt \"Say <<a>>.\" expect reply number 1",
        "prompt \"x\" expect reply number a",
        "prompt \"x\" expect reply text a",
        "prompt \"x\" expect reply text [a, \"y\"]",
        "prompt \"x\" expect reply number 1 trap a",
        "n : int 1..9 z = a prompt \"x\" expect reply number z trap n, a",
        "prompt \"x\" expect file \"<<a>>.txt\" text \"y\"",
        "require a > 1 prompt \"x\" expect reply number 1",
        "require 1 in a prompt \"x\" expect reply number 1",
        "n : int 1..9 except a prompt \"x\" expect reply number n",
        "n : one_of [a, a] prompt \"x\" expect reply number 1",
        "csv f at \"f.csv\" { rows 9 N : int 1..9 M = a } prompt \"x\" expect reply number sum(f.M)",
        "csv f at \"f.csv\" { rows a N : int 1..9 } prompt \"x\" expect reply number sum(f.N where N > a)",
    ];
    for circle in circles {
        for used in uses {
            let task = format!("{circle} {used}");
            let said = codes(&task);
            assert_eq!(said.iter().filter(|code| **code == "E0208").count(), 1, "{task}: {said:?}");
        }
    }
}
