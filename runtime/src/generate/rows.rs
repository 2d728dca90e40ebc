//! Determines the number of rows of a relation, and their assignment to rows of the enclosing relation.

use std::sync::Arc;

use model::lines::split_lines;
use model::suite::{Expr, FileId, NameId, Relation, RelationId, Rows};
use model::value::RowSet;
use model::{TiVec, Val, Value, ValueType};

use super::cell::InstanceDraft;
use super::column::Column;
use super::context::Eval;
use super::failures::{OrSpan, Res, fail, fail_computation};
use super::sqlite::ViewRows;
use super::table::Table;
use super::{derived_rows, streams};
use crate::failure::FailureKind;

/// Counts the rows of a relation; returns its table without columns.
pub(crate) fn count_rows<'a>(cell: &'a InstanceDraft<'a>, relation: &'a Relation) -> Res<Table> {
    let alone = |rows| Table::new(rows, TiVec::new());
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
            check_row_count(relation, split_lines(text).count() as i128).map(alone)
        }
        Rows::View(file) => {
            let rows = read_view(cell, relation, *file).or_span(relation.span)?;
            check_row_count(relation, rows.len() as i128).map(alone)
        }
        Rows::Given(rows) => Ok(alone(*rows as usize)),
        Rows::Taken { from, filter } => {
            let origins = derived_rows::select_rows(cell, relation, *from, filter.as_ref())?;
            Ok(Table { rows: origins.len(), origins, ..alone(0) })
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
) -> Res<Table> {
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
    Ok(Table { starts, ..Table::new(rows, TiVec::new()) })
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
    let view;
    let (what, rows) = match &relation.rows {
        Rows::Query(name) => ("result set", &find_result_set(cell, *name)?.rows),
        Rows::View(file) => {
            view = read_view(cell, relation, *file)?;
            ("view", &*view)
        }
        Rows::Lines(file) => {
            let mut out = Column::new(value_type, 0);
            split_lines(read_file_text(cell, *file)?).for_each(|line| out.push_value(Val::from_text(line)));
            return Ok(out);
        }
        _ => return fail_computation("a column of a result set is in a relation that is not a result set"),
    };
    let mut out = Column::new(value_type, rows.len());
    for row in rows {
        match row.get(position as usize) {
            Some(value) => out.push_value(Val::Ref(value)),
            None => return fail_computation(format!("the {what} has no column {}", position + 1)),
        }
    }
    Ok(out)
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
    let Some(database) = cell.find_database(file) else {
        return fail_computation("a view is read before its database is made");
    };
    let columns = relation.columns.iter().map(|column| Some(column.cells.value_type)).collect();
    database.read_view(&relation.table, columns, relation.span)
}

fn read_file_text<'a>(cell: &'a InstanceDraft<'a>, file: FileId) -> Res<&'a str> {
    let rendered = Eval::new(cell).find_file(file)?;
    let missing = || fail_computation(format!("`{}` does not have lines: it is not text", rendered.path));
    rendered.text().map_or_else(missing, Ok)
}
