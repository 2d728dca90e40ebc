//! Values of cells that no pattern describes: texts in the usual form of a type, and values that have a type in their file.

use model::numeral::{self, NumberError};
use model::value::parse_bool_word;
use model::{Date, DateTime, Decimal, Val, Value};

use crate::cell_type::CellType;
use crate::misfit::Misfit;
use crate::raw::trim_blanks;

/// Reads a text in the usual form of its type.
pub(crate) fn read_plain(ty: CellType, text: &str) -> Result<Val<'_>, Misfit> {
    if ty == CellType::Text {
        return Ok(Val::from_text(text));
    }
    let text = trim_blanks(text);
    if text.is_empty() {
        return Err(Misfit::Empty);
    }
    let read = match ty {
        CellType::Int | CellType::Decimal(_) | CellType::Float => parse_plain_number(ty, text),
        CellType::Date => Date::parse_iso(text).map(Value::Date).ok_or_else(|| classify_misread(text, &["0000-00-00"])),
        CellType::DateTime => parse_datetime(text).map(Value::DateTime),
        CellType::Bool => parse_bool(text).map(Value::Bool).ok_or(Misfit::Unreadable),
        CellType::Text => return Ok(Val::from_text(text)),
    };
    read.map(Val::Own)
}

/// Parses a datetime. Its seconds may have a fraction of zero.
fn parse_datetime(text: &str) -> Result<DateTime, Misfit> {
    let (whole, fraction) = match text.split_once('.') {
        Some((whole, digits)) if whole.len() == 19 && !digits.is_empty() => (whole, digits),
        _ => (text, "0"),
    };
    if !fraction.bytes().all(|byte| byte.is_ascii_digit()) {
        return Err(Misfit::Unreadable);
    }
    const FORMS: &[&str] = &["0000-00-00T00:00", "0000-00-00T00:00:00"];
    let moment = DateTime::parse_iso(whole).ok_or_else(|| classify_misread(whole, FORMS))?;
    if fraction.bytes().all(|byte| byte == b'0') { Ok(moment) } else { Err(Misfit::Fraction) }
}

/// Distinguishes a date (or datetime) that does not exist in the calendar from text in another form.
fn classify_misread(text: &str, forms: &[&str]) -> Misfit {
    let fits = forms.iter().any(|form| model::calendar::has_form(text, form));
    if fits { Misfit::NoSuchDay } else { Misfit::Unreadable }
}

fn parse_bool(text: &str) -> Option<bool> {
    match text {
        "1" => Some(true),
        "0" => Some(false),
        _ => parse_bool_word(text),
    }
}

fn parse_plain_number(ty: CellType, text: &str) -> Result<Value, Misfit> {
    // Most cells are plain ints, which need no further checks.
    if ty == CellType::Int
        && let Ok(value) = text.parse()
    {
        return Ok(Value::Int(value));
    }
    let number = numeral::parse_plain(text).ok_or(Misfit::Unreadable)?;
    if ty == CellType::Float {
        return number.to_float().map(Value::Float).ok_or(Misfit::TooLarge);
    }
    match number.to_decimal() {
        Ok(_) if ty == CellType::Int && may_be_grouped(&number) => Err(Misfit::Grouped),
        Ok(value) => convert_decimal(ty, value),
        Err(NumberError::TooLarge) => Err(Misfit::TooLarge),
        Err(NumberError::TooFine) => Err(Misfit::Places(find_max_places(ty))),
    }
}

/// Checks whether a whole number would also be valid with its point between groups of three digits: `15.000`, but not `15.00`, `0.000`, or `1,015.000`.
fn may_be_grouped(number: &numeral::Written<'_>) -> bool {
    number.fraction == "000"
        && number.exponent == 0
        && (1..=3).contains(&number.whole.len())
        && !number.whole.starts_with('0')
}

fn find_max_places(ty: CellType) -> u8 {
    match ty {
        CellType::Int => 0,
        CellType::Decimal(Some(places)) => places,
        _ => model::decimal::MAX_PLACES,
    }
}

/// Converts a decimal to a numeric type.
pub(crate) fn convert_decimal(ty: CellType, value: Decimal) -> Result<Value, Misfit> {
    match ty {
        CellType::Int if !value.is_whole() => Err(Misfit::Places(0)),
        CellType::Int => value.to_int().map(Value::Int).ok_or(Misfit::TooLarge),
        CellType::Decimal(None) => Ok(Value::Decimal(value)),
        CellType::Decimal(Some(places)) => match value.with_places(places) {
            Some(value) => Ok(Value::Decimal(value)),
            None if places < value.places() => Err(Misfit::Places(places)),
            None => Err(Misfit::TooLarge),
        },
        CellType::Float => {
            let value = value.to_f64();
            if value.is_finite() { Ok(Value::Float(value)) } else { Err(Misfit::TooLarge) }
        }
        _ => Err(Misfit::Unreadable),
    }
}

/// Converts a value with a type in the file to this type; `None` if it is of another kind, in which case its text must be read.
pub(crate) fn convert_typed(ty: CellType, value: &Value) -> Option<Result<Value, Misfit>> {
    let midnight = |date: Date| DateTime::new(date, 0, 0, 0).map(Value::DateTime);
    match (ty, value) {
        (CellType::Float, Value::Int(_) | Value::Decimal(_) | Value::Float(_)) => {
            value.as_f64().map(|value| Ok(Value::Float(value)))
        }
        (CellType::Int | CellType::Decimal(_), Value::Int(_) | Value::Decimal(_)) => {
            value.as_decimal().map(|value| convert_decimal(ty, value))
        }
        (CellType::Int | CellType::Decimal(_), Value::Float(value)) => {
            Some(parse_plain_number(ty, &model::value::render_float(*value)))
        }
        (CellType::Bool, Value::Bool(_))
        | (CellType::Date, Value::Date(_))
        | (CellType::DateTime, Value::DateTime(_)) => Some(Ok(value.clone())),
        // A workbook stores a date as the datetime at its midnight, and a datetime at midnight as a date.
        (CellType::Date, Value::DateTime(moment)) if moment.time() == (0, 0, 0) => Some(Ok(Value::Date(moment.date()))),
        (CellType::DateTime, Value::Date(date)) => midnight(*date).map(Ok),
        _ => None,
    }
}
