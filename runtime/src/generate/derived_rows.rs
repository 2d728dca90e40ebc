//! Rows that a relation takes from another one, such as the rows that are written to a file.

use model::ValueType;
use model::suite::{ColumnId, Expr, OrderBy, Relation, RelationId, Rows};

use super::cell::InstanceDraft;
use super::column::Column;
use super::context::Eval;
use super::failures::{OrSpan, Res, fail_computation};
use super::table::Table;

/// Selects the rows of the other relation, in its order.
pub(crate) fn select_rows<'a>(
    cell: &'a InstanceDraft<'a>,
    relation: &Relation,
    from: RelationId,
    filter: Option<&'a Expr>,
) -> Res<Vec<u32>> {
    let eval = Eval::new(cell);
    let matches = eval.list_matches(filter, eval.find_table(from)?);
    matches.map(|row| row.map(|row| row as u32)).collect::<Res<_>>().or_span(relation.span)
}

/// Copies the cells of a column of the other relation in the selected rows.
pub(crate) fn gather_column<'a>(
    cell: &'a InstanceDraft<'a>,
    relation: &Relation,
    column: ColumnId,
    value_type: ValueType,
    table: &Table,
) -> Res<Column> {
    let Rows::Taken { from, .. } = &relation.rows else {
        return fail_computation("a column is taken from a relation that takes no rows");
    };
    let Some(cells) = Eval::new(cell).find_table(*from)?.columns.get(column) else {
        return fail_computation("a column is taken that the other relation does not have");
    };
    let mut out = Column::new(value_type, 0);
    if cells.is_like(&out) {
        return Ok(cells.gather_rows(&table.origins));
    }
    table.origins.iter().for_each(|row| out.push_value(cells.get(*row as usize)));
    Ok(out)
}

/// The row numbers from which random keys are derived.
pub(crate) struct Roots {
    /// For each row, its number in the relation at the root: if rows are taken from taken rows, in the first relation of that chain, in the order in
    /// which its rows were drawn, even if they were reordered.
    pub rows: Vec<u32>,
    /// Number of rows of the relation at the root.
    pub all: usize,
}

/// Finds the rows of the relation at the root from which the rows of a table come.
pub(crate) fn resolve_roots<'a>(cell: &'a InstanceDraft<'a>, relation: &'a Relation, table: &'a Table) -> Res<Roots> {
    let eval = Eval::new(cell);
    let mut rows: Vec<u32> =
        if table.origins.is_empty() { (0..table.rows as u32).collect() } else { table.origins.clone() };
    let (mut relation, mut all) = (relation, table.rows);
    while let Rows::Taken { from, .. } = &relation.rows {
        let table = eval.find_table(*from)?;
        let next = cell.find_relation(*from)?;
        if !table.origins.is_empty() {
            rows.iter_mut().for_each(|row| *row = table.origins.get(*row as usize).copied().unwrap_or_default());
        }
        (relation, all) = (next, table.rows);
    }
    Ok(Roots { rows, all })
}

/// Sorts the rows of a table by a column: ascending with nulls first, or descending with nulls last. Equal rows keep their order.
pub(crate) fn sort_table(relation: &Relation, table: Table, by: OrderBy) -> Res<Table> {
    let Some(column) = table.columns.get(by.column) else {
        return fail_computation(format!("`{}` is ordered by a column that it does not have", relation.name));
    };
    if !table.starts.is_empty() {
        return fail_computation(format!("the rows of `{}` belong to other rows, and have their order", relation.name));
    }
    let order = column.compute_sort_order(by.descending);
    let as_they_are = (0..).zip(&order).all(|(at, row): (u32, _)| at == *row);
    let origins = match table.origins.as_slice() {
        [] => order.clone(),
        origins => order.iter().filter_map(|row| origins.get(*row as usize).copied()).collect(),
    };
    let columns = match as_they_are {
        true => table.columns,
        false => table.columns.iter().map(|column| column.gather_rows(&order).into()).collect(),
    };
    Ok(Table { origins, ..Table::new(table.rows, columns) })
}
