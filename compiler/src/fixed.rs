//! What depends on no draw is known before anything is built: whether a `require` can hold, and whether a value is null.
//!
//! What depends on a draw is told by [`plan::uses`], and what a value is by [`Host::fixed`], which computes it as the build does.

use plan::suite::{Expr, Task};
use plan::uses::is_drawn;
use plan::{Plan, Value};

use crate::diagnostics::{Code, Diagnostic};
use crate::hir;
use crate::host::Host;
use crate::lower;

/// Something that is wrong only where a value is null.
#[derive(Clone, Debug)]
pub struct Doubt {
    /// The index of the task.
    pub task: usize,
    /// The value.
    pub value: hir::Expr,
    /// Its items may not be null either.
    pub items: bool,
    /// What is then wrong.
    pub said: Diagnostic,
}

impl Doubt {
    fn is_right(&self, value: &Value) -> bool {
        match value {
            Value::Null => true,
            Value::List(items) => self.items && items.iter().any(Value::is_null),
            _ => false,
        }
    }
}

/// Says of a suite what only a look at fixed values can tell. `plan`: of a suite that is otherwise sound.
pub fn check(
    suite: &hir::Suite,
    plan: Option<&Plan>,
    doubts: Vec<Doubt>,
    host: &dyn Host,
    diagnostics: &mut Vec<Diagnostic>,
) {
    let mut doubts = doubts.into_iter().peekable();
    for (index, task) in suite.tasks.iter().enumerate() {
        let mut of_task: Vec<Doubt> = Vec::new();
        while let Some(doubt) = doubts.next_if(|doubt| doubt.task == index) {
            of_task.push(doubt);
        }
        match plan.and_then(|plan| Some((plan, plan.tasks.get(index)?))) {
            Some((plan, lowered)) => decide(plan, (index, lowered), of_task, host, diagnostics),
            // Until the other mistakes are corrected nothing is computed, and nothing is said of what may be right.
            None if of_task.is_empty() => {}
            None => {
                let lowered = lower::task(task);
                let drawn = |doubt: &Doubt| is_drawn(&lowered, &lower::expr(&doubt.value));
                diagnostics.extend(of_task.into_iter().filter(drawn).map(|doubt| doubt.said));
            }
        }
    }
}

fn decide(
    plan: &Plan,
    (index, task): (usize, &Task),
    doubts: Vec<Doubt>,
    host: &dyn Host,
    diagnostics: &mut Vec<Diagnostic>,
) {
    let fixed: Vec<&plan::suite::Require<plan::suite::Compiled>> =
        task.requires.iter().filter(|require| !is_drawn(task, &require.condition)).collect();
    let mut wanted: Vec<Expr> = fixed.iter().map(|require| require.condition.clone()).collect();
    wanted.extend(doubts.iter().map(|doubt| lower::expr(&doubt.value)));
    if wanted.is_empty() {
        return;
    }
    host.go_on();
    let mut found = host.fixed(plan, index, &wanted).into_iter();
    for require in fixed {
        let Some(Some(values)) = found.next() else { continue };
        if values.iter().all(|value| *value == Value::Bool(true)) {
            continue;
        }
        // What is said of a part of it says the same.
        let same =
            |said: &Diagnostic| said.code == Code::IMPOSSIBLE_PREDICATE && require.span.covers(said.primary.span);
        diagnostics.retain(|said| !same(said));
        let message = "`require` is false, and depends on nothing that is drawn";
        let label = if values.len() > 1 { "false in a cell of the axes" } else { "always false" };
        diagnostics.push(
            Diagnostic::new(Code::REQUIRE_NEVER_HELD, message, require.span, label)
                .help("remove it, or let it depend on a drawn value, so that another draw can meet it"),
        );
    }
    for (doubt, values) in doubts.into_iter().zip(found) {
        if values.is_none_or(|values| values.iter().any(|value| doubt.is_right(value))) {
            diagnostics.push(doubt.said);
        }
    }
}
