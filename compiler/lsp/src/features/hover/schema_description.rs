//! The hover over `describe`: the number of tokens of the description, and the parts that it omits.

use compiler::ast::Span;
use compiler::hir;
use model::functions::DESCRIBE;
use model::value::group_digits;

use super::super::Place;
use crate::sample;

/// Summarizes the description of the call whose name is at `at`, in the first instance; `None` while the suite has errors.
pub fn summarize_description(place: &Place, at: Span) -> Option<String> {
    if place.analysis.sources().text(at) != DESCRIBE.name {
        return None;
    }
    let (index, task) = place.analysis.find_task_at(at.file, at.start)?;
    let calls = sample::list_instance_exprs(task).into_iter().filter(|expr| {
        matches!(&expr.kind, hir::ExprKind::Call(function, _) if *function == DESCRIBE) && expr.span.is_enclosing(at)
    });
    let call = calls.reduce(|outer, call| if outer.span.is_enclosing(call.span) { call } else { outer })?;
    let made = sample::describe_database(&place.analysis, index, call)?;
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
