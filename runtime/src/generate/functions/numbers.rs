//! `round format abs mod`.

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
