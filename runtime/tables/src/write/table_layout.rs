//! How a file is written, and the reader that follows from it.

use model::Format;

use crate::write::quote::Quoting;
use crate::{Column, Encoding, Layout, Line, Place, Reading, Shape, Skip, Until};

/// How a table is written to its file.
#[derive(Clone, Debug, PartialEq)]
pub struct TableLayout {
    /// CSV, TSV, or text.
    pub format: Format,
    /// The character between cells, which is ASCII; of texts, 0.
    pub delimiter: u8,
    /// Every cell in quotes, apart from null.
    pub quoted: bool,
    /// Lines end in `\r\n`.
    pub crlf: bool,
    /// A byte order mark comes first.
    pub bom: bool,
    /// How characters are bytes.
    pub encoding: Encoding,
    /// What comes before the header. Each of its lines is a record with that in its first cell; of texts, a line.
    pub above: Option<String>,
    /// What comes after the last row, in the same way.
    pub below: Option<String>,
    /// How many rows the header has: 0, 1, or 2. Texts do not have one.
    pub header: u8,
    /// The names of the columns, left to right.
    pub columns: Vec<String>,
    /// Of texts: how a row is a line. Its columns are numbered as in `columns`.
    pub line: Option<Line>,
}

/// Why a table is not written. Its places are those of the table: rows and columns from 0.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unwritable {
    /// Which row; `None` for what is around the rows.
    pub row: Option<usize>,
    /// Which column; `None` for what does not belong to one.
    pub column: Option<usize>,
    /// Why.
    pub why: Refusal,
}

/// What cannot be written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// The encoding lacks this character. (U+FEFF for a byte order mark.)
    Lacks(char),
    /// A line break in what is written in one line of a text.
    LineBreak,
    /// Under a header of two rows, a column without an upper name would be read into the group of those before it.
    Joins,
    /// The pattern would lose something of the value, or is not one for such values.
    Pattern,
    /// The row does not have a cell for each column: how many it has.
    Width(usize),
    /// A text whose dress does not say how a row is a line.
    NoLine,
}

impl TableLayout {
    /// The usual one of a format: UTF-8, one row of header, nothing around the table.
    pub fn new(format: Format, columns: Vec<String>) -> TableLayout {
        TableLayout {
            format,
            delimiter: Layout::from_format(format).delimiter,
            quoted: false,
            crlf: false,
            bom: false,
            encoding: Encoding::Utf8,
            above: None,
            below: None,
            header: 1,
            columns,
            line: None,
        }
    }

    /// Whether rows are lines of a text.
    pub fn is_text(&self) -> bool {
        self.format == Format::Text
    }

    /// What is between its cells.
    pub fn quoting(&self) -> Quoting {
        Quoting { delimiter: self.delimiter, quoted: self.quoted }
    }

    /// How many records, or lines, come before the first row.
    pub(super) fn count_before(&self) -> u32 {
        let above = self.above.as_deref().map_or(0, |above| split_parts(above).count());
        let header = if self.is_text() { 0 } else { u32::from(self.header) };
        u32::try_from(above).unwrap_or(u32::MAX).saturating_add(header)
    }

    /// The bytes of a text that is not a table: its line ends, byte order mark, and encoding are those of the dress. A `\n` becomes `\r\n` under
    /// `crlf` unless a `\r` comes before it.
    ///
    /// # Errors
    /// The encoding lacks a character.
    pub fn render_text(&self, text: &str) -> Result<String, Unwritable> {
        let mut out = String::with_capacity(text.len() + 4);
        if self.bom {
            out.push(crate::encoding::BYTE_ORDER_MARK);
        }
        if self.crlf {
            let mut before = '\0';
            for char in text.chars() {
                if char == '\n' && before != '\r' {
                    out.push('\r');
                }
                out.push(char);
                before = char;
            }
        } else {
            out.push_str(text);
        }
        match self.encoding.lacks(&out) {
            Some(char) => Err(Unwritable { row: None, column: None, why: Refusal::Lacks(char) }),
            None => Ok(out),
        }
    }
}

/// What `above` and `below` are written as, one record or line each.
pub(super) fn split_parts(around: &str) -> impl Iterator<Item = &str> {
    around.split('\n')
}

/// The shape that reads what is written so, with the reading of each column.
pub fn build_shape(dress: &TableLayout, readings: &[Reading]) -> Shape {
    let above = dress.above.as_deref().map(|above| u32::try_from(split_parts(above).count()).unwrap_or(u32::MAX));
    let below = dress.below.as_deref().and_then(|below| split_parts(below).next());
    let layout = Layout {
        delimiter: dress.delimiter,
        encoding: dress.encoding,
        header: dress.header,
        skip: above.map(Skip::Records),
        until: below.map(|first| match first.trim().is_empty() {
            true => Until::Blank,
            false => Until::Cell(first.to_owned()),
        }),
        ..Layout::from_format(dress.format)
    };
    let place = |at: usize, name: &String| match (dress.is_text(), dress.header) {
        (true, _) => Place::Line,
        (false, 0) => Place::Position(u32::try_from(at + 1).unwrap_or(u32::MAX)),
        (false, _) => Place::Header(name.clone()),
    };
    let columns = dress.columns.iter().zip(readings).enumerate().map(|(at, (name, reading))| Column {
        name: name.clone(),
        place: place(at, name),
        reading: reading.clone(),
    });
    Shape { layout, columns: columns.collect(), unpivot: None, line: dress.line.clone() }
}
