//! A table before it is rendered: one form for terminals, Markdown, and HTML.

/// A table with its title.
#[derive(Clone, Debug, PartialEq)]
pub struct Section {
    /// What it shows.
    pub title: String,
    /// How to read it; empty if the column heads are sufficient.
    pub note: String,
    /// Its columns; the first names the row.
    pub columns: Vec<Column>,
    /// Its rows, with one cell for each column.
    pub rows: Vec<Vec<Cell>>,
}

/// A column.
#[derive(Clone, Debug, PartialEq)]
pub struct Column {
    /// Its head.
    pub head: String,
    /// Whether the column is right-aligned, as numbers are.
    pub right: bool,
}

/// A cell.
#[derive(Clone, Debug, PartialEq)]
pub struct Cell {
    /// The shown text.
    pub text: String,
    /// The value by which it is sorted, if that is not its text.
    pub sort: Option<f64>,
}

impl Section {
    /// Creates an empty table. Heads that begin with `<` are of text columns, all others of numbers.
    pub fn new(title: impl Into<String>, heads: &[&str]) -> Section {
        let column = |head: &&str| match head.strip_prefix('<') {
            Some(head) => Column { head: head.to_owned(), right: false },
            None => Column { head: (*head).to_owned(), right: true },
        };
        let columns = heads.iter().map(column).collect();
        Section { title: title.into(), note: String::new(), columns, rows: Vec::new() }
    }

    /// Adds a note.
    pub fn with_note(mut self, note: impl Into<String>) -> Section {
        self.note = note.into();
        self
    }

    /// Adds a row.
    pub fn push_row(&mut self, cells: Vec<Cell>) {
        self.rows.push(cells);
    }
}

impl Cell {
    /// A cell with text.
    pub fn text(text: impl Into<String>) -> Cell {
        Cell { text: text.into(), sort: None }
    }

    /// A cell with a number as text, and the value by which it is sorted.
    pub fn number(text: impl Into<String>, sort: f64) -> Cell {
        Cell { text: text.into(), sort: Some(sort) }
    }

    /// A cell with a whole number.
    pub fn count(count: u64) -> Cell {
        Cell::number(count.to_string(), count as f64)
    }

    /// A cell with a mean, to two decimal places.
    pub fn mean(mean: f64) -> Cell {
        Cell::number(format!("{mean:.2}"), mean)
    }

    /// A cell without a value.
    pub fn none() -> Cell {
        Cell::text("-")
    }
}
