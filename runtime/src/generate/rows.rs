//! Determines the number of rows of a relation, and their assignment to rows of the enclosing relation.

use std::sync::Arc;

use model::suite::{Expr, FileId, NameId, Relation, RelationId, Rows};
use model::value::RowSet;
use model::{Val, Value, ValueType};

use super::cell::{InstanceDraft, Rendered};
use super::column::Column;
use super::eval::{Eval, OrSpan, Res, fail, fail_computation};
use super::functions;
use super::sqlite::ViewRows;
use super::{derived_rows, streams};
use crate::failure::FailureKind;

/// The rows of a relation, before any column is made.
pub(crate) struct Counted {
    /// Total number of rows.
    pub rows: usize,
    /// See [`super::cell::Table::starts`].
    pub starts: Vec<usize>,
    /// See [`super::cell::Table::origins`].
    pub origins: Vec<u32>,
}

/// Counts the rows of a relation.
pub(crate) fn count_rows<'a>(cell: &'a InstanceDraft<'a>, relation: &'a Relation) -> Res<Counted> {
    let alone = |rows| Counted { rows, starts: Vec::new(), origins: Vec::new() };
    match &relation.rows {
        Rows::Count(low, high) => {
            let (least, most) = evaluate_bounds(cell, relation, low, high)?;
            let word = if least == most { 0 } else { cell.keys.derive_row_stream(&relation.name).next() };
            check_row_count(relation, draw_between(word, least, most)).map(alone)
        }
        Rows::PerRow { parent, low, high } => count_per_row(cell, relation, *parent, low, high),
        Rows::Query(name) => find_result_set(cell, *name).map(|set| alone(set.rows.len())).or_span(relation.span),
        Rows::Lines(file) => {
            let text = read_file_text(cell, *file).or_span(relation.span)?;
            check_row_count(relation, functions::split_lines(text).count() as i128).map(alone)
        }
        Rows::View(file) => {
            let rows = read_view(cell, relation, *file).or_span(relation.span)?;
            check_row_count(relation, rows.len() as i128).map(alone)
        }
        Rows::Given(rows) => Ok(alone(*rows as usize)),
        Rows::Taken { from, filter } => {
            let origins = derived_rows::select_rows(cell, relation, *from, filter.as_ref())?;
            Ok(Counted { rows: origins.len(), starts: Vec::new(), origins })
        }
    }
}

/// Counts nested rows: the r-th word of the relation's own stream decides the number of rows of the parent's row r.
fn count_per_row<'a>(
    cell: &'a InstanceDraft<'a>,
    relation: &'a Relation,
    parent: RelationId,
    low: &'a Expr,
    high: &'a Expr,
) -> Res<Counted> {
    let parents = Eval::new(cell).find_table(parent)?.rows;
    let (least, most) = evaluate_bounds(cell, relation, low, high)?;
    let mut words = cell.keys.derive_row_stream(&relation.name);
    let mut starts = Vec::with_capacity(parents + 1);
    let mut rows = 0;
    starts.push(rows);
    for _ in 0..parents {
        let word = if least == most { 0 } else { words.next() };
        rows = check_row_count(relation, rows as i128 + draw_between(word, least, most))?;
        starts.push(rows);
    }
    Ok(Counted { rows, starts, origins: Vec::new() })
}

/// Evaluates the minimum and the maximum, and checks their order.
fn evaluate_bounds<'a>(
    cell: &'a InstanceDraft<'a>,
    relation: &Relation,
    low: &'a Expr,
    high: &'a Expr,
) -> Res<(i64, i64)> {
    let eval = Eval::new(cell);
    let (least, most) = (eval.evaluate_int(low)?, eval.evaluate_int(high)?);
    if least > most {
        let message = format!("`{}` has no number of rows in {least}..{most}", relation.name);
        return fail(FailureKind::ExhaustedDomain, message).or_span(relation.span);
    }
    if least < 0 {
        let message = format!("`{}` cannot have {least} rows", relation.name);
        return fail(FailureKind::FailedComputation, message).or_span(relation.span);
    }
    Ok((least, most))
}

fn draw_between(word: u64, least: i64, most: i64) -> i128 {
    let choices = (i128::from(most) - i128::from(least)) as u128 + 1;
    i128::from(least) + i128::from(streams::to_index(word, choices))
}

/// Checks that the number of rows fits into 32 bits, the size of references to rows.
fn check_row_count(relation: &Relation, count: i128) -> Res<usize> {
    match u32::try_from(count) {
        Ok(count) => Ok(count as usize),
        Err(_) => {
            let message = format!("`{}` cannot have {count} rows", relation.name);
            fail(FailureKind::FailedComputation, message).or_span(relation.span)
        }
    }
}

/// Reads a column that exists already: of a result set, or of the lines of a text.
pub(crate) fn read_result_column<'a>(
    cell: &'a InstanceDraft<'a>,
    relation: &Relation,
    position: u32,
    value_type: ValueType,
) -> Res<Column> {
    match &relation.rows {
        Rows::Query(name) => {
            let set = find_result_set(cell, *name)?;
            let mut out = Column::new(value_type, set.rows.len());
            for row in &set.rows {
                match row.get(position as usize) {
                    Some(value) => out.push_value(Val::Ref(value)),
                    None => return fail_computation(format!("the result set has no column {}", position + 1)),
                }
            }
            Ok(out)
        }
        Rows::Lines(file) => {
            let mut out = Column::new(value_type, 0);
            functions::split_lines(read_file_text(cell, *file)?).for_each(|line| out.push_value(Val::from_text(line)));
            Ok(out)
        }
        Rows::View(file) => {
            let rows = read_view(cell, relation, *file)?;
            let mut out = Column::new(value_type, rows.len());
            for row in rows.iter() {
                match row.get(position as usize) {
                    Some(value) => out.push_value(Val::Ref(value)),
                    None => return fail_computation(format!("the view has no column {}", position + 1)),
                }
            }
            Ok(out)
        }
        _ => fail_computation("a column of a result set is in a relation that is not a result set"),
    }
}

fn find_result_set<'a>(cell: &'a InstanceDraft<'a>, name: NameId) -> Res<&'a RowSet> {
    match cell.names.get(name) {
        Some(Value::Rows(set)) => Ok(set),
        Some(other) => fail_computation(format!("a result set is needed here, not {}", other.kind())),
        None => fail_computation("a name is not declared"),
    }
}

/// Runs a view in the written database and returns its rows.
fn read_view<'a>(cell: &'a InstanceDraft<'a>, relation: &Relation, file: FileId) -> Res<Arc<ViewRows>> {
    let Some(database) = cell.files.get(file).and_then(Option::as_deref).and_then(Rendered::database) else {
        return fail_computation("a view is read before its database is made");
    };
    let columns = relation.columns.iter().map(|column| Some(column.cells.value_type)).collect();
    database.read_view(&relation.table, columns, relation.span)
}

fn read_file_text<'a>(cell: &'a InstanceDraft<'a>, file: FileId) -> Res<&'a str> {
    match cell.files.get(file) {
        Some(Some(rendered)) => match rendered.text() {
            Some(text) => Ok(text),
            None => fail_computation(format!("`{}` does not have lines: it is not text", rendered.path)),
        },
        _ => fail_computation("a file is read before it is made"),
    }
}
