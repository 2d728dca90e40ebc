//! The conversions of XPath: the text and the number that a value is.

use model::{Decimal, Value};

use super::values::{Class, Kind, Values, read_number};
use hir::facts::Fact;
use hir::terms::{Extent, Known, Texts, match_regex};

/// The numbers that values are converted to.
pub struct Numbers<'a> {
    /// The numbers. `None` if no value is one.
    pub known: Option<Known<'a>>,
    /// Whether some value may not be a number.
    pub may_fail: bool,
}

/// What XPath reads as a number.
const NUMBER: &str = r"[ \t\r\n]*-?([0-9]+(\.[0-9]*)?|\.[0-9]+)[ \t\r\n]*";

/// The numbers of a kind. `None` if nothing is known of them.
pub fn to_numbers<'a>(kind: &Kind<'a>) -> Option<Numbers<'a>> {
    let none = Some(Numbers { known: None, may_fail: true });
    match kind.class {
        Class::Number => Some(Numbers { known: Some(kind.known.clone()), may_fail: false }),
        Class::Bool | Class::NotANumber => none,
        Class::Text if kind.of_time => none,
        Class::Text => match kind.known.fact.closed.as_ref().filter(|values| !values.is_empty()) {
            Some(values) => {
                let numbers: Vec<Option<f64>> =
                    values.iter().map(|value| value.as_text().and_then(read_number)).collect();
                let may_fail = numbers.iter().any(Option::is_none);
                let numbers: Vec<Value> = numbers.into_iter().flatten().map(simplify).collect();
                let known = (!numbers.is_empty()).then(|| Known::from_fact(Fact::from_values(&numbers)));
                Some(Numbers { known, may_fail })
            }
            None => {
                let (may_be, may_fail) = match_regex(&kind.known.to_texts()?, NUMBER, Extent::Whole)?;
                Some(Numbers { known: may_be.then(|| Known::from_fact(Fact::not_null())), may_fail })
            }
        },
        Class::Null | Class::Compound => None,
    }
}

/// The maximum number of decimals of a range that are written one by one.
const MAX_DECIMALS: i128 = 5_000;

/// A number as an int, if it is whole.
pub fn simplify(number: f64) -> Value {
    let whole = number.fract() == 0.0 && number.abs() < 1e15;
    if whole { Value::Int(number as i64) } else { Value::Float(number) }
}

/// The texts as which the values of a kind are written. `None` if they are not known.
pub fn write_kind<'a>(kind: &Kind<'a>) -> Option<Known<'a>> {
    match kind.class {
        Class::Text => Some(kind.known.clone()),
        Class::Bool => {
            let words = kind.known.fact.closed.as_deref().filter(|values| !values.is_empty());
            let words: Vec<Value> = match words {
                Some(values) => values.iter().map(|value| Value::from_text(value.render_text())).collect(),
                None => ["true", "false"].map(Value::from_text).to_vec(),
            };
            Some(Known::from_fact(Fact::from_values(&words)))
        }
        Class::Number if kind.whole => {
            let values = kind.known.fact.closed.as_ref().filter(|values| !values.is_empty())?;
            let written = values.iter().map(|value| Value::from_text(value.render_text()));
            Some(Known::from_fact(Fact::from_values(written)))
        }
        Class::NotANumber => Some(Known::from_fact(Fact::from_value(&Value::from_text("NaN")))),
        Class::Number => write_decimals(&kind.known.fact, kind.places?),
        Class::Null | Class::Compound => None,
    }
}

/// Decimals as they are written, if there are few.
fn write_decimals<'a>(fact: &Fact<'_>, places: u8) -> Option<Known<'a>> {
    let decimal = |value: &Value| value.as_f64().and_then(|number| Decimal::from_f64(number, places));
    let texts: Vec<Value> = match (&fact.closed, &fact.range) {
        (Some(values), _) if !values.is_empty() => {
            values.iter().map(|value| Some(Value::Text(decimal(value)?.to_string()))).collect::<Option<_>>()?
        }
        (_, Some((low, high))) => {
            let (low, high) = (decimal(low)?.units(), decimal(high)?.units());
            if high.checked_sub(low)? > MAX_DECIMALS {
                return write_long_range((low, high), places);
            }
            (low..=high)
                .map(|units| Some(Value::Text(Decimal::new(units, places)?.to_string())))
                .collect::<Option<_>>()?
        }
        _ => return None,
    };
    Some(Known::from_fact(Fact::from_values(texts)))
}

/// The form of decimals of 0 or more: the digits before the point, and those after it.
fn write_long_range<'a>((low, high): (i128, i128), places: u8) -> Option<Known<'a>> {
    const DIGITS: &[(char, char)] = &[('0', '9')];
    const POINT: &[(char, char)] = &[('.', '.')];
    let of = |ranges, least, most| Texts::Of { ranges, least, most };
    let whole = |units: i128| units.checked_div(10_i128.checked_pow(u32::from(places))?);
    let count = |units: i128| Some(whole(units)?.checked_ilog10().map_or(1, |power| power as usize + 1));
    let places = usize::from(places);
    if low < 0 || places == 0 {
        return None;
    }
    let parts = vec![of(DIGITS, count(low)?, count(high)?), of(POINT, 1, 1), of(DIGITS, places, places)];
    Some(Known { texts: Some(Texts::Joined(parts)), ..Known::from_fact(Fact::not_null()) })
}

/// The texts of a value: that of the first node, empty without one. `None` if they are not known.
pub fn to_text<'a>(values: &Values<'a>) -> Option<Known<'a>> {
    let written: Vec<Known<'a>> = values.kinds.iter().map(write_kind).collect::<Option<_>>()?;
    let empty = values.absent.then(|| Known::from_fact(Fact::from_value(&Value::from_text(""))));
    written.into_iter().chain(empty).reduce(|all, next| all.join_known(&next))
}

/// The numbers of a value. `None` if nothing is known of them.
pub fn to_number<'a>(values: &Values<'a>) -> Option<Values<'a>> {
    let mut kinds = Vec::new();
    let mut may_fail = values.absent;
    for kind in &values.kinds {
        let numbers = to_numbers(kind)?;
        may_fail |= numbers.may_fail;
        kinds.extend(numbers.known.map(|known| {
            let whole = kind.whole || is_whole(&known);
            Kind { whole, places: kind.places, ..Kind::new(Class::Number, known) }
        }));
    }
    if may_fail {
        kinds.push(Kind::new(Class::NotANumber, Known::from_fact(Fact::not_null())));
    }
    Some(Values::from_kinds(kinds))
}

/// Whether all values are listed, and ints.
pub fn is_whole(known: &Known<'_>) -> bool {
    let values = known.fact.closed.as_deref();
    values.is_some_and(|values| values.iter().all(|value| matches!(value, Value::Int(_))))
}
