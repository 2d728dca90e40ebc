//! Over `describe`: how many tokens the description has, and what it leaves out.

use std::sync::Arc;

use compiler::ast::Span;
use compiler::hir;
use model::functions::DESCRIBE;
use model::suite::Scope;
use model::value::group_digits;

use super::super::Place;
use crate::sample;
use crate::state::State;

/// What the call makes whose name is at `at`, in the first instance; nothing while the suite has errors.
pub fn summarize_description(state: &mut State, place: &Place, at: Span) -> Option<String> {
    if place.analysis.sources().text(at) != DESCRIBE.name {
        return None;
    }
    let (_, task) = place.analysis.find_task_at(at.file, at.start)?;
    let mut found: Option<hir::Expr> = None;
    task.visit_exprs(&mut |_, expr, scope| {
        // Those of columns have a value in each row.
        if scope == Scope::default() {
            expr.visit_exprs(&mut |expr| {
                let is_call = matches!(&expr.kind, hir::ExprKind::Call(function, _) if *function == DESCRIBE);
                if is_call
                    && expr.span.is_enclosing(at)
                    && found.as_ref().is_none_or(|outer| outer.span.is_enclosing(expr.span))
                {
                    found = Some(expr.clone());
                }
            });
        }
    });
    // Values come from the suite as it is: an older one has other places.
    let valued = state.with_values(&place.analysis).filter(|valued| Arc::ptr_eq(valued, &place.analysis))?;
    let (index, _) = valued.find_task(&task.name)?;
    let made = sample::describe_database(&valued, index, &found?)?;
    let lost = made.lost.describe_losses();
    let lost =
        if lost.is_empty() { "nothing is left out".to_owned() } else { format!("left out: {}", lost.join(", ")) };
    let budget = u64::try_from(made.budget).unwrap_or_default();
    Some(format!(
        "\n\nin the first instance {} of {} tokens; {lost}",
        group_digits(made.tokens as u64),
        group_digits(budget)
    ))
}
