//! Checks the paths of file groups: values of rows that are only in the path must be readable from it.

use std::collections::BTreeSet;

use model::suite::{ColumnId, ColumnSource, Expr, Relation};
use model::value::Value;
use tables::{CellType, Line, Piece, Reading};

use super::context::Eval;
use super::dirt::to_cell_type;
use super::eval::collect_row_columns;
use super::failures::{OrSpan, Res, fail_with_help};
use super::table_file::{Group, Part, TableFile};
use crate::failure::FailureKind;

/// Checks whether the values in the paths of these files can be read back by anyone who knows the form of the path.
pub(crate) fn check_path_columns(of: TableFile<'_>, groups: &[Group<'_>]) -> Res<()> {
    let pieces = of.file.path_parts();
    let Some(first) = groups.first() else { return Ok(()) };
    let column = |part: &Part<'_>| {
        if let Part::Column(id) = part { Some(resolve_copied_column(of.relation, *id)) } else { None }
    };
    let in_file: BTreeSet<ColumnId> = first.parts.iter().filter_map(column).collect();
    // A value that was already read is known where it occurs again.
    let is_open = |at: usize, piece: &Expr| {
        let columns = collect_row_columns(piece);
        !columns.iter().all(|id| in_file.contains(&resolve_copied_column(of.relation, *id)))
            && !pieces.iter().take(at).any(|earlier| earlier == piece)
    };
    let open: Vec<bool> = pieces.iter().enumerate().map(|(at, piece)| is_open(at, piece)).collect();
    // If all values except one are known, the rest of the path is the unknown one.
    if open.iter().filter(|open| **open).count() < 2 {
        return Ok(());
    }
    for group in groups {
        let row = group.rows.first().copied().unwrap_or_default() as usize;
        let eval = Eval::new(of.cell).with_row(of.table, row);
        let values = pieces.iter().map(|piece| Ok(eval.evaluate(piece)?.into_value())).collect::<Res<Vec<Value>>>();
        if !is_told(&values.or_span(of.file.span)?, &open) {
            let message = format!("the path {:?} of `{}` can be taken apart in other ways", group.path, of.file.name);
            let help = "separate its parts with a text that none of them has, or write them in columns of the file too";
            return fail_with_help(FailureKind::NotRecoverable, message, help).or_span(of.file.span);
        }
    }
    Ok(())
}

/// Checks whether the open parts of a path can be read from it exactly.
fn is_told(values: &[Value], open: &[bool]) -> bool {
    let (mut parts, mut readings, mut clean, mut path) = (Vec::new(), Vec::new(), Vec::new(), String::new());
    for (value, open) in values.iter().zip(open) {
        let text = value.render_text();
        path.push_str(&text);
        if *open {
            let ty = value.value_type().map_or(CellType::Text, to_cell_type);
            parts.push(Piece::Column(readings.len(), ty));
            readings.push(Reading::from_type(ty));
            clean.push(text);
        } else if !text.is_empty() {
            parts.push(Piece::Text(text.into_owned()));
        }
    }
    let Ok(line) = Line::new(&parts) else { return false };
    let Ok(Some(cells)) = line.read_surely(&path, |column| readings.get(column)) else { return false };
    cells.iter().all(|(column, cell)| clean.get(*column).is_some_and(|clean| clean == cell))
}

/// Returns the column whose cells a column contains: itself, or another one of its row.
fn resolve_copied_column(relation: &Relation, id: ColumnId) -> ColumnId {
    match relation.columns.get(id).map(|column| &column.source) {
        Some(ColumnSource::Compute(Expr::Column(other))) if *other != id => resolve_copied_column(relation, *other),
        _ => id,
    }
}
