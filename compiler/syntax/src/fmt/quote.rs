//! Quotes of the source in messages: a piece of code as the formatter would write it, on one line. So a message depends on what the author wrote, and never on
//! how it was laid out.

use super::measure::{join_blanks, write_nodes};
use super::tokens::{self, Kind};
use super::tree::{self, Entry, Node};
use super::{marks, normalize_text};
use crate::ast::SourceId;
use crate::parse;

/// Returns an expression, an argument, or a range in canonical layout on one line, without comments. Code that cannot be parsed on its own keeps its blanks, and its line
/// breaks become blanks.
pub fn quote_code(code: &str) -> String {
    let code = code.trim();
    // A name, a number, a short text: most quotes.
    if !code.contains(|c: char| c.is_whitespace() || !(c.is_alphanumeric() || c == '_')) {
        return code.to_owned();
    }
    let lay_out_range = || {
        let (low, high) = code.split_once("..")?;
        Some(format!("{}..{}", lay_out(low)?, lay_out(high)?))
    };
    lay_out(code).or_else(lay_out_range).unwrap_or_else(|| join_blanks(code))
}

/// Cuts a text after `most` characters, the last of which is `…`.
pub fn shorten_text(text: &str, most: usize) -> String {
    if text.chars().count() <= most {
        return text.to_owned();
    }
    text.chars().take(most.saturating_sub(1)).chain(['…']).collect()
}

/// Lays out code as the only argument of a call, because an argument may be any expression, with or without `where`.
fn lay_out(code: &str) -> Option<String> {
    let text = normalize_text(&format!("x = x({code}\n)\n"));
    let file = parse::parse_valid_source(&text, SourceId(0))?;
    let marks = marks::collect_marks(&file);
    let mut tokens = tokens::collect_tokens(&text, &marks);
    tokens.retain(|token| !matches!(token.kind, Kind::Comment));
    tokens.iter_mut().for_each(|token| token.breaks = 0);
    let root = tree::build_tree(&tokens, &marks);
    let [Entry::Part { nodes, .. }] = root.entries.as_slice() else { return None };
    // The name, `=`, and the call.
    let [_, _, _, Node::Group(call)] = nodes.as_slice() else { return None };
    let mut out = String::new();
    write_nodes(&call.nodes, Some(call.role), &mut out)?;
    Some(out)
}
