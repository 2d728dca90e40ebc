//! Checks of values that do not depend on a draw, before anything is built: whether a `require` can hold, whether a value is null, and whether it can be
//! computed.
//!
//! [`model::uses`] determines the values that depend on a draw. [`model::compute`] computes a value in the same way as the build.

use model::compute::{Budget, Evaluation};
use model::failure::Failure;
use model::suite::{Compiled, Expr, NameSource, Task};
use model::uses::{Uses, is_drawn};
use model::value::group_digits;
use model::{Plan, Span, Value};

use hir::lower;
use syntax::diagnostics::{Code, Diagnostic};
use syntax::host::Host;

/// The maximum number of rows that a message names.
const SHOWN: usize = 5;

type Require = model::suite::Require<Compiled>;

/// A diagnostic that applies only if a value is null.
#[derive(Clone, Debug)]
pub struct NullDiagnostic {
    /// The index of the task.
    pub task: usize,
    /// The value.
    pub value: hir::Expr,
    /// Whether it also applies if an item of the value, a list, is null.
    pub items: bool,
    /// The diagnostic.
    pub said: Diagnostic,
}

impl NullDiagnostic {
    fn is_right(&self, value: &Value) -> bool {
        match value {
            Value::Null => true,
            Value::List(items) => self.items && items.iter().any(Value::is_null),
            _ => false,
        }
    }
}

/// Reports the diagnostics that require evaluating constant values. `plan` is the plan of a suite without other errors.
pub fn check_constants(
    suite: &hir::Suite,
    plan: Option<&Plan>,
    doubts: Vec<NullDiagnostic>,
    host: &dyn Host,
    diagnostics: &mut Vec<Diagnostic>,
) {
    let mut doubts = doubts.into_iter().peekable();
    let mut budget = Budget::CHECK;
    let mut too_much: Vec<Span> = Vec::new();
    for (index, task) in suite.tasks.iter().enumerate() {
        let of_task: Vec<NullDiagnostic> = std::iter::from_fn(|| doubts.next_if(|doubt| doubt.task == index)).collect();
        match plan.and_then(|plan| Some((plan, plan.tasks.get(index)?))) {
            Some((plan, lowered)) => {
                let spans = check_task(plan, (index, lowered), of_task, host, &mut budget, diagnostics);
                too_much.extend(spans);
            }
            // While the suite has other errors, nothing is computed, and diagnostics about constant values are not reported.
            None if of_task.is_empty() => {}
            None => {
                let lowered = lower::lower_task(task);
                let drawn = |doubt: &NullDiagnostic| is_drawn(&lowered, &lower::lower_expr(&doubt.value));
                diagnostics.extend(of_task.into_iter().filter(drawn).map(|doubt| doubt.said));
            }
        }
    }
    diagnostics.extend(explain_budget_exceeded(&too_much));
}

/// Reports once the values that were not computed because all queries of the suite together exceed the budget.
fn explain_budget_exceeded(places: &[Span]) -> Option<Diagnostic> {
    let first = *places.first()?;
    let most = group_digits(Budget::CHECK.left / 1_000_000);
    let message = format!("the constant queries of this suite need more than {most} million steps of SQLite");
    let note = match places.len() - 1 {
        0 => "this value was not computed".to_owned(),
        1 => "this value and 1 more constant value were not computed".to_owned(),
        more => format!("this value and {} more constant values were not computed", group_digits(more as u64)),
    };
    Some(
        Diagnostic::new(Code::SQL_AT_BUILD, message, first, "not computed")
            .note(note)
            .help("shorten the queries: a recursive WITH needs a condition that ends it, a join a column to join on"),
    )
}

fn check_task(
    plan: &Plan,
    (index, task): (usize, &Task),
    doubts: Vec<NullDiagnostic>,
    host: &dyn Host,
    budget: &mut Budget,
    diagnostics: &mut Vec<Diagnostic>,
) -> Vec<Span> {
    let requires: Vec<&Require> = task.requires.iter().filter(|require| !is_drawn(task, &require.condition)).collect();
    let computed = collect_constants(task);
    // The condition as the build evaluates it: null counts as false, and the right side of an `and` is evaluated only if the left side is true.
    let holds = |require: &&Require| {
        let [yes, no] = [true, false].map(|holds| Expr::Const(Value::Bool(holds)));
        Expr::If(Box::new((require.condition.clone(), yes, no)))
    };
    let mut wanted: Vec<Expr> = requires.iter().map(holds).collect();
    wanted.extend(computed.iter().map(|(expr, _)| expr.clone()));
    let counted = wanted.len();
    // Most doubts are about one of these expressions.
    let mut places = Vec::with_capacity(doubts.len());
    for doubt in &doubts {
        let value = lower::lower_expr(&doubt.value);
        let known = wanted.iter().position(|known| *known == value);
        places.push(known.unwrap_or(wanted.len()));
        if known.is_none() {
            wanted.push(value);
        }
    }
    if wanted.is_empty() {
        return Vec::new();
    }
    host.check_cancellation();
    let all = host.evaluator().evaluate_fixed(plan, index, &wanted, budget);
    let mut failures: Vec<(&Failure, Span)> = Vec::new();
    let mut too_much: Vec<Span> = Vec::new();
    let mut can_hold = true;
    for (require, found) in requires.iter().zip(&all) {
        if let Evaluation::Values(values) = found
            && values.iter().any(|value| *value != Value::Bool(true))
        {
            can_hold = false;
            report_never_held(require, task, values, diagnostics);
        }
    }
    let spans = requires.iter().map(|require| require.span).chain(computed.iter().map(|(_, span)| *span));
    for (span, found) in spans.zip(&all) {
        match found {
            Evaluation::Fails(why) => failures.push((why, span)),
            Evaluation::TooMuch => too_much.push(span),
            _ => {}
        }
    }
    for (doubt, place) in doubts.into_iter().zip(places) {
        let is_right = match all.get(place) {
            Some(Evaluation::Values(values)) => values.iter().any(|value| doubt.is_right(value)),
            // Either it is part of an expression that fails, or an `if` prevents its evaluation.
            Some(Evaluation::Fails(why)) => !failures.iter().any(|(said, _)| **said == **why),
            Some(Evaluation::TooMuch) => {
                if place >= counted {
                    too_much.push(doubt.value.span);
                }
                false
            }
            Some(Evaluation::Unknown) | None => true,
        };
        if is_right {
            diagnostics.push(doubt.said);
        }
    }
    // A `require` may be meant to prevent a build from reaching the failure.
    if can_hold {
        diagnostics.extend(failures.iter().filter_map(|(why, span)| Diagnostic::from_failure(why, *span)));
    }
    too_much
}

/// The names and answers that every build of a task computes, that do not depend on a draw, and that need no generated data first. Returns each with its span.
fn collect_constants(task: &Task) -> Vec<(Expr, Span)> {
    let computed = task.names.iter_enumerated().filter(|(_, name)| matches!(name.source, NameSource::Compute(_)));
    let mut found: Vec<(Expr, Span)> = computed.map(|(id, name)| (Expr::Name(id), name.span)).collect();
    let of_task = task.expects.iter().filter(|_| task.variants.is_empty());
    for expect in of_task.chain(task.iter_ways().flat_map(|way| &way.expects)) {
        expect.visit_exprs(&mut |expr| {
            if !matches!(expr, Expr::Const(_) | Expr::Name(_)) {
                found.push((expr.clone(), expect.span));
            }
        });
    }
    found.retain(|(expr, _)| {
        let uses = Uses::from_value(task, expr);
        !uses.is_drawn() && uses.is_given()
    });
    found
}

fn report_never_held(require: &Require, task: &Task, values: &[Value], diagnostics: &mut Vec<Diagnostic>) {
    // A lint on a part of the condition reports the same problem.
    let same =
        |said: &Diagnostic| said.code == Code::IMPOSSIBLE_PREDICATE && require.span.is_enclosing(said.primary.span);
    diagnostics.retain(|said| !same(said));
    let message = "`require` is false, and depends on nothing that is drawn";
    if let Some(each) = &task.each {
        let fails = |row: usize| {
            let of_row = task.count_cells_per_row().max(1) as usize;
            values.iter().skip(row * of_row).take(of_row).any(|value| *value != Value::Bool(true))
        };
        let keys: Vec<&str> = (0..each.rows.len())
            .filter(|row| fails(*row))
            .filter_map(|row| Some(each.rows.get(row)?.key.as_str()))
            .collect();
        let shown = keys.iter().take(SHOWN).copied().collect::<Vec<_>>().join(", ");
        let more = keys.len().saturating_sub(SHOWN);
        let more = if more > 0 { format!(", and {more} more") } else { String::new() };
        let said = Diagnostic::new(Code::REQUIRE_NEVER_HELD, message, require.span, "false for a row of `each`");
        let help = "exclude these rows with `where` after `each`: no other draw changes them";
        return diagnostics.push(said.note(format!("false for {shown}{more}")).help(help));
    }
    let label = if values.len() > 1 { "false in a cell of the axes" } else { "always false" };
    let said = Diagnostic::new(Code::REQUIRE_NEVER_HELD, message, require.span, label);
    diagnostics.push(said.help("remove it, or let it depend on a drawn value: then another draw can meet it"));
}
