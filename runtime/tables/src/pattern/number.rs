//! Patterns of numbers: a prefix, a body, and a suffix. The body is `0` or `#,##0` with any separator between groups, optionally followed by a point and zeros.

use std::ops::Range;

use model::Decimal;
use model::decimal::MAX_PLACES;
use model::numeral::{NumberError, Written, is_all_digits, is_grouped};

use crate::affixes::Affixes;
use crate::cell_type::CellType;
use crate::misfit::Misfit;
use crate::pattern::error::{Dropped, PatternError, PatternErrorKind};
use crate::plain::convert_decimal;

/// Possible separators between groups of three digits.
const SIGNS: [char; 6] = [',', '.', '\'', ' ', '\u{A0}', '\u{202F}'];

/// The form of a number.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Number {
    prefix: String,
    /// The separator between groups of digits, if they are grouped.
    sign: Option<char>,
    point: char,
    /// Number of digits after the point in writing.
    places: u8,
    suffix: String,
    /// Whether the written number is multiplied by 100.
    percent: bool,
}

impl Number {
    /// Checks whether the written number is a hundred times the value.
    pub fn is_percent(&self) -> bool {
        self.percent
    }

    pub fn parse(source: &str) -> Result<Number, PatternError> {
        let is_body = |char: char| matches!(char, '0'..='9' | '#');
        let Some(start) = source.find(is_body) else {
            return Err(PatternError::new(PatternErrorKind::NoBody, 0..source.len()));
        };
        let (prefix, rest) = source.split_at(start);
        let (sign, length) = match parse_grouping(rest) {
            Some((sign, length)) => (Some(sign), length),
            None if rest.starts_with('0') => (None, 1),
            None => return Err(find_outside_digits(source).unwrap_or_else(|| report_bad_body(source, start))),
        };
        let after = rest.get(length..).unwrap_or_default();
        // A point that is not followed by a zero belongs to the suffix.
        let point = after.chars().next().filter(|char| matches!(char, '.' | ',') && Some(*char) != sign);
        let point = point.filter(|_| after.get(1..).is_some_and(|rest| rest.starts_with('0')));
        let (point, zeros) = match point {
            Some(point) => (point, after.bytes().skip(1).take_while(|byte| *byte == b'0').count()),
            None if sign == Some('.') => (',', 0),
            None => ('.', 0),
        };
        let end = start + length + if zeros > 0 { 1 + zeros } else { 0 };
        let suffix = source.get(end..).unwrap_or_default();
        if suffix.contains(is_body) {
            return Err(find_outside_digits(source).unwrap_or_else(|| report_bad_body(source, start)));
        }
        let places = u8::try_from(zeros).ok().filter(|places| *places <= MAX_PLACES);
        let places = places.ok_or_else(|| PatternError::new(PatternErrorKind::BadBody, start..end))?;
        for (offset, part) in [(0, prefix), (end, suffix)] {
            if let Some((at, quote)) = part.char_indices().find(|(_, char)| matches!(char, '\'' | '"')) {
                let at = offset + at;
                return Err(PatternError::new(PatternErrorKind::Forbidden(quote), at..at + 1));
            }
        }
        if prefix.starts_with('-') {
            return Err(
                PatternError::new(PatternErrorKind::Minus, 0..1).with_suggestion(source.get(1..).unwrap_or_default())
            );
        }
        let mut percents = source.match_indices('%').map(|(at, _)| at);
        let percent = percents.next().is_some();
        if let Some(at) = percents.next() {
            return Err(PatternError::new(PatternErrorKind::Percents, at..at + 1));
        }
        Ok(Number { prefix: prefix.to_owned(), sign, point, places, suffix: suffix.to_owned(), percent })
    }

    pub fn around(&self) -> Affixes<'_> {
        Affixes { before: &self.prefix, after: &self.suffix }
    }

    pub fn read(&self, text: &str, ty: CellType) -> Result<model::Value, Misfit> {
        let number = self.split_digits(text).ok_or(Misfit::Unwritten)?;
        if ty == CellType::Float {
            return number.to_float().map(model::Value::Float).ok_or(Misfit::TooLarge);
        }
        match number.to_decimal() {
            Ok(value) => convert_decimal(ty, value),
            Err(NumberError::TooLarge) => Err(Misfit::TooLarge),
            Err(NumberError::TooFine) => Err(Misfit::Places(MAX_PLACES)),
        }
    }

    /// Returns the digits of a text in this form.
    fn split_digits<'t>(&self, text: &'t str) -> Option<Written<'t>> {
        let unsigned = text.strip_prefix('-').unwrap_or(text);
        // Most numbers have neither prefix nor suffix, so the comparison is skipped.
        let body = if self.prefix.is_empty() { unsigned } else { unsigned.strip_prefix(self.prefix.as_str())? };
        let body = if self.suffix.is_empty() { body } else { body.strip_suffix(self.suffix.as_str())? };
        let (whole, fraction) = match body.split_once(self.point) {
            Some((_, "")) => return None,
            Some((whole, fraction)) => (whole, fraction),
            None => (body, ""),
        };
        let is_whole = is_all_digits(whole) || self.sign.is_some_and(|sign| is_grouped(whole, sign));
        if body.is_empty() || !is_whole || !is_all_digits(fraction) {
            return None;
        }
        Some(Written {
            negative: unsigned.len() < text.len(),
            whole,
            fraction,
            exponent: if self.percent { -2 } else { 0 },
            bare_point: false,
        })
    }

    pub fn write(&self, value: Decimal, out: &mut String) -> Option<()> {
        let value = if self.percent { value.checked_mul(Decimal::from_int(100))? } else { value };
        let value = value.with_places(self.places)?;
        let digits = value.to_digits();
        let (whole, fraction) = (digits.integer_part(), digits.fraction_part());
        if value.units() < 0 {
            out.push('-');
        }
        out.push_str(&self.prefix);
        match self.sign {
            None => out.push_str(whole),
            Some(sign) => {
                for (at, digit) in whole.chars().enumerate() {
                    if at > 0 && (whole.len() - at).is_multiple_of(3) {
                        out.push(sign);
                    }
                    out.push(digit);
                }
            }
        }
        if !fraction.is_empty() {
            out.push(self.point);
            out.push_str(fraction);
        }
        out.push_str(&self.suffix);
        Some(())
    }

    pub fn check_writing(&self, ty: CellType, all: Range<usize>) -> Result<(), PatternError> {
        let error = |kind| Err(PatternError::new(kind, all.clone()));
        let needed = match ty {
            CellType::Float => return error(PatternErrorKind::OfFloat),
            CellType::Decimal(Some(places)) => places.saturating_sub(if self.percent { 2 } else { 0 }),
            _ => 0,
        };
        if self.places < needed { error(PatternErrorKind::Drops(Dropped::Decimals { needed })) } else { Ok(()) }
    }
}

/// Parses `#,##0` at the start: returns the separator between groups, and the length.
fn parse_grouping(text: &str) -> Option<(char, usize)> {
    let rest = text.strip_prefix('#')?;
    let sign = rest.chars().next().filter(|char| SIGNS.contains(char))?;
    let rest = rest.strip_prefix(sign)?.strip_prefix("##0")?;
    Some((sign, text.len() - rest.len()))
}

/// Finds digits outside of the body, if the source has a body: that of `m2` in `0 m2`.
fn find_outside_digits(source: &str) -> Option<PatternError> {
    let is_digit = |char: char| matches!(char, '0'..='9' | '#');
    let is_sign = |char: char| matches!(char, ',' | '.' | '\'');
    let mut runs: Vec<Range<usize>> = Vec::new();
    let mut at = 0;
    for run in source.split(|char| !is_digit(char) && !is_sign(char)) {
        let start = at + run.len() - run.trim_start_matches(is_sign).len();
        let end = at + run.trim_end_matches(is_sign).len();
        // The part after it is one character, or the end.
        at += run.len() + source.get(at + run.len()..).and_then(|rest| rest.chars().next()).map_or(0, char::len_utf8);
        runs.extend((start < end).then_some(start..end));
    }
    if runs.len() < 2 {
        return None;
    }
    let text = |run: &Range<usize>| source.get(run.clone()).unwrap_or_default();
    let touches_letters = |run: &Range<usize>| {
        source.get(..run.start).is_some_and(|before| before.ends_with(char::is_alphabetic))
            || source.get(run.end..).is_some_and(|after| after.starts_with(char::is_alphabetic))
    };
    // An example such as `1,234` is meant as a body.
    let is_outside = |run: &Range<usize>| text(run).contains(|char| matches!(char, '1'..='9')) || touches_letters(run);
    let has_body = runs.iter().any(|run| Number::parse(text(run)).is_ok());
    let outside = runs.iter().find(|run| is_outside(run) && Number::parse(text(run)).is_err());
    let outside = outside.or_else(|| runs.iter().rev().find(|run| touches_letters(run)));
    let at = outside.filter(|_| has_body)?.clone();
    Some(PatternError::new(PatternErrorKind::DigitOutside, at))
}

/// Builds the error for invalid digits at `start`, with the body that was probably meant.
fn report_bad_body(source: &str, start: usize) -> PatternError {
    let of_body = |char: char| matches!(char, '0'..='9' | '#') || SIGNS.contains(&char);
    let rest = source.get(start..).unwrap_or_default();
    let length = rest.find(|char| !of_body(char)).unwrap_or(rest.len());
    let body = rest.get(..length).unwrap_or_default();
    let body = body.trim_end_matches(|char: char| !matches!(char, '0'..='9' | '#'));
    let end = start + body.len();
    let error = PatternError::new(PatternErrorKind::BadBody, start..end);
    // `1,234.50` and `#,###.##` are meant as `#,##0.00`.
    let marks: Vec<(usize, char)> = body.char_indices().filter(|(_, char)| SIGNS.contains(char)).collect();
    let after = |at: usize| body.get(at..).map_or(0, |tail| tail.chars().skip(1).count());
    let suggested = match marks.as_slice() {
        [] => Some("0".to_owned()),
        [(at, point @ ('.' | ','))] if after(*at) != 3 => Some(format!("0{point}{}", "0".repeat(after(*at)))),
        [(_, sign)] => Some(format!("#{sign}##0")),
        [first @ .., (at, point @ ('.' | ','))] if first.iter().all(|(_, sign)| sign != point) => {
            first.first().map(|(_, sign)| format!("#{sign}##0{point}{}", "0".repeat(after(*at))))
        }
        [(_, sign), rest @ ..] if rest.iter().all(|(_, other)| other == sign) => Some(format!("#{sign}##0")),
        _ => None,
    };
    match suggested {
        Some(body) => error.with_replacement(source, &body),
        None => error,
    }
}
