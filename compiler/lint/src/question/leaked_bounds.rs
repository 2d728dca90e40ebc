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
    let wanted = strip_layout(&number_value(task, answer)).clone();
    let offsets: Vec<(f64, Span)> = telling
        .rendered
        .iter()
        .filter_map(|told| Some((read_offset(task, told.resolve_name(task), &wanted)?, told.span)))
        .collect();
    let find = |fits: &dyn Fn(f64) -> bool| offsets.iter().find(|(by, _)| fits(*by)).map(|(_, span)| *span);
    find(&|by| by < 0.0).zip(find(&|by| by > 0.0))
}

/// The constant that a value adds to the answer.
fn read_offset(task: &Task, told: &Expr, wanted: &Expr) -> Option<f64> {
    let ExprKind::Binary(op @ (Op::Add | Op::Sub), sides) = &told.kind else { return None };
    let number = |side: &Expr| side.resolve_name(task).as_constant().and_then(Value::as_f64);
    let is_answer = |side: &Expr| strip_layout(&number_value(task, side)) == wanted;
    match (op, number(&sides.0), number(&sides.1)) {
        (Op::Add, Some(by), _) if is_answer(&sides.1) => Some(by),
        (Op::Add, _, Some(by)) if is_answer(&sides.0) => Some(by),
        (Op::Sub, _, Some(by)) if is_answer(&sides.0) => Some(-by),
        _ => None,
    }
}

fn build_diagnostic(leaf: &Expr, (below, above): (Span, Span)) -> Diagnostic {
    let message = "the prompt states a number below the expected one, and a number above it";
    Diagnostic::new(Code::LEAKED_ANSWER, message, leaf.span, "expected here")
        .label(below, "below it")
        .label(above, "above it")
        .help("leave these numbers out, or state a range that does not depend on the answer")
}
