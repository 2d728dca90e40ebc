//! Lexing of strings and placeholders, with the intended end of unclosed ones.

use super::code::is_statement_start;
use super::{Kind, Lexer, Mode, Unclosed, literals};

/// The maximum number of bytes in which the other quote of a pair is searched.
const LOOKAHEAD: usize = 2_000;

impl Lexer<'_> {
    /// Lexes a `"` outside strings.
    pub(super) fn lex_quote(&mut self) {
        let start = self.at;
        let quotes = if self.rest().starts_with(b"\"\"\"") { 3 } else { 1 };
        if self.meant && self.try_close_outer(quotes) {
            return;
        }
        let (token, indent) = (self.push_token(Kind::Text, start), self.indent);
        self.modes.push(Mode::Text { token, quotes, indent });
        self.quoted += 1;
        self.at += quotes;
        self.push_token(Kind::Quote, start);
    }

    /// In a placeholder inside a string, treats the quote at `at` as the end of that string if the placeholder is probably unclosed.
    fn try_close_outer(&mut self, quotes: usize) -> bool {
        let outer = self.modes.iter().rposition(|mode| matches!(mode, Mode::Text { .. }));
        let (Some(Mode::Placeholder { start: opening, .. }), Some(outer)) = (self.modes.last(), outer) else {
            return false;
        };
        let (opening, Some(Mode::Text { quotes: outer_quotes, .. })) = (*opening, self.modes.get(outer)) else {
            return false;
        };
        let outer_quotes = *outer_quotes;
        let line = self.rest()[1..].iter().take(LOOKAHEAD).take_while(|byte| **byte != b'\n');
        let ends = if outer_quotes == 3 { quotes == 3 } else { !line.into_iter().any(|byte| *byte == b'"') };
        if ends {
            self.note_unclosed(Unclosed::Placeholder, opening);
            if let Some(Mode::Placeholder { open, .. }) = self.modes.get(outer + 1) {
                self.open = *open;
            }
            self.modes.truncate(outer + 1);
            self.end_text(outer_quotes);
        }
        ends
    }

    /// Lexes the next part of a string, at `at`.
    pub(super) fn lex_text(&mut self, token: usize, quotes: usize, indent: usize) {
        let triple = quotes == 3;
        let start = self.at;
        let opening = self.found.tokens[token].start as usize;
        match self.rest() {
            [b'\\', rest @ ..] if !matches!(rest, [] | [b'\n', ..]) => {
                let held = self.source[start + 1..].chars().next().map_or(0, char::len_utf8);
                self.at += if rest.starts_with(b"<<") { 3 } else { 1 + held };
                self.push_token(Kind::Escape, start);
            }
            [b'"', ..] if !triple => self.end_text(1),
            [b'"', b'"', b'"', rest @ ..] if triple && rest.first() != Some(&b'"') => self.end_text(3),
            [b'<', b'<', ..] => self.open_placeholder(),
            [b'\n', ..] if !triple && let Some(length) = self.find_late_close(opening) => {
                self.note_unclosed(Unclosed::Text, opening);
                self.at += length;
                self.push_token(Kind::Chars, start);
                self.end_text(1);
            }
            [b'\n', ..] if !triple => {
                self.note_unclosed(Unclosed::Text, opening);
                // A `{` at the end of the line still opens a block.
                let line = self.source[opening..start].trim_end();
                if line.ends_with('{') && self.quoted == 1 {
                    self.rewind_to(opening, opening + line.len() - 1);
                }
                self.end_text(0);
            }
            [b'\n', ..] if self.meant && self.is_left_open(indent) => {
                self.note_unclosed(Unclosed::Triple, opening);
                self.end_text(0);
            }
            rest => {
                let special = |byte: &u8| matches!(byte, b'\\' | b'"' | b'<' | b'\n');
                let plain = rest.iter().position(special).unwrap_or(rest.len()).max(1);
                if rest.first() == Some(&b'\n') {
                    self.begin_line();
                }
                self.at += plain;
                self.push_token(Kind::Chars, start);
            }
        }
    }

    /// The number of bytes up to the quote on a later line that was meant to close a string: it follows a word and has no partner. `None` if no such quote
    /// exists.
    fn find_late_close(&self, opening: usize) -> Option<usize> {
        let opens_block = self.source[opening..self.at].trim_end().ends_with('{');
        if !self.meant || self.quoted > 1 || opens_block {
            return None;
        }
        let (between, after) = self.source[self.at..].split_once('"')?;
        let line = between.rsplit('\n').next().unwrap_or(between);
        let last = line.chars().next_back()?;
        let closes = !last.is_whitespace() && !matches!(last, '(' | '[' | ',' | ':' | '=') && !line.contains('#');
        (closes && !after.lines().next().unwrap_or("").contains('"')).then_some(between.len())
    }

    /// Ends the innermost string with its closing quotes, which are the next `length` bytes.
    fn end_text(&mut self, length: usize) {
        let start = self.at;
        self.at += length;
        self.push_token(Kind::Quote, start);
        if let Some(Mode::Text { token, .. }) = self.modes.pop() {
            self.quoted -= 1;
            self.end_whole(token);
        }
        self.line_start = false;
    }

    /// Whether a `"""` on a line indented by `own` was left unclosed before the line after the newline at `at`. That line must start a statement or be a `}`,
    /// it must not be indented deeper, and the next `"""`, if any, must open another string.
    fn is_left_open(&mut self, own: usize) -> bool {
        let line = self.slice_line(self.at + 1);
        let indent = line.len() - line.trim_start().len();
        let text = line.trim();
        if !(text == "}" && indent < own || indent <= own && is_statement_start(text)) {
            return false;
        }
        let (_, opens) = match self.next_triple {
            Some(known @ (next, _)) if next >= self.at => known,
            _ => {
                let rest = &self.source[self.at..];
                let found = rest.find("\"\"\"");
                let line = rest[..found.map_or(0, |found| found + 3)].rsplit('\n').next().unwrap_or("").trim();
                let head = line.trim_end_matches('"').trim_end();
                let opens = is_statement_start(line) || head.ends_with(['=', ':', '[', ',']);
                let known = (found.map_or(usize::MAX, |found| self.at + found), found.is_none() || opens);
                self.next_triple = Some(known);
                known
            }
        };
        opens
    }

    pub(super) fn open_placeholder(&mut self) {
        let (start, open) = (self.at, self.open);
        self.enter_bracket(3, start);
        let brackets = self.count_brackets();
        self.at += 2;
        let colon = self.find_form_colon(self.at);
        self.modes.push(Mode::Placeholder { start, colon, brackets, open });
        self.push_token(Kind::Open(b'<'), start);
    }

    /// The position of the `:` in `<<f: …`, for a placeholder whose content begins at `at`.
    fn find_form_colon(&self, mut at: usize) -> Option<usize> {
        loop {
            at += literals::measure_blanks(&self.bytes[at..]);
            match &self.bytes[at..] {
                [b'#', b'#', next, ..] if *next != b'#' => return None,
                [b'#', ..] => at = self.end_of_line(at),
                _ => break,
            }
        }
        let name = literals::measure_word(&self.bytes[at..]);
        let colon = at + name + literals::measure_blanks(&self.bytes[at + name..]);
        (name > 0 && self.bytes.get(colon) == Some(&b':')).then_some(colon)
    }

    /// Whether the line from `at` on cannot be inside a placeholder.
    pub(super) fn must_end_placeholder(&self, at: usize) -> bool {
        let line = self.slice_line(at).trim();
        line == "}" || is_statement_start(line)
    }

    /// Ends the unclosed placeholder from `opening`, and continues from `to`, outside all strings.
    pub(super) fn close_lost_placeholder(&mut self, opening: usize, to: usize) {
        while self.found.unclosed.last().is_some_and(|(_, at)| *at as usize >= to) {
            self.found.unclosed.pop();
        }
        self.note_unclosed(Unclosed::Placeholder, opening);
        self.rewind_to(opening, to);
        while let Some(mode) = self.modes.pop() {
            match mode {
                Mode::Text { token, .. } => self.end_whole(token),
                Mode::Placeholder { open, .. } => self.open = open,
            }
        }
        self.quoted = 0;
    }

    /// Rewinds to byte `to`, in or after the token that starts at `from`.
    fn rewind_to(&mut self, from: usize, to: usize) {
        let tokens = &mut self.found.tokens;
        tokens.truncate(tokens.partition_point(|token| (token.start as usize) < to));
        let count = tokens.len();
        for (index, token) in tokens.iter_mut().enumerate().rev().take_while(|(_, token)| token.start as usize >= from)
        {
            token.end = token.end.min(to as u32);
            token.parts = token.parts.min((count - 1 - index) as u32);
        }
        self.at = to;
    }
}
