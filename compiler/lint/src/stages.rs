//! `idle_stage`: a stage that is unrelated to the answer of its task.

use std::collections::BTreeSet;

use model::Span;
use model::uses::Uses;

use super::context::TaskCx;
use hir::{Expr, ExprKind};
use syntax::diagnostics::{Code, Diagnostic};

pub(super) fn report_idle_stages(cx: &TaskCx<'_>, said: &mut Vec<Diagnostic>) {
    if cx.task.stages.is_empty() {
        return;
    }
    let task = hir::lower::lower_task(cx.task);
    let of_variants = task.variants.iter().flat_map(|variant| variant.expects.clone());
    let whole: Vec<_> = task.expects.iter().cloned().chain(of_variants).collect();
    let answer = Uses::from_answers(&task, &whole);
    let asked: BTreeSet<Span> = cx.task.expects.iter().map(|expect| expect.span).collect();
    for (stage, lowered) in cx.task.stages.iter().zip(&task.stages) {
        let own = Uses::from_answers(&task, &lowered.way.expects);
        // A constant answer does not show what it depends on.
        if answer.is_empty() || own.is_empty() || !own.is_disjoint(&answer) {
            continue;
        }
        let name = &stage.way.name;
        let message = format!("stage `{name}` is not needed for the answer");
        let label = match stage.way.expects.iter().find_map(|expect| expect.answer_expr()) {
            Some(Expr { kind: ExprKind::Name(id), .. }) => {
                cx.task.names.get(*id).map(|value| format!("asks for `{}`", value.name))
            }
            _ => None,
        };
        let label = label.unwrap_or_else(|| "asks for something else".to_owned());
        said.push(
            Diagnostic::new(Code::IDLE_STAGE, message, stage.way.span, label)
                .note("nothing that the answer reads depends on it, nor it on that")
                .with_labels(asked.first().map(|span| (*span, "the answer")))
                .help("ask for a value on the way to the answer, or remove the stage"),
        );
    }
}
