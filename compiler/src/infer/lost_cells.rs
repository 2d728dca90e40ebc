//! The cells of a file that say something and that no column of a declaration has.

use model::value::group_digits;
use tables::{Raw, Reading, UnreadRegions};

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
    pub fn count_nulls(&mut self, reading: &Reading, cells: &[Raw<'_>]) {
        let told = cells.iter().filter(|cell| has_content(cell));
        self.nulls += told.filter(|cell| reading.read(cell).is_ok_and(|value| value.is_null())).count();
    }

    /// No cell is null after all, unless nothing is in it.
    pub fn keep_nulls(&mut self) {
        self.nulls = 0;
    }

    /// Counts the cells of a column that is left out.
    pub fn count_column(&mut self, cells: &[Raw<'_>]) {
        self.columns += cells.iter().filter(|cell| has_content(cell)).count();
    }

    /// Counts the cells of records that are not read.
    pub fn count_cut_rows(&mut self, cut: &UnreadRegions) {
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
    pub fn render_comment(&self) -> String {
        let Lost { nulls, columns, above, below } = *self;
        let all = nulls + columns + above + below;
        let parts = [
            (nulls, "null"),
            (columns, "in columns that are left out"),
            (above, "above the header"),
            (below, "below the rows"),
        ];
        let parts = parts.iter().filter(|(count, _)| *count > 0);
        let parts: Vec<String> = parts.map(|(count, what)| format!("{} {what}", group_digits(*count as u64))).collect();
        let cells = if all == 1 { "cell" } else { "cells" };
        let why = if parts.is_empty() { String::new() } else { format!(": {}", parts.join(", ")) };
        format!("# lost: {} {cells}{why}", group_digits(all as u64))
    }
}

fn has_content(cell: &Raw<'_>) -> bool {
    !cell.is_blank()
}
