//! `merged_answers`: `ignore` makes two possible answers equal, so a wrong reply would be correct.
//!
//! The lint proves this for closed domains, lists, and fixtures. The build checks the other columns, which [`list_unproven_columns`] lists.

use model::suite::matchers::{Ignores, Takes};
use model::suite::{ColumnId, Ignore, RelationId, Scope};
use model::text_folding;
use model::{Domain, Span, Value};

use super::TaskCx;
use super::question::collect_json_leaves;
use hir::facts::Facts;
use hir::origins::{self, Place};
use hir::types::TyKind;
use hir::{ColumnSource, DrawDomain, Expr, ExprKind};
use syntax::diagnostics::{Code, Diagnostic};

/// Reports the merged answers of a task.
pub(super) fn report_merged_answers(cx: &TaskCx<'_>, said: &mut Vec<Diagnostic>) {
    let expects: Vec<&hir::Expect> = cx.task.iter_expects().filter(|expect| has_ignore_options(expect)).collect();
    if expects.is_empty() {
        return;
    }
    let facts = Facts::new(cx.task);
    for expect in expects {
        // At most one per expectation, because the others usually have the same cause.
        said.extend(collect_text_leaves(expect).iter().find_map(|leaf| check_leaf(cx.task, &facts, leaf)));
    }
}

/// Lists the columns that the build must check, each with the JSON pointer of the value that can come from it: `/*/2` is the third column of rows.
pub(crate) fn list_unproven_columns(task: &hir::Task, expect: &hir::Expect) -> Vec<(String, RelationId, ColumnId)> {
    if !has_ignore_options(expect) {
        return Vec::new();
    }
    let of = |leaf: &Leaf<'_>| {
        let places = origins::find_columns(task, leaf.value, leaf.output);
        let open = places.into_iter().filter(|place| list_column_values(task, *place).is_none());
        let pointer = leaf.output.map_or_else(|| leaf.pointer.clone(), |output| format!("{}/*/{output}", leaf.pointer));
        open.map(move |(relation, column)| (pointer.clone(), relation, column)).collect::<Vec<_>>()
    };
    collect_text_leaves(expect).iter().flat_map(of).collect()
}

fn has_ignore_options(expect: &hir::Expect) -> bool {
    let takes_words = expect.matcher.record().ignores == Ignores::Differences;
    takes_words && expect.options.iter().any(|(_, options)| !options.ignore.is_empty())
}

/// An expected text, or a column or list of them.
struct Leaf<'e> {
    value: &'e Expr,
    pointer: String,
    /// The index of the output column of a query.
    output: Option<usize>,
    ignore: &'e [Ignore],
    /// Texts in the same list, none of which may equal it.
    listed: Vec<&'e Expr>,
}

/// Collects the texts of an answer that are compared with `ignore`.
fn collect_text_leaves(expect: &hir::Expect) -> Vec<Leaf<'_>> {
    let Some(value) = expect.answer_expr() else { return Vec::new() };
    let takes = expect.matcher.record().takes;
    let mut found: Vec<(&Expr, String)> = Vec::new();
    match takes {
        Takes::Json | Takes::List => collect_json_leaves(value, String::new(), &mut found),
        // Each accepted answer is a leaf, because each is correct.
        _ if expect.is_any_of() => collect_json_leaves(value, String::new(), &mut found),
        _ => found.push((value, String::new())),
    }
    let items = match &value.kind {
        ExprKind::List(items) if takes == Takes::List && !expect.is_any_of() => items.as_slice(),
        _ => &[],
    };
    let mut leaves = Vec::new();
    for (value, pointer) in found {
        let ignore = expect.find_governing_options(&pointer).map_or(&[][..], |options| options.ignore.as_slice());
        if ignore.is_empty() || !value.ty.may_hold_text() {
            continue;
        }
        match &value.ty.kind {
            TyKind::Rows(columns) => {
                let texts = columns.iter().enumerate().filter(|(_, (_, ty))| ty.may_hold_text());
                leaves.extend(texts.map(|(at, _)| Leaf {
                    value,
                    pointer: pointer.clone(),
                    output: Some(at),
                    ignore,
                    listed: Vec::new(),
                }));
            }
            _ => {
                let others = items.iter().filter(|item| item.as_constant().is_some() && !std::ptr::eq(*item, value));
                leaves.push(Leaf { value, pointer, output: None, ignore, listed: others.collect() });
            }
        }
    }
    leaves
}

/// Reports two answers that `ignore` makes equal, if there are any.
fn check_leaf<'a>(task: &'a hir::Task, facts: &Facts<'a>, leaf: &Leaf<'a>) -> Option<Diagnostic> {
    for place in origins::find_columns(task, leaf.value, leaf.output) {
        let Some(values) = list_column_values(task, place) else { continue };
        if let Some((first, second)) = find_merged_pair(values.iter(), leaf.ignore) {
            let relation = task.relations.get(place.0)?;
            let column = relation.columns.get(place.1)?;
            let declared = format!("both are in `{}.{}`", relation.name, column.name);
            return Some(build_diagnostic(leaf, (first, second), column.span, declared));
        }
    }
    let listed: Vec<&Value> = leaf.listed.iter().chain([&leaf.value]).filter_map(|item| item.as_constant()).collect();
    if leaf.value.as_constant().is_some()
        && let Some((first, second)) = find_merged_pair(listed.into_iter(), leaf.ignore)
    {
        let other =
            leaf.listed.iter().find(|item| matches!(item.as_constant(), Some(Value::Text(text)) if text == first));
        return Some(build_diagnostic(
            leaf,
            (first, second),
            other.map_or(leaf.value.span, |other| other.span),
            "both are listed".to_owned(),
        ));
    }
    let fact = facts.infer_expr(leaf.value, Scope::default());
    let (first, second) = find_merged_pair(fact.closed.as_deref()?.iter(), leaf.ignore)?;
    let declared = find_draw_span(task, leaf.value);
    Some(build_diagnostic(leaf, (first, second), declared.unwrap_or(leaf.value.span), "both are possible".to_owned()))
}

/// Returns the span where the values of a name are drawn.
fn find_draw_span(task: &hir::Task, value: &Expr) -> Option<Span> {
    match value.resolve_name(task).kind {
        ExprKind::Name(id) => task.names.get(id).map(|name| name.span),
        _ => None,
    }
}

fn find_merged_pair<'v>(values: impl Iterator<Item = &'v Value>, ignore: &[Ignore]) -> Option<(&'v str, &'v str)> {
    let texts = values.filter_map(|value| match value {
        Value::Text(text) => Some(text.as_str()),
        _ => None,
    });
    text_folding::find_merged_pair(texts, ignore)
}

/// Lists all values that a column can have, if they are known before anything is drawn.
fn list_column_values(task: &hir::Task, (relation, column): Place) -> Option<Vec<Value>> {
    let own = task.relations.get(relation)?.columns.get(column)?;
    match &own.source {
        ColumnSource::Given(given) => Some(given.cells.values.to_vec()),
        ColumnSource::Draw { draw, .. } => match &draw.domain {
            DrawDomain::Fixed(domain) => list_domain_values(domain),
            DrawDomain::OneOf(items) => {
                items.iter().map(|item| item.resolve_name(task).as_constant().cloned()).collect()
            }
            _ => None,
        },
        _ => None,
    }
}

fn list_domain_values(domain: &Domain) -> Option<Vec<Value>> {
    domain.list_values().map(|values| values.to_vec())
}

fn build_diagnostic(leaf: &Leaf<'_>, (first, second): (&str, &str), declared: Span, why: String) -> Diagnostic {
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
