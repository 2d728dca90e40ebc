//! Functions of numbers.

use std::cmp::Ordering;

use super::record::{Fraction, Keeps, Record, Restates, Results, functions, values};
use super::{FunctionError, Inputs, Made, describe_value};
use crate::val::Val;
use crate::{Decimal, Value};

functions! {
    /// The distance from 0.
    ABS = Record { keeps: &[Keeps::Distance], fraction: Fraction::Kept, ..values("abs", compute_abs) };
    /// The least whole number that is not below a number.
    CEIL = Record {
        restates: Some(Restates::Rounded),
        keeps: &[Keeps::Rising],
        ..values("ceil", |inputs| round_to_whole(&inputs, Rounding::Up))
    };
    /// The greatest whole number that is not above a number.
    FLOOR = Record {
        restates: Some(Restates::Rounded),
        keeps: &[Keeps::Rising],
        ..values("floor", |inputs| round_to_whole(&inputs, Rounding::Down))
    };
    FORMAT = Record { restates: Some(Restates::Rounded), places: Some(1), ..values("format", format_number) };
    /// The greater of two values.
    GREATEST = Record {
        by_character: true, total: true,
        keeps: &[Keeps::Rising, Keeps::Rising],
        fraction: Fraction::Kept,
        ..values("greatest", |inputs| choose_of_two(inputs, Ordering::Greater))
    };
    /// The lesser of two values.
    LEAST = Record {
        by_character: true, total: true,
        keeps: &[Keeps::Rising, Keeps::Rising],
        fraction: Fraction::Kept,
        ..values("least", |inputs| choose_of_two(inputs, Ordering::Less))
    };
    /// The rest of a division.
    MOD = Record { divisor: Some(1), results: Results::Rest, ..values("mod", compute_modulo) };
    ROUND = Record {
        restates: Some(Restates::Rounded),
        keeps: &[Keeps::Rising],
        places: Some(1),
        fraction: Fraction::Rounded,
        ..values("round", round_number)
    };
    /// The decimal that a text is.
    TO_DECIMAL = Record { restates: Some(Restates::Converted), places: Some(1), ..values("to_decimal", to_decimal) };
    /// The int that a text or a number is.
    TO_INT = Record { restates: Some(Restates::Converted), ..values("to_int", to_int) };
}

/// Rounds half away from zero; a float is rounded in its shortest decimal form.
fn round_input(inputs: &Inputs<'_>) -> Result<Option<Decimal>, FunctionError> {
    let (value, places) = (inputs.read_value(0)?, inputs.read_places(1)?);
    let result = match value.as_value() {
        Some(Value::Null) => return Ok(None),
        Some(Value::Float(value)) => Decimal::from_f64(*value, places),
        other => other.and_then(Value::as_decimal).and_then(|value| value.round_to(places)),
    };
    let message = || format!("{} cannot be rounded to {places} places", describe_value(value));
    result.ok_or_else(|| FunctionError::new(message())).map(Some)
}

fn round_number(inputs: Inputs<'_>) -> Made<'_> {
    Ok(round_input(&inputs)?.map_or(Val::NULL, |value| Val::Own(Value::Decimal(value))))
}

fn format_number(inputs: Inputs<'_>) -> Made<'_> {
    Ok(round_input(&inputs)?.map_or(Val::NULL, |value| Val::from_text(value.to_string())))
}

fn compute_abs(inputs: Inputs<'_>) -> Made<'_> {
    let value = inputs.read_value(0)?;
    let result = match value.as_value() {
        Some(Value::Null) => Some(Value::Null),
        Some(Value::Int(value)) => value.checked_abs().map(Value::Int),
        Some(Value::Decimal(value)) if value.units() < 0 => value.checked_neg().map(Value::Decimal),
        Some(Value::Decimal(value)) => Some(Value::Decimal(*value)),
        Some(Value::Float(value)) => Some(Value::Float(value.abs())),
        _ => None,
    };
    let message = || format!("`{}` has no result for {}", inputs.function, describe_value(value));
    result.ok_or_else(|| FunctionError::new(message())).map(Val::Own)
}

/// Computes the remainder of the division rounded down, which has the sign of the divisor.
fn compute_modulo(inputs: Inputs<'_>) -> Made<'_> {
    let (a, b) = (inputs.read_value(0)?, inputs.read_value(1)?);
    match (a.as_value(), b.as_value()) {
        (Some(Value::Null), _) | (_, Some(Value::Null)) => Ok(Val::NULL),
        (Some(Value::Int(_)), Some(Value::Int(0))) => {
            Err(FunctionError::new(format!("`mod` by zero: mod({}, 0)", a.render_text())))
        }
        (Some(Value::Int(a)), Some(Value::Int(b))) => {
            // i64::MIN by -1 overflows as a division; its remainder is 0.
            let rest = a.checked_rem(*b).unwrap_or(0);
            Ok(Val::from_int(if rest != 0 && (rest < 0) != (*b < 0) { rest + b } else { rest }))
        }
        _ => {
            let needed = format!("two ints, not {} and {}", describe_value(a), describe_value(b));
            Err(FunctionError::from_need(inputs.function, needed))
        }
    }
}

/// The direction in which a number is rounded to an int.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Rounding {
    Up,
    Down,
}

/// Returns the next int in this direction, or the number itself.
fn round_to_whole<'a>(inputs: &Inputs<'a>, rounding: Rounding) -> Made<'a> {
    let value = inputs.read_value(0)?;
    let towards = |value: Decimal| {
        let below = value.units().div_euclid(10i128.pow(u32::from(value.places())));
        i64::try_from(if rounding == Rounding::Up && !value.is_whole() { below + 1 } else { below }).ok()
    };
    let result = match value.as_value() {
        Some(Value::Null) => return Ok(Val::NULL),
        Some(Value::Int(value)) => Some(*value),
        Some(Value::Decimal(value)) => towards(*value),
        Some(Value::Float(value)) => {
            // All whole doubles with a magnitude below 2⁶³ are ints.
            let whole = if rounding == Rounding::Up { libm::ceil(*value) } else { libm::floor(*value) };
            (-9_223_372_036_854_775_808.0..9_223_372_036_854_775_808.0).contains(&whole).then_some(whole as i64)
        }
        _ => None,
    };
    let message = || format!("`{}` has no int for {}", inputs.function, describe_value(value));
    result.ok_or_else(|| FunctionError::new(message())).map(Val::from_int)
}

/// Returns the smaller or larger of two values, as `wanted` says; the first one if they are equal.
fn choose_of_two(mut inputs: Inputs<'_>, wanted: Ordering) -> Made<'_> {
    let (a, b) = (inputs.take_value(0)?, inputs.take_value(1)?);
    if a.is_null() || b.is_null() {
        return Ok(Val::NULL);
    }
    match b.compare_with(&a) {
        Some(order) => Ok(if order == wanted { b } else { a }),
        None => Err(FunctionError::new(format!("{} and {} have no order", describe_value(&a), describe_value(&b)))),
    }
}

/// Parses digits with an optional minus, and nothing else.
fn to_int(inputs: Inputs<'_>) -> Made<'_> {
    let Some(text) = inputs.read_text(0)? else { return Ok(Val::NULL) };
    // Rust also parses `+7`.
    match text.parse().ok().filter(|_| !text.starts_with('+')) {
        Some(number) => Ok(Val::from_int(number)),
        None => {
            let text = describe_value(inputs.read_value(0)?);
            Err(FunctionError::new(format!(
                "`{}` cannot read {text} as an int: it takes digits, with or without `-` before them, of 64 bits at most",
                inputs.function
            )))
        }
    }
}

/// Parses a decimal in its written form; more places than requested are an error and are not rounded.
fn to_decimal(inputs: Inputs<'_>) -> Made<'_> {
    let (text, places) = (inputs.read_text(0)?, inputs.read_places(1)?);
    let Some(text) = text else { return Ok(Val::NULL) };
    let read: Option<Decimal> = text.parse().ok();
    let value = || inputs.read_value(0).map(describe_value);
    match read.map(|number| number.with_places(places)) {
        Some(Some(number)) => Ok(Val::Own(Value::Decimal(number))),
        Some(None) => {
            Err(FunctionError::new(format!("`to_decimal` cannot write {} with {places} decimal places", value()?)))
        }
        None => Err(FunctionError::new(format!(
            "`to_decimal` cannot read {} as a decimal: it takes digits with a point among them, as in \"-12.50\"",
            value()?
        ))),
    }
}
