//! A cell and what it says: its value by the type of its column.

use model::numeral::{self, NumberError};
use model::{Date, DateTime, Decimal, Val, Value};

use crate::pattern::Pattern;
use crate::raw::{Raw, trim_blanks};

/// As what the cells of a column are read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs)]
pub enum CellType {
    Int,
    /// With at most this many digits after the point; each cell with its own, where that is not told.
    Decimal(Option<u8>),
    Float,
    Date,
    DateTime,
    Bool,
    Text,
}

impl CellType {
    /// Its name in the author's words.
    pub fn name(self) -> &'static str {
        match self {
            CellType::Int => "int",
            CellType::Decimal(_) => "decimal",
            CellType::Float => "float",
            CellType::Date => "date",
            CellType::DateTime => "datetime",
            CellType::Bool => "bool",
            CellType::Text => "text",
        }
    }

    /// Whether its values are numbers.
    pub fn is_number(self) -> bool {
        matches!(self, CellType::Int | CellType::Decimal(_) | CellType::Float)
    }

    /// Whether its values are days or moments.
    pub fn is_calendar(self) -> bool {
        matches!(self, CellType::Date | CellType::DateTime)
    }
}

/// How the cells of a column are read.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Reading {
    /// As what.
    pub ty: CellType,
    /// What is null. Marks come before all else; without any, no cell of text is null.
    pub missing: Vec<String>,
    /// How values are written; if none is told, as the type is usually written.
    pub written: Vec<Pattern>,
}

/// Why a cell is not a value of its column's type.
#[derive(Clone, Debug, PartialEq)]
pub enum Misfit {
    /// It is empty, and the type is not text.
    Empty,
    /// It is not written as a value of the type is.
    Unreadable,
    /// It fits none of the column's patterns.
    Unwritten,
    /// A number that is too large for its type.
    TooLarge,
    /// More digits after the point than there may be: an int has none.
    Places(u8),
    /// It is a whole number if its point is one, and a thousand times that if its point groups digits: `15.000`, as an int.
    Grouped,
    /// Its currency is not that of an earlier cell, which has this sign.
    Currency(char),
    /// It names a day or a time that the calendar does not have, or a weekday that the day is not.
    NoSuchDay,
    /// A moment with a fraction of a second.
    Fraction,
    /// Two patterns of the column read it differently.
    TwoReadings {
        /// The index of one pattern.
        first: usize,
        /// The index of another.
        second: usize,
    },
}

impl Reading {
    /// Of this type, as it is usually written, and never null.
    pub fn from_type(ty: CellType) -> Reading {
        Reading { ty, missing: Vec::new(), written: Vec::new() }
    }

    /// The value of a cell. A value that a file itself types (a number of a workbook, `true` of JSON) is taken if the type has it; otherwise its
    /// text is read. What the reader does not understand is for the caller to tell.
    pub fn read(&self, cell: &Raw<'_>) -> Result<Value, Misfit> {
        self.read_val(cell).map(Val::into_value)
    }

    /// As [`Reading::read`]; a text is a part of the cell's.
    pub fn read_val<'c>(&self, cell: &'c Raw<'_>) -> Result<Val<'c>, Misfit> {
        match cell {
            Raw::Text(text) => self.read_part(text),
            Raw::Value(Value::Text(text)) => self.read_part(text),
            Raw::Value(Value::Null) => Ok(Val::NULL),
            Raw::Odd(odd) if !odd.cell.is_empty() && self.is_missing(&odd.cell) => Ok(Val::NULL),
            Raw::Odd(_) => Err(Misfit::Unreadable),
            Raw::Value(value) => {
                let text = value.render_text();
                if self.is_missing(&text) {
                    return Ok(Val::NULL);
                }
                match convert_typed(self.ty, value) {
                    Some(read) => read.map(Val::Own),
                    None => self.read_present(&text).map(|read| Val::Own(read.into_value())),
                }
            }
        }
    }

    /// The value of a cell of text.
    pub fn read_text(&self, cell: &str) -> Result<Value, Misfit> {
        self.read_part(cell).map(Val::into_value)
    }

    /// As [`Reading::read_text`]; a text is a part of the cell's.
    pub(crate) fn read_part<'c>(&self, cell: &'c str) -> Result<Val<'c>, Misfit> {
        if self.is_missing(cell) { Ok(Val::NULL) } else { self.read_present(cell) }
    }

    /// Whether a cell is null.
    pub fn is_missing(&self, cell: &str) -> bool {
        !self.missing.is_empty() && {
            let cell = trim_blanks(cell);
            self.missing.iter().any(|mark| trim_blanks(mark) == cell)
        }
    }

    fn read_present<'c>(&self, text: &'c str) -> Result<Val<'c>, Misfit> {
        match self.written.as_slice() {
            [] => read_plain(self.ty, text),
            [pattern] => pattern.read_val(text),
            patterns => read_by_one(patterns, text),
        }
    }
}

/// The value that all of the patterns that fit agree on.
fn read_by_one<'c>(patterns: &[Pattern], text: &'c str) -> Result<Val<'c>, Misfit> {
    let mut found: Option<(usize, Val<'c>)> = None;
    let mut reason = Misfit::Unwritten;
    for (second, pattern) in patterns.iter().enumerate() {
        // Any text is one as texts usually are: that says something only where no other pattern fits.
        if found.is_some() && pattern.is_any_text() {
            continue;
        }
        match pattern.read_val(text) {
            Ok(value) => match &found {
                Some((first, other)) if !other.is_same(&value) => {
                    return Err(Misfit::TwoReadings { first: *first, second });
                }
                // Of `1.50` and `1.5` the places that are written stay.
                Some(_) => {}
                None => found = Some((second, value)),
            },
            // A pattern that fits the text says more of it than one that does not.
            Err(misfit) if reason == Misfit::Unwritten => reason = misfit,
            Err(_) => {}
        }
    }
    found.map(|(_, value)| value).ok_or(reason)
}

/// The value of a text as its type is usually written.
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
        CellType::Date => Date::parse_iso(text).map(Value::Date).ok_or_else(|| classify_misread(text, 10)),
        CellType::DateTime => parse_datetime(text).map(Value::DateTime),
        CellType::Bool => parse_bool(text).map(Value::Bool).ok_or(Misfit::Unreadable),
        CellType::Text => return Ok(Val::from_text(text)),
    };
    read.map(Val::Own)
}

/// A moment. Its seconds may have a fraction that is zero.
fn parse_datetime(text: &str) -> Result<DateTime, Misfit> {
    let (whole, fraction) = match text.split_once('.') {
        Some((whole, digits)) if whole.len() == 19 && !digits.is_empty() => (whole, digits),
        _ => (text, "0"),
    };
    if !fraction.bytes().all(|byte| byte.is_ascii_digit()) {
        return Err(Misfit::Unreadable);
    }
    let moment = DateTime::parse_iso(whole).ok_or_else(|| classify_misread(whole, 19))?;
    if fraction.bytes().all(|byte| byte == b'0') { Ok(moment) } else { Err(Misfit::Fraction) }
}

/// Whether it is written as a day (or moment) and only the calendar does not have it.
fn classify_misread(text: &str, length: usize) -> Misfit {
    let shape = |text: &str, form: &str| {
        text.len() == form.len()
            && text.bytes().zip(form.bytes()).all(|(byte, form)| match form {
                b'0' => byte.is_ascii_digit(),
                b'T' => matches!(byte, b'T' | b' '),
                other => byte == other,
            })
    };
    let forms = ["0000-00-00", "0000-00-00T00:00", "0000-00-00T00:00:00"];
    let fits = forms.iter().any(|form| (form.len() == 10) == (length == 10) && shape(text, form));
    if fits { Misfit::NoSuchDay } else { Misfit::Unreadable }
}

fn parse_bool(text: &str) -> Option<bool> {
    match text {
        "1" => Some(true),
        "0" => Some(false),
        _ if text.eq_ignore_ascii_case("true") => Some(true),
        _ if text.eq_ignore_ascii_case("false") => Some(false),
        _ => None,
    }
}

fn parse_plain_number(ty: CellType, text: &str) -> Result<Value, Misfit> {
    // Most cells are this, and need no more.
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

/// Whether a whole number is one of groups of three digits if its point is between these: `15.000`, but not `15.00`, `0.000`, or `1,015.000`.
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

/// A decimal as a value of a type of numbers.
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

/// A value that the file itself types, as a value of the type; `None` if it is of another kind, so that its text must be read.
fn convert_typed(ty: CellType, value: &Value) -> Option<Result<Value, Misfit>> {
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
        // A workbook keeps a day as the moment at which it begins, and the other way round.
        (CellType::Date, Value::DateTime(moment)) if moment.time() == (0, 0, 0) => Some(Ok(Value::Date(moment.date()))),
        (CellType::DateTime, Value::Date(date)) => midnight(*date).map(Ok),
        _ => None,
    }
}
