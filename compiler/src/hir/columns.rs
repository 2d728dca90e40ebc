//! The columns of fixtures, and whether the values of a column differ.

use std::sync::Arc;

use plan::suite::ColumnId;

use super::{ColumnSource, Relation};

/// A fixture's column; without values where nothing reads it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Given {
    /// Top to bottom.
    pub cells: plan::Given,
    /// What they are as a whole.
    pub seen: Arc<crate::fixture::Seen>,
    /// No value twice.
    pub unique: bool,
    /// Its table's key.
    pub primary_key: bool,
    /// Why it is text, where it is nearly something better: in the author's words.
    pub note: Option<String>,
    /// Some values cannot be read: they are null here, and nothing reads the column.
    pub odd: bool,
}

/// The keys of a relation: columns of which no two rows have the same, and none of which is ever null.
pub fn keys(relation: &Relation) -> Vec<Vec<ColumnId>> {
    relation.keys(|column| (is_unique(&column.source), column.ty.nullable))
}

/// Whether the values of a column are all different.
pub fn is_unique(source: &ColumnSource) -> bool {
    match source {
        ColumnSource::Draw { draw, .. } => (draw.unique && !draw.is_together()) || draw.is_serial(),
        ColumnSource::Given(given) => given.unique,
        ColumnSource::Compute(_) | ColumnSource::Result(_) | ColumnSource::Taken(_) => false,
    }
}
