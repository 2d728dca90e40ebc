//! Rounds values as the option `rounded` requires.

use std::borrow::Cow;

use super::Expected;
use crate::pointer::escape_step;
use crate::suite::Options;
use crate::{Decimal, Value};

impl Expected {
    /// Returns a value of this answer in which every number with the option `rounded` is rounded (half away from zero); among nested options, the
    /// nearest applies.
    pub fn round_value<'v>(&self, value: &'v Value) -> Cow<'v, Value> {
        if self.options.iter().all(|(_, options)| options.rounded.is_none()) {
            return Cow::Borrowed(value);
        }
        Cow::Owned(round_nested(value, &mut String::new(), &self.options, None))
    }
}

fn round_nested(value: &Value, pointer: &mut String, options: &[(String, Options)], above: Option<u8>) -> Value {
    let here = options.iter().find(|(at, _)| at == pointer);
    let places = here.map_or(above, |(_, options)| options.rounded);
    let mut below = |step: &str, value: &Value| {
        let length = pointer.len();
        pointer.push('/');
        pointer.push_str(&escape_step(step));
        let value = round_nested(value, pointer, options, places);
        pointer.truncate(length);
        value
    };
    match value {
        Value::List(items) => {
            Value::List(items.iter().enumerate().map(|(index, item)| below(&index.to_string(), item)).collect())
        }
        Value::Object(fields) => {
            Value::Object(fields.iter().map(|(name, field)| (name.clone(), below(name, field))).collect())
        }
        Value::Rows(set) => {
            let mut set = set.clone();
            for cell in set.rows.iter_mut().flatten() {
                if let Some(number) = round_number(cell, places) {
                    *cell = number;
                }
            }
            Value::Rows(set)
        }
        one => round_number(one, places).unwrap_or_else(|| one.clone()),
    }
}

/// Rounds a decimal or a float to this number of places (half away from zero; a float by its shortest decimal form). `None` for other values, for
/// numbers that do not fit, and if `places` is `None`.
///
/// ```
/// use model::Value;
/// use model::answer_key::rounded::round_number;
///
/// let round = |value: Value| round_number(&value, Some(1)).map(|value| value.render_text().into_owned());
/// assert_eq!(round(Value::Float(0.25)).as_deref(), Some("0.3"));
/// assert_eq!(round(Value::Float(-0.25)).as_deref(), Some("-0.3"));
/// assert_eq!(round(Value::from_text("0.25")), None);
/// ```
pub fn round_number(value: &Value, places: Option<u8>) -> Option<Value> {
    let places = places?;
    match value {
        Value::Decimal(decimal) => decimal.round_to(places).map(Value::Decimal),
        Value::Float(float) => Decimal::from_f64(*float, places).map(Value::Decimal),
        _ => None,
    }
}
