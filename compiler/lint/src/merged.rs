//! `merged_answers`: `ignore` makes two possible answers equal, or one is the other in marks that do not belong to a reply, so a wrong reply would be correct.
//!
//! The lint proves this for closed domains, lists, and fixtures. The build checks the other columns, which [`hir::compared`] lists.

use model::suite::{Ignore, Matcher, Scope};
use model::text_folding;
use model::{Span, Value};

use super::context::TaskCx;
use hir::compared::{ComparedText, has_ignore_options, is_unwrapped, list_column_values, list_compared_texts};
use hir::origins;
use hir::types::TyKind;
use hir::{Expr, ExprKind};
use syntax::diagnostics::{Code, Diagnostic};

/// Reports the merged answers of a task.
pub(super) fn report_merged_answers(cx: &TaskCx<'_>, said: &mut Vec<Diagnostic>) {
    for expect in cx.task.iter_expects().filter(|expect| has_ignore_options(expect) || is_unwrapped(expect)) {
        // At most one per expectation, because the others usually have the same cause.
        let merged = list_compared_texts(expect).iter().find_map(|leaf| check_leaf(cx, leaf));
        said.extend(merged.or_else(|| check_number(cx, expect)));
    }
}

/// Reports a number below and above 0 whose sign `ignore punctuation` removes.
fn check_number<'a>(cx: &TaskCx<'a>, expect: &'a hir::Expect) -> Option<Diagnostic> {
    let value = expect.answer_expr().filter(|_| expect.matcher == Matcher::Text)?;
    let options = expect.whole_options();
    let is_number = matches!(value.ty.kind, TyKind::Int | TyKind::Decimal(_) | TyKind::Float);
    if !is_number || !options.ignore.contains(&Ignore::Punctuation) {
        return None;
    }
    let (low, high) = cx.facts().infer_expr(value, Scope::default()).range?;
    let number = |value: &Value| value.render_text().parse::<f64>().ok();
    if number(&low)? >= 0.0 || number(&high)? <= 0.0 {
        return None;
    }
    let message = "`ignore punctuation` makes `-1` and `1` one answer";
    let said = Diagnostic::new(Code::MERGED_ANSWERS, message, value.span, "can be below and above 0");
    Some(said.help("compare it as a number: `number`"))
}

/// Two answers that are one to the scorer.
struct Merged<'v> {
    first: &'v str,
    second: &'v str,
    /// Whether the first is the second in marks; otherwise `ignore` makes them equal.
    is_wrapped: bool,
}

/// Reports two answers that are one, if there are any.
fn check_leaf<'a>(cx: &TaskCx<'a>, leaf: &ComparedText<'a>) -> Option<Diagnostic> {
    let task = cx.task;
    for place in origins::find_columns(task, leaf.value, leaf.output) {
        let Some(values) = list_column_values(task, place) else { continue };
        if let Some(merged) = find_merged(values.iter(), leaf) {
            let (relation, column) = (task.relations.get(place.0)?, task.find_column(place)?);
            let declared = format!("both are in `{}.{}`", relation.name, column.name);
            return Some(build_diagnostic(leaf, &merged, column.span, declared));
        }
    }
    let listed: Vec<&Value> = leaf.listed.iter().chain([&leaf.value]).filter_map(|item| item.as_constant()).collect();
    if leaf.value.as_constant().is_some()
        && let Some(merged) = find_merged(listed.iter().copied(), leaf)
    {
        let other = leaf.listed.iter().find(|item| item.as_constant().and_then(Value::as_text) == Some(merged.first));
        let declared = other.map_or(leaf.value.span, |other| other.span);
        return Some(build_diagnostic(leaf, &merged, declared, "both are listed".to_owned()));
    }
    let fact = cx.facts().infer_expr(leaf.value, Scope::default());
    let merged = find_merged(fact.closed.as_deref()?.iter(), leaf)?;
    let declared = find_draw_span(task, leaf.value);
    Some(build_diagnostic(leaf, &merged, declared.unwrap_or(leaf.value.span), "both are possible".to_owned()))
}

/// Returns the span where the values of a name are drawn.
fn find_draw_span(task: &hir::Task, value: &Expr) -> Option<Span> {
    match value.resolve_name(task).kind {
        ExprKind::Name(id) => task.names.get(id).map(|name| name.span),
        _ => None,
    }
}

fn find_merged<'v>(values: impl Iterator<Item = &'v Value>, leaf: &ComparedText<'_>) -> Option<Merged<'v>> {
    let texts: Vec<&str> = values.filter_map(Value::as_text).collect();
    if !leaf.ignore.is_empty()
        && let Some((first, second)) = text_folding::find_merged_pair(texts.iter().copied(), leaf.ignore)
    {
        return Some(Merged { first, second, is_wrapped: false });
    }
    if !leaf.is_unwrapped {
        return None;
    }
    let (first, second) = text_folding::find_wrapped_pair(&texts, leaf.ignore)?;
    Some(Merged { first, second, is_wrapped: true })
}

fn build_diagnostic(leaf: &ComparedText<'_>, merged: &Merged<'_>, declared: Span, why: String) -> Diagnostic {
    let words = |kinds: &[Ignore]| kinds.iter().map(|kind| kind.word()).collect::<Vec<_>>().join(", ");
    let (first, second) = (merged.first, merged.second);
    if merged.is_wrapped {
        let message = format!("`{}` and `{}` are one answer", format_text(first), format_text(second));
        return Diagnostic::new(
            Code::MERGED_ANSWERS,
            message,
            leaf.value.span,
            "the marks around a reply do not count",
        )
        .label(declared, why)
        .help("give both one spelling; if the marks count, compare with `matches`");
    }
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
