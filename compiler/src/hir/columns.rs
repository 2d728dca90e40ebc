//! The columns of fixtures, and whether the values of a column differ.

use std::sync::Arc;

use model::TiVec;
use model::suite::{ColumnId, OfColumns, RelationId};

use super::{Checked, Column, ColumnSource, Expr, ExprKind, Relation};

/// A fixture's column; without values where nothing reads it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct FixtureColumnData {
    /// Top to bottom.
    pub cells: model::Given,
    /// What they are as a whole.
    pub seen: Arc<crate::fixture::ColumnSummary>,
    /// No value twice.
    pub unique: bool,
    /// Its table's key.
    pub primary_key: bool,
    /// Why it is text, where it is nearly something better: in the author's words.
    pub note: Option<String>,
    /// Some values cannot be read: they are null here, and nothing reads the column.
    pub odd: bool,
    /// The pattern by which it is read, where its `%` divides by 100.
    pub percent: Option<String>,
}

/// The keys of a relation; `proved` says what is unique together besides what is declared.
pub fn find_keys(
    relations: &TiVec<RelationId, Relation>,
    id: RelationId,
    proved: impl Fn(RelationId) -> Vec<Vec<ColumnId>>,
) -> Vec<Vec<ColumnId>> {
    model::suite::find_keys(relations, id, &Known(proved))
}

/// What is known of columns while a suite is checked.
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

/// Whether the values of a column are all different.
pub fn is_unique(source: &ColumnSource) -> bool {
    match source {
        ColumnSource::Draw { draw, .. } => (draw.unique && !draw.is_together()) || draw.is_serial(),
        ColumnSource::Given(given) => given.unique,
        ColumnSource::Compute(_) | ColumnSource::Result(_) | ColumnSource::Taken(_) => false,
    }
}
