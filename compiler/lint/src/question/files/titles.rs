//! `misread_file`: the titles of two files of a table differ only in a unit, and an answer reads their numbers as they are.

use super::given::GivenTable;
use crate::context::report_once;
use hir::ColumnSource;
use hir::read_tables::ReadFile;
use syntax::diagnostics::{Code, Diagnostic};
use syntax::prompts::english::units::UNITS;

pub(super) fn report_other_units(tables: &[GivenTable<'_>], said: &mut Vec<Diagnostic>) {
    for table in tables {
        let Some((first, rest)) = table.files.files.split_first() else { continue };
        let Some((other, (own, unit))) = rest.iter().find_map(|other| Some((other, find_units(first, other)?))) else {
            continue;
        };
        // A computed column can convert the numbers, or tell the files apart.
        let is_plain = table
            .read
            .iter()
            .filter_map(|id| table.own.columns.get(*id))
            .all(|column| matches!(&column.source, ColumnSource::Given(given) if given.read.is_some()));
        let mut numbers =
            table.iter_columns().filter(|(id, column, _)| table.read.contains(id) && column.ty.is_number());
        let Some((_, column, read)) = numbers.next().filter(|_| is_plain) else { continue };
        let message = format!("`{}` is in {own} in `{}`, and in {unit} in `{}`", column.name, first.path, other.path);
        let new = Diagnostic::new(Code::MISREAD_FILE, message, read.at, "read as one unit")
            .note(format!("their titles say so: `{}`, and `{}`", first.title.join(" "), other.title.join(" ")))
            .help("compute a column that converts the numbers of one of the files, by `file.stem`");
        report_once(new, said);
    }
}

/// The two units by which the titles of two files differ, if they differ in nothing else.
fn find_units(one: &ReadFile, other: &ReadFile) -> Option<(&'static str, &'static str)> {
    let (one, other) = (list_words(one), list_words(other));
    if one.len() != other.len() {
        return None;
    }
    let mut differing = one.iter().zip(&other).filter(|(one, other)| one != other);
    let (first, second) = differing.next().filter(|_| differing.next().is_none())?;
    let find = |word: &str| {
        UNITS.iter().find_map(|unit| Some((unit, unit.words.iter().find(|own| **own == word.to_lowercase())?)))
    };
    let ((of_first, first), (of_second, second)) = (find(first)?, find(second)?);
    (of_first.measure == of_second.measure && of_first.size != of_second.size).then_some((first, second))
}

/// The words of the lines above a header.
fn list_words(file: &ReadFile) -> Vec<&str> {
    let words = file.title.iter().flat_map(|line| line.split_whitespace());
    words.map(|word| word.trim_matches(|c: char| "()[].,;:".contains(c))).collect()
}
