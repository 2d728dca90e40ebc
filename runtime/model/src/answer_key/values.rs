//! Values in the answer key of a bundle, as JSON without loss of digits.

use serde_json::{Map, Value as Json, json};

use crate::value::RowSet;
use crate::{Date, DateTime, Value, json as buffer};

/// How dates and datetimes are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Days {
    /// As texts: they are read as texts.
    AsText,
    /// As `{"date": "2024-03-01"}` or `{"date": "2024-03-01T10:00:00"}`: they are read as dates and datetimes.
    Marked,
}

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
        self.encode_key(Days::AsText)
    }

    /// Does the same as [`Value::to_key_json`]; `days` says how dates are written.
    ///
    /// ```
    /// use model::answer_key::Days;
    /// use model::{Date, Value};
    ///
    /// let day = Value::Date(Date::new(2024, 3, 1).unwrap());
    /// assert_eq!(day.encode_key(Days::Marked).to_string(), r#"{"date":"2024-03-01"}"#);
    /// assert_eq!(Value::decode_key(&day.encode_key(Days::Marked), Days::Marked), Some(day));
    /// ```
    pub fn encode_key(&self, days: Days) -> Json {
        match self {
            Value::Decimal(value) => json!({ "decimal": value.to_string() }),
            Value::Int(value) if value.unsigned_abs() > 1 << 53 => json!({ "int": value.to_string() }),
            Value::List(items) => Json::Array(items.iter().map(|item| item.encode_key(days)).collect()),
            Value::Object(fields) => {
                let object: Map<_, _> =
                    fields.iter().map(|(name, value)| (name.clone(), value.encode_key(days))).collect();
                if is_marked(&object, days) { json!({ "object": object }) } else { Json::Object(object) }
            }
            Value::Rows(set) => json!({
                "columns": set.columns,
                "rows": set.rows.iter().map(|row| row.iter().map(|cell| cell.encode_key(days)).collect::<Vec<_>>()).collect::<Vec<_>>(),
            }),
            Value::Date(_) | Value::DateTime(_) if days == Days::Marked => json!({ "date": self.render_text() }),
            other => other.to_json(),
        }
    }

    /// Appends the result of [`Value::to_key_json`].
    pub fn write_key_json(&self, out: &mut Vec<u8>) {
        self.write_key(Days::AsText, out);
    }

    /// Appends the result of [`Value::encode_key`].
    pub fn write_key(&self, days: Days, out: &mut Vec<u8>) {
        match self {
            Value::Text(text) => buffer::write_text(out, text),
            other => buffer::write_value(out, &other.encode_key(days)),
        }
    }

    /// Reads the output of [`Value::to_key_json`]. Dates, datetimes, and durations become texts. `None` for JSON that it could not have written.
    pub fn from_key_json(json: &Json) -> Option<Value> {
        Value::decode_key(json, Days::AsText)
    }

    /// Reads the output of [`Value::encode_key`].
    pub fn decode_key(json: &Json, days: Days) -> Option<Value> {
        Some(match json {
            Json::Null => Value::Null,
            Json::Bool(value) => Value::Bool(*value),
            Json::Number(number) => match number.as_i64() {
                Some(whole) => Value::Int(whole),
                None => Value::Float(number.as_f64()?),
            },
            Json::String(text) => Value::from_text(text.as_str()),
            Json::Array(items) => {
                Value::List(items.iter().map(|item| Value::decode_key(item, days)).collect::<Option<_>>()?)
            }
            Json::Object(object) if is_marked(object, days) => read_marked_object(object, days)?,
            Json::Object(object) => read_plain_object(object, days)?,
        })
    }
}

/// Checks whether an object has exactly the keys with which the answer key marks values that JSON cannot represent.
fn is_marked(object: &Map<String, Json>, days: Days) -> bool {
    let mut keys = object.keys().map(String::as_str);
    match (keys.next(), keys.next(), keys.next()) {
        (Some("decimal" | "int" | "object"), None, None) => true,
        (Some("date"), None, None) => days == Days::Marked,
        (Some(a), Some(b), None) => matches!((a, b), ("columns", "rows") | ("rows", "columns")),
        _ => false,
    }
}

fn read_plain_object(object: &Map<String, Json>, days: Days) -> Option<Value> {
    let field = |(name, json): (&String, &Json)| Some((name.clone(), Value::decode_key(json, days)?));
    object.iter().map(field).collect::<Option<Vec<_>>>().map(Value::Object)
}

fn read_marked_object(object: &Map<String, Json>, days: Days) -> Option<Value> {
    if let Some(digits) = object.get("decimal") {
        return Some(Value::Decimal(digits.as_str()?.parse().ok()?));
    }
    if let Some(digits) = object.get("int") {
        return Some(Value::Int(digits.as_str()?.parse().ok()?));
    }
    if let Some(day) = object.get("date") {
        let text = day.as_str()?;
        let date = Date::parse_iso(text).map(Value::Date);
        return date.or_else(|| DateTime::parse_iso(text).map(Value::DateTime));
    }
    if let Some(inner) = object.get("object") {
        return read_plain_object(inner.as_object()?, days);
    }
    let column = |json: &Json| json.as_str().map(str::to_owned);
    let row = |json: &Json| json.as_array()?.iter().map(|cell| Value::decode_key(cell, days)).collect();
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
    #[test]
    fn days_are_texts_unless_they_are_marked() {
        let date = Value::Date(Date::new(2024, 3, 1).expect("a date"));
        let moment = Value::DateTime(DateTime::parse_iso("2024-03-01T10:00").expect("a datetime"));
        let object = Value::Object(vec![("date".into(), Value::from_text("2024-03-01"))]);
        let set = RowSet { columns: vec!["a".into()], rows: vec![vec![date.clone()], vec![Value::Null]] };
        let list = Value::List(vec![date.clone(), moment, object.clone(), Value::Rows(set)]);
        assert_eq!(Value::decode_key(&list.encode_key(Days::Marked), Days::Marked), Some(list));
        assert_eq!(Value::from_key_json(&date.to_key_json()), Some(Value::from_text("2024-03-01")));
        // An author's object is no mark where days are texts.
        assert_eq!(Value::from_key_json(&object.to_key_json()), Some(object.clone()));
        assert_eq!(object.to_key_json().to_string(), r#"{"date":"2024-03-01"}"#);
    }
}
