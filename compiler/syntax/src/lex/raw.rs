//! Raw text in placeholders: its start, its language, and its end.

use super::literals::{is_word, measure_line, measure_quoted, measure_word};
use super::{DEEPEST, Kind, Lexer, embedded};
use crate::ast::RawKind;
use crate::words;

/// The kinds of pieces of raw text, for finding its end.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Unit {
    /// A comment of SQL, quotes that close on their line, or `->>`; it cannot contain the end of raw text.
    Shut,
    /// A quote that does not close on its line, which is treated as an ordinary character.
    LoneQuote,
    /// One byte.
    Byte,
}

/// The piece at the start of raw text, and its length.
fn lex_unit(text: &[u8], kind: RawKind) -> (Unit, usize) {
    let sql = kind == RawKind::Sql;
    match text {
        [b'-', b'>', b'>', ..] if sql => (Unit::Shut, 3),
        [b'-', b'-', ..] if sql => (Unit::Shut, measure_line(text)),
        [b'/', b'*', ..] if sql => (Unit::Shut, measure_block_comment(text)),
        [b'\'' | b'"' | b'`', ..] => measure_quoted(text).map_or((Unit::LoneQuote, 1), |length| (Unit::Shut, length)),
        _ => (Unit::Byte, 1),
    }
}

/// The number of bytes of the `/* … */` at the start of a text. As in SQLite, an unclosed one extends to the end.
fn measure_block_comment(text: &[u8]) -> usize {
    text.windows(2).skip(2).position(|two| two == b"*/").map_or(text.len(), |length| length + 4)
}

/// Whether raw text has a quote on its last line that does not close there, so any text after it on the line could close the quote.
pub fn has_open_quote(text: &str, kind: RawKind) -> bool {
    let mut rest = text.as_bytes();
    while !rest.is_empty() {
        let (unit, length) = lex_unit(rest, kind);
        if unit == Unit::LoneQuote && measure_line(rest) == rest.len() {
            return true;
        }
        rest = &rest[length..];
    }
    false
}

/// The language of the raw text that starts here, if there is any.
pub fn detect_raw_kind(text: &str) -> Option<RawKind> {
    let text = text.as_bytes();
    match text.first()? {
        b'$' => Some(RawKind::JsonPath),
        _ if is_sql_start(text) => Some(RawKind::Sql),
        b'/' => Some(RawKind::XPath),
        _ => is_xpath_start(text).then_some(RawKind::XPath),
    }
}

/// Whether an XPath that begins with brackets or functions starts here: `(//name)[1]`, `count(//name)`. A value cannot begin with `/`.
fn is_xpath_start(text: &[u8]) -> bool {
    let mut rest = text;
    let mut opened = false;
    loop {
        let word = rest.iter().position(|byte| !byte.is_ascii_alphabetic() && *byte != b'-').unwrap_or(rest.len());
        match rest[word..].trim_ascii_start().strip_prefix(b"(") {
            Some(inner) => (rest, opened) = (inner.trim_ascii_start(), true),
            None => return opened && rest.starts_with(b"/"),
        }
    }
}

/// The number of bytes of the SQL comments at the start of a text, with the blanks after each.
fn measure_comments(text: &[u8]) -> usize {
    let mut at = 0;
    loop {
        let rest = &text[at..];
        at += match rest {
            [b'-', b'-', ..] => measure_line(rest),
            [b'/', b'*', ..] => measure_block_comment(rest),
            _ => return at,
        };
        at += text[at..].len() - text[at..].trim_ascii_start().len();
    }
}

/// Whether SQL starts here, possibly after comments.
fn is_sql_start(text: &[u8]) -> bool {
    let text = &text[measure_comments(text)..];
    let (first, rest) = text.split_at(measure_word(text));
    let after = rest.trim_ascii_start();
    let is = |wanted: &str| first.eq_ignore_ascii_case(wanted.as_bytes());
    let apart = rest.first().is_some_and(u8::is_ascii_whitespace);
    let second = |wanted: &str| apart && after[..measure_word(after)].eq_ignore_ascii_case(wanted.as_bytes());
    let object = || {
        apart
            && after.first().is_some_and(|byte| is_word(*byte) || b"'\"".contains(byte))
            && !words::iter_reserved().any(second)
    };
    if is("values") {
        return after.starts_with(b"(");
    }
    (is("insert") || is("replace")) && second("into")
        || is("delete") && second("from")
        || ["update", "drop", "create", "alter", "attach", "detach", "pragma"].iter().any(|word| is(word)) && object()
        || (is("select") || is("with"))
            && !rest.starts_with(b".")
            && !after.starts_with(b",")
            && !after.starts_with(b">>")
}

impl Lexer<'_> {
    /// Lexes raw text if any starts at `at`, and returns whether it does; `opening` is the start of its placeholder.
    pub(super) fn lex_raw(&mut self, opening: usize) -> bool {
        let start = self.at;
        if start < self.no_query && self.rest().starts_with(b"--") {
            return false;
        }
        let Some(kind) = detect_raw_kind(&self.source[start..]) else {
            // Comments without a query after them; later comments among them do not precede a query either.
            self.no_query = start + measure_comments(self.rest());
            return false;
        };
        let end = if start < self.lost_until { None } else { self.find_raw_end(kind) };
        // Unclosed raw text ends with its line.
        let text = &self.source[start..end.unwrap_or_else(|| self.end_of_line(start))];
        let text = text.trim_end_matches([' ', '\t', '\r', '\n']);
        self.at = start + text.len();
        let whole = self.push_token(Kind::Raw(kind), start);
        embedded::lex_parts(text, kind, start, &mut self.found.tokens);
        self.end_whole(whole);
        if let Some(newline) = text.rfind('\n') {
            self.indent = self.measure_indent(start + newline + 1);
        }
        if end.is_none() {
            self.close_lost_placeholder(opening, self.at);
        }
        true
    }

    /// The end of the raw text that starts at `at`: before the `>>` that closes the placeholder.
    fn find_raw_end(&mut self, kind: RawKind) -> Option<usize> {
        let mut at = self.at;
        let mut parens: Vec<usize> = Vec::new();
        let mut ignored = 0;
        loop {
            let rest = &self.bytes[at..];
            // Parentheses must be closed before these, or they are ignored.
            let ends = match rest.first() {
                None => true,
                Some(b'{' | b'}') => !parens.is_empty(),
                Some(b'\n') => self.meant && self.must_end_placeholder(at + 1),
                Some(_) => false,
            };
            if ends && let Some(first) = parens.first() {
                at = first + 1;
                ignored = at;
                parens.clear();
                continue;
            }
            if ends {
                self.lost_until = at;
                return None;
            }
            match rest {
                [b'>', b'>', ..] if parens.is_empty() => return Some(at),
                [b'(', ..] if at >= ignored => {
                    parens.push(at);
                    if self.depth() + parens.len() > DEEPEST {
                        self.found.too_deep = self.found.too_deep.or(Some(at as u32));
                        self.lost_until = at;
                        return None;
                    }
                    at += 1;
                }
                [b')', ..] => {
                    parens.pop();
                    at += 1;
                }
                _ => at += lex_unit(rest, kind).1,
            }
        }
    }
}
