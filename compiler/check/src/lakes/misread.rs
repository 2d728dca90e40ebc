//! `misread_file`: what a file says of itself, and that its declaration reads otherwise: its encoding, the order of dates in a header, and units in titles.

use std::sync::Arc;

use tables::read::TableData;
use tables::{Encoding, Place};

use super::shape::DeclaredTable;
use super::sources::Source;
use crate::context::Checker;
use hir::read_tables::find_date_order;
use syntax::ast;
use syntax::diagnostics::{Code, Diagnostic};
use syntax::prompts::english::units::UNITS;

impl<'a> Checker<'a> {
    /// Reports a file of UTF-8 that is read in an encoding of one byte for each character. Returns whether it is one.
    pub(super) fn report_other_encoding(
        &mut self,
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
        self.report(said.help("write `encoding \"utf-8\"`"));
        true
    }

    /// Reports columns of dates whose header says another order of day and month than the pattern with which they are read.
    pub(super) fn report_other_date_orders(&mut self, declared: &DeclaredTable<'a>, parts: &[Arc<TableData>]) {
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
            let (Some(own), true) = (orders().next(), orders().all(|order| order.to_lowercase() != told)) else { continue };
            let what = if own.starts_with('M') { "the month first" } else { "the day first" };
            let what = if own.starts_with('y') { "the year first" } else { what };
            let name = &proved.name.text;
            let message = format!("the header of `{name}` says `{form}`, but the dates are read with {what}");
            let said = Diagnostic::new(Code::MISREAD_FILE, message, proved.at, format!("from `{header}`"));
            self.report(said.help("write the pattern in the order that the header says"));
        }
    }

    /// Reports files of one table whose titles differ only in a unit.
    pub(super) fn report_other_units(&mut self, parts: &[Arc<TableData>], sources: &[Source], from: &'a ast::FromDisk) {
        let titles = parts.iter().zip(sources).map(|(part, source)| (list_title_words(part), source));
        let mut titles = titles.filter(|(words, _)| !words.is_empty());
        let Some((first, source)) = titles.next() else { return };
        let other = titles.find_map(|(words, other)| Some((find_other_unit(&first, &words)?, other)));
        let Some(((own, unit), other)) = other else { return };
        let message = format!("`{}` is in `{unit}`, but `{}` is in `{own}`", other.inner, source.inner);
        let said = Diagnostic::new(Code::MISREAD_FILE, message, from.path.span, "read as one table");
        self.report(
            said.note(format!("their titles say so: `{}`, and `{}`", first.join(" "), own_title(&first, &own, &unit)))
                .help("read the files of each unit as a table of its own, and convert one of them"),
        );
    }
}

/// The title with the other unit.
fn own_title(title: &[String], own: &str, unit: &str) -> String {
    title.iter().map(|word| if word == own { unit } else { word }).collect::<Vec<_>>().join(" ")
}

/// The words of the lines above a header.
fn list_title_words(part: &TableData) -> Vec<String> {
    let lines = part.cut.above.shown.iter().flat_map(|shown| shown.text.split_whitespace());
    lines.map(|word| word.trim_matches(|c: char| "()[].,;:".contains(c)).to_owned()).collect()
}

/// The two units by which two titles differ, if nothing else differs but the name of a file.
fn find_other_unit(one: &[String], other: &[String]) -> Option<(String, String)> {
    if one.len() != other.len() {
        return None;
    }
    let mut differing = one.iter().zip(other).filter(|(one, other)| one != other);
    let (first, second) = differing.next().filter(|_| differing.next().is_none())?;
    let find = |word: &str| UNITS.iter().find(|unit| unit.words.contains(&word.to_lowercase().as_str()));
    let (of_first, of_second) = (find(first)?, find(second)?);
    (of_first.measure == of_second.measure && of_first.size != of_second.size)
        .then(|| (first.clone(), second.clone()))
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
