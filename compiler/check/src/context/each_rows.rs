//! `each` of a task, with the rows that it selects.

use std::collections::BTreeMap;
use std::sync::Arc;

use model::suite::{ColumnId, EachRow, NameId, RelationId};
use model::{Span, Value};
use syntax::ast;

/// `each` of a task.
pub(crate) struct EachDecl<'a> {
    pub ast: &'a ast::Each,
    pub span: Span,
    /// Its rows; `None` if a mistake in it has been reported.
    pub rows: Option<AskedRows>,
    /// Cells that `tags` uses.
    pub tags: Vec<NameId>,
}

/// The selected rows.
pub(crate) struct AskedRows {
    /// The table that has them.
    pub relation: RelationId,
    /// Their indexes in the relation.
    pub kept: Vec<usize>,
    pub rows: Vec<EachRow>,
    /// The columns that are read: their slots, and their cells by row.
    pub columns: BTreeMap<ColumnId, (NameId, Arc<[Value]>)>,
}

impl AskedRows {
    /// The number of rows.
    pub fn len(&self) -> usize {
        self.rows.len()
    }

    /// The length of the longest key, in bytes.
    pub fn measure_longest_key(&self) -> usize {
        self.rows.iter().map(|row| row.key.len()).max().unwrap_or(0)
    }

    /// The key of a row.
    pub fn key(&self, row: usize) -> &str {
        self.rows.get(row).map_or("", |row| row.key.as_str())
    }
}
