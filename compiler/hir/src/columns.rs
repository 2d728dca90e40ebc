//! The columns of fixtures, and the uniqueness of columns.

use std::sync::Arc;

use model::TiVec;
use model::suite::{ColumnId, OfColumns, RelationId};

use super::{Checked, Column, ColumnSource, Expr, ExprKind, Relation};

/// The data of a fixture's column; without values if nothing reads it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct FixtureColumnData {
    /// One value per row, from top to bottom.
    pub cells: model::Given,
    /// The summary of its values.
    pub seen: Arc<crate::fixture::ColumnSummary>,
    /// Whether all values are distinct.
    pub unique: bool,
    /// Whether it is its table's key.
    pub primary_key: bool,
    /// The reason why it is text, in the author's terms, if almost all of its cells have a more specific type.
    pub note: Option<String>,
    /// Whether some values could not be read. They are null here, and nothing reads the column.
    pub odd: bool,
    /// The pattern by which it is read, if its `%` divides by 100.
    pub percent: Option<String>,
    /// How it is read, if its table is declared.
    pub read: Option<Arc<crate::read_tables::ReadAs>>,
}

/// Finds the keys of a relation. `proved` returns the sets of columns that are proved unique, in addition to the declared ones.
pub fn find_keys(
    relations: &TiVec<RelationId, Relation>,
    id: RelationId,
    proved: impl Fn(RelationId) -> Vec<Vec<ColumnId>>,
) -> Vec<Vec<ColumnId>> {
    model::suite::find_keys(relations, id, &Known(proved))
}

/// Knowledge about columns while a suite is checked.
struct Known<F>(F);

impl<F: Fn(RelationId) -> Vec<Vec<ColumnId>>> OfColumns<Checked> for Known<F> {
    fn is_unique(&self, column: &Column) -> bool {
        is_unique(&column.source)
    }

    fn is_nullable(&self, column: &Column) -> bool {
        column.ty.nullable
    }

    fn find_copied_column(&self, source: &ColumnSource) -> Option<ColumnId> {
        match source {
            ColumnSource::Compute(Expr { kind: ExprKind::Column(of), .. }) => Some(*of),
            _ => None,
        }
    }

    fn list_proved_sets(&self, relation: RelationId) -> Vec<Vec<ColumnId>> {
        (self.0)(relation)
    }
}

/// Whether all values of a column are distinct.
pub fn is_unique(source: &ColumnSource) -> bool {
    match source {
        ColumnSource::Draw { draw, .. } => (draw.unique && !draw.is_together()) || draw.is_serial(),
        ColumnSource::Given(given) => given.unique,
        ColumnSource::Compute(_) | ColumnSource::Result(_) | ColumnSource::Taken(_) => false,
    }
}
