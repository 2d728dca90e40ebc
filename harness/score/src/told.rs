//! The forms of an answer that the author told: patterns of numbers and dates.

use model::Value;
use model::suite::{Options, Told};
use tables::{CellType, Pattern};

use crate::exact::Exact;
use crate::read::day::Day;

/// The told forms of a value, in the author's order. Patterns for values of another type are left out.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ToldForms(Vec<(Pattern, Option<Exact>)>);

impl ToldForms {
    /// Creates the forms of values of a type.
    pub fn new(options: &Options, ty: CellType) -> ToldForms {
        let form = |told: &Told| {
            let pattern = Pattern::parse(&told.pattern, ty).ok()?;
            // With a factor of its own, `%` is a letter.
            let exponent = if told.pattern.contains('%') { 2 } else { 0 };
            Some((pattern, told.times.map(|times| Exact::from_decimal(times).shift_exponent(exponent))))
        };
        ToldForms(options.written.iter().filter_map(form).collect())
    }

    /// Reads a number in the first form that fits.
    pub fn read_number(&self, text: &str) -> Option<Exact> {
        self.0.iter().find_map(|(pattern, times)| {
            let number = crate::exact::to_exact(&pattern.read(text).ok()?)?;
            Some(times.as_ref().map_or_else(|| number.clone(), |times| number.mul(times)))
        })
    }

    /// Reads a date or datetime in the first form that fits.
    pub fn read_day(&self, text: &str) -> Option<Day> {
        self.0.iter().find_map(|(pattern, _)| match pattern.read(text).ok()? {
            Value::Date(date) => Some(Day { date, moment: None }),
            Value::DateTime(moment) => Some(Day { date: moment.date(), moment: Some(moment) }),
            _ => None,
        })
    }
}
