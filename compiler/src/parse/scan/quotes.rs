//! Strings and placeholders, and where those end that are never closed.

use super::{Kind, Mode, Scanner, Unclosed};
use crate::syntax::words;

/// How far to look for the other quote of a pair.
const LOOKAHEAD: usize = 2_000;

impl Scanner<'_> {
    /// Inside a string, at `at`.
    pub(super) fn text(&mut self, start: usize, triple: bool) {
        match self.peek(0) {
            b'\\' => {
                self.at += if self.peek(1) == b'\n' {
                    1
                } else if self.rest()[1..].starts_with(b"<<") {
                    3
                } else {
                    2
                }
            }
            b'"' if !triple => self.end_text(start, self.at + 1),
            b'"' if self.rest().starts_with(b"\"\"\"") && self.peek(3) != b'"' => self.end_text(start, self.at + 3),
            b'<' if self.peek(1) == b'<' => self.open_placeholder(),
            b'\n' if !triple => {
                self.unclosed(Unclosed::Text, start);
                // A `{` at the line's end opens a block all the same.
                let line = self.source.get(start..self.at).unwrap_or("").trim_end();
                let end = if line.ends_with('{') && self.quoted == 1 { start + line.len() - 1 } else { self.at };
                self.end_text(start, end);
            }
            b'\n' if self.guess && self.escaped_block(start) => {
                self.unclosed(Unclosed::Triple, start);
                self.end_text(start, self.at);
            }
            _ => self.at += 1,
        }
    }

    /// Whether the line behind the newline at `at` starts a statement that is no part of the `"""` from `start`: it stands no
    /// deeper, and what would close the string is the opening of another.
    pub(super) fn escaped_block(&mut self, start: usize) -> bool {
        let line = self.line(self.at + 1);
        let indent = line.len() - line.trim_start().len();
        let text = line.trim();
        let own = self.indent_of(start);
        if !(text.starts_with('}') && text.len() == 1 && indent < own || indent <= own && words::starts_statement(text))
        {
            return false;
        }
        if self.next_triple.is_none_or(|next| next < self.at) {
            let rest = self.source.get(self.at..).unwrap_or("");
            self.next_triple = Some(rest.find("\"\"\"").map_or(usize::MAX, |found| self.at + found));
        }
        match self.next_triple {
            None | Some(usize::MAX) => true,
            Some(closing) => {
                let head = self.source.get(self.line_from(closing)..closing).unwrap_or("").trim();
                !head.is_empty()
                    && (words::starts_statement(&format!("{head} \"")) || head.ends_with(['=', ':', '[', ',']))
            }
        }
    }

    pub(super) fn line_from(&self, at: usize) -> usize {
        self.bytes[..at].iter().rposition(|byte| *byte == b'\n').map_or(0, |newline| newline + 1)
    }

    pub(super) fn indent_of(&self, at: usize) -> usize {
        self.bytes[self.line_from(at)..].iter().take_while(|byte| matches!(byte, b' ' | b'\t')).count()
    }

    pub(super) fn line(&self, from: usize) -> &str {
        self.source.get(from..self.end_of_line(from.min(self.bytes.len()))).unwrap_or("")
    }

    /// Ends the innermost string before `end`.
    pub(super) fn end_text(&mut self, start: usize, end: usize) {
        self.modes.pop();
        self.quoted -= 1;
        self.at = end;
        self.token(Kind::Text, start, end);
    }

    pub(super) fn open_placeholder(&mut self) {
        let start = self.at;
        self.token(Kind::Open(b'<'), start, start + 2);
        self.count(3, start);
        self.at += 2;
        let brackets = self.brackets();
        self.skip_blanks();
        let trimmed = &self.source[self.at..];
        let name = trimmed.find(|c: char| !c.is_ascii_alphanumeric() && c != '_').unwrap_or(trimmed.len());
        let behind = trimmed[name..].trim_start_matches([' ', '\t', '\r', '\n']);
        let form = name > 0 && behind.starts_with(':');
        self.modes.push(Mode::Placeholder { start, form, brackets });
        if form {
            self.token(Kind::Word, self.at, self.at + name);
            self.at = self.bytes.len() - behind.len();
            self.token(Kind::Sign, self.at, self.at + 1);
            self.at += 1;
            self.skip_blanks();
            self.raw(start);
        }
    }

    /// The placeholder from `opening` has no end: goes on behind its line, outside every string.
    pub(super) fn placeholder_lost(&mut self, opening: usize) {
        self.unclosed(Unclosed::Placeholder, opening);
        let end = self.end_of_line(opening);
        let mut outermost = None;
        while let Some(mode) = self.modes.pop() {
            if let Mode::Text { start, .. } = mode {
                self.quoted -= 1;
                outermost = Some(start);
            }
        }
        self.at = end.max(opening + 2).min(self.bytes.len());
        let at = self.at as u32;
        self.found.tokens.truncate(self.found.tokens.partition_point(|token| token.start < at));
        self.found.comments.truncate(self.found.comments.partition_point(|comment| comment.start < at));
        if let Some(start) = outermost {
            self.token(Kind::Text, start, self.at);
        }
    }

    /// A `"` outside strings.
    pub(super) fn quote(&mut self) {
        let start = self.at;
        let triple = self.rest().starts_with(b"\"\"\"");
        if self.guess
            && let Some(Mode::Placeholder { start: opening, .. }) = self.modes.last()
        {
            // In a placeholder of a string: is this the end of that string, and the placeholder unclosed?
            let opening = *opening;
            let outer =
                self.modes.iter().rev().find_map(|mode| {
                    if let Mode::Text { start, triple } = mode { Some((*start, *triple)) } else { None }
                });
            if let Some((outer, outer_triple)) = outer {
                let ends = if outer_triple {
                    triple
                } else {
                    !self.bytes[start + 1..]
                        .iter()
                        .take(LOOKAHEAD)
                        .take_while(|byte| **byte != b'\n')
                        .any(|byte| *byte == b'"')
                };
                if ends {
                    self.unclosed(Unclosed::Placeholder, opening);
                    while matches!(self.modes.last(), Some(Mode::Placeholder { .. })) {
                        self.modes.pop();
                    }
                    return self.end_text(outer, start + if triple { 3 } else { 1 });
                }
            }
        }
        self.modes.push(Mode::Text { start, triple });
        self.quoted += 1;
        self.at += if triple { 3 } else { 1 };
    }
}
