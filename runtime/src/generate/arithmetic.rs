//! `+ - * /` and the minus sign: ints and decimals exactly, floats where one is involved, days and durations.

use plan::suite::Op;
use plan::{DateTime, Duration, Value};

use super::eval::{Res, no_result, said};
use super::val::Val;

const DAY: i64 = 86_400;

/// `-a`; null of null.
pub(crate) fn negate(a: Val<'_>) -> Res<Val<'static>> {
    let negative = match a.value() {
        Some(Value::Null) => Some(Value::Null),
        Some(Value::Int(value)) => value.checked_neg().map(Value::Int),
        Some(Value::Decimal(value)) => value.checked_neg().map(Value::Decimal),
        Some(Value::Float(value)) => Some(Value::Float(-value)),
        Some(Value::Duration(value)) => value.checked_neg().map(Value::Duration),
        _ => None,
    };
    match negative {
        Some(value) => Ok(Val::Own(value)),
        None => no_result(format!("there is no negative of {}", said(&a))),
    }
}

/// `a op b` for `+ - * /`; null with null.
pub(crate) fn compute(op: Op, a: &Val<'_>, b: &Val<'_>) -> Res<Value> {
    if a.is_null() || b.is_null() {
        return Ok(Value::Null);
    }
    let (Some(left), Some(right)) = (a.value(), b.value()) else { return unable(op, a, b) };
    if op == Op::Div {
        return divide(left, right);
    }
    let value = match (left, right) {
        (Value::Int(x), Value::Int(y)) => match op {
            Op::Add => x.checked_add(*y),
            Op::Sub => x.checked_sub(*y),
            _ => x.checked_mul(*y),
        }
        .map(Value::Int),
        (Value::Int(_) | Value::Decimal(_), Value::Int(_) | Value::Decimal(_)) => {
            let (Some(x), Some(y)) = (left.as_decimal(), right.as_decimal()) else { return unable(op, a, b) };
            match op {
                Op::Add => x.checked_add(y),
                Op::Sub => x.checked_sub(y),
                _ => x.checked_mul(y),
            }
            .map(Value::Decimal)
        }
        (Value::Date(_) | Value::DateTime(_) | Value::Duration(_), _) | (_, Value::Date(_) | Value::DateTime(_) | Value::Duration(_)) => {
            return match calendar(op, left, right) {
                Some(Some(value)) => Ok(value),
                Some(None) => no_result(format!("{} leaves the calendar (years 1 to 9999)", operation(op, a, b))),
                None => unable(op, a, b),
            };
        }
        _ => {
            let (Some(x), Some(y)) = (left.as_f64(), right.as_f64()) else { return unable(op, a, b) };
            let result = match op {
                Op::Add => x + y,
                Op::Sub => x - y,
                _ => x * y,
            };
            result.is_finite().then_some(Value::Float(result))
        }
    };
    match value {
        Some(value) => Ok(value),
        None => no_result(format!("{} overflows {}", operation(op, a, b), limits(left, right))),
    }
}

fn divide(left: &Value, right: &Value) -> Res<Value> {
    let (a, b) = (Val::Ref(left), Val::Ref(right));
    let (Some(x), Some(y)) = (left.as_f64(), right.as_f64()) else { return unable(Op::Div, &a, &b) };
    if y == 0.0 {
        return no_result(format!("division by zero: {}", operation(Op::Div, &a, &b)));
    }
    let quotient = x / y;
    if quotient.is_finite() { Ok(Value::Float(quotient)) } else { no_result(format!("{} overflows", operation(Op::Div, &a, &b))) }
}

/// `None`: the types do not go together; `Some(None)`: no such day.
fn calendar(op: Op, left: &Value, right: &Value) -> Option<Option<Value>> {
    let sum = |a: &Duration, b: &Duration| {
        Some(Duration { months: a.months.checked_add(b.months)?, seconds: a.seconds.checked_add(b.seconds)? })
    };
    Some(match (op, left, right) {
        (Op::Sub, Value::Date(a), Value::Date(b)) => Some(Value::Int(i64::from(a.0) - i64::from(b.0))),
        (Op::Sub, Value::DateTime(a), Value::DateTime(b)) => Some(Value::Duration(Duration { months: 0, seconds: a.0 - b.0 })),
        (Op::Sub, Value::DateTime(a), Value::Date(b)) => {
            Some(Value::Duration(Duration { months: 0, seconds: a.0 - i64::from(b.0) * DAY }))
        }
        (Op::Add, Value::Date(day), Value::Duration(by)) | (Op::Add, Value::Duration(by), Value::Date(day)) => {
            day.checked_add(*by).map(Value::Date)
        }
        (Op::Sub, Value::Date(day), Value::Duration(by)) => by.checked_neg().and_then(|by| day.checked_add(by)).map(Value::Date),
        (Op::Add, Value::DateTime(at), Value::Duration(by)) | (Op::Add, Value::Duration(by), Value::DateTime(at)) => {
            moved(*at, Some(*by))
        }
        (Op::Sub, Value::DateTime(at), Value::Duration(by)) => moved(*at, by.checked_neg()),
        (Op::Add, Value::Duration(a), Value::Duration(b)) => sum(a, b).map(Value::Duration),
        (Op::Sub, Value::Duration(a), Value::Duration(b)) => b.checked_neg().and_then(|b| sum(a, &b)).map(Value::Duration),
        (Op::Mul, Value::Duration(a), Value::Int(n)) | (Op::Mul, Value::Int(n), Value::Duration(a)) => scaled(*a, *n),
        _ => return None,
    })
}

fn moved(at: DateTime, by: Option<Duration>) -> Option<Value> {
    // Longer than the calendar: the sum of seconds might not even fit.
    let by = by.filter(|by| by.seconds.unsigned_abs() < 1 << 40)?;
    at.checked_add(by).map(Value::DateTime)
}

fn scaled(a: Duration, n: i64) -> Option<Value> {
    let months = i32::try_from(i64::from(a.months).checked_mul(n)?).ok()?;
    Some(Value::Duration(Duration { months, seconds: a.seconds.checked_mul(n)? }))
}

fn unable<T>(op: Op, a: &Val<'_>, b: &Val<'_>) -> Res<T> {
    no_result(format!("{} cannot be computed", operation(op, a, b)))
}

fn operation(op: Op, a: &Val<'_>, b: &Val<'_>) -> String {
    let sign = match op {
        Op::Add => "+",
        Op::Sub => "-",
        Op::Mul => "*",
        _ => "/",
    };
    let plain = |value: &Val<'_>| match value.value() {
        Some(Value::Int(_) | Value::Decimal(_) | Value::Float(_) | Value::Date(_) | Value::DateTime(_)) => value.render().into_owned(),
        _ => said(value),
    };
    format!("{} {sign} {}", plain(a), plain(b))
}

fn limits(left: &Value, right: &Value) -> &'static str {
    match (left, right) {
        (Value::Int(_), Value::Int(_)) => "the 64 bits of an int",
        (Value::Float(_), _) | (_, Value::Float(_)) => "a float",
        _ => "the digits of a decimal (18 places, 38 in all)",
    }
}
