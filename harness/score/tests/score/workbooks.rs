//! Workbooks as answers, and files whose options say how their rows are read.

use std::process::Command;

use proptest::prelude::*;
use records::{Captured, Reason, Verdict};
use rust_xlsxwriter::{Format, Formula, Workbook};
use score::{score_response, solve_instance};
use serde_json::{Value as Json, json};

use super::common::{Files, files, instance, instance_of, text};

fn judge(expect: &Json, path: &str, found: Captured) -> Verdict {
    score_response(&instance(expect), Some(&files(&[(path, found)])), 1, &Files::new()).verdicts.remove(0)
}

fn judge_book(expect: &Json, mut book: Workbook) -> Verdict {
    judge(expect, "a.xlsx", Captured::from_bytes(book.save_to_buffer().expect("a workbook")))
}

/// Two sheets: rows below an empty row and next to an empty column, and single cells.
fn build_book() -> Workbook {
    let mut book = Workbook::new();
    let day = Format::new().set_num_format("yyyy-mm-dd");
    let low = book.add_worksheet();
    low.set_name("Low").expect("a name");
    for (column, name) in [(1, "SKU"), (2, "N"), (3, "DAY"), (4, "OK")] {
        low.write_string(2, column, name).expect("written");
    }
    for (row, sku, n, day_number, ok) in [(3, "A 1", 0.1, 45_352.0, true), (5, "B", 7.0, 45_353.0, false)] {
        low.write_string(row, 1, sku).expect("written");
        low.write_number(row, 2, n).expect("written");
        low.write_number_with_format(row, 3, day_number, &day).expect("written");
        low.write_boolean(row, 4, ok).expect("written");
    }
    let sum = book.add_worksheet();
    sum.set_name("Net sum").expect("a name");
    sum.write_number(0, 1, 7.1).expect("written");
    sum.write_string(1, 1, "Ulm, not Bonn").expect("written");
    sum.write_boolean(2, 1, true).expect("written");
    sum.write_number_with_format(3, 1, 45_352.0, &day).expect("written");
    sum.write_formula(5, 1, Formula::new("=1+1").set_result("2")).expect("written");
    book
}

fn expect_of(matcher: &str, value: &Json, read: &Json) -> Json {
    json!({"subject": {"file": "a.xlsx"}, "match": matcher, "value": value, "read": read})
}

fn rows_of_low() -> Json {
    json!({"columns": ["SKU", "N", "DAY", "OK"], "rows": [
        ["A 1", {"decimal": "0.1"}, {"date": "2024-03-01"}, true], ["B", 7, {"date": "2024-03-02"}, false],
    ]})
}

#[test]
fn a_sheet_is_rows_and_objects() {
    let low = json!({"sheet": "Low"});
    let reason = |expect: &Json| judge_book(expect, build_book()).reason;
    assert_eq!(reason(&expect_of("rows", &rows_of_low(), &low)), Reason::Right);
    let objects = json!([
        {"SKU": "A 1", "N": 0.1, "DAY": "2024-03-01", "OK": true}, {"SKU": "B", "N": 7, "DAY": "2024-03-02", "OK": false},
    ]);
    assert_eq!(reason(&expect_of("json", &objects, &low)), Reason::Right);
    assert_eq!(reason(&expect_of("list", &rows_of_low(), &low)), Reason::Right);
    // A text is not a number, and a number is none of its neighbours.
    let other = |cell: Json| {
        json!({"columns": ["SKU", "N", "DAY", "OK"], "rows": [
            ["A 1", {"decimal": "0.1"}, {"date": "2024-03-01"}, true], ["B", cell, {"date": "2024-03-02"}, false],
        ]})
    };
    for cell in [json!("7"), json!(8), json!(null)] {
        assert_eq!(reason(&expect_of("rows", &other(cell.clone()), &low)), Reason::Differs, "{cell}");
    }
    let several = judge_book(&expect_of("rows", &rows_of_low(), &json!({})), build_book());
    assert_eq!(several.reason, Reason::NotRows);
    assert!(several.differences[0].got.contains("`Low`, `Net sum`"), "{several:?}");
    assert_eq!(reason(&expect_of("rows", &rows_of_low(), &json!({"sheet": "low"}))), Reason::NotRows);
}

#[test]
fn a_place_is_a_cell() {
    let reason = |matcher: &str, value: Json, place: &str| {
        judge_book(&expect_of(matcher, &value, &json!({ "cell": place })), build_book()).reason
    };
    for (matcher, value, place, expected) in [
        ("number", json!({"decimal": "7.1"}), "'Net sum'!B1", Reason::Right),
        ("number", json!({"decimal": "7.1"}), "Net sum!$B$1", Reason::Right),
        ("number", json!({"decimal": "7.2"}), "'Net sum'!B1", Reason::Differs),
        ("contains", json!("Ulm"), "'Net sum'!B2", Reason::Right),
        ("lacks", json!("Bonn"), "'Net sum'!B2", Reason::Present),
        ("matches", json!("Ulm.*"), "'Net sum'!B2", Reason::Right),
        ("text", json!("Ulm, not Bonn"), "'Net sum'!B2", Reason::Right),
        ("text", json!("7.1"), "'Net sum'!B1", Reason::Right),
        ("bool", json!(true), "'Net sum'!B3", Reason::Right),
        ("bool", json!(false), "'Net sum'!B3", Reason::Differs),
        ("text", json!("true"), "'Net sum'!B3", Reason::Right),
        ("date", json!({"date": "2024-03-01"}), "'Net sum'!B4", Reason::Right),
        ("date", json!({"date": "2024-03-02"}), "'Net sum'!B4", Reason::Differs),
        ("number", json!(2), "'Net sum'!B6", Reason::Right),
        ("number", json!(2), "'Net sum'!B9", Reason::Empty),
        ("number", json!(2), "Sum!B1", Reason::NoSlice),
    ] {
        assert_eq!(reason(matcher, value.clone(), place), expected, "{matcher} {value} {place}");
    }
    // Before this scorer, a workbook was bytes that are not text.
    let expect = expect_of("number", &json!({"decimal": "7.1"}), &json!({"cell": "'Net sum'!B1"}));
    let bytes = build_book().save_to_buffer().expect("a workbook");
    let response = files(&[("a.xlsx", Captured::from_bytes(bytes))]);
    let old = score_response(&instance_of(&expect, 2), Some(&response), 1, &Files::new());
    assert_eq!(old.verdicts[0].reason, Reason::NotText);
}

#[test]
fn what_is_no_workbook_is_no_answer() {
    let expect = expect_of("rows", &rows_of_low(), &json!({}));
    assert_eq!(judge(&expect, "a.xlsx", text("SKU,N,DAY,OK\n")).reason, Reason::NotRows);
    assert_eq!(judge(&expect, "a.xlsx", Captured::Absent).reason, Reason::NoFile);
    assert_eq!(judge(&expect, "a.xlsx", Captured::Folder).reason, Reason::WrongKind);
}

#[test]
fn options_say_where_rows_are() {
    let rows = json!({"columns": ["A", "B"], "rows": [[1, "ü"], [null, "x"]]});
    let expect = |read: &Json| json!({"subject": {"file": "a.csv"}, "match": "rows", "value": rows, "read": read});
    let bytes = |text: &str| {
        Captured::from_bytes(
            tables::Encoding::from_word("windows-1252")
                .expect("an encoding")
                .encode(text)
                .expect("encoded")
                .into_owned(),
        )
    };
    for (read, text) in [
        (json!({"delimiter": ";", "encoding": "windows-1252"}), "A;B\n1;ü\n;x\n"),
        (json!({"delimiter": ";", "encoding": "windows-1252", "missing": ["-", "?"]}), "A;B\n1;ü\n?;x\n"),
        (json!({"encoding": "windows-1252", "skip": 2}), "about\n\nA,B\n1,ü\n,x\n"),
        (json!({"encoding": "windows-1252", "skip_to": "B"}), "about\nA,B\n1,ü\n,x\n"),
        (json!({"encoding": "windows-1252", "header": 0}), "1,ü\n,x\n"),
        (json!({"encoding": "windows-1252", "header": 1, "until": "Total"}), "A,B\n1,ü\n,x\nTotal,7\n"),
        (json!({"encoding": "windows-1252", "until_blank": true}), "A,B\n1,ü\n,x\n\nend,of,it\n"),
    ] {
        let found = judge(&expect(&read), "a.csv", bytes(text));
        assert_eq!(found.reason, Reason::Right, "{read} {found:?}");
        // The oracle's file is right, too.
        let key = instance(&expect(&read));
        let solved = solve_instance(&key, &());
        assert!(solved.is_ok(), "{read} {solved:?}");
    }
    let semicolons = expect(&json!({"delimiter": ";"}));
    assert_eq!(judge(&semicolons, "a.csv", text("A,B\n1,ü\n,x\n")).reason, Reason::Differs);
    assert_eq!(judge(&semicolons, "a.csv", text("A;B\n1;ü;3\n")).reason, Reason::NotRows);
    assert_eq!(judge(&semicolons, "a.csv", bytes("A;B\n1;ü\n")).reason, Reason::NotText);
}

#[test]
fn the_oracle_writes_one_workbook_for_all() {
    let key = instance(&json!([
        {"subject": {"file": "a.xlsx"}, "match": "rows", "value": rows_of_low(), "read": {"sheet": "Low"}},
        {"subject": {"file": "a.xlsx"}, "match": "number", "value": 2, "read": {"cell": "Sum!B1"}},
        {"subject": {"file": "a.xlsx"}, "match": "contains", "value": "Ulm", "read": {"cell": "'Net sum'!C7"}},
        {"subject": {"file": "a.xlsx"}, "match": "bool", "value": false, "read": {"cell": "Sum!B2"}},
        {"subject": {"file": "a.xlsx"}, "match": "date", "value": {"date": "2024-03-01"}, "read": {"cell": "Sum!B3"}},
    ]));
    let solution = solve_instance(&key, &()).expect("a solution");
    let again = solve_instance(&key, &()).expect("a solution");
    assert_eq!(solution, again);
    assert_eq!(solution.files.len(), 1);
    assert!(solution.files[0].1.starts_with(b"PK"));
    assert!(score_response(&key, Some(&solution.to_response(&key, &())), 1, &()).correct);
    // An object has no place in a sheet, and no text is written instead.
    let none = instance(&json!({"subject": {"file": "a.xlsx"}, "match": "json", "value": {"n": 2}}));
    assert!(solve_instance(&none, &()).is_err());
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    /// Numbers, texts, and nulls that the oracle writes are read back.
    #[test]
    fn what_is_written_is_read(cells in prop::collection::vec((any::<i32>(), -1e9..1e9_f64, "[ -~é]{0,8}", any::<bool>()), 1..6)) {
        let cell = |text: &str| if text.trim().is_empty() { json!(null) } else { json!(text) };
        let rows: Vec<Json> = cells.iter().map(|(int, float, text, truth)| json!([int, float, cell(text), truth])).collect();
        let key = instance(&expect_of("rows", &json!({"columns": ["A", "B", "C", "D"], "rows": rows}), &json!({})));
        let solved = solve_instance(&key, &());
        prop_assert!(solved.is_ok(), "{:?}", solved);
    }
}

/// A workbook of another program: `openpyxl`, where Python has it.
#[test]
fn workbooks_of_openpyxl_are_read() {
    let program = "
import datetime, io, sys
try:
    import openpyxl
except ImportError:
    sys.exit(3)
book = openpyxl.Workbook()
low = book.active
low.title = 'Low'
low.append(['SKU', 'N', 'DAY', 'OK'])
low.append(['A 1', 0.1, datetime.date(2024, 3, 1), True])
low.append([])
low.append(['B', 7, datetime.datetime(2024, 3, 2), False])
total = book.create_sheet('Net sum')
total['B1'] = '=SUM(Low!B2:B4)'
total['B2'] = 7.1
out = io.BytesIO()
book.save(out)
sys.stdout.buffer.write(out.getvalue())
";
    let named = std::env::var_os("PICARDC_PYTHON");
    let ran = Command::new(named.unwrap_or_else(|| "python3".into())).args(["-c", program]).output();
    let Some(ran) = ran.ok().filter(|ran| ran.status.success()) else {
        eprintln!("skipped: python3 (or PICARDC_PYTHON) does not have openpyxl");
        return;
    };
    let found = || Captured::from_bytes(ran.stdout.clone());
    let judged = judge(&expect_of("rows", &rows_of_low(), &json!({"sheet": "Low"})), "a.xlsx", found());
    assert_eq!(judged.reason, Reason::Right, "{judged:?}");
    let cell = |place: &str| {
        judge(&expect_of("number", &json!({"decimal": "7.1"}), &json!({ "cell": place })), "a.xlsx", found())
    };
    assert_eq!(cell("'Net sum'!B2").reason, Reason::Right);
    // openpyxl does not compute formulas.
    let formula = cell("'Net sum'!B1");
    assert_eq!(formula.reason, Reason::NotRows);
    assert!(formula.differences[0].got.contains("the formula has no stored result"), "{formula:?}");
}

/// A workbook does not say whether midnight is a day or a moment: each column is read as the answer has it.
#[test]
fn midnight_is_what_the_column_expects() {
    let mut book = Workbook::new();
    let day = Format::new().set_num_format("yyyy-mm-dd hh:mm");
    let sheet = book.add_worksheet();
    for (column, name) in [(0, "Day"), (1, "At"), (2, "SEEN")] {
        sheet.write_string(0, column, name).expect("written");
    }
    for (row, seen) in [(1, 45_352.5), (2, 45_352.0)] {
        for (column, moment) in [(0, 45_352.0), (1, 45_352.0), (2, seen)] {
            sheet.write_number_with_format(row, column, moment, &day).expect("written");
        }
    }
    let rows = json!({"columns": ["DAY", "AT", "SEEN"], "rows": [
        [{"date": "2024-03-01"}, {"date": "2024-03-01T00:00:00"}, {"date": "2024-03-01T12:00:00"}],
        [{"date": "2024-03-01"}, {"date": "2024-03-01T00:00:00"}, {"date": "2024-03-01T00:00:00"}],
    ]});
    let verdict = judge_book(&expect_of("rows", &rows, &json!({})), book);
    assert_eq!(verdict.reason, Reason::Right, "{verdict:?}");
}

/// The header tells what is between cells, and its names may have commas.
#[test]
fn names_with_commas_are_names() {
    for (path, names, table, is_right) in [
        ("a.tsv", ["Net, EUR", "N"], "Net, EUR\tN\n1\t2\n", true),
        ("a.csv", ["Net, EUR", "N"], "Net, EUR\tN\n1\t2\n", true),
        ("a.csv", ["Net, EUR", "N"], "Net, EUR;N\n1;2\n", true),
        ("a.csv", ["Net, EUR", "N"], "\"Net, EUR\",N\n1,2\n", true),
        ("a.csv", ["Net; EUR", "N"], "Net; EUR,N\n1,2\n", true),
        ("a.tsv", ["Net", "N"], "Net\tN\n1\t2\n", true),
        ("a.csv", ["Net", "N"], "Net\tN\n1\t2\n", true),
        // Neither names nor cells of the answer.
        ("a.csv", ["Net, EUR", "N"], "Net, EUR\tN\n2\t2\n", false),
        ("a.csv", ["Net, EUR", "N"], "Net, EUR,N\n1,2\n", false),
    ] {
        let rows = json!({"columns": names, "rows": [[1, 2]]});
        let expect = json!({"subject": {"file": path}, "match": "rows", "value": rows});
        assert_eq!(judge(&expect, path, text(table)).reason == Reason::Right, is_right, "{path} {table:?}");
    }
}
