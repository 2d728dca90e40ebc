//! Excel workbooks: relations as sheets, values as typed cells, and reproducible bytes.

use model::suite::Relation;
use model::{Decimal, Val, Value, ValueType};
use rust_xlsxwriter::{DocProperties, ExcelDateTime, Format, Workbook, Worksheet, XlsxError};
use tables::workbook::find_serial;

use super::column::Column;
use super::failures::{OrSpan, Res, fail_computation, fail_with_help};
use super::table::Table;
use crate::failure::FailureKind;

/// Excel's limits.
const MAX_ROWS: usize = 1_048_576;
const MAX_COLUMNS: usize = 16_384;
const MAX_TEXT: usize = 32_767;
const MAX_NAME: usize = 31;

/// Writes a workbook of these sheets: a bold header, then one row per row, without helpers. Numbers are numbers, dates and datetimes have Excel's own
/// types, and null is an empty cell (as is empty text, which Excel lacks).
pub(crate) fn write_workbook(sheets: &[(&Relation, &Table)]) -> Res<Vec<u8>> {
    let mut book = Workbook::new();
    // Otherwise the file would contain the current time.
    let created = ExcelDateTime::from_ymd(1980, 1, 1).or_else(fail_workbook)?;
    book.set_properties(&DocProperties::new().set_creation_datetime(&created));
    let header = Format::new().set_bold();
    let mut names: Vec<String> = Vec::new();
    for (relation, table) in sheets {
        let name = check_sheet_name(&relation.table).or_span(relation.span)?;
        if names.contains(&name.to_lowercase()) {
            let message = format!("two sheets are named `{name}`: Excel does not tell case apart");
            return fail_computation(message).or_span(relation.span);
        }
        names.push(name.to_lowercase());
        let sheet = book.add_worksheet();
        sheet.set_name(name).or_else(fail_workbook).or_span(relation.span)?;
        fill_sheet(sheet, relation, table, &header).or_span(relation.span)?;
    }
    book.save_to_buffer().or_else(fail_workbook)
}

fn fail_workbook<T>(error: XlsxError) -> Res<T> {
    fail_computation(format!("the workbook cannot be written: {error}"))
}

/// Returns the failure (E0903) for values that do not fit into a workbook, with advice.
fn fail_unfit<T>(message: String, help: &str) -> Res<T> {
    fail_with_help(FailureKind::FailedComputation, message, help)
}

fn check_sheet_name(name: &str) -> Res<&str> {
    let units = name.encode_utf16().count();
    let wrong = if name.is_empty() {
        "it is empty".to_owned()
    } else if units > MAX_NAME {
        format!("it has {units} characters; {MAX_NAME} are allowed")
    } else if let Some(bad) = name.chars().find(|c| "[]:*?/\\".contains(*c) || c.is_control()) {
        format!("{bad:?} is not allowed in it")
    } else if name.starts_with('\'') || name.ends_with('\'') {
        "it may not begin or end with an apostrophe".to_owned()
    } else if name.eq_ignore_ascii_case("history") {
        "Excel keeps it for itself".to_owned()
    } else {
        return Ok(name);
    };
    fail_unfit(format!("the sheet `{name}` cannot have this name: {wrong}"), "rename the sheet")
}

fn fill_sheet(sheet: &mut Worksheet, relation: &Relation, table: &Table, header: &Format) -> Res<()> {
    if table.rows >= MAX_ROWS {
        let message = format!("the sheet `{}` has {} rows and a header", relation.table, table.rows);
        return fail_unfit(message, "a sheet has room for 1,048,576 rows: make fewer");
    }
    let columns: Vec<_> =
        relation.iter_written_columns().filter_map(|(id, column)| Some((column, table.columns.get(id)?))).collect();
    if columns.len() > MAX_COLUMNS {
        let message = format!("the sheet `{}` has {} columns", relation.table, columns.len());
        return fail_unfit(message, "a sheet has room for 16,384 columns");
    }
    for (at, (declared, column)) in (0u16..).zip(columns) {
        let place = Place { sheet: &relation.table, column: &declared.name };
        if declared.name.encode_utf16().count() > MAX_TEXT {
            return fail_unfit(format!("{}: the name is too long for a cell", place.describe_column()), "shorten it");
        }
        sheet.write_string_with_format(0, at, &declared.name, header).or_else(fail_workbook)?;
        fill_column(sheet, at, column, declared.cells.value_type, table.rows, &place).or_span(declared.span)?;
    }
    Ok(())
}

/// The position of a value, for messages.
struct Place<'a> {
    sheet: &'a str,
    column: &'a str,
}

impl Place<'_> {
    fn describe_column(&self) -> String {
        format!("sheet `{}`, column `{}`", self.sheet, self.column)
    }

    /// Describes a row; `row` counts from 0, without the header.
    fn describe_row(&self, row: usize) -> String {
        format!("{}, row {}", self.describe_column(), row + 1)
    }
}

fn fill_column(
    sheet: &mut Worksheet,
    at: u16,
    column: &Column,
    value_type: ValueType,
    rows: usize,
    place: &Place<'_>,
) -> Res<()> {
    let (day, moment) =
        (Format::new().set_num_format("yyyy-mm-dd"), Format::new().set_num_format("yyyy-mm-dd hh:mm:ss"));
    let decimals = match value_type {
        ValueType::Decimal(places) => Format::new().set_num_format(number_format(places)),
        _ => Format::new(),
    };
    // In the default width, a date is displayed as ########.
    for (wide, width) in [(ValueType::Date, 11), (ValueType::DateTime, 20)] {
        if value_type == wide {
            sheet.set_column_width(at, width).or_else(fail_workbook)?;
        }
    }
    for (row, line) in (0..rows).zip(1u32..) {
        let cell = column.get(row);
        let written = match (cell.as_text(), cell.as_value()) {
            (Some(text), _) => {
                check_text(text, place, row)?;
                sheet.write_string(line, at, text).map(drop)
            }
            (None, None | Some(Value::Null)) => Ok(()),
            (None, Some(Value::Int(value))) => {
                let number = convert_int(*value).or_else(|()| fail_inexact(&cell, place, row))?;
                sheet.write_number(line, at, number).map(drop)
            }
            (None, Some(Value::Decimal(value))) => {
                let number = convert_decimal(*value).or_else(|()| fail_inexact(&cell, place, row))?;
                match value_type {
                    ValueType::Decimal(_) => sheet.write_number_with_format(line, at, number, &decimals),
                    _ => {
                        let own = Format::new().set_num_format(number_format(value.places()));
                        sheet.write_number_with_format(line, at, number, &own)
                    }
                }
                .map(drop)
            }
            (None, Some(Value::Float(value))) => sheet.write_number(line, at, *value).map(drop),
            (None, Some(Value::Bool(value))) => sheet.write_boolean(line, at, *value).map(drop),
            (None, Some(value @ (Value::Date(_) | Value::DateTime(_)))) => {
                let serial = find_serial(value).map_or_else(|| fail_too_early(&cell, place, row), Ok)?;
                let form = if matches!(value, Value::Date(_)) { &day } else { &moment };
                sheet.write_number_with_format(line, at, serial, form).map(drop)
            }
            (None, Some(Value::Duration(_))) => sheet.write_string(line, at, cell.render_text()).map(drop),
            (None, Some(other)) => {
                let message = format!("{}: {} cannot be written to a cell", place.describe_row(row), other.kind());
                return fail_unfit(message, "write a number, a text, a truth, a day or a moment");
            }
        };
        written.or_else(fail_workbook)?;
    }
    Ok(())
}

fn check_text(text: &str, place: &Place<'_>, row: usize) -> Res<()> {
    let units = text.encode_utf16().count();
    if units > MAX_TEXT {
        let message = format!("{}: the text has {units} characters", place.describe_row(row));
        return fail_unfit(message, "a cell holds 32,767: make it shorter");
    }
    Ok(())
}

fn number_format(places: u8) -> String {
    match places {
        0 => "0".to_owned(),
        places => format!("0.{}", "0".repeat(usize::from(places))),
    }
}

fn convert_int(value: i64) -> Result<f64, ()> {
    let number = value as f64;
    if number as i128 == i128::from(value) { Ok(number) } else { Err(()) }
}

/// Converts a decimal to a double; fails if it does not read back as the same decimal with the same number of places.
fn convert_decimal(value: Decimal) -> Result<f64, ()> {
    let number = value.to_f64();
    if Decimal::from_f64(number, value.places()) == Some(value) { Ok(number) } else { Err(()) }
}

fn fail_inexact<T>(cell: &Val<'_>, place: &Place<'_>, row: usize) -> Res<T> {
    let message = format!("{}: Excel cannot hold {} exactly", place.describe_row(row), cell.render_text());
    fail_unfit(message, "numbers in a workbook are doubles: use smaller ones, fewer places, or a text")
}

fn fail_too_early<T>(cell: &Val<'_>, place: &Place<'_>, row: usize) -> Res<T> {
    let message = format!("{}: {} is before 1900-03-01", place.describe_row(row), cell.render_text());
    fail_unfit(message, "Excel does not count days before it rightly: draw later ones, or write a text")
}

#[cfg(test)]
mod tests;
