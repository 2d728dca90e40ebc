//! A cell in which some relations have other rows: what is computed from them is computed again, as far as the change reaches.

use std::cell::RefCell;
use std::collections::BTreeSet;
use std::rc::Rc;

use model::reads::Reads;
use model::suite::{ColumnId, Expr, NameId, RelationId, Rows, Step, Task};
use model::uses::Uses;

use super::cell::InstanceDraft;
use super::failures::Res;
use super::table::Table;

/// A relation with other rows, or with other cells in one column.
pub(crate) struct Replaced {
    /// The relation.
    pub relation: RelationId,
    /// The only column with other cells; `None` for other rows.
    pub column: Option<ColumnId>,
    /// All its rows.
    pub table: Rc<Table>,
}

/// The parts of a cell that differ from those of another cell.
pub(crate) struct Changes<'r> {
    task: &'r Task,
    replaced: &'r [Replaced],
    /// The rows of queries.
    relations: BTreeSet<RelationId>,
    /// The computed names.
    names: BTreeSet<NameId>,
}

impl Changes<'_> {
    /// Checks whether a value can differ because of the changes.
    pub fn can_reach(&self, expr: &Expr) -> bool {
        let uses = Uses::from_expr(self.task, expr);
        if !uses.names.is_disjoint(&self.names) || !uses.relations.is_disjoint(&self.relations) {
            return true;
        }
        let mut read = self.replaced.iter().filter(|own| uses.relations.contains(&own.relation)).peekable();
        if read.peek().is_none() {
            return false;
        }
        let reads = Reads::from_expr(expr);
        read.any(|own| own.column.is_none_or(|column| reads.can_change(self.task, own.relation, column)))
    }
}

impl<'a> InstanceDraft<'a> {
    /// Returns a cell with the same draws, files, and paths in which some relations have other rows. The names and result sets of `needed` that
    /// differ because of them are computed again. Draws and `require`s are not, because they refer to the actual rows.
    pub fn replace_relations<'r>(
        &self,
        replaced: &'r [Replaced],
        needed: &Uses<'_>,
    ) -> Res<(InstanceDraft<'a>, Changes<'r>)>
    where
        'a: 'r,
    {
        let others: Vec<RelationId> = replaced.iter().map(|own| own.relation).collect();
        let task = self.task;
        let mut cell = InstanceDraft {
            names: self.names.clone(),
            tables: self.tables.clone(),
            files: self.files.clone(),
            keys: self.keys.clone(),
            scratch: RefCell::new(self.scratch.borrow().with_replaced(task, others.clone())),
            described: self.described.clone(),
            ..*self
        };
        for own in replaced {
            if let Some(slot) = cell.tables.get_mut(own.relation) {
                *slot = Some(Rc::clone(&own.table));
            }
        }
        let mut changes = Changes { task, replaced, relations: BTreeSet::new(), names: BTreeSet::new() };
        let of_ways = task.iter_ways().flat_map(|way| &way.steps).map(|name| Step::Name(*name));
        for step in task.steps.iter().copied().chain(of_ways) {
            match step {
                Step::Name(name)
                    if needed.names.contains(&name)
                        && task.find_computed(name).is_some_and(|value| changes.can_reach(value)) =>
                {
                    cell.make_name(name)?;
                    if cell.names.get(name) != self.names.get(name) {
                        changes.names.insert(name);
                    }
                }
                Step::Relation(id) if !others.contains(&id) && needed.relations.contains(&id) => {
                    let rows = task.relations.get(id).map(|of| &of.rows);
                    if matches!(rows, Some(Rows::Query(name)) if changes.names.contains(name)) {
                        cell.make_relation(id)?;
                        changes.relations.insert(id);
                    }
                }
                _ => {}
            }
        }
        Ok((cell, changes))
    }
}
