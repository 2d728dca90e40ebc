//! The columns of a table: their names, what their fields are, which fields are missing, and which columns are a key.

use std::collections::{BTreeMap, HashSet};

use plan::format::Holds;
use plan::{Value, ValueType};
use tabular::{CellType, Layout, Pattern, Place, Raw, Reading, Unreadable};

use super::series::{Series, series};
use super::{dates, numbers, write};
use crate::fixture;

/// How columns are called.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Names {
    /// As their headers: where columns are not declared, that is how they are known.
    Kept,
    /// As names that need no quotes, in uppercase.
    Made,
    /// The same; and columns whose headers are values become rows.
    Unpivoted,
}

/// A column that is found in files.
#[derive(Clone, Debug, PartialEq)]
pub struct Found {
    /// What the source calls it, without quotes.
    pub name: String,
    /// Where its fields are; `None` below the header that is its name.
    pub place: Option<Place>,
    /// How its fields are read.
    pub reading: Reading,
    /// What an author should know of it.
    pub note: Option<String>,
}

/// The columns of a table.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Columns {
    /// In the order of the file.
    pub found: Vec<Found>,
    /// Columns whose headers are values.
    pub unpivot: Option<Unpivoted>,
    /// Null marks of all columns that have none of their own.
    pub missing: Vec<String>,
    /// Names of columns of which no two rows have the same; empty if no such columns are likely to be a key.
    pub key: Vec<String>,
}

/// Columns whose headers are values, as one column of headers and one of fields.
#[derive(Clone, Debug, PartialEq)]
pub struct Unpivoted {
    /// The column of the headers.
    pub name: String,
    /// What the headers are.
    pub ty: CellType,
    /// The column of the fields.
    pub value: String,
    /// How its fields are read.
    pub reading: Reading,
    /// The first header, and the last.
    pub headers: (String, String),
}

/// A mark is one of all columns if at least this number of them have it, and more than half.
const COMMON: usize = 3;

/// Marks of missing fields, in lower case.
const MARKS: [&str; 31] = [
    "",
    "-",
    "--",
    "---",
    "–",
    "—",
    ".",
    "..",
    "...",
    "…",
    "*",
    "?",
    "#n/a",
    "(null)",
    "<na>",
    "k. a.",
    "k.a.",
    "n. a.",
    "n.a.",
    "n/a",
    "n.v.",
    "na",
    "nan",
    "nil",
    "none",
    "not applicable",
    "not available",
    "not reported",
    "null",
    "tbd",
    "unknown",
];

/// No more marks of a column are found that are not known.
const MOST_MARKS: usize = 3;

/// An unknown mark has at most this many characters.
const MOST_MARK: usize = 12;

/// A key is made of some of the first columns.
const KEYS_AMONG: usize = 4;

/// The columns of a table in files that are read as one.
///
/// # Errors
/// A file cannot be read by the layout, or the files have different columns.
pub fn columns(layout: &Layout, files: &[(&str, &[u8])], names: Names) -> Result<Columns, Unreadable> {
    let mut header: Vec<String> = Vec::new();
    let mut cells: Vec<Vec<Raw<'_>>> = Vec::new();
    if layout.format.holds == Holds::Text {
        return Ok(Columns::default());
    }
    for (index, (path, bytes)) in files.iter().enumerate() {
        let unreadable = |_| {
            Unreadable::new(format!("`{path}` cannot be read so"), "choose other options, such as `skip` or `until`")
        };
        let records = tabular::records(layout, path, bytes).map_err(unreadable)?;
        if index == 0 {
            header = records.header.clone();
            cells.resize_with(header.len(), Vec::new);
        }
        let places: Option<Vec<usize>> = match records.header == header {
            true => Some((0..header.len()).collect()),
            // The same columns in another order.
            false if records.header.len() == header.len() => {
                header.iter().map(|name| tabular::header::place(&records.header, name).ok()).collect()
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
    let fields: Vec<Typed> = cells.iter().map(|cells| typed(cells, &layout.missing)).collect();
    let common = if names == Names::Kept { Vec::new() } else { common(&fields, &layout.missing) };
    // Once more, where most columns have marks that others do not know.
    let fields = match common.is_empty() {
        true => fields,
        false => cells.iter().map(|cells| typed(cells, &common)).collect(),
    };
    let series = (names == Names::Unpivoted && layout.header == 1).then(|| series(&header)).flatten();
    let series =
        series.and_then(|series| Some((series.first..=series.last, together(&series, &cells, &common)?, series)));
    let mut taken = Vec::new();
    let mut columns = Columns::default();
    let mut keys: Vec<(String, Vec<Value>)> = Vec::new();
    for (at, (cells, typed)) in cells.iter().zip(fields).enumerate() {
        let title = header.get(at).map_or("", String::as_str);
        let odd = cells.iter().any(|cell| matches!(cell, Raw::Odd(_)));
        let elsewhere = series.as_ref().is_some_and(|(places, ..)| places.contains(&at));
        if odd || elsewhere || title.is_empty() && cells.iter().all(Raw::is_blank) {
            continue;
        }
        let (name, place) = called(title, at, &header, layout, names, &mut taken);
        if let Some(values) = key_values(&typed.reading, cells) {
            keys.push((name.clone(), values));
        }
        columns.found.push(Found { name, place, reading: typed.reading, note: typed.note });
    }
    columns.key = key(&columns.found, &keys);
    if let Some((_, reading, series)) = series {
        let name = write::column_name(&series.name, series.first, &mut taken);
        let value = write::column_name("VALUE", series.last, &mut taken);
        // A row of the file is now one for each header.
        columns.key.extend((!columns.key.is_empty()).then(|| name.clone()));
        let headers = header.get(series.first).cloned().zip(header.get(series.last).cloned()).unwrap_or_default();
        columns.unpivot = Some(Unpivoted { name, ty: series.ty, value, reading, headers });
    }
    let readings = columns.found.iter_mut().map(|column| &mut column.reading);
    for reading in readings.chain(columns.unpivot.as_mut().map(|unpivot| &mut unpivot.reading)) {
        // What a column does not say, its path does.
        if reading.missing.iter().all(|mark| common.contains(mark)) {
            reading.missing.clear();
        }
    }
    columns.missing = common;
    Ok(columns)
}

/// The null marks of most columns, with those that the path has already.
fn common(fields: &[Typed], told: &[String]) -> Vec<String> {
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    for mark in fields.iter().flat_map(|typed| &typed.reading.missing) {
        *counts.entry(mark).or_default() += 1;
    }
    let most = counts.into_iter().filter(|(_, count)| *count >= COMMON && count * 2 > fields.len());
    let mut found: Vec<String> = told.to_vec();
    for (mark, _) in most {
        if !found.iter().any(|known| known == mark) {
            found.push(mark.to_owned());
        }
    }
    found
}

/// How the fields of all columns of a series are read; `None` where they are texts, or cannot be read.
fn together(series: &Series, cells: &[Vec<Raw<'_>>], told: &[String]) -> Option<Reading> {
    let all: Vec<Raw<'_>> = cells.get(series.first..=series.last)?.iter().flatten().cloned().collect();
    if all.iter().any(|cell| matches!(cell, Raw::Odd(_))) {
        return None;
    }
    Some(typed(&all, told).reading).filter(|reading| reading.ty != CellType::Text)
}

/// What a column is called, and where its fields are.
fn called(
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
    if names == Names::Kept && layout.header > 0 && alone && write::can_be_quoted(title) && write::take(title, taken) {
        return (title.to_owned(), None);
    }
    let name = write::column_name(title, at, taken);
    let named = place == Place::Header(name.clone());
    (name, Some(place).filter(|_| !named))
}

/// How the fields of a column are read.
struct Typed {
    reading: Reading,
    note: Option<String>,
}

/// A way to read the fields of a column.
struct Way {
    ty: CellType,
    written: Vec<String>,
}

fn typed(cells: &[Raw<'_>], marks: &[String]) -> Typed {
    let mut counts: BTreeMap<String, usize> = BTreeMap::new();
    for cell in cells.iter().filter(|cell| !matches!(cell, Raw::Value(Value::Null))) {
        *counts.entry(cell.shown().trim().to_owned()).or_default() += 1;
    }
    // Marks of the path hold in every column that has none of its own.
    let told = |text: &str| marks.iter().any(|mark| mark.trim() == text);
    let known = |text: &str| MARKS.contains(&text.to_lowercase().as_str()) || told(text);
    let plain: Vec<&str> = counts.keys().map(String::as_str).filter(|text| !known(text)).collect();
    let mut note = None;
    if !plain.is_empty() {
        for unknown in [Vec::new(), unknown_marks(&counts, &plain)] {
            if note.is_some() {
                break;
            }
            let texts: Vec<&str> = plain.iter().copied().filter(|text| !unknown.contains(text)).collect();
            let Some(ways) = ways(&texts, &mut note) else { continue };
            let marks = counts.keys().filter(|text| known(text) || unknown.contains(&text.as_str()));
            let missing: Vec<String> = marks.cloned().collect();
            if let Some(reading) = ways.into_iter().find_map(|way| fits(way, &missing, cells)) {
                return Typed { reading, note: None };
            }
        }
    }
    // Of texts, only what is empty or told to be so is missing.
    let missing = counts.keys().filter(|text| text.is_empty() || told(text)).cloned().collect();
    Typed { reading: Reading { missing, ..Reading::plain(CellType::Text) }, note }
}

/// The reading, if it reads all cells.
fn fits(way: Way, missing: &[String], cells: &[Raw<'_>]) -> Option<Reading> {
    let written = way.written.iter().map(|pattern| Pattern::parse(pattern, way.ty).ok());
    let written = written.collect::<Option<Vec<Pattern>>>()?;
    let reading = Reading { ty: way.ty, missing: missing.to_vec(), written };
    cells.iter().all(|cell| reading.read(cell).is_ok()).then_some(reading)
}

/// Rare fields without digits among others that have some.
fn unknown_marks<'t>(counts: &BTreeMap<String, usize>, texts: &[&'t str]) -> Vec<&'t str> {
    let digits = |text: &&str| text.contains(|char: char| char.is_ascii_digit());
    let rows = |text: &&str| counts.get(*text).copied().unwrap_or_default();
    let marks: Vec<&str> = texts.iter().copied().filter(|text| !digits(text)).collect();
    let (of_marks, of_all): (usize, usize) = (marks.iter().map(rows).sum(), texts.iter().map(rows).sum());
    let short = marks.iter().all(|mark| mark.chars().count() <= MOST_MARK);
    if short && marks.len() <= MOST_MARKS && of_marks * 2 < of_all { marks } else { Vec::new() }
}

/// In which ways texts can be read, the likeliest first; `None` if they are texts.
fn ways(texts: &[&str], note: &mut Option<String>) -> Option<Vec<Way>> {
    if texts.is_empty() {
        return None;
    }
    let plain = |ty| Way { ty, written: Vec::new() };
    let owned: Vec<String> = texts.iter().map(|text| (*text).to_owned()).collect();
    // What the column of a fixture without columns would be.
    match fixture::inferred(String::new(), &owned, false).value_type {
        ValueType::Int => return Some(vec![plain(CellType::Int)]),
        ValueType::Decimal(_) => return Some(vec![plain(CellType::Decimal(None)), plain(CellType::Float)]),
        ValueType::Float => return Some(vec![plain(CellType::Float)]),
        ValueType::Bool => return Some(vec![plain(CellType::Bool)]),
        ValueType::Date => return Some(vec![plain(CellType::Date)]),
        ValueType::DateTime => return Some(vec![plain(CellType::DateTime)]),
        ValueType::Text | ValueType::Duration => {}
    }
    let all = |way: &Way| {
        let reading = Reading::plain(way.ty);
        texts.iter().all(|text| reading.read_text(text).is_ok())
    };
    let digits = |text: &&str| text.contains(|char: char| char.is_ascii_digit());
    if texts.iter().all(digits) && !texts.iter().any(|text| numbers::is_code(text)) {
        let own = [CellType::Int, CellType::Decimal(None), CellType::Float].map(plain);
        if let Some(way) = own.into_iter().find(all) {
            return Some(vec![way]);
        }
        if let Some((ty, written)) = numbers::patterns(texts) {
            return Some(vec![Way { ty, written }]);
        }
    }
    let truths = |text: &&str| text.eq_ignore_ascii_case("true") || text.eq_ignore_ascii_case("false");
    if texts.iter().all(truths) {
        return Some(vec![plain(CellType::Bool)]);
    }
    if !texts.iter().all(digits) {
        return None;
    }
    let way = [CellType::Date, CellType::DateTime].map(plain).into_iter().find(all);
    if let Some(way) = way {
        return Some(vec![way]);
    }
    match dates::pattern(texts) {
        Ok((ty, pattern)) => Some(vec![Way { ty, written: vec![pattern] }]),
        Err(dates::Unclear::Two(first, second)) => {
            *note = Some(format!("`{first}` and `{second}` both match: choose one"));
            None
        }
        Err(dates::Unclear::None) => None,
    }
}

/// The values of a column that can be part of a key.
fn key_values(reading: &Reading, cells: &[Raw<'_>]) -> Option<Vec<Value>> {
    let fits = matches!(reading.ty, CellType::Int | CellType::Text | CellType::Date | CellType::DateTime);
    if !fits || !reading.missing.is_empty() || cells.len() < 2 {
        return None;
    }
    let values: Vec<Value> = cells.iter().map(|cell| reading.read(cell)).collect::<Result<_, _>>().ok()?;
    (!values.iter().any(Value::is_null)).then_some(values)
}

/// The first of the first columns that have no value twice; else the first two or three that have no values twice together.
fn key(found: &[Found], keys: &[(String, Vec<Value>)]) -> Vec<String> {
    let leading: Vec<&str> = found.iter().take(KEYS_AMONG).map(|column| column.name.as_str()).collect();
    let keys: Vec<&(String, Vec<Value>)> = keys.iter().filter(|(name, _)| leading.contains(&name.as_str())).collect();
    let is_key = |columns: &[&(String, Vec<Value>)]| {
        let rows = columns.first().map_or(0, |(_, values)| values.len());
        let mut seen: HashSet<Vec<String>> = HashSet::with_capacity(rows);
        (0..rows).all(|row| {
            let part = |(_, values): &&(String, Vec<Value>)| values.get(row).map(|value| value.render().into_owned());
            columns.iter().map(part).collect::<Option<Vec<String>>>().is_some_and(|row| seen.insert(row))
        })
    };
    let names = |columns: &[&(String, Vec<Value>)]| columns.iter().map(|(name, _)| name.clone()).collect();
    // A number that happens to be another one in each row, after the first column, is a measure.
    let is_measure = |key: &&&(String, Vec<Value>)| {
        leading.first() != Some(&key.0.as_str()) && matches!(key.1.first(), Some(Value::Int(_)))
    };
    if let Some(single) = keys.iter().filter(|key| !is_measure(key)).find(|key| is_key(&[**key])) {
        return names(&[*single]);
    }
    let several = (2..=keys.len().min(3)).filter_map(|count| keys.get(..count)).find(|keys| is_key(keys));
    several.map(names).unwrap_or_default()
}
