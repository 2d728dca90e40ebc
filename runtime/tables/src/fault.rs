//! Differences between a file and its shape, as facts; the checker turns them into sentences.

use crate::{Encoding, Misfits, Unreadable};

/// A fault of a file.
#[derive(Clone, Debug, PartialEq)]
pub struct Fault {
    /// The file.
    pub path: String,
    /// Its line, from 1; 0 if it concerns the whole file.
    pub line: u32,
    /// Its kind.
    pub kind: FaultKind,
}

/// The line of a fault, and its kind.
pub(crate) type Wrong = (u32, FaultKind);

/// The kind of a fault.
#[derive(Clone, Debug, PartialEq)]
pub enum FaultKind {
    /// A byte that does not belong to a character in the encoding.
    Undecodable {
        /// The encoding in the layout.
        encoding: Encoding,
        /// The first such byte.
        byte: u8,
        /// The last characters before it on its line.
        before: String,
        /// The encodings in which the whole file can be decoded, most likely first; one for each different text.
        fitting: Vec<Encoding>,
    },
    /// A NUL character, which shows that the file is not text.
    Nul,
    /// An opening quote on this line that is never closed.
    OpenQuote,
    /// Text after the closing quote of a cell.
    AfterQuote,
    /// A record with more cells than the header, not all of which are blank.
    TooLong {
        /// Number of its cells.
        cells: usize,
        /// Number of cells in the header or, without a header, in the first record.
        header: usize,
    },
    /// A record with fewer cells than the header.
    TooFew {
        /// Number of its cells.
        cells: usize,
        /// Number of cells in the header or, without a header, in the first record.
        header: usize,
    },
    /// A size that exceeds its limit.
    TooMuch {
        /// The limit that is exceeded.
        of: SizeLimit,
        /// The maximum.
        most: usize,
    },
    /// The file as a whole does not have its format, or a value in it cannot be read.
    Unreadable(Unreadable),
    /// A requested cell cannot be read.
    OddCell {
        /// The column's name in the suite.
        column: String,
        /// The reason.
        odd: Unreadable,
    },
    /// A workbook has several sheets, and none is chosen.
    Sheets(Vec<String>),
    /// A workbook lacks the chosen sheet.
    NoSheet {
        /// The chosen sheet.
        sheet: String,
        /// The existing sheets.
        sheets: Vec<String>,
    },
    /// The file has no records.
    Empty,
    /// The file has fewer records than should be skipped.
    TooShort {
        /// Number of records to skip.
        skip: u32,
        /// Number of records in the file, including empty lines.
        records: u32,
    },
    /// No record has the cell that the header must contain; in a text, no line begins with it.
    NoStart {
        /// The cell.
        cell: String,
        /// The first records.
        first: Vec<String>,
    },
    /// No record begins with the text that ends the rows.
    NoEnd {
        /// The text.
        cell: String,
    },
    /// The path does not lead to an array.
    NoArray {
        /// The path.
        at: String,
        /// The kind of value at the path; `None` if nothing exists there.
        found: Option<&'static str>,
        /// Paths of existing arrays, the first few.
        arrays: Vec<String>,
    },
    /// XML has no element at the path.
    NoElements {
        /// The path.
        at: String,
        /// The paths of its elements, the first few.
        paths: Vec<String>,
    },
    /// No path is chosen, and the elements below the root of XML have different names, or none exist.
    Elements {
        /// The path of the first elements that occur several times; otherwise the first below the root.
        rows: Option<String>,
        /// The paths of its elements, the first few.
        paths: Vec<String>,
    },
    /// A page has several tables, and none is chosen; contains the beginning of each.
    Tables(Vec<String>),
    /// A page lacks the chosen table.
    NoTable {
        /// The chosen number or caption; `None` if the page does not have a table.
        at: Option<String>,
        /// The beginning of each table.
        tables: Vec<String>,
    },
    /// No column has this header.
    NoHeader {
        /// The header.
        header: String,
        /// The existing headers.
        headers: Vec<String>,
    },
    /// Several columns have this header.
    TwoHeaders {
        /// The header.
        header: String,
        /// The positions of the columns, from 1.
        positions: Vec<u32>,
    },
    /// The file does not have a column at this position.
    NoPosition {
        /// The position, from 1.
        position: u32,
        /// Number of columns.
        columns: usize,
    },
    /// The headers differ from those that become rows.
    Unpivot(UnpivotFault),
    /// A line needs too many attempts to match its pattern.
    TooTangled,
    /// Cells that do not fit their column.
    Misfits {
        /// The column, in the order of [`crate::TableData::columns`].
        column: usize,
        /// The cells.
        misfits: Misfits,
    },
}

/// A mismatch between the declaration of columns that become rows and a header.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum UnpivotFault {
    /// No column has this header.
    NoHeader(String),
    /// Several columns have it.
    TwoHeaders {
        /// The header.
        header: String,
        /// The indexes of the columns, from 0.
        positions: Vec<usize>,
    },
    /// The second header of a span is before the first.
    Backwards(String, String),
    /// No header fits this text.
    NoneFits(String),
    /// One text has a header for this `*`, and the other does not.
    Unpaired {
        /// The text that matches `*`.
        star: String,
        /// The text that has a header.
        has: String,
        /// The text without a header.
        lacks: String,
    },
}

/// The limits of sizes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SizeLimit {
    /// Bytes of the file.
    Bytes,
    /// Cells of the table.
    Cells,
    /// Columns of the table.
    Columns,
    /// Bytes of one cell.
    Cell,
}

impl SizeLimit {
    /// Checks the size of what is in a line.
    pub(crate) fn check_size(self, size: usize, most: usize, line: u32) -> Result<(), Wrong> {
        if size > most { Err((line, FaultKind::TooMuch { of: self, most })) } else { Ok(()) }
    }
}
