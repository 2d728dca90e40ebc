//! Where in a file the table is: what the options after a path say.

use model::Format;
use model::format::Holds;

use crate::Encoding;

/// The delimiters of CSV files, the likeliest first.
pub const DELIMITERS: [u8; 4] = [b',', b';', b'\t', b'|'];

/// How a table lies in its file.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Layout {
    /// As which format the file is read.
    pub format: Format,
    /// The character between cells, in a format that has cells; else 0.
    pub delimiter: u8,
    /// Of CSV, TSV, and text.
    pub encoding: Encoding,
    /// How many rows the header has: 0, 1, or 2.
    pub header: u8,
    /// What comes before the header.
    pub skip: Option<Skip>,
    /// Where the rows end, if not at the file's end.
    pub until: Option<Until>,
    /// Which sheet of a workbook.
    pub sheet: Option<String>,
    /// Cells that are null in every column without marks of its own.
    pub missing: Vec<String>,
    /// In JSON and YAML: the array that is the table, as a singular path of RFC 9535. In XML: the path of the elements that are its rows. Of
    /// an HTML page: the number or the caption of the table.
    pub at: Option<String>,
}

/// What comes before the header.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Skip {
    /// So many records, empty lines included; in texts, lines.
    Records(u32),
    /// All up to the first record that has this cell, which is the header (of two rows the lower one). In texts: up to and with the first
    /// line that begins so.
    Cell(String),
}

/// Where the rows end.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Until {
    /// Before the first empty line or record of blank cells, or at the file's end.
    Blank,
    /// Before the first record whose first cell that is not blank begins so; in texts, the first line. It must be there.
    Cell(String),
}

impl Layout {
    /// The layout of a file of this format about which nothing is said.
    pub fn from_format(format: Format) -> Layout {
        let delimiter = if let Holds::Cells(delimiter) = format.holds { delimiter } else { 0 };
        Layout {
            format,
            delimiter,
            encoding: Encoding::Utf8,
            header: 1,
            skip: None,
            until: None,
            sheet: None,
            missing: Vec::new(),
            at: None,
        }
    }
}
