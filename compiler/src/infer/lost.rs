//! The cells of a file that say something and that no column of a declaration has.

use model::value::grouped;
use tables::{Cut, Raw, Reading};

/// How many such cells, and why.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Lost {
    /// They are null marks.
    nulls: usize,
    /// Their columns are left out.
    columns: usize,
    /// They are in records above the header.
    above: usize,
    /// They are in records below the rows.
    below: usize,
}

impl Lost {
    /// Counts the cells of a column that say something and are null.
    pub fn nulls(&mut self, reading: &Reading, cells: &[Raw<'_>]) {
        let told = cells.iter().filter(|cell| says_something(cell));
        self.nulls += told.filter(|cell| reading.read(cell).is_ok_and(|value| value.is_null())).count();
    }

    /// No cell is null after all, unless nothing is in it.
    pub fn keep_nulls(&mut self) {
        self.nulls = 0;
    }

    /// Counts the cells of a column that is left out.
    pub fn column(&mut self, cells: &[Raw<'_>]) {
        self.columns += cells.iter().filter(|cell| says_something(cell)).count();
    }

    /// Counts the cells of records that are not read.
    pub fn rows(&mut self, cut: &Cut) {
        self.above += cut.above.cells;
        self.below += cut.below.cells;
    }

    /// Adds those of another table.
    pub fn add(&mut self, other: &Lost) {
        self.nulls += other.nulls;
        self.columns += other.columns;
        self.above += other.above;
        self.below += other.below;
    }

    /// All of them, as a comment.
    pub fn words(&self) -> String {
        let Lost { nulls, columns, above, below } = *self;
        let all = nulls + columns + above + below;
        let parts = [
            (nulls, "null"),
            (columns, "in columns that are left out"),
            (above, "above the header"),
            (below, "below the rows"),
        ];
        let parts = parts.iter().filter(|(count, _)| *count > 0);
        let parts: Vec<String> = parts.map(|(count, what)| format!("{} {what}", grouped(*count as u64))).collect();
        let cells = if all == 1 { "cell" } else { "cells" };
        let why = if parts.is_empty() { String::new() } else { format!(": {}", parts.join(", ")) };
        format!("# lost: {} {cells}{why}", grouped(all as u64))
    }
}

fn says_something(cell: &Raw<'_>) -> bool {
    !cell.is_blank()
}
