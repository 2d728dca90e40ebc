//! Parquet files: a relation as typed columns, without helpers.

use model::suite::Relation;
use tables::write::{ParquetRefusal, write_parquet};

use super::failures::{OrSpan, Res, fail_computation, fail_with_help};
use super::table::Table;
use crate::failure::FailureKind;

/// Writes the rows of a relation.
pub(crate) fn write_table(relation: &Relation, table: &Table) -> Res<Vec<u8>> {
    let columns: Vec<_> =
        relation.iter_written_columns().filter_map(|(id, column)| Some((column, table.columns.get(id)?))).collect();
    let types: Vec<_> =
        columns.iter().map(|(declared, _)| (declared.name.clone(), declared.cells.value_type)).collect();
    let cell = |row: usize, at: usize| columns.get(at).map_or(model::Val::NULL, |(_, column)| column.get(row));
    let (message, at, help) = match write_parquet(&types, table.rows, cell) {
        Ok(bytes) => return Ok(bytes),
        Err(ParquetRefusal::Duration(at)) => {
            ("a duration has no type in Parquet".to_owned(), Some(at), "write `seconds(…)` of it")
        }
        Err(ParquetRefusal::Mixed(row, at)) => {
            let value = cell(row, at);
            let message = format!("row {}: {} does not fit the type of its column", row + 1, value.render_text());
            (message, Some(at), "use smaller numbers, or fewer decimal places")
        }
        Err(ParquetRefusal::Failed(why)) => {
            return fail_computation(format!("the Parquet file cannot be written: {why}")).or_span(relation.span);
        }
    };
    let declared = at.and_then(|at| columns.get(at)).map(|(declared, _)| declared);
    let name = declared.map_or("", |declared| declared.name.as_str());
    fail_with_help(FailureKind::FailedComputation, format!("column `{name}`: {message}"), help)
        .or_span(declared.map_or(relation.span, |declared| declared.span))
}
