//! Cells of a file with content that is not in any column of a declaration.

use model::value::group_digits;
use tables::{Raw, Reading, UnreadRegions};

/// The numbers of such cells, by reason.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Lost {
    /// Null marks.
    nulls: usize,
    /// Cells in omitted columns.
    columns: usize,
    /// Cells in records above the header.
    above: usize,
    /// Cells in records below the rows.
    below: usize,
}

impl Lost {
    /// Counts the cells of a column that have content and are read as null.
    pub fn count_nulls(&mut self, reading: &Reading, cells: &[Raw<'_>]) {
        let told = cells.iter().filter(|cell| has_content(cell));
        self.nulls += told.filter(|cell| reading.read(cell).is_ok_and(|value| value.is_null())).count();
    }

    /// Resets the number of null marks, because only empty cells are null after all.
    pub fn keep_nulls(&mut self) {
        self.nulls = 0;
    }

    /// Counts the cells of an omitted column.
    pub fn count_column(&mut self, cells: &[Raw<'_>]) {
        self.columns += cells.iter().filter(|cell| has_content(cell)).count();
    }

    /// Counts the cells of records outside the table.
    pub fn count_cut_rows(&mut self, cut: &UnreadRegions) {
        self.above += cut.above.cells;
        self.below += cut.below.cells;
    }

    /// Adds the numbers of another table.
    pub fn add(&mut self, other: &Lost) {
        self.nulls += other.nulls;
        self.columns += other.columns;
        self.above += other.above;
        self.below += other.below;
    }

    /// Renders the numbers as a comment.
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
