//! What was written, read again: by the reader that follows from the form of the file, and compared with the clean rows.

use std::collections::{HashMap, HashSet};
use std::fmt::Write as _;
use std::hash::BuildHasher;

use hashbrown::DefaultHashBuilder;
use hashbrown::hash_table::{Entry, HashTable};
use model::functions::said;
use model::suite::{ColumnId, File, FileId, Form, Relation, Style};
use model::{Val, Value};
use tables::write::{Checked, Folds, Lost, Refusal, Unwritable, Why, check_back, reading, shape_of};
use tables::{CellType, Encoding, Kind, Misfit, Reading};

use super::cell::{Cell, Table};
use super::column::{Column, Data, Made};
use super::dirt::{Which, cell_type, parsed};
use super::eval::{OrSpan, Res, fail, no_result};
use super::sheet::Page;
use super::written::{Part, Rowed, name_of};
use crate::Failure;
use crate::failure::FailureKind;

/// Whether the rows of a file are in its bytes.
pub(crate) fn check(page: &Page<'_, '_>, bytes: &[u8]) -> Res<()> {
    let checked = &page.of.checked;
    let clean = |row: usize, part: usize| page.clean(row, part);
    let same = |row: usize, part: usize, folds: Folds, read: &Val<'_>| page.is_read_as((row, part), folds, read);
    if let Err(lost) = check_back(&page.group.dress, checked, (page.rows.len(), clean, same), bytes) {
        return Err(not_read(page, &lost));
    }
    if page.of.form.repeat.is_some() { differ(page) } else { Ok(()) }
}

/// How the parts of a row are read.
pub(crate) fn readings(of: Rowed<'_>, parts: &[Part<'_>]) -> Res<Vec<Checked>> {
    parts
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

/// Texts of a column that are remembered as they are; more are rather told apart by their keys alone.
const FEW: usize = 256;

/// Values of a column that are different are also different when they are written in other letters, or with more blanks.
pub(crate) fn told_apart((file, form, relation): (&File, &Form, &Relation), table: &Table) -> Res<()> {
    for styled in &form.styled {
        let folds = folds(&styled.styles);
        let Some(column) = table.columns.get(styled.column).filter(|_| folds != Folds::default()) else { continue };
        // The first row of each text, by the key of that text; its hash is kept, and the key is not.
        let (mut seen, hashes) = (HashTable::new(), DefaultHashBuilder::default());
        let (mut room, mut other_room) = (String::new(), String::new());
        // Many columns have few texts: each of them is looked at once.
        let mut few = hashbrown::HashSet::new();
        for row in 0..table.rows {
            let Some(text) = column.text(row).filter(|_| !column.is_null(row)) else { continue };
            if few.len() < FEW && !few.insert(text) {
                continue;
            }
            let key = folds.key_in(text, &mut room);
            let hash = hashes.hash_one(key);
            let is_same = |(other, known): &(usize, u64)| {
                let other = column.text(*other).unwrap_or_default();
                *known == hash && (other == text || folds.key_in(other, &mut other_room) == key)
            };
            let other = match seen.entry(hash, is_same, |(_, known): &(usize, u64)| *known) {
                Entry::Vacant(place) => {
                    place.insert((row, hash));
                    continue;
                }
                Entry::Occupied(place) => place.get().0,
            };
            if column.text(other) == Some(text) {
                continue;
            }
            let (first, value) = (column.get(other), column.get(row));
            let name = relation.columns.get(styled.column);
            let message = format!(
                "{} and {} of `{}` in `{}` cannot be told apart",
                said(&first),
                said(&value),
                name.map_or("", |column| column.name.as_str()),
                file.name
            );
            let help = "draw values that differ in more than letter case and blanks, or write the column as it is";
            let span = name.map_or(file.span, |column| column.span);
            return Err(Box::new(Failure::new(FailureKind::NotRecoverable, message).help(help).or_span(span)));
        }
    }
    Ok(())
}

/// Rows that may be there twice differ from each other, as they are read.
fn differ(page: &Page<'_, '_>) -> Res<()> {
    let of = page.of;
    // Where the numbers of one column differ, as of a serial, rows do.
    let is_column = |part: &usize| matches!(of.parts.get(*part), Some(Part::Column(_)));
    if (0..of.parts.len()).filter(is_column).any(|part| page.cells(part).is_some_and(numbers_differ)) {
        return Ok(());
    }
    let mut seen = HashSet::with_capacity(page.group.rows.len());
    for (row, _) in page.rows.iter().enumerate().filter(|(_, (_, which))| *which == Which::First) {
        let mut key = String::new();
        for (part, Checked { folds, .. }) in of.checked.iter().enumerate() {
            push_key(&page.clean(row, part), *folds, &mut key);
        }
        if !seen.insert(key) {
            let message = format!("row {} of `{}` is read as a row above it", page.number(row) + 1, of.file.name);
            let help = "write a column in which all rows differ, without `case` and `space`";
            return Err(failure(page, None, message, help));
        }
    }
    Ok(())
}

/// Whether a column has a number in each row, and all are different.
fn numbers_differ(column: &Column) -> bool {
    let Data::Int(cells) = column.data() else { return false };
    if (0..cells.len()).any(|row| column.is_null(row)) {
        return false;
    }
    if cells.is_sorted_by(|a, b| a < b) {
        return true;
    }
    let mut numbers = cells.clone();
    numbers.sort_unstable();
    numbers.is_sorted_by(|a, b| a < b)
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
pub(crate) fn refused(page: &Page<'_, '_>, why: &Unwritable) -> Box<Failure> {
    match why.row.filter(|row| *row < page.rows.len()) {
        Some(row) => refused_cell(page, (row, why.column), &why.why),
        None => {
            let (what, help) = refusal(page, why.column, &why.why);
            failure(page, why.column, format!("`{}` cannot be written: {what}", page.of.file.name), help)
        }
    }
}

/// A cell that could not be written.
pub(crate) fn refused_cell(page: &Page<'_, '_>, (row, part): (usize, Option<usize>), why: &Refusal) -> Box<Failure> {
    let (what, help) = refusal(page, part, why);
    let cell = part.and_then(|at| {
        let part = page.of.parts.get(at)?;
        Some(format!(", in {} of `{}`", said(&page.clean(row, at)), name_of(page.of.relation, part)))
    });
    let message = format!("{} cannot be written: {what}{}", place(page, row), cell.unwrap_or_default());
    failure(page, part, message, help)
}

/// What is wrong with it, and what to do.
fn refusal(page: &Page<'_, '_>, part: Option<usize>, why: &Refusal) -> (String, &'static str) {
    let part = part.and_then(|part| page.of.parts.get(part));
    let name = part.map_or("a column", |part| name_of(page.of.relation, part));
    match why {
        Refusal::Lacks(char) => lacks(page.group.dress.encoding, *char),
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
fn not_read(page: &Page<'_, '_>, lost: &Lost) -> Box<Failure> {
    let name = |part: usize| page.of.parts.get(part).map_or("", |part| name_of(page.of.relation, part));
    let part = lost.column.filter(|part| *part < page.of.parts.len());
    let row = lost.row.filter(|row| *row < page.rows.len());
    let cell = part.zip(row).map(|(part, row)| format!("its `{}` is {}", name(part), said(&page.clean(row, part))));
    let cell = cell.unwrap_or_else(|| "its cells".to_owned());
    let (why, help) = match &lost.why {
        Why::Reads(read) => {
            let clean = part.zip(row).map(|(part, row)| page.clean(row, part));
            (format!("{cell}, but is read as {}", said(&Val::Ref(read))), help_for(read, clean.as_ref()))
        }
        Why::Misfit(Misfit::TwoReadings { .. }) => {
            (format!("{cell}, and two of its patterns read it differently"), "use patterns that cannot be confused")
        }
        Why::Misfit(_) => (format!("{cell}, which is not read as a value of its type"), "write it in another way"),
        Why::Header(read) => {
            let name = part.map_or("", name);
            (format!("the column `{name}` is read as {read:?}"), "rename the column")
        }
        Why::Unread if row.is_some() && page.group.dress.line.is_some() && page.group.dress.below.is_none() => (
            "its line can be taken apart in other ways".to_owned(),
            "separate its columns with a text that none of their values has, such as `;`",
        ),
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
    let what = row.map_or_else(|| format!("`{}`", page.of.file.name), |row| place(page, row));
    failure(page, lost.column, format!("{what} cannot be read back: {why}"), help)
}

fn help_for(read: &Value, clean: Option<&Val<'_>>) -> &'static str {
    match read {
        Value::Null => "use another mark for null: this one is also a value",
        Value::Text(text) if clean.and_then(Val::as_text).is_some_and(|clean| clean.trim() == text) => {
            "parts of a line lose the blanks at their ends: draw other values, or compute `trim`"
        }
        Value::Text(_) => "use patterns that no value has the text of, or write the column as it is",
        _ => "write it in another way",
    }
}

fn of_fault(kind: &Kind) -> String {
    match kind {
        Kind::NoEnd { cell } => format!("no record begins with {cell:?}, where its rows end"),
        Kind::TooLong { cells, header } => format!("a record has {cells} fields, but the header has {header}"),
        Kind::TooFew { cells, header } => format!("a record has {cells} fields, but the header has {header}"),
        Kind::OpenQuote | Kind::AfterQuote => "its quotes do not match".to_owned(),
        Kind::Empty | Kind::TooShort { .. } => "it does not have a header".to_owned(),
        Kind::TooMuch { .. } => "it is larger than what is read".to_owned(),
        Kind::TwoHeaders { header, .. } => format!("two of its columns are headed {header:?}"),
        Kind::NoHeader { header, .. } => format!("it does not have a column headed {header:?}"),
        _ => "its reader refuses it".to_owned(),
    }
}

/// `row 17 of `theft``, with the file where it is one of many.
fn place(page: &Page<'_, '_>, row: usize) -> String {
    let file = if page.of.file.split { format!(" in {:?}", page.group.path) } else { String::new() };
    format!("row {} of `{}`{file}", page.number(row) + 1, page.of.file.name)
}

fn failure(page: &Page<'_, '_>, part: Option<usize>, message: String, help: &str) -> Box<Failure> {
    let column = match part.and_then(|part| page.of.parts.get(part)) {
        Some(Part::Column(id)) => page.of.relation.columns.get(*id),
        Some(Part::Computed(_)) | None => None,
    };
    let span = column.map_or(page.of.file.span, |column| column.span);
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
        let checked = readings(of, &group.parts)?;
        let readings: Vec<Reading> = checked.iter().map(|column| column.reading.clone()).collect();
        let shape = shape_of(&group.dress, &readings);
        let Ok(part) = tables::read(&shape, &group.path, bytes) else {
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
    use model::suite::{ColumnSource, Expr};
    match &relation.columns.get(id)?.source {
        ColumnSource::Taken(column) => Some(*column),
        ColumnSource::Compute(Expr::Column(other)) if *other != id => taken_as(relation, *other),
        _ => None,
    }
}
