//! Columns that are discovered while records with named cells are read: JSON, YAML, and XML.

use std::collections::HashMap;

use model::Value;

use crate::fault::{SizeLimit, Wrong};
use crate::limits::{MAX_CELL, MAX_CELLS, MAX_WIDTH};
use crate::{Raw, Records};

/// The columns found until now.
#[derive(Default)]
pub(super) struct Columns {
    header: Vec<String>,
    places: HashMap<String, usize>,
    cells: usize,
    /// Total size of all headers in bytes.
    bytes: usize,
}

impl Columns {
    /// Returns the index of a header, and adds it if it is new.
    pub fn place_header(&mut self, name: &str, row: u32) -> Result<usize, Wrong> {
        if let Some(place) = self.places.get(name) {
            return Ok(*place);
        }
        let place = self.header.len();
        self.widen_to(place, row)?;
        self.bytes = self.bytes.saturating_add(name.len());
        SizeLimit::Cell.check_size(self.bytes, MAX_CELL, row)?;
        // Headers are normalized, because a request for one does not contain its original spaces.
        if let Some(header) = self.header.get_mut(place) {
            *header = crate::header::normalize_blanks(name);
        }
        self.places.insert(name.to_owned(), place);
        Ok(place)
    }

    /// Widens the table to include this index.
    pub fn widen_to(&mut self, place: usize, row: u32) -> Result<(), Wrong> {
        SizeLimit::Columns.check_size(place.saturating_add(1), MAX_WIDTH, row)?;
        if place >= self.header.len() {
            self.header.resize(place + 1, String::new());
        }
        Ok(())
    }

    /// Counts the cells of a record.
    pub fn count_cells(&mut self, cells: usize, row: u32) -> Result<(), Wrong> {
        self.cells = self.cells.saturating_add(cells);
        SizeLimit::Cells.check_size(self.cells, MAX_CELLS, row)
    }

    /// Sets the header of the records, and pads each record; missing cells are null.
    pub fn finish_records(self, records: &mut Records<'static>) -> Result<(), Wrong> {
        let width = self.header.len();
        SizeLimit::Cells.check_size(width.saturating_mul(records.rows.len()), MAX_CELLS, 0)?;
        records.rows.iter_mut().for_each(|row| row.cells.resize(width, Raw::Value(Value::Null)));
        records.header = self.header;
        Ok(())
    }
}

/// Returns the cell at an index, after adding the nulls before it.
pub(super) fn ensure_cell<'c>(cells: &'c mut Vec<Raw<'static>>, place: usize) -> Option<&'c mut Raw<'static>> {
    if cells.len() <= place {
        cells.resize(place + 1, Raw::Value(Value::Null));
    }
    cells.get_mut(place)
}
