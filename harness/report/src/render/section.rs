//! A table before it is rendered: one form for terminals, Markdown, and HTML.

use statistics::Interval;
use statistics::proportion::render_percent;

use super::words::{
    format_accuracy_percent, format_interval, format_p_value, format_percent, format_signed, format_with_interval,
    from_to,
};
use crate::model::share::Share;

/// A table with its title.
#[derive(Clone, Debug, PartialEq)]
pub struct Section {
    /// What it shows.
    pub title: String,
    /// How to read it; empty if the column heads are sufficient.
    pub note: String,
    /// Its columns; the first names the row.
    pub columns: Vec<Column>,
    /// Its rows, with one cell for each column; cells that are missing at the end of a row have no value.
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

    /// Adds columns of numbers. Their heads may be names, which can begin with `<`.
    pub fn with_numbers<H: Into<String>>(mut self, heads: impl IntoIterator<Item = H>) -> Section {
        self.columns.extend(heads.into_iter().map(|head| Column { head: head.into(), right: true }));
        self
    }

    /// Adds rows.
    pub fn with_rows(mut self, rows: impl IntoIterator<Item = Vec<Cell>>) -> Section {
        rows.into_iter().for_each(|cells| self.push_row(cells));
        self
    }

    /// Leaves out the column `run` if there is only one run.
    pub fn without_single_run(mut self, runs: usize) -> Section {
        if let Some(at) = self.columns.iter().position(|column| column.head == "run").filter(|_| runs < 2) {
            self.columns.remove(at);
            self.rows.iter_mut().for_each(|row| drop(row.remove(at)));
        }
        self
    }

    /// Returns the table if it has rows.
    pub fn into_filled(self) -> Option<Section> {
        Some(self).filter(|section| !section.rows.is_empty())
    }

    /// Adds a row.
    pub fn push_row(&mut self, mut cells: Vec<Cell>) {
        cells.resize(self.columns.len(), Cell::none());
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

    /// A cell with an accuracy in percent.
    pub fn from_share(share: &Share) -> Cell {
        Cell::number(format_accuracy_percent(share), share.accuracy)
    }

    /// A cell with an accuracy and its interval, if it is known.
    pub fn from_share_and_interval(share: Option<&Share>) -> Cell {
        share.map_or_else(Cell::none, |share| Cell::number(format_with_interval(share), share.accuracy))
    }

    /// A cell with the ends of an interval: `64.0–94.8`.
    pub fn from_interval(ends: Interval) -> Cell {
        Cell::number(format_interval(ends), ends.low)
    }

    /// A cell with a part of a whole number in percent.
    pub fn from_ratio(part: u64, of: u64) -> Cell {
        Cell::number(format!("{}%", render_percent(part, of)), part as f64 / of.max(1) as f64)
    }

    /// A cell with a share from 0 to 1 in percent.
    pub fn from_fraction(share: f64) -> Cell {
        Cell::number(format_percent(share), share)
    }

    /// The two cells of a difference in points: with its sign, and its interval.
    pub fn from_difference(difference: f64, ends: Interval) -> [Cell; 2] {
        [Cell::number(format_signed(difference), difference), Cell::number(from_to(ends), ends.low)]
    }

    /// A cell with the p of a test.
    pub fn from_p_value(p: f64) -> Cell {
        Cell::number(format_p_value(p), p)
    }

    /// A cell without a value.
    pub fn none() -> Cell {
        Cell::text("-")
    }
}
