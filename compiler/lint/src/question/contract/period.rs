//! Periods: "the first quarter of 2024", "May 2024", against the days between which a query selects.

use model::{Date, Duration, Value};

use super::tokens::{Kind, Text};
use sql::lex::{self, tokenize_sql};
use syntax::prompts::Language;

/// The days of a period, both included.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Period {
    /// The first day.
    pub first: Date,
    /// The last day.
    pub last: Date,
}

/// A period in a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Told {
    /// The index of its first token.
    pub start: usize,
    /// The index of the token after it.
    pub end: usize,
    /// Its days.
    pub period: Period,
}

impl Period {
    /// The period of some months of a year, from 1.
    fn from_months(year: i64, first: usize, count: usize) -> Option<Period> {
        let after = first + count;
        let (next_year, next) = if after > 12 { (year + 1, after - 12) } else { (year, after) };
        let begin = |year: i64, month: usize| Date::parse_iso(&format!("{year:04}-{month:02}-01"));
        Some(Period { first: begin(year, first)?, last: shift(begin(next_year, next)?, -1)? })
    }

    /// Whether a query selects other days. One day more at the end can be the midnight after the last day.
    pub fn differs_from(self, selected: Period) -> bool {
        let is_midnight = shift(self.last, 1) == Some(selected.last);
        self.first != selected.first || self.last != selected.last && !is_midnight
    }
}

impl Period {
    /// Whether a day of it is in a year.
    pub fn is_in_year(self, year: i64) -> bool {
        let of = |day: Date| i64::from(day.to_ymd().0);
        (of(self.first)..=of(self.last)).contains(&year)
    }
}

/// A day some days later.
fn shift(day: Date, days: i64) -> Option<Date> {
    day.checked_add(Duration::from_days(days))
}

/// Finds the only period of a text. `None` if a word before it says that it only begins or ends something.
pub(super) fn find_period(text: &Text<'_>, language: &Language) -> Option<Told> {
    let mut found = (0..text.tokens.len()).filter_map(|at| read_period(text, language, at));
    let told = found.next()?;
    if found.next().is_some() {
        return None;
    }
    let mut before = text.tokens.get(..told.start)?.iter().rev().filter(|token| !token.is_any(language.fillers));
    let is_in = before.next().is_some_and(|token| token.is_any(language.within));
    is_in.then_some(told)
}

fn read_period(text: &Text<'_>, language: &Language, at: usize) -> Option<Told> {
    if let Some((year, end)) = read_year(text, at).filter(|_| is_whole_year(text, language, at)) {
        return Some(Told { start: at, end, period: Period::from_months(year, 1, 12)? });
    }
    let token = text.tokens.get(at).filter(|token| matches!(token.kind, Kind::Word))?;
    let place = |words: &[&str]| words.iter().position(|word| token.lower == *word);
    if let Some(month) = place(language.months) {
        let (year, end) = read_year(text, at + 1)?;
        return Some(Told { start: at, end, period: Period::from_months(year, month + 1, 1)? });
    }
    if let Some(quarter) = place(&["q1", "q2", "q3", "q4"]) {
        let (year, end) = read_year(text, at + 1)?;
        return Some(Told { start: at, end, period: Period::from_months(year, quarter * 3 + 1, 3)? });
    }
    let ordinal = language.ordinals.iter().position(|names| token.is_any(names))?;
    let part = text.tokens.get(at + 1)?;
    let (count, most) = match part.lower.as_str() {
        "quarter" => (3, 4),
        "half" => (6, 2),
        _ => return None,
    };
    let (year, end) = read_year(text, at + 2).filter(|_| ordinal < most)?;
    Some(Told { start: at, end, period: Period::from_months(year, ordinal * count + 1, count)? })
}

/// Whether a year is a period by itself: not in "March 2024", and not one of two years.
fn is_whole_year(text: &Text<'_>, language: &Language, at: usize) -> bool {
    let before = at.checked_sub(1).and_then(|at| text.tokens.get(at));
    let behind = text.tokens.get(at + 1);
    matches!(text.tokens.get(at).map(|token| &token.kind), Some(Kind::Literal(_)))
        && before.is_some_and(|token| token.is_any(language.within) || token.is_word("year"))
        && !behind.is_some_and(|token| token.is_any(&["and", "or", "to", "through", "until", "-", "–", "/"]))
}

/// The year at a token, perhaps after "of", and the index after it.
fn read_year(text: &Text<'_>, at: usize) -> Option<(i64, usize)> {
    let at = if text.tokens.get(at)?.is_word("of") { at + 1 } else { at };
    match text.tokens.get(at)?.kind {
        Kind::Literal(Value::Int(year @ 1900..2100)) => Some((year, at + 1)),
        _ => None,
    }
}

/// Reads the days between which a query selects, if it has exactly two: `>= '2024-01-01' … < '2024-04-01'`, or BETWEEN.
pub(super) fn read_selected_days(query: &str) -> Option<Period> {
    let tokens = tokenize_sql(query);
    let (mut first, mut last) = (Vec::new(), Vec::new());
    for (at, token) in tokens.iter().enumerate().filter(|(_, token)| token.kind == lex::Kind::Text) {
        let text = token.to_unquoted();
        let Some(day) = Date::parse_iso(&text) else {
            let is_time = text.get(..10).and_then(Date::parse_iso).is_some();
            if is_time {
                return None;
            } else {
                continue;
            };
        };
        let before = at.checked_sub(1).and_then(|at| tokens.get(at))?;
        match before.text {
            ">=" => first.push(day),
            ">" => first.push(shift(day, 1)?),
            "<=" => last.push(day),
            "<" => last.push(shift(day, -1)?),
            _ if before.is_keyword("BETWEEN") => first.push(day),
            _ if before.is_keyword("AND") && !first.is_empty() => last.push(day),
            _ => return None,
        }
    }
    match (first.as_slice(), last.as_slice()) {
        ([first], [last]) if first <= last => Some(Period { first: *first, last: *last }),
        _ => None,
    }
}

/// Reads the only year that a query selects by itself: `strftime('%Y', DAY) = '2024'`.
pub(super) fn read_selected_year(query: &str) -> Option<i64> {
    let tokens = tokenize_sql(query);
    let is_of_day = tokens.iter().any(|token| token.to_unquoted() == "%Y");
    let year = |at: usize, token: &lex::Token<'_>| {
        let year: i64 = token.to_unquoted().parse().ok().filter(|year| (1900..2100).contains(year))?;
        let before = at.checked_sub(1).and_then(|at| tokens.get(at))?;
        Some((year, matches!(before.text, "=" | "==")))
    };
    let mut years = tokens.iter().enumerate().filter_map(|(at, token)| year(at, token));
    let (year, is_equal) = years.next().filter(|_| is_of_day && years.next().is_none())?;
    let is_twisted = tokens.iter().any(|token| token.is_any("NOT EXCEPT CASE IIF"));
    (is_equal && !is_twisted).then_some(year)
}
