//! `round format abs mod floor ceil least greatest to_int to_decimal`.

use std::cmp::Ordering;

use plan::{Decimal, Value};

use super::args::Args;
use crate::generate::eval::{Res, no_result, said};
use crate::generate::val::Val;

/// Rounded half away from zero; of a float, its shortest decimal form is rounded.
fn rounded(args: Args<'_>) -> Res<Option<Decimal>> {
    let (value, places) = (args.value(0)?, args.places(1)?);
    let result = match value.value() {
        Some(Value::Null) => return Ok(None),
        Some(Value::Float(value)) => Decimal::from_f64(*value, places),
        other => other.and_then(Value::as_decimal).and_then(|value| value.round(places)),
    };
    match result {
        Some(result) => Ok(Some(result)),
        None => no_result(format!("{} cannot be rounded to {places} places", said(&value))),
    }
}

/// `round(x, places)`: a decimal.
pub(super) fn round(args: Args<'_>) -> Res<Val<'_>> {
    Ok(rounded(args)?.map_or(Val::NULL, |value| Val::Own(Value::Decimal(value))))
}

/// `format(x, places)`: a text.
pub(super) fn format(args: Args<'_>) -> Res<Val<'_>> {
    Ok(rounded(args)?.map_or(Val::NULL, |value| Val::text(value.to_string())))
}

/// `abs(x)`
pub(super) fn abs(args: Args<'_>) -> Res<Val<'_>> {
    let value = args.value(0)?;
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
        None => no_result(format!("`abs` has no result for {}", said(&value))),
    }
}

/// `mod(a, b)`: the rest of the division rounded down; it has the sign of `b`.
pub(super) fn modulo(args: Args<'_>) -> Res<Val<'_>> {
    let (a, b) = (args.value(0)?, args.value(1)?);
    match (a.value(), b.value()) {
        (Some(Value::Null), _) | (_, Some(Value::Null)) => Ok(Val::NULL),
        (Some(Value::Int(_)), Some(Value::Int(0))) => no_result(format!("`mod` by zero: mod({}, 0)", a.render())),
        (Some(Value::Int(a)), Some(Value::Int(b))) => {
            // i64::MIN by -1 overflows as a division; its rest is 0.
            let rest = a.checked_rem(*b).unwrap_or(0);
            Ok(Val::int(if rest != 0 && (rest < 0) != (*b < 0) { rest + b } else { rest }))
        }
        _ => no_result(format!("`mod` needs two ints, not {} and {}", said(&a), said(&b))),
    }
}

/// The int next below (`up`: above), or the number itself.
fn whole(args: Args<'_>, up: bool) -> Res<Val<'_>> {
    let value = args.value(0)?;
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
        None => no_result(format!("`{}` has no int for {}", args.call.function, said(&value))),
    }
}

/// `floor(x)`
pub(super) fn floor(args: Args<'_>) -> Res<Val<'_>> {
    whole(args, false)
}

/// `ceil(x)`
pub(super) fn ceil(args: Args<'_>) -> Res<Val<'_>> {
    whole(args, true)
}

/// Of two values the one that is `wanted`; of equal ones the first.
fn one_of_two(args: Args<'_>, wanted: Ordering) -> Res<Val<'_>> {
    let (a, b) = (args.value(0)?, args.value(1)?);
    if a.is_null() || b.is_null() {
        return Ok(Val::NULL);
    }
    match b.compare(&a) {
        Some(order) => Ok(if order == wanted { b } else { a }),
        None => no_result(format!("{} and {} have no order", said(&a), said(&b))),
    }
}

/// `least(a, b)`
pub(super) fn least(args: Args<'_>) -> Res<Val<'_>> {
    one_of_two(args, Ordering::Less)
}

/// `greatest(a, b)`
pub(super) fn greatest(args: Args<'_>) -> Res<Val<'_>> {
    one_of_two(args, Ordering::Greater)
}

/// `to_int(x)`: digits, perhaps with a minus before them, and nothing else.
pub(super) fn to_int(args: Args<'_>) -> Res<Val<'_>> {
    let Some(value) = args.text(0)? else { return Ok(Val::NULL) };
    let text = value.as_text().unwrap_or_default();
    // Rust reads `+7` too.
    match text.parse().ok().filter(|_| !text.starts_with('+')) {
        Some(number) => Ok(Val::int(number)),
        None => no_result(format!(
            "`to_int` cannot read {} as an int: it takes digits, with or without `-` before them, of 64 bits at most",
            said(&value)
        )),
    }
}

/// `to_decimal(x, places)`: as a decimal is written; more places than asked for are no rounding but a mistake.
pub(super) fn to_decimal(args: Args<'_>) -> Res<Val<'_>> {
    let (value, places) = (args.text(0)?, args.places(1)?);
    let Some(value) = value else { return Ok(Val::NULL) };
    let read: Option<Decimal> = value.as_text().unwrap_or_default().parse().ok();
    match read.map(|number| number.rescale(places)) {
        Some(Some(number)) => Ok(Val::Own(Value::Decimal(number))),
        Some(None) => no_result(format!("`to_decimal` cannot write {} with {places} decimal places", said(&value))),
        None => no_result(format!(
            "`to_decimal` cannot read {} as a decimal: it takes digits with a point among them, as in \"-12.50\"",
            said(&value)
        )),
    }
}
