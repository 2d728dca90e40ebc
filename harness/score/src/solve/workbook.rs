//! The workbook of the oracle: all expectations of one file in one workbook.

use std::collections::BTreeMap;

use model::Value;
use model::answer_key::{Answer, Expected};
use model::suite::matchers::Takes;
use rust_xlsxwriter::{DocProperties, ExcelDateTime, Format, Workbook, Worksheet, XlsxError};
use tables::workbook::{find_serial, parse_place};

use super::write::render_forms;

/// A sheet before it is written.
#[derive(Default)]
struct Draft {
    /// Its name; `None` for a sheet that may have any.
    name: Option<String>,
    /// Its cells, by row and column from 0.
    cells: BTreeMap<(u32, u16), Value>,
}

/// Writes the workbook that these expectations of one file ask for; `None` if a value has no place in a workbook.
pub fn write_workbook(asked: &[&Expected]) -> Option<Vec<u8>> {
    let mut drafts: Vec<Draft> = Vec::new();
    for expect in asked.iter().filter(|expect| !expect.matcher.is_of_files()) {
        let value = expect.answer.iter().flat_map(Answer::accepted_values).next()?;
        match &expect.read.cell {
            Some(place) => {
                let place = parse_place(place)?;
                let value = match expect.matcher.record().takes {
                    // A text that fits, or one that has nothing of what must be missing.
                    Takes::Pattern | Takes::Texts => Value::from_text(render_forms(expect.matcher, value, "").pop()?),
                    _ => value.clone(),
                };
                let column = u16::try_from(place.column).ok()?;
                find_draft(&mut drafts, Some(&place.sheet)).cells.insert((place.row, column), value);
            }
            None => {
                let (columns, rows) = list_rows(value)?;
                let draft = find_draft(&mut drafts, expect.read.sheet.as_deref());
                let header = columns.into_iter().map(Value::from_text).collect();
                for (row, cells) in (0..).zip(std::iter::once(header).chain(rows)) {
                    draft.cells.extend((0..).zip(cells).map(|(column, cell)| ((row, column), cell)));
                }
            }
        }
    }
    write_sheets(&drafts)
}

/// Writes a workbook with a text in one cell; `None` if no sheet has the place.
pub fn write_cell_text(place: &str, text: &str) -> Option<Vec<u8>> {
    let place = parse_place(place)?;
    let cells = BTreeMap::from([((place.row, u16::try_from(place.column).ok()?), Value::from_text(text))]);
    write_sheets(&[Draft { name: Some(place.sheet), cells }])
}

/// Returns the sheet with this name; without a name, the first one.
fn find_draft<'d>(drafts: &'d mut Vec<Draft>, name: Option<&str>) -> &'d mut Draft {
    let known = drafts.iter().position(|draft| name.is_none() || draft.name.as_deref() == name);
    let at = known.unwrap_or(drafts.len());
    if known.is_none() {
        drafts.push(Draft { name: name.map(str::to_owned), ..Draft::default() });
    }
    &mut drafts[at]
}

/// Converts an answer to the columns and rows of a sheet; `None` if it is not rows, objects of the same keys, or single values.
fn list_rows(value: &Value) -> Option<(Vec<String>, Vec<Vec<Value>>)> {
    let items = match value {
        Value::Rows(set) => return Some((set.columns.clone(), set.rows.clone())),
        Value::List(items) => items,
        _ => return None,
    };
    let Some(Value::Object(first)) = items.first() else {
        return Some((vec!["value".to_owned()], items.iter().map(|item| vec![item.clone()]).collect()));
    };
    let columns: Vec<String> = first.iter().map(|(name, _)| name.clone()).collect();
    let row = |item: &Value| match item {
        Value::Object(fields) if fields.len() == columns.len() => columns
            .iter()
            .map(|column| fields.iter().find(|(name, _)| name == column).map(|(_, value)| value.clone()))
            .collect(),
        _ => None,
    };
    let rows = items.iter().map(row).collect::<Option<_>>()?;
    Some((columns, rows))
}

fn write_sheets(drafts: &[Draft]) -> Option<Vec<u8>> {
    let mut book = Workbook::new();
    // Otherwise the file would contain the current time.
    let created = ExcelDateTime::from_ymd(1980, 1, 1).ok()?;
    book.set_properties(&DocProperties::new().set_creation_datetime(&created));
    for draft in drafts {
        let sheet = book.add_worksheet();
        if let Some(name) = &draft.name {
            sheet.set_name(name).ok()?;
        }
        for ((row, column), value) in &draft.cells {
            write_cell(sheet, *row, *column, value)?.ok()?;
        }
    }
    book.save_to_buffer().ok()
}

/// Writes a cell; `None` for a value that no cell holds.
fn write_cell(sheet: &mut Worksheet, row: u32, column: u16, value: &Value) -> Option<Result<(), XlsxError>> {
    Some(match value {
        Value::Null => Ok(()),
        Value::Bool(truth) => sheet.write_boolean(row, column, *truth).map(drop),
        Value::Int(number) => sheet.write_number(row, column, *number as f64).map(drop),
        Value::Decimal(number) => sheet.write_number(row, column, number.to_f64()).map(drop),
        Value::Float(number) => sheet.write_number(row, column, *number).map(drop),
        Value::Date(_) => {
            let form = Format::new().set_num_format("yyyy-mm-dd");
            sheet.write_number_with_format(row, column, find_serial(value)?, &form).map(drop)
        }
        Value::DateTime(_) => {
            let form = Format::new().set_num_format("yyyy-mm-dd hh:mm:ss");
            sheet.write_number_with_format(row, column, find_serial(value)?, &form).map(drop)
        }
        Value::List(_) | Value::Object(_) | Value::Rows(_) => return None,
        text => sheet.write_string(row, column, text.render_text()).map(drop),
    })
}
