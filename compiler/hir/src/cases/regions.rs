//! The parts into which the values of a name or cell are divided: single values, or ranges between the constants of a condition.

use model::{Date, DateTime, Decimal, Domain, Value, ValueType};

use super::samples::{Reading, sample_texts};
use crate::facts::Fact;

/// The maximum number of values of a range that are cases of their own.
const MAX_SINGLES: i128 = 2_000;

/// The number of parts of a range between two constants.
const PARTS: i128 = 8;

/// What is called for each part; whether to go on.
pub type Visit<'v, 'a> = dyn FnMut(Fact<'a>) -> bool + 'v;

/// Visits the parts into which the values of a fact are divided, until `visit` returns `false`. Null, constants, and the ends come first: two
/// cases that differ are met early.
pub fn visit_regions<'a>(fact: &Fact<'a>, literals: &[Value], reading: &Reading, visit: &mut Visit<'_, 'a>) {
    if fact.nullable && !visit(Fact::null()) {
        return;
    }
    let present = Fact { nullable: false, unique: false, ..fact.clone() };
    match (&fact.closed, fact.domain) {
        (Some(values), _) => visit_values(values, literals, visit),
        (None, Some(domain)) if domain.value_type() == ValueType::Text => visit_texts(domain, present, reading, visit),
        _ => visit_range(present, literals, visit),
    }
}

/// Visits values one by one.
fn visit_values<'a>(values: &[Value], literals: &[Value], visit: &mut Visit<'_, 'a>) {
    let named = values.iter().position(|value| literals.iter().any(|literal| literal.is_same(value)));
    let ends = [named, Some(0), values.len().checked_sub(1), Some(values.len() / 2)];
    let mut first: Vec<usize> = Vec::new();
    for at in ends.into_iter().flatten() {
        if !first.contains(&at) {
            first.push(at);
        }
    }
    let others = (0..values.len()).filter(|at| !first.contains(at));
    for value in first.iter().copied().chain(others).filter_map(|at| values.get(at)) {
        if !visit(Fact::from_value(value)) {
            return;
        }
    }
}

/// Visits some texts of a domain, and then those that represent all others.
fn visit_texts<'a>(domain: &Domain, present: Fact<'a>, reading: &Reading, visit: &mut Visit<'_, 'a>) {
    let size = domain.cardinality().unwrap_or(0);
    let indexes = [0, size.saturating_sub(1), size / 2, size / 3];
    for text in indexes.into_iter().filter_map(|index| domain.value_at(index)) {
        if !visit(Fact::from_value(&text)) {
            return;
        }
    }
    let Some(texts) = sample_texts(domain, reading) else {
        visit(present);
        return;
    };
    for text in &texts {
        if !visit(Fact::from_value(text)) {
            return;
        }
    }
}

/// Visits the values of a short range of numbers, days, or moments, or the parts of a long one.
fn visit_range<'a>(present: Fact<'a>, literals: &[Value], visit: &mut Visit<'_, 'a>) {
    let Some((scale, low, high)) = Scale::from_fact(&present) else {
        visit(present);
        return;
    };
    let mut cuts: Vec<i128> = literals.iter().filter_map(|value| scale.to_units(value)).collect();
    cuts.retain(|cut| (low..=high).contains(cut));
    cuts.sort_unstable();
    cuts.dedup();
    let short = high - low < MAX_SINGLES;
    let first = cuts.iter().copied().chain([low, high, low + (high - low) / 2]).map(|units| (units, units));
    let others: Vec<(i128, i128)> =
        if short { (low..=high).map(|units| (units, units)).collect() } else { divide_range(low, high, &cuts) };
    for (from, to) in first.chain(others) {
        let Some((from, to)) = scale.to_value(from).zip(scale.to_value(to)) else {
            visit(present);
            return;
        };
        if !visit(Fact::from_range(from, to)) {
            return;
        }
    }
}

/// Divides a range at the constants, and further.
fn divide_range(low: i128, high: i128, cuts: &[i128]) -> Vec<(i128, i128)> {
    let (mut parts, mut from) = (Vec::new(), low);
    for cut in cuts {
        divide_between(from, cut - 1, &mut parts);
        parts.push((*cut, *cut));
        from = cut + 1;
    }
    divide_between(from, high, &mut parts);
    parts
}

fn divide_between(from: i128, to: i128, parts: &mut Vec<(i128, i128)>) {
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
    /// The scale of the range of a fact, with its ends. Decimals that are not drawn with steps may have more places than these.
    fn from_fact(fact: &Fact<'_>) -> Option<(Scale, i128, i128)> {
        let (low, high) = fact.range.as_ref()?;
        let scale = match (low, high) {
            (Value::Int(_), Value::Int(_)) => Scale::Int,
            (Value::Date(_), Value::Date(_)) => Scale::Date,
            (Value::DateTime(_), Value::DateTime(_)) => Scale::DateTime,
            (Value::Decimal(_), Value::Decimal(_)) => match fact.domain?.to_steps()?.of {
                ValueType::Decimal(places) => Scale::Decimal(places),
                _ => return None,
            },
            _ => return None,
        };
        Some((scale, scale.to_units(low)?, scale.to_units(high)?))
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
