//! The hover over `describe`: the number of tokens of the description, and the parts that it omits.

use std::sync::Arc;

use compiler::ast::Span;
use compiler::hir;
use model::functions::DESCRIBE;
use model::suite::Scope;
use model::value::group_digits;

use super::super::Place;
use crate::sample;
use crate::state::State;

/// Summarizes the description of the call whose name is at `at`, in the first instance; `None` while the suite has errors.
pub fn summarize_description(state: &mut State, place: &Place, at: Span) -> Option<String> {
    if place.analysis.sources().text(at) != DESCRIBE.name {
        return None;
    }
    let (_, task) = place.analysis.find_task_at(at.file, at.start)?;
    let mut found: Option<hir::Expr> = None;
    task.visit_exprs(&mut |_, expr, scope| {
        // A call in a column has one value per row.
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
    // The values must come from the current suite, because spans of an older version differ.
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
