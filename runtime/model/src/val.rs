//! The value of an expression during evaluation, owned or borrowed; texts of columns are not copied.

use std::borrow::Cow;
use std::cmp::Ordering;

use crate::Value;

/// A [`Value`] that may be borrowed.
#[derive(Clone, Debug)]
pub enum Val<'a> {
    /// A text, usually a slice of a column's buffer.
    Text(Cow<'a, str>),
    /// A borrowed value.
    Ref(&'a Value),
    /// An owned value.
    Own(Value),
}

impl<'a> Val<'a> {
    /// Null.
    pub const NULL: Val<'static> = Val::Own(Value::Null);

    /// An int.
    pub fn from_int(value: i64) -> Val<'static> {
        Val::Own(Value::Int(value))
    }

    /// A text.
    pub fn from_text(value: impl Into<Cow<'a, str>>) -> Val<'a> {
        Val::Text(value.into())
    }

    /// Returns the value; `None` for a [`Val::Text`].
    pub fn as_value(&self) -> Option<&Value> {
        match self {
            Val::Text(_) => None,
            Val::Ref(value) => Some(value),
            Val::Own(value) => Some(value),
        }
    }

    /// Returns the text, if it is one.
    pub fn as_text(&self) -> Option<&str> {
        match self {
            Val::Text(text) => Some(text),
            Val::Ref(Value::Text(text)) | Val::Own(Value::Text(text)) => Some(text),
            _ => None,
        }
    }

    /// Checks whether it is null.
    pub fn is_null(&self) -> bool {
        self.as_value().is_some_and(Value::is_null)
    }

    /// Checks whether it is true; null is not.
    pub fn is_true(&self) -> bool {
        matches!(self.as_value(), Some(Value::Bool(true)))
    }

    /// Converts it to an owned value.
    pub fn into_value(self) -> Value {
        match self {
            Val::Text(text) => Value::Text(text.into_owned()),
            Val::Ref(value) => value.clone(),
            Val::Own(value) => value,
        }
    }

    /// Does the same as [`Value::render_into`].
    pub fn render_into(&self, out: &mut String) {
        match (self.as_text(), self.as_value()) {
            (Some(text), _) => out.push_str(text),
            (None, Some(value)) => value.render_into(out),
            (None, None) => {}
        }
    }

    /// Does the same as [`Value::render_text`].
    pub fn render_text(&self) -> Cow<'_, str> {
        match (self.as_text(), self.as_value()) {
            (Some(text), _) => Cow::Borrowed(text),
            (None, Some(value)) => value.render_text(),
            (None, None) => Cow::Borrowed(""),
        }
    }

    /// Does the same as [`Value::compare_with`].
    pub fn compare_with(&self, other: &Val<'_>) -> Option<Ordering> {
        match (self.as_text(), other.as_text()) {
            (Some(a), Some(b)) => Some(a.cmp(b)),
            (None, None) => self.as_value()?.compare_with(other.as_value()?),
            _ => None,
        }
    }

    /// Compares in a total order for sorting: like [`Val::compare_with`] if that returns an order; otherwise kinds are separate, and values of a kind
    /// without an order are equal. (Sorting may panic with a contradictory order.)
    pub fn compare_total(&self, other: &Val<'_>) -> Ordering {
        let rank = |value: &Val<'_>| match value.as_value() {
            None | Some(Value::Text(_)) => 2,
            Some(Value::Null) => 7,
            Some(Value::Bool(_)) => 0,
            Some(Value::Int(_) | Value::Decimal(_) | Value::Float(_)) => 1,
            Some(Value::Date(_)) => 3,
            Some(Value::DateTime(_)) => 4,
            Some(Value::Duration(_)) => 5,
            Some(Value::List(_) | Value::Object(_) | Value::Rows(_)) => 6,
        };
        rank(self).cmp(&rank(other)).then_with(|| match (self.as_value(), other.as_value()) {
            (Some(Value::Duration(a)), Some(Value::Duration(b))) => (a.months, a.seconds).cmp(&(b.months, b.seconds)),
            // A double equals several exact numbers that differ from each other, so it is sorted after them.
            (Some(a), Some(b)) if rank(self) == 1 => {
                let (x, y) = (a.as_f64().unwrap_or_default(), b.as_f64().unwrap_or_default());
                let is_float = |value: &Value| matches!(value, Value::Float(_));
                let exact = a.as_decimal().cmp(&b.as_decimal());
                x.partial_cmp(&y).unwrap_or(Ordering::Equal).then(is_float(a).cmp(&is_float(b))).then(exact)
            }
            _ => self.compare_with(other).unwrap_or(Ordering::Equal),
        })
    }

    /// Does the same as [`Value::is_same`].
    pub fn is_same(&self, other: &Val<'_>) -> bool {
        match (self.as_text(), other.as_text()) {
            (Some(a), Some(b)) => a == b,
            (None, None) => matches!((self.as_value(), other.as_value()), (Some(a), Some(b)) if a.is_same(b)),
            _ => false,
        }
    }

    /// Returns its kind in the author's terms.
    pub fn kind(&self) -> &'static str {
        self.as_value().map_or("text", Value::kind)
    }
}
