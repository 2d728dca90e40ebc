//! Workbooks: the same bytes every time, and what cannot stand in one.

use model::suite::{self, Cells, ColumnSource, Rows};
use model::{Date, DateTime, Span};

use super::*;

fn build_relation(table: &str, columns: &[(&str, ValueType)]) -> Relation {
    let column = |(name, value_type): &(&str, ValueType)| suite::Column {
        name: (*name).to_owned(),
        span: Span::default(),
        helper: name.starts_with('_'),
        ty: (),
        cells: Cells { value_type: *value_type, nullable: true, primary_key: false, unique: false },
        references: None,
        source: ColumnSource::Given(model::Given::default()),
    };
    Relation {
        name: format!("book.{table}"),
        table: table.to_owned(),
        span: Span::default(),
        file: None,
        rows: Rows::Given(0),
        constraints: Vec::new(),
        by: None,
        columns: columns.iter().map(column).collect(),
        order: Vec::new(),
    }
}

fn build_table(relation: &Relation, columns: &[Vec<Value>]) -> Table {
    let filled = relation.columns.iter().zip(columns).map(|(declared, values)| {
        let mut column = Column::new(declared.cells.value_type, values.len());
        values.iter().for_each(|value| column.push_value(Val::Ref(value)));
        column
    });
    Table {
        rows: columns.first().map_or(0, Vec::len),
        columns: filled.map(Into::into).collect(),
        starts: Vec::new(),
        origins: Vec::new(),
    }
}

fn write_one(name: &str, value_type: ValueType, value: Value) -> Res<Vec<u8>> {
    let relation = build_relation(name, &[("A", value_type)]);
    write_workbook(&[(&relation, &build_table(&relation, &[vec![Value::Null, value]]))])
}

fn expect_failure(name: &str, value_type: ValueType, value: Value) -> String {
    write_one(name, value_type, value).expect_err("refused").message.clone()
}

#[test]
fn the_same_sheets_give_the_same_bytes() {
    let people = build_relation(
        "people",
        &[
            ("ID", ValueType::Int),
            ("_KEY", ValueType::Int),
            ("PAY", ValueType::Decimal(2)),
            ("SHARE", ValueType::Float),
            ("ON", ValueType::Bool),
            ("BORN", ValueType::Date),
            ("SEEN", ValueType::DateTime),
            ("NAME", ValueType::Text),
        ],
    );
    let rows = build_table(
        &people,
        &[
            vec![Value::Int(1), Value::Null],
            vec![Value::Int(7), Value::Int(8)],
            vec![Value::Decimal("12.50".parse().unwrap()), Value::Null],
            vec![Value::Float(0.1), Value::Float(1e300)],
            vec![Value::Bool(true), Value::Bool(false)],
            vec![Value::Date(Date::parse_iso("1900-03-01").unwrap()), Value::Null],
            vec![Value::DateTime(DateTime::parse_iso("2024-02-29T23:59:59").unwrap()), Value::Null],
            vec![Value::from_text("=1+1 & <b> \"ä\" \u{1}"), Value::from_text("")],
        ],
    );
    let empty = build_relation("nothing yet", &[("A", ValueType::Text)]);
    let none = build_table(&empty, &[Vec::new()]);
    let bytes = write_workbook(&[(&people, &rows), (&empty, &none)]).unwrap();
    assert!(bytes.starts_with(b"PK"));
    assert_eq!(write_workbook(&[(&people, &rows), (&empty, &none)]).unwrap(), bytes);
    let swapped = write_workbook(&[(&empty, &none), (&people, &rows)]).unwrap();
    assert_ne!(swapped, bytes);
}

#[test]
fn what_a_double_cannot_hold_is_refused_at_its_place() {
    let text = expect_failure("s", ValueType::Int, Value::Int((1 << 53) + 1));
    assert_eq!(text, "sheet `s`, column `A`, row 2: Excel cannot hold 9007199254740993 exactly");
    assert!(write_one("s", ValueType::Int, Value::Int(1 << 60)).is_ok());
    assert!(write_one("s", ValueType::Int, Value::Int(i64::MAX)).is_err());
    let decimal = |text: &str| Value::Decimal(text.parse().unwrap());
    assert!(write_one("s", ValueType::Decimal(2), decimal("9999999999999.99")).is_ok());
    assert!(write_one("s", ValueType::Decimal(2), decimal("0.10")).is_ok());
    let text = expect_failure("s", ValueType::Decimal(2), decimal("900719925474099267.01"));
    assert!(text.ends_with("Excel cannot hold 900719925474099267.01 exactly"), "{text}");
}

#[test]
fn days_that_excel_miscounts_are_refused() {
    let day = |text: &str| Value::Date(Date::parse_iso(text).unwrap());
    let text = expect_failure("s", ValueType::Date, day("1900-02-28"));
    assert_eq!(text, "sheet `s`, column `A`, row 2: 1900-02-28 is before 1900-03-01");
    assert!(write_one("s", ValueType::Date, day("9999-12-31")).is_ok());
    assert!(write_one("s", ValueType::Date, day("1900-03-01")).is_ok());
    let early = Value::DateTime(DateTime::parse_iso("1900-02-28T23:59:59").unwrap());
    assert!(write_one("s", ValueType::DateTime, early).is_err());
}

#[test]
fn texts_and_names_keep_to_the_limits() {
    assert!(write_one("s", ValueType::Text, Value::Text("x".repeat(MAX_TEXT))).is_ok());
    let text = expect_failure("s", ValueType::Text, Value::Text("x".repeat(MAX_TEXT + 1)));
    assert_eq!(text, "sheet `s`, column `A`, row 2: the text has 32768 characters");
    // Excel counts UTF-16 units.
    assert!(write_one("s", ValueType::Text, Value::Text("😀".repeat(MAX_TEXT / 2 + 1))).is_err());
    for name in ["", "a/b", "[x]", "what?", "'quoted'", "History", &"n".repeat(32)] {
        let text = expect_failure(name, ValueType::Int, Value::Null);
        assert!(text.starts_with(&format!("the sheet `{name}` cannot have this name: ")), "{text}");
    }
    assert!(write_one(&"n".repeat(31), ValueType::Int, Value::Null).is_ok());
    let (a, b) = (build_relation("Data", &[("A", ValueType::Int)]), build_relation("data", &[("A", ValueType::Int)]));
    let empty = build_table(&a, &[Vec::new()]);
    assert!(write_workbook(&[(&a, &empty), (&b, &empty)]).is_err());
    assert!(write_one("s", ValueType::Text, Value::List(Vec::new())).is_err());
}
