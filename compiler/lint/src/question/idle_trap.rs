//! `idle_trap`: a trap that always has the expected value, because it is computed from the rows from which a file is written, without what the file makes of them.

use model::suite::ColumnId;

use super::dependence::value_number::number_value;
use crate::context::{TaskCx, report_once};
use hir::{Arg, ColumnSource, Expr, ExprKind, Relation, Rows, Task};
use syntax::diagnostics::{Code, Diagnostic};

/// The number of parts after which an expression is not rewritten further, because names composed of names can double each time.
const MAX_PARTS: usize = 2_000;

pub(super) fn report_idle_traps(cx: &TaskCx<'_>, said: &mut Vec<Diagnostic>) {
    let task = cx.task;
    for expect in task.iter_expects().filter(|expect| !expect.traps.is_empty()) {
        let Some(answer) = expect.answer_expr() else { continue };
        let leaves = if expect.matcher.record().keys { answer.list_leaves() } else { vec![(answer, String::new())] };
        for trap in &expect.traps {
            let Some((leaf, _)) = leaves.iter().find(|(_, pointer)| *pointer == trap.at) else { continue };
            let number = |expr: &Expr| {
                let mut left = MAX_PARTS;
                Some(number_value(task, &rewrite(task, expr, &mut left)?))
            };
            let value = number(&trap.value);
            if value.is_none() || value != number(leaf) {
                continue;
            }
            let place = trap.value.resolve_name(task).span;
            let message = format!("trap `{}` always has the expected value", trap.name);
            let new = Diagnostic::new(Code::IDLE_TRAP, message, trap.value.span, "no mistake")
                .label(place, "computed here")
                .label(leaf.resolve_name(task).span, "the expected value")
                .note("a file that is written from a table has the values of the table here, each row once")
                .help("remove the trap: traps for repeated rows and other dirt of a file are added by themselves");
            report_once(new, said);
        }
    }
}

/// Rewrites an expression to read tables instead of the files that are written from them. `None` if it is too large.
fn rewrite(task: &Task, expr: &Expr, left: &mut usize) -> Option<Expr> {
    *left = left.checked_sub(1)?;
    let mut own = expr.resolve_name(task).clone();
    let mut is_whole = true;
    if let ExprKind::Call(function, args) = &mut own.kind
        && function.aggregate.is_some()
    {
        args.iter_mut().for_each(|arg| rewrite_arg(task, arg));
    }
    own.visit_children_mut(&mut |child| match rewrite(task, child, left) {
        Some(new) => *child = new,
        None => is_whole = false,
    });
    is_whole.then_some(own)
}

fn rewrite_arg(task: &Task, arg: &mut Arg) {
    let (relation, column, filter) = match arg {
        Arg::Relation { relation, filter } => (relation, None, filter),
        Arg::Column { relation, column, filter } => (relation, Some(column), filter),
        _ => return,
    };
    let Some(own) = task.relations.get(*relation) else { return };
    let Rows::Taken { from, filter: None } = &own.rows else { return };
    let new_column = column.as_ref().map(|column| find_origin(own, **column));
    let new_filter = match filter {
        Some(filter) => rewrite_row(own, filter).map(Some),
        None => Some(None),
    };
    let (Some(new_filter), false) = (new_filter, matches!(new_column, Some(None))) else { return };
    if let (Some(column), Some(Some(new))) = (column, new_column) {
        *column = new;
    }
    *filter = new_filter;
    *relation = *from;
}

/// Rewrites a condition on a row of a file as one on a row of the table. `None` if it reads what only the file has.
fn rewrite_row(own: &Relation, filter: &Expr) -> Option<Expr> {
    let mut new = filter.clone();
    if let ExprKind::Column(column) = &mut new.kind {
        *column = find_origin(own, *column)?;
        return Some(new);
    }
    // The rows of a call in the filter are others.
    if matches!(new.kind, ExprKind::Call(..) | ExprKind::OuterColumn(_)) {
        return None;
    }
    let mut is_whole = true;
    new.visit_children_mut(&mut |child| match rewrite_row(own, child) {
        Some(part) => *child = part,
        None => is_whole = false,
    });
    is_whole.then_some(new)
}

/// The column of the table that a column of a file shows as it is.
fn find_origin(own: &Relation, column: ColumnId) -> Option<ColumnId> {
    match &own.columns.get(column)?.source {
        ColumnSource::Taken(of) => Some(*of),
        ColumnSource::Compute(value) => match &own.columns.get(value.as_column_id()?)?.source {
            ColumnSource::Taken(of) => Some(*of),
            _ => None,
        },
        _ => None,
    }
}
