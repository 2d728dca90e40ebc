//! Names that are drawn from one row: whether those that the agent is told tell the others.

use std::collections::BTreeSet;

use model::suite::{ColumnId, NameId, RelationId};

use hir::facts::Facts;
use hir::{ColumnSource, DrawDomain, NameSource, Task};

/// A name that is drawn together with others.
pub(super) struct SameRow<'s, 'a> {
    pub task: &'a Task,
    pub facts: &'s Facts<'a>,
    /// The names that the agent is told.
    pub shown: &'s BTreeSet<NameId>,
    /// The name.
    pub id: NameId,
}

impl SameRow<'_, '_> {
    /// Checks whether the names that are told may tell this one: rows with their values can have one value of it.
    pub fn may_tell(&self) -> bool {
        let Some((relation, column, told)) = self.list_told_columns() else { return false };
        !(told.is_empty() || self.is_drawn_alone(relation, column) && self.must_repeat(relation, &told))
    }

    /// Returns the relation and the column of the name, and the columns of the other names of its row that are told.
    fn list_told_columns(&self) -> Option<(RelationId, ColumnId, Vec<ColumnId>)> {
        let (relation, column, group) = self.find_draw(self.id)?;
        let siblings = self.shown.iter().filter(|id| **id != self.id).filter_map(|id| self.find_draw(*id));
        let told = siblings.filter(|(of, _, other)| *of == relation && *other == group).map(|(_, column, _)| column);
        Some((relation, column, told.collect()))
    }

    /// Returns the relation and column from which a name is drawn, and the columns that are drawn with it.
    fn find_draw(&self, id: NameId) -> Option<(RelationId, ColumnId, &str)> {
        let NameSource::Draw { draw, group, .. } = &self.task.names.get(id)?.source else { return None };
        match &draw.domain {
            DrawDomain::Ref { relation, column, together, .. } if !together.is_empty() => {
                Some((*relation, *column, group.as_str()))
            }
            _ => None,
        }
    }

    /// Checks whether the cells of a column are drawn one by one, and so do not follow from others.
    fn is_drawn_alone(&self, relation: RelationId, column: ColumnId) -> bool {
        let source = self.task.find_column((relation, column)).map(|column| &column.source);
        matches!(source, Some(ColumnSource::Draw { draw, .. }) if !draw.is_together() && !matches!(draw.domain, DrawDomain::Range { .. }))
    }

    /// Checks whether columns have fewer combinations of values than the relation has rows.
    fn must_repeat(&self, relation: RelationId, columns: &[ColumnId]) -> bool {
        let own = self.task.relations.get(relation);
        let is_key = own.is_none_or(|own| {
            own.constraints.iter().any(|constraint| constraint.columns.iter().all(|column| columns.contains(column)))
        });
        let mut ways: u64 = 1;
        for column in columns {
            let fact = self.facts.lookup_column(relation, *column);
            let Some(values) = fact.closed.filter(|_| !fact.unique) else { return false };
            ways = ways.saturating_mul(values.len() as u64);
        }
        // Twice as many rows: that a combination occurs only once is then rare.
        !is_key && ways.saturating_mul(2) <= self.facts.count_rows(relation).least
    }
}
