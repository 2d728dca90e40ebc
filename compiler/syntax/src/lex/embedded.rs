//! The tokens inside queries and paths.

use super::{Embedded, Kind, Token, literals};
use crate::ast::RawKind;
use crate::lex::sql;

/// Splits raw text, which starts at byte `start` of the whole text, into its parts.
pub(super) fn lex_parts(text: &str, kind: RawKind, start: usize, tokens: &mut Vec<Token>) {
    let mut at = 0;
    while let Some(rest) = text.get(at..).filter(|rest| !rest.is_empty()) {
        let (part, length) = match kind {
            RawKind::Sql => lex_query_part(rest),
            RawKind::JsonPath | RawKind::XPath => lex_path_part(rest),
        };
        let (from, end) = (start + at, start + at + length);
        tokens.push(Token { kind: Kind::Embedded(part), start: from as u32, end: end as u32, parts: 0, first: false });
        at += length;
    }
}

/// The part at the start of a query, and its length, by the rules of SQLite.
fn lex_query_part(rest: &str) -> (Embedded, usize) {
    let (kind, length) = sql::scan_token(rest);
    let part = match kind {
        sql::Kind::Blank => Embedded::Blank,
        sql::Kind::Comment => Embedded::Comment,
        sql::Kind::Word | sql::Kind::Quoted => Embedded::Name,
        sql::Kind::Text | sql::Kind::Blob => Embedded::Text,
        sql::Kind::Unclosed if rest.starts_with(['"', '`', '[']) => Embedded::Name,
        sql::Kind::Unclosed => Embedded::Text,
        sql::Kind::Number => Embedded::Number,
        sql::Kind::Param => Embedded::Parameter,
        sql::Kind::Punct | sql::Kind::Stray => Embedded::Sign,
    };
    (part, length)
}

/// The part at the start of a JSONPath or XPath, and its length.
fn lex_path_part(rest: &str) -> (Embedded, usize) {
    let first = rest.chars().next().unwrap_or(' ');
    let run = |inside: fn(char) -> bool| rest.find(|c: char| !inside(c)).unwrap_or(rest.len());
    let quoted = || rest[1..].find(first).map_or(rest.len(), |end| end + 2);
    match first {
        '\'' | '"' => (Embedded::Text, quoted()),
        '`' => (Embedded::Name, quoted()),
        '0'..='9' => (Embedded::Number, literals::measure_number(rest.as_bytes())),
        _ if first.is_whitespace() => (Embedded::Blank, run(char::is_whitespace)),
        _ if first.is_alphabetic() || first == '_' => (Embedded::Name, run(|c| c.is_alphanumeric() || c == '_')),
        _ => (Embedded::Sign, first.len_utf8()),
    }
}
