//! Finds the columns that identify the rows of a relation.

use super::{Column, ColumnId, ColumnSource, FARTHEST, Phase, Relation, RelationId, Rows};
use crate::TiVec;

/// Maximum number of column sets of one relation.
const MAX_SETS: usize = 256;

/// The properties of columns that a phase knows.
pub trait OfColumns<S: Phase> {
    /// Checks whether no value can repeat in a column.
    fn is_unique(&self, column: &Column<S>) -> bool;

    /// Checks whether a cell of a column may be null.
    fn is_nullable(&self, column: &Column<S>) -> bool;

    /// Returns the column of the same row from which a column copies its cells.
    fn find_copied_column(&self, source: &ColumnSource<S>) -> Option<ColumnId>;

    /// Returns the unique combinations of columns that are proved but not declared.
    fn list_proved_sets(&self, relation: RelationId) -> Vec<Vec<ColumnId>>;
}

/// Finds the keys of a relation: sets of columns that differ between any two rows and are never null. Includes the keys of the relation from which
/// its rows are taken.
pub fn find_keys<S: Phase>(
    relations: &TiVec<RelationId, Relation<S>>,
    id: RelationId,
    known: &impl OfColumns<S>,
) -> Vec<Vec<ColumnId>> {
    let Some(relation) = relations.get(id) else { return Vec::new() };
    // A nullable column may have no nulls in a selection of rows.
    let is_full = |id: &ColumnId| relation.columns.get(*id).is_some_and(|column| !known.is_nullable(column));
    let mut keys = collect_unique_sets(relations, id, known, FARTHEST);
    keys.retain(|key| key.iter().all(is_full));
    keys
}

/// Collects the sets of columns that differ between any two rows, except where one of them is null.
fn collect_unique_sets<S: Phase>(
    relations: &TiVec<RelationId, Relation<S>>,
    id: RelationId,
    known: &impl OfColumns<S>,
    depth: usize,
) -> Vec<Vec<ColumnId>> {
    let Some(relation) = relations.get(id) else { return Vec::new() };
    let alone = relation.columns.iter_enumerated().filter(|(_, column)| known.is_unique(column));
    let together = relation.constraints.iter().filter(|constraint| constraint.is_unique());
    let mut sets: Vec<Vec<ColumnId>> = alone.map(|(id, _)| vec![id]).collect();
    sets.extend(together.map(|constraint| constraint.columns.clone()));
    sets.extend(known.list_proved_sets(id));
    if let Rows::Taken { from, .. } = &relation.rows
        && depth > 0
    {
        let here = |of: &ColumnId| {
            relation.columns.position(|column| matches!(column.source, ColumnSource::Taken(taken) if taken == *of))
        };
        let of_source = collect_unique_sets(relations, *from, known, depth - 1);
        sets.extend(of_source.iter().filter_map(|set| set.iter().map(here).collect::<Option<Vec<_>>>()));
    }
    // A column with another's cells can replace that one.
    for (id, column) in relation.columns.iter_enumerated() {
        let Some(of) = known.find_copied_column(&column.source) else { continue };
        let with = |set: &Vec<ColumnId>| set.iter().map(|own| if *own == of { id } else { *own }).collect();
        let room = MAX_SETS.saturating_sub(sets.len());
        let more: Vec<Vec<ColumnId>> = sets.iter().filter(|set| set.contains(&of)).take(room).map(with).collect();
        sets.extend(more);
    }
    sets
}
