//! A file, to the values of its columns.

use std::borrow::Cow;

use plan::Value;

use crate::fault::Much;
use crate::header;
use crate::limits::MAX_CELLS;
use crate::records::records;
use crate::{Arm, Column, Cut, Fault, Kind, Left, Misfit, Place, Raw, Reading, Record, Records, Shape, Shown, Values};

/// At most this many cells of a column that do not fit are kept.
pub const SHOWN_MISFITS: usize = 5;

/// At most this many lines that a pattern does not fit are kept.
const SHOWN_LINES: usize = 3;

/// What a file has of a table.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Part {
    /// The values: those of the plain columns in the order of the declaration, then those of the column of headers and of the columns that
    /// become rows with it.
    pub columns: Vec<Vec<Value>>,
    /// Of each row: which record of the file it is from.
    pub records: Vec<u32>,
    /// Of each row: on which line of the file that record starts.
    pub lines: Vec<u32>,
    /// What is not read.
    pub cut: Cut,
    /// The header of the file.
    pub header: Vec<String>,
}

/// Cells of one column that do not fit it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Misfits {
    /// How many.
    pub count: usize,
    /// The first of them: the line, the cell, and why.
    pub first: Vec<(u32, String, Misfit)>,
}

impl Misfits {
    fn add(&mut self, line: u32, cell: &str, misfit: Misfit) {
        self.count += 1;
        if self.first.len() < SHOWN_MISFITS {
            self.first.push((line, cell.to_owned(), misfit));
        }
    }
}

/// Reads a file by its shape.
///
/// # Errors
/// All that is wrong with the file: at its records one fault, else every header and every column at fault.
pub fn read(shape: &Shape, path: &str, bytes: &[u8]) -> Result<Part, Vec<Fault>> {
    let records = records(&shape.layout, path, bytes).map_err(|fault| vec![fault])?;
    let fault = |line: u32, kind: Kind| Fault { path: path.to_owned(), line, kind };
    let mut faults = Vec::new();
    let mut sources = Vec::with_capacity(shape.columns.len());
    for column in &shape.columns {
        match source(column, &records) {
            Ok(source) => sources.push(source),
            Err(kind) => faults.push(fault(records.header_line, kind)),
        }
    }
    let mut arms: Vec<Arm> = Vec::new();
    if let Some(unpivot) = &shape.unpivot {
        let taken: Vec<usize> = sources
            .iter()
            .filter_map(|source| match source {
                Source::Cell(at) => Some(*at),
                Source::Characters(..) | Source::Line => None,
            })
            .collect();
        match unpivot.arms(&records.header, &taken) {
            Ok(found) => arms = found,
            Err(why) => faults.push(fault(records.header_line, Kind::Unpivot(why))),
        }
    }
    if !faults.is_empty() {
        return Err(faults);
    }
    let mut reader = Reader::new(shape, arms);
    reader.rows(&sources, records.rows).map_err(|(line, kind)| vec![fault(line, kind)])?;
    let Reader { mut part, misfits, odd, .. } = reader;
    faults.extend(odd.map(|(line, kind)| fault(line, kind)));
    let found = misfits.into_iter().enumerate().filter(|(_, misfits)| misfits.count > 0);
    faults.extend(found.map(|(column, misfits)| {
        let line = misfits.first.first().map_or(0, |(line, _, _)| *line);
        fault(line, Kind::Misfits { column, misfits })
    }));
    if !faults.is_empty() {
        return Err(faults);
    }
    let between = std::mem::take(&mut part.cut.between);
    part.cut = Cut { between, ..records.cut };
    part.header = records.header;
    Ok(part)
}

/// Where the cells of a column are, found.
#[derive(Clone, Copy)]
enum Source {
    Cell(usize),
    Characters(u32, u32),
    Line,
}

fn source(column: &Column, records: &Records<'_>) -> Result<Source, Kind> {
    Ok(match &column.place {
        Place::Header(name) => Source::Cell(header::place(&records.header, name)?),
        Place::Position(position) => {
            let at = usize::try_from(*position).unwrap_or(usize::MAX).saturating_sub(1);
            // Without rows and without a header there is nothing to miss.
            if at >= records.header.len() && !(records.header.is_empty() && records.rows.is_empty()) {
                return Err(Kind::NoPosition { position: *position, columns: records.header.len() });
            }
            Source::Cell(at)
        }
        Place::Characters(first, last) => Source::Characters(*first, *last),
        Place::Line => Source::Line,
    })
}

/// What has been read of a file so far.
struct Reader<'s> {
    shape: &'s Shape,
    arms: Vec<Arm>,
    /// The values of the column of headers, one for each arm.
    heads: Vec<Value>,
    part: Part,
    /// By column, in the order of [`Part::columns`].
    misfits: Vec<Misfits>,
    /// The first cell that cannot be read at all.
    odd: Option<(u32, Kind)>,
}

impl<'s> Reader<'s> {
    fn new(shape: &'s Shape, arms: Vec<Arm>) -> Reader<'s> {
        let unpivoted = shape.unpivot.as_ref().map_or(0, |unpivot| unpivot.values.len() + 1);
        let columns = shape.columns.len() + unpivoted;
        let part = Part { columns: vec![Vec::new(); columns], ..Part::default() };
        let mut reader =
            Reader { shape, arms, heads: Vec::new(), part, misfits: vec![Misfits::default(); columns], odd: None };
        reader.heads();
        reader
    }

    /// The headers that become values.
    fn heads(&mut self) {
        let Some(unpivot) = &self.shape.unpivot else { return };
        let at = self.shape.columns.len();
        for arm in &self.arms {
            let read = unpivot.reading.read_text(&arm.text);
            self.heads.push(read.unwrap_or_else(|misfit| {
                if let Some(misfits) = self.misfits.get_mut(at) {
                    misfits.add(0, &arm.text, misfit);
                }
                Value::Null
            }));
        }
    }

    fn rows(&mut self, sources: &[Source], rows: Vec<Record<'_>>) -> Result<(), (u32, Kind)> {
        for record in rows {
            let line = record.line;
            let whole = record.cells.first().map_or(Cow::Borrowed(""), Raw::shown);
            let mut in_line = Vec::new();
            if let Some(pattern) = &self.shape.line {
                let reading = |column: usize| self.shape.columns.get(column).map(|column| &column.reading);
                match pattern.read(&whole, reading) {
                    Err(_) => return Err((line, Kind::TooTangled)),
                    Ok(None) => {
                        self.unread(line, &whole);
                        continue;
                    }
                    Ok(Some(cells)) => in_line = cells,
                }
            }
            let mut values = Vec::with_capacity(sources.len());
            for (index, (column, source)) in self.shape.columns.iter().zip(sources).enumerate() {
                let cell = match source {
                    Source::Cell(at) => record.cells.get(*at).unwrap_or(&Raw::EMPTY).clone(),
                    Source::Characters(first, last) => Raw::text(characters(&whole, *first, *last)),
                    Source::Line if self.shape.line.is_some() => {
                        let found = in_line.iter().find(|(column, _)| *column == index);
                        Raw::text(found.map_or("", |(_, cell)| *cell))
                    }
                    Source::Line => Raw::Text(Cow::Borrowed(&*whole)),
                };
                values.push(self.cell(index, &column.reading, &column.name, &cell, line));
            }
            let at = self.shape.columns.len();
            let unpivot = self.shape.unpivot.as_ref().map_or(&[][..], |unpivot| unpivot.values.as_slice());
            if self.shape.unpivot.is_none() {
                self.push(&record, values);
                continue;
            }
            // A row becomes many, and each of them has its plain columns again.
            let rows = self.part.records.len().saturating_add(self.arms.len());
            if rows.saturating_mul(self.part.columns.len()) > MAX_CELLS {
                return Err((line, Kind::TooMuch { of: Much::Cells, most: MAX_CELLS }));
            }
            for arm in 0..self.arms.len() {
                let mut row = values.clone();
                row.push(self.heads.get(arm).cloned().unwrap_or(Value::Null));
                for (index, Values { name, reading, .. }) in unpivot.iter().enumerate() {
                    let place = self.arms.get(arm).and_then(|arm| arm.places.get(index)).copied();
                    let cell = place.and_then(|place| record.cells.get(place)).unwrap_or(&Raw::EMPTY);
                    row.push(self.cell(at + 1 + index, reading, name, cell, line));
                }
                self.push(&record, row);
            }
        }
        Ok(())
    }

    fn push(&mut self, record: &Record<'_>, values: Vec<Value>) {
        for (column, value) in self.part.columns.iter_mut().zip(values) {
            column.push(value);
        }
        self.part.records.push(record.number);
        self.part.lines.push(record.line);
    }

    /// The value of a cell; null where it does not fit, which is noted.
    fn cell(&mut self, column: usize, reading: &Reading, name: &str, cell: &Raw<'_>, line: u32) -> Value {
        if let Raw::Odd(odd) = cell
            && reading.read(cell).is_err()
        {
            let kind = || (line, Kind::OddCell { column: name.to_owned(), odd: odd.as_ref().clone() });
            self.odd.get_or_insert_with(kind);
            return Value::Null;
        }
        reading.read(cell).unwrap_or_else(|misfit| {
            if let Some(misfits) = self.misfits.get_mut(column) {
                misfits.add(line, &cell.shown(), misfit);
            }
            Value::Null
        })
    }

    fn unread(&mut self, line: u32, text: &str) {
        if text.trim().is_empty() {
            return;
        }
        let Left { records, shown } = &mut self.part.cut.between;
        *records = records.saturating_add(1);
        if shown.len() < SHOWN_LINES {
            shown.push(Shown { line, text: text.trim().chars().take(60).collect() });
        }
    }
}

/// The characters of a line from the first to the last, both included, from 1; past its end there are none.
fn characters(line: &str, first: u32, last: u32) -> String {
    let (first, last) = (first.saturating_sub(1), last);
    let count = last.saturating_sub(first);
    line.chars().skip(first as usize).take(count as usize).collect()
}
