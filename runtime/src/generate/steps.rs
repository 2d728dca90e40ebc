//! Executes the steps of a task: makes names, tables, and files in the plan's order.

use std::cell::RefCell;
use std::rc::Rc;

use model::suite::{NameId, NameSource, RelationId, Rows, Step};
use model::uses::Uses;
use model::{Span, Value};

use super::cell::InstanceDraft;
use super::column::Column;
use super::column_sources::make_column;
use super::context::Eval;
use super::derived_rows::sort_table;
use super::draw::draw_name;
use super::failures::{OrSpan, Res, fail_computation};
use super::files::render_file;
use super::fill::{Waiting, fill_columns};
use super::rows::count_rows;
use super::size::check_table_size;
use super::table::Table;
use super::tuples::find_joint_columns;

impl<'a> InstanceDraft<'a> {
    /// Sets the value of the axis whose slot is `id`, for this cell.
    fn set_axis(&mut self, id: NameId) -> Res<()> {
        let at = self.task.axes.iter().zip(self.task.find_axis_positions(self.index)).find(|(axis, _)| axis.slot == id);
        if let Some((_, value)) = at.and_then(|(axis, at)| axis.cells.get(at)) {
            let value = Eval::new(self).evaluate(value)?.into_value();
            self.set_name(id, value);
        }
        Ok(())
    }

    /// Sets the name at `id` to its cell in the data set row of this instance.
    fn set_row(&mut self, id: NameId) -> Res<()> {
        let row = self.task.find_row_index(self.index) as usize;
        let values = self.task.each.as_ref().and_then(|each| each.find_values(id));
        let Some(value) = values.and_then(|values| values.get(row)) else {
            return fail_computation("a row without a cell");
        };
        self.set_name(id, value.clone());
        Ok(())
    }

    /// Executes steps in order until a `require` does not hold; returns its place.
    pub fn run_steps(&mut self, steps: &[Step]) -> Res<Option<Span>> {
        let task = self.task;
        for step in steps {
            match step {
                Step::Name(name) => self.make_name(*name)?,
                Step::Relation(relation) => self.make_relation(*relation)?,
                Step::File(file) => {
                    let rendered = render_file(self, *file)?;
                    self.meter.map_or(Ok(()), |meter| meter.count_file(rendered.estimate_bytes() as u64))?;
                    if let Some(slot) = self.files.get_mut(*file) {
                        *slot = Some(Rc::new(rendered));
                    }
                }
                Step::Require(require) => {
                    let Some(require) = task.requires.get(*require as usize) else { continue };
                    if !Eval::new(self).is_true(&require.condition).or_span(require.span)? {
                        return Ok(Some(require.span));
                    }
                }
            }
        }
        Ok(None)
    }

    /// Draws or computes the value of a name.
    pub fn make_name(&mut self, id: NameId) -> Res<()> {
        let Some(name) = self.task.names.get(id) else { return fail_computation("a name is not declared") };
        let value = match &name.source {
            NameSource::Axis => return self.set_axis(id),
            NameSource::Row => return self.set_row(id),
            NameSource::Compute(expr) => Eval::new(self).evaluate(expr).or_span(name.span)?.into_value(),
            NameSource::Draw { draw, group, place } => {
                // Names taken from one row are drawn with the same words.
                let own = if find_joint_columns(draw).is_some() { group } else { &name.name };
                draw_name(self, own, draw, draw.unique.then_some((group.as_str(), *place)))?
            }
        };
        self.set_name(id, value);
        Ok(())
    }

    fn set_name(&mut self, id: NameId, value: Value) {
        if let Some(slot) = self.names.get_mut(id) {
            *slot = value;
        }
    }

    fn make_relation(&mut self, id: RelationId) -> Res<()> {
        let relation = self.find_relation(id)?;
        let mut table = count_rows(self, relation)?;
        let rows = table.rows;
        check_table_size(relation, rows, self.domains).or_span(relation.span)?;
        self.meter.map_or(Ok(()), |meter| meter.count_table(relation, rows))?;
        table.columns = relation.columns.iter().map(|column| Column::new(column.cells.value_type, 0).into()).collect();
        let mut waiting = Vec::new();
        for column in &relation.order {
            match Waiting::try_new(self, relation, *column, rows) {
                Ok(Some(alone)) => waiting.push(alone),
                // An earlier failure is reported first.
                Err(failure) => return fill_columns(waiting, &mut table, self.threads).and(Err(failure)),
                Ok(None) => {
                    // The column may depend on the waiting ones.
                    fill_columns(std::mem::take(&mut waiting), &mut table, self.threads)?;
                    let made = self.given.load_column(id, *column, || make_column(self, relation, *column, &table))?;
                    table.put_column(*column, made);
                }
            }
        }
        fill_columns(waiting, &mut table, self.threads)?;
        if let Some(by) = relation.by {
            table = sort_table(relation, table, by).or_span(relation.span)?;
        }
        if let Some(slot) = self.tables.get_mut(id) {
            *slot = Some(Rc::new(table));
        }
        Ok(())
    }

    /// Returns a cell with the same draws, files, and paths in which some relations have other rows. The names and result sets of `needed` that
    /// depend on them are computed again. Draws and `require`s are not, because they refer to the actual rows.
    pub fn with_replaced(&self, replaced: &[(RelationId, Rc<Table>)], needed: &Uses<'_>) -> Res<InstanceDraft<'a>> {
        let others: Vec<RelationId> = replaced.iter().map(|(relation, _)| *relation).collect();
        let mut cell = InstanceDraft {
            names: self.names.clone(),
            tables: self.tables.clone(),
            files: self.files.clone(),
            keys: self.keys.clone(),
            scratch: RefCell::new(self.scratch.borrow().with_replaced(self.task, others.clone())),
            described: self.described.clone(),
            ..*self
        };
        for (relation, table) in replaced {
            if let Some(slot) = cell.tables.get_mut(*relation) {
                *slot = Some(Rc::clone(table));
            }
        }
        let task = self.task;
        let is_computed_from = |name: NameId| {
            let computed = task.find_computed(name).filter(|_| needed.names.contains(&name));
            computed.is_some_and(|value| {
                let read = Uses::from_computation(task, value).relations;
                others.iter().any(|other| read.contains(other))
            })
        };
        let of_ways = task.iter_ways().flat_map(|way| &way.steps).map(|name| Step::Name(*name));
        for step in task.steps.iter().copied().chain(of_ways) {
            match step {
                Step::Name(name) if is_computed_from(name) => cell.make_name(name)?,
                Step::Relation(id) if !others.contains(&id) && needed.relations.contains(&id) => {
                    let rows = task.relations.get(id).map(|of| &of.rows);
                    if matches!(rows, Some(Rows::Query(name)) if is_computed_from(*name)) {
                        cell.make_relation(id)?;
                    }
                }
                _ => {}
            }
        }
        Ok(cell)
    }
}
