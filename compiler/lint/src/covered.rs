//! `idle_goal`: `ignore` or a tolerance leaves out every change of an expected state.

use sql::ChangeKind;
use sql::lex::Token;

use super::chance::Tolerance;
use super::context::{TaskCx, report_once};
use super::goals::{Goal, Step, list_goals};
use super::linear_sets::{Drawn, read_set_value};
use syntax::diagnostics::{Code, Diagnostic};

pub(super) fn report_covered_goals(cx: &TaskCx<'_>, said: &mut Vec<Diagnostic>) {
    let goals = list_goals(cx.task, cx.task.iter_expects());
    let goals: Vec<&Goal<'_>> = goals.iter().filter(|goal| goal.is_understood && !goal.steps.is_empty()).collect();
    if goals.is_empty() {
        return;
    }
    for goal in goals {
        let options = goal.expect.whole_options();
        let is_ignored = |step: &Step<'_>| is_ignored(step, &options.parts);
        if !options.parts.is_empty() && goal.steps.iter().all(is_ignored) {
            let message = "`ignore` leaves out every change, so an unchanged database is correct";
            report_once(build_diagnostic(goal, message, "nothing of it is compared"), said);
            continue;
        }
        let Some(tolerance) = Tolerance::from_options(&options) else { continue };
        let is_covered = |drawn: Drawn| {
            let lint = Lint { cx, tolerance, parts: &options.parts, drawn };
            goal.steps.iter().all(|step| lint.is_covered(step))
        };
        let message = if is_covered(Drawn::All) {
            "the tolerance is at least as large as every change, so an unchanged database is correct"
        } else if is_covered(Drawn::Middle) {
            "the tolerance is at least as large as the change in about half of the samples, so an unchanged database is correct there"
        } else {
            continue;
        };
        report_once(build_diagnostic(goal, message, "differs by less than the tolerance"), said);
    }
}

fn build_diagnostic(goal: &Goal<'_>, message: &str, label: &str) -> Diagnostic {
    let steps = goal.steps.iter().map(|step| (step.span(), "the change"));
    Diagnostic::new(Code::IDLE_GOAL, message, goal.answer.span, label)
        .with_labels(steps)
        .help("compare what the statements change: ignore less, or use a smaller tolerance")
}

/// Whether nothing that a statement changes is compared.
fn is_ignored(step: &Step<'_>, parts: &[String]) -> bool {
    let table = &step.change.table;
    let has = |part: &str| parts.iter().any(|known| known.eq_ignore_ascii_case(part));
    let is_update = step.change.kind == ChangeKind::Update && !step.change.sets.is_empty();
    has(table) || is_update && step.change.sets.iter().all(|(column, _)| has(&format!("{table}.{column}")))
}

struct Lint<'l, 'a> {
    cx: &'l TaskCx<'a>,
    tolerance: Tolerance,
    parts: &'l [String],
    drawn: Drawn,
}

impl<'a> Lint<'_, 'a> {
    /// Whether each value that a statement sets surely differs from the old one by no more than the tolerance.
    fn is_covered(&self, step: &Step<'a>) -> bool {
        let change = &step.change;
        is_ignored(step, self.parts)
            || change.kind == ChangeKind::Update
                && !change.sets.is_empty()
                && change.sets.iter().all(|(column, value)| self.is_close(step, column, value).unwrap_or(false))
    }

    /// Whether a set value is close to the old one.
    fn is_close(&self, step: &Step<'a>, column: &str, value: &[Token<'_>]) -> Option<bool> {
        let (id, declared) = step.find_column(self.cx.task, column)?;
        if !declared.ty.is_number() {
            return None;
        }
        let fact = self.cx.facts().lookup_column(step.relation, id);
        let (low, high) = fact.range.as_ref()?;
        let (low, high) = (low.as_f64()?, high.as_f64()?);
        let set = read_set_value(self.cx.facts(), step, column, value, self.drawn)?;
        let mut corners: Vec<(f64, f64)> = Vec::new();
        for old in [low, high] {
            for factor in [set.factor.low, set.factor.high] {
                corners.extend([set.shift.low, set.shift.high].map(|shift| (old, old * factor + shift)));
            }
        }
        // The old value is the reply of an agent that does nothing, and the new one is expected.
        let is_close = |(old, new): &(f64, f64)| {
            let (least, most) = self.tolerance.find_ends(*new);
            *old >= least + set.slack - 1e-9 && *old <= most - set.slack + 1e-9
        };
        // Between the corners, the difference is between those at the corners, but a share of 0 is 0.
        let crosses_zero = matches!(self.tolerance, Tolerance::Share(_))
            && (corners.iter().any(|(_, new)| *new < 0.0) && corners.iter().any(|(_, new)| *new > 0.0)
                || low < 0.0 && high > 0.0);
        Some(!crosses_zero && corners.iter().all(is_close))
    }
}
