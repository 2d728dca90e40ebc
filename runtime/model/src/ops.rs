//! The effect of operators on values, shared by the compiler's constants and the runtime.
//!
//! The logic has three values, as in SQL. A comparison with null is null, and so is arithmetic; a literal `null` asks whether something *is* null,
//! which the caller evaluates with [`Value::is_null`]. `false and null` is false, `true or null` is true, and all other uses of `and`, `or`, and
//! [`not`](apply_not) with null are null. A null condition is not met ([`is_true`]). Ints stay ints; an int with a decimal is a decimal; `/` always
//! returns a float.

use crate::suite::Op;
use crate::{Date, DateTime, Decimal, Duration, Value};

/// Maximum number of items of a concatenated list; more are a mistake that would exhaust the machine's memory.
const MAX_ITEMS: usize = 10_000_000;

/// The reason why an operation has no result.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum OpError {
    /// The result does not fit its type.
    Overflow,
    /// The divisor is zero.
    DivisionByZero,
    /// The values' types do not fit together (`check` rejects this where it can).
    Types,
}

/// Computes `a op b` for two evaluated operands. (Evaluators skip the right side of `and` and `or` if the left side decides.)
///
/// ```
/// use model::ops::{OpError, apply_binary};
/// use model::suite::Op;
/// use model::{Date, Duration, Value};
///
/// let int = Value::Int;
/// // Division always gives a float, and ints do not wrap around.
/// assert_eq!(apply_binary(Op::Div, &int(7), &int(2)), Ok(Value::Float(3.5)));
/// assert_eq!(apply_binary(Op::Div, &int(7), &int(0)), Err(OpError::DivisionByZero));
/// assert_eq!(apply_binary(Op::Add, &int(i64::MAX), &int(1)), Err(OpError::Overflow));
/// assert_eq!(apply_binary(Op::Add, &int(1), &Value::from_text("1")), Err(OpError::Types));
/// // A date plus days is a date; with hours, it is a datetime.
/// let date = Value::Date(Date::new(2024, 3, 1).unwrap());
/// let later = |duration| apply_binary(Op::Add, &date, &Value::Duration(duration)).unwrap().render_text().into_owned();
/// assert_eq!(later(Duration::from_days(14)), "2024-03-15");
/// assert_eq!(later(Duration { months: 0, seconds: 5_400 }), "2024-03-01T01:30:00");
/// // A duration divided by another one is a number; months have no length.
/// let hours = |hours: i64| Value::Duration(Duration { months: 0, seconds: hours * 3_600 });
/// assert_eq!(apply_binary(Op::Div, &hours(3), &hours(2)), Ok(Value::Float(1.5)));
/// assert_eq!(apply_binary(Op::Div, &hours(3), &Value::Duration(Duration { months: 1, seconds: 0 })), Err(OpError::Types));
/// // Null is contagious.
/// assert_eq!(apply_binary(Op::Eq, &Value::Null, &Value::Null), Ok(Value::Null));
/// ```
pub fn apply_binary(op: Op, a: &Value, b: &Value) -> Result<Value, OpError> {
    match op {
        Op::And => Ok(apply_and(a, b)),
        Op::Or => Ok(apply_or(a, b)),
        _ if a.is_null() || b.is_null() => Ok(Value::Null),
        Op::Eq => Ok(Value::Bool(a.is_same(b))),
        Op::Ne => Ok(Value::Bool(!a.is_same(b))),
        Op::Lt | Op::Le | Op::Gt | Op::Ge => Ok(Value::Bool(a.compare_with(b).is_some_and(|order| match op {
            Op::Lt => order.is_lt(),
            Op::Le => order.is_le(),
            Op::Gt => order.is_gt(),
            _ => order.is_ge(),
        }))),
        Op::In | Op::NotIn => match b {
            Value::List(items) => Ok(Value::Bool(items.iter().any(|item| item.is_same(a)) == (op == Op::In))),
            _ => Err(OpError::Types),
        },
        Op::Div => divide_floats(a, b),
        Op::Add | Op::Sub | Op::Mul => apply_arithmetic(op, a, b),
    }
}

/// Checks whether a condition is met: by true, but not by false or null.
pub fn is_true(value: &Value) -> bool {
    matches!(value, Value::Bool(true))
}

/// Computes `not value`; null stays null.
pub fn apply_not(value: &Value) -> Value {
    if value.is_null() { Value::Null } else { Value::Bool(!is_true(value)) }
}

/// Computes `a and b`: false if one is false, otherwise null if one is null.
///
/// ```
/// use model::Value;
/// use model::ops::{apply_and, apply_not, apply_or};
///
/// let (yes, no, null) = (Value::Bool(true), Value::Bool(false), Value::Null);
/// // Null is "not known": it matters only where the other side does not decide.
/// assert_eq!((apply_and(&no, &null), apply_and(&yes, &null)), (no.clone(), null.clone()));
/// assert_eq!((apply_or(&yes, &null), apply_or(&no, &null)), (yes.clone(), null.clone()));
/// assert_eq!(apply_not(&null), null);
/// ```
pub fn apply_and(a: &Value, b: &Value) -> Value {
    apply_not(&apply_or(&apply_not(a), &apply_not(b)))
}

/// Computes `a or b`: true if one is true, otherwise null if one is null.
pub fn apply_or(a: &Value, b: &Value) -> Value {
    if is_true(a) || is_true(b) {
        return Value::Bool(true);
    }
    if a.is_null() || b.is_null() { Value::Null } else { Value::Bool(false) }
}

/// Computes `-a`.
pub fn apply_neg(value: &Value) -> Result<Value, OpError> {
    match value {
        Value::Null => Ok(Value::Null),
        Value::Int(value) => value.checked_neg().map(Value::Int).ok_or(OpError::Overflow),
        Value::Decimal(value) => value.checked_neg().map(Value::Decimal).ok_or(OpError::Overflow),
        Value::Float(value) => Ok(Value::Float(-value)),
        Value::Duration(value) => value.checked_neg().map(Value::Duration).ok_or(OpError::Overflow),
        _ => Err(OpError::Types),
    }
}

fn divide_floats(a: &Value, b: &Value) -> Result<Value, OpError> {
    if let (Value::Duration(a), Value::Duration(b)) = (a, b) {
        // Months differ in length.
        return match (a.months, b.months, b.seconds) {
            (0, 0, 0) => Err(OpError::DivisionByZero),
            (0, 0, seconds) => check_finite(a.seconds as f64 / seconds as f64),
            _ => Err(OpError::Types),
        };
    }
    let (a, b) = (a.as_f64().ok_or(OpError::Types)?, b.as_f64().ok_or(OpError::Types)?);
    if b == 0.0 { Err(OpError::DivisionByZero) } else { check_finite(a / b) }
}

fn apply_arithmetic(op: Op, a: &Value, b: &Value) -> Result<Value, OpError> {
    match (a, b) {
        (Value::Int(a), Value::Int(b)) => match op {
            Op::Add => a.checked_add(*b),
            Op::Sub => a.checked_sub(*b),
            _ => a.checked_mul(*b),
        }
        .map(Value::Int)
        .ok_or(OpError::Overflow),
        (Value::Date(a), Value::Date(b)) if op == Op::Sub => Ok(Value::Int(i64::from(a.0) - i64::from(b.0))),
        (Value::DateTime(a), Value::DateTime(b)) if op == Op::Sub => {
            Ok(Value::Duration(Duration { months: 0, seconds: a.0 - b.0 }))
        }
        (Value::DateTime(a), Value::Date(b)) if op == Op::Sub => {
            Ok(Value::Duration(Duration { months: 0, seconds: a.0 - i64::from(b.0) * 86_400 }))
        }
        (Value::Date(date), Value::Duration(by)) => shift_date(*date, op, *by),
        (Value::DateTime(at), Value::Duration(by)) => shift_moment(*at, op, *by),
        (Value::Duration(by), Value::Date(date)) if op == Op::Add => shift_date(*date, op, *by),
        (Value::Duration(by), Value::DateTime(at)) if op == Op::Add => shift_moment(*at, op, *by),
        (Value::Duration(a), Value::Duration(b)) => {
            let b = if op == Op::Sub { b.checked_neg().ok_or(OpError::Overflow)? } else { *b };
            if op == Op::Mul {
                return Err(OpError::Types);
            }
            let months = a.months.checked_add(b.months).ok_or(OpError::Overflow)?;
            let seconds = a.seconds.checked_add(b.seconds).ok_or(OpError::Overflow)?;
            Ok(Value::Duration(Duration { months, seconds }))
        }
        (Value::Duration(by), Value::Int(times)) | (Value::Int(times), Value::Duration(by)) if op == Op::Mul => {
            let months = i64::from(by.months).checked_mul(*times).and_then(|months| i32::try_from(months).ok());
            let seconds = by.seconds.checked_mul(*times);
            match (months, seconds) {
                (Some(months), Some(seconds)) => Ok(Value::Duration(Duration { months, seconds })),
                _ => Err(OpError::Overflow),
            }
        }
        (Value::Text(a), Value::Text(b)) if op == Op::Add => Ok(Value::Text(format!("{a}{b}"))),
        (Value::List(a), Value::List(b)) if op == Op::Add && a.len() + b.len() > MAX_ITEMS => Err(OpError::Overflow),
        (Value::List(a), Value::List(b)) if op == Op::Add => Ok(Value::List(a.iter().chain(b).cloned().collect())),
        (Value::Float(_), _) | (_, Value::Float(_)) => {
            let (a, b) = (a.as_f64().ok_or(OpError::Types)?, b.as_f64().ok_or(OpError::Types)?);
            check_finite(match op {
                Op::Add => a + b,
                Op::Sub => a - b,
                _ => a * b,
            })
        }
        _ => {
            let (a, b) = (a.as_decimal().ok_or(OpError::Types)?, b.as_decimal().ok_or(OpError::Types)?);
            apply_decimal(op, a, b).map(Value::Decimal).ok_or(OpError::Overflow)
        }
    }
}

fn apply_decimal(op: Op, a: Decimal, b: Decimal) -> Option<Decimal> {
    match op {
        Op::Add => a.checked_add(b),
        Op::Sub => a.checked_sub(b),
        _ => a.checked_mul(b),
    }
}

fn shift_date(date: Date, op: Op, by: Duration) -> Result<Value, OpError> {
    let by = apply_sign(op, by)?;
    // A date plus hours is a datetime.
    if by.seconds % 86_400 != 0 {
        let midnight = DateTime::new(date, 0, 0, 0).ok_or(OpError::Overflow)?;
        return midnight.checked_add(by).map(Value::DateTime).ok_or(OpError::Overflow);
    }
    date.checked_add(by).map(Value::Date).ok_or(OpError::Overflow)
}

fn shift_moment(at: DateTime, op: Op, by: Duration) -> Result<Value, OpError> {
    at.checked_add(apply_sign(op, by)?).map(Value::DateTime).ok_or(OpError::Overflow)
}

fn apply_sign(op: Op, by: Duration) -> Result<Duration, OpError> {
    match op {
        Op::Add => Ok(by),
        Op::Sub => by.checked_neg().ok_or(OpError::Overflow),
        _ => Err(OpError::Types),
    }
}

fn check_finite(value: f64) -> Result<Value, OpError> {
    if value.is_finite() { Ok(Value::Float(value)) } else { Err(OpError::Overflow) }
}
