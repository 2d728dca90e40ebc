//! Aggregates and functions of windows.

use model::Value;
use sql::terms::{Gathered, Term};

use super::known::Known;
use crate::facts::{Fact, sum_range};

/// Doubles are exact for whole numbers up to this one.
const EXACT: f64 = 9_007_199_254_740_992.0;

/// What is known of an aggregate of `rows` rows at most, from what `infer` returns for its terms.
pub fn infer_gathered<'a>(gathered: &Gathered, rows: u64, infer: &dyn Fn(&Term) -> Known<'a>) -> Known<'a> {
    match gathered {
        Gathered::Count(bounds, _) => {
            let int = |count: u64| Value::Int(i64::try_from(count).unwrap_or(i64::MAX));
            Known::from_fact(Fact::from_range(int(bounds.least), int(bounds.most.min(rows))))
        }
        Gathered::Share => Known::from_fact(Fact::from_range(Value::Float(0.0), Value::Float(1.0))),
        Gathered::Picked { of, nullable, .. } => infer(of).with_null_if(*nullable),
        Gathered::Mean(of, nullable, _) => {
            let known = infer(of);
            let nullable = *nullable || known.fact.nullable;
            infer_mean(&known).with_null_if(nullable)
        }
        Gathered::Sum { of, most, written, nullable, .. } => {
            let known = infer(of);
            let nullable = *nullable || known.fact.nullable;
            let sum = sum_some(written, infer).unwrap_or_else(|| infer_sum(&known, (*most).min(rows).max(1)));
            sum.with_null_if(nullable)
        }
    }
}

/// The mean of ints is between them; that of doubles may be rounded away from them a little.
fn infer_mean<'a>(known: &Known<'_>) -> Known<'a> {
    let range = known.fact.range.as_ref().and_then(|(low, high)| {
        let (from, to) = (low.as_f64()?, high.as_f64()?);
        let whole = matches!((low, high), (Value::Int(_), Value::Int(_)));
        let room = if whole && from.abs().max(to.abs()) * 1e8 < EXACT { 0.0 } else { widen(from, to) };
        Some(Fact::from_range(Value::Float(from - room), Value::Float(to + room)))
    });
    range.map_or_else(|| Known::from_fact(Fact::not_null()), Known::from_fact)
}

/// How far from their range the mean of doubles may be, generously.
fn widen(from: f64, to: f64) -> f64 {
    from.abs().max(to.abs()) * 1e-9
}

/// The sum of some of these values, in any order, if all of them are ints or null. `None` if it is not known.
fn sum_some<'a>(values: &[Term], infer: &dyn Fn(&Term) -> Known<'a>) -> Option<Known<'a>> {
    let (mut low, mut high) = (0i64, 0i64);
    for value in values {
        let fact = infer(value).fact;
        if fact.is_null_only() {
            continue;
        }
        let (least, most) = fact.as_int_range()?;
        low = low.checked_add(least.min(0))?;
        high = high.checked_add(most.max(0))?;
    }
    (!values.is_empty()).then(|| Known::from_fact(Fact::from_range(Value::Int(low), Value::Int(high))))
}

/// The sum of one to `most` values.
fn infer_sum<'a>(known: &Known<'_>, most: u64) -> Known<'a> {
    let fact = known.fact.range.as_ref().and_then(|(low, high)| match (low, high) {
        (Value::Int(_), Value::Int(_)) => {
            let (low, high) = sum_range(&(low.clone(), high.clone()), 1, most)?;
            Some(Fact::from_range(low, high))
        }
        _ => {
            let (from, to) = (low.as_f64()?, high.as_f64()?);
            let low = if from < 0.0 { from * most as f64 } else { from };
            let high = if to < 0.0 { to } else { to * most as f64 };
            let room = widen(low, high);
            (low.is_finite() && high.is_finite())
                .then(|| Fact::from_range(Value::Float(low - room), Value::Float(high + room)))
        }
    });
    fact.map_or_else(|| Known::from_fact(Fact::not_null()), Known::from_fact)
}
