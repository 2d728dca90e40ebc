//! Writes rows as text and bytes.

use std::borrow::Cow;

use model::{Val, Value};

use super::header;
use super::objects::{ObjectLine, quote_json};
use super::table_layout::{Refusal, TableLayout, Unwritable, split_parts};
use crate::encoding::BYTE_ORDER_MARK;

/// The kind of value in a cell, which decides about quotes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CellKind {
    /// Any text.
    Text,
    /// A number or a boolean, which JSON writes without quotes.
    Number,
    /// A date or a datetime, which has no special characters.
    Day,
}

impl CellKind {
    /// Returns the kind of a value.
    ///
    /// ```
    /// use model::{Val, Value};
    /// use tables::write::CellKind;
    ///
    /// assert_eq!(CellKind::from_val(&Val::Own(Value::Bool(true))), CellKind::Number);
    /// assert_eq!(CellKind::from_val(&Val::from_text("7")), CellKind::Text);
    /// ```
    pub fn from_val(value: &Val<'_>) -> CellKind {
        let value = match value {
            Val::Text(_) => return CellKind::Text,
            Val::Ref(value) => value,
            Val::Own(value) => value,
        };
        match value {
            Value::Int(_) | Value::Decimal(_) | Value::Float(_) | Value::Bool(_) => CellKind::Number,
            Value::Date(_) | Value::DateTime(_) => CellKind::Day,
            _ => CellKind::Text,
        }
    }
}

/// Writes a table, row by row, cell by cell.
#[derive(Debug)]
pub struct Writer<'d> {
    dress: &'d TableLayout,
    /// The text written until now.
    out: String,
    /// The line of JSON Lines.
    objects: Option<ObjectLine>,
    /// The cells of a row of a text or of JSON Lines, which are not in the order of its line.
    cells: String,
    /// The end of each cell of this row: in `cells` for a line that is composed, otherwise in `out`.
    ends: Vec<usize>,
    /// The start of this row in `out`.
    start: usize,
    /// Number of rows written.
    rows: usize,
}

impl<'d> Writer<'d> {
    /// Begins a file with its byte order mark, the text above, and the header.
    ///
    /// # Errors
    /// A part of these cannot be written.
    pub fn new(dress: &'d TableLayout) -> Result<Writer<'d>, Unwritable> {
        let refuse = |column| Unwritable { row: None, column, why: Refusal::NoLine };
        if dress.is_text() && dress.line.is_none() {
            return Err(refuse(None));
        }
        let objects = match dress.is_objects() {
            true => Some(ObjectLine::new(&dress.columns).map_err(|column| refuse(Some(column)))?),
            false => None,
        };
        let (out, cells) = (String::new(), String::new());
        let mut writer = Writer { dress, out, objects, cells, ends: Vec::new(), start: 0, rows: 0 };
        if dress.bom {
            writer.out.push(BYTE_ORDER_MARK);
            writer.check_encodable(None)?;
        }
        writer.write_around(dress.above.as_deref())?;
        if !dress.is_composed() {
            for row in header::build_header_rows(dress.header, &dress.columns)? {
                writer.write_record(None, row)?;
            }
        }
        Ok(writer)
    }

    /// Reserves capacity for this number of bytes.
    pub fn reserve(&mut self, bytes: usize) {
        self.out.reserve(bytes);
    }

    /// Returns the number of UTF-8 bytes written until now.
    pub fn len(&self) -> usize {
        self.out.len()
    }

    /// Checks whether nothing has been written.
    pub fn is_empty(&self) -> bool {
        self.out.is_empty()
    }

    /// Writes a row: the text of each cell, `None` for null.
    ///
    /// ```
    /// use model::Format;
    /// use tables::write::{Refusal, TableLayout, Writer};
    ///
    /// let layout = TableLayout::new(Format::Csv, vec!["TOWN".to_owned(), "NOTE".to_owned()]);
    /// let mut writer = Writer::new(&layout).expect("a header");
    /// // Null is an empty cell, an empty text is quoted.
    /// writer.write_row([Some("Ulm, Donau"), None]).expect("a row");
    /// writer.write_row([Some("Bonn"), Some("")]).expect("a row");
    /// assert_eq!(writer.finish().expect("a file"), b"TOWN,NOTE\n\"Ulm, Donau\",\nBonn,\"\"\n");
    /// let short = Writer::new(&layout).expect("a header").write_row([Some("Trier")]);
    /// assert_eq!(short.expect_err("too short").why, Refusal::Width(1));
    /// ```
    ///
    /// # Errors
    /// One of its cells cannot be written.
    pub fn write_row<'c>(&mut self, cells: impl IntoIterator<Item = Option<&'c str>>) -> Result<(), Unwritable> {
        self.write_record(Some(self.rows), cells)?;
        self.rows += 1;
        Ok(())
    }

    /// Writes the next cell of a row with the text that `render` appends, which is a value of this kind.
    pub fn write_cell(&mut self, kind: CellKind, render: impl FnOnce(&mut String)) {
        if self.dress.is_composed() {
            let start = self.cells.len();
            render(&mut self.cells);
            if self.objects.is_some() && kind != CellKind::Number {
                quote_json(start, &mut self.cells);
            }
            return self.ends.push(self.cells.len());
        }
        let quoting = self.dress.quoting();
        self.next_cell();
        let start = self.out.len();
        render(&mut self.out);
        if self.out.len() == start || kind == CellKind::Text || !quoting.can_leave_numbers() {
            quoting.quote_text(start, &mut self.out);
        }
        self.ends.push(self.out.len());
    }

    /// Writes null as the next cell of a row.
    pub fn write_null(&mut self) {
        if self.dress.is_composed() {
            if self.objects.is_some() {
                self.cells.push_str("null");
            }
            return self.ends.push(self.cells.len());
        }
        self.next_cell();
        // If it is the only cell of its record, nothing would be an empty line.
        if self.width() == 1 {
            self.out.push_str("\"\"");
        }
        self.ends.push(self.out.len());
    }

    /// Ends a row that was written cell by cell.
    ///
    /// # Errors
    /// One of its cells cannot be written.
    pub fn end_row(&mut self) -> Result<(), Unwritable> {
        self.end_record(Some(self.rows))?;
        self.rows += 1;
        Ok(())
    }

    /// Ends the file with the text below, and returns its text, whose characters the encoding has.
    ///
    /// # Errors
    /// The text below cannot be written.
    pub fn finish_text(mut self) -> Result<String, Unwritable> {
        self.write_around(self.dress.below.as_deref())?;
        Ok(self.out)
    }

    /// Ends the file with the text below, and returns its bytes.
    ///
    /// # Errors
    /// The text below cannot be written.
    pub fn finish(self) -> Result<Vec<u8>, Unwritable> {
        let encoding = self.dress.encoding;
        let text = self.finish_text()?;
        if encoding == crate::Encoding::Utf8 {
            return Ok(text.into_bytes());
        }
        let bytes = encoding.encode(&text).map(Cow::into_owned);
        bytes.map_err(|char| Unwritable { row: None, column: None, why: Refusal::Lacks(char) })
    }

    /// Returns the number of cells of a record, at least one.
    fn width(&self) -> usize {
        self.dress.columns.len().max(1)
    }

    fn next_cell(&mut self) {
        if !self.ends.is_empty() {
            self.out.push(char::from(self.dress.delimiter));
        }
    }

    /// Writes a row of the table, or a record around it.
    fn write_record<'c>(
        &mut self,
        row: Option<usize>,
        cells: impl IntoIterator<Item = Option<&'c str>>,
    ) -> Result<(), Unwritable> {
        for cell in cells {
            match cell {
                Some(text) => self.write_cell(CellKind::Text, |out| out.push_str(text)),
                None => self.write_null(),
            }
        }
        self.end_record(row)
    }

    /// Writes the text above or below.
    fn write_around(&mut self, text: Option<&str>) -> Result<(), Unwritable> {
        for part in text.into_iter().flat_map(split_parts) {
            if self.dress.is_text() {
                if part.contains('\r') {
                    return Err(Unwritable { row: None, column: None, why: Refusal::LineBreak });
                }
                self.out.push_str(part);
                self.check_encodable(None)?;
                self.end_of_line();
            } else {
                let first = Some(part).filter(|part| !part.is_empty());
                let rest = std::iter::repeat_n(None, self.width() - 1);
                self.write_record(None, std::iter::once(first).chain(rest))
                    .map_err(|why| Unwritable { column: None, ..why })?;
            }
        }
        Ok(())
    }

    /// Ends a record; for a text and for JSON Lines, composes its line.
    fn end_record(&mut self, row: Option<usize>) -> Result<(), Unwritable> {
        let unwritable = |column, why| Err(Unwritable { row, column, why });
        if self.ends.len() != self.width() && !self.dress.columns.is_empty() {
            return unwritable(None, Refusal::Width(self.ends.len()));
        }
        if let Some(line) = self.dress.line.as_ref().filter(|_| self.dress.is_text()) {
            let (cells, ends) = (self.cells.as_str(), self.ends.as_slice());
            line.write_cells(|column| slice_cell(cells, ends, column), &mut self.out);
            let breaks = |char: char| matches!(char, '\n' | '\r');
            if self.out.get(self.start..).is_some_and(|line| line.contains(breaks)) {
                let column = (0..ends.len()).find(|column| slice_cell(cells, ends, *column).contains(breaks));
                return unwritable(column, Refusal::LineBreak);
            }
        }
        if let Some(line) = &self.objects {
            let (cells, ends) = (self.cells.as_str(), self.ends.as_slice());
            line.write_cells(|column| slice_cell(cells, ends, column), &mut self.out);
        }
        self.check_encodable(row)?;
        self.end_of_line();
        self.ends.clear();
        self.cells.clear();
        Ok(())
    }

    fn end_of_line(&mut self) {
        self.out.push_str(if self.dress.crlf { "\r\n" } else { "\n" });
        self.start = self.out.len();
    }

    /// Checks whether the encoding has all characters since the last line end.
    fn check_encodable(&self, row: Option<usize>) -> Result<(), Unwritable> {
        let encoding = self.dress.encoding;
        let Some(char) = self.out.get(self.start..).and_then(|text| encoding.find_unencodable(text)) else {
            return Ok(());
        };
        let column = (0..self.ends.len()).find(|column| {
            let cell = match (self.dress.is_composed(), column.checked_sub(1).and_then(|before| self.ends.get(before))) {
                (true, _) => slice_cell(&self.cells, &self.ends, *column),
                (false, start) => {
                    let start = start.copied().unwrap_or(self.start);
                    self.ends.get(*column).and_then(|end| self.out.get(start..*end)).unwrap_or_default()
                }
            };
            cell.contains(char)
        });
        Err(Unwritable { row, column, why: Refusal::Lacks(char) })
    }
}

/// Returns one of several adjacent cells.
fn slice_cell<'c>(cells: &'c str, ends: &[usize], column: usize) -> &'c str {
    let start = column.checked_sub(1).map_or(Some(&0), |before| ends.get(before));
    let range = start.zip(ends.get(column)).map(|(start, end)| *start..*end);
    range.and_then(|range| cells.get(range)).unwrap_or_default()
}
