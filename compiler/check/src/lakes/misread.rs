//! `misread_file`: what a file says of itself, and that its declaration reads otherwise: its encoding, and the order of dates in a header.

use std::sync::Arc;

use tables::read::TableData;
use tables::{Encoding, Place};

use super::shape::DeclaredTable;
use super::sources::Source;
use crate::context::Checker;
use hir::read_tables::find_date_order;
use syntax::ast;
use syntax::diagnostics::{Code, Diagnostic};

/// Reports a file of UTF-8 that is read in an encoding of one byte for each character. Returns whether it is one.
pub(super) fn report_other_encoding<'a>(
    cx: &mut Checker<'a>,
    declared: &DeclaredTable<'a>,
    source: &Source,
    bytes: &[u8],
    from: &'a ast::FromDisk,
) -> bool {
    let encoding = declared.shape.layout.encoding;
    let is_single = matches!(encoding, Encoding::Windows1252 | Encoding::Iso8859_1 | Encoding::Iso8859_15);
    let letter = |text: &str| text.chars().find(|c| c.is_alphabetic() && !c.is_ascii());
    let Some(letter) = std::str::from_utf8(bytes).ok().filter(|_| is_single).and_then(letter) else { return false };
    let message = format!("`{}` is encoded in UTF-8, but is read as {}", source.inner, encoding.word());
    let letter = letter.to_string();
    let misread = encoding.decode(letter.as_bytes());
    let said = Diagnostic::new(Code::MISREAD_FILE, message, from.path.span, "read in another encoding");
    let said = match misread {
        Ok(misread) => said.note(format!("its `{letter}` is read as `{misread}`")),
        Err(_) => said,
    };
    cx.report(said.help("write `encoding \"utf-8\"`"));
    true
}

/// Reports columns of dates whose header says another order of day and month than the pattern with which they are read.
pub(super) fn report_other_date_orders<'a>(
    cx: &mut Checker<'a>,
    declared: &DeclaredTable<'a>,
    parts: &[Arc<TableData>],
) {
    let Some(part) = parts.first() else { return };
    for (at, proved) in declared.read.iter().enumerate() {
        let header = match declared.shape.columns.get(at).map(|column| &column.place) {
            Some(Place::Header(header)) => header.as_str(),
            Some(Place::Position(position)) => {
                let index = (*position as usize).checked_sub(1);
                index.and_then(|index| part.header.get(index)).map_or("", String::as_str)
            }
            _ => continue,
        };
        let Some((form, told)) = find_told_order(header) else { continue };
        let patterns = declared.shape.reading(at).map_or(&[][..], |reading| &reading.written);
        let orders = || patterns.iter().filter_map(|pattern| find_date_order(pattern.source()));
        let (Some(own), true) = (orders().next(), orders().all(|order| order.to_lowercase() != told)) else {
            continue;
        };
        let what = if own.starts_with('M') { "the month first" } else { "the day first" };
        let what = if own.starts_with('y') { "the year first" } else { what };
        let name = &proved.name.text;
        let message = format!("the header of `{name}` says `{form}`, but the dates are read with {what}");
        let said = Diagnostic::new(Code::MISREAD_FILE, message, proved.at, format!("from `{header}`"));
        cx.report(said.help("write the pattern in the order that the header says"));
    }
}

/// The order of the parts of dates that a header tells: "Date (m/d/yyyy)".
fn find_told_order(header: &str) -> Option<(&str, String)> {
    let words = header.split(|c: char| c.is_whitespace() || "()[]".contains(c));
    words.into_iter().find_map(|word| {
        let lower = word.to_lowercase();
        let parts: Vec<&str> = lower.split(['/', '.', '-']).collect();
        let letter = |part: &&str| {
            let first = part.chars().next().filter(|first| "dmy".contains(*first))?;
            part.chars().all(|c| c == first).then_some(first)
        };
        let order: Option<String> = parts.iter().map(letter).collect();
        let order = order.filter(|order| order.len() == 3 && "dmy".chars().all(|part| order.contains(part)))?;
        Some((word, order))
    })
}
