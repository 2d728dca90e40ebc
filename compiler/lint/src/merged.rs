//! `merged_answers`: `ignore` makes two possible answers equal, so a wrong reply would be correct.
//!
//! The lint proves this for closed domains, lists, and fixtures. The build checks the other columns, which [`hir::compared`] lists.

use model::suite::{Ignore, Scope};
use model::text_folding;
use model::{Span, Value};

use super::context::TaskCx;
use hir::compared::{ComparedText, has_ignore_options, list_column_values, list_compared_texts};
use hir::facts::Facts;
use hir::origins;
use hir::{Expr, ExprKind};
use syntax::diagnostics::{Code, Diagnostic};

/// Reports the merged answers of a task.
pub(super) fn report_merged_answers(cx: &TaskCx<'_>, said: &mut Vec<Diagnostic>) {
    let expects: Vec<&hir::Expect> = cx.task.iter_expects().filter(|expect| has_ignore_options(expect)).collect();
    if expects.is_empty() {
        return;
    }
    for expect in expects {
        // At most one per expectation, because the others usually have the same cause.
        said.extend(list_compared_texts(expect).iter().find_map(|leaf| check_leaf(cx.task, cx.facts(), leaf)));
    }
}

/// Reports two answers that `ignore` makes equal, if there are any.
fn check_leaf<'a>(task: &'a hir::Task, facts: &Facts<'a>, leaf: &ComparedText<'a>) -> Option<Diagnostic> {
    for place in origins::find_columns(task, leaf.value, leaf.output) {
        let Some(values) = list_column_values(task, place) else { continue };
        if let Some(pair) = find_merged_pair(values.iter(), leaf.ignore) {
            let (relation, column) = (task.relations.get(place.0)?, task.find_column(place)?);
            let declared = format!("both are in `{}.{}`", relation.name, column.name);
            return Some(build_diagnostic(leaf, pair, column.span, declared));
        }
    }
    let listed: Vec<&Value> = leaf.listed.iter().chain([&leaf.value]).filter_map(|item| item.as_constant()).collect();
    if leaf.value.as_constant().is_some()
        && let Some((first, second)) = find_merged_pair(listed.into_iter(), leaf.ignore)
    {
        let other = leaf.listed.iter().find(|item| item.as_constant().and_then(Value::as_text) == Some(first));
        let declared = other.map_or(leaf.value.span, |other| other.span);
        return Some(build_diagnostic(leaf, (first, second), declared, "both are listed".to_owned()));
    }
    let fact = facts.infer_expr(leaf.value, Scope::default());
    let pair = find_merged_pair(fact.closed.as_deref()?.iter(), leaf.ignore)?;
    let declared = find_draw_span(task, leaf.value);
    Some(build_diagnostic(leaf, pair, declared.unwrap_or(leaf.value.span), "both are possible".to_owned()))
}

/// Returns the span where the values of a name are drawn.
fn find_draw_span(task: &hir::Task, value: &Expr) -> Option<Span> {
    match value.resolve_name(task).kind {
        ExprKind::Name(id) => task.names.get(id).map(|name| name.span),
        _ => None,
    }
}

fn find_merged_pair<'v>(values: impl Iterator<Item = &'v Value>, ignore: &[Ignore]) -> Option<(&'v str, &'v str)> {
    text_folding::find_merged_pair(values.filter_map(Value::as_text), ignore)
}

fn build_diagnostic(leaf: &ComparedText<'_>, (first, second): (&str, &str), declared: Span, why: String) -> Diagnostic {
    let words = |kinds: &[Ignore]| kinds.iter().map(|kind| kind.word()).collect::<Vec<_>>().join(", ");
    let guilty = text_folding::find_merging_kinds(first, second, leaf.ignore);
    let message =
        format!("`ignore {}` makes `{}` and `{}` one answer", words(&guilty), format_text(first), format_text(second));
    let others: Vec<Ignore> = leaf.ignore.iter().copied().filter(|kind| !guilty.contains(kind)).collect();
    let remove = match others.as_slice() {
        [] => format!("remove `ignore {}`", words(&guilty)),
        others => format!("write `ignore {}`", words(others)),
    };
    let help = match guilty.as_slice() {
        [Ignore::Case] => {
            format!("{remove}; if both mean the same, give them one spelling: compute a column with `lower`")
        }
        _ => remove,
    };
    Diagnostic::new(Code::MERGED_ANSWERS, message, leaf.value.span, "compared so").label(declared, why).help(help)
}

/// Formats a text for a message.
fn format_text(text: &str) -> String {
    const MAX_CHARS: usize = 40;
    match text.char_indices().nth(MAX_CHARS) {
        Some((end, _)) => format!("{}…", text.get(..end).unwrap_or_default().escape_debug()),
        None => text.escape_debug().to_string(),
    }
}
