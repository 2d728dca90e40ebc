//! The records of a file as they are stored, before its table is selected.

use crate::Raw;

/// All records of a file.
#[derive(Debug, Default, PartialEq)]
pub(crate) struct Grid<'t> {
    /// The records that are not empty, in order; in texts, all lines.
    pub entries: Vec<Entry<'t>>,
    /// Number of empty lines after the last of them.
    pub gap: u32,
}

/// A record as stored in the file.
#[derive(Clone, Debug, PartialEq)]
pub struct Entry<'t> {
    /// Number of empty lines, or of empty rows in a sheet, directly before it.
    pub gap: u32,
    /// The line on which it starts, from 1.
    pub line: u32,
    /// Its own cells.
    pub cells: Vec<Raw<'t>>,
    /// The indexes of the cells that extend into it from the record above, ascending; only in a page.
    pub above: Vec<usize>,
}
