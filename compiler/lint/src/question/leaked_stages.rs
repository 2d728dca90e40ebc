//! `leaked_answer` in stages: an answer that a stage before has, and a prompt that states the answer of the task or of another stage.

use model::suite::list_tellable;

use super::leaked::{Extent, is_found, resolve_names};
use super::leaked_parts::is_answer;
use super::prompt_content::{Telling, Way};
use crate::context::{TaskCx, report_once};
use hir::{Expect, Expr, Task};
use syntax::diagnostics::{Code, Diagnostic};

pub(super) fn report_leaks_by_stage<'a>(cx: &TaskCx<'a>, ways: &[Way<'a>], said: &mut Vec<Diagnostic>) {
    report_repeated_answers(cx.task, said);
    for way in ways.iter().filter(|way| way.asked.is_stage) {
        let Some(stage) = way.asked.variant else { continue };
        let task = cx.task;
        let others = task.stages.iter().map(|stage| &stage.way).filter(|other| other.span != stage.span);
        let others = others.map(|other| (format!("stage `{}`", other.name), &other.expects));
        let whole = (format!("task `{}`", task.name), &task.expects);
        let found = std::iter::once(whole).chain(others).find_map(|(whose, expects)| {
            let told = way.tellings.iter().find_map(|telling| find_told_answer(task, telling, expects));
            told.map(|(told, value)| (whose, told, value))
        });
        let Some((whose, told, value)) = found else { continue };
        let message = format!("the prompt of stage `{}` states the answer of {whose}", stage.name);
        let new = Diagnostic::new(Code::LEAKED_ANSWER, message, told.span, "told here")
            .label(value.span, "expected here")
            .note("with `--stages trace`, an agent is asked the task and all stages at once")
            .help("let the prompt describe the value, as for an agent that does not know it");
        report_once(new, said);
    }
}

/// Finds an answer that a wording renders, and that the agent must find.
fn find_told_answer<'t>(task: &'t Task, telling: &'t Telling, expects: &'t [Expect]) -> Option<(&'t Expr, &'t Expr)> {
    list_tellable(expects).filter(|expect| !expect.is_any_of()).find_map(|expect| {
        let value = expect.answer_expr()?;
        let told = telling.rendered.iter().find(|piece| is_answer(task, value, piece))?;
        is_found(task, value, Extent::Whole).then_some((told, value))
    })
}

/// Reports stages whose answer is also that of a preceding stage: with `build --stages given`, the prompt lists those answers.
fn report_repeated_answers(task: &Task, said: &mut Vec<Diagnostic>) {
    for stage in &task.stages {
        let listed = stage.after.iter().filter_map(|id| task.stages.get(*id));
        let listed: Vec<(&hir::Stage, &Expr)> = listed
            .flat_map(|before| list_tellable(&before.way.expects).map(move |expect| (before, expect)))
            .filter_map(|(before, expect)| Some((before, expect.answer_expr()?)))
            .collect();
        for own in stage.way.expects.iter().filter_map(|expect| expect.answer_expr()) {
            let wanted = resolve_names(task, own);
            let same = listed.iter().find(|(_, value)| resolve_names(task, value) == wanted);
            let Some((before, value)) = same.filter(|_| wanted.as_constant().is_none()) else { continue };
            let message = format!("stage `{}` is given its answer by stage `{}`", stage.way.name, before.way.name);
            said.push(
                Diagnostic::new(Code::LEAKED_ANSWER, message, own.span, "expected here")
                    .label(value.span, "the same value")
                    .note("with `--stages given`, a prompt lists the answers of the stages before")
                    .help("ask for another value, or remove one of the stages"),
            );
        }
    }
}
