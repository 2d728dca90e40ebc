//! The values of strings: indentation is removed and escapes are resolved.

use std::borrow::Cow;

use super::strings::{Resolved, read_escape};
use crate::ast::{Cooked, Expr, Piece, StringLit};

impl StringLit {
    /// Returns the value of the string in pieces; two texts are never adjacent.
    ///
    /// In `"""…"""`, the indentation of the least-indented line is removed from every line (blank lines do not count), the first newline and the blanks of the
    /// last line are dropped, and line endings are newlines ([`normalize_newlines`]). Escapes are resolved last, so `\n` never counts as a line here. An escape
    /// that does not exist (already reported) stays unchanged.
    pub fn cook(&self) -> Vec<Cooked<'_>> {
        let raw: Vec<Raw<'_>> = self
            .pieces
            .iter()
            .map(|piece| match piece {
                Piece::Text(text, _) => Raw::Text(normalize_newlines(text).into_owned()),
                Piece::Placeholder(expr) => Raw::Placeholder(expr),
            })
            .collect();
        let raw = if self.triple { dedent_pieces(raw) } else { raw };
        let mut cooked: Vec<Cooked<'_>> = Vec::new();
        for piece in raw {
            match piece {
                Raw::Placeholder(expr) => cooked.push(Cooked::Placeholder(expr)),
                Raw::Text(text) => {
                    let text = resolve_escapes(&text);
                    match cooked.last_mut() {
                        Some(Cooked::Text(before)) => before.push_str(&text),
                        _ if text.is_empty() => {}
                        _ => cooked.push(Cooked::Text(text)),
                    }
                }
            }
        }
        cooked
    }
}

/// Replaces every line ending with `\n`: `\r\n`, and `\r\r\n` from files that were converted twice.
pub fn normalize_newlines(text: &str) -> Cow<'_, str> {
    if !text.contains("\r\n") {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len());
    for line in text.split_inclusive('\n') {
        match line.strip_suffix('\n') {
            Some(line) => {
                out.push_str(line.trim_end_matches('\r'));
                out.push('\n');
            }
            None => out.push_str(line),
        }
    }
    Cow::Owned(out)
}

enum Raw<'a> {
    Text(String),
    Placeholder(&'a Expr),
}

const BLANKS: [char; 2] = [' ', '\t'];

/// Removes the common indentation, the first newline, and the blanks of the last line.
fn dedent_pieces(mut pieces: Vec<Raw<'_>>) -> Vec<Raw<'_>> {
    let indent = find_common_indent(&pieces);
    let only = pieces.len() == 1;
    for piece in &mut pieces {
        match piece {
            Raw::Placeholder(_) => {}
            Raw::Text(text) => {
                let mut out = String::with_capacity(text.len());
                for (number, line) in text.split('\n').enumerate() {
                    // The text after the opening quotes or a placeholder is not at the start of a line.
                    if number == 0 {
                        out.push_str(line);
                        continue;
                    }
                    let blanks = line.len() - line.trim_start_matches(BLANKS).len();
                    out.push('\n');
                    out.push_str(&line[indent.min(blanks)..]);
                }
                *text = out;
            }
        }
    }
    if let Some(Raw::Text(text)) = pieces.first_mut()
        && let Some((blanks, rest)) = text.split_once('\n')
        && blanks.trim_matches(BLANKS).is_empty()
    {
        *text = rest.to_owned();
    }
    if let Some(Raw::Text(text)) = pieces.last_mut() {
        match text.rfind('\n') {
            Some(last) if text[last + 1..].trim_matches(BLANKS).is_empty() => text.truncate(last + 1),
            None if only && text.trim_matches(BLANKS).is_empty() => text.clear(),
            _ => {}
        }
    }
    pieces
}

/// The number of leading blanks of the least-indented nonblank line; the line of the opening quotes does not count.
fn find_common_indent(pieces: &[Raw<'_>]) -> usize {
    let mut least: Option<usize> = None;
    for (index, piece) in pieces.iter().enumerate() {
        let Raw::Text(text) = piece else { continue };
        let lines: Vec<&str> = text.split('\n').collect();
        for (number, line) in lines.iter().enumerate().skip(1) {
            let rest = line.trim_start_matches(BLANKS);
            let open_end = number + 1 == lines.len() && index + 1 < pieces.len();
            if rest.is_empty() && !open_end {
                continue;
            }
            let blanks = line.len() - rest.len();
            least = Some(least.map_or(blanks, |least| least.min(blanks)));
        }
    }
    least.unwrap_or(0)
}

/// Replaces escapes with their characters.
fn resolve_escapes(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(found) = rest.find('\\') {
        out.push_str(&rest[..found]);
        let tail = &rest[found..];
        let escape = read_escape(tail);
        match escape.value {
            Some(Resolved::Char(c)) => out.push(c),
            Some(Resolved::Opening) => out.push_str("<<"),
            None => out.push_str(&tail[..escape.len]),
        }
        rest = &tail[escape.len..];
    }
    out.push_str(rest);
    out
}
