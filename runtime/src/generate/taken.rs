//! Rows that a relation takes from another one: those that a file is written from.

use plan::ValueType;
use plan::suite::{ColumnId, Expr, Relation, RelationId, Rows};

use super::cell::{Cell, Table};
use super::column::Column;
use super::eval::{Eval, OrSpan, Res, no_result};

/// Which rows of the other relation are taken, in its order.
pub(crate) fn rows<'a>(
    cell: &'a Cell<'a>,
    relation: &Relation,
    from: RelationId,
    filter: Option<&'a Expr>,
) -> Res<Vec<u32>> {
    let eval = Eval::new(cell);
    let table = eval.table(from)?;
    let mut taken = Vec::with_capacity(table.rows);
    for row in 0..table.rows {
        if eval.passes(filter, table, row).or_span(relation.span)? {
            taken.push(row as u32);
        }
    }
    Ok(taken)
}

/// The cells of a column of the other relation, in the rows that are taken.
pub(crate) fn column<'a>(
    cell: &'a Cell<'a>,
    relation: &Relation,
    column: ColumnId,
    value_type: ValueType,
    table: &Table,
) -> Res<Column> {
    let Rows::Taken { from, .. } = &relation.rows else {
        return no_result("a column is taken from a relation that takes no rows");
    };
    let Some(cells) = Eval::new(cell).table(*from)?.columns.get(column) else {
        return no_result("a column is taken that the other relation does not have");
    };
    let mut out = Column::new(value_type, table.rows);
    table.origins.iter().for_each(|row| out.push(cells.get(*row as usize)));
    Ok(out)
}
