//! What a file has that its shape does not allow: facts, of which the checker makes sentences.

use crate::{Encoding, Misfits, UnpivotFault};

/// A fault of a file.
#[derive(Clone, Debug, PartialEq)]
pub struct Fault {
    /// Which file.
    pub path: String,
    /// Its line, from 1; 0 if it concerns the whole file.
    pub line: u32,
    /// What is wrong.
    pub kind: FaultKind,
}

/// What is wrong with a file.
#[derive(Clone, Debug, PartialEq)]
pub enum FaultKind {
    /// A byte that is not a character in the encoding.
    Undecodable {
        /// That of the layout.
        encoding: Encoding,
        /// The first such byte.
        byte: u8,
        /// The characters before it on its line, the last of them.
        before: String,
        /// Those that all of the file can be read with, the likeliest first; of those that read the same text, one.
        fitting: Vec<Encoding>,
    },
    /// A NUL character: the file is not a text.
    Nul,
    /// A quote that is never closed opens on the line.
    OpenQuote,
    /// Text after the closing quote of a cell.
    AfterQuote,
    /// A record has more cells than the header, and those are not blank.
    TooLong {
        /// How many cells it has.
        cells: usize,
        /// How many the header has, or without one the first record.
        header: usize,
    },
    /// A record has fewer cells than the header.
    TooFew {
        /// How many cells it has.
        cells: usize,
        /// How many the header has, or without one the first record.
        header: usize,
    },
    /// Something has more than is read.
    TooMuch {
        /// What there is too much of.
        of: SizeLimit,
        /// How much is read.
        most: usize,
    },
    /// The file as a whole is not what its format says, or a value in it cannot be read.
    Unreadable(Unreadable),
    /// A cell that is asked for cannot be read.
    OddCell {
        /// The column's name in the suite.
        column: String,
        /// Why.
        odd: Unreadable,
    },
    /// A workbook has several sheets, and none is chosen.
    Sheets(Vec<String>),
    /// A workbook has no such sheet.
    NoSheet {
        /// The chosen one.
        sheet: String,
        /// Those that there are.
        sheets: Vec<String>,
    },
    /// The file has no records.
    Empty,
    /// The file has fewer records than are skipped.
    TooShort {
        /// How many are skipped.
        skip: u32,
        /// How many there are, empty lines included.
        records: u32,
    },
    /// No record has the cell that the header must have; of a text, no line begins so.
    NoStart {
        /// The cell.
        cell: String,
        /// The first records.
        first: Vec<String>,
    },
    /// No record begins with the text at which the rows end.
    NoEnd {
        /// The text.
        cell: String,
    },
    /// The path does not lead to an array.
    NoArray {
        /// The path.
        at: String,
        /// What there is instead; `None` for nothing.
        found: Option<&'static str>,
        /// Paths of arrays that there are, the first few.
        arrays: Vec<String>,
    },
    /// XML has no element at the path.
    NoElements {
        /// The path.
        at: String,
        /// Those of its elements, the first ones.
        paths: Vec<String>,
    },
    /// No path is chosen, and the elements below the root of XML have several names, or there are none.
    Elements {
        /// The first that occur several times; else the first below the root.
        rows: Option<String>,
        /// The paths of its elements, the first ones.
        paths: Vec<String>,
    },
    /// A page has several tables, and none is chosen: what each begins with.
    Tables(Vec<String>),
    /// A page has no such table.
    NoTable {
        /// The chosen one: its number or its caption; `None` where the page does not have a table.
        at: Option<String>,
        /// What each table begins with.
        tables: Vec<String>,
    },
    /// No column has this header.
    NoHeader {
        /// The header.
        header: String,
        /// Those that there are.
        headers: Vec<String>,
    },
    /// Several columns have this header.
    TwoHeaders {
        /// The header.
        header: String,
        /// Which columns, from 1.
        positions: Vec<u32>,
    },
    /// The file does not have a column at this position.
    NoPosition {
        /// The position, from 1.
        position: u32,
        /// How many columns there are.
        columns: usize,
    },
    /// The headers are not those that become rows.
    Unpivot(UnpivotFault),
    /// A line takes too many attempts to compare with its pattern.
    TooTangled,
    /// Cells of a column that do not fit it.
    Misfits {
        /// Which column, in the order of [`crate::TableData::columns`].
        column: usize,
        /// Which cells.
        misfits: Misfits,
    },
}

/// What there can be too much of.
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

/// Why a file, or a place in it, cannot be read, by a reader that knows its format.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unreadable {
    /// What is wrong, and where in the file.
    pub message: String,
    /// What to do about it.
    pub help: String,
    /// The cell as its program shows it, if that is a text which an author can call missing: `#N/A`. Else empty.
    pub cell: String,
}

impl Unreadable {
    /// A reason with its help.
    pub fn new(message: impl Into<String>, help: impl Into<String>) -> Unreadable {
        Unreadable { message: message.into(), help: help.into(), cell: String::new() }
    }

    /// The same of a cell that is shown so.
    pub fn with_cell(self, cell: impl Into<String>) -> Unreadable {
        Unreadable { cell: cell.into(), ..self }
    }
}
