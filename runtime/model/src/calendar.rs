//! Dates, datetimes, and durations of the proleptic Gregorian calendar, years 0001 to 9999, without time zones.

use std::fmt;

use serde::{Deserialize, Serialize};
use time::{Month, util::days_in_month};

/// Days since 1970-01-01.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Date(pub i32);

/// Seconds since 1970-01-01T00:00:00.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct DateTime(pub i64);

/// A duration: whole months and seconds, which are separate because months differ in length.
///
/// ```
/// use model::Duration;
///
/// let quarter = Duration { months: 3, seconds: 0 };
/// assert_eq!(quarter.to_string(), "P3M");
/// assert_eq!(Duration::from_days(90).to_string(), "P90D");
/// assert_eq!(Duration { months: 0, seconds: 7_200 }.to_string(), "PT7200S");
/// // Three months are not 90 days.
/// assert_ne!(quarter, Duration::from_days(90));
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Duration {
    /// Calendar months (a year is 12).
    pub months: i32,
    /// Seconds (a day is 86,400).
    pub seconds: i64,
}

/// Julian day number of 1970-01-01.
const EPOCH: i32 = 2_440_588;
const DAY: i64 = 86_400;

impl Date {
    /// Creates a date; `None` if the calendar does not have it, or if the year is not between 1 and 9999.
    ///
    /// ```
    /// use model::Date;
    ///
    /// assert!(Date::new(2024, 2, 29).is_some() && Date::new(2023, 2, 29).is_none());
    /// // The Gregorian rule reaches back before its introduction, and ends with the year 9999.
    /// assert!(Date::new(1900, 2, 29).is_none() && Date::new(1600, 2, 29).is_some());
    /// assert_eq!((Date::new(1, 1, 1), Date::new(10_000, 1, 1)), (Some(Date::MIN), None));
    /// ```
    pub fn new(year: i32, month: u8, day: u8) -> Option<Date> {
        if !(1..=9999).contains(&year) {
            return None;
        }
        let date = time::Date::from_calendar_date(year, Month::try_from(month).ok()?, day).ok()?;
        Some(Date(date.to_julian_day() - EPOCH))
    }

    /// Returns year, month (1 to 12), and day (1 to 31). A date outside of years 1 to 9999 is clamped.
    pub fn to_ymd(self) -> (i32, u8, u8) {
        let clamped = self.0.clamp(Date::MIN.0, Date::MAX.0);
        match time::Date::from_julian_day(clamped + EPOCH) {
            Ok(date) => (date.year(), u8::from(date.month()), date.day()),
            Err(_) => (1, 1, 1),
        }
    }

    /// 0001-01-01
    pub const MIN: Date = Date(-719_162);
    /// 9999-12-31
    pub const MAX: Date = Date(2_932_896);

    /// Returns the day of the week: Monday 1 to Sunday 7 (ISO 8601).
    ///
    /// ```
    /// use model::Date;
    ///
    /// let monday = Date::parse_iso("2024-01-01").expect("a date");
    /// assert_eq!(monday.weekday(), 1);
    /// assert_eq!(Date::MAX.weekday(), 5);
    /// ```
    pub fn weekday(self) -> u8 {
        ((self.0.rem_euclid(7) + 3) % 7 + 1) as u8
    }

    /// Returns the date `duration` later (earlier if negative). Months are added first, with the day clamped to the month's length. `None` outside of
    /// years 1 to 9999, or if the seconds are not a whole number of days.
    ///
    /// ```
    /// use model::{Date, Duration};
    ///
    /// let month = Duration { months: 1, seconds: 0 };
    /// let january = Date::new(2024, 1, 31).expect("a date");
    /// // February is shorter: its last day is taken.
    /// assert_eq!(january.checked_add(month), Date::new(2024, 2, 29));
    /// // A date has no hours, and the calendar has an end.
    /// assert_eq!(january.checked_add(Duration { months: 0, seconds: 3_600 }), None);
    /// assert_eq!(Date::MAX.checked_add(Duration::from_days(1)), None);
    /// ```
    pub fn checked_add(self, duration: Duration) -> Option<Date> {
        if duration.seconds % DAY != 0 {
            return None;
        }
        let moved = self.add_months(duration.months)?;
        let days = i32::try_from(duration.seconds / DAY).ok()?;
        Date(moved.0.checked_add(days)?).check_range()
    }

    fn add_months(self, months: i32) -> Option<Date> {
        if months == 0 {
            return Some(self);
        }
        let (year, month, day) = self.to_ymd();
        let total = year.checked_mul(12)?.checked_add(i32::from(month) - 1)?.checked_add(months)?;
        let (year, month) = (total.div_euclid(12), total.rem_euclid(12) as u8 + 1);
        if !(1..=9999).contains(&year) {
            return None;
        }
        let last = days_in_month(Month::try_from(month).ok()?, year);
        Date::new(year, month, day.min(last))
    }

    fn check_range(self) -> Option<Date> {
        (Date::MIN..=Date::MAX).contains(&self).then_some(self)
    }

    /// Parses `2024-01-31`; `None` for other text.
    ///
    /// ```
    /// use model::Date;
    ///
    /// assert_eq!(Date::parse_iso("2024-01-31"), Date::new(2024, 1, 31));
    /// for other in ["2024-1-31", "31.01.2024", "2024-02-30", "2024-01-31T00:00", " 2024-01-31"] {
    ///     assert_eq!(Date::parse_iso(other), None, "{other}");
    /// }
    /// ```
    pub fn parse_iso(text: &str) -> Option<Date> {
        let bytes = text.as_bytes();
        if bytes.len() != 10 || bytes[4] != b'-' || bytes[7] != b'-' {
            return None;
        }
        Date::new(parse_digits(&bytes[..4])?, parse_digits(&bytes[5..7])? as u8, parse_digits(&bytes[8..])? as u8)
    }
}

/// Checks whether a text has the form of an ISO date or datetime, such as `0000-00-00T00:00`: `0` is any digit, and `T` is `T` or a space.
pub fn has_form(text: &str, form: &str) -> bool {
    text.len() == form.len()
        && text.bytes().zip(form.bytes()).all(|(byte, form)| match form {
            b'0' => byte.is_ascii_digit(),
            b'T' => matches!(byte, b'T' | b' '),
            other => byte == other,
        })
}

/// Parses ASCII digits, of which callers pass at most 4; `None` if there is another character.
fn parse_digits(digits: &[u8]) -> Option<i32> {
    digits.iter().try_fold(0, |sum, byte| byte.is_ascii_digit().then(|| sum * 10 + i32::from(byte - b'0')))
}

impl DateTime {
    /// Combines a date and a time of day; `None` if that time does not exist (such as 24:00).
    pub fn new(date: Date, hour: u8, minute: u8, second: u8) -> Option<DateTime> {
        if hour > 23 || minute > 59 || second > 59 {
            return None;
        }
        let seconds = i64::from(hour) * 3600 + i64::from(minute) * 60 + i64::from(second);
        Some(DateTime(i64::from(date.0) * DAY + seconds))
    }

    /// Returns the date.
    pub fn date(self) -> Date {
        let day = self.0.div_euclid(DAY);
        Date(i32::try_from(day).unwrap_or(if day < 0 { i32::MIN } else { i32::MAX }))
    }

    /// Returns hour, minute, and second.
    pub fn time(self) -> (u8, u8, u8) {
        let seconds = self.0.rem_euclid(DAY);
        ((seconds / 3600) as u8, (seconds / 60 % 60) as u8, (seconds % 60) as u8)
    }

    /// Returns the datetime `duration` later, by the rules of [`Date::checked_add`].
    pub fn checked_add(self, duration: Duration) -> Option<DateTime> {
        let day = self.date().add_months(duration.months)?;
        let moved = (i64::from(day.0) * DAY + self.0.rem_euclid(DAY)).checked_add(duration.seconds)?;
        DateTime(moved).date().check_range()?;
        Some(DateTime(moved))
    }

    /// Parses `2024-03-01T10:00`, optionally with seconds, with `T` or a space between date and time; `None` for other text.
    ///
    /// ```
    /// use model::DateTime;
    ///
    /// let ten = DateTime::parse_iso("2024-03-01T10:00").expect("a datetime");
    /// assert_eq!(DateTime::parse_iso("2024-03-01 10:00:00"), Some(ten));
    /// assert_eq!(ten.to_string(), "2024-03-01T10:00:00");
    /// // There are neither time zones nor leap seconds.
    /// assert_eq!(DateTime::parse_iso("2024-03-01T10:00:00Z"), None);
    /// assert_eq!(DateTime::parse_iso("2016-12-31T23:59:60"), None);
    /// ```
    pub fn parse_iso(text: &str) -> Option<DateTime> {
        let bytes = text.as_bytes();
        if !matches!(bytes.len(), 16 | 19) || !matches!(bytes[10], b'T' | b' ') || bytes[13] != b':' {
            return None;
        }
        let second = match bytes.get(16) {
            None => 0,
            Some(b':') => parse_digits(&bytes[17..19])?,
            Some(_) => return None,
        };
        let date = Date::parse_iso(text.get(..10)?)?;
        DateTime::new(date, parse_digits(&bytes[11..13])? as u8, parse_digits(&bytes[14..16])? as u8, second as u8)
    }
}

impl Duration {
    /// Creates a duration of `days` days of 86,400 seconds.
    pub const fn from_days(days: i64) -> Duration {
        Duration { months: 0, seconds: days * DAY }
    }

    /// Negates the duration; `None` on overflow.
    pub fn checked_neg(self) -> Option<Duration> {
        Some(Duration { months: self.months.checked_neg()?, seconds: self.seconds.checked_neg()? })
    }
}

impl fmt::Display for Date {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (year, month, day) = self.to_ymd();
        write!(f, "{year:04}-{month:02}-{day:02}")
    }
}

impl fmt::Display for DateTime {
    /// ISO 8601, always with seconds.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (hour, minute, second) = self.time();
        write!(f, "{}T{hour:02}:{minute:02}:{second:02}", self.date())
    }
}

impl fmt::Display for Duration {
    /// ISO 8601: `P3M`, `P90D`, `PT7200S`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("P")?;
        if self.months != 0 {
            write!(f, "{}M", self.months)?;
        }
        match self.seconds {
            0 if self.months != 0 => Ok(()),
            seconds if seconds % DAY == 0 => write!(f, "{}D", seconds / DAY),
            seconds => write!(f, "T{seconds}S"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_round_trip() {
        for (year, month, day) in [(1970, 1, 1), (2024, 2, 29), (1, 1, 1), (9999, 12, 31)] {
            let date = Date::new(year, month, day).unwrap();
            assert_eq!(date.to_ymd(), (year, month, day));
            assert_eq!(Date::parse_iso(&date.to_string()), Some(date));
        }
        assert_eq!(Date::new(1, 1, 1), Some(Date::MIN));
        assert_eq!(Date::new(9999, 12, 31), Some(Date::MAX));
        assert_eq!(Date::new(2023, 2, 29), None);
    }

    #[test]
    fn months_clamp_to_the_last_day() {
        let month = Duration { months: 1, seconds: 0 };
        assert_eq!(Date::new(2024, 1, 31).unwrap().checked_add(month), Date::new(2024, 2, 29));
        assert_eq!(Date::MAX.checked_add(month), None);
    }

    #[test]
    fn moments_round_trip() {
        let moment = DateTime::parse_iso("2024-03-01T10:00").unwrap();
        assert_eq!(moment.to_string(), "2024-03-01T10:00:00");
        assert_eq!(DateTime::parse_iso("2024-03-01 10:00:00"), Some(moment));
        assert_eq!(Date::new(2024, 3, 1).unwrap().weekday(), 5);
    }
}
