//! Columns whose cells are drawn alone: each row has its own word and the same choice, and nothing else of the instance is read. So those of a large table
//! are filled side by side; what is in them does not depend on it.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

use model::suite::{ColumnId, ColumnSource, DomainExpr, Relation, Rows};
use model::{Span, Val};

use super::cell::{Cell, Table};
use super::choice::{self, Choice};
use super::column::{Column, Data};
use super::draw::{blank_share, is_blank, one};
use super::eval::{Eval, OrSpan, Res};
use super::streams::{self, Stream};
use super::{size, tuples};
use crate::threads::by_threads;

/// Below this number of cells a thread takes longer to start than they take to draw.
const MANY: usize = 1 << 14;

/// A column that is ready to be filled.
pub(crate) struct Fill<'a> {
    /// How many rows.
    pub rows: usize,
    /// The words of its rows.
    pub stream: Stream,
    /// The words that say which rows are null, and the chance of it in millionths.
    pub blanks: Option<(Stream, u32)>,
    /// From what its cells are drawn.
    pub choice: Choice<'a>,
    /// Without cells.
    pub out: Column,
}

impl Fill<'_> {
    /// Draws its cells.
    pub fn run(self) -> Res<Column> {
        match self.choice.n {
            Some(n) => self.uniform(n),
            None => self.others(),
        }
    }

    fn uniform(mut self, n: u128) -> Res<Column> {
        for _ in 0..self.rows {
            let index = streams::index(self.stream.next(), n);
            if self.blank() {
                self.out.push_null();
            } else {
                self.choice.sampler.push_at(self.choice.index(index), &mut self.out);
                size::bounded_column(&self.out)?;
            }
        }
        Ok(self.out)
    }

    fn others(mut self) -> Res<Column> {
        let texts = self.choice.sampler.needs_words() && !self.choice.may_throw_back();
        for row in 0..self.rows as u64 {
            let word = self.stream.next();
            if self.blank() {
                self.out.push_null();
            } else if texts && let Data::Text { buf, ends } = self.out.data_mut() {
                self.choice.sampler.write_from(self.stream.child(word), row, buf);
                ends.push(buf.len());
            } else {
                self.out.push(Val::Own(one(&self.choice, &mut self.stream, word, row)?));
            }
            size::bounded_column(&self.out)?;
        }
        Ok(self.out)
    }

    /// Whether the next row is null. Asked once a row.
    fn blank(&mut self) -> bool {
        self.blanks.as_mut().is_some_and(|(blanks, per_million)| is_blank(blanks, *per_million))
    }
}

/// A column of a table that is to be filled when others are known too.
pub(crate) struct Waiting<'a> {
    id: ColumnId,
    fill: Fill<'a>,
    sorted: bool,
    span: Span,
}

impl<'a> Waiting<'a> {
    /// A column of `rows` rows, if nothing but its own words decides on its cells.
    pub fn of(cell: &'a Cell<'a>, relation: &'a Relation, id: ColumnId, rows: usize) -> Res<Option<Waiting<'a>>> {
        let Some(column) = relation.columns.get(id) else { return Ok(None) };
        let ColumnSource::Draw { draw, of, .. } = &column.source else { return Ok(None) };
        let is_alone = *of <= 1
            && !draw.unique
            && rows > 0
            && relation.constraints.is_empty()
            && !matches!(draw.domain, DomainExpr::Exactly(_))
            && !matches!(relation.rows, Rows::Taken { .. })
            && tuples::together(draw).is_none()
            && !choice::depends_on_row(draw);
        if !is_alone {
            return Ok(None);
        }
        let path = [relation.name.as_str(), column.name.as_str()];
        let per_million = blank_share(cell, draw)?;
        let fill = Fill {
            rows,
            stream: cell.keys.stream(&path),
            blanks: (per_million > 0).then(|| (cell.keys.blanks(&path), per_million)),
            choice: Choice::new(Eval::new(cell), draw, false).or_span(draw.span)?,
            out: Column::new(column.cells.value_type, rows),
        };
        Ok(Some(Waiting { id, fill, sorted: draw.sorted, span: draw.span }))
    }

    fn run(self) -> (ColumnId, Res<Column>) {
        let drawn = self.fill.run().or_span(self.span);
        (self.id, drawn.map(|drawn| if self.sorted { drawn.sorted() } else { drawn }))
    }
}

/// Fills the columns that wait, and puts them into their table. The failure is that of the first that fails, in the order in which they wait.
pub(crate) fn fill(waiting: Vec<Waiting<'_>>, table: &mut Table, threads: usize) -> Res<()> {
    let threads = if waiting.len() * table.rows < MANY { 1 } else { threads.min(waiting.len()) };
    let filled: Vec<(ColumnId, Res<Column>)> =
        if threads < 2 { waiting.into_iter().map(Waiting::run).collect() } else { side_by_side(waiting, threads) };
    for (id, column) in filled {
        let column = column?;
        if let Some(slot) = table.columns.get_mut(id) {
            *slot = column.into();
        }
    }
    Ok(())
}

/// Each thread takes the next column that none has yet.
fn side_by_side(waiting: Vec<Waiting<'_>>, threads: usize) -> Vec<(ColumnId, Res<Column>)> {
    let next = AtomicUsize::new(0);
    let work: Vec<Mutex<Option<Waiting<'_>>>> = waiting.into_iter().map(|one| Mutex::new(Some(one))).collect();
    let done = Mutex::new(Vec::with_capacity(work.len()));
    by_threads(threads, || {
        loop {
            let at = next.fetch_add(1, Ordering::Relaxed);
            let Some(place) = work.get(at) else { return };
            let Some(waiting) = place.lock().unwrap_or_else(PoisonError::into_inner).take() else { continue };
            let filled = waiting.run();
            done.lock().unwrap_or_else(PoisonError::into_inner).push((at, filled));
        }
    });
    let mut done = done.into_inner().unwrap_or_else(PoisonError::into_inner);
    done.sort_unstable_by_key(|(at, _)| *at);
    done.into_iter().map(|(_, filled)| filled).collect()
}
