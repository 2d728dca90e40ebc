//! Reads a file to the values of its columns.

use std::borrow::Cow;

use model::{Format, Val, Value};

use crate::fault::SizeLimit;
use crate::header;
use crate::limits::MAX_CELLS;
use crate::raw::Wide;
use crate::records::with_records;
use crate::{
    Column, Fault, FaultKind, Misfit, Misfits, Place, Raw, Reading, Record, Records, Shape, Shown, UnpivotRow,
    UnreadRecords, UnreadRegions, Values,
};

/// Maximum number of non-matching lines that are kept.
const SHOWN_LINES: usize = 3;

/// The content of a table in a file.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct TableData {
    /// The values: those of the plain columns in the order of the declaration, then those of the column of headers and of the columns that become rows with it.
    pub columns: Vec<Vec<Value>>,
    /// For each row, the number of its record in the file.
    pub records: Vec<u32>,
    /// For each row, the line of the file on which its record starts.
    pub lines: Vec<u32>,
    /// The parts that are not read.
    pub cut: UnreadRegions,
    /// The header of the file.
    pub header: Vec<String>,
    /// By column, the first number with a currency sign.
    pub amounts: Vec<Option<Amount>>,
}

/// A number with a currency sign.
#[derive(Clone, Debug, PartialEq)]
pub struct Amount {
    /// Its line in the file.
    pub line: u32,
    /// The cell as written.
    pub cell: String,
    /// The sign: `€`.
    pub currency: char,
}

/// The content of a file apart from its rows.
pub(crate) struct Beside {
    pub header: Vec<String>,
    pub cut: UnreadRegions,
    pub amounts: Vec<Option<Amount>>,
}

/// Receives the rows of a file, one after another.
pub(crate) trait Rows {
    /// Receives a row: the number of its record in the file, the line on which that starts, and its values in the order of [`TableData::columns`],
    /// which are drained. A cell that does not fit is null; then the file has a fault regardless of its rows.
    fn push_row(&mut self, record: u32, line: u32, values: &mut Vec<Val<'_>>);
}

/// Keeps all values.
impl Rows for TableData {
    fn push_row(&mut self, record: u32, line: u32, values: &mut Vec<Val<'_>>) {
        for (column, value) in self.columns.iter_mut().zip(values.drain(..)) {
            column.push(value.into_value());
        }
        self.records.push(record);
        self.lines.push(line);
    }
}

/// Reads a file by its shape.
///
/// ```
/// use model::{Format, Value};
/// use tables::{CellType, Column, FaultKind, Layout, Place, Reading, Shape, read_table};
///
/// let column = |name: &str, ty| Column {
///     name: name.to_owned(),
///     place: Place::Header(name.to_owned()),
///     reading: Reading::from_type(ty),
/// };
/// let shape = Shape {
///     layout: Layout::from_format(Format::Csv),
///     columns: vec![column("TOWN", CellType::Text), column("N", CellType::Int)],
///     unpivot: None,
///     line: None,
/// };
/// // Columns are found by their headers; others are ignored.
/// let table = read_table(&shape, "towns.csv", b"N,NOTE,TOWN\n3,,Ulm\n1,new,Bonn\n").expect("a table");
/// assert_eq!(table.columns[0], [Value::from_text("Ulm"), Value::from_text("Bonn")]);
/// assert_eq!(table.columns[1], [Value::Int(3), Value::Int(1)]);
/// assert_eq!(table.lines, [2, 3]);
/// let faults = read_table(&shape, "towns.csv", b"N,CITY\n3,Ulm\n").expect_err("no TOWN");
/// assert!(matches!(&faults[0].kind, FaultKind::NoHeader { header, .. } if header == "TOWN"), "{faults:?}");
/// ```
///
/// # Errors
/// All faults of the file: either one fault of its records, or those of every header and column.
pub fn read_table(shape: &Shape, path: &str, bytes: &[u8]) -> Result<TableData, Vec<Fault>> {
    let mut part = TableData { columns: vec![Vec::new(); count_columns(shape)], ..TableData::default() };
    let Beside { header, cut, amounts } = read_rows(shape, path, bytes, &mut part)?;
    Ok(TableData { header, cut, amounts, ..part })
}

/// Returns the number of columns that are read.
fn count_columns(shape: &Shape) -> usize {
    shape.columns.len() + shape.unpivot.as_ref().map_or(0, |unpivot| unpivot.values.len() + 1)
}

/// Reads a file by its shape, row by row.
///
/// # Errors
/// The same as for [`read_table`].
pub(crate) fn read_rows(shape: &Shape, path: &str, bytes: &[u8], to: &mut impl Rows) -> Result<Beside, Vec<Fault>> {
    let read = with_records(&shape.layout, path, bytes, |records| convert_records(shape, path, records, to));
    read.unwrap_or_else(|fault| Err(vec![fault]))
}

fn convert_records(shape: &Shape, path: &str, records: Records<'_>, to: &mut impl Rows) -> Result<Beside, Vec<Fault>> {
    let fault = |line: u32, kind: FaultKind| Fault { path: path.to_owned(), line, kind };
    let mut faults = Vec::new();
    let mut sources = Vec::with_capacity(shape.columns.len());
    for column in &shape.columns {
        match resolve_source(column, &records, shape.layout.format) {
            Ok(source) => sources.push(source),
            Err(kind) => faults.push(fault(records.header_line, kind)),
        }
    }
    let mut arms: Vec<UnpivotRow> = Vec::new();
    if let Some(unpivot) = &shape.unpivot {
        let taken: Vec<usize> = sources
            .iter()
            .filter_map(|source| match source {
                Source::Cell(at) => Some(*at),
                Source::Characters(..) | Source::Line => None,
            })
            .collect();
        match unpivot.resolve_arms(&records.header, &taken) {
            Ok(found) => arms = found,
            Err(why) => faults.push(fault(records.header_line, FaultKind::Unpivot(why))),
        }
    }
    // If the header identifies all columns, cells outside of it are not read.
    let by_position = shape.columns.iter().any(|column| matches!(column.place, Place::Position(_)));
    if let Some(Wide { line, cells, header }) = records.wide.filter(|_| !by_position) {
        faults.push(fault(line, FaultKind::TooLong { cells, header }));
    }
    if !faults.is_empty() {
        return Err(faults);
    }
    let mut reader = Reader::new(shape, arms);
    reader.read_records(&sources, &records.rows, to).map_err(|(line, kind)| vec![fault(line, kind)])?;
    let Reader { between, misfits, odd, amounts, .. } = reader;
    faults.extend(odd.map(|(line, kind)| fault(line, kind)));
    let found = misfits.into_iter().enumerate().filter(|(_, misfits)| misfits.count > 0);
    faults.extend(found.map(|(column, misfits)| {
        let line = misfits.first.first().map_or(0, |(line, _, _)| *line);
        fault(line, FaultKind::Misfits { column, misfits })
    }));
    if !faults.is_empty() {
        return Err(faults);
    }
    Ok(Beside { header: records.header, cut: UnreadRegions { between, ..records.cut }, amounts })
}

/// The resolved place of a column's cells.
#[derive(Clone, Copy)]
enum Source {
    Cell(usize),
    Characters(u32, u32),
    Line,
}

fn resolve_source(column: &Column, records: &Records<'_>, format: Format) -> Result<Source, FaultKind> {
    Ok(match &column.place {
        // Without lines, no key is missing.
        Place::Header(_) if format == Format::Jsonl && records.rows.is_empty() => Source::Cell(0),
        Place::Header(name) => Source::Cell(header::find_header(&records.header, name)?),
        Place::Position(position) => {
            let at = usize::try_from(*position).unwrap_or(usize::MAX).saturating_sub(1);
            // Without rows and without a header, nothing is missing.
            if at >= records.header.len() && !(records.header.is_empty() && records.rows.is_empty()) {
                return Err(FaultKind::NoPosition { position: *position, columns: records.header.len() });
            }
            Source::Cell(at)
        }
        Place::Characters(first, last) => Source::Characters(*first, *last),
        Place::Line => Source::Line,
    })
}

/// The state of reading a file.
struct Reader<'s> {
    shape: &'s Shape,
    arms: Vec<UnpivotRow>,
    /// The values of the column of headers, one for each arm.
    heads: Vec<Value>,
    /// Number of rows until now.
    count: usize,
    /// Misfits by column, in the order of [`TableData::columns`].
    misfits: Vec<Misfits>,
    /// The first number with a currency sign, by column.
    amounts: Vec<Option<Amount>>,
    /// The first cell that cannot be read at all.
    odd: Option<(u32, FaultKind)>,
    /// The lines of a text that do not match its pattern.
    between: UnreadRecords,
}

impl<'s> Reader<'s> {
    fn new(shape: &'s Shape, arms: Vec<UnpivotRow>) -> Reader<'s> {
        let misfits = vec![Misfits::default(); count_columns(shape)];
        let amounts = vec![None; count_columns(shape)];
        let (heads, between) = (Vec::new(), UnreadRecords::default());
        let mut reader = Reader { shape, arms, heads, count: 0, misfits, amounts, odd: None, between };
        reader.read_heads();
        reader
    }

    /// Reads the headers that become values.
    fn read_heads(&mut self) {
        let Some(unpivot) = &self.shape.unpivot else { return };
        let at = self.shape.columns.len();
        for arm in &self.arms {
            let read = unpivot.reading.read_text(&arm.text);
            self.heads.push(read.unwrap_or_else(|misfit| {
                if let Some(misfits) = self.misfits.get_mut(at) {
                    misfits.add_misfit(0, &arm.text, misfit);
                }
                Value::Null
            }));
        }
    }

    fn read_records(
        &mut self,
        sources: &[Source],
        records: &[Record<'_>],
        to: &mut impl Rows,
    ) -> Result<(), (u32, FaultKind)> {
        let shape = self.shape;
        let mut values = Vec::with_capacity(self.misfits.len());
        for record in records {
            let line = record.line;
            let whole = record.cells.first().map_or(Cow::Borrowed(""), Raw::render_cell);
            let mut in_line = Vec::new();
            if let Some(pattern) = &shape.line {
                let reading = |column: usize| shape.columns.get(column).map(|column| &column.reading);
                match pattern.read_cells(&whole, reading) {
                    Err(_) => return Err((line, FaultKind::TooTangled)),
                    Ok(None) => {
                        self.note_unread(line, &whole);
                        continue;
                    }
                    Ok(Some(cells)) => in_line = cells,
                }
            }
            for (index, (column, source)) in shape.columns.iter().zip(sources).enumerate() {
                // A part of a line is not a cell of the record.
                let part = match source {
                    Source::Cell(at) => {
                        let cell = record.cells.get(*at).unwrap_or(&Raw::EMPTY);
                        values.push(self.read_cell(index, &column.reading, &column.name, cell, line));
                        continue;
                    }
                    Source::Characters(first, last) => Raw::from_part(slice_characters(&whole, *first, *last)),
                    Source::Line if shape.line.is_some() => {
                        let found = in_line.iter().find(|(column, _)| *column == index);
                        Raw::from_part(found.map_or("", |(_, cell)| *cell))
                    }
                    Source::Line => Raw::Text(Cow::Borrowed(&*whole)),
                };
                let value = self.read_cell(index, &column.reading, &column.name, &part, line);
                values.push(Val::Own(value.into_value()));
            }
            let Some(unpivot) = &shape.unpivot else {
                self.count += 1;
                to.push_row(record.number, line, &mut values);
                values.clear();
                continue;
            };
            // One row becomes many, each with the plain columns again.
            let at = shape.columns.len();
            let rows = self.count.saturating_add(self.arms.len());
            SizeLimit::Cells.check_size(rows.saturating_mul(self.misfits.len()), MAX_CELLS, line)?;
            self.count = rows;
            for arm in 0..self.arms.len() {
                let mut row = values.clone();
                row.push(Val::Own(self.heads.get(arm).cloned().unwrap_or(Value::Null)));
                for (index, Values { name, reading, .. }) in unpivot.values.iter().enumerate() {
                    let place = self.arms.get(arm).and_then(|arm| arm.places.get(index)).copied();
                    let cell = place.and_then(|place| record.cells.get(place)).unwrap_or(&Raw::EMPTY);
                    row.push(self.read_cell(at + 1 + index, reading, name, cell, line));
                }
                to.push_row(record.number, line, &mut row);
            }
            values.clear();
        }
        Ok(())
    }

    /// Reads the value of a cell; a cell that does not fit is recorded, and becomes null.
    fn read_cell<'c>(&mut self, column: usize, reading: &Reading, name: &str, cell: &'c Raw<'_>, line: u32) -> Val<'c> {
        let read =
            reading.read_val(cell).and_then(|value| match self.find_other_currency(column, reading, cell, line) {
                Some(first) => Err(Misfit::Currency(first)),
                None => Ok(value),
            });
        read.unwrap_or_else(|misfit| {
            if let Raw::Odd(odd) = cell {
                let kind = || (line, FaultKind::OddCell { column: name.to_owned(), odd: odd.as_ref().clone() });
                self.odd.get_or_insert_with(kind);
            } else if let Some(misfits) = self.misfits.get_mut(column) {
                misfits.add_misfit(line, &cell.render_cell(), misfit);
            }
            Val::NULL
        })
    }

    /// Returns the currency sign of an earlier number of the column, if this one has another.
    fn find_other_currency(&mut self, column: usize, reading: &Reading, cell: &Raw<'_>, line: u32) -> Option<char> {
        if !reading.ty.is_number() || !reading.written.is_empty() {
            return None;
        }
        let (Raw::Text(_) | Raw::Value(Value::Text(_))) = cell else { return None };
        let text = cell.render_cell();
        let bytes = text.as_bytes();
        // Most numbers begin and end with a digit.
        if bytes.first().is_none_or(u8::is_ascii_digit) && bytes.last().is_none_or(u8::is_ascii_digit) {
            return None;
        }
        let currency =
            text.chars().find(|char| model::numeral::is_currency(*char)).filter(|_| !reading.is_missing(&text))?;
        let first = self.amounts.get_mut(column)?;
        let first = first.get_or_insert_with(|| Amount { line, cell: text.into_owned(), currency }).currency;
        (first != currency).then_some(first)
    }

    fn note_unread(&mut self, line: u32, text: &str) {
        if text.trim().is_empty() {
            return;
        }
        let UnreadRecords { records, cells, shown } = &mut self.between;
        *records = records.saturating_add(1);
        *cells += 1;
        if shown.len() < SHOWN_LINES {
            shown.push(Shown { line, text: text.trim().chars().take(60).collect() });
        }
    }
}

/// Returns the characters of a line from the first to the last position, inclusive and from 1. Positions after its end are ignored.
fn slice_characters(line: &str, first: u32, last: u32) -> String {
    let (first, last) = (first.saturating_sub(1), last);
    let count = last.saturating_sub(first);
    line.chars().skip(first as usize).take(count as usize).collect()
}
