//! The forms of an answer that the author told: patterns of numbers and dates.

use model::Value;
use model::suite::Options;
use tables::{CellType, Pattern};

use crate::exact::Exact;
use crate::read::day::Day;

/// The told forms of a value, in the author's order. Patterns for values of another type are left out.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ToldForms(Vec<Pattern>);

impl ToldForms {
    /// Creates the forms of values of a type.
    pub fn new(options: &Options, ty: CellType) -> ToldForms {
        ToldForms(options.written.iter().filter_map(|told| Pattern::parse_told(told, ty).ok()).collect())
    }

    /// Reads a number in the first form that fits.
    pub fn read_number(&self, text: &str) -> Option<Exact> {
        self.0.iter().find_map(|pattern| crate::exact::to_exact(&pattern.read(text).ok()?))
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
