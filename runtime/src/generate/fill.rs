//! Columns whose cells are drawn independently: each row has its own word and the same choice, and nothing else of the instance is read. Such columns
//! of a large table are filled in parallel; their content does not depend on it.

use std::sync::{Mutex, PoisonError};

use model::suite::{ColumnId, ColumnSource, DomainExpr, Relation, Rows};
use model::{Span, Val};

use super::cell::InstanceDraft;
use super::choice::{self, Choice};
use super::column::{Column, Data};
use super::context::Eval;
use super::draw::{Blanks, draw_value};
use super::failures::{OrSpan, Res};
use super::sampler::Counting;
use super::streams::{self, Stream};
use super::table::Table;
use super::{size, tuples};
use model::threads::try_map_on_threads;

/// Minimum number of cells for several threads; for fewer, starting a thread takes longer than drawing them.
const MANY: usize = 1 << 14;

/// A column that is ready to be filled.
pub(crate) struct Fill<'a> {
    /// Number of rows.
    pub rows: usize,
    /// The words of its rows.
    pub stream: Stream,
    /// The words that decide which rows are null.
    pub blanks: Option<Blanks>,
    /// The choice from which its cells are drawn.
    pub choice: Choice<'a>,
    /// The column to fill, without cells.
    pub out: Column,
}

impl Fill<'_> {
    /// Draws its cells.
    pub fn draw_cells(self) -> Res<Column> {
        match self.choice.n {
            Some(n) => self.draw_uniform(n),
            None => self.draw_nonuniform(),
        }
    }

    fn draw_uniform(mut self, n: u128) -> Res<Column> {
        for _ in 0..self.rows {
            let index = streams::to_index(self.stream.next(), n);
            if self.draw_blank() {
                self.out.push_null();
            } else {
                self.choice.sampler.push_at(self.choice.map_index(index), &mut self.out);
                size::check_column_size(&self.out)?;
            }
        }
        Ok(self.out)
    }

    fn draw_nonuniform(mut self) -> Res<Column> {
        let texts = self.choice.sampler.is_multi_word() && !self.choice.may_throw_back();
        for row in 0..self.rows as u64 {
            let word = self.stream.next();
            if self.draw_blank() {
                self.out.push_null();
            } else if texts && let Data::Text { buf, ends } = self.out.data_mut() {
                self.choice.sampler.write_from(self.stream.derive_child(word), row, buf);
                ends.push(buf.len());
            } else {
                self.out.push_value(Val::Own(draw_value(&self.choice, &mut self.stream, word, row)?));
            }
            size::check_column_size(&self.out)?;
        }
        Ok(self.out)
    }

    /// Draws whether the next row is null. Must be called once per row.
    fn draw_blank(&mut self) -> bool {
        self.blanks.as_mut().is_some_and(Blanks::draw_next)
    }
}

/// A column of a table whose filling is deferred, to fill several together.
pub(crate) struct Waiting<'a> {
    id: ColumnId,
    fill: Fill<'a>,
    sorted: bool,
    span: Span,
}

impl<'a> Waiting<'a> {
    /// Prepares a column of `rows` rows; `None` if anything except its own words decides its cells.
    pub fn try_new(
        cell: &'a InstanceDraft<'a>,
        relation: &'a Relation,
        id: ColumnId,
        rows: usize,
    ) -> Res<Option<Waiting<'a>>> {
        let Some(column) = relation.columns.get(id) else { return Ok(None) };
        let ColumnSource::Draw { draw, of, .. } = &column.source else { return Ok(None) };
        let is_alone = *of <= 1
            && !draw.unique
            && rows > 0
            && relation.constraints.is_empty()
            && !matches!(draw.domain, DomainExpr::Exactly(_))
            && !matches!(relation.rows, Rows::Taken { .. })
            && tuples::find_joint_columns(draw).is_none()
            && !choice::is_drawn_by_row(draw);
        if !is_alone {
            return Ok(None);
        }
        let path = [relation.name.as_str(), column.name.as_str()];
        let fill = Fill {
            rows,
            stream: cell.keys.derive_stream(&path),
            blanks: Blanks::try_new(cell, draw, &path)?,
            choice: Choice::new(Eval::new(cell), draw, Counting::Rows).or_span(draw.span)?,
            out: Column::new(column.cells.value_type, rows),
        };
        Ok(Some(Waiting { id, fill, sorted: draw.sorted, span: draw.span }))
    }

    fn fill_column(self) -> Res<(ColumnId, Column)> {
        let drawn = self.fill.draw_cells().or_span(self.span)?;
        Ok((self.id, if self.sorted { drawn.to_sorted() } else { drawn }))
    }
}

/// Fills the deferred columns and puts them into their table. Returns the failure of the first column that fails, in their order.
pub(crate) fn fill_columns(waiting: Vec<Waiting<'_>>, table: &mut Table, threads: usize) -> Res<()> {
    let threads = if waiting.len() * table.rows < MANY { 1 } else { threads };
    let work: Vec<Mutex<Option<Waiting<'_>>>> = waiting.into_iter().map(|one| Mutex::new(Some(one))).collect();
    let filled = try_map_on_threads(threads, work.len(), |at| {
        // Each index is taken once.
        let waiting = work.get(at).and_then(|place| place.lock().unwrap_or_else(PoisonError::into_inner).take());
        waiting.map(Waiting::fill_column).transpose()
    })?;
    for (id, column) in filled.into_iter().flatten() {
        table.put_column(id, column.into());
    }
    Ok(())
}
