//! Wording of facts.

use model::suite::Scope;
use model::{Span, Value};

use hir::facts::Fact;
use hir::{Expr, ExprKind, Task};
use syntax::diagnostics::{Applicability, Diagnostic};
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
    let column = |relation: Option<model::suite::RelationId>, column: model::suite::ColumnId| {
        let relation = task.relations.get(relation?)?;
        relation.columns.get(column).map(|column| column.span)
    };
    match &expr.kind {
        ExprKind::Name(name) => task.names.get(*name).map(|name| name.span),
        ExprKind::Column(id) => column(scope.row, *id),
        ExprKind::OuterColumn(id) => column(scope.outer, *id),
        _ => None,
    }
}

/// Suggests the closest value, with a fix if the value is written as a literal.
pub(super) fn suggest_replacement(said: Diagnostic, near: &str, clear: bool, span: Span, written: &str) -> Diagnostic {
    let said = said.help(format!("did you mean \"{near}\"?"));
    if !written.starts_with('"') {
        return said;
    }
    let applicability = if clear { Applicability::Safe } else { Applicability::Unsafe };
    said.fix(format!("replace with \"{near}\""), applicability, span, format!("\"{near}\""))
}

/// Suggests more values for a compared expression that has the same value in every sample and row.
pub fn suggest_more_values(name: &str) -> String {
    format!("let `{name}` have more than one value, or remove it with the comparison")
}
