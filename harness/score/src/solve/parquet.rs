//! The Parquet file of the oracle: the rows of an expectation.

use model::answer_key::{Answer, Expected};
use model::{Val, Value, ValueType};
use tables::write::write_parquet;

use super::workbook::list_rows;

/// Writes the Parquet file that the first of these expectations of one file asks for; `None` if its value is not rows of single values.
pub fn write_file(asked: &[&Expected]) -> Option<Vec<u8>> {
    let expect = asked.iter().find(|expect| !expect.matcher.is_of_files())?;
    let value = expect.answer.iter().flat_map(Answer::accepted_values).next()?;
    let (names, rows) = list_rows(value)?;
    let typed = |(at, name): (usize, String)| (name, find_type(rows.iter().filter_map(|row| row.get(at))));
    let columns: Vec<(String, ValueType)> = names.into_iter().enumerate().map(typed).collect();
    let cell = |row: usize, at: usize| {
        let value = rows.get(row).and_then(|cells| cells.get(at)).cloned().unwrap_or(Value::Null);
        match columns.get(at) {
            Some((_, ValueType::Text)) if !value.is_null() => Val::from_text(value.render_text().into_owned()),
            _ => Val::Own(value),
        }
    };
    write_parquet(&columns, rows.len(), cell).ok()
}

/// Finds the type that holds all values of a column; text if their types differ.
fn find_type<'v>(values: impl Iterator<Item = &'v Value>) -> ValueType {
    let types = values.filter(|value| !value.is_null()).map(|value| value.value_type().unwrap_or(ValueType::Text));
    let join = |a: ValueType, b: ValueType| match (a, b) {
        (a, b) if a == b => a,
        (ValueType::Decimal(a), ValueType::Decimal(b)) => ValueType::Decimal(a.max(b)),
        (ValueType::Decimal(places), ValueType::Int) | (ValueType::Int, ValueType::Decimal(places)) => {
            ValueType::Decimal(places)
        }
        (ValueType::Float, ValueType::Int | ValueType::Decimal(_))
        | (ValueType::Int | ValueType::Decimal(_), ValueType::Float) => ValueType::Float,
        _ => ValueType::Text,
    };
    types.reduce(join).unwrap_or(ValueType::Text)
}
