//! Tables, the rows of relations, and keys that identify rows by their values.

use std::fmt::Write as _;
use std::rc::Rc;

use model::suite::{ColumnId, RelationId};
use model::{TiVec, Val};

use super::column::SharedColumn;
use super::failures::{Res, fail_computation};

/// The rows of a relation. Columns are indexed as in the plan; columns not made yet are empty.
#[derive(Clone)]
pub(crate) struct Table {
    /// Number of rows.
    pub rows: usize,
    /// For each row r of the enclosing relation, its rows here are `starts[r]..starts[r + 1]`; the last element is the number of rows. Empty if the
    /// relation is not nested.
    pub starts: Vec<usize>,
    /// For each row, the row that it comes from: a row of the relation that this one is written from, or the position at which it was drawn, if the
    /// rows were reordered. Empty if every row is where it was drawn.
    pub origins: Vec<u32>,
    /// All columns, including helpers.
    pub columns: TiVec<ColumnId, SharedColumn>,
}

impl Table {
    /// Creates a table whose rows belong to no other rows and are where they were drawn.
    pub fn new(rows: usize, columns: TiVec<ColumnId, SharedColumn>) -> Table {
        Table { rows, starts: Vec::new(), origins: Vec::new(), columns }
    }

    /// Returns a cell; null if the column or the row does not exist.
    #[inline]
    pub fn read_cell(&self, column: ColumnId, row: usize) -> Val<'_> {
        self.columns.get(column).map_or(Val::NULL, |column| column.get(row))
    }

    /// Sets a column that is made.
    pub fn put_column(&mut self, column: ColumnId, made: SharedColumn) {
        if let Some(slot) = self.columns.get_mut(column) {
            *slot = made;
        }
    }
}

/// The tables of a cell, by relation; `None` until they are made.
pub(crate) type Tables = TiVec<RelationId, Option<Rc<Table>>>;

/// Returns a table that an earlier step made.
pub(crate) fn find_table(tables: &Tables, relation: RelationId) -> Res<&Table> {
    match tables.get(relation) {
        Some(Some(table)) => Ok(table.as_ref()),
        _ => fail_computation("a relation is used before it is made"),
    }
}

/// Builds a key of several values; `None` if one is null, because null equals nothing.
pub(crate) fn build_key<'v>(values: impl Iterator<Item = Val<'v>>) -> Option<String> {
    let mut key = String::new();
    for value in values {
        if value.is_null() {
            return None;
        }
        let text = value.render_text();
        // The length prefix distinguishes ("a", "bc") from ("ab", "c").
        let _ = write!(key, "{}:{text}", text.len());
    }
    Some(key)
}
