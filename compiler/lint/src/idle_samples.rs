//! `idle_samples`: `samples` in a task in which nothing is drawn.

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
