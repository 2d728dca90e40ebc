//! Columns that become rows.

use crate::Reading;

/// Columns that become rows.
#[derive(Clone, Debug, PartialEq)]
pub struct Unpivot {
    /// The column that the headers, or what `*` is in them, go to.
    pub name: String,
    /// How they are read.
    pub reading: Reading,
    /// The columns that the cells go to, one for each list of headers.
    pub values: Vec<Values>,
}

/// A column of cells that were below several headers.
#[derive(Clone, Debug, PartialEq)]
pub struct Values {
    /// What the suite calls it.
    pub name: String,
    /// How its cells are read.
    pub reading: Reading,
    /// Below which headers they are.
    pub headers: Headers,
}

/// Several headers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Headers {
    /// These.
    List(Vec<String>),
    /// Those from the first to the second, as they are in the file.
    Span(String, String),
    /// Those that fit a text with one `*`.
    Star(String),
}
