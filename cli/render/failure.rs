//! Failures at build time, drawn like diagnostics, with the command line that reproduces them.

use compiler::diagnostics::{Code, Severity};
use compiler::sources::Sources;
use runtime::failure::{At, Failure, FailureKind};

use super::human::{Report, draw_report};
use crate::console::{Console, Style};
use crate::exit::Exit;

/// Prints the failure, and returns the exit status. `again` renders the command line that shows the instance in which it occurred.
pub fn report_failure(failure: &Failure, sources: &Sources, console: &Console, again: impl Fn(&At) -> String) -> Exit {
    match render_failure(failure, sources, console.style, |at| Some(again(at))) {
        Some(text) => console.print_message(&text),
        None => console.print_error(&failure.message, failure.help.as_deref()),
    }
    match failure.kind {
        FailureKind::Io => Exit::Outside,
        FailureKind::Usage => Exit::Usage,
        _ => Exit::NotGood,
    }
}

/// Renders the failure; `None` if it has no code, and thus no place in a source.
pub fn render_failure(
    failure: &Failure,
    sources: &Sources,
    style: Style,
    again: impl Fn(&At) -> Option<String>,
) -> Option<String> {
    let code = Code::from_failure_kind(failure.kind)?;
    let mut notes: Vec<(&'static str, String)> = failure.help.iter().map(|help| ("help", help.clone())).collect();
    if let Some(at) = &failure.at {
        notes.push(("note", describe_place(at)));
        notes.extend(again(at).map(|line| ("again", line)));
    }
    let drawn = Report {
        head: format!("error[{}] {}", code.id, code.name),
        severity: Severity::Error,
        message: &failure.message,
        labels: failure.span.iter().map(|span| (*span, "")).collect(),
        notes,
    };
    Some(draw_report(&drawn, sources, style))
}

/// Describes the place, such as `task big_orders, cell 50, variant reply, stage join, sample 3, attempt 0, seed 7`.
fn describe_place(at: &At) -> String {
    let parts = [("cell", &at.cell), ("variant", &at.variant), ("stage", &at.stage)];
    let parts = parts.into_iter().filter_map(|(word, name)| Some(format!(", {word} {}", name.as_ref()?)));
    let At { task, sample, attempt, seed, .. } = at;
    format!("task {task}{}, sample {sample}, attempt {attempt}, seed {seed}", parts.collect::<String>())
}
