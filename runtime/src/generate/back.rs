//! What was written, read again: by the reader that follows from the form of the file, and compared with the clean rows.

use std::collections::{HashMap, HashSet};
use std::fmt::Write as _;

use plan::functions::said;
use plan::suite::{ColumnId, FileId, Relation, Style};
use plan::{Val, Value};
use tabular::write::{Checked, Folds, Lost, Refusal, Unwritable, Why, check_back, reading, shape_of};
use tabular::{CellType, Encoding, Kind, Misfit, Reading};

use super::cell::{Cell, Table};
use super::column::{Column, Data, Made};
use super::dirt::{Which, cell_type, parsed};
use super::eval::{OrSpan, Res, fail, no_result};
use super::written::{Group, Part, Rowed};
use crate::Failure;
use crate::failure::FailureKind;

/// Whether the rows of a file are in its bytes.
pub(crate) fn check(of: Rowed<'_>, group: &Group<'_>, rows: &[(u32, Which)], bytes: &[u8]) -> Res<()> {
    let columns = readings(of, group)?;
    let clean = |row: usize, part: usize| {
        let place = rows.get(row).zip(group.parts.get(part));
        // What is computed in a line was computed when it was written.
        place.and_then(|((row, _), part)| of.clean(part, *row as usize).ok()).unwrap_or(Val::NULL)
    };
    if let Err(lost) = check_back(&group.dress, &columns, rows.len(), clean, bytes) {
        return Err(not_read(of, group, rows, &lost));
    }
    if of.form.repeat.is_some() { differ(of, group, &columns) } else { Ok(()) }
}

/// How the columns of a file are read.
fn readings(of: Rowed<'_>, group: &Group<'_>) -> Res<Vec<Checked>> {
    group
        .parts
        .iter()
        .map(|part| match part {
            // Blanks at the ends of a part of a line are not a part of what is read.
            Part::Computed(_) => {
                Ok(Checked { reading: Reading::plain(CellType::Text), folds: Folds { case: false, space: true } })
            }
            Part::Column(id) => {
                let Some(column) = of.relation.columns.get(*id) else { return no_result("a column is not declared") };
                let has_nulls = of.table.columns.get(*id).is_some_and(|column| column.has_nulls());
                let (mut patterns, mut marks, mut usual) = (Vec::new(), &[][..], true);
                let folds = folds(of.form.styles(*id));
                for style in of.form.styles(*id) {
                    match style {
                        Style::Written { pattern, share } => {
                            usual &= share.is_some();
                            patterns.push(parsed(pattern, column.cells.value_type)?);
                        }
                        Style::Missing(all) => marks = all.as_slice(),
                        Style::Case(_) | Style::Space(_) => {}
                    }
                }
                let (ty, nullable) = (cell_type(column.cells.value_type), column.cells.nullable || has_nulls);
                Ok(Checked { reading: reading(ty, nullable, marks, &patterns, usual), folds })
            }
        })
        .collect()
}

/// How the texts of a column with these styles may differ from what they are.
pub(crate) fn folds(styles: &[Style]) -> Folds {
    Folds {
        case: styles.iter().any(|style| matches!(style, Style::Case(_))),
        space: styles.iter().any(|style| matches!(style, Style::Space(_))),
    }
}

/// Rows that may be there twice differ from each other, as they are read.
fn differ(of: Rowed<'_>, group: &Group<'_>, columns: &[Checked]) -> Res<()> {
    // Where the numbers of one column differ, as of a serial, rows do.
    if group.parts.iter().any(|part| matches!(part, Part::Column(id) if of.table.columns.get(*id).is_some_and(|column| numbers_differ(column, &group.rows)))) {
        return Ok(());
    }
    let mut seen = HashSet::with_capacity(group.rows.len());
    for row in &group.rows {
        let mut key = String::new();
        for (part, Checked { folds, .. }) in group.parts.iter().zip(columns) {
            push_key(&of.clean(part, *row as usize)?, *folds, &mut key);
        }
        if !seen.insert(key) {
            let message = format!("row {} of `{}` is read as a row above it", row + 1, of.file.name);
            let help = "write a column in which all rows differ, without `case` and `space`";
            return Err(failure(of, None, message, help));
        }
    }
    Ok(())
}

/// Whether a column has a number in each of these rows, and all are different.
fn numbers_differ(column: &Column, rows: &[u32]) -> bool {
    let Data::Int(cells) = column.data() else { return false };
    if column.has_nulls() {
        return false;
    }
    let mut numbers: Vec<i64> = rows.iter().filter_map(|row| cells.get(*row as usize).copied()).collect();
    numbers.sort_unstable();
    numbers.len() == rows.len() && numbers.is_sorted_by(|a, b| a < b)
}

/// Appends what identifies a cell among those of its column.
pub(crate) fn push_key(value: &Val<'_>, folds: Folds, key: &mut String) {
    // A null is not an empty text.
    if value.is_null() {
        return key.push_str("-:");
    }
    let text = value.render();
    let text = folds.key(&text);
    // A text always has room for more.
    let _ = write!(key, "{}:{text}", text.len());
}

/// What could not be written.
pub(crate) fn refused(of: Rowed<'_>, group: &Group<'_>, rows: &[(u32, Which)], why: &Unwritable) -> Box<Failure> {
    let row = why.row.and_then(|row| rows.get(row)).map(|(row, _)| *row);
    match row {
        Some(row) => refused_cell(of, group, (row, why.column), &why.why),
        None => {
            let (what, help) = refusal(of, group, why.column, &why.why);
            failure(of, column_of(group, why.column), format!("`{}` cannot be written: {what}", of.file.name), help)
        }
    }
}

/// A cell that could not be written.
pub(crate) fn refused_cell(
    of: Rowed<'_>,
    group: &Group<'_>,
    (row, part): (u32, Option<usize>),
    why: &Refusal,
) -> Box<Failure> {
    let (what, help) = refusal(of, group, part, why);
    let cell = part.and_then(|part| group.parts.get(part)).and_then(|part| {
        let value = of.clean(part, row as usize).ok()?;
        Some(format!(", in {} of `{}`", said(&value), of.name_of(part)))
    });
    let message = format!("{} cannot be written: {what}{}", place(of, group, row), cell.unwrap_or_default());
    failure(of, column_of(group, part), message, help)
}

/// What is wrong with it, and what to do.
fn refusal(of: Rowed<'_>, group: &Group<'_>, part: Option<usize>, why: &Refusal) -> (String, &'static str) {
    let name = part.and_then(|part| group.parts.get(part)).map_or("a column", |part| of.name_of(part));
    match why {
        Refusal::Lacks(char) => lacks(group.dress.encoding, *char),
        Refusal::LineBreak => {
            ("it would be several lines".to_owned(), "write lines from values that do not have line breaks")
        }
        Refusal::Joins => (
            format!("`{name}` would join the group of the columns before it"),
            "move columns without ` / ` before those with it",
        ),
        Refusal::Pattern => ("its pattern would lose a part of it".to_owned(), "write more places, or another pattern"),
        Refusal::Width(_) | Refusal::NoLine => {
            ("its cells do not fit its columns".to_owned(), "this is a defect of picardc; please report it")
        }
    }
}

/// Says that an encoding does not have a character, and what to write instead.
pub(crate) fn lacks(encoding: Encoding, char: char) -> (String, &'static str) {
    let encoding = encoding.word();
    match char {
        '\u{feff}' => {
            (format!("{encoding} does not have a byte order mark"), "remove `bom`, or use `encoding \"utf-8\"`")
        }
        char => (format!("{encoding} does not have `{char}`"), "use `encoding \"utf-8\"`"),
    }
}

/// What cannot be read back.
fn not_read(of: Rowed<'_>, group: &Group<'_>, rows: &[(u32, Which)], lost: &Lost) -> Box<Failure> {
    let part = lost.column.and_then(|column| group.parts.get(column));
    let row = lost.row.and_then(|row| rows.get(row)).map(|(row, _)| *row);
    let cell = part.zip(row).and_then(|(part, row)| {
        let value = of.clean(part, row as usize).ok()?;
        Some(format!("its `{}` is {}", of.name_of(part), said(&value)))
    });
    let cell = cell.unwrap_or_else(|| "its cells".to_owned());
    let (why, help) = match &lost.why {
        Why::Reads(read) => (format!("{cell}, but is read as {}", said(&Val::Ref(read))), help_for(read)),
        Why::Misfit(Misfit::TwoReadings { .. }) => {
            (format!("{cell}, and two of its patterns read it differently"), "use patterns that cannot be confused")
        }
        Why::Misfit(_) => (format!("{cell}, which is not read as a value of its type"), "write it in another way"),
        Why::Header(read) => {
            let name = part.map_or("", |part| of.name_of(part));
            (format!("the column `{name}` is read as {read:?}"), "rename the column")
        }
        Why::Unread if row.is_some() => {
            ("the rows seem to end before it".to_owned(), "write another text below, or another mark for null")
        }
        Why::Unread => ("its rows are not read".to_owned(), "write another text above and below"),
        Why::Unwritten => {
            ("more rows are read than it has".to_owned(), "begin what is below with a line that no row begins with")
        }
        Why::Nul => (format!("{cell}, which has a NUL character"), "draw it from values without control characters"),
        Why::Fault(kind) => (of_fault(kind), "write another text above and below"),
    };
    let what = row.map_or_else(|| format!("`{}`", of.file.name), |row| place(of, group, row));
    failure(of, column_of(group, lost.column), format!("{what} cannot be read back: {why}"), help)
}

fn help_for(read: &Value) -> &'static str {
    match read {
        Value::Null => "use another mark for null: this one is also a value",
        Value::Text(_) => "cells lose the blanks at their ends: draw other values, or compute `trim`",
        _ => "write it in another way",
    }
}

fn of_fault(kind: &Kind) -> String {
    match kind {
        Kind::NoEnd { cell } => format!("no record begins with {cell:?}, where its rows end"),
        Kind::TooLong { cells, header } => format!("a record has {cells} fields, but the header has {header}"),
        Kind::OpenQuote | Kind::AfterQuote => "its quotes do not match".to_owned(),
        Kind::Empty | Kind::TooShort { .. } => "it does not have a header".to_owned(),
        Kind::TooMuch { .. } => "it is larger than what is read".to_owned(),
        Kind::TwoHeaders { header, .. } => format!("two of its columns are headed {header:?}"),
        Kind::NoHeader { header, .. } => format!("it does not have a column headed {header:?}"),
        _ => "its reader refuses it".to_owned(),
    }
}

/// `row 17 of `theft``, with the file where it is one of many.
fn place(of: Rowed<'_>, group: &Group<'_>, row: u32) -> String {
    let file = if of.file.split { format!(" in {:?}", group.path) } else { String::new() };
    format!("row {} of `{}`{file}", u64::from(row) + 1, of.file.name)
}

fn column_of(group: &Group<'_>, part: Option<usize>) -> Option<ColumnId> {
    match group.parts.get(part?)? {
        Part::Column(id) => Some(*id),
        Part::Computed(_) => None,
    }
}

fn failure(of: Rowed<'_>, column: Option<ColumnId>, message: String, help: &str) -> Box<Failure> {
    let span = column.and_then(|id| of.relation.columns.get(id)).map_or(of.file.span, |column| column.span);
    Box::new(Failure::new(FailureKind::NotRecoverable, message).help(help).or_span(span))
}

/// The rows of a written file, or of all its files one after another, as they are read from the bytes: those that are there twice once. Cells of columns
/// with `case` and `space` are as they are in the file. A column that every path names is clean: it is read from the paths. Others that are not in
/// the file do not have any cells. The origin of a row is the row of the file's relation that it was written from.
pub(crate) fn reread<'a>(cell: &'a Cell<'a>, file: FileId) -> Res<Table> {
    let Some(of) = Rowed::of_file(cell, file)? else { return no_result("this file does not have rows") };
    let Some(Some(rendered)) = cell.files.get(file) else { return no_result("a file is read before it is made") };
    let mut columns: Vec<Column> =
        of.relation.columns.iter().map(|column| Column::new(column.cells.value_type, 0)).collect();
    let in_path = of.in_path();
    let mut origins: Vec<u32> = Vec::new();
    for group in of.all_groups(&rendered.path)? {
        let Some(bytes) = rendered.bytes_of(&group.path) else { return no_result("a file is not there") };
        let checked = readings(of, &group)?;
        let readings: Vec<Reading> = checked.iter().map(|column| column.reading.clone()).collect();
        let shape = shape_of(&group.dress, &readings);
        let Ok(part) = tabular::read(&shape, &group.path, bytes) else {
            let message = format!("`{}` cannot be read back", of.file.name);
            return fail(FailureKind::NotRecoverable, message).or_span(of.file.span);
        };
        let mut left = HashMap::new();
        for row in group.rows.iter().filter(|_| of.form.repeat.is_some()) {
            let mut key = String::new();
            for (part, Checked { folds, .. }) in group.parts.iter().zip(&checked) {
                push_key(&of.clean(part, *row as usize)?, *folds, &mut key);
            }
            left.insert(key, *row);
        }
        for row in 0..part.records.len() {
            let value = |at: usize| part.columns.get(at).and_then(|cells| cells.get(row)).unwrap_or(&Value::Null);
            let origin = if of.form.repeat.is_some() {
                let mut key = String::new();
                for (at, Checked { folds, .. }) in checked.iter().enumerate() {
                    push_key(&Val::Ref(value(at)), *folds, &mut key);
                }
                // The second of two rows that are the same.
                let Some(origin) = left.remove(&key) else { continue };
                origin
            } else {
                let Some(origin) = group.rows.get(row) else { return no_result("a file has more rows than it should") };
                *origin
            };
            let mut own: HashSet<ColumnId> = HashSet::new();
            for (at, part) in group.parts.iter().enumerate() {
                if let Part::Column(id) = part
                    && own.insert(*id)
                    && let Some(column) = columns.get_mut(usize::from(*id))
                {
                    column.push(Val::Ref(value(at)));
                }
            }
            for id in in_path.iter().filter(|id| !own.contains(id)) {
                let first = group.rows.first().copied().unwrap_or_default();
                if let Some(column) = columns.get_mut(usize::from(*id)) {
                    column.push(of.clean(&Part::Column(*id), first as usize)?);
                }
            }
            origins.push(origin);
        }
    }
    Ok(Table {
        rows: origins.len(),
        starts: Vec::new(),
        origins,
        columns: columns.into_iter().map(Made::from).collect(),
    })
}

/// The column of the relation that rows are taken from whose cells a column has as they are.
pub(crate) fn taken_as(relation: &Relation, id: ColumnId) -> Option<ColumnId> {
    use plan::suite::{ColumnSource, Expr};
    match &relation.columns.get(id)?.source {
        ColumnSource::Taken(column) => Some(*column),
        ColumnSource::Compute(Expr::Column(other)) if *other != id => taken_as(relation, *other),
        _ => None,
    }
}
