//! For `tied`: the cells of which an answer takes one.

use model::suite::{ColumnId, RelationId};

use super::required::Required;
use hir::Expr;

/// The cells from which the most common, first, or last value is chosen.
pub(super) struct Rows<'a> {
    /// Their table.
    pub relation: RelationId,
    /// Their column.
    pub column: ColumnId,
    /// The condition that their rows meet.
    pub filter: Option<&'a Expr>,
}

impl Rows<'_> {
    /// Checks whether a `require` reads the deciding columns: it may exclude samples in which rows tie.
    pub fn is_required(&self, required: &Required<'_>) -> bool {
        let mut columns = vec![self.column];
        if let Some(filter) = self.filter {
            columns.clear();
            filter.visit_exprs(&mut |expr| columns.extend(expr.as_column_id()));
        }
        columns.into_iter().any(|column| required.is_required(self.relation, Some(column)))
    }
}
