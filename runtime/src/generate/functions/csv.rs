//! Cells by position, from 1, the header apart.

use model::suite::{Column, ColumnId, ColumnSource, Relation};
use model::{Val, Value};

use super::args::{Args, Rows};
use crate::generate::eval::{Res, no_result};

/// The columns that are written.
fn written<'a>(args: Args<'a>, rows: Rows<'_>) -> Vec<(ColumnId, &'a Column)> {
    let relation = args.eval.cell.task.relations.get(rows.relation);
    relation.into_iter().flat_map(Relation::written).collect()
}

/// The `position`-th (from 1) row that meets the filter, from 0.
fn row_at(args: Args<'_>, rows: Rows<'_>, position: i64) -> Res<usize> {
    if rows.filter.is_none() {
        return args.position(position, rows.table.rows, "row");
    }
    let mut left = Vec::new();
    rows.each(args.eval, |row| {
        left.push(row);
        Ok(())
    })?;
    let at = args.position(position, left.len(), "row")?;
    left.get(at).copied().map_or_else(|| no_result("the row does not exist"), Ok)
}

fn rows_of(args: Args<'_>) -> Res<Rows<'_>> {
    match args.rows(0)? {
        Some(rows) => Ok(rows),
        None => args.misfit("a relation"),
    }
}

/// A cell as text: of a fixture as the file has it, else as its value is written.
fn text(rows: Rows<'_>, (column, declared): (ColumnId, &Column), row: usize) -> String {
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

/// `csv_cell(table, row, column)`: as written.
pub(super) fn cell(args: Args<'_>) -> Res<Val<'_>> {
    let rows = rows_of(args)?;
    let row = row_at(args, rows, args.int(1)?)?;
    let columns = written(args, rows);
    let column = args.position(args.int(2)?, columns.len(), "column")?;
    Ok(columns.get(column).map_or(Val::NULL, |column| Val::text(text(rows, *column, row))))
}

/// `csv_row(table, row)`: its cells as written.
pub(super) fn row(args: Args<'_>) -> Res<Val<'_>> {
    let rows = rows_of(args)?;
    let row = row_at(args, rows, args.int(1)?)?;
    let cells = written(args, rows).into_iter().map(|column| Value::Text(text(rows, column, row)));
    Ok(Val::Own(Value::List(cells.collect())))
}

/// `csv_value(table.column, row)`
pub(super) fn value(args: Args<'_>) -> Res<Val<'_>> {
    let rows = rows_of(args)?;
    let row = row_at(args, rows, args.int(1)?)?;
    Ok(rows.get(row))
}
