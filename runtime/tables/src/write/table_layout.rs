//! The form of a file, and the reader derived from it.

use model::Format;

use crate::write::quote::Quoting;
use crate::{Column, Encoding, Layout, Line, Place, Reading, Shape, Skip, Until};

/// The form of a table in its file.
#[derive(Clone, Debug, PartialEq)]
pub struct TableLayout {
    /// CSV, TSV, JSON Lines, or text.
    pub format: Format,
    /// The ASCII character between cells; 0 for texts.
    pub delimiter: u8,
    /// Whether every cell is quoted, except null.
    pub quoted: bool,
    /// Whether lines end in `\r\n`.
    pub crlf: bool,
    /// Whether the file begins with a byte order mark.
    pub bom: bool,
    /// The encoding.
    pub encoding: Encoding,
    /// The text before the header. Each of its lines is a record with that text in its first cell; in texts, a line.
    pub above: Option<String>,
    /// The text after the last row, in the same form.
    pub below: Option<String>,
    /// Number of header rows: 0, 1, or 2. Texts and JSON Lines do not have such rows.
    pub header: u8,
    /// The names of the columns, in order.
    pub columns: Vec<String>,
    /// The pattern of lines, for texts. Its columns are indexes into `columns`.
    pub line: Option<Line>,
}

/// The reason why a table cannot be written. Its places are those of the table: rows and columns from 0.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unwritable {
    /// The row; `None` for the text around the rows.
    pub row: Option<usize>,
    /// The column; `None` if it does not concern one.
    pub column: Option<usize>,
    /// The reason.
    pub why: Refusal,
}

/// Content that cannot be written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// The encoding lacks this character (U+FEFF for a byte order mark).
    Lacks(char),
    /// A line break in a value that must be on one line of a text.
    LineBreak,
    /// With a header of two rows, a column without an upper name would be read into the group of those before it.
    Joins,
    /// The pattern would lose a part of the value, or is for other values.
    Pattern,
    /// The row has this number of cells, not one for each column.
    Width(usize),
    /// A text whose layout does not have a pattern of lines.
    NoLine,
}

impl TableLayout {
    /// Creates the usual form of a format: UTF-8, one header row, and no text around the table.
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

    /// Checks whether rows are lines of a text.
    pub fn is_text(&self) -> bool {
        self.format == Format::Text
    }

    /// Checks whether rows are lines of JSON.
    pub fn is_objects(&self) -> bool {
        self.format == Format::Jsonl
    }

    /// Checks whether a line is composed from cells that can be in another order, not from cells one after another.
    pub(super) fn is_composed(&self) -> bool {
        self.is_text() || self.is_objects()
    }

    /// Returns the separation of its cells.
    pub fn quoting(&self) -> Quoting {
        Quoting { delimiter: self.delimiter, quoted: self.quoted }
    }

    /// Counts the records, or lines, before the first row.
    pub(super) fn count_before(&self) -> u32 {
        let above = self.above.as_deref().map_or(0, |above| split_parts(above).count());
        let header = if self.is_composed() { 0 } else { u32::from(self.header) };
        u32::try_from(above).unwrap_or(u32::MAX).saturating_add(header)
    }

    /// Renders a text that is not a table, with the layout's line ends, byte order mark, and encoding. With `crlf`, a `\n` becomes `\r\n`, unless it
    /// follows a `\r`.
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
        match self.encoding.find_unencodable(&out) {
            Some(char) => Err(Unwritable { row: None, column: None, why: Refusal::Lacks(char) }),
            None => Ok(out),
        }
    }
}

/// Splits the text of `above` and `below` into records or lines.
pub(super) fn split_parts(around: &str) -> impl Iterator<Item = &str> {
    around.split('\n')
}

/// Builds the shape that reads a file in this form, with the reading of each column.
///
/// ```
/// use model::{Format, Value};
/// use tables::write::{TableLayout, Writer, build_shape};
/// use tables::{CellType, Reading, read_table};
///
/// // A file with text around its table, for a program that expects it so.
/// let layout = TableLayout {
///     delimiter: b';',
///     crlf: true,
///     above: Some("Export of 2024".to_owned()),
///     ..TableLayout::new(Format::Csv, vec!["N".to_owned(), "TOWN".to_owned()])
/// };
/// let mut writer = Writer::new(&layout).expect("a header");
/// writer.write_row([Some("3"), Some("Ulm")]).expect("a row");
/// let bytes = writer.finish().expect("a file");
/// // The shape for the same layout reads the values back.
/// let shape = build_shape(&layout, &[CellType::Int, CellType::Text].map(Reading::from_type));
/// let table = read_table(&shape, "towns.csv", &bytes).expect("a table");
/// assert_eq!(table.columns, [vec![Value::Int(3)], vec![Value::from_text("Ulm")]]);
/// ```
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
