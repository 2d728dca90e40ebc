//! Rows that surely meet a condition: those of which the source says what is in them.

use model::Value;
use model::suite::{ColumnId, RelationId, Scope};

use super::{Facts, Truth, is_serial};
use crate::{ColumnSource, Expr, Rows};

/// The most rows that are looked at.
const MAX_ROWS: u64 = 200;

impl<'a> Facts<'a> {
    /// The number of rows that surely meet a condition, which is evaluated in `scope`, that of the filter.
    pub fn count_sure_rows(&self, relation: RelationId, filter: &'a Expr, scope: Scope) -> u64 {
        let rows = self.count_rows(relation).least;
        let mut is_known = false;
        filter.visit_exprs(&mut |part| {
            is_known |= part.as_column_id().is_some_and(|column| self.find_sure_cell(relation, column, 0).is_some());
        });
        if !is_known || rows == 0 || rows > MAX_ROWS || !self.is_learning() {
            return 0;
        }
        let is_met = |row: &u64| {
            let cell = |column: ColumnId| self.find_sure_cell(relation, column, *row);
            self.in_row((filter, scope), &cell, || self.infer_truth(filter, scope)) == Truth::Always
        };
        (0..rows).filter(is_met).count() as u64
    }

    /// The value of a cell in a row, counted from 0, if it is the same in each sample.
    fn find_sure_cell(&self, relation: RelationId, column: ColumnId, row: u64) -> Option<Value> {
        let own = self.task.relations.get(relation)?;
        let (source, is_given) = (&own.columns.get(column)?.source, matches!(own.rows, Rows::Given(_)));
        match source {
            ColumnSource::Given(given) if is_given => given.cells.values.get(usize::try_from(row).ok()?).cloned(),
            ColumnSource::Draw { draw, .. } if is_serial(source) && !draw.may_be_blank() && draw.except.is_empty() => {
                i64::try_from(row).ok().map(|row| Value::Int(row + 1))
            }
            _ => None,
        }
    }
}
