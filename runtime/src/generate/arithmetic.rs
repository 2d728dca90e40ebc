//! `+ - * /` and the minus sign: computed by [`model::ops`], as the compiler computes constants; failures in words.

use model::functions::said;
use model::ops::{self, OpError};
use model::suite::Op;
use model::{Val, Value};

use super::eval::{Res, no_result};

/// `-a`; null of null.
pub(crate) fn negate(a: Val<'_>) -> Res<Val<'static>> {
    match a.value().map(ops::negate) {
        Some(Ok(value)) => Ok(Val::Own(value)),
        _ => no_result(format!("{} cannot be negated", said(&a))),
    }
}

/// `a op b` for `+ - * /`; null with null.
pub(crate) fn compute(op: Op, a: &Val<'_>, b: &Val<'_>) -> Res<Value> {
    if a.is_null() || b.is_null() {
        return Ok(Value::Null);
    }
    let (Some(left), Some(right)) = (a.value(), b.value()) else {
        return no_result(format!("{} cannot be computed", operation(op, a, b)));
    };
    match ops::binary(op, left, right) {
        Ok(value) => Ok(value),
        Err(OpError::DivisionByZero) => no_result(format!("division by zero: {}", operation(op, a, b))),
        Err(OpError::Types) => no_result(format!("{} cannot be computed", operation(op, a, b))),
        Err(OpError::Overflow) => no_result(format!("{} {}", operation(op, a, b), limits(left, right))),
    }
}

fn operation(op: Op, a: &Val<'_>, b: &Val<'_>) -> String {
    let sign = op.word();
    let plain = |value: &Val<'_>| match value.value() {
        Some(Value::Int(_) | Value::Decimal(_) | Value::Float(_) | Value::Date(_) | Value::DateTime(_)) => {
            value.render().into_owned()
        }
        _ => said(value),
    };
    format!("{} {sign} {}", plain(a), plain(b))
}

/// What was left, in words.
fn limits(left: &Value, right: &Value) -> &'static str {
    let calendar = |value: &Value| matches!(value, Value::Date(_) | Value::DateTime(_));
    match (left, right) {
        (Value::Int(_), Value::Int(_)) => "overflows the 64 bits of an int",
        (Value::List(_), _) => "is a list of more than ten million items",
        (Value::Float(_), _) | (_, Value::Float(_)) => "overflows a float",
        _ if calendar(left) || calendar(right) => "leaves the calendar (years 1 to 9999)",
        (Value::Duration(_), _) | (_, Value::Duration(_)) => "overflows a duration",
        _ => "overflows the digits of a decimal (18 places, 38 in all)",
    }
}
