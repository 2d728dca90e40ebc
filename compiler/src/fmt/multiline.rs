//! Strings and raw text that run over several lines: how they move with the line they begin on, and mean the same.

use crate::ast::{Piece, Raw, RawKind, StringLit};

const BLANKS: [char; 2] = [' ', '\t'];

/// A line of a string, behind its first.
pub(super) struct Row<'a> {
    /// Blanks in front: those asked for, where the line may be moved.
    pub indent: usize,
    /// The rest.
    pub text: &'a str,
}

/// The lines of a `"""…"""` behind its first, as `source` has them; what the language takes off every line is replaced by `indent` blanks.
///
/// See [`StringLit::cook`] for what that is. Lines inside of placeholders stay as they are.
pub(super) fn rows<'a>(string: &StringLit, source: &'a str, indent: usize) -> Vec<Row<'a>> {
    let lines: Vec<Written<'a>> = written(string, source);
    let common = lines.iter().filter(|line| line.counts).map(|line| blanks(line.text)).min();
    let last = lines.len().saturating_sub(1);
    let row = |(number, line): (usize, Written<'a>)| {
        let taken = blanks(line.text).min(common.unwrap_or(0));
        let rest = line.text.get(taken..).unwrap_or("");
        let closing = number == last && !line.counts && line.in_text;
        match common {
            _ if !line.in_text => Row { indent: 0, text: line.text },
            _ if closing => Row { indent, text: line.text.trim_start_matches(BLANKS) },
            // No line says anything: nothing is taken off.
            None => Row { indent: 0, text: line.text },
            Some(_) if rest.is_empty() => Row { indent: 0, text: "" },
            Some(_) => Row { indent, text: rest },
        }
    };
    lines.into_iter().enumerate().map(row).collect()
}

/// A line of a string behind its first.
struct Written<'a> {
    text: &'a str,
    /// It begins in text, not in a placeholder.
    in_text: bool,
    /// Its blanks count for what all lines have in common.
    counts: bool,
}

fn written<'a>(string: &StringLit, source: &'a str) -> Vec<Written<'a>> {
    let start = string.span.start as usize;
    // Where the text pieces are, in `source`.
    let texts: Vec<(usize, usize)> = string
        .pieces
        .iter()
        .filter_map(|piece| match piece {
            Piece::Text(_, span) => Some(((span.start as usize) - start, (span.end as usize) - start)),
            Piece::Placeholder(_) => None,
        })
        .collect();
    let close = source.len() - if string.triple { 3 } else { 1 };
    let mut lines = Vec::new();
    let mut at = source.find('\n').map(|found| found + 1);
    while let Some(from) = at {
        let rest = source.get(from..).unwrap_or("");
        let end = rest.find('\n').map(|found| from + found);
        let text = source.get(from..end.unwrap_or(source.len())).unwrap_or("");
        // The line break in front of the line is the last character of a piece, or within it.
        let in_text = texts.iter().any(|(first, behind)| *first < from && from <= *behind);
        let says = from + blanks(text);
        let blank = end == Some(says) || says == close;
        lines.push(Written { text, in_text, counts: in_text && string.triple && !blank });
        at = end.map(|end| end + 1);
    }
    lines
}

fn blanks(text: &str) -> usize {
    text.len() - text.trim_start_matches(BLANKS).len()
}

/// Whether the lines of raw text may be moved: not where one begins inside of quotes.
pub(super) fn may_move(raw: &str) -> bool {
    let mut open: Option<char> = None;
    let mut rest = raw.chars().peekable();
    while let Some(c) = rest.next() {
        match (open, c) {
            (Some(_), '\n') => return false,
            (Some(quote), c) if c == quote => open = None,
            (Some(_), _) => {}
            (None, '\'' | '"' | '`' | '[') => open = Some(if c == '[' { ']' } else { c }),
            // An apostrophe in a comment opens nothing.
            (None, '-') if rest.peek() == Some(&'-') => while rest.next_if(|c| *c != '\n').is_some() {},
            (None, '/') if rest.peek() == Some(&'*') => {
                let mut before = ' ';
                rest.next();
                for c in rest.by_ref() {
                    if before == '*' && c == '/' {
                        break;
                    }
                    before = c;
                }
            }
            (None, _) => {}
        }
    }
    true
}

/// Whether raw text ends behind a quote that is not closed on its line. To the grammar such a quote is a character like any other, as long as there is
/// no second one.
pub(super) fn ends_in_quotes(raw: &Raw) -> bool {
    let mut rest = raw.text.as_str();
    while let Some(first) = rest.chars().next() {
        let line = rest.find('\n').unwrap_or(rest.len());
        let length = match first {
            '-' if raw.kind == RawKind::Sql && rest.starts_with("--") => line,
            '/' if raw.kind == RawKind::Sql && rest.starts_with("/*") => {
                rest.get(2..).and_then(|rest| rest.find("*/")).map_or(rest.len(), |length| length + 4)
            }
            '\'' | '"' | '`' => match rest.get(1..line).and_then(|line| line.find(first)) {
                Some(length) => length + 2,
                None if line == rest.len() => return true,
                None => 1,
            },
            _ => first.len_utf8(),
        };
        rest = rest.get(length..).unwrap_or("");
    }
    false
}
