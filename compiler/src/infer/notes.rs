//! Notes for the author about inferred columns: comments in a declaration, and notes of E0507.

use model::value::group_digits;
use tables::guess::Mark;
use tables::{CellType, ColumnFormat, ColumnNote, Fault, FaultKind, UnreadRecords, UnreadRegions, Unreadable};

use crate::syntax::string::{quote_list, quote_string};

/// The maximum number of characters of a text that is quoted.
const MAX_CHARS: usize = 40;

/// Describes an observation about a column.
pub(crate) fn describe_seen(seen: &ColumnNote) -> String {
    match seen {
        ColumnNote::Missing(marks) => format!("null: {}", describe_counts(marks)),
        ColumnNote::Others { texts, of, way, missing } => {
            let (what, of, styled) = (describe_type(way.ty), format_cell_count(*of), render_type(way, missing));
            format!("not {what}: {}, of {of}. If they mean that nothing is known: {styled}", describe_counts(texts))
        }
        ColumnNote::Marked { mark, text, count, of } => {
            let around = quote_short(text);
            let may = match mark {
                Mark::Sign => "may be a sign",
                Mark::Scale => "may multiply it",
                Mark::Limit => "may make it a limit",
            };
            format!(
                "text around the number, such as {around}, {may}: {} of {}",
                group_digits(*count as u64),
                format_cell_count(*of)
            )
        }
        ColumnNote::Differ { texts, way } => {
            let each = texts.iter().map(|(text, count)| match text.as_str() {
                "" => format!("nothing ({})", format_cell_count(*count)),
                text => format!("{} ({})", quote_short(text), format_cell_count(*count)),
            });
            let each: Vec<String> = each.collect();
            let seen = format!("around the numbers: {}", each.join(", "));
            match way {
                Some(way) => format!("{seen}. If that means nothing: {}", render_type(way, &[])),
                None => seen,
            }
        }
        ColumnNote::Percent(count) => format!("`%` divides by 100: {}", format_cell_count(*count)),
        ColumnNote::Either { first, second, .. } => format!("`{first}` and `{second}` both match: choose one"),
        ColumnNote::Grouped { cell, grouped, decimal } => {
            let (grouped, decimal) = (render_type(grouped, &[]), render_type(decimal, &[]));
            format!("{} has two readings: {grouped} if digits are grouped, {decimal} if not", quote_short(cell))
        }
        ColumnNote::Rounded => "more than 15 digits: SQL would round a decimal".to_owned(),
        ColumnNote::Long => "whole numbers of more digits than an int".to_owned(),
        ColumnNote::Merged(first, second) => {
            format!("{} and {} would be one value", quote_short(first), quote_short(second))
        }
    }
}

/// Describes a column that is omitted because some of its cells cannot be read.
pub(super) fn describe_left_out(title: &str, at: usize, count: usize, odd: &Unreadable) -> String {
    let name = if title.is_empty() { format!("column {}", at + 1) } else { make_one_line(title) };
    let null = match odd.cell.as_str() {
        "" => String::new(),
        cell => format!(". To make it null: as missing [{}]", quote_string(cell)),
    };
    format!("left out: {name}, {} cannot be read: {}{null}", format_cell_count(count), make_one_line(&odd.message))
}

/// Describes the records that are not rows.
pub(super) fn describe_cut(cut: &UnreadRegions) -> Vec<String> {
    let told = |left: &UnreadRecords, place: &str| {
        let shown = left.shown.first()?;
        let rows = if left.records == 1 { "1 row".to_owned() } else { format!("{} rows", left.records) };
        Some(format!("not read: {rows} {place}, the first in line {}: {}", shown.line, make_one_line(&shown.text)))
    };
    [told(&cut.above, "above the header"), told(&cut.below, "below the table")].into_iter().flatten().collect()
}

/// Reports a row with more fields than the header; `None` for other faults.
pub(super) fn report_long_row(fault: &Fault, path: &str) -> Option<Unreadable> {
    let FaultKind::TooLong { cells, header } = &fault.kind else { return None };
    let message = format!("line {} of `{path}` has {cells} fields, but its header has {header}", fault.line);
    Some(Unreadable::new(message, "correct the line: put a field that has the delimiter in it in double quotes"))
}

/// The word for the values of a type.
fn describe_type(ty: CellType) -> &'static str {
    match ty {
        CellType::Int | CellType::Decimal(_) | CellType::Float => "numbers",
        CellType::Date => "dates",
        CellType::DateTime => "datetimes",
        CellType::Bool => "bools",
        CellType::Text => "texts",
    }
}

/// Renders texts with their numbers of cells.
fn describe_counts(texts: &[(String, usize)]) -> String {
    let each: Vec<String> =
        texts.iter().map(|(text, count)| format!("{} ({})", quote_short(text), format_cell_count(*count))).collect();
    each.join(", ")
}

fn format_cell_count(count: usize) -> String {
    if count == 1 { "1 cell".to_owned() } else { format!("{} cells", group_digits(count as u64)) }
}

/// Renders a text in quotes, on one line.
fn quote_short(text: &str) -> String {
    quote_string(&truncate_text(text))
}

/// Renders a text of a file for a comment: on one line, truncated.
fn make_one_line(text: &str) -> String {
    truncate_text(text).chars().map(|char| if char.is_control() { ' ' } else { char }).collect()
}

fn truncate_text(text: &str) -> String {
    let short: String = text.chars().take(MAX_CHARS).collect();
    if short.len() < text.len() { format!("{short}…") } else { short }
}

/// Renders a type with patterns and null marks, as in the declaration of a column.
fn render_type(way: &ColumnFormat, missing: &[String]) -> String {
    let mut out = way.ty.name().to_owned();
    if !(way.written.is_empty() && missing.is_empty()) {
        out.push_str(" as");
    }
    for pattern in &way.written {
        out.push_str(&format!(" written {}", quote_string(pattern)));
    }
    if !missing.is_empty() {
        out.push_str(&format!(" missing {}", quote_list(missing)));
    }
    out
}
