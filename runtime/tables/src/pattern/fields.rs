//! The parts of a date pattern: letters for a part of a date or time, and fixed text.

use crate::pattern::error::{PatternError, PatternErrorKind};

model::worded! {
    /// A part of a date or time.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
    pub(super) enum Field {
        /// Four digits.
        Year = "yyyy",
        /// Two digits of a year in a century: 1970 to 2069, or as determined by the bounds of the column.
        ShortYear = "yy",
        /// One or two digits.
        Month = "M",
        /// Two digits.
        PaddedMonth = "MM",
        /// `Jan`
        MonthName = "MMM",
        /// `January`
        LongMonthName = "MMMM",
        /// One or two digits.
        Day = "d",
        /// Two digits.
        PaddedDay = "dd",
        /// Day of the year: one to three digits.
        YearDay = "D",
        /// Day of the year: three digits.
        PaddedYearDay = "DDD",
        /// `Mon`
        Weekday = "EEE",
        /// `Monday`
        LongWeekday = "EEEE",
        /// One or two digits, 0 to 23.
        Hour = "H",
        /// Two digits.
        PaddedHour = "HH",
        /// One or two digits, 1 to 12.
        HalfHour = "h",
        /// Two digits.
        PaddedHalfHour = "hh",
        /// Two digits.
        Minute = "mm",
        /// Two digits.
        Second = "ss",
        /// `AM` or `PM`
        HalfDay = "a",
        /// One or more digits after the point of seconds; with several `S`, this number of digits.
        Fraction = "S",
        /// `+02:00`, or `Z`
        Offset = "XXX",
        /// `+02` or `+0200`, or `Z`
        ShortOffset = "X",
    }
}

/// The information in a field; a pattern contains each at most once.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub(super) enum Part {
    Year,
    Month,
    Day,
    Weekday,
    Hour,
    Minute,
    Second,
    HalfDay,
    Fraction,
    Offset,
}

/// The names of the months.
pub const MONTHS: [&str; 12] = [
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
];

pub(super) const WEEKDAYS: [&str; 7] = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"];

impl Field {
    pub fn part(self) -> Part {
        match self {
            Field::Year | Field::ShortYear => Part::Year,
            Field::Month | Field::PaddedMonth | Field::MonthName | Field::LongMonthName => Part::Month,
            Field::Day | Field::PaddedDay | Field::YearDay | Field::PaddedYearDay => Part::Day,
            Field::Weekday | Field::LongWeekday => Part::Weekday,
            Field::Hour | Field::PaddedHour | Field::HalfHour | Field::PaddedHalfHour => Part::Hour,
            Field::Minute => Part::Minute,
            Field::Second => Part::Second,
            Field::HalfDay => Part::HalfDay,
            Field::Fraction => Part::Fraction,
            Field::Offset | Field::ShortOffset => Part::Offset,
        }
    }

    /// Returns the minimum and maximum number of digits that are read for a number; `letters` is the number of letters in the pattern.
    pub fn find_digit_bounds(self, letters: usize) -> Option<(usize, usize)> {
        match self {
            Field::Year => Some((4, 4)),
            Field::Month | Field::Day | Field::Hour | Field::HalfHour => Some((1, 2)),
            Field::YearDay => Some((1, 3)),
            Field::PaddedYearDay => Some((3, 3)),
            Field::Fraction if letters == 1 => Some((1, 18)),
            Field::Fraction => Some((letters, letters)),
            Field::ShortYear
            | Field::PaddedMonth
            | Field::PaddedDay
            | Field::PaddedHour
            | Field::PaddedHalfHour
            | Field::Minute
            | Field::Second => Some((2, 2)),
            Field::MonthName
            | Field::LongMonthName
            | Field::Weekday
            | Field::LongWeekday
            | Field::HalfDay
            | Field::Offset
            | Field::ShortOffset => None,
        }
    }

    /// Reads an offset from UTC at the start of a text in each way: its length in bytes, and its seconds.
    pub fn read_offsets(self, text: &str) -> impl Iterator<Item = (usize, i64)> {
        let lengths: &[usize] = match self {
            // `Z`, or `+02:00`.
            Field::Offset => &[1, 6],
            // `Z`, `+0200`, or `+02`.
            Field::ShortOffset => &[1, 5, 3],
            _ => &[],
        };
        lengths.iter().filter_map(|length| Some((*length, parse_offset(text.get(..*length)?)?)))
    }

    /// Returns the possible names of the field, in order.
    pub fn names(self) -> &'static [&'static str] {
        match self {
            Field::LongMonthName | Field::MonthName => &MONTHS,
            Field::Weekday | Field::LongWeekday => &WEEKDAYS,
            Field::HalfDay => &["AM", "PM"],
            _ => &[],
        }
    }

    /// Returns a name in the form that this field writes.
    pub fn abbreviate_name(self, name: &'static str) -> &'static str {
        match self {
            Field::MonthName | Field::Weekday => name.get(..3).unwrap_or(name),
            _ => name,
        }
    }
}

/// A piece of a pattern.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) enum Item {
    /// Fixed text.
    Text(String),
    /// A part of the date, with the number of its letters.
    Field(Field, usize),
}

/// Splits a pattern into pieces, each with its position in bytes. Two texts are never adjacent.
pub(super) fn parse_items(source: &str) -> Result<Vec<(usize, Item)>, PatternError> {
    let mut items: Vec<(usize, Item)> = Vec::new();
    let mut rest = source;
    while let Some(char) = rest.chars().next() {
        let at = source.len() - rest.len();
        let (item, length) = if char == '\'' {
            let open = || PatternError::new(PatternErrorKind::OpenQuote, at..source.len());
            let (text, length) = parse_quoted(rest).ok_or_else(open)?;
            (Item::Text(text), length)
        } else if char.is_alphabetic() {
            let length = rest.find(|other| other != char).unwrap_or(rest.len());
            (Item::Field(parse_field(source, at, length)?, length), length)
        } else {
            (Item::Text(char.to_string()), char.len_utf8())
        };
        rest = rest.get(length..).unwrap_or_default();
        match (items.last_mut(), item) {
            (Some((_, Item::Text(before))), Item::Text(text)) => before.push_str(&text),
            (_, item) => items.push((at, item)),
        }
    }
    Ok(items)
}

/// Returns the text in the quotes at the start (`''` is one quote), and the end of the quoted part.
fn parse_quoted(text: &str) -> Option<(String, usize)> {
    if text.starts_with("''") {
        return Some(("'".to_owned(), 2));
    }
    let mut out = String::new();
    let mut chars = text.char_indices().skip(1).peekable();
    while let Some((at, char)) = chars.next() {
        match char {
            '\'' if chars.peek().is_some_and(|(_, next)| *next == '\'') => {
                chars.next();
                out.push('\'');
            }
            '\'' => return Some((out, at + 1)),
            char => out.push(char),
        }
    }
    None
}

/// Parses `Z`, `+02`, `+0200`, or `+02:00` as seconds east of UTC.
fn parse_offset(text: &str) -> Option<i64> {
    if text == "Z" {
        return Some(0);
    }
    let (sign, digits) = match (text.strip_prefix('+'), text.strip_prefix('-')) {
        (Some(digits), _) => (1, digits),
        (_, Some(digits)) => (-1, digits),
        _ => return None,
    };
    let (hours, minutes) = digits.split_at_checked(2)?;
    let minutes = minutes.strip_prefix(':').unwrap_or(minutes);
    let number = |digits: &str, end: i64| {
        let is_number = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
        digits.parse::<i64>().ok().filter(|number| is_number && *number < end)
    };
    let minutes = if minutes.is_empty() { 0 } else { number(minutes, 60)? };
    Some(sign * (number(hours, 24)? * 3600 + minutes * 60))
}

/// Checks whether letters are an offset from UTC in other pattern languages: `XX`, `xxx`, `ZZ`, `z`. A single `Z` or `x` is a letter of the text.
fn is_offset(letters: &str) -> bool {
    let same = |letter: char| letters.chars().all(|other| other == letter);
    same('X') || same('z') || letters.len() > 1 && (same('x') || same('Z'))
}

/// Parses the letters at `at` as a field; the error contains the pattern as it was probably meant.
fn parse_field(source: &str, at: usize, length: usize) -> Result<Field, PatternError> {
    let letters = source.get(at..at + length).unwrap_or_default();
    if letters.bytes().all(|byte| byte == b'S') {
        return Ok(Field::Fraction);
    }
    if let Some(field) = Field::from_word(letters) {
        return Ok(field);
    }
    let meant = match letters {
        // Letters from other pattern languages.
        "YYYY" | "y" | "uuuu" => Some("yyyy"),
        "YY" => Some("yy"),
        "DD" => Some("dd"),
        "m" | "n" => Some("mm"),
        "s" => Some("ss"),
        "k" | "K" => Some("H"),
        "kk" | "KK" => Some("HH"),
        "E" | "EE" | "ddd" => Some("EEE"),
        "dddd" => Some("EEEE"),
        "A" | "aa" | "tt" | "p" => Some("a"),
        _ => None,
    };
    // Between fields, only the letters are fixed text (`ddTHH`). A word is not guessed letter by letter, so all of it is fixed text.
    let is_letter = |char: char| char.is_alphabetic();
    let (head, tail) = source.split_at_checked(at).unwrap_or_default();
    let tail = tail.get(length..).unwrap_or_default();
    let start = head.trim_end_matches(is_letter).len();
    let end = source.len() - tail.trim_start_matches(is_letter).len();
    let of_fields = |word: &str| {
        let runs = word.as_bytes().chunk_by(|a, b| a == b);
        runs.map(|run| std::str::from_utf8(run).unwrap_or_default()).all(|run| Field::from_word(run).is_some())
    };
    let around = [head.get(start..), source.get(at + length..end)];
    let alone = around.into_iter().flatten().all(of_fields);
    if alone && is_offset(letters) {
        let error = PatternError::new(PatternErrorKind::Offset, at..at + length);
        return Err(match letters {
            "XX" | "xx" | "ZZZ" => error.with_replacement(source, Field::ShortOffset.word()),
            // The name of a time zone.
            letters if letters.starts_with('z') => error,
            _ => error.with_replacement(source, Field::Offset.word()),
        });
    }
    let (from, to, text) = match meant {
        Some(field) => (at, at + length, field.to_owned()),
        None if alone => (at, at + length, format!("'{letters}'")),
        None => (start, end, format!("'{}'", source.get(start..end).unwrap_or_default())),
    };
    Err(PatternError::new(PatternErrorKind::Letters, from..to).with_replacement(source, &text))
}
