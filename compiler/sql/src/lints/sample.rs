//! Values in examples.

use model::{Value, ValueType};

use crate::request::SqlColumn;

/// The values of a column in an example, each different from the others if it can be.
pub fn sample_value(column: &SqlColumn<'_>, index: u128) -> Option<Value> {
    if let Some(value) = column.domain.filter(|domain| !matches!(domain.cardinality(), Some(0))).and_then(|domain| {
        let last = domain.cardinality()?.saturating_sub(1);
        domain.value_at(index.min(last))
    }) {
        return Some(value);
    }
    if let Some(value) = column.closed.as_ref().and_then(|values| values.get(usize::try_from(index).ok()?)) {
        return Some(value.clone());
    }
    match column.value_type? {
        ValueType::Int | ValueType::Decimal(_) | ValueType::Float => {
            i64::try_from(index).ok().map(|n| Value::Int(n + 1))
        }
        ValueType::Text => Some(Value::from_text(match index {
            0 => "x",
            1 => "y",
            _ => "z",
        })),
        _ => None,
    }
}

/// `QTY 3`, or `CITY 'Mesa'`.
pub fn describe_cell(column: &SqlColumn<'_>, value: &Value) -> String {
    format!("{} {}", column.name, describe_value(value))
}

/// A value as it is written in SQL.
pub fn describe_value(value: &Value) -> String {
    let text = value.render_text();
    match value {
        Value::Int(_) | Value::Decimal(_) | Value::Float(_) | Value::Bool(_) => text.into_owned(),
        Value::Null => "null".to_owned(),
        _ => format!("'{text}'"),
    }
}

/// A number, taken several times.
pub fn multiply_value(value: &Value, times: i64) -> Option<String> {
    match value {
        Value::Int(n) => n.checked_mul(times).map(|n| n.to_string()),
        Value::Decimal(_) => {
            let text = value.render_text();
            let places = text.rsplit_once('.').map_or(0, |(_, digits)| digits.len());
            let number: f64 = text.parse().ok()?;
            (number.abs() < 1e9).then(|| format!("{:.places$}", number * times as f64))
        }
        _ => None,
    }
}
