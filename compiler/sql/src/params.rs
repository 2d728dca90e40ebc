//! Parameters: the task's names, bound as `:name`.

use model::span::Span;

use super::lex::{Kind, Token};
use super::request::{ParamKind, Query};
use syntax::diagnostics::{Applicability, Code, Diagnostic};

/// Reports invalid parameters, and returns the valid ones.
pub fn check_parameters(query: &Query<'_>, found: &mut Vec<Diagnostic>) -> Vec<(String, Span)> {
    let mut good = Vec::new();
    for (index, token) in query.tokens.iter().enumerate() {
        match token.kind {
            Kind::Param => match token.text.strip_prefix(':') {
                Some(name) => {
                    if let Some(diagnostic) = check_named_parameter(query, token, name) {
                        found.push(diagnostic);
                    } else {
                        good.push((name.to_owned(), query.to_token_span(token)));
                    }
                }
                None => found.push(build_form_error(query, token)),
            },
            Kind::Text => found.extend(check_quoted_parameter(query, token)),
            Kind::Punct if token.text == "<<" => found.extend(check_placeholder(query, index, token)),
            _ => {}
        }
    }
    good
}

/// Whether this is the name of a value of the task, which is written `:name`.
pub fn is_value(query: &Query<'_>, name: &str) -> bool {
    matches!((query.request.param)(name), ParamKind::Value { .. })
}

fn build_error(message: impl Into<String>, span: Span, label: impl Into<String>) -> Diagnostic {
    Diagnostic::new(Code::SQL_PARAMETER, message, span, label)
}

fn check_named_parameter(query: &Query<'_>, token: &Token<'_>, name: &str) -> Option<Diagnostic> {
    let span = query.to_token_span(token);
    let refuse = |what: &str, help: String| {
        Some(build_error(format!("a parameter needs one value, but `:{name}` is {what}"), span, what).help(help))
    };
    match (query.request.param)(name) {
        ParamKind::Value { .. } => None,
        ParamKind::File => refuse(
            "a file",
            format!(
                "a query reads the tables that are in scope; for the path as text, compute it first: `path = \"<<{name}>>\"`, and write `:path`"
            ),
        ),
        ParamKind::Relation => refuse("a relation", format!("read it as a table: `… IN (SELECT COLUMN FROM {name})`")),
        ParamKind::List => refuse(
            "a list",
            "name the values one by one, as in `… IN (:first, :second)`, or join with the table they come from"
                .to_owned(),
        ),
        ParamKind::Unknown { suggestion } => {
            let diagnostic =
                build_error(format!("parameter `:{name}` is not defined"), span, "unknown").with_unknown_name(name);
            Some(match suggestion {
                Some((near, clear)) => {
                    diagnostic.suggest(Applicability::from_clearness(clear), span, format!(":{near}"))
                }
                None => diagnostic.help(describe_task_values(query)),
            })
        }
    }
}

/// Renders `the values of this task are …`.
fn describe_task_values(query: &Query<'_>) -> String {
    let names = query.request.task_names;
    if names.is_empty() {
        return "draw or compute the value in the task first: `threshold : int 10..90`".to_owned();
    }
    let shown: Vec<String> = names.iter().take(12).map(|name| format!("`:{name}`")).collect();
    let more = if names.len() > shown.len() { ", …" } else { "" };
    format!("the task has {}{more}", shown.join(", "))
}

fn build_form_error(query: &Query<'_>, token: &Token<'_>) -> Diagnostic {
    let span = query.to_token_span(token);
    let name = token.text.get(1..).unwrap_or("");
    let diagnostic =
        build_error(format!("a parameter is written `:name`, not `{}`", token.text), span, "not of this form");
    if is_value(query, name) {
        diagnostic.help(format!("write `:{name}`")).replace(Applicability::Safe, span, format!(":{name}"))
    } else if let [only] = query.request.task_names {
        diagnostic.help(format!("write `:{only}`, if that value is meant"))
    } else {
        diagnostic.help("use any value of the task by its name, as in `WHERE AGE > :threshold`")
    }
}

/// Reports `'… :dept …'` and `'<<dept>>'`: text that was meant as a value.
fn check_quoted_parameter(query: &Query<'_>, token: &Token<'_>) -> Option<Diagnostic> {
    let inner = token.text.get(1..token.text.len().saturating_sub(1))?;
    for (open, close) in [(":", ""), ("<<", ">>"), ("${", "}"), ("{{", "}}"), ("{", "}")] {
        for (at, _) in inner.match_indices(open) {
            if inner
                .get(..at)
                .and_then(|before| before.chars().next_back())
                .is_some_and(|c| c.is_alphanumeric() || c == ':')
            {
                continue;
            }
            let rest = inner.get(at + open.len()..)?;
            let blanks = if close.is_empty() { 0 } else { rest.len() - rest.trim_start().len() };
            let rest = rest.get(blanks..)?;
            let length = rest.find(|c: char| !(c.is_alphanumeric() || c == '_')).unwrap_or(rest.len());
            let name = rest.get(..length)?;
            let after = rest.get(length..)?;
            let tail = if close.is_empty() {
                after
            } else {
                match after.trim_start().strip_prefix(close) {
                    Some(tail) => tail,
                    None => continue,
                }
            };
            if name.is_empty() || !is_value(query, name) {
                continue;
            }
            return Some(build_quoted_error(query, token, (inner, at), name, tail));
        }
    }
    None
}

fn build_quoted_error(
    query: &Query<'_>,
    token: &Token<'_>,
    (inner, at): (&str, usize),
    name: &str,
    tail: &str,
) -> Diagnostic {
    let from = token.start + 1 + at;
    let shown = query.to_span((from, token.end() - 1 - tail.len()));
    let written = query.slice_text((from, token.end() - 1 - tail.len())).to_owned();
    let whole = query.to_token_span(token);
    let message = format!("`{written}` is inside quotes, where it is plain text");
    let diagnostic = build_error(message, shown, format!("not the value of `{name}`"));
    if at == 0 && tail.is_empty() {
        let help = format!("write `:{name}` without the quotes, as in `… = :{name}`");
        return diagnostic.help(help).replace(Applicability::Safe, whole, format!(":{name}"));
    }
    let head = inner.get(..at).unwrap_or("");
    let mut parts = Vec::new();
    if !head.is_empty() {
        parts.push(format!("'{head}'"));
    }
    parts.push(format!(":{name}"));
    if !tail.is_empty() {
        parts.push(format!("'{tail}'"));
    }
    let joined = parts.join(" || ");
    diagnostic.help(format!("join the parts: `{joined}`")).fix(
        "join the parts with `||`",
        Applicability::Unsafe,
        whole,
        joined,
    )
}

/// Reports `<<name` in the query: the query ended at the `>>` that was meant to close this placeholder.
fn check_placeholder(query: &Query<'_>, index: usize, open: &Token<'_>) -> Option<Diagnostic> {
    let name = query.tokens.get(index + 1).filter(|token| token.kind == Kind::Word)?;
    let last = index + 2 == query.tokens.len();
    let closed = query.tokens.get(index + 2).is_some_and(|close| close.is_punct(">>"));
    let meant = last || (closed && is_value(query, name.text));
    if !meant {
        return None;
    }
    let end = if closed { query.tokens.get(index + 2)?.end() } else { name.end() };
    let span = query.to_span((open.start, end));
    let text = name.text;
    let diagnostic = build_error(format!("a query cannot contain `<<{text}>>`"), span, "the query would end here")
        .help(format!("write the value by its name: `:{text}`"));
    let mut edit = span;
    if !closed && name.end() == query.text.len() {
        // The `>>` directly after the query belongs to this placeholder.
        edit.end = edit.end.saturating_add(2);
    } else if !closed {
        return Some(diagnostic);
    }
    Some(diagnostic.replace(Applicability::Unsafe, edit, format!(":{text}")))
}
