//! Rows that a relation takes from another one: those that a file is written from.

use model::ValueType;
use model::suite::{ColumnId, Expr, OrderBy, Relation, RelationId, Rows};

use super::cell::{InstanceDraft, Table};
use super::column::Column;
use super::eval::{Eval, OrSpan, Res, fail_computation};

/// Which rows of the other relation are taken, in its order.
pub(crate) fn select_rows<'a>(
    cell: &'a InstanceDraft<'a>,
    relation: &Relation,
    from: RelationId,
    filter: Option<&'a Expr>,
) -> Res<Vec<u32>> {
    let eval = Eval::new(cell);
    let table = eval.find_table(from)?;
    let mut taken = Vec::with_capacity(table.rows);
    for row in 0..table.rows {
        if eval.is_match(filter, table, row).or_span(relation.span)? {
            taken.push(row as u32);
        }
    }
    Ok(taken)
}

/// The cells of a column of the other relation, in the rows that are taken.
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

/// What random keys know rows by.
pub(crate) struct Roots {
    /// Of each row, which row of the relation at the root it is: where rows are taken from rows that are taken, the first one; as they were drawn, whatever
    /// order they are in now.
    pub rows: Vec<u32>,
    /// How many rows the relation at the root has.
    pub all: usize,
}

/// Which rows of the relation at the root the rows of a table are.
pub(crate) fn resolve_roots<'a>(cell: &'a InstanceDraft<'a>, relation: &'a Relation, table: &'a Table) -> Res<Roots> {
    let eval = Eval::new(cell);
    let mut rows: Vec<u32> =
        if table.origins.is_empty() { (0..table.rows as u32).collect() } else { table.origins.clone() };
    let (mut relation, mut all) = (relation, table.rows);
    while let Rows::Taken { from, .. } = &relation.rows {
        let table = eval.find_table(*from)?;
        let Some(next) = cell.task.relations.get(*from) else { return fail_computation("a relation is not declared") };
        if !table.origins.is_empty() {
            rows.iter_mut().for_each(|row| *row = table.origins.get(*row as usize).copied().unwrap_or_default());
        }
        (relation, all) = (next, table.rows);
    }
    Ok(Roots { rows, all })
}

/// The table with its rows in another order: nulls first, rows that are equal as they are.
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
    Ok(Table { rows: table.rows, starts: Vec::new(), origins, columns })
}
