//! What is known of the value of a term.

use model::{Date, DateTime, SharedList, Value, ValueType};

use super::functions::render_as_text;
use super::texts::Texts;
use crate::facts::Fact;

/// What is known of a value: all of its parts hold.
#[derive(Clone, Debug)]
pub struct Known<'a> {
    /// Its values, as SQLite stores them, all numbers or all texts; otherwise, only whether it may be null is known.
    pub fact: Fact<'a>,
    /// Its texts, if they are too many to list.
    pub texts: Option<Texts<'a>>,
    /// The range of its days, if its texts are ISO dates.
    pub days: Option<(Date, Date)>,
    /// The range of its moments, if its texts are ISO datetimes.
    pub moments: Option<(DateTime, DateTime)>,
}

impl<'a> Known<'a> {
    /// A value of which nothing is known.
    pub fn unknown() -> Known<'a> {
        Known::from_fact(Fact::unknown())
    }

    /// A value with this fact only. Values of several classes are not kept.
    pub fn from_fact(fact: Fact<'a>) -> Known<'a> {
        let text = |value: &Value| matches!(value, Value::Text(_));
        let mixed = fact.closed.as_deref().is_some_and(|values| values.iter().any(text) && !values.iter().all(text));
        let fact = if mixed { Fact { nullable: fact.nullable, ..Fact::not_null() } } else { fact };
        Known { fact, texts: None, days: None, moments: None }
    }

    /// A value with this fact as the author sees it; unknown if SQLite stores it in another way.
    pub fn from_stored(fact: &Fact<'a>, value_type: ValueType) -> Option<Known<'a>> {
        let stored = convert_to_stored(fact, value_type)?;
        let texts = stored.domain.filter(|_| stored.closed.is_none()).and_then(Texts::from_domain);
        let (mut days, mut moments) = (None, None);
        match &fact.range {
            Some((Value::Date(low), Value::Date(high))) => days = Some((*low, *high)),
            Some((Value::DateTime(low), Value::DateTime(high))) => moments = Some((*low, *high)),
            _ => {}
        }
        let fact = if is_stored_alike(fact) { stored } else { to_doubles(&stored) };
        Some(Known { fact, texts, days, moments })
    }

    /// The value of either.
    pub fn join_known(&self, other: &Known<'a>) -> Known<'a> {
        let fact = self.fact.join_fact(&other.fact);
        if self.fact.is_empty() || other.fact.is_empty() {
            let known = if self.fact.is_empty() { other } else { self };
            return Known { fact, ..known.clone() };
        }
        let texts = match (self.to_texts(), other.to_texts()) {
            (Some(a), Some(b)) if fact.closed.is_none() => Some(Texts::Either(vec![a, b])),
            _ => None,
        };
        let days = self.days.zip(other.days).map(|(a, b)| (a.0.min(b.0), a.1.max(b.1)));
        let moments = self.moments.zip(other.moments).map(|(a, b)| (a.0.min(b.0), a.1.max(b.1)));
        Known { texts, days, moments, ..Known::from_fact(fact) }
    }

    /// Adds null to the possible values if `nullable` is set.
    pub fn with_null_if(self, nullable: bool) -> Known<'a> {
        Known { fact: self.fact.with_null_if(nullable), ..self }
    }

    /// Its texts, also if they are listed.
    pub fn to_texts(&self) -> Option<Texts<'a>> {
        if let Some(texts) = &self.texts {
            return Some(texts.clone());
        }
        let values = self.fact.closed.as_ref().filter(|values| !values.is_empty())?;
        values.iter().all(|value| matches!(value, Value::Text(_))).then(|| Texts::Listed(values.clone()))
    }

    /// Its values as SQLite writes them: numbers are written first.
    pub fn to_written_texts(&self) -> Option<Texts<'a>> {
        if let Some(texts) = self.to_texts() {
            return Some(texts);
        }
        let values = self.fact.closed.as_ref().filter(|values| !values.is_empty())?;
        let written = values.iter().map(|value| render_as_text(value).map(Value::Text));
        written.collect::<Option<_>>().map(Texts::Listed)
    }

    /// Whether its values are texts. `None` if that is not known.
    pub fn is_text(&self) -> Option<bool> {
        match self.fact.find_example() {
            Some(value) => Some(matches!(value, Value::Text(_))),
            None => self.texts.as_ref().map(|_| true),
        }
    }
}

/// Converts a fact to the values that SQLite stores and compares: dates and datetimes are ordered texts, and booleans are 1 and 0.
pub fn convert_to_stored<'a>(fact: &Fact<'a>, value_type: ValueType) -> Option<Fact<'a>> {
    /// Doubles distinguish decimals with at most this many units.
    const EXACT: u128 = 1_000_000_000_000_000;
    let convert = |value: &Value| match value {
        Value::Bool(value) => Some(Value::Int(i64::from(*value))),
        Value::Date(_) | Value::DateTime(_) => Some(Value::from_text(value.render_text())),
        Value::Decimal(decimal) if decimal.units().unsigned_abs() > EXACT => None,
        Value::Int(_) | Value::Decimal(_) | Value::Float(_) | Value::Text(_) => Some(value.clone()),
        _ => None,
    };
    if value_type == ValueType::Duration {
        return None;
    }
    // Most lists are stored as they are.
    let is_kept = |value: &Value| matches!(value, Value::Int(_) | Value::Float(_) | Value::Text(_));
    let closed = match &fact.closed {
        Some(values) if is_stored_alike(fact) || values.iter().all(is_kept) => Some(values.clone()),
        Some(values) => Some(values.iter().map(convert).collect::<Option<SharedList<Value>>>()?),
        None => None,
    };
    let range = match &fact.range {
        Some((low, high)) => Some((convert(low)?, convert(high)?)),
        None => None,
    };
    let domain = fact.domain.filter(|domain| domain.value_type() == ValueType::Text);
    Some(Fact { range, closed, nullable: fact.nullable, unique: false, domain })
}

/// Whether all values are drawn from a domain of ints or texts, which are stored and computed with as they are.
fn is_stored_alike(fact: &Fact<'_>) -> bool {
    fact.domain.is_some_and(|domain| matches!(domain.value_type(), ValueType::Int | ValueType::Text))
}

/// The same values, as SQLite computes with them: decimals are doubles.
fn to_doubles<'a>(fact: &Fact<'a>) -> Fact<'a> {
    let double = |value: &Value| match value {
        Value::Decimal(decimal) => Value::Float(decimal.to_f64()),
        other => other.clone(),
    };
    Fact {
        range: fact.range.as_ref().map(|(low, high)| (double(low), double(high))),
        closed: fact.closed.as_ref().map(|values| {
            let is_decimal = |value: &Value| matches!(value, Value::Decimal(_));
            if values.iter().any(is_decimal) { values.iter().map(double).collect() } else { values.clone() }
        }),
        ..fact.clone()
    }
}
