//! Patterns of numbers: a prefix, a body, and a suffix. The body is `0` or `#,##0` with any separator between groups, optionally followed by a point and zeros.
//! Two of them with `;` between are the forms of numbers from 0, and below 0: `0.00;(0.00)`.

use std::ops::Range;

use model::decimal::MAX_PLACES;
use model::numeral::{NumberError, Written, is_all_digits, is_grouped};
use model::{Decimal, Value};

use crate::affixes::Affixes;
use crate::cell_type::CellType;
use crate::misfit::Misfit;
use crate::pattern::error::{Dropped, PatternError, PatternErrorKind};
use crate::plain::convert_decimal;

/// Possible separators between groups of three digits.
const SIGNS: [char; 6] = [',', '.', '\'', ' ', '\u{A0}', '\u{202F}'];

/// The character between the forms of numbers from 0 and below 0.
const BETWEEN: char = ';';

/// The form of a number.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Number {
    /// The form of all numbers; with `below`, of those from 0.
    first: Section,
    /// The form of numbers below 0, which are written without their sign.
    below: Option<Section>,
    /// The factor of what is read, if it is not that of `%`.
    times: Option<Factor>,
}

/// What a written number is multiplied by.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Factor {
    by: Decimal,
    /// The power of ten in it: 3 for 1000 and 25000, -2 for 0.01.
    tens: i16,
}

/// The form of numbers of both signs, or of one.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Section {
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
    /// Parses one form, or two with `;` between.
    pub fn parse(source: &str) -> Result<Number, PatternError> {
        let mut parts = Vec::new();
        let mut at = 0;
        for part in source.split(BETWEEN) {
            parts.push((at, part));
            at += part.len() + BETWEEN.len_utf8();
        }
        let has_body = |(_, part): &&(usize, &str)| part.contains(is_of_body);
        match parts.as_slice() {
            // Without digits on both sides, it is a character like others.
            parts if parts.iter().filter(has_body).count() < 2 => {
                Ok(Number { first: Section::parse(source)?, below: None, times: None })
            }
            [(_, first), (start, below)] => {
                let own = Section::parse_part(source, 0, first)?;
                let below = Section::parse_part(source, *start, below)?;
                if (&own.prefix, &own.suffix) == (&below.prefix, &below.suffix) {
                    return Err(PatternError::new(PatternErrorKind::SameSections, *start..source.len()));
                }
                Ok(Number { first: own, below: Some(below), times: None })
            }
            [_, _, (start, _), ..] => Err(PatternError::new(PatternErrorKind::Sections, start - 1..source.len())),
            _ => Err(PatternError::new(PatternErrorKind::NoBody, 0..source.len())),
        }
    }

    /// Returns the same form, of a number that is multiplied by this factor above 0 when it is read. Then `%` is a letter.
    pub fn with_times(self, by: Decimal) -> Number {
        let mut units = by.units();
        let mut tens = -i16::from(by.places());
        while units != 0 && units % 10 == 0 {
            units /= 10;
            tens += 1;
        }
        Number { times: Some(Factor { by, tens }), ..self }
    }

    fn iter_sections(&self) -> impl Iterator<Item = &Section> {
        std::iter::once(&self.first).chain(&self.below)
    }

    /// Checks whether a written number is a hundred times the value.
    pub fn is_percent(&self) -> bool {
        self.times.is_none() && self.iter_sections().any(|section| section.percent)
    }

    pub fn times(&self) -> Option<Decimal> {
        self.times.map(|factor| factor.by)
    }

    /// Returns the text around the digits, of numbers from 0 and of those below 0.
    pub fn list_affixes(&self) -> Vec<Affixes<'_>> {
        self.iter_sections().map(|section| Affixes { before: &section.prefix, after: &section.suffix }).collect()
    }

    pub fn read(&self, text: &str, ty: CellType) -> Result<Value, Misfit> {
        let number = match &self.below {
            None => {
                let unsigned = text.strip_prefix('-').unwrap_or(text);
                let size = self.first.split_digits(unsigned);
                size.map(|size| Written { negative: unsigned.len() < text.len(), ..size })
            }
            Some(below) => self.first.split_digits(text).or_else(|| {
                let size = below.split_digits(text)?;
                Some(Written { negative: true, ..size })
            }),
        };
        let mut number = number.ok_or(Misfit::Unwritten)?;
        if let Some(factor) = self.times {
            number.exponent = 0;
            return factor.multiply(&number, ty);
        }
        if ty == CellType::Float {
            return number.to_float().map(Value::Float).ok_or(Misfit::TooLarge);
        }
        convert_decimal(ty, to_decimal(&number)?)
    }

    pub fn write(&self, value: Decimal, out: &mut String) -> Option<()> {
        let (section, value, is_signed) = match &self.below {
            Some(below) if value.units() < 0 => (below, value.checked_neg()?, false),
            Some(_) => (&self.first, value, false),
            None => (&self.first, value, true),
        };
        let value = match self.times {
            Some(factor) => value.divide_exactly(factor.by, section.places)?,
            None if section.percent => value.checked_mul(Decimal::from_int(100))?.with_places(section.places)?,
            None => value.with_places(section.places)?,
        };
        if is_signed && value.units() < 0 {
            out.push('-');
        }
        section.write_size(value, out);
        Some(())
    }

    pub fn check_writing(&self, ty: CellType, all: Range<usize>) -> Result<(), PatternError> {
        let error = |kind| Err(PatternError::new(kind, all.clone()));
        if ty == CellType::Float {
            return error(PatternErrorKind::OfFloat);
        }
        // Which numbers a form with a factor holds depends on them.
        let CellType::Decimal(Some(places)) = ty else { return Ok(()) };
        let lost = self.iter_sections().filter(|_| self.times.is_none()).find_map(|section| {
            let needed = places.saturating_sub(if section.percent { 2 } else { 0 });
            (section.places < needed).then_some(needed)
        });
        lost.map_or(Ok(()), |needed| error(PatternErrorKind::Drops(Dropped::Decimals { needed })))
    }
}

impl Factor {
    /// Multiplies a number that is read; the result has no more places than those that were written.
    fn multiply(self, number: &Written<'_>, ty: CellType) -> Result<Value, Misfit> {
        let read = match to_decimal(number) {
            Err(_) if ty == CellType::Float => {
                let float = number.to_float().map(|float| float * self.by.to_f64()).filter(|float| float.is_finite());
                return float.map(Value::Float).ok_or(Misfit::TooLarge);
            }
            read => read?,
        };
        let fits = read.units().checked_mul(self.by.units()).is_some();
        let lost = if fits { Misfit::Places(MAX_PLACES) } else { Misfit::TooLarge };
        let product = read.checked_mul(self.by).ok_or(lost)?;
        let places = u8::try_from((i16::from(read.places()) - self.tens).max(0)).ok();
        let product = places.and_then(|places| product.with_places(places)).unwrap_or(product);
        convert_decimal(ty, product)
    }
}

/// Returns the exact value of a number that is read.
fn to_decimal(number: &Written<'_>) -> Result<Decimal, Misfit> {
    number.to_decimal().map_err(|error| match error {
        NumberError::TooLarge => Misfit::TooLarge,
        NumberError::TooFine => Misfit::Places(MAX_PLACES),
    })
}

/// Checks for a character of a body, which text around it cannot have.
fn is_of_body(char: char) -> bool {
    matches!(char, '0'..='9' | '#')
}

impl Section {
    /// Parses the form at a place of a pattern with two.
    fn parse_part(source: &str, start: usize, part: &str) -> Result<Section, PatternError> {
        let (before, after) = (source.get(..start), source.get(start + part.len()..));
        let around = |inner: &str| [before.unwrap_or_default(), inner, after.unwrap_or_default()].concat();
        let inner = part.trim();
        if inner.len() < part.len() {
            let at = start..start + part.len();
            return Err(PatternError::new(PatternErrorKind::OuterBlank, at).with_suggestion(around(inner)));
        }
        // Below 0, a minus is a part of the text.
        let minus = if start > 0 { part.len() - part.trim_start_matches('-').len() } else { 0 };
        let (dashes, rest) = part.split_at_checked(minus).unwrap_or_default();
        let parsed = Section::parse(rest).map_err(|error| {
            let at = error.at.start + start + minus..error.at.end + start + minus;
            let shifted = PatternError::new(error.kind, at);
            match error.instead {
                Some(instead) => shifted.with_suggestion(around(&[dashes, &instead].concat())),
                None => shifted,
            }
        })?;
        Ok(Section { prefix: [dashes, &parsed.prefix].concat(), ..parsed })
    }

    fn parse(source: &str) -> Result<Section, PatternError> {
        let Some(start) = source.find(is_of_body) else {
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
        if suffix.contains(is_of_body) {
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
        Ok(Section { prefix: prefix.to_owned(), sign, point, places, suffix: suffix.to_owned(), percent })
    }

    /// Returns the digits of a text in this form, without a sign.
    fn split_digits<'t>(&self, unsigned: &'t str) -> Option<Written<'t>> {
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
            negative: false,
            whole,
            fraction,
            exponent: if self.percent { -2 } else { 0 },
            bare_point: false,
        })
    }

    /// Appends a number without its sign.
    fn write_size(&self, value: Decimal, out: &mut String) {
        let digits = value.to_digits();
        let (whole, fraction) = (digits.integer_part(), digits.fraction_part());
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
    let is_sign = |char: char| matches!(char, ',' | '.' | '\'');
    let mut runs: Vec<Range<usize>> = Vec::new();
    let mut at = 0;
    for run in source.split(|char| !is_of_body(char) && !is_sign(char)) {
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
    let has_body = runs.iter().any(|run| Section::parse(text(run)).is_ok());
    let outside = runs.iter().find(|run| is_outside(run) && Section::parse(text(run)).is_err());
    let outside = outside.or_else(|| runs.iter().rev().find(|run| touches_letters(run)));
    let at = outside.filter(|_| has_body)?.clone();
    Some(PatternError::new(PatternErrorKind::DigitOutside, at))
}

/// Builds the error for invalid digits at `start`, with the body that was probably meant.
fn report_bad_body(source: &str, start: usize) -> PatternError {
    let of_body = |char: char| is_of_body(char) || SIGNS.contains(&char);
    let rest = source.get(start..).unwrap_or_default();
    let length = rest.find(|char| !of_body(char)).unwrap_or(rest.len());
    let body = rest.get(..length).unwrap_or_default();
    let body = body.trim_end_matches(|char: char| !is_of_body(char));
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
