//! `idle_axis` for data that nobody sees: an axis only changes columns or tables that are not written, and on which no answer depends.

use crate::context::TaskCx;
use crate::question::{Flow, Followed};
use hir::{Axis, Expr, ExprKind};
use syntax::diagnostics::{Code, Diagnostic};

/// Reports an axis that is used, but not by what the agent is given, asked, or expected to answer. `roots` are all expressions of the task.
pub(super) fn check_unread_axis<'a>(cx: &TaskCx<'a>, axis: &Axis, roots: &[&'a Expr]) -> Option<Diagnostic> {
    let task = cx.task;
    let mut seen = Flow::new(task, Followed::All);
    seen.add_given();
    task.iter_conditions().for_each(|condition| seen.add_expr(condition));
    task.iter_expects().for_each(|expect| expect.visit_exprs(&mut |expr| seen.add_expr(expr)));
    let wordings = task.prompt.wordings.iter().chain(task.iter_ways().flat_map(|way| &way.prompt.wordings));
    wordings.for_each(|wording| seen.add_expr(wording));
    if seen.names.contains(&axis.slot) {
        return None;
    }
    let place = roots.iter().find(|root| root.has_part(|part| part.kind == ExprKind::Name(axis.slot)))?;
    let declared = task.names.get(axis.slot)?;
    let message = format!("axis `{}` only changes what is neither written nor read", axis.name);
    Some(
        Diagnostic::new(Code::IDLE_AXIS, message, place.span, "no file and no answer shows it")
            .label(declared.span, "all cells are alike")
            .help("use it in a column that is written or read, or remove the axis"),
    )
}
