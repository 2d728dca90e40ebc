//! Executes the steps of a task: makes names, tables, and files in the plan's order.

use std::rc::Rc;

use model::suite::{NameId, NameSource, RelationId, Step};
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

    pub(super) fn make_relation(&mut self, id: RelationId) -> Res<()> {
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
}
