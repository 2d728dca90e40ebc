//! The formats of `strftime`.

use model::{Date, DateTime, Value};

use super::moments;

/// The letters that depend only on the day.
const OF_DAY: &str = "dejmuUwWYF";

/// The letters that depend only on the time of day.
const OF_TIME: &str = "HIklMpPRST";

/// What the result of a format depends on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Depends {
    /// The day.
    Day,
    /// The time of day, to this number of seconds.
    Time(i64),
    /// Both, in an order that is that of the moments.
    Moment,
}

/// What the result of a format depends on. `None` if it is not modelled.
pub fn find_dependence(format: &str) -> Option<Depends> {
    let letters = list_letters(format)?;
    if letters.iter().all(|letter| OF_DAY.contains(*letter)) {
        return Some(Depends::Day);
    }
    if letters.iter().all(|letter| OF_TIME.contains(*letter)) {
        let step = letters.iter().map(|letter| match letter {
            'S' | 'T' => 1,
            'M' | 'R' => 60,
            _ => 3600,
        });
        return step.min().map(Depends::Time);
    }
    const RISING: &str = "YmdHMS";
    let written: String = letters.into_iter().flat_map(|letter| expand_letter(letter).chars()).collect();
    RISING.starts_with(&written).then_some(Depends::Moment)
}

/// The letters of a format.
fn list_letters(format: &str) -> Option<Vec<char>> {
    let (mut found, mut chars) = (Vec::new(), format.chars());
    while let Some(c) = chars.next() {
        if c == '%' {
            match chars.next()? {
                '%' => {}
                letter if OF_DAY.contains(letter) || OF_TIME.contains(letter) => found.push(letter),
                _ => return None,
            }
        }
    }
    Some(found)
}

/// The letters that one letter abbreviates.
fn expand_letter(letter: char) -> &'static str {
    match letter {
        'F' => "Ymd",
        'T' => "HMS",
        'R' => "HM",
        'Y' => "Y",
        'm' => "m",
        'd' => "d",
        'H' => "H",
        'M' => "M",
        'S' => "S",
        _ => "?",
    }
}

/// `strftime(format, moment)`. `None` if the format is not modelled.
pub fn format_moment(format: &str, moment: DateTime) -> Option<Value> {
    let (mut out, mut chars) = (String::new(), format.chars());
    while let Some(c) = chars.next() {
        match c {
            '%' => out.push_str(&format_letter(chars.next()?, moment)?),
            c => out.push(c),
        }
    }
    Some(Value::Text(out))
}

fn format_letter(letter: char, moment: DateTime) -> Option<String> {
    let date = moment.date();
    let ((year, month, day), (hour, minute, second)) = (date.to_ymd(), moment.time());
    let half = if hour % 12 == 0 { 12 } else { hour % 12 };
    Some(match letter {
        'd' => format!("{day:02}"),
        'e' => format!("{day:2}"),
        'F' => format!("{year:04}-{month:02}-{day:02}"),
        'H' => format!("{hour:02}"),
        'I' => format!("{half:02}"),
        'j' => format!("{:03}", count_days_before(date)? + 1),
        'k' => format!("{hour:2}"),
        'l' => format!("{half:2}"),
        'm' => format!("{month:02}"),
        'M' => format!("{minute:02}"),
        'p' => if hour < 12 { "AM" } else { "PM" }.to_owned(),
        'P' => if hour < 12 { "am" } else { "pm" }.to_owned(),
        'R' => format!("{hour:02}:{minute:02}"),
        's' => moment.0.to_string(),
        'S' => format!("{second:02}"),
        'T' => format!("{hour:02}:{minute:02}:{second:02}"),
        'u' => match moments::count_weekday(date) {
            0 => "7".to_owned(),
            day => day.to_string(),
        },
        'U' => format!("{:02}", (count_days_before(date)? + 7 - moments::count_weekday(date)) / 7),
        'w' => moments::count_weekday(date).to_string(),
        'W' => format!("{:02}", (count_days_before(date)? + 7 - (moments::count_weekday(date) + 6) % 7) / 7),
        'Y' => format!("{year:04}"),
        '%' => "%".to_owned(),
        _ => return None,
    })
}

/// The number of days of the year before a day.
fn count_days_before(date: Date) -> Option<i64> {
    let first = Date::new(date.to_ymd().0, 1, 1)?;
    Some(i64::from(date.0) - i64::from(first.0))
}
