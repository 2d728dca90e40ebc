//! Conditions of `where`, `require`, and `if`.

use model::suite::Scope;

use super::decide;
use super::variables::{Collector, Variables};
use crate::Expr;
use crate::facts::{Facts, Row, Truth};

/// Decides a condition by the cases of the names and cells that it reads.
pub fn decide_condition<'a>(facts: &Facts<'a>, condition: &'a Expr, scope: Scope) -> Truth {
    let rows = (scope.row.map(|_| Row::Current), scope.outer.map(|_| Row::Outer));
    let mut collector = Collector::new(facts);
    collector.add_expr(condition, scope, rows);
    let Some(mut variables) = collector.finish() else { return Truth::Open };
    let Variables { dependent, different, .. } = &mut variables;
    let (dependent, different) = (std::mem::take(dependent), std::mem::take(different));
    facts.with_cases(scope, dependent, different, || decide(facts, &variables, &|| facts.infer_truth(condition, scope)))
}
