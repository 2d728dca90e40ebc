//! Observations in drawn samples as diagnostics. The observer of the host draws the samples; here is decided what is said of them.
//!
//! A proof comes first: if a warning already explains what a sample shows, nothing is said again.

use model::Span;
use model::answer_key::Wanted;
use model::failure::{At, Failure, FailureKind};
use model::observe::{Observation, Observed, Observer};

use crate::compiled::Compiled;
use syntax::diagnostics::{Code, Diagnostic, Severity};

/// Warnings that an agent can be right without doing anything.
const IDLE: [&Code; 3] = [Code::IDLE_PASS, Code::NOTHING_EXPECTED, Code::IDLE_GOAL];

/// Draws samples of a compiled suite, and adds what they show to its diagnostics. A suite with errors is not drawn.
pub fn observe_suite(compiled: &mut Compiled, observer: &dyn Observer) {
    let Some((drawn, said)) = list_observations(compiled, observer, &|| false) else { return };
    compiled.totality.add_attempts(&drawn.attempts);
    compiled.drawn = Some(drawn);
    compiled.diagnostics.extend(said);
    compiled.diagnostics.sort_by_key(|said| (said.primary.span, said.code.id));
    if compiled.diagnostics.iter().any(|said| said.severity() == Severity::Error) {
        compiled.plan = None;
    }
}

/// Draws samples of a compiled suite. Returns what was drawn, and the diagnostics of what they show that the suite does not have yet. `None` if the
/// suite has errors, or if `stop` says that the result is not needed any more.
pub fn list_observations(
    compiled: &Compiled,
    observer: &dyn Observer,
    stop: &dyn Fn() -> bool,
) -> Option<(model::observe::Drawn, Vec<Diagnostic>)> {
    let observed = observer.observe_suite(compiled.plan.as_ref()?, stop)?;
    let told = |seen: &Observation| !is_explained(compiled, seen);
    let said = observed.seen.into_iter().filter(told).filter_map(build_diagnostic).collect();
    Some((observed.drawn, said))
}

/// Checks whether a warning explains what a sample shows, or the author allows it.
fn is_explained(compiled: &Compiled, seen: &Observation) -> bool {
    let Some((suite, span)) = compiled.hir.as_ref().zip(seen.span()) else { return false };
    if matches!(seen.what, Observed::Idle { .. }) && IDLE.iter().any(|code| lint::is_allowed(suite, code, span)) {
        return true;
    }
    let task = suite.tasks.iter().find(|task| task.name == seen.at.task);
    let of_task = |said: &&Diagnostic| task.is_some_and(|task| task.notes.whole.is_enclosing(said.primary.span));
    compiled.diagnostics.iter().filter(of_task).any(|said| explains(said, seen, span))
}

/// Checks whether a warning at the same task explains an observation.
fn explains(said: &Diagnostic, seen: &Observation, span: Span) -> bool {
    match &seen.what {
        Observed::Idle { .. } => IDLE.contains(&said.code),
        Observed::Unmet { .. } => [Code::MAY_COLLIDE, Code::CONTRADICTING_EXPECTATIONS].contains(&said.code),
        Observed::Example { .. } => said.code == Code::FAILED_EXAMPLE && said.primary.span == span,
        Observed::Stops(failure) => list_predictions(failure.kind).contains(&said.code) || is_about_data(said, span),
    }
}

/// Returns the warnings that say that a build may stop with such a failure.
fn list_predictions(kind: FailureKind) -> &'static [&'static Code] {
    match kind {
        FailureKind::NullAtBuild => &[Code::NULL_ANSWER],
        FailureKind::RequireNeverHeld => &[Code::IMPOSSIBLE_PREDICATE, Code::OUT_OF_RANGE_DRAW],
        FailureKind::FailedComputation => &[Code::ZERO_DIVISION, Code::MAY_COLLIDE],
        FailureKind::PathAtBuild => &[Code::MAY_COLLIDE],
        _ => &[],
    }
}

/// Checks whether it is a warning on predicates and data, the group W04, about the text at a span.
fn is_about_data(said: &Diagnostic, span: Span) -> bool {
    let mut spans = [&said.primary].into_iter().chain(&said.secondary).map(|label| label.span);
    said.code.id.starts_with("W04") && spans.any(|at| at.is_enclosing(span) || span.is_enclosing(at))
}

/// Builds the diagnostic of an observation; `None` for a failure that is not the suite's.
fn build_diagnostic(seen: Observation) -> Option<Diagnostic> {
    let span = seen.span()?;
    let Observation { what, at, count, of } = seen;
    let sample = at.sample;
    let (said, why) = match what {
        Observed::Stops(failure) => (report_stop(failure, sample, span)?, String::new()),
        Observed::Unmet { expect, why, .. } => {
            let message = format!("`expect {expect}` rejects the answer that its own key gives");
            let said = Diagnostic::new(Code::UNMET_KEY, message, span, format!("not met in sample {sample}"));
            (said.help("correct what this `expect` allows, or remove the one that contradicts it"), why)
        }
        Observed::Example { verdict, text, why, .. } => report_example(verdict, &text, why, (sample, span)),
        Observed::Idle { .. } => {
            let (message, label) = ("an agent that does nothing passes", format!("passes in sample {sample}"));
            let said = Diagnostic::new(Code::IDLE_PASS, message, span, label);
            (
                said.help("add an `expect` that is not met at the start, or redraw such samples with `require`"),
                String::new(),
            )
        }
    };
    let samples = if of == 1 { "sample" } else { "samples" };
    let note = format!("{}seen in {count} of {of} drawn {samples}: {}", prefix_reason(&why), describe_sample(&at));
    Some(said.note(note).with_sample(at))
}

/// The diagnostic of an example that is judged in another way than it says, and why it is.
fn report_example(verdict: Wanted, text: &str, why: String, (sample, span): (u32, Span)) -> (Diagnostic, String) {
    let (message, label, why) = match verdict {
        Wanted::Accepted => (format!("{text} is rejected, but must be accepted"), "rejected", why),
        Wanted::Rejected => (format!("{text} is accepted, but must be rejected"), "accepted", String::new()),
    };
    let said = Diagnostic::new(Code::FAILED_EXAMPLE, message, span, format!("{label} in sample {sample}"));
    (said.help("correct the example, or what this `expect` allows"), why)
}

/// The diagnostic of a sample that cannot be made has the code that the build gives it, and its place.
fn report_stop(failure: Failure, sample: u32, span: Span) -> Option<Diagnostic> {
    let code = Code::from_failure_kind(failure.kind)?;
    let said = Diagnostic::new(code, failure.message, span, format!("a build stops here in sample {sample}"));
    let help = "draw values that exclude this, or redraw such samples with `require`";
    Some(said.help(failure.help.as_deref().unwrap_or(help)))
}

fn prefix_reason(why: &str) -> String {
    if why.is_empty() { String::new() } else { format!("{why}; ") }
}

/// Describes a sample, such as `task big_orders, cell 50, variant reply, sample 3, seed check`.
fn describe_sample(at: &At) -> String {
    let parts = [("cell", &at.cell), ("variant", &at.variant), ("stage", &at.stage)];
    let parts = parts.into_iter().filter_map(|(word, name)| Some(format!(", {word} {}", name.as_ref()?)));
    let At { task, sample, seed, .. } = at;
    format!("task {task}{}, sample {sample}, seed {seed}", parts.collect::<String>())
}
