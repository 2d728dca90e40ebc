//! Raw text in placeholders: where it starts, and where it ends.

use super::{DEEPEST, Kind, Scanner};
use crate::syntax::words;

impl Scanner<'_> {
    /// If raw text starts at `at`, passes over it.
    pub(super) fn raw(&mut self, opening: usize) {
        if !raw_starts(self.rest()) {
            return;
        }
        let start = self.at;
        let end = if start < self.lost_until { None } else { self.raw_end() };
        match end {
            Some(end) => {
                self.token(Kind::Raw, start, end);
                self.at = end;
            }
            None => self.placeholder_lost(opening),
        }
    }

    /// Where the raw text ends that starts at `at`: before the `>>` that closes the placeholder.
    pub(super) fn raw_end(&mut self) -> Option<usize> {
        let mut at = self.at;
        let mut parens: Vec<usize> = Vec::new();
        let mut ignored = 0;
        let sql = !matches!(self.peek(0), b'$')
            && !xpath_starts(self.rest())
            && (self.peek(0) != b'/' || self.peek(1) == b'*' && sql_starts(self.rest()));
        loop {
            let rest = self.bytes.get(at..).unwrap_or(&[]);
            let Some(first) = rest.first() else {
                self.lost_until = at;
                return None;
            };
            match first {
                b'>' if rest.starts_with(b">>") && parens.is_empty() => return Some(at),
                b'-' if sql && rest.starts_with(b"->>") => at += 3,
                b'-' if sql && rest.starts_with(b"--") => at = self.end_of_line(at),
                b'/' if sql && rest.starts_with(b"/*") => match rest.windows(2).skip(2).position(|two| two == b"*/") {
                    Some(length) => at += length + 4,
                    None => at = self.bytes.len(),
                },
                quote @ (b'\'' | b'"' | b'`') => {
                    let end = rest[1..].iter().position(|byte| byte == quote || *byte == b'\n');
                    at += match end {
                        Some(length) if rest[length + 1] == *quote => length + 2,
                        _ => 1,
                    };
                }
                b'(' if at >= ignored => {
                    parens.push(at);
                    if self.open.iter().sum::<usize>() + parens.len() > DEEPEST {
                        self.found.too_deep = Some(at as u32);
                        return None;
                    }
                    at += 1;
                }
                b')' => {
                    parens.pop();
                    at += 1;
                }
                b'{' | b'}' if !parens.is_empty() => {
                    // A parenthesis that is never closed counts for nothing.
                    at = parens[0] + 1;
                    ignored = at;
                    parens.clear();
                }
                b'\n' => {
                    let line = if self.guess { self.line(at + 1).trim() } else { "" };
                    if parens.is_empty() && (line == "}" || words::starts_statement(line)) {
                        self.lost_until = at;
                        return None;
                    }
                    at += 1;
                }
                _ => at += 1,
            }
        }
    }
}

/// Whether SQL, JSONPath or XPath starts here.
fn raw_starts(text: &[u8]) -> bool {
    matches!(text.first(), Some(b'$' | b'/')) || sql_starts(text) || xpath_starts(text)
}

/// Whether an XPath starts here that begins with brackets or functions: `(//name)[1]`, `count(//name)`. No value starts with `/`.
pub(in crate::parse) fn xpath_starts(text: &[u8]) -> bool {
    let mut rest = text;
    let mut opened = false;
    loop {
        let word = rest.iter().position(|byte| !byte.is_ascii_alphabetic() && *byte != b'-').unwrap_or(rest.len());
        let behind = rest[word..].trim_ascii_start();
        match behind.strip_prefix(b"(") {
            Some(inner) => (rest, opened) = (inner.trim_ascii_start(), true),
            None => return opened && rest.starts_with(b"/"),
        }
    }
}

/// Whether SQL starts here, after comments.
pub(in crate::parse) fn sql_starts(text: &[u8]) -> bool {
    let mut text = text;
    loop {
        let end = if text.starts_with(b"--") {
            text.iter().position(|byte| *byte == b'\n').unwrap_or(text.len())
        } else if text.starts_with(b"/*") {
            text.windows(2).skip(2).position(|two| two == b"*/").map_or(text.len(), |length| length + 4)
        } else {
            break;
        };
        text = text[end..].trim_ascii_start();
    }
    let word = text.iter().position(|byte| !byte.is_ascii_alphanumeric() && *byte != b'_').unwrap_or(text.len());
    let behind = text[word..].trim_ascii_start();
    if text[..word].eq_ignore_ascii_case(b"values") {
        return behind.starts_with(b"(");
    }
    let second = |wanted: &[u8]| {
        let end = behind.iter().position(|byte| !byte.is_ascii_alphanumeric() && *byte != b'_').unwrap_or(behind.len());
        text.get(word).is_some_and(u8::is_ascii_whitespace) && behind[..end].eq_ignore_ascii_case(wanted)
    };
    let is = |wanted: &str| text[..word].eq_ignore_ascii_case(wanted.as_bytes());
    let object = || {
        text.get(word).is_some_and(u8::is_ascii_whitespace)
            && behind.first().is_some_and(|byte| byte.is_ascii_alphanumeric() || b"_'\"".contains(byte))
            && !words::reserved().any(|reserved| second(reserved.as_bytes()))
    };
    let writes = (is("insert") || is("replace")) && second(b"into")
        || is("delete") && second(b"from")
        || ["update", "drop", "create", "alter", "attach", "detach", "pragma"].iter().any(|word| is(word)) && object();
    if writes {
        return true;
    }
    (is("select") || is("with"))
        && !text[word..].starts_with(b".")
        && !behind.starts_with(b",")
        && !behind.starts_with(b">>")
}
