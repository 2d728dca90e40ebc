//! Reads dates, and dates with a time: year first, or with the month as an English word. An order of day and month that only digits tell is not guessed.

use model::{Date, DateTime};

/// A date, perhaps with a time of day.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Day {
    /// The date.
    pub date: Date,
    /// The date with its time; `None` if it has no time.
    pub moment: Option<DateTime>,
}

const MONTHS: [&str; 12] = [
    "january",
    "february",
    "march",
    "april",
    "may",
    "june",
    "july",
    "august",
    "september",
    "october",
    "november",
    "december",
];
const WEEKDAYS: [&str; 7] = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"];

impl Day {
    /// Whether it is this date: without a time, or at 00:00.
    pub fn is_date(&self, date: Date) -> bool {
        self.date == date && self.moment.is_none_or(|moment| moment.time() == (0, 0, 0))
    }
}

/// Reads a text that is exactly one date, perhaps with a time after it.
pub fn read_day(text: &str) -> Option<Day> {
    let text = text.trim();
    let found = split_year_first(text).or_else(|| split_named_month(text)).or_else(|| split_after_weekday(text));
    match found {
        Some((date, rest)) => add_time(date, rest),
        None => read_after_time(text),
    }
}

/// Reads a date with its time before it: `3:05 pm on March 1, 2024`.
fn read_after_time(text: &str) -> Option<Day> {
    let (time, date) = text.split_once(" on ")?;
    let (hour, minute, second) = read_time(time.trim())?;
    let Day { date, moment: None } = read_day(date)? else { return None };
    Some(Day { date, moment: Some(DateTime::new(date, hour, minute, second)?) })
}

/// Reads a date in the form of ISO 8601, `2024-03-01`, perhaps with a time after `T` or a blank.
pub fn read_iso_day(text: &str) -> Option<Day> {
    let (date, rest) = text.split_at_checked(10)?;
    let is_iso =
        rest.is_empty() || rest.starts_with(['T', ' ']) && rest.as_bytes().get(1).is_some_and(u8::is_ascii_digit);
    add_time(Date::parse_iso(date)?, rest).filter(|_| is_iso && !rest.contains(['m', 'M']))
}

/// Splits off a date with its year first: `2024-03-01`, also with `/` or `.`, and one digit for a month or day; or eight digits.
fn split_year_first(text: &str) -> Option<(Date, &str)> {
    let (year, rest) = split_digits(text);
    if let (8, Some((year, month_and_day))) = (year.len(), year.split_at_checked(4)) {
        let (month, day) = month_and_day.split_at_checked(2)?;
        return Some((build_date(year, month, day)?, rest));
    }
    let sign = rest.chars().next().filter(|sign| matches!(sign, '-' | '/' | '.'))?;
    let (month, rest) = split_digits(rest.strip_prefix(sign)?);
    let (day, rest) = split_digits(rest.strip_prefix(sign)?);
    Some((build_date(year, month, day)?, rest))
}

/// Splits off a date with its year first and its weekday before it: `Fri, 2024-03-01`.
fn split_after_weekday(text: &str) -> Option<(Date, &str)> {
    let (word, rest) = split_letters(text);
    let weekday = find_name(&WEEKDAYS, word)?;
    let (date, rest) = split_year_first(skip_separator(rest))?;
    (usize::from(date.weekday()) == weekday + 1).then_some((date, rest))
}

/// Splits off a date with its month as a word.
fn split_named_month(text: &str) -> Option<(Date, &str)> {
    let mut parts = Parts::default();
    let mut rest = parts.take_part(text)?;
    while let Some(behind) = parts.take_part(skip_separator(rest)) {
        rest = behind;
    }
    Some((parts.build_date()?, rest))
}

/// The parts of a date with its month as a word, in any order.
#[derive(Default)]
struct Parts<'t> {
    year: Option<&'t str>,
    /// 0 is January.
    month: Option<usize>,
    day: Option<&'t str>,
    /// 0 is Monday.
    weekday: Option<usize>,
}

impl<'t> Parts<'t> {
    /// Takes the part at the start of a text that was not found yet, and returns the text after it.
    fn take_part(&mut self, text: &'t str) -> Option<&'t str> {
        let (digits, behind) = split_digits(text);
        match digits.len() {
            0 => self.take_word(text),
            // A time begins here.
            _ if behind.starts_with(':') => None,
            1 | 2 => {
                let (suffix, rest) = split_letters(behind);
                let is_ordinal = ["st", "nd", "rd", "th"].iter().any(|known| suffix.eq_ignore_ascii_case(known));
                set_once(&mut self.day, digits).then_some(if is_ordinal { rest } else { behind })
            }
            4 => set_once(&mut self.year, digits).then_some(behind),
            _ => None,
        }
    }

    fn take_word(&mut self, text: &'t str) -> Option<&'t str> {
        let (word, behind) = split_letters(text);
        let is_taken = match (find_name(&MONTHS, word), find_name(&WEEKDAYS, word)) {
            (Some(month), _) => set_once(&mut self.month, month),
            (None, Some(weekday)) => set_once(&mut self.weekday, weekday),
            (None, None) => ["of", "the"].iter().any(|known| word.eq_ignore_ascii_case(known)),
        };
        is_taken.then_some(behind)
    }

    /// Returns the date if all of its parts were found, and a weekday is the right one.
    fn build_date(&self) -> Option<Date> {
        let date = build_date(self.year?, &(self.month? + 1).to_string(), self.day?)?;
        self.weekday.is_none_or(|weekday| usize::from(date.weekday()) == weekday + 1).then_some(date)
    }
}

/// Sets a part that was not found yet. Returns whether it was not.
fn set_once<T>(part: &mut Option<T>, value: T) -> bool {
    let is_new = part.is_none();
    part.get_or_insert(value);
    is_new
}

/// Adds the time that follows a date, if one does; `None` if something else follows.
fn add_time(date: Date, rest: &str) -> Option<Day> {
    if rest.is_empty() {
        return Some(Day { date, moment: None });
    }
    let time = rest.strip_prefix('T').or_else(|| {
        let time = rest.trim_start();
        let time = time.strip_prefix(',').unwrap_or(time).trim_start();
        let named = time.strip_prefix("at").filter(|named| named.starts_with(char::is_whitespace));
        (time.len() < rest.len()).then_some(named.map_or(time, str::trim_start))
    })?;
    let (hour, minute, second) = read_time(time)?;
    Some(Day { date, moment: Some(DateTime::new(date, hour, minute, second)?) })
}

/// Reads a time of day: `15:05`, `15:05:00`, `15:05:00.000`, `150500`, or `3:05 pm`, each perhaps with `Z`.
fn read_time(text: &str) -> Option<(u8, u8, u8)> {
    let (hour, minute, second, rest) = split_time(text)?;
    // No value has fractions of a second.
    let rest = match rest.strip_prefix('.') {
        Some(fraction) => {
            let (digits, rest) = split_digits(fraction);
            (!digits.is_empty() && digits.bytes().all(|digit| digit == b'0')).then_some(rest)?
        }
        None => rest,
    };
    if !matches!(hour.len(), 1 | 2) || minute.len() != 2 || second.len() != 2 {
        return None;
    }
    let rest = rest.trim_start();
    let half = HALVES.iter().find_map(|(word, hours)| Some((*hours, split_prefix(rest, word)?)));
    let hour: u8 = hour.parse().ok()?;
    let (hour, rest) = match half {
        None => (hour, rest),
        Some((half, rest)) => ((1..=12).contains(&hour).then_some(hour % 12 + half)?, rest.trim_start()),
    };
    matches!(rest, "" | "Z").then_some((hour, minute.parse().ok()?, second.parse().ok()?))
}

/// The halves of a day, and the hours before them.
const HALVES: [(&str, u8); 4] = [("a.m.", 0), ("p.m.", 12), ("am", 0), ("pm", 12)];

/// Splits off the digits of the hour, the minute, and the second.
fn split_time(text: &str) -> Option<(&str, &str, &str, &str)> {
    let (hour, rest) = split_digits(text);
    if let (4 | 6, Some((hour, minute_and_second))) = (hour.len(), hour.split_at_checked(2)) {
        let (minute, second) = minute_and_second.split_at_checked(2)?;
        return Some((hour, minute, if second.is_empty() { "00" } else { second }, rest));
    }
    let (minute, rest) = split_digits(rest.strip_prefix(':')?);
    let (second, rest) = match rest.strip_prefix(':') {
        Some(rest) => split_digits(rest),
        None => ("00", rest),
    };
    Some((hour, minute, second, rest))
}

/// Returns the text after a prefix in any letter case.
fn split_prefix<'t>(text: &'t str, prefix: &str) -> Option<&'t str> {
    let (start, rest) = text.split_at_checked(prefix.len())?;
    start.eq_ignore_ascii_case(prefix).then_some(rest)
}

/// Finds a name by its whole word, or by its first three letters. `Sept` is September.
fn find_name(names: &[&str], word: &str) -> Option<usize> {
    let word = word.to_ascii_lowercase();
    let word = if word == "sept" { "sep" } else { word.as_str() };
    names.iter().position(|name| *name == word || word.len() == 3 && name.starts_with(word))
}

fn build_date(year: &str, month: &str, day: &str) -> Option<Date> {
    if year.len() != 4 || month.len() > 2 || day.len() > 2 {
        return None;
    }
    Date::new(year.parse().ok()?, month.parse().ok()?, day.parse().ok()?)
}

/// Skips what is between two parts of a date: blanks, and at most one comma, period, slash, or hyphen.
fn skip_separator(text: &str) -> &str {
    text.trim_start().trim_start_matches([',', '.', '/', '-']).trim_start()
}

fn split_digits(text: &str) -> (&str, &str) {
    split_while(text, |char| char.is_ascii_digit())
}

fn split_letters(text: &str) -> (&str, &str) {
    split_while(text, |char| char.is_ascii_alphabetic())
}

fn split_while(text: &str, is_part: impl Fn(char) -> bool) -> (&str, &str) {
    text.split_at(text.find(|char| !is_part(char)).unwrap_or(text.len()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_with_one_meaning_are_read() {
        let first = Date::new(2024, 3, 1).expect("a date");
        for text in [
            "2024-03-01",
            "2024/3/1",
            "2024.03.01",
            "20240301",
            "1 March 2024",
            "March 1st, 2024",
            "1st of March, 2024",
            "Fri, 1 Mar 2024",
            "Friday, March 1, 2024",
            "2024 March 1",
            "2024-Mar-01",
            "01-MAR-2024",
            "01MAR2024",
            "Mar. 1, 2024",
            "1 March 2024, Friday",
            "2024-03-01T00:00",
            "2024-03-01 00:00:00",
            "2024-03-01T00:00:00.000Z",
            "1 March 2024 at 12:00 am",
            "Friday, 2024-03-01",
            "Fri 2024/3/1",
            "The 1st of March 2024",
            "20240301T000000",
        ] {
            assert!(read_day(text).is_some_and(|day| day.is_date(first)), "{text}");
        }
        for text in [
            "01.03.2024",
            "3/1/2024",
            "1/3/24",
            "March 2024",
            "1 March",
            "1 March 24",
            "Thu, 1 Mar 2024",
            "30 February 2024",
            "1-3 March 2024",
            "March 1, 2024 March",
            "1 March 2024 or 2 March 2024",
            "1 Marc 2024",
            "2024-03-01T00:01",
            "2024-03-01T00:00:00.5",
            "2024-03-01T00:00:00+01:00",
            "2024-03-01 about",
            "2024-3",
            "2024-03/01",
            "202403011",
            "24-03-01",
            "Thursday, 2024-03-01",
            "Fri01.03.2024",
            "",
        ] {
            assert!(!read_day(text).is_some_and(|day| day.is_date(first)), "{text}");
        }
    }

    #[test]
    fn a_time_follows_a_date() {
        let at = |text: &str| read_day(text).and_then(|day| day.moment).map(|moment| moment.to_string());
        for text in [
            "2024-03-01T15:05",
            "2024-03-01 15:05:00",
            "2024-03-01, 15:05:00.000",
            "2024-03-01T15:05:00Z",
            "20240301 15:05",
            "20240301T150500",
            "2024-03-01T1505Z",
            "2024-03-01 3:05 p.m.",
            "2024/3/1 3:05 pm",
            "March 1, 2024, 3:05PM",
            "1 March 2024 at 15:05",
            "Friday, March 1st, 2024, at 3:05:00 PM",
            "3:05 PM on March 1, 2024",
            "15:05 on Friday, 1 March 2024",
        ] {
            assert_eq!(at(text).as_deref(), Some("2024-03-01T15:05:00"), "{text}");
        }
        for text in [
            "2024-03-01 24:00",
            "2024-03-01 13:05 pm",
            "2024-03-01 0:05 am",
            "2024-03-01 15:5",
            "2024-03-0115:05",
            "15:05 2024-03-01",
            "2024-03-01 at15:05",
            "2024-03-01 3 pm",
            "2024-03-01 15:05+01:00",
            "2024-03-01T15050",
            "2024-03-01 3:05 p.m",
        ] {
            assert_eq!(at(text), None, "{text}");
        }
        assert_eq!(at("2024-03-01 12:30 am").as_deref(), Some("2024-03-01T00:30:00"));
        assert_eq!(at("2024-03-01 12:30 pm").as_deref(), Some("2024-03-01T12:30:00"));
    }

    #[test]
    fn json_has_dates_of_iso_8601() {
        for text in ["2024-03-01", "2024-03-01T00:00", "2024-03-01 00:00:00", "2024-03-01T00:00:00.000Z"] {
            assert!(read_iso_day(text).is_some(), "{text}");
        }
        for text in [
            "2024/03/01",
            "2024-3-1",
            "20240301",
            "1 March 2024",
            "2024-03-01, 10:00",
            "2024-03-01 3:05 pm",
            "2024-03-01 at 10:00",
            " 2024-03-01",
            "",
        ] {
            assert_eq!(read_iso_day(text), None, "{text}");
        }
    }
}
