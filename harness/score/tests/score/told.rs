//! `written`: other forms of numbers and dates.

use super::common::{verdict, word};
use serde_json::{Value as Json, json};

fn assert_read(expect: &Json, cases: &[(&str, &str)]) {
    for (said, reason) in cases {
        assert_eq!(word(&verdict(expect, said)), *reason, "{expect} {said}");
    }
}

fn told(matcher: &str, value: &Json, forms: &Json) -> Json {
    json!({"subject": "reply", "match": matcher, "value": value, "options": {"": {"written": forms}}})
}

#[test]
fn told_forms_of_numbers_come_first() {
    let forms = json!([{"pattern": "#.##0,00"}]);
    assert_read(
        &told("number", &json!(1234), &forms),
        &[
            ("1.234", "right"),
            ("1234", "right"),
            ("1.234,00", "right"),
            ("**1.234**.", "right"),
            ("1.234,50", "differs"),
        ],
    );
    assert_read(
        &told("number", &json!(1234.5), &forms),
        &[
            ("1234.5", "right"),
            ("1.234,50", "right"),
            ("1234,5", "right"),
            ("1.234", "differs"),
            ("1.2345,0", "not_a_number"),
        ],
    );
}

#[test]
fn a_percentage_is_a_share() {
    let forms = json!([{"pattern": "0%"}]);
    assert_read(
        &told("number", &json!(0.12), &forms),
        &[("12%", "right"), ("12.0%", "right"), ("0.12", "right"), ("12", "differs"), ("0.12%", "differs")],
    );
    assert_read(&told("number", &json!(12), &forms), &[("12", "right"), ("1200%", "right"), ("12%", "differs")]);
    // With a factor of its own, it is text.
    let text = json!([{"pattern": "0%", "times": "1"}]);
    assert_read(&told("number", &json!(12), &text), &[("12", "right"), ("12%", "right"), ("1200%", "differs")]);
}

#[test]
fn signs_and_blanks_of_a_told_form_may_differ() {
    let share = told("number", &json!(0.12), &json!([{"pattern": "0%"}]));
    assert_read(&share, &[("12 %", "right"), ("12\u{a0}%", "right"), ("+12%", "right"), ("++12%", "not_a_number")]);
    let less = told("number", &json!(-1234.5), &json!([{"pattern": "#.##0,00"}]));
    assert_read(&less, &[("\u{2212}1.234,50", "right"), ("-1.234,50", "right"), ("+1.234,50", "differs")]);
    let day = told("date", &json!({"date": "2024-03-01"}), &json!([{"pattern": "dd.MM.yyyy"}]));
    assert_read(&day, &[("1.3.2024", "right"), ("01.3.2024", "right"), ("3.1.2024", "differs")]);
    let joined = told("date", &json!({"date": "2024-11-01"}), &json!([{"pattern": "ddMMyyyy"}]));
    assert_read(&joined, &[("01112024", "right"), ("1112024", "differs")]);
}

#[test]
fn a_form_can_be_a_multiple() {
    let forms = json!([{"pattern": "0.0K", "times": "1000"}, {"pattern": "0.0M", "times": "1000000"}]);
    assert_read(
        &told("number", &json!(1_500_000), &forms),
        &[("1.5M", "right"), ("1500K", "right"), ("1500000", "right"), ("1.5K", "differs"), ("1.5B", "not_a_number")],
    );
}

#[test]
fn told_forms_of_dates_decide_what_day_it_is() {
    let date = json!({"date": "2024-03-01"});
    let cases =
        [("01.03.2024", "right"), ("2024-03-01", "right"), ("1 March 2024", "right"), ("03.01.2024", "differs")];
    assert_read(&told("date", &date, &json!([{"pattern": "dd.MM.yyyy"}])), &cases);
    let moment = json!({"date": "2024-03-01T10:20:00"});
    let forms = json!([{"pattern": "dd.MM.yyyy HH:mm:ss"}]);
    assert_read(
        &told("date", &moment, &forms),
        &[("01.03.2024 10:20:00", "right"), ("2024-03-01 10:20", "right"), ("01.03.2024 10:21:00", "differs")],
    );
}

#[test]
fn items_cells_and_strings_are_read_by_told_forms() {
    let forms = json!([{"pattern": "#.##0,00"}, {"pattern": "dd.MM.yyyy"}]);
    assert_read(
        &told("list", &json!([1234.5, 7]), &forms),
        &[
            ("1.234,50\n7", "right"),
            ("1234.5\n7,0", "right"),
            (r#"["1.234,50", 7]"#, "right"),
            ("1.234,51\n7", "partial"),
        ],
    );
    let rows = json!({"columns": ["N", "D"], "rows": [[1234.5, {"date": "2024-03-01"}], [7, {"date": "2024-04-02"}]]});
    assert_read(
        &told("rows", &rows, &forms),
        &[
            ("N,D\n\"1.234,50\",01.03.2024\n7,2024-04-02", "right"),
            (r#"[["1.234,50", "01.03.2024"], [7, "02.04.2024"]]"#, "right"),
            ("N,D\n\"1.234,50\",03.01.2024\n7,2024-04-02", "differs"),
        ],
    );
    let json = json!({"subject": "reply", "match": "json", "value": {"n": 1234.5, "d": "2024-03-01", "t": "2024-03-01"},
        "options": {"/n": {"written": [{"pattern": "#.##0,00"}]}, "/d": {"written": [{"pattern": "dd.MM.yyyy"}]}}});
    assert_read(
        &json,
        &[
            (r#"{"n": "1.234,50", "d": "01.03.2024", "t": "2024-03-01"}"#, "right"),
            (r#"{"n": 1234.5, "d": "2024-03-01", "t": "2024-03-01"}"#, "right"),
            (r#"{"n": 1234.5, "d": "2024-03-01", "t": "01.03.2024"}"#, "differs"),
            (r#"{"n": "1234.5", "d": "03.01.2024", "t": "2024-03-01"}"#, "differs"),
        ],
    );
}

#[test]
fn a_form_can_be_for_a_column() {
    let expect = json!({"subject": "reply", "match": "rows", "value": {"columns": ["A", "B"], "rows": [[0.5, 0.25]]},
        "options": {"/*/A": {"written": [{"pattern": "0%"}]}}});
    assert_read(&expect, &[("A,B\n50%,0.25", "right"), ("A,B\n0.5,0.25", "right"), ("A,B\n50%,25%", "differs")]);
}

#[test]
fn a_number_of_json_has_its_value() {
    let key = |value: &str| json!({"subject": "reply", "slice": {"at": "$.a"}, "match": "number", "value": {"decimal": value}, "options": {"": {"written": [{"pattern": "#.##0,00"}]}}});
    assert_eq!(word(&verdict(&key("12345.00"), "{\"a\": 12.345}")), "differs");
    assert_eq!(word(&verdict(&key("12.345"), "{\"a\": 12.345}")), "right");
    assert_eq!(word(&verdict(&key("12345.00"), "{\"a\": \"12.345\"}")), "right");
}

/// Its digits look like groups: where a told form reads them so, the oracle writes the form.
#[test]
fn the_oracle_writes_a_told_form_where_the_plain_one_is_another_value() {
    for (value, rounded, wanted) in [("664.065", 2, "664,07"), ("12.345", 1, "12,3"), ("-1.005", 2, "-1,01")] {
        let expect = json!({
            "subject": "reply", "match": "number", "value": {"decimal": value},
            "options": {"": {"rounded": rounded, "written": [{"pattern": "#.##0,00"}]}},
        });
        let solution = score::solve_instance(&super::common::instance(&expect), &()).expect("an answer");
        assert_eq!(word(&verdict(&expect, &solution.reply)), "right", "{value}");
        assert_eq!(word(&verdict(&expect, wanted)), "right", "{value}");
    }
    assert_read(
        &told("number", &json!({"decimal": "664.065"}), &json!([{"pattern": "#.##0,00"}])),
        &[("664.065", "differs"), ("664.0650", "right")],
    );
}

#[test]
fn usual_forms_and_exchanged_days_are_tried() {
    let tried = |expect: &Json| {
        let instance = super::common::instance(expect);
        let solution = score::solve_instance(&instance, &()).expect("an answer");
        let variants = score::try_variants(&instance, &solution, &());
        assert_eq!(variants.misjudged, None, "{expect}");
        let of = |kind| variants.tried.get(&kind).copied().unwrap_or(0);
        (of(score::VariantKind::Style), of(score::VariantKind::SwappedDay))
    };
    // `**V**`, `V.`, and the groups of `1,234`, `1 234`, and `1'234`.
    assert_eq!(tried(&json!({"subject": "reply", "match": "number", "value": 1234})), (5, 0));
    assert_eq!(tried(&json!({"subject": "reply", "match": "number", "value": 123})), (2, 0));
    // A told form with a decimal comma reads `1,234`, but none of the others.
    assert_eq!(tried(&told("number", &json!(1234), &json!([{"pattern": "0,###"}]))).1, 0);
    assert_eq!(tried(&json!({"subject": "reply", "match": "bool", "value": true})), (6, 0));
    let march = json!({"date": "2024-03-02"});
    assert_eq!(tried(&json!({"subject": "reply", "match": "date", "value": march})), (8, 6));
    assert_eq!(tried(&told("date", &march, &json!([{"pattern": "dd.MM.yyyy"}]))), (9, 5));
    let moment = json!({"date": "2024-03-02T08:30:00"});
    assert_eq!(tried(&json!({"subject": "reply", "match": "date", "value": moment})), (8, 6));
    // Day 13 is no month, and the second of February is one date in both orders.
    for (day, forms) in [("2024-03-13", 8), ("2024-02-02", 8)] {
        assert_eq!(tried(&json!({"subject": "reply", "match": "date", "value": {"date": day}})), (forms, 0));
    }
    let list = json!({"subject": "reply", "match": "list", "value": [{"date": "2024-03-02"}, {"date": "2024-02-03"}]});
    assert_eq!(tried(&list).1, 12);
}
