//! `leaked_answer`: the prompt states numbers around the expected one: "more than <<n - 1>> and less than <<n + 1>>".

use model::suite::Op;
use model::{Span, Value};

use super::dependence::value_number::{number_value, strip_layout};
use super::leaked::{Extent, is_found};
use super::prompt_content::{Telling, Way};
use crate::context::{TaskCx, report_once};
use hir::{Expr, ExprKind, Task};
use syntax::diagnostics::{Code, Diagnostic};

/// Reports wordings that render a number below the answer and one above it, both computed from it.
pub(super) fn report_leaked_bounds<'a>(cx: &TaskCx<'a>, ways: &[Way<'a>], said: &mut Vec<Diagnostic>) {
    for way in ways {
        for expect in way.asked.expects.iter().filter(|expect| !expect.is_any_of()) {
            let Some(value) = expect.answer_expr() else { continue };
            for (leaf, _) in value.list_leaves() {
                let is_number = leaf.ty.is_number() && is_found(cx.task, leaf, Extent::new(leaf, value));
                let is_known = || said.iter().any(|known| known.primary.span == leaf.span);
                if !is_number || is_known() {
                    continue;
                }
                let found = way.tellings.iter().find_map(|telling| find_bounds(cx.task, telling, leaf));
                let new = found.map(|bounds| build_diagnostic(leaf, bounds));
                new.into_iter().for_each(|new| report_once(new, said));
            }
        }
    }
}

/// The places of a number below an answer, and of one above it.
fn find_bounds(task: &Task, telling: &Telling, answer: &Expr) -> Option<(Span, Span)> {
    let sums: Vec<Sum<'_>> = telling.rendered.iter().filter_map(|told| read_sum(task, told)).collect();
    if sums.len() < 2 {
        return None;
    }
    let wanted = strip_layout(&number_value(task, answer)).clone();
    let find = |fits: &dyn Fn(f64) -> bool| {
        let mut near = sums.iter().filter(|sum| fits(sum.by));
        near.find(|sum| *strip_layout(&number_value(task, sum.of)) == wanted).map(|sum| sum.span)
    };
    find(&|by| by < 0.0).zip(find(&|by| by > 0.0))
}

/// A stated value and a constant that is added to it.
struct Sum<'e> {
    of: &'e Expr,
    by: f64,
    /// Where it is stated.
    span: Span,
}

fn read_sum<'e>(task: &'e Task, told: &'e Expr) -> Option<Sum<'e>> {
    let ExprKind::Binary(op @ (Op::Add | Op::Sub), sides) = &told.resolve_name(task).kind else { return None };
    let number = |side: &Expr| side.resolve_name(task).as_constant().and_then(Value::as_f64);
    let (of, by) = match (op, number(&sides.0), number(&sides.1)) {
        (Op::Add, Some(by), None) => (&sides.1, by),
        (Op::Add, None, Some(by)) => (&sides.0, by),
        (Op::Sub, None, Some(by)) => (&sides.0, -by),
        _ => return None,
    };
    Some(Sum { of, by, span: told.span })
}

fn build_diagnostic(leaf: &Expr, (below, above): (Span, Span)) -> Diagnostic {
    let message = "the prompt states a number below the expected one, and a number above it";
    Diagnostic::new(Code::LEAKED_ANSWER, message, leaf.span, "expected here")
        .label(below, "below it")
        .label(above, "above it")
        .help("leave these numbers out, or state a range that does not depend on the answer")
}
