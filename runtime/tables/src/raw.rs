//! The records of a file, before its columns have types.

use std::borrow::Cow;

use model::Value;

use crate::Unreadable;

/// Trims whitespace. Most texts begin and end with a letter or a digit, which is checked first.
pub(crate) fn trim_blanks(text: &str) -> &str {
    match (text.as_bytes().first(), text.as_bytes().last()) {
        (Some(first), Some(last)) if first.is_ascii_graphic() && last.is_ascii_graphic() => text,
        _ => text.trim(),
    }
}

/// A cell as stored in its file.
#[derive(Clone, Debug, PartialEq)]
pub enum Raw<'t> {
    /// A text, including spaces at its ends.
    Text(Cow<'t, str>),
    /// A value with a type in the file, for workbooks, JSON, and YAML. A missing key of an object is null; an empty cell of a sheet is an empty text.
    Value(Value),
    /// A cell that different readers interpret differently, or an error of a workbook.
    Odd(Box<Unreadable>),
}

impl<'t> Raw<'t> {
    /// An empty cell.
    pub const EMPTY: Raw<'static> = Raw::Text(Cow::Borrowed(""));

    /// Creates a cell with this text.
    pub fn from_text(text: impl Into<Cow<'t, str>>) -> Raw<'t> {
        Raw::Text(text.into())
    }

    /// Creates a cell from a part of a line. It is trimmed, because its spaces only fill the line.
    pub fn from_part(text: impl Into<Cow<'t, str>>) -> Raw<'t> {
        Raw::Text(match text.into() {
            Cow::Borrowed(text) => Cow::Borrowed(trim_blanks(text)),
            Cow::Owned(text) if trim_blanks(&text).len() == text.len() => Cow::Owned(text),
            Cow::Owned(text) => Cow::Owned(text.trim().to_owned()),
        })
    }

    /// Checks whether the cell is empty or contains only spaces.
    pub fn is_blank(&self) -> bool {
        match self {
            Raw::Text(text) => text.trim().is_empty(),
            Raw::Value(value) => value.is_null(),
            Raw::Odd(_) => false,
        }
    }

    /// Renders the cell for messages and headers.
    pub fn render_cell(&self) -> Cow<'_, str> {
        match self {
            Raw::Text(text) => Cow::Borrowed(text),
            Raw::Value(value) => value.render_text(),
            Raw::Odd(odd) => Cow::Borrowed(&odd.message),
        }
    }

    /// Converts it to an owned cell.
    pub fn into_owned(self) -> Raw<'static> {
        match self {
            Raw::Text(text) => Raw::Text(Cow::Owned(text.into_owned())),
            Raw::Value(value) => Raw::Value(value),
            Raw::Odd(odd) => Raw::Odd(odd),
        }
    }
}

impl Records<'_> {
    /// Converts them to owned records.
    pub fn into_owned(self) -> Records<'static> {
        let rows = self.rows.into_iter().map(|row| Record {
            number: row.number,
            line: row.line,
            cells: row.cells.into_iter().map(Raw::into_owned).collect(),
        });
        Records {
            header: self.header,
            header_line: self.header_line,
            rows: rows.collect(),
            cut: self.cut,
            wide: self.wide,
        }
    }
}

/// A record of a file.
#[derive(Clone, Debug, PartialEq)]
pub struct Record<'t> {
    /// Number of the record in its file, from 1: headers and skipped records count, empty lines do not. In texts, the number of the line.
    pub number: u32,
    /// The line on which it starts, or the row of the sheet, from 1; the number of an array's element.
    pub line: u32,
    /// The cells, as many as the header has names.
    pub cells: Vec<Raw<'t>>,
}

/// The records of a table, and the omitted parts of its file.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Records<'t> {
    /// The name of each column, trimmed and with runs of whitespace reduced to one space. Names may be empty or repeat. With `header 0` all are empty.
    pub header: Vec<String>,
    /// The line of the header (with two rows, the lower one); 0 without a header.
    pub header_line: u32,
    /// The rows, in order.
    pub rows: Vec<Record<'t>>,
    /// The parts that are not read.
    pub cut: UnreadRegions,
    /// In a sheet: the first row with cells to the right of a named header. These are columns without a name.
    pub wide: Option<Wide>,
}

/// A row that is wider than its header.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Wide {
    /// Its line.
    pub line: u32,
    /// Number of its cells.
    pub cells: usize,
    /// Number of cells in the header.
    pub header: usize,
}

/// The parts of a file that are not read.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct UnreadRegions {
    /// Skipped records before the header.
    pub above: UnreadRecords,
    /// Records after the rows.
    pub below: UnreadRecords,
    /// Lines of a text that do not match its pattern.
    pub between: UnreadRecords,
}

/// Records that are not read.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct UnreadRecords {
    /// Number of records that are not blank.
    pub records: u32,
    /// Number of their cells that are not blank.
    pub cells: usize,
    /// The first of these records.
    pub shown: Vec<Shown>,
}

/// A record as shown in messages.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Shown {
    /// Its line.
    pub line: u32,
    /// Its first non-blank cells, truncated.
    pub text: String,
}
