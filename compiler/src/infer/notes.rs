//! What an author should know of a column that is guessed, in words: comments of a declaration, and notes of E0507.

use model::value::grouped;
use tables::guess::Mark;
use tables::{CellType, Cut, Fault, Kind, Left, Seen, Unreadable, Way};

use crate::syntax::string::{list, string};

/// No longer texts are quoted.
const MOST_CHARS: usize = 40;

/// What was seen of a column.
pub(crate) fn words(seen: &Seen) -> String {
    match seen {
        Seen::Missing(marks) => format!("null: {}", counted(marks)),
        Seen::Others { texts, of, way, missing } => {
            let (what, of, styled) = (kind(way.ty), cells(*of), styled(way, missing));
            format!("not {what}: {}, of {of}. If they mean that nothing is known: {styled}", counted(texts))
        }
        Seen::Marked { mark, text, count, of } => {
            let around = quoted(text);
            let may = match mark {
                Mark::Sign => "may be a sign",
                Mark::Scale => "may multiply it",
                Mark::Limit => "may make it a limit",
            };
            format!("text around the number, such as {around}, {may}: {} of {}", grouped(*count as u64), cells(*of))
        }
        Seen::Differ { texts, way } => {
            let each = texts.iter().map(|(text, count)| match text.as_str() {
                "" => format!("nothing ({})", cells(*count)),
                text => format!("{} ({})", quoted(text), cells(*count)),
            });
            let each: Vec<String> = each.collect();
            let seen = format!("around the numbers: {}", each.join(", "));
            match way {
                Some(way) => format!("{seen}. If that means nothing: {}", styled(way, &[])),
                None => seen,
            }
        }
        Seen::Percent(count) => format!("`%` divides by 100: {}", cells(*count)),
        Seen::Either { first, second, .. } => format!("`{first}` and `{second}` both match: choose one"),
        Seen::Grouped { cell, grouped, decimal } => {
            let (grouped, decimal) = (styled(grouped, &[]), styled(decimal, &[]));
            format!("{} has two readings: {grouped} if digits are grouped, {decimal} if not", quoted(cell))
        }
        Seen::Rounded => "more than 15 digits: SQL would round a decimal".to_owned(),
        Seen::Long => "whole numbers of more digits than an int".to_owned(),
        Seen::Merged(first, second) => format!("{} and {} would be one value", quoted(first), quoted(second)),
    }
}

/// A column that is left out, since some of its cells cannot be read.
pub(super) fn left_out(title: &str, at: usize, count: usize, odd: &Unreadable) -> String {
    let name = if title.is_empty() { format!("column {}", at + 1) } else { one_line(title) };
    let null = match odd.cell.as_str() {
        "" => String::new(),
        cell => format!(". To make it null: as missing [{}]", string(cell)),
    };
    format!("left out: {name}, {} cannot be read: {}{null}", cells(count), one_line(&odd.message))
}

/// The records that are not rows.
pub(super) fn of_cut(cut: &Cut) -> Vec<String> {
    let told = |left: &Left, place: &str| {
        let shown = left.shown.first()?;
        let rows = if left.records == 1 { "1 row".to_owned() } else { format!("{} rows", left.records) };
        Some(format!("not read: {rows} {place}, the first in line {}: {}", shown.line, one_line(&shown.text)))
    };
    [told(&cut.above, "above the header"), told(&cut.below, "below the table")].into_iter().flatten().collect()
}

/// A row that has more fields than the header.
pub(super) fn too_long(fault: &Fault, path: &str) -> Option<Unreadable> {
    let Kind::TooLong { cells, header } = &fault.kind else { return None };
    let message = format!("line {} of `{path}` has {cells} fields, but its header has {header}", fault.line);
    Some(Unreadable::new(message, "correct the line: put a field that has the delimiter in it in double quotes"))
}

/// What the values of a type are called.
fn kind(ty: CellType) -> &'static str {
    match ty {
        CellType::Int | CellType::Decimal(_) | CellType::Float => "numbers",
        CellType::Date => "dates",
        CellType::DateTime => "datetimes",
        CellType::Bool => "bools",
        CellType::Text => "texts",
    }
}

/// Texts, each with its number of cells.
fn counted(texts: &[(String, usize)]) -> String {
    let each: Vec<String> = texts.iter().map(|(text, count)| format!("{} ({})", quoted(text), cells(*count))).collect();
    each.join(", ")
}

fn cells(count: usize) -> String {
    if count == 1 { "1 cell".to_owned() } else { format!("{} cells", grouped(count as u64)) }
}

/// A text in quotes, on one line.
fn quoted(text: &str) -> String {
    string(&cut(text))
}

/// A text of a file in a comment: on one line, cut short.
fn one_line(text: &str) -> String {
    cut(text).chars().map(|char| if char.is_control() { ' ' } else { char }).collect()
}

fn cut(text: &str) -> String {
    let short: String = text.chars().take(MOST_CHARS).collect();
    if short.len() < text.len() { format!("{short}…") } else { short }
}

/// A type with patterns and null marks, as a column declares them.
fn styled(way: &Way, missing: &[String]) -> String {
    let mut out = way.ty.name().to_owned();
    if !(way.written.is_empty() && missing.is_empty()) {
        out.push_str(" as");
    }
    for pattern in &way.written {
        out.push_str(&format!(" written {}", string(pattern)));
    }
    if !missing.is_empty() {
        out.push_str(&format!(" missing {}", list(missing)));
    }
    out
}
