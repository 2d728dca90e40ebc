//! The texts that a value can be, as far as they are known.

use hir::{Arg, Expr, ExprKind};
use model::domain::TemplatePart;
use model::suite::Scope;
use model::{Domain, Value};
use sql::lex::{Kind, tokenize_sql};

use crate::context::TaskCx;

/// The number of texts that are looked at.
const MAX_TEXTS: usize = 200;

/// Lists all texts that a value can be. `None` if they are not known, or too many.
pub(super) fn list_texts<'a>(cx: &TaskCx<'a>, value: &'a Expr) -> Option<Vec<String>> {
    if let ExprKind::Call(_, args) = &value.resolve_name(cx.task).kind
        && let Some(Arg::Sql(sql)) = args.last()
    {
        return list_case_texts(&sql.text);
    }
    let closed = cx.facts().infer_expr(value, Scope::default()).closed?;
    let texts: Vec<String> =
        closed.iter().take(MAX_TEXTS + 1).filter_map(|value| value.as_text().map(str::to_owned)).collect();
    (!texts.is_empty() && texts.len() <= MAX_TEXTS && texts.len() == closed.len()).then_some(texts)
}

/// The texts of `SELECT CASE WHEN … THEN 'a' ELSE 'b' END …` or `IIF(…, 'a', 'b')`.
fn list_case_texts(query: &str) -> Option<Vec<String>> {
    let tokens = tokenize_sql(query);
    let [select, case, rest @ ..] = tokens.as_slice() else { return None };
    if !select.is_keyword("SELECT") || !case.is_any("CASE IIF") {
        return None;
    }
    let mut texts = Vec::new();
    let is_iif = case.is_keyword("IIF");
    for (token, next) in rest.iter().zip(rest.iter().skip(1)) {
        if token.is_any("END FROM") {
            break;
        }
        if token.is_any("THEN ELSE") || is_iif && token.is_punct(",") {
            texts.push((next.kind == Kind::Text).then(|| next.to_unquoted())?);
        }
    }
    (!texts.is_empty()).then_some(texts)
}

/// Whether a possible text has such a character. `None` if that is not known.
pub(super) fn has_text_with<'a>(cx: &TaskCx<'a>, value: &'a Expr, fits: impl Fn(char) -> bool) -> Option<bool> {
    if let Some(texts) = list_texts(cx, value) {
        return Some(texts.iter().any(|text| text.chars().any(&fits)));
    }
    if value.find_query().is_some() {
        return None;
    }
    let fact = cx.facts().infer_expr(value, Scope::default());
    fact.domain.and_then(|domain| has_value_with(domain, &fits))
}

fn has_value_with(domain: &Domain, fits: &impl Fn(char) -> bool) -> Option<bool> {
    let has = |value: &Value| value.render_text().chars().any(fits);
    match domain {
        Domain::OneOf { .. } | Domain::Weighted { .. } => Some(domain.list_values()?.iter().any(has)),
        Domain::Template { parts } => {
            let mut found = false;
            for part in parts {
                found |= match part {
                    TemplatePart::Text(text) => text.chars().any(fits),
                    TemplatePart::Domain(domain) => has_value_with(domain, fits)?,
                };
            }
            Some(found)
        }
        _ => None,
    }
}

/// The texts of a value in quotes, for messages.
pub(super) fn describe_texts<'a>(cx: &TaskCx<'a>, value: &'a Expr) -> String {
    let texts = list_texts(cx, value).unwrap_or_default();
    let shown: Vec<String> = texts.iter().take(2).map(|text| format!("`{text}`")).collect();
    shown.join(" or ")
}
