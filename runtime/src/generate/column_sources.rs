//! Makes the columns of tables, each from its source: given, read, taken, computed, or drawn.

use model::suite::{ColumnId, ColumnSource, DomainExpr, Expr, Relation, Rows};
use model::{TiVec, Val, Value, ValueType};

use super::cell::InstanceDraft;
use super::choice;
use super::column::{Column, Data, SharedColumn};
use super::column_draws::Drawing;
use super::context::Eval;
use super::derived_rows::{self, Roots};
use super::draw::Blanks;
use super::failures::{OrSpan, Res, fail};
use super::fixture_content;
use super::permutation::Permutation;
use super::rows;
use super::size;
use super::streams::Stream;
use super::table::Table;
use super::tuples::{self, Tuples};
use crate::failure::FailureKind;

/// Makes a column of a table whose earlier columns are made, or shares an equal column that exists.
pub(crate) fn make_column<'a>(
    cell: &'a InstanceDraft<'a>,
    relation: &'a Relation,
    id: ColumnId,
    table: &'a Table,
) -> Res<SharedColumn> {
    match find_shared_column(cell, relation, id, table) {
        Some(made) => Ok(made),
        None => build_column(cell, relation, id, table).map(SharedColumn::from),
    }
}

/// A column that has the cells of another one.
fn find_shared_column<'a>(
    cell: &'a InstanceDraft<'a>,
    relation: &'a Relation,
    id: ColumnId,
    table: &'a Table,
) -> Option<SharedColumn> {
    let declared = relation.columns.get(id)?;
    let cells = match (&declared.source, &relation.rows) {
        (ColumnSource::Taken(column), Rows::Taken { from, .. }) => {
            let as_they_are = (0..).zip(&table.origins).all(|(row, origin): (u32, _)| row == *origin);
            Eval::new(cell).find_table(*from).ok()?.columns.get(*column).filter(|_| as_they_are)?
        }
        (ColumnSource::Compute(Expr::Column(other)), _) if relation.constraints.is_empty() => {
            table.columns.get(*other)?
        }
        _ => return None,
    };
    let same = cells.len() == table.rows && cells.is_like(&Column::new(declared.cells.value_type, 0));
    same.then(|| SharedColumn::clone(cells))
}

/// Makes a column of a table whose earlier columns are made.
fn build_column<'a>(
    cell: &'a InstanceDraft<'a>,
    relation: &'a Relation,
    id: ColumnId,
    table: &'a Table,
) -> Res<Column> {
    let Some(declared) = relation.columns.get(id) else { return Ok(Column::new(ValueType::Text, 0)) };
    let eval = Eval::new(cell);
    let out = Column::new(declared.cells.value_type, table.rows);
    match &declared.source {
        ColumnSource::Given(given) => {
            fixture_content::build_column(relation, declared.cells.value_type, given, table.rows).or_span(declared.span)
        }
        ColumnSource::Result(position) => {
            rows::read_result_column(cell, relation, *position, declared.cells.value_type).or_span(declared.span)
        }
        ColumnSource::Taken(column) => {
            derived_rows::gather_column(cell, relation, *column, declared.cells.value_type, table)
                .or_span(declared.span)
        }
        ColumnSource::Compute(expr) => {
            let made = compute_column(eval, expr, table, out).or_span(declared.span)?;
            tuples::check_computed_column(relation, id, &made, table)?;
            Ok(made)
        }
        ColumnSource::Draw { draw, group, place, of } => {
            // Cells of one row are null together, and drawn with the same words.
            let together = tuples::find_joint_columns(draw).is_some();
            let own = if together { group } else { &declared.name };
            // A column without others is its own group.
            let key = if *of > 1 { group } else { own };
            let place = if together { 0 } else { *place };
            let start = || -> Res<Drawing<'a>> {
                let stream = cell.keys.derive_stream(&[&relation.name, key]);
                let blanks = Blanks::try_new(cell, draw, &[&relation.name, own])?;
                Ok(Drawing { eval, draw, table, stream, blanks, place, of: *of, roots: None })
            };
            let drawing = start()?;
            let roots = match relation.rows {
                Rows::Taken { .. } => Some(derived_rows::resolve_roots(cell, relation, table)?),
                _ => None,
            };
            let sort = |drawn: Column| if draw.sorted { drawn.to_sorted() } else { drawn };
            if let DomainExpr::Exactly(count) = &draw.domain {
                let stream = cell.keys.derive_stream(&[&relation.name, &declared.name, "exactly"]);
                return draw_exact_count(drawing, (count, stream), roots, out).or_span(draw.span).map(sort);
            }
            if let Some(roots) = roots {
                return draw_taken_column(drawing, roots, out).or_span(draw.span);
            }
            let others = if *of > 1 { list_distinct_columns(relation, group, id) } else { Vec::new() };
            let drawn = match Tuples::try_new(eval, relation, id, draw, table)? {
                None => drawing.fill_column(out),
                Some(new) => drawing.fill_new(id, new, &others, out),
            };
            let drawn = drawn.or_span(draw.span)?;
            let drawn = match Tuples::with_room(eval, relation, id, draw, table, &drawn)? {
                // The values drawn first leave a later column without one: the same once more, and what leaves it none is thrown back.
                Some(new) => start()?.fill_new(id, new, &others, drawn.to_empty()).or_span(draw.span)?,
                None => drawn,
            };
            Ok(sort(drawn))
        }
    }
}

/// Makes a column of a relation whose rows are taken: each row is drawn with the word of its row at the root, and neither a filter nor an order changes a cell.
fn draw_taken_column(drawing: Drawing<'_>, roots: Roots, out: Column) -> Res<Column> {
    let sorted = drawing.draw.sorted;
    let sort = |drawn: Column| if sorted { drawn.to_sorted() } else { drawn };
    if choice::is_drawn_by_row(drawing.draw) {
        return drawing.with_roots(roots).fill_column(out).map(sort);
    }
    let all = Table::new(roots.all, TiVec::new());
    let drawn = Drawing { table: &all, ..drawing }.fill_column(out)?;
    Ok(sort(drawn).gather_rows(&roots.rows))
}

/// Makes a column that is true in a number of rows: those that a permutation of the rows puts first. Rows that are taken keep their place in the permutation
/// of all rows at the root: a filter changes as few cells as possible.
fn draw_exact_count<'a>(
    drawing: Drawing<'a>,
    (count, mut stream): (&'a Expr, Stream),
    roots: Option<Roots>,
    mut out: Column,
) -> Res<Column> {
    let rows = drawing.table.rows;
    let asked = drawing.eval.evaluate_int(count)?;
    let Some(wanted) = usize::try_from(asked).ok().filter(|wanted| *wanted <= rows) else {
        let what = if asked < 0 { "a number of rows is 0 or more".to_owned() } else { format!("the table has {rows}") };
        return fail(FailureKind::ExhaustedDomain, format!("`exactly {asked}` needs {asked} rows, but {what}"));
    };
    let all = roots.as_ref().map_or(rows, |roots| roots.all).max(1) as u64;
    let word = stream.next();
    let permutation = Permutation::new(stream.derive_child(word), all.into(), all);
    let place = |row: usize| {
        let root = roots.as_ref().and_then(|roots| roots.rows.get(row).copied()).map_or(row as u64, u64::from);
        permutation.map_position(root)
    };
    let mut order: Vec<(u64, usize)> = (0..rows).map(|row| (place(row), row)).collect();
    order.sort_unstable();
    let mut cells = vec![false; rows];
    order.into_iter().take(wanted).for_each(|(_, row)| cells[row] = true);
    cells.into_iter().for_each(|cell| out.push_value(Val::Own(Value::Bool(cell))));
    Ok(out)
}

/// Lists the other columns of a `distinct` statement.
fn list_distinct_columns(relation: &Relation, group: &str, id: ColumnId) -> Vec<ColumnId> {
    let all = relation.columns.iter_enumerated();
    let others = all.filter(|(other, column)| {
        *other != id && matches!(&column.source, ColumnSource::Draw { group: own, of, .. } if *of > 1 && own == group)
    });
    others.map(|(other, _)| other).collect()
}

fn compute_column<'a>(eval: Eval<'a>, expr: &'a Expr, table: &'a Table, mut out: Column) -> Res<Column> {
    for row in 0..table.rows {
        let at = eval.with_row(table, row);
        match (expr, out.data_mut()) {
            (Expr::Concat(_), Data::Text { buf, ends }) => {
                at.render_into(expr, buf)?;
                ends.push(buf.len());
            }
            _ => out.push_value(at.evaluate(expr)?),
        }
        size::check_column_size(&out)?;
    }
    Ok(out)
}
