//! Cells, and their values by the type of their column.

use model::numeral::{self, NumberError};
use model::value::parse_bool_word;
use model::{Date, DateTime, Decimal, Val, Value};

use crate::pattern::Pattern;
use crate::raw::{Raw, trim_blanks};

/// The type as which the cells of a column are read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs)]
pub enum CellType {
    Int,
    /// At most this number of digits after the point; `None` keeps each cell's own.
    Decimal(Option<u8>),
    Float,
    Date,
    DateTime,
    Bool,
    Text,
}

impl CellType {
    /// Returns its name in the source.
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

    /// Returns the type with this name in the source; a decimal keeps the places of each cell.
    pub fn from_name(name: &str) -> Option<CellType> {
        use CellType::{Bool, Date, DateTime, Decimal, Float, Int, Text};
        [Int, Decimal(None), Float, Date, DateTime, Bool, Text].into_iter().find(|ty| ty.name() == name)
    }

    /// Checks whether its values are numbers.
    pub fn is_number(self) -> bool {
        matches!(self, CellType::Int | CellType::Decimal(_) | CellType::Float)
    }

    /// Checks whether its values are dates or datetimes.
    pub fn is_calendar(self) -> bool {
        matches!(self, CellType::Date | CellType::DateTime)
    }
}

/// The way in which the cells of a column are read.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Reading {
    /// The type.
    pub ty: CellType,
    /// The texts that represent null, which take precedence. Without any, no text cell is null.
    pub missing: Vec<String>,
    /// The patterns of values; if there are none, values have the usual form of the type.
    pub written: Vec<Pattern>,
}

/// The reason why a cell is not a value of its column's type.
#[derive(Clone, Debug, PartialEq)]
pub enum Misfit {
    /// It is empty, and the type is not text.
    Empty,
    /// It does not have the form of a value of the type.
    Unreadable,
    /// It matches none of the column's patterns.
    Unwritten,
    /// It is a number that is too large for its type.
    TooLarge,
    /// It has more digits after the point than allowed; an int allows none.
    Places(u8),
    /// It is `15.000`, as an int: a whole number if the point is a decimal point, or a thousand times that if it groups digits.
    Grouped,
    /// Its currency differs from that of an earlier cell, which has this sign.
    Currency(char),
    /// It names a date or time that does not exist in the calendar, or a weekday that does not match the date.
    NoSuchDay,
    /// It is a datetime with a fraction of a second.
    Fraction,
    /// Two patterns of the column read it differently.
    TwoReadings {
        /// Index of one pattern.
        first: usize,
        /// Index of the other.
        second: usize,
    },
}

impl Reading {
    /// Creates a reading of this type in its usual form, without null.
    pub fn from_type(ty: CellType) -> Reading {
        Reading { ty, missing: Vec::new(), written: Vec::new() }
    }

    /// Reads the value of a cell. A value with a type in the file (a number of a workbook, `true` of JSON) is used if it fits the type; otherwise its
    /// text is read. The caller must report cells that the reader of the format could not interpret.
    pub fn read(&self, cell: &Raw<'_>) -> Result<Value, Misfit> {
        self.read_val(cell).map(Val::into_value)
    }

    /// Does the same as [`Reading::read`], but borrows text from the cell.
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

    /// Reads the value of a text cell.
    ///
    /// ```
    /// use tables::{CellType, Misfit, Reading};
    ///
    /// let read = |ty, cell| Reading::from_type(ty).read_text(cell).map(|value| value.render_text().into_owned());
    /// assert_eq!(read(CellType::Int, " 1,200 ").as_deref(), Ok("1200"));
    /// assert_eq!(read(CellType::Decimal(Some(2)), "12.50").as_deref(), Ok("12.50"));
    /// assert_eq!(read(CellType::Decimal(Some(2)), "12.505"), Err(Misfit::Places(2)));
    /// assert_eq!(read(CellType::Date, "2024-02-30"), Err(Misfit::NoSuchDay));
    /// assert_eq!(read(CellType::Int, "many"), Err(Misfit::Unreadable));
    /// // An empty cell is null only where the column says so.
    /// assert_eq!(read(CellType::Int, ""), Err(Misfit::Empty));
    /// let marked = Reading { missing: vec!["".to_owned(), "n/a".to_owned()], ..Reading::from_type(CellType::Int) };
    /// assert_eq!((marked.read_text(""), marked.read_text("n/a")), (Ok(model::Value::Null), Ok(model::Value::Null)));
    /// ```
    pub fn read_text(&self, cell: &str) -> Result<Value, Misfit> {
        self.read_part(cell).map(Val::into_value)
    }

    /// Does the same as [`Reading::read_text`], but borrows text from the cell.
    pub(crate) fn read_part<'c>(&self, cell: &'c str) -> Result<Val<'c>, Misfit> {
        if self.is_missing(cell) { Ok(Val::NULL) } else { self.read_present(cell) }
    }

    /// Checks whether a cell is null.
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

/// Returns the value on which all matching patterns agree.
fn read_by_one<'c>(patterns: &[Pattern], text: &'c str) -> Result<Val<'c>, Misfit> {
    let mut found: Option<(usize, Val<'c>)> = None;
    let mut reason = Misfit::Unwritten;
    for (second, pattern) in patterns.iter().enumerate() {
        // Every text has the usual form of text; this pattern counts only if no other one matches.
        if found.is_some() && pattern.is_any_text() {
            continue;
        }
        match pattern.read_val(text) {
            Ok(value) => match &found {
                Some((first, other)) if !other.is_same(&value) => {
                    return Err(Misfit::TwoReadings { first: *first, second });
                }
                // If `1.50` and `1.5` are equal, the places of the first reading are kept.
                Some(_) => {}
                None => found = Some((second, value)),
            },
            // A pattern that matches the text explains the failure better than one that does not.
            Err(misfit) if reason == Misfit::Unwritten => reason = misfit,
            Err(_) => {}
        }
    }
    found.map(|(_, value)| value).ok_or(reason)
}

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
        // A workbook stores a date as the datetime at its midnight, and a datetime at midnight as a date.
        (CellType::Date, Value::DateTime(moment)) if moment.time() == (0, 0, 0) => Some(Ok(Value::Date(moment.date()))),
        (CellType::DateTime, Value::Date(date)) => midnight(*date).map(Ok),
        _ => None,
    }
}
