//! Why a text cannot be read.

use std::fmt;

use serde_saphyr::granit_parser::ScanError;

/// The reason why a text is not JSON, YAML, or a table, or is too long. Rows, lines, and columns count from 1.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Unreadable {
    /// It has more values than this.
    TooManyValues(usize),
    /// It has more levels than this, or more values.
    TooDeep { levels: usize, values: usize },
    /// The syntax of JSON (or Python) is wrong at a line and column.
    Json { what: &'static str, place: (usize, usize) },
    /// A key appears twice; for JSON, at a line and column.
    RepeatedKey { name: String, place: Option<(usize, usize)> },
    /// The syntax of YAML is wrong in a line.
    Yaml { what: String, line: usize },
    /// The CSV reader refuses it.
    Csv(String),
    /// The JSON is not an array.
    NoArray,
    /// A row lacks a field of the first one.
    MissingField { row: usize, name: String },
    /// A row has a field that the first one has not.
    ExtraField { row: usize, name: String },
    /// A row that is not an array or not an object, unlike the first one.
    UnlikeFirst { row: usize },
    /// A row has another number of values than the first one.
    Values { row: usize, got: usize, first: usize },
    /// A row has another number of cells than the header.
    Cells { row: usize, got: usize, header: usize },
    /// A line of a Markdown table is not a row.
    NoRow(String),
    /// The text as a whole has a fault without a place.
    Whole(&'static str),
}

impl fmt::Display for Unreadable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Unreadable::TooManyValues(most) => write!(f, "more than {most} values"),
            Unreadable::TooDeep { levels, values } => write!(f, "more than {levels} levels or {values} values"),
            Unreadable::Json { what, place: (line, column) } => write!(f, "{what} (line {line}, column {column})"),
            Unreadable::RepeatedKey { name, place } => {
                write!(f, "the key `{name}` appears twice")?;
                place.map_or(Ok(()), |(line, column)| write!(f, " (line {line}, column {column})"))
            }
            Unreadable::Yaml { what, line } => write!(f, "{what} (line {line})"),
            Unreadable::Csv(what) => f.write_str(what),
            Unreadable::NoArray => f.write_str("the JSON is not an array"),
            Unreadable::MissingField { row, name } => write!(f, "row {row} has no `{name}`"),
            Unreadable::ExtraField { row, name } => write!(f, "row {row} has `{name}`, the first one has not"),
            Unreadable::UnlikeFirst { row } => {
                write!(f, "row {row} is not an array, nor an object, as the first one is")
            }
            Unreadable::Values { row, got, first } => write!(f, "row {row} has {got} values, the first one {first}"),
            Unreadable::Cells { row, got, header } => write!(f, "row {row} has {got} cells, the header {header}"),
            Unreadable::NoRow(line) => write!(f, "`{line}` is not a row of the table"),
            Unreadable::Whole(what) => f.write_str(what),
        }
    }
}

impl From<ScanError> for Unreadable {
    fn from(error: ScanError) -> Unreadable {
        Unreadable::Yaml { what: error.kind().to_string(), line: error.marker().line() }
    }
}
