//! Functions of dates and datetimes.

use super::record::{Keeps, Period, Record, Results, functions, values};
use super::{Inputs, Made};
use crate::val::Val;
use crate::{Date, DateTime, Value};

functions! {
    DATE = Record { total: true, keeps: &[Keeps::Rising], ..values("date", |inputs| extract_moment_part(&inputs, |at| Value::Date(at.date()))) };
    /// The day of the month.
    DAY = Record { total: true, keeps: &[Keeps::RisingWithin(Period::Month)], results: Results::Within(1, 31), ..values("day", |inputs| extract_day_part(&inputs, |day| day.to_ymd().2.into())) };
    /// The number of days from one date to another.
    DAYS_BETWEEN = Record { total: true, keeps: &[Keeps::Falling, Keeps::Rising], ..values("days_between", count_days_between) };
    HOUR = Record {
        total: true, keeps: &[Keeps::RisingWithin(Period::Day)],
        results: Results::Within(0, 23),
        ..values("hour", |inputs| extract_moment_part(&inputs, |at| Value::Int(at.time().0.into())))
    };
    MINUTE = Record {
        total: true, keeps: &[Keeps::RisingWithin(Period::Hour)],
        results: Results::Within(0, 59),
        ..values("minute", |inputs| extract_moment_part(&inputs, |at| Value::Int(at.time().1.into())))
    };
    /// The month.
    MONTH = Record {
        total: true, keeps: &[Keeps::RisingWithin(Period::Year)],
        results: Results::Within(1, 12),
        ..values("month", |inputs| extract_day_part(&inputs, |day| day.to_ymd().1.into()))
    };
    /// A duration in seconds.
    SECONDS = Record { length: Some(0), keeps: &[Keeps::Rising], ..values("seconds", count_seconds) };
    SECOND = Record {
        total: true, keeps: &[Keeps::RisingWithin(Period::Minute)],
        results: Results::Within(0, 59),
        ..values("second", |inputs| extract_moment_part(&inputs, |at| Value::Int(at.time().2.into())))
    };
    /// The day of the week: 1 is Monday.
    WEEKDAY = Record {
        total: true, keeps: &[Keeps::RisingWithin(Period::Week)],
        results: Results::Within(1, 7),
        ..values("weekday", |inputs| extract_day_part(&inputs, |day| day.weekday().into()))
    };
    /// The year.
    YEAR = Record { total: true, keeps: &[Keeps::Rising], ..values("year", |inputs| extract_day_part(&inputs, |day| day.to_ymd().0.into())) };
}

fn extract_day_part<'a>(inputs: &Inputs<'a>, part: fn(Date) -> i64) -> Made<'a> {
    match inputs.read_value(0)?.as_value() {
        Some(Value::Null) => Ok(Val::NULL),
        Some(Value::Date(day)) => Ok(Val::from_int(part(*day))),
        Some(Value::DateTime(at)) => Ok(Val::from_int(part(at.date()))),
        _ => inputs.report_misfit("a day or moment"),
    }
}

fn extract_moment_part<'a>(inputs: &Inputs<'a>, part: fn(DateTime) -> Value) -> Made<'a> {
    match inputs.read_value(0)?.as_value() {
        Some(Value::Null) => Ok(Val::NULL),
        Some(Value::DateTime(at)) => Ok(Val::Own(part(*at))),
        _ => inputs.report_misfit("a moment"),
    }
}

/// Counts the seconds of a duration without months.
fn count_seconds(inputs: Inputs<'_>) -> Made<'_> {
    match inputs.read_value(0)?.as_value() {
        Some(Value::Null) => Ok(Val::NULL),
        Some(Value::Duration(length)) if length.months == 0 => Ok(Val::from_int(length.seconds)),
        Some(Value::Duration(_)) => inputs.report_misfit("a duration without months, which differ in length,"),
        _ => inputs.report_misfit("a duration"),
    }
}

/// Counts the days from the first date to the second.
fn count_days_between(inputs: Inputs<'_>) -> Made<'_> {
    match (inputs.read_value(0)?.as_value(), inputs.read_value(1)?.as_value()) {
        (Some(Value::Null), _) | (_, Some(Value::Null)) => Ok(Val::NULL),
        (Some(Value::Date(a)), Some(Value::Date(b))) => Ok(Val::from_int(i64::from(b.0) - i64::from(a.0))),
        _ => inputs.report_misfit("two days"),
    }
}
