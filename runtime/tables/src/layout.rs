//! The position of a table in its file, as declared by the options after a path.

use model::Format;
use model::format::Holds;

use crate::Encoding;

/// The delimiters of CSV files, most likely first.
pub const DELIMITERS: [u8; 4] = [b',', b';', b'\t', b'|'];

/// The position and form of a table in its file.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Layout {
    /// The format as which the file is read.
    pub format: Format,
    /// The character between cells, in a format that has cells; otherwise 0.
    pub delimiter: u8,
    /// The encoding, for CSV, TSV, and text.
    pub encoding: Encoding,
    /// Number of header rows: 0, 1, or 2.
    pub header: u8,
    /// The part before the header.
    pub skip: Option<Skip>,
    /// The end of the rows, if it is not the end of the file.
    pub until: Option<Until>,
    /// The sheet of a workbook.
    pub sheet: Option<String>,
    /// Texts that are null in every column without marks of its own.
    pub missing: Vec<String>,
    /// In JSON and YAML: the array that is the table, as a singular path of RFC 9535. In XML: the path of the elements that are its rows. In an HTML
    /// page: the number or the caption of the table.
    pub at: Option<String>,
}

/// The part before the header.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Skip {
    /// This number of records, including empty lines; in texts, lines.
    Records(u32),
    /// Everything before the first record with this cell, which is the header (with two rows, the lower one). In texts: everything up to and
    /// including the first line that begins with it.
    Cell(String),
}

/// The end of the rows.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Until {
    /// Before the first empty line or record of blank cells, or at the end of the file.
    Blank,
    /// Before the first record whose first non-blank cell begins with this text; in texts, before the first such line. It must exist.
    Cell(String),
}

impl Layout {
    /// Creates the default layout of a file of this format.
    ///
    /// ```
    /// use model::Format;
    /// use tables::{Encoding, Layout};
    ///
    /// let layout = Layout::from_format(Format::Tsv);
    /// assert_eq!((layout.delimiter, layout.header, layout.encoding), (b'\t', 1, Encoding::Utf8));
    /// // A workbook has cells, and nothing between them.
    /// assert_eq!(Layout::from_format(Format::Xlsx).delimiter, 0);
    /// ```
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
