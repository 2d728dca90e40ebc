//! Totals and extremes of the values at the nodes of a path, each with a function that renders its place for messages.

use std::cmp::Ordering;

use model::functions::{Extreme, Made, Question, Total, describe_value};
use model::{Span, Val, Value};

use super::args::Args;
use crate::generate::failures::{OrSpan, Res, fail_computation};

/// Computes the total or finds the extreme that is asked. `span` is the place of a total that does not exist, and `kinds` are the two
/// descriptions of the values that have an order.
pub(super) fn compute_quantity<'a, P: Fn() -> String>(
    args: Args<'a>,
    question: Question,
    values: impl Iterator<Item = Res<(P, Val<'a>)>>,
    kinds: [&str; 2],
    span: Span,
) -> Res<Val<'a>> {
    match question {
        Question::Sum => compute_total(args, values, Total::into_sum, span),
        Question::Avg => compute_total(args, values, Total::into_mean, span),
        Question::Max => find_extreme(args, values, Ordering::Greater, kinds),
        _ => find_extreme(args, values, Ordering::Less, kinds),
    }
}

/// Computes a total of the values that are not null.
fn compute_total<'a, P: Fn() -> String>(
    args: Args<'a>,
    values: impl Iterator<Item = Res<(P, Val<'a>)>>,
    result: fn(Total) -> Made<'static>,
    span: Span,
) -> Res<Val<'a>> {
    let mut total = Total::new(args.call.function.name);
    for value in values {
        let (place, value) = value?;
        if value.is_null() {
            continue;
        }
        if value.as_value().and_then(Value::as_f64).is_none() {
            return reject_value(args, place(), &value, "numbers");
        }
        total.add_value(&value).or_else(fail_computation).or_span(span)?;
    }
    result(total).or_else(fail_computation).or_span(span)
}

/// Finds the largest or smallest of the values that are not null.
fn find_extreme<'a, P: Fn() -> String>(
    args: Args<'a>,
    values: impl Iterator<Item = Res<(P, Val<'a>)>>,
    wanted: Ordering,
    kinds: [&str; 2],
) -> Res<Val<'a>> {
    let mut extreme = Extreme::new(wanted);
    let mut first: Option<Val<'_>> = None;
    for value in values {
        let (place, value) = value?;
        if value.is_null() {
            continue;
        }
        if matches!(value.as_value(), Some(Value::Bool(_) | Value::Duration(_) | Value::Object(_) | Value::List(_))) {
            return reject_value(args, place(), &value, kinds[0]);
        }
        if first.as_ref().is_some_and(|first| first.compare_with(&value).is_none()) {
            return reject_value(args, place(), &value, kinds[1]);
        }
        first.get_or_insert_with(|| value.clone());
        extreme.add_value(value);
    }
    Ok(extreme.into_value())
}

fn reject_value<T>(args: Args<'_>, place: String, value: &Val<'_>, needed: &str) -> Res<T> {
    let (function, value) = (args.call.function, describe_value(value));
    fail_computation(format!("`{function}` needs {needed}, but {value} is at `{place}`"))
}
