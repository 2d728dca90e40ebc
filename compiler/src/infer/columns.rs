//! Inference of a table's columns: their names, the types of their fields, null marks, and keys.

use std::collections::HashSet;

use model::Value;
use model::format::Holds;
use tables::guess::{Guess, guess_column};
use tables::{CellType, Fault, Layout, Place, Raw, Reading, SplitFormat, TextSide, Unreadable};

use super::lost_cells::Lost;
use super::names::{can_be_quoted, make_column_name, reserve_free_name, reserve_name};
use hir::fixture::notes;
use hir::fixture::series::{Series, find_longest_series};

/// The naming of columns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Names {
    /// The headers, if possible: undeclared columns have these names.
    Kept,
    /// Names in uppercase that need no quotes.
    Made,
    /// Like `Made`; in addition, columns whose headers are values become rows.
    Unpivoted,
}

/// An inferred column.
#[derive(Clone, Debug, PartialEq)]
pub struct Found {
    /// Its name in the source, without quotes.
    pub name: String,
    /// The position of its fields; `None` if they are below the header that equals its name.
    pub place: Option<Place>,
    /// The way in which its fields are read.
    pub reading: Reading,
    /// Notes for the author.
    pub notes: Vec<String>,
    /// The two columns as which they are read instead.
    pub split: Option<FoundSplit>,
}

/// Two columns of one field: a number, which has the name of the field's column, and a text.
#[derive(Clone, Debug, PartialEq)]
pub struct FoundSplit {
    /// How the field is split.
    pub format: SplitFormat,
    /// The name of the text.
    pub text: String,
    /// The reading of the number.
    pub number: Reading,
}

/// The columns of a table.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Columns {
    /// The columns in the order of the file.
    pub found: Vec<Found>,
    /// The columns whose headers are values.
    pub unpivot: Option<Unpivoted>,
    /// The null marks of all columns without their own marks.
    pub missing: Vec<String>,
    /// The names of columns that are unique together; empty if no columns are likely to be a key.
    pub key: Vec<String>,
    /// Notes for the author about omitted columns and unread rows.
    pub notes: Vec<String>,
    /// The cells that are not in any column.
    pub lost: Lost,
}

/// Columns whose headers are values, converted to one column of headers and one of fields.
#[derive(Clone, Debug, PartialEq)]
pub struct Unpivoted {
    /// The name of the column of headers.
    pub name: String,
    /// The type of the headers.
    pub ty: CellType,
    /// The name of the column of fields.
    pub value: String,
    /// The way in which its fields are read.
    pub reading: Reading,
    /// Notes for the author.
    pub notes: Vec<String>,
    /// The first and the last header.
    pub headers: (String, String),
}

/// The number of columns that must share a null mark before it applies to all columns; they must also be the majority.
const COMMON: usize = 3;

/// The number of leading columns that can be part of a key.
const KEYS_AMONG: usize = 4;

/// Infers the columns of a table from files that are read as one table.
///
/// # Errors
/// Returns an error if a file cannot be read in the layout, or if the files have different columns.
pub fn infer_columns(layout: &Layout, files: &[(&str, &[u8])], names: Names) -> Result<Columns, Unreadable> {
    let mut header: Vec<String> = Vec::new();
    let mut cells: Vec<Vec<Raw<'_>>> = Vec::new();
    let mut columns = Columns::default();
    if layout.format.holds == Holds::Text {
        return Ok(Columns::default());
    }
    for (index, (path, bytes)) in files.iter().enumerate() {
        let records = tables::read_records(layout, path, bytes).map_err(|fault| build_layout_error(&fault, path))?;
        columns.lost.count_cut_rows(&records.cut);
        columns.notes.extend(notes::describe_cut(&records.cut));
        if index == 0 {
            header = records.header.clone();
            cells.resize_with(header.len(), Vec::new);
        }
        let places: Option<Vec<usize>> = match records.header == header {
            true => Some((0..header.len()).collect()),
            // The same columns may be in another order.
            false if records.header.len() == header.len() => {
                header.iter().map(|name| tables::header::find_header(&records.header, name).ok()).collect()
            }
            false => None,
        };
        let Some(places) = places else {
            return Err(Unreadable::new(
                format!("`{path}` does not have the columns of the other files"),
                "write a view for each kind of file",
            ));
        };
        for row in records.rows {
            for (to, place) in cells.iter_mut().zip(&places) {
                to.push(row.cells.get(*place).cloned().unwrap_or(Raw::EMPTY));
            }
        }
    }
    let fields: Vec<Guess> = cells.iter().map(|cells| guess_column(cells, &layout.missing)).collect();
    let common = if names == Names::Kept { Vec::new() } else { find_common_marks(&fields, &layout.missing) };
    // Guess again with the common marks, because the other columns did not use them.
    let mut fields = match common.is_empty() {
        true => fields,
        false => cells.iter().map(|cells| guess_column(cells, &common)).collect(),
    };
    if names != Names::Kept {
        tables::guess::resolve_grouping(&cells, &mut fields);
    }
    let series = (names == Names::Unpivoted && layout.header == 1).then(|| find_longest_series(&header)).flatten();
    let series =
        series.and_then(|series| Some((series.first..=series.last, guess_series(&series, &cells, &common)?, series)));
    let mut taken = Vec::new();
    let mut keys: Vec<(String, Vec<Value>)> = Vec::new();
    for (at, (cells, guessed)) in cells.iter().zip(fields).enumerate() {
        let title = header.get(at).map_or("", String::as_str);
        let elsewhere = series.as_ref().is_some_and(|(places, ..)| places.contains(&at));
        if elsewhere || title.is_empty() && cells.iter().all(Raw::is_blank) {
            continue;
        }
        let unread = cells.iter().find_map(|cell| match cell {
            Raw::Odd(odd) if guessed.reading.read(cell).is_err() => Some(odd.as_ref()),
            _ => None,
        });
        if let Some(odd) = unread {
            columns.lost.count_column(cells);
            columns.notes.push(notes::describe_left_out(
                title,
                at,
                cells.iter().filter(|cell| matches!(cell, Raw::Odd(_))).count(),
                odd,
            ));
            continue;
        }
        let (name, place) = name_column(title, at, &header, layout, names, &mut taken);
        let split = guessed.split.filter(|_| names != Names::Kept && cells.iter().all(is_text));
        let split = split.and_then(|(format, missing)| {
            let number = format.number.reading(missing)?;
            let part = if format.side == TextSide::Before { "TAG" } else { "UNIT" };
            let text = reserve_free_name(format!("{name}_{part}"), &mut taken);
            Some(FoundSplit { format, text, number })
        });
        let nulls = split.as_ref().map_or(&guessed.reading, |split| &split.number);
        columns.lost.count_nulls(nulls, cells);
        if let Some(values) = read_key_values(&guessed.reading, cells).filter(|_| split.is_none()) {
            keys.push((name.clone(), values));
        }
        let notes = guessed.seen.iter().map(notes::describe_seen).collect();
        columns.found.push(Found { name, place, reading: guessed.reading, notes, split });
    }
    columns.key = find_key(&columns.found, &keys);
    if let Some((_, Guess { reading, seen, .. }, series)) = series {
        for cells in cells.get(series.first..=series.last).unwrap_or_default() {
            columns.lost.count_nulls(&reading, cells);
        }
        let notes = seen.iter().map(notes::describe_seen).collect();
        let name = make_column_name(&series.name, series.first, &mut taken);
        let value = make_column_name("VALUE", series.last, &mut taken);
        // A row of the file becomes one row per header.
        columns.key.extend((!columns.key.is_empty()).then(|| name.clone()));
        let headers = header.get(series.first).cloned().zip(header.get(series.last).cloned()).unwrap_or_default();
        columns.unpivot = Some(Unpivoted { name, ty: series.ty, value, reading, notes, headers });
    }
    let readings = columns.found.iter_mut().flat_map(|column| {
        std::iter::once(&mut column.reading).chain(column.split.as_mut().map(|split| &mut split.number))
    });
    for reading in readings.chain(columns.unpivot.as_mut().map(|unpivot| &mut unpivot.reading)) {
        // Marks that are all common are declared on the path instead of the column.
        if reading.missing.iter().all(|mark| common.contains(mark)) {
            reading.missing.clear();
        }
    }
    columns.missing = common;
    Ok(columns)
}

/// Checks for a field that is a text in its file.
fn is_text(cell: &Raw<'_>) -> bool {
    matches!(cell, Raw::Text(_) | Raw::Value(Value::Text(_) | Value::Null))
}

/// Explains why a file cannot be read.
fn build_layout_error(fault: &Fault, path: &str) -> Unreadable {
    notes::report_long_row(fault, path).unwrap_or_else(|| {
        Unreadable::new(format!("`{path}` cannot be read so"), "choose other options, such as `skip` or `until`")
    })
}

/// The null marks of the path, and the empty mark if most columns have it. Other marks are not shared, because they may be values of a text column.
fn find_common_marks(fields: &[Guess], told: &[String]) -> Vec<String> {
    let has_empty = |marks: &[String]| marks.iter().any(String::is_empty);
    let count = fields.iter().filter(|guess| has_empty(&guess.reading.missing)).count();
    let mut found: Vec<String> = told.to_vec();
    if count >= COMMON && count * 2 > fields.len() && !has_empty(told) {
        found.push(String::new());
    }
    found
}

/// Guesses a common reading of all columns of a series; `None` if they are texts that are not nearly numbers, or if some cells cannot be read.
fn guess_series(series: &Series, cells: &[Vec<Raw<'_>>], told: &[String]) -> Option<Guess> {
    let all: Vec<Raw<'_>> = cells.get(series.first..=series.last)?.iter().flatten().cloned().collect();
    if all.iter().any(|cell| matches!(cell, Raw::Odd(_))) {
        return None;
    }
    let found = guess_column(&all, told);
    (found.reading.ty != CellType::Text || !found.seen.is_empty()).then_some(found)
}

/// The name of a column, and the position of its fields.
fn name_column(
    title: &str,
    at: usize,
    header: &[String],
    layout: &Layout,
    names: Names,
    taken: &mut Vec<String>,
) -> (String, Option<Place>) {
    let position = u32::try_from(at + 1).unwrap_or(u32::MAX);
    let alone = !title.is_empty() && header.iter().filter(|other| *other == title).count() == 1;
    let place = if alone && layout.header > 0 { Place::Header(title.to_owned()) } else { Place::Position(position) };
    if names == Names::Kept && layout.header > 0 && alone && can_be_quoted(title) && reserve_name(title, taken) {
        return (title.to_owned(), None);
    }
    let name = make_column_name(title, at, taken);
    let named = place == Place::Header(name.clone());
    (name, Some(place).filter(|_| !named))
}

/// The values of a column, if it can be part of a key.
fn read_key_values(reading: &Reading, cells: &[Raw<'_>]) -> Option<Vec<Value>> {
    let fits = matches!(reading.ty, CellType::Int | CellType::Text | CellType::Date | CellType::DateTime);
    if !fits || !reading.missing.is_empty() || cells.len() < 2 {
        return None;
    }
    let values: Vec<Value> = cells.iter().map(|cell| reading.read(cell)).collect::<Result<_, _>>().ok()?;
    (!values.iter().any(Value::is_null)).then_some(values)
}

/// The first of the leading columns that is unique; otherwise the first two or three of them if they are unique together.
fn find_key(found: &[Found], keys: &[(String, Vec<Value>)]) -> Vec<String> {
    let leading: Vec<&str> = found.iter().take(KEYS_AMONG).map(|column| column.name.as_str()).collect();
    let keys: Vec<&(String, Vec<Value>)> = keys.iter().filter(|(name, _)| leading.contains(&name.as_str())).collect();
    let is_key = |columns: &[&(String, Vec<Value>)]| {
        let rows = columns.first().map_or(0, |(_, values)| values.len());
        let mut seen: HashSet<Vec<String>> = HashSet::with_capacity(rows);
        (0..rows).all(|row| {
            let part =
                |(_, values): &&(String, Vec<Value>)| values.get(row).map(|value| value.render_text().into_owned());
            columns.iter().map(part).collect::<Option<Vec<String>>>().is_some_and(|row| seen.insert(row))
        })
    };
    let names = |columns: &[&(String, Vec<Value>)]| columns.iter().map(|(name, _)| name.clone()).collect();
    // After the first column, an integer column that happens to be unique is a measure, not a key.
    let is_measure = |key: &&&(String, Vec<Value>)| {
        leading.first() != Some(&key.0.as_str()) && matches!(key.1.first(), Some(Value::Int(_)))
    };
    if let Some(single) = keys.iter().filter(|key| !is_measure(key)).find(|key| is_key(&[**key])) {
        return names(&[*single]);
    }
    let several = (2..=keys.len().min(3)).filter_map(|count| keys.get(..count)).find(|keys| is_key(keys));
    several.map(names).unwrap_or_default()
}
