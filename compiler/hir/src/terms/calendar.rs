//! Date functions on ranges of days and moments: each day, or each time of day, is computed on its own.

use model::{Date, DateTime, Value};

use super::known::Known;
use super::strftime::{Depends, find_dependence};
use super::{functions, moments};
use crate::facts::Fact;

/// The maximum number of days that are computed one by one.
const MAX_DAYS: i64 = 25_000;

const DAY: i64 = 86_400;

/// A range of moments, and whether their times of day are always 0.
#[derive(Clone, Copy)]
struct Span {
    low: DateTime,
    high: DateTime,
    of_days: bool,
}

/// What a date function returns for a range of days or moments. `constants` are the arguments after the moment, and `format` that before it.
pub fn call_on_range<'a>(
    name: &str,
    format: Option<&str>,
    moment: &Known<'a>,
    modifiers: &[Value],
) -> Option<Known<'a>> {
    let span = match (moment.days, moment.moments) {
        (Some((low, high)), _) => Span { low: start_of(low), high: start_of(high), of_days: true },
        (None, Some((low, high))) => Span { low, high, of_days: false },
        (None, None) => return None,
    };
    let depends = match name {
        "strftime" => find_dependence(format?)?,
        "date" => Depends::Day,
        "time" => Depends::Time(1),
        "datetime" | "julianday" | "unixepoch" => Depends::Moment,
        _ => return None,
    };
    let call = |moment: DateTime| {
        let given = format.map(Value::from_text).into_iter().chain([Value::from_text(moment.to_string())]);
        functions::call(name, &given.chain(modifiers.iter().cloned()).collect::<Vec<_>>())
    };
    let fact = match depends {
        _ if span.of_days => compute_days(span, call)?,
        Depends::Day if moments::keep_time(modifiers) => compute_days(span, call)?,
        Depends::Time(step) if modifiers.is_empty() => compute_times(span, step, call)?,
        Depends::Moment if modifiers.is_empty() => Fact::from_range(call(span.low)?, call(span.high)?),
        _ => return None,
    };
    let days = moves_days(name, format).then(|| read_days(&fact)).flatten();
    Some(Known { days, ..Known::from_fact(fact) }.with_null_if(moment.fact.nullable))
}

fn start_of(date: Date) -> DateTime {
    DateTime(i64::from(date.0) * DAY)
}

fn compute_days<'a>(span: Span, call: impl Fn(DateTime) -> Option<Value>) -> Option<Fact<'a>> {
    let (first, last) = (i64::from(span.low.date().0), i64::from(span.high.date().0));
    if last.checked_sub(first)? > MAX_DAYS {
        return None;
    }
    let made: Option<Vec<Value>> = (first..=last).map(|day| call(DateTime(day * DAY))).collect();
    Some(Fact::from_values(&made?))
}

/// The results for all times of day, or for those between two moments of one day.
fn compute_times<'a>(span: Span, step: i64, call: impl Fn(DateTime) -> Option<Value>) -> Option<Fact<'a>> {
    let (low, high) = match span.low.date() == span.high.date() {
        true => (span.low.0.rem_euclid(DAY), span.high.0.rem_euclid(DAY)),
        false => (0, DAY - 1),
    };
    let times = (low / step..=high / step).map(|time| call(DateTime(time * step)));
    let made: Option<Vec<Value>> = times.collect();
    Some(Fact::from_values(&made?))
}

/// Whether the result is a day again.
fn moves_days(name: &str, format: Option<&str>) -> bool {
    name == "date" || matches!(format, Some("%Y-%m-%d" | "%F"))
}

/// The range of ISO days.
fn read_days(fact: &Fact<'_>) -> Option<(Date, Date)> {
    match fact.range.as_ref()? {
        (Value::Text(low), Value::Text(high)) => Some((Date::parse_iso(low)?, Date::parse_iso(high)?)),
        _ => None,
    }
}
