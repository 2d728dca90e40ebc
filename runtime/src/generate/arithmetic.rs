//! `+ - * /` and negation, computed by [`model::ops`], which the compiler uses for constants; failures become messages.

use model::functions::describe_value;
use model::ops::{self, OpError};
use model::suite::Op;
use model::{Val, Value};

use super::failures::{Res, fail_computation};

/// Computes `-a`; null if `a` is null.
pub(crate) fn negate_value(a: Val<'_>) -> Res<Val<'static>> {
    match a.as_value().map(ops::apply_neg) {
        Some(Ok(value)) => Ok(Val::Own(value)),
        _ => fail_computation(format!("{} cannot be negated", describe_value(&a))),
    }
}

/// Computes `a op b` for `+ - * /`; null if an operand is null.
pub(crate) fn compute_binary(op: Op, a: &Val<'_>, b: &Val<'_>) -> Res<Value> {
    if a.is_null() || b.is_null() {
        return Ok(Value::Null);
    }
    let computed = match (a.as_value(), b.as_value()) {
        (Some(left), Some(right)) => ops::apply_binary(op, left, right).map_err(|error| match error {
            OpError::DivisionByZero => format!("division by zero: {}", render_operation(op, a, b)),
            OpError::Types => format!("{} cannot be computed", render_operation(op, a, b)),
            OpError::Overflow => format!("{} {}", render_operation(op, a, b), describe_limit(left, right)),
        }),
        _ => Err(format!("{} cannot be computed", render_operation(op, a, b))),
    };
    computed.or_else(fail_computation)
}

fn render_operation(op: Op, a: &Val<'_>, b: &Val<'_>) -> String {
    let sign = op.word();
    let plain = |value: &Val<'_>| match value.as_value() {
        Some(Value::Int(_) | Value::Decimal(_) | Value::Float(_) | Value::Date(_) | Value::DateTime(_)) => {
            value.render_text().into_owned()
        }
        _ => describe_value(value),
    };
    format!("{} {sign} {}", plain(a), plain(b))
}

/// Describes the limit that a result exceeded.
fn describe_limit(left: &Value, right: &Value) -> &'static str {
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
