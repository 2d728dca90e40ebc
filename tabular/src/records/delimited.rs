//! CSV and TSV: RFC 4180 with any line ends. A quote inside a cell that does not begin with one is itself.

use std::borrow::Cow;

use memchr::{memchr, memchr3};

use super::{Entry, Grid, Wrong};
use crate::fault::Much;
use crate::limits::{MAX_CELL, MAX_CELLS, MAX_WIDTH};
use crate::{Kind, Raw};

/// All records of a text with this character between cells.
pub(super) fn grid(text: &str, delimiter: u8) -> Result<Grid<'_>, Wrong> {
    let mut reader = Reader { text, at: 0, line: 1, delimiter, cells: 0 };
    let mut grid = Grid::default();
    while let Some(byte) = reader.peek() {
        if matches!(byte, b'\n' | b'\r') {
            reader.end_of_line();
            grid.gap += 1;
            continue;
        }
        let gap = std::mem::take(&mut grid.gap);
        grid.entries.push(Entry { gap, line: reader.line, cells: reader.record()? });
    }
    Ok(grid)
}

struct Reader<'t> {
    text: &'t str,
    at: usize,
    line: u32,
    delimiter: u8,
    /// How many have been read.
    cells: usize,
}

impl<'t> Reader<'t> {
    fn peek(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    fn rest(&self) -> &'t [u8] {
        self.text.as_bytes().get(self.at..).unwrap_or_default()
    }

    /// The text from here to `end`.
    fn to(&self, end: usize) -> &'t str {
        self.text.get(self.at..end).unwrap_or_default()
    }

    /// Goes past `\n`, `\r\n`, or `\r`.
    fn end_of_line(&mut self) {
        self.at += if self.rest().starts_with(b"\r\n") { 2 } else { 1 };
        self.line = self.line.saturating_add(1);
    }

    /// The cells up to the end of the record, which is passed.
    fn record(&mut self) -> Result<Vec<Raw<'t>>, Wrong> {
        let start = self.line;
        let mut cells = Vec::new();
        loop {
            let cell = if self.peek() == Some(b'"') { self.quoted()? } else { self.bare() };
            if cell.len() > MAX_CELL {
                return Err((start, Kind::TooMuch { of: Much::Cell, most: MAX_CELL }));
            }
            cells.push(Raw::text(cell));
            self.cells += 1;
            if cells.len() > MAX_WIDTH {
                return Err((start, Kind::TooMuch { of: Much::Columns, most: MAX_WIDTH }));
            }
            if self.cells > MAX_CELLS {
                return Err((start, Kind::TooMuch { of: Much::Cells, most: MAX_CELLS }));
            }
            match self.peek() {
                Some(byte) if byte == self.delimiter => self.at += 1,
                Some(_) => {
                    self.end_of_line();
                    break;
                }
                None => break,
            }
        }
        Ok(cells)
    }

    fn bare(&mut self) -> Cow<'t, str> {
        let end = memchr3(self.delimiter, b'\n', b'\r', self.rest()).map_or(self.text.len(), |end| self.at + end);
        let cell = self.to(end);
        self.at = end;
        Cow::Borrowed(cell)
    }

    /// A cell in quotes; blanks after it are not part of it.
    fn quoted(&mut self) -> Result<Cow<'t, str>, Wrong> {
        let opened = self.line;
        self.at += 1;
        let mut cell = Cow::Borrowed("");
        loop {
            let Some(end) = memchr(b'"', self.rest()).map(|end| self.at + end) else {
                return Err((opened, Kind::OpenQuote));
            };
            let part = self.to(end);
            self.line = self.line.saturating_add(crate::encoding::line_after(part) - 1);
            self.at = end + 1;
            let doubled = self.peek() == Some(b'"');
            match (cell.is_empty(), doubled) {
                (true, false) => cell = Cow::Borrowed(part),
                (_, doubled) => {
                    let cell = cell.to_mut();
                    cell.push_str(part);
                    if doubled {
                        cell.push('"');
                    }
                }
            }
            if !doubled {
                break;
            }
            self.at += 1;
        }
        while self.peek().is_some_and(|byte| matches!(byte, b' ' | b'\t') && byte != self.delimiter) {
            self.at += 1;
        }
        match self.peek() {
            None | Some(b'\n' | b'\r') => Ok(cell),
            Some(byte) if byte == self.delimiter => Ok(cell),
            Some(_) => Err((self.line, Kind::AfterQuote)),
        }
    }
}
