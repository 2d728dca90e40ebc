//! `allow NAME "reason"` silences a lint in the suite, task, variant, stage, or read table that contains it. An `allow` without effect is itself reported.

use model::answer_key::Panel;
use model::{Plan, Span};

use syntax::diagnostics::{Applicability, Code, Diagnostic, Severity, find_code_by_name};

/// An `allow` with its scope.
struct Scope<'a> {
    allow: &'a hir::Allow,
    /// The span in which it applies; `None` for the whole suite.
    within: Option<Span>,
    used: bool,
}

impl Scope<'_> {
    /// Checks whether it applies to a lint at this span.
    fn silences(&self, lint: &Code, at: Span) -> bool {
        self.allow.lint == lint.name && self.within.is_none_or(|within| within.is_enclosing(at))
    }
}

/// Lists all `allow`s of a suite.
fn list_scopes(suite: &hir::Suite) -> Vec<Scope<'_>> {
    let mut scopes: Vec<Scope<'_>> = Vec::new();
    let mut add = |allow, within| scopes.push(Scope { allow, within, used: false });
    suite.allows.iter().for_each(|allow| add(allow, None));
    suite.of_tables.iter().for_each(|(allow, within)| add(allow, Some(*within)));
    for task in &suite.tasks {
        task.notes.allows.iter().for_each(|allow| add(allow, Some(task.notes.whole)));
        for way in task.iter_ways() {
            way.notes.allows.iter().for_each(|allow| add(allow, Some(way.notes.whole)));
        }
    }
    scopes
}

/// Checks whether the author allows a lint at a span.
pub fn is_allowed(suite: &hir::Suite, lint: &Code, at: Span) -> bool {
    list_scopes(suite).iter().any(|scope| scope.silences(lint, at))
}

/// Turns off the bad replies of selftest where the author allows weak answers.
pub fn turn_panels_off(suite: &hir::Suite, mut plan: Plan) -> Plan {
    let scopes = list_scopes(suite);
    let is_allowed = |at: Span| scopes.iter().any(|scope| scope.silences(Code::WEAK_ANSWER, at));
    for task in &mut plan.tasks {
        let of_variants = task.variants.iter_mut().flat_map(|variant| &mut variant.expects);
        let of_stages = task.stages.iter_mut().flat_map(|stage| &mut stage.way.expects);
        let all = task.expects.iter_mut().chain(of_variants).chain(of_stages);
        all.filter(|expect| is_allowed(expect.span)).for_each(|expect| expect.tests.panel = Panel::Off);
    }
    plan
}

/// Removes the warnings that an `allow` silences. Without errors, all lints ran; then it also reports each `allow` that silences nothing.
pub(super) fn apply_allows(suite: &hir::Suite, said: &mut Vec<Diagnostic>) {
    let mut scopes = list_scopes(suite);
    said.retain(|warning| {
        if warning.severity() == Severity::Error {
            return true;
        }
        let mut silenced = false;
        for scope in scopes.iter_mut().filter(|scope| scope.silences(warning.code, warning.primary.span)) {
            scope.used = true;
            silenced = true;
        }
        !silenced
    });
    if said.iter().any(|said| said.severity() == Severity::Error) {
        return;
    }
    for scope in scopes.iter().filter(|scope| !scope.used && scope.allow.lint != Code::UNUSED_ALLOW.name) {
        // A planned lint, which reports nothing yet, can already be allowed. What samples show is not known here.
        let code = find_code_by_name(&scope.allow.lint);
        let is_shown = |code: &Code| [Code::IDLE_PASS, Code::WEAK_ANSWER].contains(&code);
        let unknown = code.is_none_or(|code| is_shown(code) || code.page.contains("**Planned.**"));
        if unknown || scopes.iter().any(|around| around.silences(Code::UNUSED_ALLOW, scope.allow.span)) {
            continue;
        }
        let place = match scope.within {
            None => "in this suite",
            Some(_) => "here",
        };
        said.push(
            Diagnostic::new(
                Code::UNUSED_ALLOW,
                format!("`allow {}` has no effect {place}", scope.allow.lint),
                scope.allow.span,
                "no such warning here",
            )
            .help("remove it, because it could hide a later warning")
            .fix("remove it", Applicability::Safe, scope.allow.span, ""),
        );
    }
}
