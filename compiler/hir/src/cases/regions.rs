//! The parts into which the values of a name or cell are divided: single values, or ranges between the constants of a condition.

use model::{Date, DateTime, Decimal, Value};

use super::samples::{Reading, sample_texts};
use crate::facts::Fact;

/// The maximum number of values that are cases of their own.
const MAX_SINGLES: i64 = 2_000;

/// The number of parts of a range between two constants.
const PARTS: i128 = 8;

/// Divides the values of a fact. The ends come first, so that two cases that differ are met early.
pub fn list_regions<'a>(fact: &Fact<'a>, literals: &[Value], reading: &Reading) -> Vec<Fact<'a>> {
    let present = Fact { nullable: false, unique: false, ..fact.clone() };
    let mut regions: Vec<Fact<'a>> = if let Some(values) = &fact.closed {
        spread(values).into_iter().map(Fact::from_value).collect()
    } else if let Some(texts) = fact.domain.and_then(|domain| sample_texts(domain, reading)) {
        texts.iter().map(Fact::from_value).collect()
    } else {
        divide_range(fact, literals).unwrap_or_else(|| vec![present])
    };
    if fact.nullable {
        regions.push(Fact::null());
    }
    regions
}

/// The values, the first and the last before the others.
fn spread(values: &[Value]) -> Vec<&Value> {
    let middle = values.len() / 2;
    let ends = [0, values.len().saturating_sub(1), middle];
    let first = ends.iter().enumerate().filter(|(at, end)| !ends.iter().take(*at).any(|other| other == *end));
    let first = first.filter_map(|(_, end)| values.get(*end));
    let others = values.iter().enumerate().filter(|(at, _)| !ends.contains(at)).map(|(_, value)| value);
    first.chain(others).collect()
}

/// Divides a range of numbers, days, or moments.
fn divide_range<'a>(fact: &Fact<'a>, literals: &[Value]) -> Option<Vec<Fact<'a>>> {
    let (low, high) = fact.range.as_ref()?;
    let steps = fact.domain.and_then(|domain| domain.to_steps());
    let scale = match (&steps, low) {
        (Some(steps), Value::Decimal(_)) => Scale::from_type(steps.of)?,
        _ => Scale::from_values(low, high)?,
    };
    let (low, high) = (scale.to_units(low)?, scale.to_units(high)?);
    if high - low < i128::from(MAX_SINGLES) {
        let values: Vec<Value> = (low..=high).map(|units| scale.to_value(units)).collect::<Option<_>>()?;
        return Some(spread(&values).into_iter().map(Fact::from_value).collect());
    }
    let mut cuts: Vec<i128> = literals.iter().filter_map(|value| scale.to_units(value)).collect();
    cuts.retain(|cut| (low..=high).contains(cut));
    cuts.sort_unstable();
    cuts.dedup();
    let (mut parts, mut from) = (Vec::new(), low);
    for cut in cuts {
        divide_between(from, cut - 1, &mut parts);
        parts.push((cut, cut));
        from = cut + 1;
    }
    divide_between(from, high, &mut parts);
    let to_fact = |(from, to): (i128, i128)| Some(Fact::from_range(scale.to_value(from)?, scale.to_value(to)?));
    let facts: Vec<Fact<'a>> = parts.into_iter().map(to_fact).collect::<Option<_>>()?;
    (facts.len() > 1).then_some(facts)
}

fn divide_between(from: i128, to: i128, parts: &mut Vec<(i128, i128)>) {
    if from > to {
        return;
    }
    let width = ((to - from) / PARTS).max(1);
    let mut start = from;
    while start <= to {
        let end = (start + width - 1).min(to);
        parts.push((start, end));
        start = end + 1;
    }
}

/// The units in which the values of a type are counted.
#[derive(Clone, Copy)]
enum Scale {
    Int,
    Decimal(u8),
    Date,
    DateTime,
}

impl Scale {
    fn from_type(value_type: model::ValueType) -> Option<Scale> {
        match value_type {
            model::ValueType::Int => Some(Scale::Int),
            model::ValueType::Decimal(places) => Some(Scale::Decimal(places)),
            model::ValueType::Date => Some(Scale::Date),
            model::ValueType::DateTime => Some(Scale::DateTime),
            _ => None,
        }
    }

    /// Decimals that are not drawn with steps may have more places than the ends of their range.
    fn from_values(low: &Value, high: &Value) -> Option<Scale> {
        match (low, high) {
            (Value::Int(_), Value::Int(_)) => Some(Scale::Int),
            (Value::Date(_), Value::Date(_)) => Some(Scale::Date),
            (Value::DateTime(_), Value::DateTime(_)) => Some(Scale::DateTime),
            _ => None,
        }
    }

    fn to_units(self, value: &Value) -> Option<i128> {
        match (self, value) {
            (Scale::Int, Value::Int(int)) => Some(i128::from(*int)),
            (Scale::Decimal(places), value) => Some(value.as_decimal()?.with_places(places)?.units()),
            (Scale::Date, Value::Date(date)) => Some(i128::from(date.0)),
            (Scale::Date, Value::Text(text)) => Some(i128::from(Date::parse_iso(text)?.0)),
            (Scale::DateTime, Value::DateTime(moment)) => Some(i128::from(moment.0)),
            (Scale::DateTime, Value::Text(text)) => Some(i128::from(DateTime::parse_iso(text)?.0)),
            _ => None,
        }
    }

    fn to_value(self, units: i128) -> Option<Value> {
        Some(match self {
            Scale::Int => Value::Int(i64::try_from(units).ok()?),
            Scale::Decimal(places) => Value::Decimal(Decimal::new(units, places)?),
            Scale::Date => Value::Date(Date(i32::try_from(units).ok()?)),
            Scale::DateTime => Value::DateTime(DateTime(i64::try_from(units).ok()?)),
        })
    }
}
