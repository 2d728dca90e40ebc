//! Wording of facts.

use model::suite::Scope;
use model::{Span, Value};

use hir::facts::{Fact, Truth};
use hir::{Expr, ExprKind, Task};
use syntax::diagnostics::{Applicability, Code, Diagnostic};
use syntax::fmt::shorten_text;

/// The maximum number of characters of code that a message quotes.
pub const MAX_QUOTED: usize = 60;

/// Formats a value as an author writes it, shortened.
pub fn format_value(value: &Value) -> String {
    let short = shorten_text(&value.render_text(), 40);
    match value {
        Value::Text(_) => format!("\"{short}\""),
        Value::List(_) => format!("[{short}]"),
        _ => short,
    }
}

/// Describes a fact: `lies in 30000..90000`, `is one of "a", "b"`. Returns `None` if nothing is known.
pub fn describe_fact(fact: &Fact<'_>) -> Option<String> {
    const SHOWN: usize = 6;
    if let Some([only]) = fact.closed.as_deref() {
        return Some(format!("is always {}", format_value(only)));
    }
    match (&fact.closed, &fact.range) {
        (Some(values), _) if !values.is_empty() && values.len() <= SHOWN => {
            let shown: Vec<String> = values.iter().map(format_value).collect();
            Some(format!("is one of {}", shown.join(", ")))
        }
        (_, Some((low, high))) if !matches!(low, Value::Text(_) | Value::Bool(_)) => {
            Some(format!("is between {} and {}", low.render_text(), high.render_text()))
        }
        (Some(values), _) if !values.is_empty() => {
            let shown: Vec<String> = values.iter().take(SHOWN).map(format_value).collect();
            Some(format!("is one of {} and {} others", shown.join(", "), values.len() - SHOWN))
        }
        _ if fact.domain.is_some() => Some("does not have this value in its domain".to_owned()),
        _ => None,
    }
}

/// Returns the span of the declaration that an expression names.
pub fn find_declaration(task: &Task, expr: &Expr, scope: Scope) -> Option<Span> {
    match expr.kind {
        ExprKind::Name(name) => task.names.get(name).map(|name| name.span),
        _ => Some(task.find_column(expr.find_cell(scope)?)?.span),
    }
}

/// Suggests the closest value, with a fix if the value is written as a literal.
pub(super) fn suggest_replacement(said: Diagnostic, near: &str, clear: bool, span: Span, written: &str) -> Diagnostic {
    let said = said.help(format!("did you mean \"{near}\"?"));
    if !written.starts_with('"') {
        return said;
    }
    let applicability = Applicability::from_clearness(clear);
    said.fix(format!("replace with \"{near}\""), applicability, span, format!("\"{near}\""))
}

/// Finds the text among known values that is the closest to `word`, and whether it is clearly meant.
pub fn find_nearest_text<'v>(word: &str, values: impl IntoIterator<Item = &'v Value>) -> Option<(String, bool)> {
    names::find_best(word, values.into_iter().filter_map(Value::as_text))
}

/// The values that one text holds, such as `Sales, Legal`, if all its parts are values.
pub fn split_values<'w, 'v>(word: &'w str, values: impl Iterator<Item = &'v Value> + Clone) -> Option<Vec<&'w str>> {
    let parts: Vec<&str> = word.split([',', ';', '|']).map(str::trim).collect();
    let is_value = |part: &&str| values.clone().any(|value| value.as_text() == Some(part));
    (parts.len() > 1 && parts.iter().all(is_value)).then_some(parts)
}

/// Labels a declaration with what is known of its values.
pub fn label_with_fact(said: Diagnostic, declared: Option<Span>, fact: &Fact<'_>) -> Diagnostic {
    let is = || describe_fact(fact).unwrap_or_else(|| "declared here".to_owned());
    said.with_labels(declared.map(|declared| (declared, is())))
}

/// Builds the diagnostic for a comparison whose drawn side is never, or always, among the values of its other side. `drawn` is the name with its values,
/// `data` the other side, as written, with its declaration and its values, and `whole` the comparison, as written.
pub fn build_draw_diagnostic(
    (drawn, values): (&hir::Name, &Fact<'_>),
    (data, declared, seen): (&str, Option<Span>, &Fact<'_>),
    (written, whole): (&str, Span),
    truth: Truth,
) -> Diagnostic {
    let word = if truth == Truth::Always { "always" } else { "never" };
    let is = describe_fact(seen);
    Diagnostic::new(
        Code::OUT_OF_RANGE_DRAW,
        format!("`{written}` is {word} true, for every `{}`", drawn.name),
        drawn.span,
        describe_fact(values).unwrap_or_else(|| "drawn here".to_owned()),
    )
    .label(whole, format!("{word} holds"))
    .with_labels(declared.zip(is.clone()))
    .help(match is {
        Some(is) => format!("draw `{}` from the values of `{data}`, which {is}", drawn.name),
        None => format!("draw `{}` from the values of `{data}`", drawn.name),
    })
}

/// Suggests more values for a compared expression that has the same value in every sample and row.
pub fn suggest_more_values(name: &str) -> String {
    format!("let `{name}` have more than one value, or remove it with the comparison")
}

/// Whether a value can be an int that a double does not hold.
pub(super) fn has_large_ints(fact: &Fact<'_>) -> bool {
    const MAX_EXACT: i64 = 1 << 53;
    let is_large = |value: &Value| matches!(value, Value::Int(int) if !(-MAX_EXACT..=MAX_EXACT).contains(int));
    fact.range.as_ref().is_some_and(|(low, high)| is_large(low) || is_large(high))
}
