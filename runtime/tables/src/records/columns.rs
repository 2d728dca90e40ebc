//! Columns that are found one after another, while records are read that name their own cells: JSON, YAML, XML.

use std::collections::HashMap;

use model::Value;

use super::Wrong;
use crate::fault::SizeLimit;
use crate::limits::{MAX_CELL, MAX_CELLS, MAX_WIDTH};
use crate::{FaultKind, Raw, Records};

/// The columns so far.
#[derive(Default)]
pub(super) struct Columns {
    header: Vec<String>,
    places: HashMap<String, usize>,
    cells: usize,
    /// Of all headers.
    bytes: usize,
}

impl Columns {
    /// The place of a header, which is new if it was not there before.
    pub fn place_header(&mut self, name: &str, row: u32) -> Result<usize, Wrong> {
        if let Some(place) = self.places.get(name) {
            return Ok(*place);
        }
        let place = self.header.len();
        self.widen_to(place, row)?;
        self.bytes = self.bytes.saturating_add(name.len());
        if self.bytes > MAX_CELL {
            return Err((row, FaultKind::TooMuch { of: SizeLimit::Cell, most: MAX_CELL }));
        }
        // As all headers are: what asks for one does not know its blanks.
        if let Some(header) = self.header.get_mut(place) {
            *header = crate::header::normalize_blanks(name);
        }
        self.places.insert(name.to_owned(), place);
        Ok(place)
    }

    /// Makes room for a column at this place.
    pub fn widen_to(&mut self, place: usize, row: u32) -> Result<(), Wrong> {
        if place >= MAX_WIDTH {
            return Err((row, FaultKind::TooMuch { of: SizeLimit::Columns, most: MAX_WIDTH }));
        }
        if place >= self.header.len() {
            self.header.resize(place + 1, String::new());
        }
        Ok(())
    }

    /// Counts the cells of a record.
    pub fn count_cells(&mut self, cells: usize, row: u32) -> Result<(), Wrong> {
        self.cells = self.cells.saturating_add(cells);
        if self.cells > MAX_CELLS {
            return Err((row, FaultKind::TooMuch { of: SizeLimit::Cells, most: MAX_CELLS }));
        }
        Ok(())
    }

    /// Gives the records their header, and each of them all cells; what a record does not have is null.
    pub fn finish_records(self, records: &mut Records<'static>) -> Result<(), Wrong> {
        let width = self.header.len();
        if width.saturating_mul(records.rows.len()) > MAX_CELLS {
            return Err((0, FaultKind::TooMuch { of: SizeLimit::Cells, most: MAX_CELLS }));
        }
        records.rows.iter_mut().for_each(|row| row.cells.resize(width, Raw::Value(Value::Null)));
        records.header = self.header;
        Ok(())
    }
}

/// The cell at a place, with nulls before it where there was none.
pub(super) fn ensure_cell<'c>(cells: &'c mut Vec<Raw<'static>>, place: usize) -> Option<&'c mut Raw<'static>> {
    if cells.len() <= place {
        cells.resize(place + 1, Raw::Value(Value::Null));
    }
    cells.get_mut(place)
}
