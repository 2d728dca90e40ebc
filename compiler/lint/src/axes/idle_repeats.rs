//! `idle_axis` for repeated rows: an axis only repeats rows of a file, and the answers take extremes, which do not depend on that.

use model::Span;
use model::functions::Aggregate;
use model::suite::RelationId;

use crate::context::TaskCx;
use hir::{Arg, Axis, Expr, ExprKind, Rows, Task};
use syntax::diagnostics::{Code, Diagnostic};

/// Reports an axis that is used only in the share of repeated rows of a file, of which all answers take extremes. `roots` are all expressions of the task.
pub(super) fn check_idle_repeats<'a>(cx: &TaskCx<'a>, axis: &Axis, roots: &[&'a Expr]) -> Option<Diagnostic> {
    let task = cx.task;
    let names_axis = |expr: &Expr| expr.has_part_through_names(task, |part| part.kind == ExprKind::Name(axis.slot));
    let mut repeats = task.files.iter().filter_map(|file| {
        let share = file.content.form()?.repeat.as_ref().filter(|share| names_axis(share))?;
        let [relation] = file.content.relations() else { return None };
        Some((share, *relation))
    });
    let (share, relation) = repeats.next().filter(|_| repeats.next().is_none())?;
    let is_other = |root: &&&Expr| root.span != share.span && names_axis(root);
    if roots.iter().any(|root| is_other(&root)) {
        return None;
    }
    let from = match task.relations.get(relation)?.rows {
        Rows::Taken { from, .. } => from,
        _ => relation,
    };
    let place = find_only_extreme(task, roots, &[relation, from])?;
    let declared = task.names.get(axis.slot)?;
    let message = format!("axis `{}` only repeats rows, on which no answer depends", axis.name);
    Some(
        Diagnostic::new(Code::IDLE_AXIS, message, share.span, "no answer depends on it")
            .label(declared.span, "all cells are equally hard")
            .label(place, "does not depend on how often a row occurs")
            .help("ask for a count, a sum, or a mean, or use the axis in another kind of mess"),
    )
}

/// Finds an extreme of some tables, if nothing else is computed of their rows.
fn find_only_extreme(task: &Task, roots: &[&Expr], of: &[RelationId]) -> Option<Span> {
    let mut found = None;
    let mut is_only = true;
    for root in roots {
        root.visit_through_names(task, &mut |part| {
            let ExprKind::Call(function, args) = &part.kind else { return };
            let reads = args.iter().any(|arg| match arg {
                Arg::Relation { relation, .. } | Arg::Column { relation, .. } | Arg::Each { relation, .. } => {
                    of.contains(relation)
                }
                Arg::Sql(_) | Arg::Path(_) => true,
                Arg::Value(_) | Arg::File(_) => false,
            });
            if reads {
                is_only &= matches!(function.aggregate, Some(Aggregate::High | Aggregate::Low | Aggregate::Distinct));
                found = Some(part.span);
            }
        });
    }
    found.filter(|_| is_only)
}
