//! Converts a value found by a path to its known type.

use model::functions::describe_value;
use model::value::parse_bool_word;
use model::{Date, DateTime, Decimal, Val, Value, ValueType};

use crate::generate::failures::{Res, fail_computation};

/// Converts a value to a type if that loses nothing. Text is parsed; empty text, which represents null in XML, is null unless text is wanted. `place`
/// returns the location for messages.
pub(super) fn convert_value(value: &Value, wanted: ValueType, place: impl FnOnce() -> String) -> Res<Value> {
    let found = match (value, wanted) {
        (Value::Null, _) => Some(Value::Null),
        (Value::Text(text), wanted) => parse_value(text, wanted),
        (Value::Int(_) | Value::Decimal(_), ValueType::Decimal(places)) => {
            value.as_decimal().and_then(|value| value.with_places(places)).map(Value::Decimal)
        }
        (Value::Decimal(value), ValueType::Int) => value.to_int().map(Value::Int),
        (Value::Int(_) | Value::Decimal(_), ValueType::Float) => value.as_f64().map(Value::Float),
        (value, ValueType::Text) => Some(Value::Text(value.render_text().into_owned())),
        (value, wanted) => Some(value.clone()).filter(|value| value.value_type() == Some(wanted)),
    };
    match found {
        Some(value) => Ok(value),
        None => {
            let (value, wanted) = (describe_value(&Val::Ref(value)), describe_type(wanted));
            fail_computation(format!("{value} at `{}` does not read as {wanted}", place()))
        }
    }
}

fn parse_value(text: &str, wanted: ValueType) -> Option<Value> {
    let trimmed = text.trim();
    Some(match wanted {
        ValueType::Text => Value::from_text(text),
        _ if trimmed.is_empty() => Value::Null,
        ValueType::Int => Value::Int(trimmed.parse().ok()?),
        ValueType::Decimal(places) => Value::Decimal(trimmed.parse::<Decimal>().ok()?.with_places(places)?),
        ValueType::Float => Value::Float(trimmed.parse().ok().filter(|number: &f64| number.is_finite())?),
        ValueType::Bool => Value::Bool(parse_bool_word(trimmed)?),
        ValueType::Date => Value::Date(Date::parse_iso(trimmed)?),
        ValueType::DateTime => Value::DateTime(DateTime::parse_iso(trimmed)?),
        ValueType::Duration => return None,
    })
}

/// Parses a number: an int, otherwise an exact decimal, otherwise a float. Empty text is null.
pub(super) fn parse_number(text: &str, place: impl FnOnce() -> String) -> Res<Value> {
    // As many places as the text has, from 0 to 18.
    let places = text.trim().split_once('.').map_or(0, |(_, fraction)| u8::try_from(fraction.len()).unwrap_or(u8::MAX));
    let types = [ValueType::Int, ValueType::Decimal(places), ValueType::Float];
    types.into_iter().find_map(|wanted| parse_value(text, wanted)).map_or_else(
        || fail_computation(format!("{} at `{}` is not a number", describe_value(&Val::from_text(text)), place())),
        Ok,
    )
}

fn describe_type(wanted: ValueType) -> String {
    match wanted {
        ValueType::Decimal(places) => format!("decimal of {places} places"),
        other => other.name().to_owned(),
    }
}
