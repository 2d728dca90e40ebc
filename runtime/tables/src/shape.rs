//! The declaration of a table in a file: its layout and its columns.

use crate::{Layout, Line, Reading, Unpivot};

/// A declared table.
#[derive(Clone, Debug, PartialEq)]
pub struct Shape {
    /// Its place in the file.
    pub layout: Layout,
    /// The columns to read, in the order of the declaration.
    pub columns: Vec<Column>,
    /// The columns that become rows.
    pub unpivot: Option<Unpivot>,
    /// The pattern of lines, for texts. Lines that do not match are not rows. Its columns are indexes into `columns`.
    pub line: Option<Line>,
    /// The cells that are split into several columns.
    pub splits: Vec<SplitCell>,
}

/// A cell that a pattern splits into columns.
#[derive(Clone, Debug, PartialEq)]
pub struct SplitCell {
    /// Its place.
    pub place: Place,
    /// The pattern, whose columns are indexes into [`Shape::columns`].
    pub line: Line,
}

impl Shape {
    /// Returns the reading of a column, in the order of [`crate::TableData::columns`].
    pub fn reading(&self, column: usize) -> Option<&Reading> {
        if let Some(column) = self.columns.get(column) {
            return Some(&column.reading);
        }
        let unpivot = self.unpivot.as_ref()?;
        match column.checked_sub(self.columns.len())?.checked_sub(1) {
            None => Some(&unpivot.reading),
            Some(value) => unpivot.values.get(value).map(|values| &values.reading),
        }
    }
}

/// A column to read.
#[derive(Clone, Debug, PartialEq)]
pub struct Column {
    /// Its name in the suite.
    pub name: String,
    /// The place of its cells.
    pub place: Place,
    /// The way in which they are read.
    pub reading: Reading,
}

/// The place of a column's cells.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Place {
    /// Below this header.
    Header(String),
    /// In the column with this number, from 1.
    Position(u32),
    /// The characters of a line from the first to the second position, inclusive and from 1.
    Characters(u32, u32),
    /// The whole line; with a pattern of lines, the column's part of it.
    Line,
    /// A part of a cell: the index of that in [`Shape::splits`].
    Part(usize),
}
