//! Values: drawn, computed, written, and expected.

use std::borrow::Cow;
use std::cmp::Ordering;

use serde::{Deserialize, Serialize};

use crate::{Date, DateTime, Decimal, Duration};

/// A value of the language.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Value {
    /// The missing value.
    Null,
    /// A 64-bit integer.
    Int(i64),
    /// An exact decimal, with its number of places.
    Decimal(Decimal),
    /// A double, always finite.
    Float(f64),
    /// Text.
    Text(String),
    /// True or false.
    Bool(bool),
    /// A date.
    Date(Date),
    /// A datetime.
    DateTime(DateTime),
    /// A duration.
    Duration(Duration),
    /// Values in order.
    List(Vec<Value>),
    /// Named values in order, with different names.
    Object(Vec<(String, Value)>),
    /// A result set: the names of columns, and rows with one value each.
    Rows(RowSet),
}

/// The result of a query, or the content of a relation.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct RowSet {
    /// The columns' names in order.
    pub columns: Vec<String>,
    /// The rows, each with one value per column.
    pub rows: Vec<Vec<Value>>,
}

/// The type of a scalar, as needed by writers and SQL.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ValueType {
    /// [`Value::Int`]
    Int,
    /// [`Value::Decimal`] with this many places.
    Decimal(u8),
    /// [`Value::Float`]
    Float,
    /// [`Value::Text`]
    Text,
    /// [`Value::Bool`]
    Bool,
    /// [`Value::Date`]
    Date,
    /// [`Value::DateTime`]
    DateTime,
    /// [`Value::Duration`]
    Duration,
}

impl Value {
    /// Returns its type, if it is a scalar that is not null.
    pub fn value_type(&self) -> Option<ValueType> {
        Some(match self {
            Value::Int(_) => ValueType::Int,
            Value::Decimal(value) => ValueType::Decimal(value.places()),
            Value::Float(_) => ValueType::Float,
            Value::Text(_) => ValueType::Text,
            Value::Bool(_) => ValueType::Bool,
            Value::Date(_) => ValueType::Date,
            Value::DateTime(_) => ValueType::DateTime,
            Value::Duration(_) => ValueType::Duration,
            Value::Null | Value::List(_) | Value::Object(_) | Value::Rows(_) => return None,
        })
    }

    /// A text value.
    pub fn from_text(text: impl Into<String>) -> Value {
        Value::Text(text.into())
    }

    /// Checks whether it is null.
    pub fn is_null(&self) -> bool {
        matches!(self, Value::Null)
    }

    /// Renders it for strings, files, and prompts: ints and decimals with their digits, floats in the shortest form that reads back the same, dates
    /// in ISO 8601, lists joined by `, `, objects as JSON. Null renders as an empty text; `check` and the runtime make sure that it never gets here.
    ///
    /// ```
    /// use model::{Decimal, Value};
    ///
    /// let render = |value: Value| value.render_text().into_owned();
    /// assert_eq!(render(Value::Decimal(Decimal::new(1250, 2).unwrap())), "12.50");
    /// // A float is never mistaken for an int.
    /// assert_eq!([render(Value::Float(43.0)), render(Value::Float(0.1 + 0.2))], ["43.0", "0.30000000000000004"]);
    /// assert_eq!(render(Value::List(vec![Value::Int(1), Value::from_text("a")])), "1, a");
    /// assert_eq!(render(Value::Object(vec![("n".to_owned(), Value::Int(1))])), r#"{"n":1}"#);
    /// ```
    pub fn render_text(&self) -> Cow<'_, str> {
        match self {
            Value::Text(text) => Cow::Borrowed(text),
            Value::Null => Cow::Borrowed(""),
            Value::Bool(true) => Cow::Borrowed("true"),
            Value::Bool(false) => Cow::Borrowed("false"),
            other => {
                let mut out = String::new();
                other.render_into(&mut out);
                Cow::Owned(out)
            }
        }
    }

    /// Appends the result of [`Value::render_text`].
    pub fn render_into(&self, out: &mut String) {
        use std::fmt::Write as _;
        // Writing to a String never fails.
        let _ = match self {
            Value::Null => return,
            Value::Int(value) => return write_int(*value, out),
            Value::Float(value) => return out.push_str(&render_float(*value)),
            Value::Text(text) => return out.push_str(text),
            Value::Decimal(value) => write!(out, "{value}"),
            Value::Bool(value) => write!(out, "{value}"),
            Value::Date(value) => write!(out, "{value}"),
            Value::DateTime(value) => write!(out, "{value}"),
            Value::Duration(value) => write!(out, "{value}"),
            Value::List(items) => {
                for (index, item) in items.iter().enumerate() {
                    if index > 0 {
                        out.push_str(", ");
                    }
                    item.render_into(out);
                }
                return;
            }
            Value::Object(_) | Value::Rows(_) => write!(out, "{}", self.to_json()),
        };
    }

    /// Converts it to plain JSON for targets and prompts: decimals as numbers of the same value, dates as strings, result sets as arrays of objects.
    pub fn to_json(&self) -> serde_json::Value {
        use serde_json::Value as Json;
        match self {
            Value::Null => Json::Null,
            Value::Int(value) => Json::from(*value),
            Value::Decimal(value) => match value.to_int() {
                Some(whole) if value.places() == 0 => Json::from(whole),
                _ => Json::from(value.to_f64()),
            },
            Value::Float(value) => Json::from(*value),
            Value::Bool(value) => Json::from(*value),
            Value::List(items) => Json::Array(items.iter().map(Value::to_json).collect()),
            Value::Object(fields) => {
                Json::Object(fields.iter().map(|(name, value)| (name.clone(), value.to_json())).collect())
            }
            Value::Rows(set) => Json::Array(
                set.rows
                    .iter()
                    .map(|row| Json::Object(set.columns.iter().cloned().zip(row.iter().map(Value::to_json)).collect()))
                    .collect(),
            ),
            other => Json::from(other.render_text().into_owned()),
        }
    }

    /// Compares two values of comparable types: numbers by value, texts by code point, dates and datetimes by time, false before true. `None` if the
    /// types are not comparable, or if one is null.
    ///
    /// ```
    /// use std::cmp::Ordering;
    ///
    /// use model::{Date, Decimal, Value};
    ///
    /// let (int, text) = (Value::Int(2), Value::from_text("10"));
    /// assert_eq!(int.compare_with(&Value::Decimal(Decimal::new(250, 2).unwrap())), Some(Ordering::Less));
    /// // Texts by code point, so `10` is before `9`; a text and a number have no order.
    /// assert_eq!(text.compare_with(&Value::from_text("9")), Some(Ordering::Less));
    /// assert_eq!(int.compare_with(&text), None);
    /// assert_eq!(Value::Null.compare_with(&Value::Null), None);
    /// assert_eq!(Value::Date(Date::MIN).compare_with(&Value::Date(Date::MAX)), Some(Ordering::Less));
    /// ```
    pub fn compare_with(&self, other: &Value) -> Option<Ordering> {
        match (self, other) {
            (Value::Int(a), Value::Int(b)) => Some(a.cmp(b)),
            (Value::Text(a), Value::Text(b)) => Some(a.cmp(b)),
            (Value::Bool(a), Value::Bool(b)) => Some(a.cmp(b)),
            (Value::Date(a), Value::Date(b)) => Some(a.cmp(b)),
            (Value::DateTime(a), Value::DateTime(b)) => Some(a.cmp(b)),
            (Value::Duration(a), Value::Duration(b)) if a.months == b.months => Some(a.seconds.cmp(&b.seconds)),
            (Value::Float(a), b) => a.partial_cmp(&b.as_f64()?),
            (a, Value::Float(b)) => a.as_f64()?.partial_cmp(b),
            (a, b) => Some(a.as_decimal()?.cmp(&b.as_decimal()?)),
        }
    }

    /// Checks equality in the language: numbers by value regardless of type, lists and objects by their parts; null equals null.
    ///
    /// ```
    /// use model::{Decimal, Value};
    ///
    /// let half = Value::Decimal(Decimal::new(50, 2).unwrap());
    /// assert!(half.is_same(&Value::Float(0.5)) && Value::Int(1).is_same(&Value::Float(1.0)));
    /// assert!(!Value::Int(1).is_same(&Value::from_text("1")));
    /// // The order of keys does not count, that of items does.
    /// let object = |keys: [&str; 2]| Value::Object(keys.map(|key| (key.to_owned(), Value::from_text(key))).to_vec());
    /// assert!(object(["a", "b"]).is_same(&object(["b", "a"])));
    /// let list = |items: [i64; 2]| Value::List(items.map(Value::Int).to_vec());
    /// assert!(!list([1, 2]).is_same(&list([2, 1])));
    /// ```
    pub fn is_same(&self, other: &Value) -> bool {
        match (self, other) {
            (Value::Null, Value::Null) => true,
            (Value::List(a), Value::List(b)) => a.len() == b.len() && a.iter().zip(b).all(|(a, b)| a.is_same(b)),
            (Value::Object(a), Value::Object(b)) => {
                a.len() == b.len() && a.iter().all(|(name, a)| b.iter().any(|(other, b)| name == other && a.is_same(b)))
            }
            (Value::Rows(a), Value::Rows(b)) => {
                a.columns.len() == b.columns.len()
                    && a.rows.len() == b.rows.len()
                    && a.rows.iter().flatten().zip(b.rows.iter().flatten()).all(|(a, b)| a.is_same(b))
            }
            (a, b) => a.compare_with(b) == Some(Ordering::Equal),
        }
    }

    /// Returns a text.
    ///
    /// ```
    /// use model::Value;
    ///
    /// assert_eq!(Value::from_text("ruby").as_text(), Some("ruby"));
    /// assert_eq!(Value::Int(5).as_text(), None);
    /// ```
    pub fn as_text(&self) -> Option<&str> {
        match self {
            Value::Text(text) => Some(text),
            _ => None,
        }
    }

    /// Converts a number to a double.
    pub fn as_f64(&self) -> Option<f64> {
        match self {
            Value::Int(value) => Some(*value as f64),
            Value::Decimal(value) => Some(value.to_f64()),
            Value::Float(value) => Some(*value),
            _ => None,
        }
    }

    /// Converts an int or a decimal to a decimal.
    pub fn as_decimal(&self) -> Option<Decimal> {
        match self {
            Value::Int(value) => Some(Decimal::from_int(*value)),
            Value::Decimal(value) => Some(*value),
            _ => None,
        }
    }

    /// Returns the items, if it is a list.
    pub fn as_list(&self) -> Option<&[Value]> {
        match self {
            Value::List(items) => Some(items),
            _ => None,
        }
    }

    /// Finds a field, if it is an object that has it.
    pub fn find_field(&self, name: &str) -> Option<&Value> {
        match self {
            Value::Object(fields) => fields.iter().find(|(known, _)| known == name).map(|(_, value)| value),
            _ => None,
        }
    }

    /// Describes its kind in the author's terms: `text`, `a list`.
    pub fn kind(&self) -> &'static str {
        match self {
            Value::List(_) => "list",
            Value::Object(_) => "object",
            Value::Rows(_) => "rows",
            other => other.value_type().map_or("null", ValueType::name),
        }
    }
}

/// Checks whether a text is empty after removing whitespace, byte order marks, and zero-width characters from its ends. It would never be a correct
/// answer, because such a reply has no content.
pub fn is_blank(text: &str) -> bool {
    text.chars().all(is_insignificant_char)
}

/// Checks whether a character has no meaning at an end of a text: whitespace, a byte order mark, or a zero-width character (zero-width space,
/// (non-)joiners, word joiner).
pub fn is_insignificant_char(char: char) -> bool {
    char.is_whitespace() || matches!(char, '\u{FEFF}' | '\u{200B}'..='\u{200D}' | '\u{2060}')
}

/// Parses `true` or `false`, in any letter case.
pub fn parse_bool_word(text: &str) -> Option<bool> {
    [false, true].into_iter().find(|value| text.eq_ignore_ascii_case(if *value { "true" } else { "false" }))
}

/// Renders a count with commas, for messages: `1,000,000`.
pub fn group_digits(number: u64) -> String {
    let digits = number.to_string();
    let mut out = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

/// Appends an int's digits. `write!` takes three times as long, and tables are mostly ints.
pub fn write_int(value: i64, out: &mut String) {
    let mut digits = [0u8; 20];
    let mut at = digits.len();
    let mut rest = value.unsigned_abs();
    loop {
        at -= 1;
        digits[at] = b'0' + (rest % 10) as u8;
        rest /= 10;
        if rest == 0 {
            break;
        }
    }
    if value < 0 {
        out.push('-');
    }
    out.push_str(std::str::from_utf8(&digits[at..]).unwrap_or_default());
}

/// Renders the shortest decimal form that reads back as the same double, always with a point or an exponent: `43.0`, `0.1`, `1e21`. Negative zero
/// becomes `0.0`.
///
/// ```
/// use model::value::render_float;
///
/// assert_eq!([render_float(43.0), render_float(0.1), render_float(1e21)], ["43.0", "0.1", "1e+21"]);
/// assert_eq!(render_float(-0.0), "0.0");
/// assert_eq!(render_float(f64::NAN), "null");
/// ```
pub fn render_float(value: f64) -> String {
    let value = if value == 0.0 { 0.0 } else { value };
    // serde_json writes the shortest form (Ryu) and always a point or exponent.
    serde_json::Number::from_f64(value).map_or_else(|| "null".to_owned(), |number| number.to_string())
}

impl ValueType {
    /// Returns its name in the source.
    pub fn name(self) -> &'static str {
        match self {
            ValueType::Int => "int",
            ValueType::Decimal(_) => "decimal",
            ValueType::Float => "float",
            ValueType::Text => "text",
            ValueType::Bool => "bool",
            ValueType::Date => "date",
            ValueType::DateTime => "datetime",
            ValueType::Duration => "duration",
        }
    }

    /// Checks whether it is a number.
    pub fn is_number(self) -> bool {
        matches!(self, ValueType::Int | ValueType::Decimal(_) | ValueType::Float)
    }
}
