//! XPath's operators on what is known of two numbers.

use model::Value;

use super::convert::{is_whole, simplify, to_number};
use super::values::{Class, Kind, Values};
use super::xpath_functions::round_half_up;
use hir::facts::Fact;
use hir::paths::predicate::Operation;
use hir::terms::Known;

/// The maximum number of pairs that are computed one by one.
const MAX_PAIRS: usize = 1000;

/// What is known of the result of an operator. `None` if that is nothing.
pub fn operate<'a>(operation: Operation, a: &Values<'a>, b: &Values<'a>) -> Option<Values<'a>> {
    let (a, b) = (to_number(a)?, to_number(b)?);
    let mut kinds = Vec::new();
    for one in &a.kinds {
        for other in &b.kinds {
            if one.class == Class::NotANumber || other.class == Class::NotANumber {
                kinds.push(Kind::new(Class::NotANumber, Known::from_fact(Fact::not_null())));
            } else {
                kinds.push(operate_kinds(operation, one, other)?);
            }
        }
    }
    Some(Values::from_kinds(kinds))
}

fn operate_kinds<'a>(operation: Operation, a: &Kind<'a>, b: &Kind<'a>) -> Option<Kind<'a>> {
    let (one, other) = (&a.known.fact, &b.known.fact);
    let listed = match (one.closed.as_deref(), other.closed.as_deref()) {
        (Some(one), Some(other)) if one.len().saturating_mul(other.len()) <= MAX_PAIRS => {
            let pairs = one.iter().flat_map(|x| other.iter().map(move |y| (x, y)));
            let results: Option<Vec<Value>> =
                pairs.map(|(x, y)| compute(operation, x.as_f64()?, y.as_f64()?).map(simplify)).collect();
            results.map(|results| Fact::from_values(&results))
        }
        _ => None,
    };
    let exact = a.whole && b.whole && operation != Operation::Divide;
    let fact = match listed {
        Some(fact) => fact,
        None => operate_ranges(operation, one.range.as_ref()?, other.range.as_ref()?, if exact { 1.0 } else { 0.0 })?,
    };
    let known = Known::from_fact(fact);
    let whole = exact || is_whole(&known);
    Some(Kind { whole, ..Kind::new(Class::Number, known) })
}

/// `None` if the result is not finite.
fn compute(operation: Operation, a: f64, b: f64) -> Option<f64> {
    let made = match operation {
        Operation::Add => a + b,
        Operation::Subtract => a - b,
        Operation::Multiply => a * b,
        Operation::Divide => a / b,
        Operation::Remainder => a % b,
        Operation::Compare(_) => return None,
    };
    made.is_finite().then_some(made)
}

/// The range of the results; `step` is the smallest difference of two numbers. Its ends are results of range ends, because each operation but `mod` is monotonic in each side.
fn operate_ranges<'a>(operation: Operation, a: &(Value, Value), b: &(Value, Value), step: f64) -> Option<Fact<'a>> {
    let (a, b) = ((a.0.as_f64()?, a.1.as_f64()?), (b.0.as_f64()?, b.1.as_f64()?));
    if operation == Operation::Remainder {
        return bound_remainder(a, b, step);
    }
    if operation == Operation::Divide && b.0 <= 0.0 && b.1 >= 0.0 {
        return None;
    }
    let pairs = [(a.0, b.0), (a.0, b.1), (a.1, b.0), (a.1, b.1)];
    let corners: Vec<f64> = pairs.iter().map(|(x, y)| compute(operation, *x, *y)).collect::<Option<_>>()?;
    let (low, high) = (corners.iter().copied().reduce(f64::min)?, corners.iter().copied().reduce(f64::max)?);
    Some(Fact::from_range(simplify(low), simplify(high)))
}

/// `a mod b` has the sign of `a`, and is nearer to 0 than `b`.
fn bound_remainder<'a>(a: (f64, f64), b: (f64, f64), step: f64) -> Option<Fact<'a>> {
    if b.0 <= 0.0 && b.1 >= 0.0 {
        return None;
    }
    let most = b.0.abs().max(b.1.abs());
    // A remainder of other numbers than ints can be as near to the divisor as doubles are.
    let most = most - step;
    let (low, high) = (a.0.max(-most).min(0.0), a.1.min(most).max(0.0));
    Some(Fact::from_range(simplify(low), simplify(high)))
}

/// `floor`, `ceiling`, and `round`, which rise with their argument.
pub fn round<'a>(name: &str, values: &Values<'a>) -> Option<Values<'a>> {
    let call = |value: &Value| {
        let number = value.as_f64()?;
        Some(simplify(match name {
            "floor" => number.floor(),
            "ceiling" => number.ceil(),
            _ => round_half_up(number),
        }))
    };
    let kinds = values.kinds.iter().map(|kind| {
        if kind.class == Class::NotANumber {
            return Some(kind.clone());
        }
        let fact = match (&kind.known.fact.closed, &kind.known.fact.range) {
            (Some(values), _) if !values.is_empty() => {
                Fact::from_values(values.iter().map(call).collect::<Option<Vec<Value>>>()?)
            }
            (_, Some((low, high))) => Fact::from_range(call(low)?, call(high)?),
            _ => Fact::not_null(),
        };
        Some(Kind { whole: true, ..Kind::new(Class::Number, Known::from_fact(fact)) })
    });
    Some(Values::from_kinds(kinds.collect::<Option<_>>()?))
}
