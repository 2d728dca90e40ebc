//! Explains built-in words under the cursor: domains, lints, tools, and keywords.

use std::fmt::Write as _;

use compiler::ast::{Node, Span, Stmt, StmtKind};
use compiler::diagnostics::find_code_by_name;
use compiler::syntax::lex::{self, Kind, Token};
use compiler::syntax::words::{self, Class};
use model::tools::Tool;

use super::super::Place;
use crate::context::Context;
use crate::render::wrap_in_fence;

/// Explains a domain of the language.
pub(super) fn explain_domain_word(place: &Place) -> Option<(String, Span)> {
    let name = place.find_node(|node| match node {
        Node::Named(named) => Some(&named.name),
        _ => None,
    })?;
    let word = words::iter_class(Class::Constructor).find(|word| word.text == name.text)?;
    Some((format!("{}\n\ndomain of the language", wrap_in_fence(word.snippet)), name.span))
}

/// Returns the page of a silenced lint.
pub(super) fn explain_lint(place: &Place) -> Option<(String, Span)> {
    let name = place.find_node(|node| match node {
        Node::Name(name) => Some(name),
        _ => None,
    })?;
    let code = find_code_by_name(&name.text).filter(|code| code.id.starts_with('W'))?;
    Some((code.page.to_owned(), name.span))
}

/// The words of the text and the tokens between them, without blanks and comments, and the index of the word under the cursor.
fn find_word(place: &Place) -> Option<(Vec<Token>, usize)> {
    let mut tokens = lex::guess_tokens(place.analysis.text(place.file)).tokens;
    tokens.retain(|token| !matches!(token.kind, Kind::Blank | Kind::Comment | Kind::Doc));
    let holds = |token: &Token| token.start <= place.offset && place.offset <= token.end;
    let at = tokens.iter().position(|token| token.kind == Kind::Word && holds(token))?;
    Some((tokens, at))
}

/// Explains a tool: the description that the model gets, and its parameters.
pub(super) fn explain_tool(place: &Place) -> Option<(String, Span)> {
    let text = place.analysis.text(place.file);
    let (tokens, at) = find_word(place)?;
    let token = tokens.get(at)?;
    let tool = Tool::from_word(token.text(text))?;
    if !Context::new(text, token.start as usize).is_in_tools() {
        return None;
    }
    let record = tool.record();
    let mut said = format!("`{}`: {}", tool.word(), record.description);
    for one in record.parameters {
        let optional = if one.required { "" } else { " (optional)" };
        let about = if one.description.is_empty() { String::new() } else { format!(": {}", one.description) };
        let _ = write!(said, "\n- `{}`{optional}{about}", one.name);
    }
    Some((said, Span::new(place.file, token.start, token.end)))
}

/// Explains a keyword where it is used.
pub(super) fn explain_keyword(place: &Place) -> Option<(String, Span)> {
    let text = place.analysis.text(place.file);
    let (tokens, at) = find_word(place)?;
    let word = |at: Option<usize>| {
        let token = tokens.get(at?).filter(|token| token.kind == Kind::Word)?;
        Some(token.text(text))
    };
    let around = (word(at.checked_sub(1)), word(at.checked_add(1)));
    let token = tokens.get(at)?;
    let own = token.text(text);
    let statement = place.find_node(|node| match node {
        Node::Stmt(stmt) => Some(stmt),
        _ => None,
    });
    let meant = match statement {
        // The words inside `each` have other meanings elsewhere: the statement's first word explains them.
        Some(Stmt { kind: StmtKind::Each(_), span, .. }) if words::iter_uses(own).next().is_some() => {
            let begun = place.analysis.sources().text(*span).split_whitespace().next();
            words::find_meant_use((None, None), begun.unwrap_or(own), false)
        }
        _ => words::find_meant_use(around, own, statement.is_some_and(|one| matches!(one.kind, StmtKind::Expect(_)))),
    }?;
    Some((format!("`{}`: {}", meant.label, meant.doc), Span::new(place.file, token.start, token.end)))
}
