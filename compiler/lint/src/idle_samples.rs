//! `idle_samples`: `samples` in a task in which nothing is drawn, or in a suite of such tasks.

use super::context::TaskCx;
use syntax::diagnostics::{Applicability, Code, Diagnostic};

pub(super) fn report_idle_samples(cx: &TaskCx<'_>, said: &mut Vec<Diagnostic>) {
    let task = cx.task;
    let Some(written) = task.notes.samples.filter(|_| task.notes.is_static && task.samples > 1) else { return };
    let message = format!("nothing in task `{}` is drawn, so it has one sample", task.name);
    said.push(
        Diagnostic::new(Code::IDLE_SAMPLES, message, written, format!("not {}", task.samples))
            .help("draw something, such as the data or a threshold, or remove `samples`")
            .fix("write 1", Applicability::Unsafe, written, "1"),
    );
}

/// Reports `samples` in the settings of a suite in which no task draws anything.
pub(super) fn report_idle_suite_samples(suite: &hir::Suite, said: &mut Vec<Diagnostic>) {
    let is_idle = |task: &hir::Task| {
        task.notes.is_static && task.each.is_none() && task.notes.samples.is_none() && task.samples > 1
    };
    let (Some(written), Some(first)) = (suite.samples, suite.tasks.first()) else { return };
    if !suite.tasks.iter().all(is_idle) {
        return;
    }
    let message = match suite.tasks.len() {
        1 => format!("nothing in task `{}` is drawn, so it has one sample", first.name),
        _ => "nothing in any task is drawn, so each has one sample".to_owned(),
    };
    said.push(
        Diagnostic::new(Code::IDLE_SAMPLES, message, written, format!("not {}", first.samples))
            .label(first.span, "draws nothing")
            .help("draw something, such as the data or a threshold, or remove `samples`")
            .fix("write 1", Applicability::Unsafe, written, "1"),
    );
}
