//! `idle_trap`: a trap that always has the expected value: it is computed from the rows from which a file is written, without what the file makes of them, or
//! its conditions select the same rows.

use model::suite::{ColumnId, Op, RelationId, Scope};

use super::dependence::value_number::number_value;
use crate::context::{TaskCx, report_once};
use crate::domains::collect_parts;
use hir::cases::decide_condition;
use hir::facts::{Facts, Truth};
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
            let Some((value, expected)) = number(&trap.value).zip(number(leaf)) else { continue };
            let why = if value == expected {
                "a file that is written from a table has the values of the table here, each row once"
            } else if are_equal(task, &value, &expected) {
                "both conditions select the same rows, whatever is drawn"
            } else {
                continue;
            };
            let place = trap.value.resolve_name(task).span;
            let message = format!("trap `{}` always has the expected value", trap.name);
            let new = Diagnostic::new(Code::IDLE_TRAP, message, trap.value.span, "no mistake")
                .label(place, "computed here")
                .label(leaf.resolve_name(task).span, "the expected value")
                .note(why)
                .help("remove the trap, or compute it as a mistaken agent would: traps for dirt of a file are added by themselves");
            report_once(new, said);
        }
    }
}

/// Whether two values are the same in every sample: they differ only in conditions that select the same rows.
fn are_equal(task: &Task, a: &Expr, b: &Expr) -> bool {
    if a == b {
        return true;
    }
    match (&a.kind, &b.kind) {
        (ExprKind::Binary(op, left), ExprKind::Binary(other, right)) => {
            op == other && are_equal(task, &left.0, &right.0) && are_equal(task, &left.1, &right.1)
        }
        (ExprKind::Call(function, args), ExprKind::Call(other, others)) => {
            function == other
                && args.len() == others.len()
                && args.iter().zip(others).all(|(arg, other)| are_equal_args(task, arg, other))
        }
        _ => false,
    }
}

fn are_equal_args(task: &Task, a: &Arg, b: &Arg) -> bool {
    match (a, b) {
        (Arg::Value(a), Arg::Value(b)) => are_equal(task, a, b),
        (Arg::Relation { relation, filter }, Arg::Relation { relation: other, filter: other_filter }) => {
            relation == other && are_same_filters(task, *relation, filter.as_ref(), other_filter.as_ref())
        }
        (
            Arg::Column { relation, column, filter },
            Arg::Column { relation: other, column: other_column, filter: other_filter },
        ) => {
            (relation, column) == (other, other_column)
                && are_same_filters(task, *relation, filter.as_ref(), other_filter.as_ref())
        }
        _ => a == b,
    }
}

/// Whether two conditions select the same rows.
fn are_same_filters(task: &Task, relation: RelationId, a: Option<&Expr>, b: Option<&Expr>) -> bool {
    let (a, b) = match (a, b) {
        (None, None) => return true,
        (Some(a), Some(b)) if a == b => return true,
        (Some(a), Some(b)) => (a, b),
        // A condition that is always true is reported by itself.
        _ => return false,
    };
    let both = Expr { kind: ExprKind::Binary(Op::Eq, Box::new((a.clone(), b.clone()))), ..a.clone() };
    let facts = Facts::new(task);
    let scope = Scope::with_row(relation);
    // A comparison that is always or never true in one of them is reported by itself.
    let is_open = |side| {
        let parts = collect_parts(side);
        parts.iter().all(|part| part.as_column_id().is_some() || facts.infer_truth(part, scope) == Truth::Open)
    };
    is_open(a) && is_open(b) && decide_condition(&facts, &both, scope) == Truth::Always
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
