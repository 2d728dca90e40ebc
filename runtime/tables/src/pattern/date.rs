//! Patterns of dates and datetimes.

use std::ops::Range;

use model::numeral::is_all_digits;
use model::{Date, DateTime, Value};

use crate::cell_type::CellType;
use crate::misfit::Misfit;
use crate::pattern::error::{Dropped, PatternError, PatternErrorKind};
use crate::pattern::fields::{Field, Item, Part, parse_items};

/// The first datetime that a two-digit year can mean, if the values are unknown: the start of 1970.
const FIRST_SHORT: DateTime = DateTime(0);

/// The form of a date.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Form {
    items: Vec<Item>,
    /// Two digits mean a year of the century that begins here; 1970 to 2069, if the values are unknown.
    first_short: Option<DateTime>,
}

/// The numbers in a text for the fields of a pattern.
#[derive(Clone, Copy, Debug, Default)]
struct Parts {
    year: Option<i32>,
    /// For a two-digit year: the start of its century.
    short: Option<DateTime>,
    month: Option<u32>,
    day: Option<u32>,
    year_day: Option<u32>,
    weekday: Option<u32>,
    hour: Option<u32>,
    half_hour: Option<u32>,
    afternoon: bool,
    minute: u32,
    second: u32,
    fraction: bool,
    /// Seconds east of UTC.
    offset: Option<i64>,
}

impl Form {
    pub fn parse(source: &str, ty: CellType) -> Result<Form, PatternError> {
        if let Some(instead) = from_strftime(source) {
            return Err(PatternError::new(PatternErrorKind::Letters, 0..source.len()).with_suggestion(instead));
        }
        let items = parse_items(source)?;
        let fields: Vec<(usize, Field, usize)> = items
            .iter()
            .filter_map(|(at, item)| match item {
                Item::Field(field, letters) => Some((*at, *field, *letters)),
                Item::Text(_) => None,
            })
            .collect();
        let error_at = |kind, (at, _, letters): (usize, Field, usize)| PatternError::new(kind, at..at + letters);
        let error = |kind, field| Err(error_at(kind, field));
        for (index, this) in fields.iter().enumerate() {
            let before = fields.get(..index).unwrap_or_default();
            if before.iter().any(|(_, field, _)| field.part() == this.1.part()) {
                // `HH:MM`: the second month is minutes.
                let is_minutes =
                    this.1.part() == Part::Month && before.iter().any(|(_, field, _)| field.part() == Part::Hour);
                let error = error_at(PatternErrorKind::Again, *this);
                return Err(if is_minutes { error.with_replacement(source, "mm") } else { error });
            }
        }
        let has = |part: Part| fields.iter().find(|(_, field, _)| field.part() == part).copied();
        let all = 0..source.len();
        if let Some(time) = fields.iter().find(|(_, field, _)| is_time(field.part())).filter(|_| ty == CellType::Date) {
            // `yyyy-mm-dd`: minutes instead of months.
            let months = time.1 == Field::Minute && has(Part::Month).is_none() && has(Part::Hour).is_none();
            let error = error_at(PatternErrorKind::NotOfDate, *time);
            return Err(if months { error.with_replacement(source, "MM") } else { error });
        }
        if has(Part::Year).is_none() {
            return Err(PatternError::new(PatternErrorKind::Drops(Dropped::Year), all));
        }
        let year_day = |field: Field| matches!(field, Field::YearDay | Field::PaddedYearDay);
        let half = |field: Field| matches!(field, Field::HalfHour | Field::PaddedHalfHour);
        if let Some(day) = has(Part::Day) {
            match has(Part::Month) {
                Some(month) if year_day(day.1) => return error(PatternErrorKind::Again, choose_later(month, day)),
                None if !year_day(day.1) => return error(PatternErrorKind::Needs("MM"), day),
                _ => {}
            }
        }
        match (has(Part::Hour), has(Part::HalfDay)) {
            (Some(hour), None) if half(hour.1) => return error(PatternErrorKind::Needs("a"), hour),
            (Some(hour), Some(noon)) if !half(hour.1) => {
                return error(PatternErrorKind::Again, choose_later(noon, hour));
            }
            (None, Some(noon)) => return error(PatternErrorKind::Needs("h"), noon),
            _ => {}
        }
        for (part, needed, name) in
            [(Part::Minute, Part::Hour, "HH"), (Part::Second, Part::Minute, "mm"), (Part::Fraction, Part::Second, "ss")]
        {
            if let (Some(field), None) = (has(part), has(needed)) {
                return error(PatternErrorKind::Needs(name), field);
            }
        }
        if let Some(offset) = has(Part::Offset) {
            if has(Part::Hour).is_none() {
                return error(PatternErrorKind::Needs("HH"), offset);
            }
            if fields.iter().any(|field| is_time(field.1.part()) && field.0 > offset.0) {
                return error(PatternErrorKind::OffsetBefore, offset);
            }
        }
        // A time requires a date.
        if let (Some(hour), None) = (has(Part::Hour), has(Part::Day)) {
            return error(PatternErrorKind::Needs("dd"), hour);
        }
        check_separable(&items)?;
        Ok(Form { items: items.into_iter().map(|(_, item)| item).collect(), first_short: None })
    }

    /// Returns the same form, in which two digits mean a year of the century that begins at this datetime.
    pub fn with_first_short(self, first: DateTime) -> Form {
        Form { first_short: Some(first), ..self }
    }

    /// Checks whether two digits mean a year.
    fn has_short_year(&self) -> bool {
        self.items.iter().any(|item| matches!(item, Item::Field(Field::ShortYear, _)))
    }

    /// Checks whether two digits mean a year of 1970 to 2069, because the values are unknown.
    pub fn is_year_guessed(&self) -> bool {
        self.first_short.is_none() && self.has_short_year()
    }

    /// Returns the parts that are known before a text is read.
    fn start_parts(&self) -> Parts {
        Parts { short: self.has_short_year().then_some(self.first_short.unwrap_or(FIRST_SHORT)), ..Parts::default() }
    }

    pub fn read(&self, text: &str, ty: CellType) -> Result<Value, Misfit> {
        let parts = fit_items(&self.items, text, self.start_parts()).ok_or(Misfit::Unwritten)?;
        let moment = parts.resolve_datetime().ok_or(Misfit::NoSuchDay)?;
        if parts.fraction {
            return Err(Misfit::Fraction);
        }
        Ok(if ty == CellType::Date { Value::Date(moment.date()) } else { Value::DateTime(moment) })
    }

    pub fn write(&self, value: &Value, out: &mut String) -> Option<()> {
        let moment = match value {
            Value::Date(date) => DateTime::new(*date, 0, 0, 0)?,
            Value::DateTime(moment) => *moment,
            _ => return None,
        };
        let (start, day) = (out.len(), moment.date().to_ymd());
        for item in &self.items {
            match item {
                Item::Text(text) => out.push_str(text),
                Item::Field(field, _) => write_field(*field, (day, moment), out)?,
            }
        }
        // Parts that the pattern omits must equal the defaults of reading.
        if self.is_whole(value) {
            return Some(());
        }
        let parts = fit_items(&self.items, out.get(start..)?, self.start_parts())?;
        (parts.resolve_datetime()? == moment).then_some(())
    }

    /// Checks whether a value is written completely, in numbers of fixed length; then it is always read back unchanged.
    fn is_whole(&self, value: &Value) -> bool {
        let has =
            |wanted: Field| self.items.iter().any(|item| matches!(item, Item::Field(field, _) if *field == wanted));
        let all: &[Field] = match value {
            Value::Date(_) => &[Field::Year, Field::PaddedMonth, Field::PaddedDay],
            _ => &[Field::Year, Field::PaddedMonth, Field::PaddedDay, Field::PaddedHour, Field::Minute, Field::Second],
        };
        let fields = self.items.iter().filter(|item| matches!(item, Item::Field(..)));
        fields.count() == all.len() && all.iter().all(|field| has(*field))
    }

    /// Checks whether it has hours and minutes.
    pub fn has_minutes(&self) -> bool {
        let has =
            |part: Part| self.items.iter().any(|item| matches!(item, Item::Field(field, _) if field.part() == part));
        has(Part::Hour) && has(Part::Minute)
    }

    pub fn check_writing(&self, ty: CellType, all: Range<usize>) -> Result<(), PatternError> {
        let error = |kind| Err(PatternError::new(kind, all.clone()));
        let fields = || {
            self.items.iter().filter_map(|item| match item {
                Item::Field(field, _) => Some(*field),
                Item::Text(_) => None,
            })
        };
        if fields().any(|field| matches!(field, Field::YearDay | Field::PaddedYearDay | Field::Fraction)) {
            return error(PatternErrorKind::OnlyRead);
        }
        let has = |part: Part| fields().any(|field| field.part() == part);
        if !has(Part::Month) {
            return error(PatternErrorKind::Drops(Dropped::Month));
        }
        if !has(Part::Day) {
            return error(PatternErrorKind::Drops(Dropped::Day));
        }
        if ty == CellType::DateTime && !(has(Part::Hour) && has(Part::Minute) && has(Part::Second)) {
            return error(PatternErrorKind::Drops(Dropped::Time));
        }
        Ok(())
    }
}

/// Returns the field that is later in the pattern.
fn choose_later(a: (usize, Field, usize), b: (usize, Field, usize)) -> (usize, Field, usize) {
    if a.0 > b.0 { a } else { b }
}

fn is_time(part: Part) -> bool {
    matches!(part, Part::Hour | Part::Minute | Part::Second | Part::HalfDay | Part::Fraction | Part::Offset)
}

/// Checks runs of digits: at most one adjacent number may have a variable length; otherwise a text could be read in two ways.
fn check_separable(items: &[(usize, Item)]) -> Result<(), PatternError> {
    let mut open: Option<usize> = None;
    for (at, item) in items {
        match item {
            Item::Field(field, letters) => match field.find_digit_bounds(*letters) {
                Some((least, most)) if least < most => {
                    if let Some(first) = open.replace(*at) {
                        return Err(PatternError::new(PatternErrorKind::Touching, first..at + letters));
                    }
                }
                Some(_) => {}
                None => open = None,
            },
            Item::Text(text) if is_all_digits(text) => {}
            Item::Text(_) => open = None,
        }
    }
    Ok(())
}

/// Matches a text with the pieces and returns its parts.
fn fit_items(items: &[Item], text: &str, parts: Parts) -> Option<Parts> {
    let Some((item, rest)) = items.split_first() else { return text.is_empty().then_some(parts) };
    match item {
        Item::Text(fixed) => fit_items(rest, text.strip_prefix(fixed.as_str())?, parts),
        Item::Field(field, _) if field.part() == Part::Offset => {
            let mut offsets = field.read_offsets(text);
            offsets.find_map(|(length, seconds)| {
                fit_items(rest, text.get(length..)?, Parts { offset: Some(seconds), ..parts })
            })
        }
        Item::Field(field, letters) => match field.find_digit_bounds(*letters) {
            Some((least, most)) if least == most => {
                let (digits, tail) = text.split_at_checked(most).filter(|(digits, _)| is_all_digits(digits))?;
                fit_items(rest, tail, parts.with_number(*field, digits)?)
            }
            Some((least, most)) => {
                let there = text.bytes().take(most).take_while(u8::is_ascii_digit).count();
                (least..=there).rev().find_map(|length| {
                    let (digits, tail) = text.split_at_checked(length)?;
                    fit_items(rest, tail, parts.with_number(*field, digits)?)
                })
            }
            None => field.names().iter().zip(0u32..).find_map(|(name, index)| {
                let name = field.abbreviate_name(name);
                let (head, tail) = text.split_at_checked(name.len())?;
                if !head.eq_ignore_ascii_case(name) {
                    return None;
                }
                fit_items(rest, tail, parts.with_name(*field, index))
            }),
        },
    }
}

impl Parts {
    fn with_number(mut self, field: Field, digits: &str) -> Option<Parts> {
        if field == Field::Fraction {
            self.fraction = digits.bytes().any(|byte| byte != b'0');
            return Some(self);
        }
        // A number has at most four digits, those of a year.
        let number = digits.bytes().fold(0, |number, digit| number * 10 + u32::from(digit - b'0'));
        let year = i32::try_from(number).ok()?;
        match field {
            Field::Year | Field::ShortYear => self.year = Some(year),
            Field::YearDay | Field::PaddedYearDay => self.year_day = Some(number),
            Field::HalfHour | Field::PaddedHalfHour => self.half_hour = Some(number),
            _ => match field.part() {
                Part::Month => self.month = Some(number),
                Part::Day => self.day = Some(number),
                Part::Hour => self.hour = Some(number),
                Part::Minute => self.minute = number,
                Part::Second => self.second = number,
                _ => {}
            },
        }
        Some(self)
    }

    fn with_name(mut self, field: Field, index: u32) -> Parts {
        match field.part() {
            Part::Month => self.month = Some(index + 1),
            Part::Weekday => self.weekday = Some(index + 1),
            _ => self.afternoon = index == 1,
        }
        self
    }

    /// Returns the year. A two-digit year is the one in which the datetime is not before the start of the century.
    fn resolve_year(&self) -> Option<i32> {
        let year = self.year?;
        let Some(first) = self.short else { return Some(year) };
        let (date, (hour, minute, second)) = (first.date(), first.time());
        let (first_year, month, day) = date.to_ymd();
        let year = first_year + (year - first_year).rem_euclid(100);
        let own_day = match self.year_day {
            // The day matters only in the first year of the century.
            Some(day) => (0, day),
            None => (self.month.unwrap_or(1), self.day.unwrap_or(1)),
        };
        let first_day = match self.year_day {
            Some(_) => (0, u32::try_from(date.0 - Date::new(first_year, 1, 1)?.0).ok()? + 1),
            None => (u32::from(month), u32::from(day)),
        };
        let time = |hour: u8| u32::from(hour);
        let own = (own_day, self.resolve_hour(), self.minute, self.second);
        let is_before = year == first_year && own < (first_day, Some(time(hour)), time(minute), time(second));
        Some(if is_before { year + 100 } else { year })
    }

    /// Returns the hour of the day; `None` for an hour that does not exist.
    fn resolve_hour(&self) -> Option<u32> {
        match self.half_hour {
            Some(hour) if !(1..=12).contains(&hour) => None,
            Some(hour) => Some(hour % 12 + if self.afternoon { 12 } else { 0 }),
            None => Some(self.hour.unwrap_or(0)),
        }
    }

    /// Returns the datetime in UTC, if it exists in the calendar; omitted parts have their first value.
    fn resolve_datetime(&self) -> Option<DateTime> {
        let year = self.resolve_year()?;
        let Some(offset) = self.offset else { return self.resolve_in_year(year) };
        let in_utc = |year: i32| {
            let moment = DateTime(self.resolve_in_year(year)?.0.checked_sub(offset)?);
            (Date::MIN..=Date::MAX).contains(&moment.date()).then_some(moment)
        };
        match self.short {
            None => in_utc(year),
            // The century begins in UTC.
            Some(first) => [year - 100, year, year + 100]
                .into_iter()
                .find_map(|year| in_utc(year).filter(|moment| *moment >= first)),
        }
    }

    /// Returns the datetime of a year as it is written, without its offset.
    fn resolve_in_year(&self, year: i32) -> Option<DateTime> {
        let small = |number: u32| u8::try_from(number).ok();
        let date = match self.year_day {
            Some(day) => {
                let first = Date::new(year, 1, 1)?;
                let days = i32::try_from(day).ok()?.checked_sub(1)?;
                Some(Date(first.0.checked_add(days)?)).filter(|date| days >= 0 && date.to_ymd().0 == year)?
            }
            None => Date::new(year, small(self.month.unwrap_or(1))?, small(self.day.unwrap_or(1))?)?,
        };
        if self.weekday.is_some_and(|weekday| weekday != u32::from(date.weekday())) {
            return None;
        }
        DateTime::new(date, small(self.resolve_hour()?)?, small(self.minute)?, small(self.second)?)
    }
}

/// Appends a part of a datetime, whose year, month, and day are given. Whether two digits identify its year is checked when it is read. `None` for a
/// part that can only be read.
fn write_field(field: Field, ((year, month, day), moment): ((i32, u8, u8), DateTime), out: &mut String) -> Option<()> {
    let (hour, minute, second) = moment.time();
    let half = if hour % 12 == 0 { 12 } else { hour % 12 };
    let named = |index: u8| {
        let name = field.names().get(usize::from(index)).copied()?;
        Some(field.abbreviate_name(name))
    };
    match field {
        Field::Year => {
            // Years have at most four digits.
            let year = u16::try_from(year).ok().filter(|year| *year <= 9999)?;
            push_two_digits((year / 100) as u8, out);
            push_two_digits((year % 100) as u8, out);
        }
        Field::ShortYear => push_two_digits(u8::try_from(year.rem_euclid(100)).ok()?, out),
        Field::YearDay | Field::PaddedYearDay | Field::Fraction => return None,
        Field::Month => push_digits(month, out),
        Field::PaddedMonth => push_two_digits(month, out),
        Field::MonthName | Field::LongMonthName => out.push_str(named(month.checked_sub(1)?)?),
        Field::Day => push_digits(day, out),
        Field::PaddedDay => push_two_digits(day, out),
        Field::Weekday | Field::LongWeekday => out.push_str(named(moment.date().weekday().checked_sub(1)?)?),
        Field::Hour => push_digits(hour, out),
        Field::PaddedHour => push_two_digits(hour, out),
        Field::HalfHour => push_digits(half, out),
        Field::PaddedHalfHour => push_two_digits(half, out),
        Field::Minute => push_two_digits(minute, out),
        Field::Second => push_two_digits(second, out),
        Field::HalfDay => out.push_str(named(u8::from(hour >= 12))?),
        Field::Offset | Field::ShortOffset => out.push('Z'),
    }
    Some(())
}

/// Appends a number below 100 with two digits.
fn push_two_digits(number: u8, out: &mut String) {
    out.push(char::from(b'0' + number / 10 % 10));
    out.push(char::from(b'0' + number % 10));
}

/// Appends a number below 100 without padding.
fn push_digits(number: u8, out: &mut String) {
    if number < 10 { out.push(char::from(b'0' + number)) } else { push_two_digits(number, out) }
}

/// Converts a pattern of C's `strftime` to one of these; `None` if it is not one.
fn from_strftime(source: &str) -> Option<String> {
    let mut out = String::new();
    let mut chars = source.chars();
    let mut any = false;
    while let Some(char) = chars.next() {
        if char != '%' {
            if char.is_alphabetic() {
                out.push_str(&format!("'{char}'"));
            } else {
                out.push(char);
            }
            continue;
        }
        any = true;
        out.push_str(match chars.next()? {
            'Y' => "yyyy",
            'y' => "yy",
            'm' => "MM",
            'd' => "dd",
            'B' => "MMMM",
            'b' | 'h' => "MMM",
            'A' => "EEEE",
            'a' => "EEE",
            'H' => "HH",
            'I' => "hh",
            'M' => "mm",
            'S' => "ss",
            'p' => "a",
            'j' => "DDD",
            'f' => "SSSSSS",
            'F' => "yyyy-MM-dd",
            'T' => "HH:mm:ss",
            'z' => "X",
            _ => return None,
        });
    }
    any.then_some(out)
}
