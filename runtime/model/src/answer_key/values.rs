//! Values in the answer key of a bundle, as JSON without loss of digits.

use serde_json::{Map, Value as Json, json};

use crate::value::RowSet;
use crate::{Value, json as buffer};

impl Value {
    /// Converts a value like [`Value::to_json`], but with decimals as `{"decimal": "12.50"}`, integers beyond ±2⁵³ as `{"int": "…"}`, and result sets
    /// as `{"columns": […], "rows": [[…], …]}`: no JSON parser can lose digits. An object whose keys look like one of these marks becomes `{"object":
    /// {…}}`.
    ///
    /// ```
    /// use model::{Decimal, Value};
    ///
    /// let price = Value::Decimal(Decimal::new(1250, 2).unwrap());
    /// assert_eq!(price.to_key_json().to_string(), r#"{"decimal":"12.50"}"#);
    /// // A parser that reads numbers as doubles would change such an integer.
    /// assert_eq!(Value::Int(i64::MAX).to_key_json().to_string(), r#"{"int":"9223372036854775807"}"#);
    /// assert_eq!(Value::from_key_json(&price.to_key_json()), Some(price));
    /// // An author's object that looks like a mark is marked itself.
    /// let object = Value::Object(vec![("int".to_owned(), Value::from_text("7"))]);
    /// assert_eq!(object.to_key_json().to_string(), r#"{"object":{"int":"7"}}"#);
    /// ```
    pub fn to_key_json(&self) -> Json {
        match self {
            Value::Decimal(value) => json!({ "decimal": value.to_string() }),
            Value::Int(value) if value.unsigned_abs() > 1 << 53 => json!({ "int": value.to_string() }),
            Value::List(items) => Json::Array(items.iter().map(Value::to_key_json).collect()),
            Value::Object(fields) => {
                let object: Map<_, _> =
                    fields.iter().map(|(name, value)| (name.clone(), value.to_key_json())).collect();
                if is_marked(&object) { json!({ "object": object }) } else { Json::Object(object) }
            }
            Value::Rows(set) => json!({
                "columns": set.columns,
                "rows": set.rows.iter().map(|row| row.iter().map(Value::to_key_json).collect::<Vec<_>>()).collect::<Vec<_>>(),
            }),
            other => other.to_json(),
        }
    }

    /// Appends the result of [`Value::to_key_json`].
    pub fn write_key_json(&self, out: &mut Vec<u8>) {
        match self {
            Value::Text(text) => buffer::write_text(out, text),
            other => buffer::write_value(out, &other.to_key_json()),
        }
    }

    /// Reads the output of [`Value::to_key_json`]. Dates, datetimes, and durations become texts. `None` for JSON that it could not have written.
    pub fn from_key_json(json: &Json) -> Option<Value> {
        Some(match json {
            Json::Null => Value::Null,
            Json::Bool(value) => Value::Bool(*value),
            Json::Number(number) => match number.as_i64() {
                Some(whole) => Value::Int(whole),
                None => Value::Float(number.as_f64()?),
            },
            Json::String(text) => Value::from_text(text.as_str()),
            Json::Array(items) => Value::List(items.iter().map(Value::from_key_json).collect::<Option<_>>()?),
            Json::Object(object) if is_marked(object) => read_marked_object(object)?,
            Json::Object(object) => read_plain_object(object)?,
        })
    }
}

/// Checks whether an object has exactly the keys with which the answer key marks values that JSON cannot represent.
fn is_marked(object: &Map<String, Json>) -> bool {
    let mut keys = object.keys().map(String::as_str);
    match (keys.next(), keys.next(), keys.next()) {
        (Some("decimal" | "int" | "object"), None, None) => true,
        (Some(a), Some(b), None) => matches!((a, b), ("columns", "rows") | ("rows", "columns")),
        _ => false,
    }
}

fn read_plain_object(object: &Map<String, Json>) -> Option<Value> {
    let field = |(name, json): (&String, &Json)| Some((name.clone(), Value::from_key_json(json)?));
    object.iter().map(field).collect::<Option<Vec<_>>>().map(Value::Object)
}

fn read_marked_object(object: &Map<String, Json>) -> Option<Value> {
    if let Some(digits) = object.get("decimal") {
        return Some(Value::Decimal(digits.as_str()?.parse().ok()?));
    }
    if let Some(digits) = object.get("int") {
        return Some(Value::Int(digits.as_str()?.parse().ok()?));
    }
    if let Some(inner) = object.get("object") {
        return read_plain_object(inner.as_object()?);
    }
    let column = |json: &Json| json.as_str().map(str::to_owned);
    let row = |json: &Json| json.as_array()?.iter().map(Value::from_key_json).collect();
    Some(Value::Rows(RowSet {
        columns: object.get("columns")?.as_array()?.iter().map(column).collect::<Option<_>>()?,
        rows: object.get("rows")?.as_array()?.iter().map(row).collect::<Option<_>>()?,
    }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_are_read_as_they_were_written() {
        let decimal = |text: &str| Value::Decimal(text.parse().expect("a decimal"));
        let object = |name: &str, value| Value::Object(vec![(name.to_owned(), value)]);
        let set = RowSet { columns: vec!["a".into()], rows: vec![vec![decimal("1.50")], vec![Value::Null]] };
        for value in [
            Value::Null,
            Value::Int(i64::MIN),
            Value::Float(0.1),
            Value::Bool(true),
            decimal("-0.10"),
            object("decimal", Value::from_text("1.0")),
            object("int", Value::Int(1 << 60)),
            object("object", object("object", Value::Int(1))),
            Value::Object(vec![("rows".into(), Value::List(vec![])), ("columns".into(), Value::Int(1))]),
            Value::Rows(set),
        ] {
            assert_eq!(Value::from_key_json(&value.to_key_json()), Some(value.clone()), "{value:?}");
        }
    }
}
