//! An expected date or datetime, and how it is read in a reply.

use model::suite::Options;
use model::suite::matchers::{Reads, Record, Takes};
use model::{Date, DateTime, Value};
use tables::CellType;

use crate::read::day::{Day, read_day, read_iso_day};
use crate::told::ToldForms;

/// An expected date or datetime.
#[derive(Clone, Debug)]
pub struct Days {
    value: Expected,
    strings: Strings,
    told: ToldForms,
}

#[derive(Clone, Copy, Debug)]
enum Expected {
    Date(Date),
    Moment(DateTime),
}

/// How texts of a form with types, JSON or the result of a query, are read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Strings {
    /// By ISO 8601.
    Iso,
    /// As any other text.
    Any,
}

impl Days {
    /// Creates it from an expected value; `None` if that is not a date or datetime. In JSON and in databases, they are texts, which are dates if a form is
    /// told.
    pub fn new(value: &Value, options: &Options, record: &Record) -> Option<Days> {
        let has_texts = matches!(record.takes, Takes::Json | Takes::State);
        if !record.takes.has_days() && (!has_texts || options.written.is_empty()) {
            return None;
        }
        let value = match value {
            Value::Date(date) => Expected::Date(*date),
            Value::DateTime(moment) => Expected::Moment(*moment),
            Value::Text(text) if has_texts => match (Date::parse_iso(text), DateTime::parse_iso(text)) {
                (Some(date), _) => Expected::Date(date),
                (None, Some(moment)) => Expected::Moment(moment),
                (None, None) => return None,
            },
            _ => return None,
        };
        let ty = match value {
            Expected::Date(_) => CellType::Date,
            Expected::Moment(_) => CellType::DateTime,
        };
        let told = ToldForms::new(options, ty);
        // The cells of a query's result are texts in the database's own form.
        let strings = if record.reads == Reads::Query { Strings::Any } else { Strings::Iso };
        Some(Days { value, strings, told })
    }

    /// Whether a piece of text is this day.
    pub fn is_plain_right(&self, text: &str) -> bool {
        self.read_plain(text).is_some_and(|day| self.is_right(day))
    }

    /// Whether a text of JSON, or of a query's result, is this day.
    pub fn is_string_right(&self, text: &str) -> bool {
        self.read_string(text).is_some_and(|day| self.is_right(day))
    }

    fn is_right(&self, day: Day) -> bool {
        match self.value {
            Expected::Date(date) => day.is_date(date),
            Expected::Moment(moment) => day.moment == Some(moment),
        }
    }

    /// Returns the place of the expected day among days.
    pub fn place(&self) -> DateTime {
        match self.value {
            Expected::Date(date) => start_of(date),
            Expected::Moment(moment) => moment,
        }
    }

    /// Returns the place of a piece of text among days; equal days have equal places. `None` if it is not a day.
    pub fn place_plain(&self, text: &str) -> Option<DateTime> {
        self.read_plain(text).map(place_day)
    }

    /// Does the same for a text of JSON, or of a query's result.
    pub fn place_string(&self, text: &str) -> Option<DateTime> {
        self.read_string(text).map(place_day)
    }

    fn read_plain(&self, text: &str) -> Option<Day> {
        self.told.read_day(text).or_else(|| read_day(text))
    }

    fn read_string(&self, text: &str) -> Option<Day> {
        self.told.read_day(text).or_else(|| match self.strings {
            Strings::Iso => read_iso_day(text),
            Strings::Any => read_day(text),
        })
    }

    /// Whether both read texts in the same way.
    pub fn has_same_reading(&self, other: &Days) -> bool {
        self.strings == other.strings && self.told == other.told
    }
}

fn place_day(day: Day) -> DateTime {
    day.moment.unwrap_or_else(|| start_of(day.date))
}

fn start_of(date: Date) -> DateTime {
    DateTime(i64::from(date.0) * 86_400)
}
