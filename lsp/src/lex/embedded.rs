//! The parts of queries and paths, which are one token each to the language around them.

use super::{Kind, Token, number};

/// A part of a query or path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Part {
    /// What it is.
    pub kind: Embedded,
    /// First byte, in the whole text.
    pub start: usize,
    /// Behind the last byte.
    pub end: usize,
}

/// The kinds of [`Part`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Embedded {
    /// `-- …`, `/* … */`
    Comment,
    /// A keyword or a name, quoted or not.
    Name,
    /// A text in single quotes.
    Text,
    /// A number.
    Number,
    /// `:name`
    Parameter,
    /// Anything else, a character each.
    Sign,
}

/// The parts of a query or path that is a token of a text, blanks left out.
pub fn parts(text: &str, token: Token) -> Vec<Part> {
    let mut found = Vec::new();
    let mut at = token.start;
    let path = token.kind != Kind::Sql;
    while let Some(rest) = text.get(at..token.end)
        && let Some(first) = rest.chars().next()
    {
        let quoted = |close: char| rest.get(1..).and_then(|inner| inner.find(close)).map_or(rest.len(), |end| end + 2);
        let name = |from: usize| {
            let tail = rest.get(from..).unwrap_or("");
            from + tail.find(|c: char| !(c.is_alphanumeric() || c == '_')).unwrap_or(tail.len())
        };
        let (kind, length) = if first.is_whitespace() {
            at += first.len_utf8();
            continue;
        } else if !path && rest.starts_with("--") {
            (Embedded::Comment, rest.find('\n').unwrap_or(rest.len()))
        } else if !path && rest.starts_with("/*") {
            (Embedded::Comment, rest.find("*/").map_or(rest.len(), |end| end + 2))
        } else if first == '\'' || (path && first == '"') {
            (Embedded::Text, quoted(first))
        } else if first == '"' || first == '`' {
            (Embedded::Name, quoted(first))
        } else if first.is_alphabetic() || first == '_' {
            (Embedded::Name, name(0))
        } else if first.is_ascii_digit() {
            (Embedded::Number, number(rest))
        } else if !path && first == ':' && name(1) > 1 {
            (Embedded::Parameter, name(1))
        } else {
            (Embedded::Sign, first.len_utf8())
        };
        let end = (at + length.max(1)).min(token.end);
        found.push(Part { kind, start: at, end });
        at = end;
    }
    found
}
