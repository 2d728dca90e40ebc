//! `other_notation`: the prompt says that files write the day before the month, or points between thousands, and their declaration says otherwise.

use hir::read_tables::find_date_order;
use hir::types::TyKind;
use model::Value;
use model::functions::{DAY, MONTH, YEAR};

use super::shown::{FileColumn, FileColumns};
use super::tokens::{Found, Token};
use super::wording::Wording;
use crate::context::report_once;
use hir::ColumnSource;
use syntax::diagnostics::{Code, Diagnostic};
use syntax::prompts::english::marks::{COMMA_DECIMALS, DATE_PARTS, FIRST_PARTS, POINT_DECIMALS, WISHES, WISHING};

/// The order of dates in their usual form.
const ISO: &str = "yMd";

/// Compares what a wording says of dates and numbers in files with how their columns are declared.
pub(super) fn report_notations<'a>(
    wording: &Wording<'_, 'a>,
    columns: &FileColumns<'_, 'a>,
    said: &mut Vec<Diagnostic>,
) {
    // An answer that puts a date together has the order that the wording tells.
    let is_built = || columns.is_answer_with_all(&[DAY, MONTH, YEAR]);
    if let Some(new) = check_dates(wording, columns).filter(|_| !is_built()) {
        report_once(new, said);
    }
    if let Some(new) = check_numbers(wording, columns) {
        report_once(new, said);
    }
}

/// Compares the only order of dates that a wording tells with the columns of dates, if none of them has it.
fn check_dates(wording: &Wording<'_, '_>, columns: &FileColumns<'_, '_>) -> Option<Diagnostic> {
    let told: Vec<Found<&str>> =
        find_orders(wording).into_iter().filter(|found| is_about_files(wording, found.start)).collect();
    let (first, rest) = told.split_first()?;
    if rest.iter().any(|other| other.means != first.means) {
        return None;
    }
    let dates = columns.list().iter().filter(|own| matches!(own.column.ty.kind, TyKind::Date | TyKind::DateTime));
    let orders: Option<Vec<(String, &FileColumn<'_>)>> =
        dates.map(|own| Some((find_column_order(own)?, own))).collect();
    let orders = orders?;
    let is_other = |order: &str| !is_same_order(order, first.means);
    let (order, column) = orders.iter().find(|(_, own)| own.is_read).or(orders.first())?;
    if !orders.iter().all(|(order, _)| is_other(order)) {
        return None;
    }
    let what = match (order.as_str(), column.is_given) {
        (ISO, _) => "dates such as 2024-03-01",
        (order, true) if order.starts_with('M') => "the month before the day",
        (order, false) if order.starts_with('M') => "the month before the day",
        _ => "the day before the month",
    };
    let verb = if column.is_given { "reads" } else { "writes" };
    Some(build_diagnostic(wording, first.start, first.end, column, &format!("`{}` {verb} {what}", column.name)))
}

/// Whether a token is in a sentence about files: not about the reply.
pub(super) fn is_about_files(wording: &Wording<'_, '_>, at: usize) -> bool {
    let sentence = wording.text.tokens.get(at).map(|token| token.sentence);
    let tokens = &wording.text.tokens;
    // "Amounts like 1.234,50" are an example; "we like" is a wish.
    let is_example = |at: usize| {
        let before = at.checked_sub(1).and_then(|at| tokens.get(at));
        !before.is_some_and(|token| token.is_any(WISHING))
    };
    let is_wish = |(at, token): (usize, &Token<'_>)| {
        Some(token.sentence) == sentence && token.is_any(WISHES) && !(token.is_word("like") && is_example(at))
    };
    !wording.is_about_reply(at) && !tokens.iter().enumerate().any(is_wish)
}

/// Finds the orders of the parts of dates in a wording: "day/month/year", "DD.MM.YYYY", "month first".
fn find_orders(wording: &Wording<'_, '_>) -> Vec<Found<&'static str>> {
    let text = &wording.text;
    // "DAY first" is about a column.
    let is_column = |start: usize| {
        text.tokens
            .get(start)
            .is_some_and(|token| token.quoted || token.text.len() > 1 && token.text.to_uppercase() == token.text)
    };
    let firsts = text.find_phrases(&FIRST_PARTS);
    let mut found: Vec<Found<&'static str>> = firsts
        .into_iter()
        .filter(|found| !is_column(found.start))
        .map(|found| Found { start: found.start, end: found.end, means: if found.means == 'd' { "dM" } else { "Md" } })
        .collect();
    for start in 0..text.tokens.len() {
        let Some((end, order)) = read_order(wording, start) else { continue };
        let known = ["dMy", "Mdy", "yMd", "ydM"].into_iter().find(|known| *known == order);
        found.extend(known.map(|means| Found { start, end, means }));
    }
    found
}

/// The order that begins at a token: three different parts of a date, with the same mark between them.
fn read_order(wording: &Wording<'_, '_>, start: usize) -> Option<(usize, String)> {
    let mut order = String::new();
    let mut at = start;
    let mut marks = Vec::new();
    loop {
        let token = wording.text.tokens.get(at)?;
        let (_, part) = DATE_PARTS.iter().find(|(word, _)| token.is_word(word))?;
        if order.contains(*part) {
            return None;
        }
        order.push(*part);
        at += 1;
        if order.len() == 3 {
            // "Day, month, and year" lists columns.
            return marks.iter().all(|mark: &&str| mark.is_empty() || ["/", "."].contains(mark)).then_some((at, order));
        }
        let mark = wording.text.tokens.get(at).map_or("", |token| token.text.as_str());
        let is_mark = matches!(mark, "/" | "." | ",");
        marks.push(if is_mark { mark } else { "" });
        at += usize::from(is_mark);
    }
}

/// Checks whether dates in one order fit what a wording says of them.
fn is_same_order(order: &str, told: &str) -> bool {
    let kept: String = order.chars().filter(|part| told.contains(*part)).collect();
    kept == told
}

/// Finds the order in which a column has the parts of a date, if it is one, and the month is a number.
fn find_column_order(column: &FileColumn<'_>) -> Option<String> {
    if column.written.is_empty() && column.noise.is_empty() {
        return Some(ISO.to_owned());
    }
    let patterns = column.written.iter().chain(column.noise.iter().map(|(pattern, _)| pattern));
    let orders: Option<Vec<String>> = patterns.map(|pattern| find_date_order(pattern)).collect();
    let orders = orders?;
    let first = orders.first()?.clone();
    orders.iter().all(|order| *order == first).then_some(first)
}

/// The mark before decimals.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Mark {
    Comma,
    Point,
}

/// Compares the mark before decimals that a wording tells with the columns of numbers, if all that show one have the other.
fn check_numbers(wording: &Wording<'_, '_>, columns: &FileColumns<'_, '_>) -> Option<Diagnostic> {
    let find = |phrases: &[&'static str]| {
        let phrases: Vec<(&str, ())> = phrases.iter().map(|phrase| (*phrase, ())).collect();
        wording.text.find_phrases(&phrases).into_iter().find(|found| is_about_files(wording, found.start))
    };
    let (told, mark) = match (find(&COMMA_DECIMALS), find(&POINT_DECIMALS)) {
        (Some(found), None) => (found, Mark::Comma),
        (None, Some(found)) => (found, Mark::Point),
        _ => return None,
    };
    let marks: Vec<(Mark, &FileColumn<'_>)> =
        columns.list().iter().filter_map(|own| Some((find_column_mark(own)?, own))).collect();
    let (_, column) = marks.iter().find(|(_, own)| own.is_read)?;
    if marks.iter().any(|(own, _)| *own == mark) {
        return None;
    }
    let what = match mark {
        Mark::Comma => "numbers with a decimal point",
        Mark::Point => "numbers with a decimal comma",
    };
    let verb = if column.is_given { "reads" } else { "writes" };
    Some(build_diagnostic(wording, told.start, told.end, column, &format!("`{}` {verb} {what}", column.name)))
}

/// Finds the mark before decimals of a column, if its patterns or numbers show one.
fn find_column_mark(column: &FileColumn<'_>) -> Option<Mark> {
    if !column.column.ty.is_number() {
        return None;
    }
    let of_patterns: Vec<Mark> = column
        .written
        .iter()
        .chain(column.noise.iter().map(|(pattern, _)| pattern))
        .filter_map(|pattern| find_pattern_mark(pattern))
        .collect();
    if let Some(first) = of_patterns.first() {
        return of_patterns.iter().all(|mark| mark == first).then_some(*first);
    }
    // Without a pattern, a point is before decimals.
    let ColumnSource::Given(given) = &column.column.source else { return None };
    let has_places =
        given.cells.values.iter().any(|value| matches!(value, Value::Decimal(number) if number.places() > 0));
    (column.written.is_empty() && has_places).then_some(Mark::Point)
}

fn find_pattern_mark(pattern: &str) -> Option<Mark> {
    let is_digit = |c: char| matches!(c, '0' | '#');
    let (first, last) = (pattern.find(is_digit)?, pattern.rfind(is_digit)?);
    let digits = pattern.get(first..=last)?;
    if digits.contains("#.##0") || digits.contains("#'##0,") {
        return Some(Mark::Comma);
    }
    if digits.contains("#,##0") {
        return Some(Mark::Point);
    }
    match (digits.contains(','), digits.contains('.')) {
        (true, false) => Some(Mark::Comma),
        (false, true) => Some(Mark::Point),
        _ => None,
    }
}

fn build_diagnostic(
    wording: &Wording<'_, '_>,
    start: usize,
    end: usize,
    column: &FileColumn<'_>,
    what: &str,
) -> Diagnostic {
    let words = wording.quote(start, end);
    let message = format!("the prompt says `{words}`, but {what}");
    Diagnostic::new(Code::OTHER_NOTATION, message, wording.locate(start, end), "said here")
        .label(column.at, "declared here")
        .help("look at the files, and correct the declaration or the prompt")
}
