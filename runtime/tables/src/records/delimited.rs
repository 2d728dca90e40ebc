//! The reader of CSV and TSV: RFC 4180 with any line ends. A quote inside a cell that does not begin with one is an ordinary character.

use std::borrow::Cow;

use memchr::{memchr, memchr3};

use crate::fault::{SizeLimit, Wrong};
use crate::grid::{Entry, Grid};
use crate::limits::{MAX_CELL, MAX_CELLS, MAX_WIDTH};
use crate::{FaultKind, Raw};

/// Reads all records of a text with this character between cells.
pub(super) fn read_grid(text: &str, delimiter: u8) -> Result<Grid<'_>, Wrong> {
    let mut reader = Reader::new(text.as_bytes(), delimiter).with_blanks_after_quotes();
    let mut grid = Grid::default();
    let mut cells = Vec::new();
    while let Some(start) = reader.read_record(&mut cells)? {
        let cells = cells.iter_mut().map(|cell| Raw::from_text(as_text(text, std::mem::take(cell)))).collect();
        grid.entries.push(Entry { gap: start.gap, line: start.line, cells, above: Vec::new() });
    }
    grid.gap = reader.gap;
    Ok(grid)
}

/// Converts a cell to text: the part between two ASCII characters of a text is valid text too. It is sliced by position, which avoids a second check.
fn as_text<'t>(text: &'t str, cell: Cow<'t, [u8]>) -> Cow<'t, str> {
    match cell {
        Cow::Borrowed(cell) => {
            let start = cell.as_ptr().addr().wrapping_sub(text.as_ptr().addr());
            let part = text.get(start..start.wrapping_add(cell.len()));
            Cow::Borrowed(part.unwrap_or_default())
        }
        Cow::Owned(cell) => Cow::Owned(String::from_utf8(cell).unwrap_or_default()),
    }
}

/// Reads records of bytes in an encoding that includes ASCII; the cells may have any such encoding.
#[derive(Debug)]
pub struct Reader<'t> {
    bytes: &'t [u8],
    at: usize,
    line: u32,
    delimiter: u8,
    /// Whether spaces may follow a closing quote; they belong to the cell.
    blanks: bool,
    /// Number of cells read.
    cells: usize,
    /// Number of empty lines since the last record.
    gap: u32,
}

/// The start of a record.
#[derive(Clone, Copy, Debug)]
pub struct Start {
    /// Its position in bytes.
    pub byte: usize,
    /// The line, from 1.
    pub line: u32,
    /// Number of empty lines directly before it.
    pub gap: u32,
}

impl<'t> Reader<'t> {
    /// Starts at the first byte; a byte order mark is not recognized here.
    pub fn new(bytes: &'t [u8], delimiter: u8) -> Reader<'t> {
        Reader { bytes, at: 0, line: 1, delimiter, blanks: false, cells: 0, gap: 0 }
    }

    /// Allows spaces after a closing quote. Most readers treat them as part of the cell.
    fn with_blanks_after_quotes(self) -> Reader<'t> {
        Reader { blanks: true, ..self }
    }

    /// Reads the next record, and replaces the content of `cells` by its cells. `None` at the end.
    ///
    /// # Errors
    /// Quotes do not match, or a size exceeds its limit; then the reader cannot continue.
    pub fn read_record(&mut self, cells: &mut Vec<Cow<'t, [u8]>>) -> Result<Option<Start>, Wrong> {
        cells.clear();
        while let Some(b'\n' | b'\r') = self.peek_byte() {
            self.end_of_line();
            self.gap = self.gap.saturating_add(1);
        }
        if self.peek_byte().is_none() {
            return Ok(None);
        }
        let start = Start { byte: self.at, line: self.line, gap: std::mem::take(&mut self.gap) };
        loop {
            let cell = if self.peek_byte() == Some(b'"') { self.read_quoted()? } else { self.read_bare() };
            SizeLimit::Cell.check_size(cell.len(), MAX_CELL, start.line)?;
            cells.push(cell);
            self.cells += 1;
            SizeLimit::Columns.check_size(cells.len(), MAX_WIDTH, start.line)?;
            SizeLimit::Cells.check_size(self.cells, MAX_CELLS, start.line)?;
            match self.peek_byte() {
                Some(byte) if byte == self.delimiter => self.at += 1,
                Some(_) => {
                    self.end_of_line();
                    break;
                }
                None => break,
            }
        }
        Ok(Some(start))
    }

    fn peek_byte(&self) -> Option<u8> {
        self.bytes.get(self.at).copied()
    }

    fn rest(&self) -> &'t [u8] {
        self.bytes.get(self.at..).unwrap_or_default()
    }

    /// Returns the bytes from here to `end`.
    fn slice_to(&self, end: usize) -> &'t [u8] {
        self.bytes.get(self.at..end).unwrap_or_default()
    }

    /// Skips `\n`, `\r\n`, or `\r`.
    fn end_of_line(&mut self) {
        self.at += if self.rest().starts_with(b"\r\n") { 2 } else { 1 };
        self.line = self.line.saturating_add(1);
    }

    fn read_bare(&mut self) -> Cow<'t, [u8]> {
        let end = memchr3(self.delimiter, b'\n', b'\r', self.rest()).map_or(self.bytes.len(), |end| self.at + end);
        let cell = self.slice_to(end);
        self.at = end;
        Cow::Borrowed(cell)
    }

    fn read_quoted(&mut self) -> Result<Cow<'t, [u8]>, Wrong> {
        let opened = self.line;
        self.at += 1;
        let mut cell: Cow<'t, [u8]> = Cow::Borrowed(&[]);
        loop {
            let Some(end) = memchr(b'"', self.rest()).map(|end| self.at + end) else {
                return Err((opened, FaultKind::OpenQuote));
            };
            let part = self.slice_to(end);
            self.line = self.line.saturating_add(crate::encoding::find_line_after(part) - 1);
            self.at = end + 1;
            let doubled = self.peek_byte() == Some(b'"');
            match (cell.is_empty(), doubled) {
                (true, false) => cell = Cow::Borrowed(part),
                (_, doubled) => {
                    let cell = cell.to_mut();
                    cell.extend_from_slice(part);
                    if doubled {
                        cell.push(b'"');
                    }
                }
            }
            if !doubled {
                break;
            }
            self.at += 1;
        }
        let closed = self.at;
        while self.blanks && self.peek_byte().is_some_and(|byte| matches!(byte, b' ' | b'\t') && byte != self.delimiter)
        {
            self.at += 1;
        }
        if let Some(blanks) = self.bytes.get(closed..self.at).filter(|blanks| !blanks.is_empty()) {
            cell.to_mut().extend_from_slice(blanks);
        }
        match self.peek_byte() {
            None | Some(b'\n' | b'\r') => Ok(cell),
            Some(byte) if byte == self.delimiter => Ok(cell),
            Some(_) => Err((self.line, FaultKind::AfterQuote)),
        }
    }
}
