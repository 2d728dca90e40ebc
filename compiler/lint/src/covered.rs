//! `idle_goal`: `ignore` or a tolerance leaves out every change of an expected state.

use model::suite::Scope;
use model::{Decimal, Value};
use sql::ChangeKind;
use sql::lex::{Kind, Token};

use super::chance::Tolerance;
use super::context::{TaskCx, report_once};
use super::goals::{Goal, Step, list_goals};
use hir::facts::Facts;
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
        let lint = Lint { cx, facts: cx.facts(), tolerance, parts: &options.parts };
        if goal.steps.iter().all(|step| lint.is_covered(step)) {
            let message = "the tolerance is at least as large as every change, so an unchanged database is correct";
            report_once(build_diagnostic(goal, message, "differs by less than the tolerance"), said);
        }
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
    facts: &'l Facts<'a>,
    tolerance: Tolerance,
    parts: &'l [String],
}

impl Lint<'_, '_> {
    /// Whether each value that a statement sets surely differs from the old one by no more than the tolerance.
    fn is_covered(&self, step: &Step<'_>) -> bool {
        let change = &step.change;
        is_ignored(step, self.parts)
            || change.kind == ChangeKind::Update
                && !change.sets.is_empty()
                && change.sets.iter().all(|(column, value)| self.is_close(step, column, value).unwrap_or(false))
    }

    /// Whether a set value is close to the old one.
    fn is_close(&self, step: &Step<'_>, column: &str, value: &[Token<'_>]) -> Option<bool> {
        let (id, declared) = step.find_column(self.cx.task, column)?;
        if !declared.ty.is_number() {
            return None;
        }
        let fact = self.facts.lookup_column(step.relation, id);
        let (low, high) = fact.range.as_ref()?;
        let (low, high) = (low.as_f64()?, high.as_f64()?);
        let (value, slack) = strip_rounding(value);
        let ends = match value {
            [name, op, by] if name.is_named(column) => {
                let by = self.read_number(step, by)?;
                let apply = |old: f64| match op.text {
                    "+" => Some(old + by),
                    "-" => Some(old - by),
                    "*" => Some(old * by),
                    _ => None,
                };
                vec![(low, apply(low)?), (high, apply(high)?)]
            }
            [new] => {
                let new = self.read_number(step, new)?;
                vec![(low, new), (high, new)]
            }
            _ => return None,
        };
        // The old value is the reply of an agent that does nothing, and the new one is expected.
        let is_close = |(old, new): &(f64, f64)| {
            let (least, most) = self.tolerance.find_ends(*new);
            *old >= least + slack - 1e-9 && *old <= most - slack + 1e-9
        };
        // Between the ends, the difference is between those at the ends, but a share of 0 is 0.
        let crosses_zero = low < 0.0 && high > 0.0 && matches!(self.tolerance, Tolerance::Share(_));
        Some(!crosses_zero && ends.iter().all(is_close))
    }

    /// The number that a literal or a parameter surely is.
    fn read_number(&self, step: &Step<'_>, token: &Token<'_>) -> Option<f64> {
        match token.kind {
            Kind::Number => token.text.parse::<Decimal>().ok().map(Decimal::to_f64),
            Kind::Param => {
                let value = step.sql.find_param(token.text.get(1..)?)?.resolve_name(self.cx.task);
                let constant = value.as_constant().and_then(Value::as_f64);
                constant.filter(|_| value.find_cell(Scope::default()).is_none())
            }
            _ => None,
        }
    }
}

/// The value in `ROUND(value, places)`, and by how much rounding can change it.
fn strip_rounding<'t, 's>(tokens: &'t [Token<'s>]) -> (&'t [Token<'s>], f64) {
    match tokens {
        [round, open, inner @ .., comma, places, close]
            if round.is_keyword("ROUND") && open.is_punct("(") && comma.is_punct(",") && close.is_punct(")") =>
        {
            let places = places.text.parse::<f64>().unwrap_or(0.0);
            (inner, 0.5 / libm::pow(10.0, places))
        }
        all => (all, 0.0),
    }
}
