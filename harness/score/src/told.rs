//! The forms of an answer that the author told: patterns of numbers and dates.

use model::Value;
use model::numeral::list_unit_names;
use model::suite::{Options, Told};
use tables::{CellType, Pattern};

use crate::exact::Exact;
use crate::read::day::Day;

/// The told forms of a value, in the author's order. Patterns for values of another type are left out.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ToldForms(Vec<Pattern>);

impl ToldForms {
    /// Creates the forms of values of a type. A day or month with two digits may also have one: these forms come last.
    pub fn new(options: &Options, ty: CellType) -> ToldForms {
        let parse = |told: &Told| Pattern::parse_told(told, ty).ok();
        let short = options.written.iter().filter_map(shorten_days).filter(|_| ty.is_calendar());
        ToldForms(options.written.iter().filter_map(parse).chain(short.filter_map(|told| parse(&told))).collect())
    }

    /// Reads a number in the first form that fits.
    pub fn read_number(&self, text: &str) -> Option<Exact> {
        if self.0.is_empty() {
            return None;
        }
        let read = |text: &str| self.0.iter().find_map(|form| crate::exact::to_exact(&form.read(text).ok()?));
        read(text).or_else(|| read(&rewrite_signs(text)?))
    }

    /// Reads a number in the first form that fits, also with the name of a currency among the units next to it: `$(5.00)`, `(5.00 USD)`.
    pub fn read_amount(&self, text: &str, units: &[String]) -> Option<Exact> {
        let names = units.iter().filter_map(|unit| list_unit_names(unit)).flatten().filter(|name| **name != "%");
        let without = |name: &&str| self.read_number(&trim_brackets(&remove_name(text, name)?));
        let trimmed = || self.read_number(&trim_brackets(text));
        self.read_number(text).or_else(trimmed).or_else(|| names.filter(|_| !self.0.is_empty()).find_map(without))
    }

    /// Reads a date or datetime in the first form that fits.
    pub fn read_day(&self, text: &str) -> Option<Day> {
        self.0.iter().find_map(|pattern| match pattern.read(text).ok()? {
            Value::Date(date) => Some(Day { date, moment: None }),
            Value::DateTime(moment) => Some(Day { date: moment.date(), moment: Some(moment) }),
            _ => None,
        })
    }
}

/// Returns a form of dates with one digit for days and months below 10; `None` for one that is the same, or in which digits follow each other.
fn shorten_days(told: &Told) -> Option<Told> {
    let pattern = &told.pattern;
    let is_joined = |(a, b): (char, char)| a != b && a.is_ascii_alphabetic() && b.is_ascii_alphabetic();
    if pattern.chars().zip(pattern.chars().skip(1)).any(is_joined) || pattern.contains("MMM") {
        return None;
    }
    let short = pattern.replace("dd", "d").replace("MM", "M");
    (short != *pattern).then(|| Told { pattern: short, ..told.clone() })
}

/// Removes the only occurrence of a name, with the blanks around it; `None` without one, or if it is a part of a word.
fn remove_name(text: &str, name: &str) -> Option<String> {
    let (before, after) = text.split_once(name).filter(|(_, after)| !after.contains(name))?;
    let is_word = name.starts_with(|char: char| char.is_alphabetic());
    let is_part = before.ends_with(char::is_alphabetic) || after.starts_with(char::is_alphabetic);
    (!(is_word && is_part)).then(|| [before.trim_end(), after.trim_start()].concat())
}

/// Removes blanks inside of brackets at the ends.
fn trim_brackets(text: &str) -> String {
    match text.strip_prefix('(').and_then(|inner| inner.strip_suffix(')')) {
        Some(inner) => format!("({})", inner.trim()),
        None => text.to_owned(),
    }
}

/// Writes a number with `-` for the minus of typography, without a plus and a final period, and with `%` directly after it; `None` if that is the same.
fn rewrite_signs(text: &str) -> Option<String> {
    let unsigned = text.strip_prefix('+').unwrap_or(text);
    let unsigned = unsigned.strip_suffix('.').unwrap_or(unsigned);
    let percent = ["%", "percent", "per cent"].iter().find_map(|word| unsigned.strip_suffix(word));
    let (number, percent) = match percent {
        Some(number) => (number.trim_end(), "%"),
        None => (unsigned, ""),
    };
    let written = number.replacen('\u{2212}', "-", 1) + percent;
    (written != text).then_some(written)
}
