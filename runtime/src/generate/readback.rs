//! Reads written files again, with the reader for their form, and compares the result with the clean rows.

use std::collections::{HashMap, HashSet};
use std::fmt::Write as _;
use std::hash::BuildHasher;

use hashbrown::DefaultHashBuilder;
use hashbrown::hash_table::{Entry, HashTable};
use model::functions::describe_value;
use model::suite::{ColumnId, File, FileId, Form, Relation, Style};
use model::text_style::TextStyle;
use model::{Val, Value};
use tables::write::{
    Checked, Folds, LossReason, ReadbackLoss, Refusal, Unwritable, build_reading, build_shape, check_back,
};
use tables::{CellType, Encoding, FaultKind, Misfit, Reading};

use super::cell::InstanceDraft;
use super::column::{Column, Data, SharedColumn};
use super::context::Eval;
use super::dirt::{RowCopy, parse_pattern, to_cell_type};
use super::failures::{OrSpan, Res, fail, fail_computation, fail_with_help};
use super::page::Page;
use super::table::Table;
use super::table_file::{Part, TableFile, name_of};
use crate::Failure;
use crate::failure::FailureKind;

/// Checks that the rows of a file can be read from its bytes.
pub(crate) fn check_readback(page: &Page<'_, '_>, bytes: &[u8]) -> Res<()> {
    let checked = &page.of.checked;
    let clean = |row: usize, part: usize| page.clean_value(row, part);
    let same = |row: usize, part: usize, folds: Folds, read: &Val<'_>| page.is_read_as((row, part), folds, read);
    if let Err(lost) = check_back(&page.group.dress, checked, (page.rows.len(), clean, same), bytes) {
        return Err(build_read_failure(page, &lost));
    }
    if page.of.form.repeat.is_some() { check_rows_differ(page) } else { Ok(()) }
}

/// Determines how the parts of a row are read.
pub(crate) fn collect_readings(of: TableFile<'_>, parts: &[Part<'_>]) -> Res<Vec<Checked>> {
    parts
        .iter()
        .map(|part| match part {
            // Spaces at the ends of a part of a line are not read.
            Part::Computed(_) => Ok(Checked {
                reading: Reading::from_type(CellType::Text),
                folds: Folds::from_styles([TextStyle::Space]),
            }),
            Part::Column(id) => {
                let Some(column) = of.relation.columns.get(*id) else {
                    return fail_computation("a column is not declared");
                };
                let has_nulls = of.table.columns.get(*id).is_some_and(|column| column.has_nulls());
                let (mut patterns, mut marks, mut usual) = (Vec::new(), &[][..], true);
                let folds = collect_folds(of.form.find_styles(*id));
                for style in of.form.find_styles(*id) {
                    match style {
                        Style::Written { pattern, share } => {
                            usual &= share.is_some();
                            patterns.push(parse_pattern(pattern, column.cells.value_type)?);
                        }
                        Style::Missing(all) => marks = all.as_slice(),
                        Style::Text(..) => {}
                    }
                }
                // JSON has its own null.
                let empty = !of.file.format.has_keys() && (column.cells.nullable || has_nulls);
                let ty = to_cell_type(column.cells.value_type);
                Ok(Checked { reading: build_reading(ty, empty, marks, &patterns, usual), folds })
            }
        })
        .collect()
}

/// Returns the differences that the styles of a column allow in its texts.
pub(crate) fn collect_folds(styles: &[Style]) -> Folds {
    Folds::from_styles(styles.iter().filter_map(Style::text_style))
}

/// Maximum number of texts of a column that are compared directly; further ones are compared only by their keys.
const FEW: usize = 256;

/// Checks that different values of a column stay different if they are written with other letter case or more spaces.
pub(crate) fn check_distinguishable((file, form, relation): (&File, &Form, &Relation), table: &Table) -> Res<()> {
    for styled in &form.styled {
        let folds = collect_folds(&styled.styles);
        let Some(column) = table.columns.get(styled.column).filter(|_| folds != Folds::default()) else { continue };
        // The first row of each text, by the hash of the text's key; the key itself is not stored.
        let (mut seen, hashes) = (HashTable::new(), DefaultHashBuilder::default());
        let (mut room, mut other_room) = (String::new(), String::new());
        // Many columns have few different texts, each of which is checked once.
        let mut few = hashbrown::HashSet::new();
        for row in 0..table.rows {
            let Some(text) = column.text_at(row).filter(|_| !column.is_null(row)) else { continue };
            if few.len() < FEW && !few.insert(text) {
                continue;
            }
            let key = folds.fold_key_in(text, &mut room);
            let hash = hashes.hash_one(key);
            let is_same = |(other, known): &(usize, u64)| {
                let other = column.text_at(*other).unwrap_or_default();
                *known == hash && (other == text || folds.fold_key_in(other, &mut other_room) == key)
            };
            let other = match seen.entry(hash, is_same, |(_, known): &(usize, u64)| *known) {
                Entry::Vacant(place) => {
                    place.insert((row, hash));
                    continue;
                }
                Entry::Occupied(place) => place.get().0,
            };
            if column.text_at(other) == Some(text) {
                continue;
            }
            let (first, value) = (column.get(other), column.get(row));
            let name = relation.columns.get(styled.column);
            let message = format!(
                "{} and {} of `{}` in `{}` cannot be told apart",
                describe_value(&first),
                describe_value(&value),
                name.map_or("", |column| column.name.as_str()),
                file.name
            );
            let help = "draw values that differ in more than letter case and blanks, or write the column as it is";
            let span = name.map_or(file.span, |column| column.span);
            return fail_with_help(FailureKind::NotRecoverable, message, help).or_span(span);
        }
    }
    Ok(())
}

/// Checks that rows that can be duplicated differ from each other as they are read.
fn check_rows_differ(page: &Page<'_, '_>) -> Res<()> {
    let of = page.of;
    // If the numbers of one column differ, such as those of a serial, the rows do too.
    let is_column = |part: &usize| matches!(of.parts.get(*part), Some(Part::Column(_)));
    if (0..of.parts.len()).filter(is_column).any(|part| page.cells(part).is_some_and(has_distinct_numbers)) {
        return Ok(());
    }
    let mut seen = HashSet::with_capacity(page.group.rows.len());
    for (row, _) in page.rows.iter().enumerate().filter(|(_, (_, which))| *which == RowCopy::First) {
        let cells = (0..of.checked.len()).map(|part| page.clean_value(row, part));
        if !seen.insert(build_row_key(cells, &of.checked)) {
            let message = format!("row {} of `{}` is read as a row above it", page.row_number(row) + 1, of.file.name);
            let help = "write a column in which all rows differ, without `case` and `space`";
            return Err(build_failure(page, None, message, help));
        }
    }
    Ok(())
}

/// Checks whether a column has an int in each row, and all of them differ.
fn has_distinct_numbers(column: &Column) -> bool {
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

/// Builds a key that identifies a row by its cells and the differences that their columns allow.
fn build_row_key<'v>(cells: impl Iterator<Item = Val<'v>>, checked: &[Checked]) -> String {
    let mut key = String::new();
    cells.zip(checked).for_each(|(cell, Checked { folds, .. })| push_key(&cell, *folds, &mut key));
    key
}

/// Appends a key that identifies a cell among those of its column.
pub(crate) fn push_key(value: &Val<'_>, folds: Folds, key: &mut String) {
    // Null and empty text have different keys.
    if value.is_null() {
        return key.push_str("-:");
    }
    let text = value.render_text();
    let text = folds.fold_key(&text);
    // Writing to a string never fails.
    let _ = write!(key, "{}:{text}", text.len());
}

/// Builds the failure for a file that cannot be written.
pub(crate) fn build_write_failure(page: &Page<'_, '_>, why: &Unwritable) -> Box<Failure> {
    match why.row.filter(|row| *row < page.rows.len()) {
        Some(row) => build_cell_failure(page, (row, why.column), &why.why),
        None => {
            let (what, help) = describe_refusal(page, why.column, &why.why);
            build_failure(page, why.column, format!("`{}` cannot be written: {what}", page.of.file.name), help)
        }
    }
}

/// Builds the failure for a cell that cannot be written.
pub(crate) fn build_cell_failure(
    page: &Page<'_, '_>,
    (row, part): (usize, Option<usize>),
    why: &Refusal,
) -> Box<Failure> {
    let (what, help) = describe_refusal(page, part, why);
    let cell = part.and_then(|at| {
        let part = page.of.parts.get(at)?;
        Some(format!(", in {} of `{}`", describe_value(&page.clean_value(row, at)), name_of(page.of.relation, part)))
    });
    let message = format!("{} cannot be written: {what}{}", describe_place(page, row), cell.unwrap_or_default());
    build_failure(page, part, message, help)
}

/// Describes a refused value and the remedy.
fn describe_refusal(page: &Page<'_, '_>, part: Option<usize>, why: &Refusal) -> (String, &'static str) {
    let part = part.and_then(|part| page.of.parts.get(part));
    let name = part.map_or("a column", |part| name_of(page.of.relation, part));
    match why {
        Refusal::Lacks(char) => describe_missing_char(page.group.dress.encoding, *char),
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

/// Describes a character that an encoding lacks, and what to write instead.
pub(crate) fn describe_missing_char(encoding: Encoding, char: char) -> (String, &'static str) {
    let encoding = encoding.word();
    match char {
        '\u{feff}' => {
            (format!("{encoding} does not have a byte order mark"), "remove `bom`, or use `encoding \"utf-8\"`")
        }
        char => (format!("{encoding} does not have `{char}`"), "use `encoding \"utf-8\"`"),
    }
}

/// Builds the failure for rows that cannot be read back.
fn build_read_failure(page: &Page<'_, '_>, lost: &ReadbackLoss) -> Box<Failure> {
    let name = |part: usize| page.of.parts.get(part).map_or("", |part| name_of(page.of.relation, part));
    let part = lost.column.filter(|part| *part < page.of.parts.len());
    let row = lost.row.filter(|row| *row < page.rows.len());
    let cell = part
        .zip(row)
        .map(|(part, row)| format!("its `{}` is {}", name(part), describe_value(&page.clean_value(row, part))));
    let cell = cell.unwrap_or_else(|| "its cells".to_owned());
    let (why, help) = match &lost.why {
        LossReason::Reads(read) => {
            let clean = part.zip(row).map(|(part, row)| page.clean_value(row, part));
            (format!("{cell}, but is read as {}", describe_value(&Val::Ref(read))), suggest_help(read, clean.as_ref()))
        }
        LossReason::Misfit(Misfit::TwoReadings { .. }) => {
            (format!("{cell}, and two of its patterns read it differently"), "use patterns that cannot be confused")
        }
        LossReason::Misfit(_) => {
            (format!("{cell}, which is not read as a value of its type"), "write it in another way")
        }
        LossReason::Header(read) => {
            let name = part.map_or("", name);
            (format!("the column `{name}` is read as {read:?}"), "rename the column")
        }
        LossReason::Unread if row.is_some() && page.group.dress.line.is_some() && page.group.dress.below.is_none() => (
            "its line can be taken apart in other ways".to_owned(),
            "separate its columns with a text that none of their values has, such as `;`",
        ),
        LossReason::Unread if row.is_some() => {
            ("the rows seem to end before it".to_owned(), "write another text below, or another mark for null")
        }
        LossReason::Unread => ("its rows are not read".to_owned(), "write another text above and below"),
        LossReason::Unwritten => {
            ("more rows are read than it has".to_owned(), "begin what is below with a line that no row begins with")
        }
        LossReason::Nul => {
            (format!("{cell}, which has a NUL character"), "draw it from values without control characters")
        }
        LossReason::Fault(kind) => (describe_fault(kind), "write another text above and below"),
    };
    let what = row.map_or_else(|| format!("`{}`", page.of.file.name), |row| describe_place(page, row));
    build_failure(page, lost.column, format!("{what} cannot be read back: {why}"), help)
}

fn suggest_help(read: &Value, clean: Option<&Val<'_>>) -> &'static str {
    match read {
        Value::Null => "use another mark for null: this one is also a value",
        Value::Text(text) if clean.and_then(Val::as_text).is_some_and(|clean| clean.trim() == text) => {
            "parts of a line lose the blanks at their ends: draw other values, or compute `trim`"
        }
        Value::Text(_) => "use patterns that no value has the text of, or write the column as it is",
        _ => "write it in another way",
    }
}

fn describe_fault(kind: &FaultKind) -> String {
    match kind {
        FaultKind::NoEnd { cell } => format!("no record begins with {cell:?}, where its rows end"),
        FaultKind::TooLong { cells, header } => format!("a record has {cells} fields, but the header has {header}"),
        FaultKind::TooFew { cells, header } => format!("a record has {cells} fields, but the header has {header}"),
        FaultKind::OpenQuote | FaultKind::AfterQuote => "its quotes do not match".to_owned(),
        FaultKind::Empty | FaultKind::TooShort { .. } => "it does not have a header".to_owned(),
        FaultKind::TooMuch { .. } => "it is larger than what is read".to_owned(),
        FaultKind::TwoHeaders { header, .. } => format!("two of its columns are headed {header:?}"),
        FaultKind::NoHeader { header, .. } => format!("it does not have a column headed {header:?}"),
        _ => "its reader refuses it".to_owned(),
    }
}

/// Describes a row: `row 17 of `theft``, with the path if there are many files.
fn describe_place(page: &Page<'_, '_>, row: usize) -> String {
    let file = if page.of.file.split { format!(" in {:?}", page.group.path) } else { String::new() };
    format!("row {} of `{}`{file}", page.row_number(row) + 1, page.of.file.name)
}

fn build_failure(page: &Page<'_, '_>, part: Option<usize>, message: String, help: &str) -> Box<Failure> {
    let column = match part.and_then(|part| page.of.parts.get(part)) {
        Some(Part::Column(id)) => page.of.relation.columns.get(*id),
        Some(Part::Computed(_)) | None => None,
    };
    let span = column.map_or(page.of.file.span, |column| column.span);
    Box::new(Failure::new(FailureKind::NotRecoverable, message).help(help).with_default_span(span))
}

/// Reads the rows of a written file, or of all its files one after another, from the bytes; duplicates are removed. Cells of columns with `case` and
/// `space` keep the form that they have in the file. A column that every path names is clean, because it is read from the paths. Columns that are not
/// in the file have no cells. The origin of a row is the row of the file's relation from which it was written.
pub(crate) fn read_back_rows<'a>(cell: &'a InstanceDraft<'a>, file: FileId) -> Res<Table> {
    let Some(of) = TableFile::from_file(cell, file)? else { return fail_computation("this file does not have rows") };
    let rendered = Eval::new(cell).find_file(file)?;
    let mut columns: Vec<Column> =
        of.relation.columns.iter().map(|column| Column::new(column.cells.value_type, 0)).collect();
    let in_path = of.list_path_columns();
    let mut origins: Vec<u32> = Vec::new();
    for group in of.list_groups(&rendered.path)? {
        let Some(bytes) = rendered.find_bytes(&group.path) else { return fail_computation("a file is not there") };
        let checked = collect_readings(of, &group.parts)?;
        let readings: Vec<Reading> = checked.iter().map(|column| column.reading.clone()).collect();
        let shape = build_shape(&group.dress, &readings);
        let Ok(part) = tables::read_table(&shape, &group.path, bytes) else {
            let message = format!("`{}` cannot be read back", of.file.name);
            return fail(FailureKind::NotRecoverable, message).or_span(of.file.span);
        };
        let mut left = HashMap::new();
        for row in group.rows.iter().filter(|_| of.form.repeat.is_some()) {
            let cells = group.parts.iter().map(|part| of.clean_value(part, *row as usize));
            left.insert(build_row_key(cells.collect::<Res<Vec<_>>>()?.into_iter(), &checked), *row);
        }
        for row in 0..part.records.len() {
            let value = |at: usize| part.columns.get(at).and_then(|cells| cells.get(row)).unwrap_or(&Value::Null);
            let origin = if of.form.repeat.is_some() {
                // The second of two equal rows is skipped.
                let cells = (0..checked.len()).map(|at| Val::Ref(value(at)));
                let Some(origin) = left.remove(&build_row_key(cells, &checked)) else { continue };
                origin
            } else {
                let Some(origin) = group.rows.get(row) else {
                    return fail_computation("a file has more rows than it should");
                };
                *origin
            };
            let mut own: HashSet<ColumnId> = HashSet::new();
            for (at, part) in group.parts.iter().enumerate() {
                if let Part::Column(id) = part
                    && own.insert(*id)
                    && let Some(column) = columns.get_mut(usize::from(*id))
                {
                    column.push_value(Val::Ref(value(at)));
                }
            }
            for id in in_path.iter().filter(|id| !own.contains(id)) {
                let first = group.rows.first().copied().unwrap_or_default();
                if let Some(column) = columns.get_mut(usize::from(*id)) {
                    column.push_value(of.clean_value(&Part::Column(*id), first as usize)?);
                }
            }
            origins.push(origin);
        }
    }
    let columns = columns.into_iter().map(SharedColumn::from).collect();
    Ok(Table { rows: origins.len(), origins, ..Table::new(0, columns) })
}

/// Returns the column in the source relation from which a column takes its cells unchanged.
pub(crate) fn find_source_column(relation: &Relation, id: ColumnId) -> Option<ColumnId> {
    use model::suite::{ColumnSource, Expr};
    match &relation.columns.get(id)?.source {
        ColumnSource::Taken(column) => Some(*column),
        ColumnSource::Compute(Expr::Column(other)) if *other != id => find_source_column(relation, *other),
        _ => None,
    }
}
