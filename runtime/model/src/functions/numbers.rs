//! Functions of numbers.

use std::cmp::Ordering;

use super::record::{Fraction, Keeps, Made, Record, Results, values};
use super::{Inputs, said};
use crate::val::Val;
use crate::{Decimal, Value};

functions! {
    ABS = Record { keeps: &[Keeps::Distance], fraction: Fraction::Kept, ..values("abs", abs) };
    CEIL = Record { keeps: &[Keeps::Rising], ..values("ceil", |inputs| whole(&inputs, true)) };
    FLOOR = Record { keeps: &[Keeps::Rising], ..values("floor", |inputs| whole(&inputs, false)) };
    FORMAT = Record { places: Some(1), ..values("format", format) };
    GREATEST = Record {
        keeps: &[Keeps::Rising, Keeps::Rising],
        fraction: Fraction::Kept,
        ..values("greatest", |inputs| one_of_two(inputs, Ordering::Greater))
    };
    LEAST = Record {
        keeps: &[Keeps::Rising, Keeps::Rising],
        fraction: Fraction::Kept,
        ..values("least", |inputs| one_of_two(inputs, Ordering::Less))
    };
    MOD = Record { divisor: Some(1), results: Results::Rest, ..values("mod", modulo) };
    ROUND = Record { keeps: &[Keeps::Rising], places: Some(1), fraction: Fraction::Rounded, ..values("round", round) };
    TO_DECIMAL = Record { places: Some(1), ..values("to_decimal", to_decimal) };
    TO_INT = values("to_int", to_int);
}

/// Rounded half away from zero; of a float, its shortest decimal form is rounded.
fn rounded(inputs: &Inputs<'_>) -> Result<Option<Decimal>, String> {
    let (value, places) = (inputs.value(0)?, inputs.places()?);
    let result = match value.value() {
        Some(Value::Null) => return Ok(None),
        Some(Value::Float(value)) => Decimal::from_f64(*value, places),
        other => other.and_then(Value::as_decimal).and_then(|value| value.round(places)),
    };
    match result {
        Some(result) => Ok(Some(result)),
        None => Err(format!("{} cannot be rounded to {places} places", said(value))),
    }
}

fn round(inputs: Inputs<'_>) -> Made<'_> {
    Ok(rounded(&inputs)?.map_or(Val::NULL, |value| Val::Own(Value::Decimal(value))))
}

fn format(inputs: Inputs<'_>) -> Made<'_> {
    Ok(rounded(&inputs)?.map_or(Val::NULL, |value| Val::text(value.to_string())))
}

fn abs(inputs: Inputs<'_>) -> Made<'_> {
    let value = inputs.value(0)?;
    let result = match value.value() {
        Some(Value::Null) => Some(Value::Null),
        Some(Value::Int(value)) => value.checked_abs().map(Value::Int),
        Some(Value::Decimal(value)) if value.units() < 0 => value.checked_neg().map(Value::Decimal),
        Some(Value::Decimal(value)) => Some(Value::Decimal(*value)),
        Some(Value::Float(value)) => Some(Value::Float(value.abs())),
        _ => None,
    };
    match result {
        Some(result) => Ok(Val::Own(result)),
        None => Err(format!("`abs` has no result for {}", said(value))),
    }
}

/// The rest of the division rounded down; it has the sign of the divisor.
fn modulo(inputs: Inputs<'_>) -> Made<'_> {
    let (a, b) = (inputs.value(0)?, inputs.value(1)?);
    match (a.value(), b.value()) {
        (Some(Value::Null), _) | (_, Some(Value::Null)) => Ok(Val::NULL),
        (Some(Value::Int(_)), Some(Value::Int(0))) => Err(format!("`mod` by zero: mod({}, 0)", a.render())),
        (Some(Value::Int(a)), Some(Value::Int(b))) => {
            // i64::MIN by -1 overflows as a division; its rest is 0.
            let rest = a.checked_rem(*b).unwrap_or(0);
            Ok(Val::int(if rest != 0 && (rest < 0) != (*b < 0) { rest + b } else { rest }))
        }
        _ => Err(format!("`mod` needs two ints, not {} and {}", said(a), said(b))),
    }
}

/// The int next below (`up`: above), or the number itself.
fn whole<'a>(inputs: &Inputs<'a>, up: bool) -> Made<'a> {
    let value = inputs.value(0)?;
    let towards = |value: Decimal| {
        let below = value.units().div_euclid(10i128.pow(u32::from(value.places())));
        i64::try_from(if up && !value.is_whole() { below + 1 } else { below }).ok()
    };
    let result = match value.value() {
        Some(Value::Null) => return Ok(Val::NULL),
        Some(Value::Int(value)) => Some(*value),
        Some(Value::Decimal(value)) => towards(*value),
        Some(Value::Float(value)) => {
            // All doubles this side of 2⁶³ are ints when they are whole.
            let whole = if up { libm::ceil(*value) } else { libm::floor(*value) };
            (-9_223_372_036_854_775_808.0..9_223_372_036_854_775_808.0).contains(&whole).then_some(whole as i64)
        }
        _ => None,
    };
    match result {
        Some(result) => Ok(Val::int(result)),
        None => Err(format!("`{}` has no int for {}", inputs.function, said(value))),
    }
}

/// Of two values the one that is `wanted`; of equal ones the first.
fn one_of_two(mut inputs: Inputs<'_>, wanted: Ordering) -> Made<'_> {
    let (a, b) = (inputs.take(0)?, inputs.take(1)?);
    if a.is_null() || b.is_null() {
        return Ok(Val::NULL);
    }
    match b.compare(&a) {
        Some(order) => Ok(if order == wanted { b } else { a }),
        None => Err(format!("{} and {} have no order", said(&a), said(&b))),
    }
}

/// Digits, perhaps with a minus before them, and nothing else.
fn to_int(inputs: Inputs<'_>) -> Made<'_> {
    let Some(text) = inputs.text(0)? else { return Ok(Val::NULL) };
    // Rust reads `+7` too.
    match text.parse().ok().filter(|_| !text.starts_with('+')) {
        Some(number) => Ok(Val::int(number)),
        None => Err(format!(
            "`to_int` cannot read {} as an int: it takes digits, with or without `-` before them, of 64 bits at most",
            said(inputs.value(0)?)
        )),
    }
}

/// As a decimal is written; more places than asked for are not rounded, but a mistake.
fn to_decimal(inputs: Inputs<'_>) -> Made<'_> {
    let (text, places) = (inputs.text(0)?, inputs.places()?);
    let Some(text) = text else { return Ok(Val::NULL) };
    let read: Option<Decimal> = text.parse().ok();
    let value = inputs.value(0)?;
    match read.map(|number| number.rescale(places)) {
        Some(Some(number)) => Ok(Val::Own(Value::Decimal(number))),
        Some(None) => Err(format!("`to_decimal` cannot write {} with {places} decimal places", said(value))),
        None => Err(format!(
            "`to_decimal` cannot read {} as a decimal: it takes digits with a point among them, as in \"-12.50\"",
            said(value)
        )),
    }
}
