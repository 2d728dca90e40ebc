//! Cells by position from 1, not counting the header.

use model::suite::{Column, ColumnId, ColumnSource, Relation};
use model::{Val, Value};

use super::args::{Args, Rows};
use crate::generate::failures::{Res, fail_computation};

/// Returns the columns that are written.
fn list_written_columns<'a>(args: Args<'a>, rows: Rows<'_>) -> Vec<(ColumnId, &'a Column)> {
    let relation = args.eval.cell.task.relations.get(rows.relation);
    relation.into_iter().flat_map(Relation::iter_written_columns).collect()
}

/// Returns the index (from 0) of the `position`-th row (from 1) that passes the filter.
fn resolve_row(args: Args<'_>, rows: Rows<'_>, position: i64) -> Res<usize> {
    if rows.filter.is_none() {
        return args.resolve_position(position, rows.table.rows, "row");
    }
    let left = args.eval.list_matches(rows.filter, rows.table).collect::<Res<Vec<usize>>>()?;
    let at = args.resolve_position(position, left.len(), "row")?;
    left.get(at).copied().map_or_else(|| fail_computation("the row does not exist"), Ok)
}

fn require_rows(args: Args<'_>) -> Res<Rows<'_>> {
    args.resolve_rows(0)?.map_or_else(|| args.reject_arg("a relation"), Ok)
}

/// Renders a cell: a fixture's as in its file, any other by its value.
fn render_cell(rows: Rows<'_>, (column, declared): (ColumnId, &Column), row: usize) -> String {
    if let ColumnSource::Given(given) = &declared.source
        && let Some(text) = given.as_written(row)
    {
        return text.to_owned();
    }
    let mut out = String::new();
    if let Some(column) = rows.table.columns.get(column) {
        column.render_into(row, &mut out);
    }
    out
}

/// `csv_cell(table, row, column)`: the cell as written.
pub(super) fn read_cell(args: Args<'_>) -> Res<Val<'_>> {
    let rows = require_rows(args)?;
    let row = resolve_row(args, rows, args.evaluate_int(1)?)?;
    let columns = list_written_columns(args, rows);
    let column = args.resolve_position(args.evaluate_int(2)?, columns.len(), "column")?;
    Ok(columns.get(column).map_or(Val::NULL, |column| Val::from_text(render_cell(rows, *column, row))))
}

/// `csv_row(table, row)`: the row's cells as written.
pub(super) fn read_row(args: Args<'_>) -> Res<Val<'_>> {
    let rows = require_rows(args)?;
    let row = resolve_row(args, rows, args.evaluate_int(1)?)?;
    let cells = list_written_columns(args, rows).into_iter().map(|column| Value::Text(render_cell(rows, column, row)));
    Ok(Val::Own(Value::List(cells.collect())))
}

/// `csv_value(table.column, row)`
pub(super) fn read_value(args: Args<'_>) -> Res<Val<'_>> {
    let rows = require_rows(args)?;
    let row = resolve_row(args, rows, args.evaluate_int(1)?)?;
    Ok(rows.read_cell(row))
}
