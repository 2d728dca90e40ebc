//! SQLite's operators on numbers.

use model::Value;
use sql::terms::Operator;

use crate::facts::Fact;

/// The result of an operator on two values: null for a division by zero. `None` if it is not modelled, or if SQLite fails.
pub fn operate(operator: Operator, a: &Value, b: &Value) -> Option<Value> {
    if a.is_null() || b.is_null() {
        return Some(Value::Null);
    }
    if operator == Operator::Concatenate {
        let (a, b) = (super::functions::render_as_text(a)?, super::functions::render_as_text(b)?);
        return Some(Value::Text(format!("{a}{b}")));
    }
    match (super::functions::to_number(a)?, super::functions::to_number(b)?) {
        (Value::Int(a), Value::Int(b)) => operate_ints(operator, a, b),
        (a, b) => operate_doubles(operator, a.as_f64()?, b.as_f64()?),
    }
}

fn operate_ints(operator: Operator, a: i64, b: i64) -> Option<Value> {
    let known = match operator {
        Operator::Add => a.checked_add(b),
        Operator::Subtract => a.checked_sub(b),
        Operator::Multiply => a.checked_mul(b),
        Operator::Divide | Operator::Remainder if b == 0 => return Some(Value::Null),
        Operator::Divide => a.checked_div(b),
        Operator::Remainder => a.checked_rem(b),
        Operator::BitAnd => Some(a & b),
        Operator::BitOr => Some(a | b),
        Operator::ShiftLeft => u32::try_from(b).ok().filter(|by| *by < i64::BITS).map(|by| a.wrapping_shl(by)),
        Operator::ShiftRight => u32::try_from(b).ok().filter(|by| *by < i64::BITS).map(|by| a >> by),
        Operator::Concatenate => None,
    };
    // On overflow, SQLite goes on with doubles.
    known.map(Value::Int)
}

fn operate_doubles(operator: Operator, a: f64, b: f64) -> Option<Value> {
    let made = match operator {
        Operator::Add => a + b,
        Operator::Subtract => a - b,
        Operator::Multiply => a * b,
        Operator::Divide if b == 0.0 => return Some(Value::Null),
        Operator::Divide => a / b,
        _ => return None,
    };
    made.is_finite().then_some(Value::Float(made))
}

/// The range of the results for two ranges of numbers. Its ends are results of range ends, because each operation is monotonic in each side, and rounding to
/// doubles and to whole numbers preserves the order.
pub fn operate_ranges<'a>(operator: Operator, a: &Fact<'_>, b: &Fact<'_>) -> Option<Fact<'a>> {
    let ((a_low, a_high), (b_low, b_high)) = (a.range.as_ref()?, b.range.as_ref()?);
    if [a_low, a_high, b_low, b_high].iter().any(|end| matches!(end, Value::Text(_))) {
        return None;
    }
    match operator {
        Operator::Remainder => return bound_remainder((a_low, a_high), (b_low, b_high)),
        Operator::BitAnd | Operator::BitOr => return bound_bits(operator, (a_low, a_high), (b_low, b_high)),
        Operator::ShiftLeft | Operator::ShiftRight => return None,
        _ => {}
    }
    let (low, high) = (b_low.as_f64()?, b_high.as_f64()?);
    if operator == Operator::Divide && low <= 0.0 && high >= 0.0 {
        return bound_quotient((a_low, a_high), (b_low, b_high));
    }
    // An int and a double give results of different kinds, which are not ordered alike.
    let pairs = [(a_low, b_low), (a_low, b_high), (a_high, b_low), (a_high, b_high)];
    let corners: Vec<Value> = pairs.iter().map(|(x, y)| operate(operator, x, y)).collect::<Option<_>>()?;
    let made = Fact::from_values(&corners);
    let (low, high) = made.range?;
    Some(Fact::from_range(low, high))
}

/// `a / b` for an int `b`: it is 0 and the result null, or the result is not larger than `a`.
fn bound_quotient<'a>(a: (&Value, &Value), b: (&Value, &Value)) -> Option<Fact<'a>> {
    let (Value::Int(_), Value::Int(_)) = b else { return None };
    match a {
        (Value::Int(low), Value::Int(high)) => {
            let most = low.checked_abs()?.max(high.checked_abs()?);
            Some(Fact::from_range(Value::Int(-most), Value::Int(most)))
        }
        (Value::Float(low), Value::Float(high)) => {
            let most = low.abs().max(high.abs());
            most.is_finite().then(|| Fact::from_range(Value::Float(-most), Value::Float(most)))
        }
        _ => None,
    }
}

/// `a % b` of ints has the sign of `a`, and is less than `b`.
fn bound_remainder<'a>(a: (&Value, &Value), b: (&Value, &Value)) -> Option<Fact<'a>> {
    let ((Value::Int(a_low), Value::Int(a_high)), (Value::Int(b_low), Value::Int(b_high))) = (a, b) else {
        return None;
    };
    if *b_low <= 0 {
        return None;
    }
    let most = b_high.checked_sub(1)?;
    let (low, high) = ((*a_low).max(-most).min(0), (*a_high).min(most).max(0));
    Some(Fact::from_range(Value::Int(low), Value::Int(high)))
}

/// `a & b` and `a | b` of ints that are not negative.
fn bound_bits<'a>(operator: Operator, a: (&Value, &Value), b: (&Value, &Value)) -> Option<Fact<'a>> {
    let ((Value::Int(a_low @ 0..), Value::Int(a_high)), (Value::Int(b_low @ 0..), Value::Int(b_high))) = (a, b) else {
        return None;
    };
    let all_bits =
        |high: i64| (high | 1).checked_ilog2().and_then(|bits| 1_i64.checked_shl(bits + 1)).map(|bits| bits - 1);
    let (low, high) = match operator {
        Operator::BitAnd => (0, *a_high.min(b_high)),
        _ => (*a_low.max(b_low), all_bits(*a_high.max(b_high))?),
    };
    Some(Fact::from_range(Value::Int(low), Value::Int(high)))
}

/// `-a`
pub fn negate(value: &Value) -> Option<Value> {
    match value {
        Value::Null => Some(Value::Null),
        Value::Int(int) => int.checked_neg().map(Value::Int),
        Value::Float(double) => Some(Value::Float(-double)),
        _ => None,
    }
}
