//! Draws the cells of one column: independently, by a permutation of the domain, or with rejection of repeated values.

use std::collections::HashSet;

use model::suite::{ColumnId, Draw};
use model::{Val, Value};

use super::choice::{self, Choice};
use super::column::Column;
use super::context::Eval;
use super::derived_rows::Roots;
use super::draw::{Blanks, draw_distinct_value, draw_value, new_value};
use super::failures::{Res, fail};
use super::fill::Fill;
use super::permutation::Permutation;
use super::sampler::Counting;
use super::streams::Stream;
use super::table::Table;
use super::tuples::{self, Tuples};
use crate::failure::FailureKind;

/// A column being drawn.
pub(super) struct Drawing<'a> {
    /// Evaluates its bounds and exceptions.
    pub(super) eval: Eval<'a>,
    /// As declared.
    pub(super) draw: &'a Draw,
    /// The columns before it.
    pub(super) table: &'a Table,
    /// The words of its rows.
    pub(super) stream: Stream,
    /// The words that decide which cells are null.
    pub(super) blanks: Option<Blanks>,
    /// Its place among the columns of its statement.
    pub(super) place: u32,
    /// The number of columns of its statement.
    pub(super) of: u32,
    /// The words of the rows at the root, where rows are taken and each is drawn by its own expressions.
    pub(super) roots: Option<RootWords>,
}

/// The words of rows that are taken.
pub(super) struct RootWords {
    /// For each row, its number at the root.
    rows: Vec<u32>,
    /// The words of the rows at the root, and whether their cells are null.
    words: Vec<(u64, bool)>,
}

impl<'a> Drawing<'a> {
    /// Returns the same for rows that are taken, each with the word of its row at the root.
    pub(super) fn with_roots(mut self, roots: Roots) -> Drawing<'a> {
        let words = (0..roots.all).map(|_| (self.stream.next(), self.draw_blank())).collect();
        Drawing { roots: Some(RootWords { rows: roots.rows, words }), ..self }
    }

    /// Draws every cell into `out`, in the way that the domain and the statement allow.
    pub(super) fn fill_column(mut self, out: Column) -> Res<Column> {
        let counting = self.choose_counting();
        if choice::is_drawn_by_row(self.draw) {
            return self.fill_by_row(out);
        }
        if self.table.rows == 0 {
            return Ok(out);
        }
        let choice = Choice::new(self.eval, self.draw, counting)?;
        match choice.n {
            Some(n) if self.draw.unique && choice.sampler.is_injective_for(counting) => {
                self.fill_permuted(&choice, n, out)
            }
            _ if self.draw.unique => self.fill_with_rejection(Some(&choice), out),
            _ if self.of > 1 => self.fill_distinct_rows(&choice, out),
            _ => Fill { rows: self.table.rows, stream: self.stream, blanks: self.blanks, choice, out }.draw_cells(),
        }
    }

    /// Whether the next row's cell is null. Called once for each row.
    fn draw_blank(&mut self) -> bool {
        self.blanks.as_mut().is_some_and(Blanks::draw_next)
    }

    /// Returns the next row's word, whether its cell is null, and its number at the root. Called once for each row.
    fn next_row(&mut self, row: usize) -> (u64, bool, u64) {
        let Some(taken) = &self.roots else {
            let word = self.stream.next();
            return (word, self.draw_blank(), row as u64);
        };
        let root = taken.rows.get(row).copied().unwrap_or_default();
        let (word, blank) = taken.words.get(root as usize).copied().unwrap_or_default();
        (word, blank, u64::from(root))
    }

    /// Draws a `unique` column: the cell of row r is the value at position r of the permutation; columns of one statement take turns.
    fn fill_permuted(&mut self, choice: &Choice<'a>, n: u128, mut out: Column) -> Res<Column> {
        let of = u64::from(self.of.max(1));
        let needed = self.table.rows as u64 * of;
        if u128::from(needed) > n {
            let message = format!("`unique` needs {needed} different values here, and the domain has {n}");
            return fail(FailureKind::ExhaustedDomain, message);
        }
        let word = self.stream.next();
        let permutation = Permutation::new(self.stream.derive_child(word), n, needed);
        for row in 0..self.table.rows as u64 {
            if self.draw_blank() {
                out.push_null();
            } else {
                choice
                    .sampler
                    .push_at(choice.map_index(permutation.map_position(row * of + u64::from(self.place))), &mut out);
            }
        }
        Ok(out)
    }

    /// Draws each row's value at this place of a group whose values differ.
    fn fill_distinct_rows(&mut self, choice: &Choice<'a>, mut out: Column) -> Res<Column> {
        for _ in 0..self.table.rows {
            let word = self.stream.next();
            let value = draw_distinct_value(choice, self.stream.derive_child(word), self.place)?;
            out.push_value(if self.draw_blank() { Val::NULL } else { Val::Own(value) });
        }
        Ok(out)
    }

    /// Draws one row's value; among several columns of the statement, the one at this place of a group whose values differ.
    fn draw_one(&mut self, choice: &Choice<'a>, word: u64, row: u64) -> Res<Value> {
        if self.of > 1 {
            return draw_distinct_value(choice, self.stream.derive_child(word), self.place);
        }
        draw_value(choice, &mut self.stream, word, row)
    }

    fn choose_counting(&self) -> Counting {
        if self.of > 1 || self.draw.unique { Counting::Values } else { Counting::Rows }
    }

    /// Draws each row from its own choice: bounds or exceptions differ by row.
    fn fill_by_row(&mut self, mut out: Column) -> Res<Column> {
        let counting = self.choose_counting();
        let (eval, draw, table) = (self.eval, self.draw, self.table);
        if draw.unique {
            return self.fill_with_rejection(None, out);
        }
        for row in 0..table.rows {
            let (word, blank, root) = self.next_row(row);
            if blank {
                out.push_null();
                continue;
            }
            let choice = Choice::new(eval.with_row(table, row), draw, counting)?;
            out.push_value(Val::Own(self.draw_one(&choice, word, root)?));
        }
        Ok(out)
    }

    /// Draws each row independently and rejects a value that repeats a row above. `others`: the columns that must differ from this
    /// one within a row.
    pub(super) fn fill_new(
        mut self,
        id: ColumnId,
        mut new: Tuples<'a>,
        others: &[ColumnId],
        mut out: Column,
    ) -> Res<Column> {
        let (eval, draw, table, place) = (self.eval, self.draw, self.table, self.place);
        let counting = self.choose_counting();
        let choose = |eval: Eval<'a>| match tuples::find_joint_columns(draw) {
            Some(_) => Choice::new_for_rows(eval, draw, counting),
            None => Choice::new(eval, draw, counting),
        };
        let by_row = choice::is_drawn_by_row(draw);
        let shared = if by_row || table.rows == 0 { None } else { Some(choose(eval)?) };
        for row in 0..table.rows {
            let word = self.stream.next();
            if self.draw_blank() {
                out.push_null();
                continue;
            }
            let own;
            let choice = match &shared {
                Some(shared) => shared,
                None => {
                    own = choose(eval.with_row(table, row))?;
                    &own
                }
            };
            // The values of the statement's other columns, as drawn or as they will be unless they are rejected: those avoid this one.
            let mut differ: Vec<Value> = Vec::new();
            for other in 0..self.of {
                if self.of > 1 && other != place {
                    differ.push(draw_distinct_value(choice, self.stream.derive_child(word), other)?);
                }
            }
            let made = others.iter().filter_map(|id| table.columns.get(*id)).filter(|column| row < column.len());
            differ.extend(made.map(|column| column.get(row).into_value()));
            let first = self.draw_one(choice, word, row as u64)?;
            let fits = |value: &Value| new.is_new(row, value) && !differ.iter().any(|other| other.is_same(value));
            let value = if fits(&first) {
                first
            } else {
                let words = self.stream.derive_child(word.wrapping_add(1 + u64::from(place)));
                new_value(choice, words, row as u64, fits).or_else(|_| new.fail_exhausted(id, row))?
            };
            new.record_value(row, &value);
            out.push_value(new.resolve_cell(id, &value));
        }
        Ok(out)
    }

    /// Draws the values of `unique` where the domain cannot be permuted, from one choice or one for each row, and rejects those seen before.
    fn fill_with_rejection(&mut self, shared: Option<&Choice<'a>>, mut out: Column) -> Res<Column> {
        let (eval, draw, table, counting) = (self.eval, self.draw, self.table, self.choose_counting());
        let mut seen = HashSet::new();
        for row in 0..table.rows {
            let (word, blank, root) = self.next_row(row);
            if blank {
                out.push_null();
                continue;
            }
            let own;
            let choice = match shared {
                Some(choice) => choice,
                None => {
                    own = Choice::new(eval.with_row(table, row), draw, counting)?;
                    &own
                }
            };
            // Columns of one statement share the words, not the values.
            let words = self.stream.derive_child(word.wrapping_add(u64::from(self.place)));
            let value = new_value(choice, words, root, |value| !seen.contains(value.render_text().as_ref()))?;
            seen.insert(value.render_text().into_owned());
            out.push_value(Val::Own(value));
        }
        Ok(out)
    }
}
