//! Arithmetic on facts: on all pairs of values if both sides are short lists, otherwise on the ends of their ranges.

use model::ops;
use model::suite::Op;
use model::{Decimal, Value};

use super::Fact;
use super::fact::{MAX_LISTED, widen_range};

/// The fact of `-a`.
pub fn negate_fact<'a>(a: &Fact<'a>) -> Fact<'a> {
    let negate = |value: &Value| ops::apply_neg(value).ok();
    if let Some(closed) = &a.closed {
        return Fact { nullable: a.nullable, ..Fact::from_values(closed.iter().filter_map(negate)) };
    }
    let ends = a.range.as_ref().and_then(|(low, high)| Some((negate(high)?, negate(low)?)));
    Fact::from_ends(ends).with_null_if(a.nullable)
}

/// The fact of `a op b` for `+ - * /`. Operations without a result fail the build, so they contribute nothing.
pub fn compute_arithmetic<'a>(op: Op, a: &Fact<'_>, b: &Fact<'_>) -> Fact<'a> {
    let nullable = a.nullable || b.nullable;
    if let (Some(left), Some(right)) = (&a.closed, &b.closed)
        && left.len().saturating_mul(right.len()) <= MAX_LISTED
    {
        let pairs = left.iter().flat_map(|x| right.iter().map(move |y| (x, y)));
        let made = Fact::from_values(pairs.filter_map(|(x, y)| ops::apply_binary(op, x, y).ok()));
        return Fact { nullable: made.nullable || nullable, ..made };
    }
    Fact::from_ends(combine_ranges(op, a, b)).with_null_if(nullable)
}

/// The range of the results for two ranges. Its ends are results of range ends, because each operation is monotonic in each side, and rounding to doubles
/// preserves the order.
fn combine_ranges(op: Op, a: &Fact<'_>, b: &Fact<'_>) -> Option<(Value, Value)> {
    let ((a_low, a_high), (b_low, b_high)) = (a.range.as_ref()?, b.range.as_ref()?);
    if op == Op::Div && !(is_positive(b_low) || is_positive(&ops::apply_neg(b_high).ok()?)) {
        return None;
    }
    // The length of a duration determines whether a date plus the duration is a date or a datetime.
    let moves = |value: &Value| matches!(value, Value::Duration(_));
    let day = |value: &Value| matches!(value, Value::Date(_));
    if (moves(b_low) && day(a_low) && b_low != b_high) || (moves(a_low) && day(b_low) && a_low != a_high) {
        return None;
    }
    let mut found: Option<(Value, Value)> = None;
    for (x, y) in [(a_low, b_low), (a_low, b_high), (a_high, b_low), (a_high, b_high)] {
        let corner = ops::apply_binary(op, x, y).ok()?;
        found = Some(match found {
            None => (corner.clone(), corner),
            Some(range) => widen_range(range, &corner)?,
        });
    }
    found
}

/// Whether a number is greater than 0.
fn is_positive(value: &Value) -> bool {
    value.compare_with(&Value::Int(0)).is_some_and(std::cmp::Ordering::is_gt)
}

/// The smallest and the largest sum of `least` to `most` exact numbers (ints or decimals) from a range. `None` if the range is not exact, or if a sum
/// overflows.
pub fn sum_range(range: &(Value, Value), least: u64, most: u64) -> Option<(Value, Value)> {
    let exact = |value: &Value| matches!(value, Value::Int(_) | Value::Decimal(_));
    let (low, high) = range;
    if !exact(low) || !exact(high) {
        return None;
    }
    let zero = Decimal::from_int(0);
    let times =
        |value: &Value, count: u64| ops::apply_binary(Op::Mul, value, &Value::Int(i64::try_from(count).ok()?)).ok();
    let low = times(low, if low.as_decimal()? < zero { most } else { least })?;
    let high = times(high, if high.as_decimal()? < zero { least } else { most })?;
    Some((low, high))
}
