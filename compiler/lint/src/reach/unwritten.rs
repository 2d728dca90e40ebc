//! `unwritten_column`: the answer reads a column of a table that is in none of the files written from the table.

use std::collections::BTreeSet;

use model::Span;
use model::suite::{ColumnId, Op, RelationId};

use super::context::Reach;
use super::files::Shown;
use super::needed::{Reading, collect_input_columns};
use hir::types::TyKind;
use hir::{Arg, ColumnSource, Expr, ExprKind};
use syntax::diagnostics::{Code, Diagnostic};

pub(super) fn report_unwritten_columns(reach: &Reach<'_, '_>, said: &mut Vec<Diagnostic>) {
    let mut known: BTreeSet<(RelationId, ColumnId)> = BTreeSet::new();
    for (reading, relation) in reach.iter_hidden_readings() {
        for read in &reading.columns {
            let mut open = vec![*read];
            let mut seen = BTreeSet::new();
            while let Some(column) = open.pop() {
                let is_known =
                    || is_shown(reach, reading.relation, column) || is_derivable(reach, reading.relation, column);
                if !seen.insert(column) || is_known() {
                    continue;
                }
                let Some(own) = relation.columns.get(column) else { continue };
                let from = collect_input_columns(reading.relation, &own.source);
                if !from.is_empty() {
                    open.extend(from);
                } else if known.insert((reading.relation, column)) && own.source.draw().is_some() {
                    // Any other column follows from known values.
                    said.push(build_diagnostic(reach, (reading, *read), relation, own));
                }
            }
        }
    }
}

/// Checks whether a file shows this column, also as part of a computed value, or whether it is known in another way.
fn is_shown(reach: &Reach<'_, '_>, relation: RelationId, column: ColumnId) -> bool {
    reach.known.has_column(relation, column)
        || reach.iter_renderings(relation).any(|file| file.columns.contains_key(&column))
}

/// Checks whether a column can be computed from shown ones: `UTC` if `LOCAL = UTC + OFFSET`, and `LOCAL` and `OFFSET` are shown.
fn is_derivable(reach: &Reach<'_, '_>, relation: RelationId, column: ColumnId) -> bool {
    let Some(own) = reach.cx.task.relations.get(relation) else { return false };
    own.columns.iter_enumerated().any(|(id, other)| match &other.source {
        ColumnSource::Compute(formula) if is_shown(reach, relation, id) => {
            is_invertible(formula, column, &|other| is_shown(reach, relation, other))
        }
        _ => false,
    })
}

/// Checks whether a column can be computed from the value of a formula and the other columns in it.
fn is_invertible(formula: &Expr, column: ColumnId, is_known: &dyn Fn(ColumnId) -> bool) -> bool {
    // The other operand must be known and must not depend on the column.
    let is_other = |expr: &Expr| {
        let mut other = true;
        expr.visit_exprs(&mut |part| match &part.kind {
            ExprKind::Column(read) => other &= *read != column && is_known(*read),
            ExprKind::Const(_) | ExprKind::Neg(_) | ExprKind::Binary(..) => {}
            ExprKind::Call(_, args) => other &= args.iter().all(|arg| matches!(arg, Arg::Value(_))),
            _ => other = false,
        });
        other
    };
    match &formula.kind {
        ExprKind::Column(read) => *read == column,
        ExprKind::Neg(inner) => is_invertible(inner, column, is_known),
        // A text that shows the value: `"<<format(MS / 1000, 2)>> s"`.
        ExprKind::Concat(pieces) => pieces.iter().any(|piece| is_invertible(piece, column, is_known)),
        // Its branches can show which of them it is: `"<<X>> s"` and `"<<X>> ms"`.
        ExprKind::If(parts) if formula.ty.kind == TyKind::Text => {
            is_invertible(&parts.1, column, is_known) && is_invertible(&parts.2, column, is_known)
        }
        ExprKind::Call(function, args) if function.can_restate() => match args.as_slice() {
            [Arg::Value(value), ..] => is_invertible(value, column, is_known),
            _ => false,
        },
        ExprKind::Binary(Op::Mul | Op::Div, sides) if sides.1.as_constant().is_some() => {
            is_invertible(&sides.0, column, is_known)
        }
        ExprKind::Binary(Op::Add | Op::Sub, sides) => {
            is_other(&sides.1) && is_invertible(&sides.0, column, is_known)
                || is_other(&sides.0) && is_invertible(&sides.1, column, is_known)
        }
        _ => false,
    }
}

fn build_diagnostic(
    reach: &Reach<'_, '_>,
    (reading, read): (&Reading<'_>, ColumnId),
    relation: &hir::Relation,
    column: &hir::Column,
) -> Diagnostic {
    let said = Diagnostic::new(
        Code::UNWRITTEN_COLUMN,
        format!("no file contains `{}.{}`", relation.name, column.name),
        find_reading_span(reading, read),
        "read by the answer",
    )
    .label(column.span, "drawn here");
    match reach.iter_renderings(reading.relation).next().and_then(|file| reach.cx.task.files.get(file.file)) {
        Some(file) => said
            .with_labels(find_written_twice(reach, reading.relation))
            .help(format!("write it in `{}`, or compute the answer from columns that a file has", file.name)),
        None => said,
    }
}

/// Finds a column of a file that shows the same column of the table as another column of the file: one of them was probably meant to show another one.
fn find_written_twice(reach: &Reach<'_, '_>, relation: RelationId) -> Option<(Span, String)> {
    let task = reach.cx.task;
    reach.iter_renderings(relation).find_map(|file| {
        let (of, shown) = file.columns.iter().find(|(_, shown)| shown.len() > 1)?;
        let column = shown.iter().rev().find_map(|shown| match shown {
            Shown::As(column) | Shown::Through(Some(column)) => Some(*column),
            Shown::Through(None) => None,
        })?;
        let span = task.find_column((file.relation, column))?.span;
        let name = &task.find_column((relation, *of))?.name;
        Some((span, format!("shows `{name}` again")))
    })
}

/// Returns the span where a column is read: in a query, the first place that names it.
fn find_reading_span(reading: &Reading<'_>, column: ColumnId) -> Span {
    let places = reading.sql.iter().flat_map(|sql| &sql.analysis.places);
    let mut named = places.filter(|(_, of, named)| (*of, *named) == (reading.relation, column)).map(|(span, ..)| *span);
    named.next().unwrap_or(reading.span)
}
