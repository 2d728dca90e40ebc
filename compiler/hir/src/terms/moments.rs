//! Dates and datetimes in SQLite's date functions, and the modifiers that move them.

use model::{Date, DateTime, Value};

const DAY: i64 = 86_400;

/// The moment that a text means, moved by modifiers. `None` if it is none, or if a modifier is not modelled.
pub fn read_moment(value: &Value, modifiers: &[Value]) -> Option<DateTime> {
    let Value::Text(text) = value else { return None };
    let start = match Date::parse_iso(text) {
        Some(date) => start_of(date),
        None => DateTime::parse_iso(text)?,
    };
    modifiers.iter().try_fold(start, |moment, modifier| match modifier {
        Value::Text(modifier) => move_moment(moment, &modifier.to_ascii_lowercase()),
        _ => None,
    })
}

/// Whether modifiers move days to days, whatever the time of day is.
pub fn keep_time(modifiers: &[Value]) -> bool {
    modifiers.iter().all(|modifier| match modifier {
        Value::Text(modifier) => !["hour", "minute", "second"].iter().any(|unit| modifier.contains(unit)),
        _ => false,
    })
}

/// The number of days since noon in Greenwich on November 24, 4714 B.C., as a double.
pub fn to_julian_day(moment: DateTime) -> Value {
    let milliseconds = moment.0.saturating_mul(1000).saturating_add(210_866_760_000_000);
    Value::Float(milliseconds as f64 / 86_400_000.0)
}

fn start_of(date: Date) -> DateTime {
    DateTime(i64::from(date.0) * DAY)
}

fn move_moment(moment: DateTime, modifier: &str) -> Option<DateTime> {
    let (date, time) = (moment.date(), moment.0.rem_euclid(DAY));
    let (year, month, _) = date.to_ymd();
    match modifier.split_ascii_whitespace().collect::<Vec<_>>().as_slice() {
        ["start", "of", "day"] => Some(start_of(date)),
        ["start", "of", "month"] => Date::new(year, month, 1).map(start_of),
        ["start", "of", "year"] => Date::new(year, 1, 1).map(start_of),
        ["weekday", day] => {
            let day: i64 = day.parse().ok().filter(|day| (0..7).contains(day))?;
            let ahead = (day - count_weekday(date)).rem_euclid(7);
            checked(moment.0.checked_add(ahead * DAY)?)
        }
        [number, unit] => {
            let number: i64 = number.strip_prefix('+').unwrap_or(number).parse().ok()?;
            move_by(moment, number, unit.strip_suffix('s').unwrap_or(unit), time)
        }
        _ => None,
    }
}

fn move_by(moment: DateTime, number: i64, unit: &str, time: i64) -> Option<DateTime> {
    let seconds = match unit {
        "day" => number.checked_mul(DAY)?,
        "hour" => number.checked_mul(3600)?,
        "minute" => number.checked_mul(60)?,
        "second" => number,
        "month" => return move_by_months(moment, number, time),
        "year" => return move_by_months(moment, number.checked_mul(12)?, time),
        _ => return None,
    };
    checked(moment.0.checked_add(seconds)?)
}

/// Moves a moment by months: a day that the month does not have is counted on into the next one.
fn move_by_months(moment: DateTime, months: i64, time: i64) -> Option<DateTime> {
    let (year, month, day) = moment.date().to_ymd();
    let count = i64::from(year).checked_mul(12)?.checked_add(i64::from(month) - 1)?.checked_add(months)?;
    let first = Date::new(i32::try_from(count.div_euclid(12)).ok()?, (count.rem_euclid(12) + 1) as u8, 1)?;
    checked(start_of(first).0.checked_add((i64::from(day) - 1) * DAY + time)?)
}

/// The moment, if its year has four digits.
fn checked(seconds: i64) -> Option<DateTime> {
    let moment = DateTime(seconds);
    (Date::MIN..=Date::MAX).contains(&moment.date()).then_some(moment)
}

/// The day of the week: Sunday is 0.
pub fn count_weekday(date: Date) -> i64 {
    // 1970-01-01 was a Thursday.
    (i64::from(date.0) + 4).rem_euclid(7)
}
