//! The records of a file, before any of its columns has a type.

use std::borrow::Cow;

use model::Value;

use crate::Unreadable;

/// A text without blanks at its ends. Most texts begin and end with a letter or a digit, which is seen at once.
pub(crate) fn trim_blanks(text: &str) -> &str {
    match (text.as_bytes().first(), text.as_bytes().last()) {
        (Some(first), Some(last)) if first.is_ascii_graphic() && last.is_ascii_graphic() => text,
        _ => text.trim(),
    }
}

/// A cell as its file has it.
#[derive(Clone, Debug, PartialEq)]
pub enum Raw<'t> {
    /// A text, with the blanks at its ends.
    Text(Cow<'t, str>),
    /// A value that has a type in the file: of workbooks, JSON, and YAML. An absent key of an object is null; an empty cell of a sheet is an
    /// empty text.
    Value(Value),
    /// What its file does not say in a way that all readers understand; an error of a workbook.
    Odd(Box<Unreadable>),
}

impl<'t> Raw<'t> {
    /// An empty cell.
    pub const EMPTY: Raw<'static> = Raw::Text(Cow::Borrowed(""));

    /// A text as it is.
    pub fn from_text(text: impl Into<Cow<'t, str>>) -> Raw<'t> {
        Raw::Text(text.into())
    }

    /// A part of a line, which loses blanks at its ends: they fill the line.
    pub fn from_part(text: impl Into<Cow<'t, str>>) -> Raw<'t> {
        Raw::Text(match text.into() {
            Cow::Borrowed(text) => Cow::Borrowed(trim_blanks(text)),
            Cow::Owned(text) if trim_blanks(&text).len() == text.len() => Cow::Owned(text),
            Cow::Owned(text) => Cow::Owned(text.trim().to_owned()),
        })
    }

    /// Whether nothing is in the cell, or blanks alone.
    pub fn is_blank(&self) -> bool {
        match self {
            Raw::Text(text) => text.trim().is_empty(),
            Raw::Value(value) => value.is_null(),
            Raw::Odd(_) => false,
        }
    }

    /// The cell as messages and headers show it.
    pub fn render_cell(&self) -> Cow<'_, str> {
        match self {
            Raw::Text(text) => Cow::Borrowed(text),
            Raw::Value(value) => value.render_text(),
            Raw::Odd(odd) => Cow::Borrowed(&odd.message),
        }
    }

    /// The same without anything borrowed.
    pub fn into_owned(self) -> Raw<'static> {
        match self {
            Raw::Text(text) => Raw::Text(Cow::Owned(text.into_owned())),
            Raw::Value(value) => Raw::Value(value),
            Raw::Odd(odd) => Raw::Odd(odd),
        }
    }
}

impl Records<'_> {
    /// The same without anything borrowed.
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
    /// Which record of its file it is, from 1: headers and skipped records count, empty lines do not. In texts, which line.
    pub number: u32,
    /// The line on which it starts, or the row of the sheet, from 1; of an element of an array, its number.
    pub line: u32,
    /// As many as the header has names.
    pub cells: Vec<Raw<'t>>,
}

/// The records of a table, and what is left out of its file.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Records<'t> {
    /// The name of each column, without blanks at its ends, runs of blanks made one. Some may be empty or the same. With `header 0` all are
    /// empty.
    pub header: Vec<String>,
    /// The line of the header (of two rows the lower one); 0 if there is none.
    pub header_line: u32,
    /// The rows, top to bottom.
    pub rows: Vec<Record<'t>>,
    /// What is not read.
    pub cut: UnreadRegions,
    /// Of a sheet: the first row that has cells beyond the header, where the header has names. Those are columns without one.
    pub wide: Option<Wide>,
}

/// A row that is wider than its header.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Wide {
    /// Where it is.
    pub line: u32,
    /// How many cells it has.
    pub cells: usize,
    /// How many the header has.
    pub header: usize,
}

/// What of a file is not read.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct UnreadRegions {
    /// Skipped before the header.
    pub above: UnreadRecords,
    /// After the rows.
    pub below: UnreadRecords,
    /// Lines of a text that its pattern does not fit.
    pub between: UnreadRecords,
}

/// Records that are not read.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct UnreadRecords {
    /// How many that are not blank.
    pub records: u32,
    /// How many of their cells are not blank.
    pub cells: usize,
    /// The first of them.
    pub shown: Vec<Shown>,
}

/// A record as messages show it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Shown {
    /// Where it is.
    pub line: u32,
    /// Its first cells that are not blank, cut short.
    pub text: String,
}
