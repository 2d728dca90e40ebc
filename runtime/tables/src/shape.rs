//! What an author says of a table in a file: its layout and its columns.

use crate::{Layout, Line, Reading, Unpivot};

/// A table as it is declared.
#[derive(Clone, Debug, PartialEq)]
pub struct Shape {
    /// Where it is in the file.
    pub layout: Layout,
    /// The columns that are read, in the order of the declaration.
    pub columns: Vec<Column>,
    /// A row for each of several headers.
    pub unpivot: Option<Unpivot>,
    /// Of texts: how a line is written. Lines that it does not fit are not rows. A column of it is numbered as in `columns`.
    pub line: Option<Line>,
}

impl Shape {
    /// How the cells of a column (in the order of [`crate::TableData::columns`]) are read.
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

/// A column that is read.
#[derive(Clone, Debug, PartialEq)]
pub struct Column {
    /// What the suite calls it.
    pub name: String,
    /// Where its cells are.
    pub place: Place,
    /// How they are read.
    pub reading: Reading,
}

/// Where the cells of a column are.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Place {
    /// Below this header.
    Header(String),
    /// In the column of this number, from 1.
    Position(u32),
    /// The characters of a line from the first to the second number, both included, from 1.
    Characters(u32, u32),
    /// All of a line; or, where the shape has a pattern of lines, what is at this column's place in it.
    Line,
}
