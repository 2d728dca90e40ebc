//! Files whose cells have types: workbooks, JSON, YAML.

use model::{Date, DateTime, Value};
use rust_xlsxwriter::{Format as Look, Formula, Workbook};

use super::*;
use crate::raw::Wide;
use crate::{CellType, Column, Place, Reading, Shape, read_table};

/// A workbook as a person makes one: a merged title, an empty row, a header, cells of every kind, a note below.
fn book() -> Vec<u8> {
    let mut book = Workbook::new();
    let sheet = book.add_worksheet();
    sheet.set_name("Data").expect("a name");
    let day = Look::new().set_num_format("yyyy-mm-dd");
    sheet.merge_range(0, 1, 0, 3, "Title", &Look::new()).expect("merged");
    // A program left this below the merged title; none shows it.
    sheet.write(0, 2, "hidden").expect("written");
    for (column, name) in (1..).zip([" Name ", "Day", "Sum", "Yes", "Broken"]) {
        sheet.write(2, column, name).expect("written");
    }
    sheet.write(3, 1, " a b ").expect("written");
    sheet.write_with_format(3, 2, 45_292, &day).expect("written");
    sheet.write(3, 3, Formula::new("=0.1+0.2").set_result("0.3")).expect("written");
    sheet.write(3, 4, true).expect("written");
    sheet.write(3, 5, Formula::new("=1/0").set_result("#DIV/0!")).expect("written");
    sheet.write(4, 3, 2024).expect("written");
    sheet.write(7, 1, "Source: x").expect("written");
    book.add_worksheet().set_name("Empty").expect("a name");
    book.save_to_buffer().expect("a workbook")
}

fn xlsx(change: impl FnOnce(&mut Layout)) -> Layout {
    let mut layout = Layout::from_format(Format::Xlsx);
    change(&mut layout);
    layout
}

#[test]
fn a_sheet_has_records_as_other_files_have() {
    let bytes = book();
    let layout = xlsx(|layout| (layout.skip, layout.until) = (Some(Skip::Records(2)), Some(Until::Blank)));
    let read = read_records(&layout, "a.xlsx", &bytes).expect("records");
    assert_eq!(read.header, ["", "Name", "Day", "Sum", "Yes", "Broken"]);
    assert_eq!((read.header_line, above_below(&read.cut)), (3, (1, 1)));
    assert_eq!(read.cut.above.shown.first().map(|shown| shown.text.as_str()), Some("Title"));
    let [first, second] = read.rows.as_slice() else { panic!("{:?}", read.rows) };
    assert_eq!((first.number, first.line, second.line), (3, 4, 5));
    let day = Value::Date(Date::parse_iso("2024-01-01").expect("a day"));
    let values = [
        Raw::EMPTY,
        Raw::from_text(" a b "),
        Raw::Value(day),
        Raw::Value(Value::Float(0.3)),
        Raw::Value(Value::Bool(true)),
    ];
    assert_eq!(first.cells.get(..5), Some(&values[..]));
    let Some(Raw::Odd(odd)) = first.cells.get(5) else { panic!("{first:?}") };
    assert!(odd.message.contains("`Data`, cell F4") && odd.message.contains("DIV/0"), "{odd:?}");
    assert_eq!(odd.cell, "#DIV/0!");
    // An error that is a null mark is null; any other is said.
    let reading = Reading { missing: vec!["#DIV/0!".to_owned()], ..Reading::from_type(CellType::Int) };
    assert_eq!(first.cells.get(5).map(|cell| reading.read(cell)), Some(Ok(Value::Null)));
    assert!(first.cells.get(5).is_some_and(|cell| Reading::from_type(CellType::Text).read(cell).is_err()));
    assert_eq!(second.cells.get(3), Some(&Raw::Value(Value::Int(2024))));
    assert_eq!(second.cells.get(5), Some(&Raw::EMPTY));
}

#[test]
fn a_sheet_is_chosen_where_several_have_content() {
    let bytes = book();
    let chosen = |name: &str| xlsx(|layout| layout.sheet = Some(name.to_owned()));
    let sheets = ["Data", "Empty"].map(str::to_owned).to_vec();
    let none = FaultKind::NoSheet { sheet: "data".to_owned(), sheets };
    assert_eq!(wrong(&chosen("data"), &bytes), (0, none));
    assert_eq!(wrong(&chosen("Empty"), &bytes), (0, FaultKind::Empty));
    // Its title is a header of one name; what is beyond it can be read by its position.
    let data = chosen("Data");
    assert_eq!(read_records(&data, "a.xlsx", &bytes).expect("read").wide, Some(Wide { line: 3, cells: 6, header: 2 }));
    let of = |place: Place| {
        let column = Column { name: "C".to_owned(), place, reading: Reading::from_type(CellType::Text) };
        let shape =
            Shape { layout: data.clone(), columns: vec![column], unpivot: None, line: None, splits: Vec::new() };
        read_table(&shape, "a.xlsx", &bytes)
            .map_err(|faults| faults.into_iter().map(|fault| (fault.line, fault.kind)).collect::<Vec<_>>())
    };
    assert_eq!(of(Place::Header("Title".to_owned())), Err(vec![(3, FaultKind::TooLong { cells: 6, header: 2 })]));
    let days = of(Place::Position(3)).expect("read");
    assert_eq!(days.columns[0].first(), Some(&Value::from_text("Day")));
    assert!(of(Place::Position(7)).is_err());
    let mut several = Workbook::new();
    for name in ["A", "B"] {
        let sheet = several.add_worksheet();
        sheet.set_name(name).expect("a name");
        sheet.write(0, 0, 1).expect("written");
    }
    let bytes = several.save_to_buffer().expect("a workbook");
    let two = FaultKind::Sheets(vec!["A".to_owned(), "B".to_owned()]);
    assert_eq!(wrong(&xlsx(|_| ()), &bytes), (0, two));
    assert!(matches!(wrong(&xlsx(|_| ()), b"PK\x03\x04"), (0, FaultKind::Unreadable(_))));
}

#[test]
fn a_cell_far_away_is_no_bomb() {
    let mut book = Workbook::new();
    let sheet = book.add_worksheet();
    sheet.write(0, 0, "a").expect("written");
    sheet.write(1_048_575, 0, "last").expect("written");
    let bytes = book.save_to_buffer().expect("a workbook");
    let read = read_records(&xlsx(|_| ()), "a.xlsx", &bytes).expect("records");
    assert_eq!(rows(&read), ["2:1048576=last"]);
    // A thousand rows that reach to the last column are more cells than are read.
    let mut book = Workbook::new();
    let sheet = book.add_worksheet();
    for row in 0..1000 {
        sheet.write(row, 16_383, 1).expect("written");
    }
    let bytes = book.save_to_buffer().expect("a workbook");
    let (line, kind) = wrong(&xlsx(|layout| layout.header = 0), &bytes);
    assert_eq!((line, kind), (611, FaultKind::TooMuch { of: SizeLimit::Cells, most: MAX_CELLS }));
}

fn tree(format: Format, at: Option<&str>, text: &str) -> Result<Records<'static>, (u32, FaultKind)> {
    let mut layout = Layout::from_format(format);
    layout.at = at.map(str::to_owned);
    let read = read_records(&layout, "a", text.as_bytes()).map(Records::into_owned);
    read.map_err(|fault| (fault.line, fault.kind))
}

#[test]
fn an_array_of_objects_is_a_table() {
    let json = r#"{"result": {"items": [
        {"id": 1, "at": {"x": 0.50, "y": null}, "tags": ["a"]},
        {"name": " n ", "id": "007"}
    ]}}"#;
    let yaml = "result:\n  items:\n    - {id: 1, at: {x: 0.50, y: null}, tags: [a]}\n    - {name: ' n ', id: '007'}\n";
    for (format, text) in [(Format::Json, json), (Format::Yaml, yaml)] {
        let read = tree(format, Some("$.result.items"), text).expect("records");
        assert_eq!(read.header, ["id", "at.x", "at.y", "tags", "name"]);
        let null = || Raw::Value(Value::Null);
        let half = Value::Decimal("0.50".parse().expect("a decimal"));
        let list = Value::List(vec![Value::from_text("a")]);
        let first = vec![Raw::Value(Value::Int(1)), Raw::Value(half), null(), Raw::Value(list), null()];
        let second = vec![Raw::from_text("007"), null(), null(), null(), Raw::from_text(" n ")];
        let cells: Vec<_> = read.rows.into_iter().map(|row| (row.number, row.cells)).collect();
        assert_eq!(cells, [(1, first), (2, second)], "{format:?}");
    }
}

#[test]
fn arrays_of_arrays_have_positions_and_those_of_values_one_column() {
    let read = tree(Format::Json, Some("$[1]"), "[{}, [[1, \"a\"], [2]]]").expect("records");
    assert_eq!(
        (read.header.as_slice(), rows(&read)),
        (&[String::new(), String::new()][..], vec!["1:1=1|a".to_owned(), "2:2=2|".to_owned()])
    );
    let read = tree(Format::Json, None, "[1, null, \"x\"]").expect("records");
    assert_eq!((read.header.join("|"), rows(&read).join(" ")), ("value".to_owned(), "1:1=1 2:2= 3:3=x".to_owned()));
    assert_eq!(tree(Format::Json, None, "[]").expect("records"), Records::default());
}

#[test]
fn what_is_no_array_is_a_fault() {
    let arrays = || vec!["$.a".to_owned()];
    let none = |at: &str, found| Err((0, FaultKind::NoArray { at: at.to_owned(), found, arrays: arrays() }));
    assert_eq!(tree(Format::Json, None, "{\"a\": []}"), none("$", Some("an object")));
    assert_eq!(tree(Format::Json, Some("$.b"), "{\"a\": [], \"2 b\": []}"), none("$.b", None));
    assert_eq!(tree(Format::Json, Some("$.a[-1]"), "{\"a\": [3]}"), none("$.a[-1]", Some("a single value")));
    assert!(matches!(tree(Format::Json, None, "[1,]"), Err((0, FaultKind::Unreadable(_)))));
    // What readers disagree about is odd where it is, and nowhere else.
    let read = tree(Format::Json, None, "[{\"a\": 1, \"a\": 2, \"b\": 3}]").expect("records");
    let cells = read.rows.first().map(|row| row.cells.as_slice());
    assert!(matches!(cells, Some([Raw::Odd(_), Raw::Value(Value::Int(3))])), "{cells:?}");
}

#[test]
fn moments_of_a_sheet_keep_their_time() {
    let mut book = Workbook::new();
    let sheet = book.add_worksheet();
    let look = Look::new().set_num_format("yyyy-mm-dd hh:mm");
    sheet.write(0, 0, "at").expect("written");
    sheet.write_with_format(1, 0, 45_292.5, &look).expect("written");
    let bytes = book.save_to_buffer().expect("a workbook");
    let read = read_records(&xlsx(|_| ()), "a.xlsx", &bytes).expect("records");
    let noon = Value::DateTime(DateTime::parse_iso("2024-01-01T12:00:00").expect("a moment"));
    assert_eq!(read.rows.first().and_then(|row| row.cells.first()), Some(&Raw::Value(noon)));
}
