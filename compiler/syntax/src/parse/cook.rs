//! The values of strings: indentation is removed and escapes are resolved.

use std::borrow::Cow;

use super::strings::{Resolved, read_escape};
use crate::ast::{Cooked, Piece, StringLit};

impl StringLit {
    /// Returns the value of the string in pieces; two texts are never adjacent.
    ///
    /// In `"""…"""`, the indentation of the least-indented line is removed from every line (blank lines do not count), the first newline and the blanks of the
    /// last line are dropped, and line endings are newlines ([`normalize_newlines`]). Escapes are resolved last, so `\n` never counts as a line here. An escape
    /// that does not exist (already reported) stays unchanged.
    pub fn cook(&self) -> Vec<Cooked<'_>> {
        let pieces = self.pieces.iter().map(|piece| match piece {
            Piece::Text(text, _) => Cooked::Text(normalize_newlines(text).into_owned()),
            Piece::Placeholder(expr) => Cooked::Placeholder(expr),
        });
        let mut raw: Vec<Cooked<'_>> = pieces.collect();
        if self.triple {
            dedent_pieces(&mut raw);
        }
        let mut cooked: Vec<Cooked<'_>> = Vec::new();
        for piece in raw {
            match piece {
                Cooked::Placeholder(_) => cooked.push(piece),
                Cooked::Text(text) => {
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

pub(crate) const BLANKS: [char; 2] = [' ', '\t'];

/// Removes the common indentation, the first newline, and the blanks of the last line.
fn dedent_pieces(pieces: &mut [Cooked<'_>]) {
    let indent = find_common_indent(pieces);
    let only = pieces.len() == 1;
    for piece in pieces.iter_mut() {
        let Cooked::Text(text) = piece else { continue };
        // The text after the opening quotes or a placeholder is not at the start of a line.
        let (first, lines) = text.split_once('\n').map_or((text.as_str(), None), |(first, lines)| (first, Some(lines)));
        let mut out = String::with_capacity(text.len());
        out.push_str(first);
        for line in lines.into_iter().flat_map(|lines| lines.split('\n')) {
            out.push('\n');
            out.push_str(&line[indent.min(count_blanks(line))..]);
        }
        *text = out;
    }
    if let Some(Cooked::Text(text)) = pieces.first_mut()
        && let Some((blanks, rest)) = text.split_once('\n')
        && blanks.trim_matches(BLANKS).is_empty()
    {
        *text = rest.to_owned();
    }
    if let Some(Cooked::Text(text)) = pieces.last_mut() {
        match text.rfind('\n') {
            Some(last) if text[last + 1..].trim_matches(BLANKS).is_empty() => text.truncate(last + 1),
            None if only && text.trim_matches(BLANKS).is_empty() => text.clear(),
            _ => {}
        }
    }
}

/// The number of leading blanks of the least-indented nonblank line; the line of the opening quotes does not count.
fn find_common_indent(pieces: &[Cooked<'_>]) -> usize {
    let mut indents = Vec::new();
    for (index, piece) in pieces.iter().enumerate() {
        let Cooked::Text(text) = piece else { continue };
        let mut lines = text.split('\n').skip(1).peekable();
        while let Some(line) = lines.next() {
            let blanks = count_blanks(line);
            let is_open = lines.peek().is_none() && index + 1 < pieces.len();
            indents.extend((blanks < line.len() || is_open).then_some(blanks));
        }
    }
    indents.into_iter().min().unwrap_or(0)
}

/// The number of blanks at the start of a line.
pub(crate) fn count_blanks(line: &str) -> usize {
    line.len() - line.trim_start_matches(BLANKS).len()
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
