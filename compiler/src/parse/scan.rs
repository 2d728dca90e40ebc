//! A quick look at the whole text before the grammar reads it: comments, words, quotes, brackets, and what is never closed.
//!
//! The grammar decides what a text means; this decides how deep brackets nest ([`depth`], which reads quotes exactly as the grammar
//! does) and where recovery may go on ([`tokens`], which guesses where an unclosed quote was meant to end).

use super::words;
use crate::ast::{FileId, Span};

/// More open brackets than this are refused.
pub(super) const DEEPEST: usize = 128;

/// What a token is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// A name or keyword.
    Word,
    /// A number, date or duration's number.
    Number,
    /// A string with all that it holds.
    Text,
    /// `'…'`
    SingleQuoted,
    /// A name in backticks.
    Quoted,
    /// Raw text in a placeholder.
    Raw,
    /// `##`
    Doc,
    /// `{`, `[`, `(` or `<<`
    Open(u8),
    /// `}`, `]`, `)` or `>>`, as the bracket it closes.
    Close(u8),
    /// Anything else: one operator or sign.
    Sign,
}

/// A token outside strings.
#[derive(Clone, Copy, Debug)]
pub(super) struct Token {
    /// What it is.
    pub kind: Kind,
    /// Its first byte.
    pub start: u32,
    /// One past its last byte.
    pub end: u32,
    /// First on its line.
    pub first: bool,
}

/// What is never closed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Unclosed {
    /// `"…`
    Text,
    /// `"""…`
    Triple,
    /// `<<…`
    Placeholder,
}

/// What the look found.
#[derive(Default)]
pub(super) struct Scan {
    /// Every comment, in order.
    pub comments: Vec<Span>,
    /// Every token outside strings, in order; from [`tokens`] only.
    pub tokens: Vec<Token>,
    /// Quotes and placeholders without an end, where they start, in order; from [`tokens`] only.
    pub unclosed: Vec<(Unclosed, u32)>,
    /// Where a bracket or `if` is opened that is one too deep.
    pub too_deep: Option<u32>,
}

/// How far to look for the other quote of a pair.
const LOOKAHEAD: usize = 2_000;

enum Mode {
    /// In a string: where it starts, whether `"""`.
    Text { start: usize, triple: bool },
    /// In a placeholder: where it starts, whether it is `<<f: …>>`, how many brackets are open around it.
    Placeholder { start: usize, form: bool, brackets: usize },
}

struct Scanner<'s> {
    source: &'s str,
    bytes: &'s [u8],
    file: FileId,
    at: usize,
    modes: Vec<Mode>,
    /// How many of the modes are strings.
    quoted: usize,
    line_start: bool,
    /// Open `{`, `[`, `(`, `<<`, and `if`s without their `else`.
    open: [usize; 5],
    /// Whether to guess where an unclosed quote was meant to end, and to keep tokens.
    guess: bool,
    /// Raw text that starts before this has no end.
    lost_until: usize,
    /// The next `"""` at or behind the place it was looked for.
    next_triple: Option<usize>,
    found: Scan,
}

/// Comments and the depth of brackets, as the grammar reads them.
pub(super) fn depth(source: &str, file: FileId) -> Scan {
    run(source, file, false)
}

/// Tokens and what is unclosed, for recovery.
pub(super) fn tokens(source: &str, file: FileId) -> Scan {
    run(source, file, true)
}

fn run(source: &str, file: FileId, guess: bool) -> Scan {
    let mut scanner = Scanner {
        source,
        bytes: source.as_bytes(),
        file,
        at: if source.starts_with('\u{FEFF}') { 3 } else { 0 },
        modes: Vec::new(),
        quoted: 0,
        line_start: true,
        open: [0; 5],
        guess,
        lost_until: 0,
        next_triple: None,
        found: Scan::default(),
    };
    scanner.run();
    scanner.found.unclosed.sort_by_key(|(_, start)| *start);
    scanner.found
}

impl Scanner<'_> {
    fn run(&mut self) {
        while self.at < self.bytes.len() && self.found.too_deep.is_none() {
            match self.modes.last() {
                Some(Mode::Text { start, triple }) => {
                    let (start, triple) = (*start, *triple);
                    self.text(start, triple);
                }
                _ => self.code(),
            }
        }
        while let Some(mode) = self.modes.pop() {
            match mode {
                Mode::Text { start, triple } => {
                    self.quoted -= 1;
                    self.unclosed(if triple { Unclosed::Triple } else { Unclosed::Text }, start);
                    if self.quoted == 0 {
                        self.token(Kind::Text, start, self.bytes.len());
                    }
                }
                Mode::Placeholder { start, .. } => self.unclosed(Unclosed::Placeholder, start),
            }
        }
    }

    fn peek(&self, ahead: usize) -> u8 {
        self.bytes.get(self.at + ahead).copied().unwrap_or(0)
    }

    fn rest(&self) -> &[u8] {
        &self.bytes[self.at..]
    }

    fn token(&mut self, kind: Kind, start: usize, end: usize) {
        let first = std::mem::replace(&mut self.line_start, false);
        if self.guess && self.quoted == 0 {
            self.found.tokens.push(Token { kind, start: start as u32, end: end as u32, first });
        }
    }

    fn unclosed(&mut self, what: Unclosed, start: usize) {
        if !self.guess {
            return;
        }
        self.found.unclosed.push((what, start as u32));
    }

    fn count(&mut self, kind: usize, start: usize) {
        self.open[kind] += 1;
        if self.open.iter().sum::<usize>() > DEEPEST && self.found.too_deep.is_none() {
            self.found.too_deep = Some(start as u32);
        }
    }

    fn end_of_line(&self, from: usize) -> usize {
        self.bytes[from..].iter().position(|byte| *byte == b'\n').map_or(self.bytes.len(), |length| from + length)
    }

    /// Inside a string, at `at`.
    fn text(&mut self, start: usize, triple: bool) {
        match self.peek(0) {
            b'\\' => self.at += if self.peek(1) == b'\n' { 1 } else if self.rest()[1..].starts_with(b"<<") { 3 } else { 2 },
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
    fn escaped_block(&mut self, start: usize) -> bool {
        let line = self.line(self.at + 1);
        let indent = line.len() - line.trim_start().len();
        let text = line.trim();
        let own = self.indent_of(start);
        if !(text.starts_with('}') && text.len() == 1 && indent < own || indent <= own && words::starts_statement(text)) {
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
                !head.is_empty() && (words::starts_statement(&format!("{head} \"")) || head.ends_with(['=', ':', '[', ',']))
            }
        }
    }

    fn line_from(&self, at: usize) -> usize {
        self.bytes[..at].iter().rposition(|byte| *byte == b'\n').map_or(0, |newline| newline + 1)
    }

    fn indent_of(&self, at: usize) -> usize {
        self.bytes[self.line_from(at)..].iter().take_while(|byte| matches!(byte, b' ' | b'\t')).count()
    }

    fn line(&self, from: usize) -> &str {
        self.source.get(from..self.end_of_line(from.min(self.bytes.len()))).unwrap_or("")
    }

    /// Ends the innermost string before `end`.
    fn end_text(&mut self, start: usize, end: usize) {
        self.modes.pop();
        self.quoted -= 1;
        self.at = end;
        self.token(Kind::Text, start, end);
    }

    fn open_placeholder(&mut self) {
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

    /// Brackets that are open, placeholders and `if` apart.
    fn brackets(&self) -> usize {
        self.open[..3].iter().sum()
    }

    /// Blanks and comments.
    fn skip_blanks(&mut self) {
        loop {
            match self.peek(0) {
                b'\n' => self.line_start = true,
                b' ' | b'\t' | b'\r' => {}
                b'#' if self.peek(1) != b'#' || self.peek(2) == b'#' => {
                    self.comment();
                    continue;
                }
                _ => return,
            }
            self.at += 1;
        }
    }

    /// A comment, up to the end of its line.
    fn comment(&mut self) {
        let start = self.at;
        self.at = self.end_of_line(start);
        let text = self.source.get(start..self.at).unwrap_or("").trim_end();
        self.found.comments.push(Span::new(self.file, start as u32, (start + text.len()) as u32));
        if text.starts_with("##") && !text.starts_with("###") {
            self.token(Kind::Doc, start, start + text.len());
        }
    }

    /// If raw text starts at `at`, passes over it.
    fn raw(&mut self, opening: usize) {
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
    fn raw_end(&mut self) -> Option<usize> {
        let mut at = self.at;
        let mut parens: Vec<usize> = Vec::new();
        let mut ignored = 0;
        let sql = !matches!(self.peek(0), b'$') && (self.peek(0) != b'/' || self.peek(1) == b'*' && sql_starts(self.rest()));
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

    /// The placeholder from `opening` has no end: goes on behind its line, outside every string.
    fn placeholder_lost(&mut self, opening: usize) {
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

    /// Outside strings, at `at`.
    fn code(&mut self) {
        let start = self.at;
        let byte = self.peek(0);
        match byte {
            b'\n' => {
                if self.guess && let Some(Mode::Placeholder { start, .. }) = self.modes.last() {
                    let opening = *start;
                    let line = self.line(self.at + 1).trim();
                    if line == "}" || words::starts_statement(line) {
                        return self.placeholder_lost(opening);
                    }
                }
                self.line_start = true;
                self.at += 1;
            }
            b' ' | b'\t' | b'\r' => self.at += 1,
            b'#' => self.comment(),
            b'"' => self.quote(),
            b'\'' | b'`' => {
                let length = self.rest()[1..].iter().position(|other| *other == byte || *other == b'\n');
                match length {
                    Some(length) if self.peek(length + 1) == byte => {
                        self.at += length + 2;
                        self.token(if byte == b'`' { Kind::Quoted } else { Kind::SingleQuoted }, start, self.at);
                    }
                    _ => self.sign(1),
                }
            }
            b'<' if self.peek(1) == b'<' => self.open_placeholder(),
            b'>' if self.peek(1) == b'>' => {
                self.open[3] = self.open[3].saturating_sub(1);
                if matches!(self.modes.last(), Some(Mode::Placeholder { .. })) {
                    self.modes.pop();
                }
                self.at += 2;
                self.token(Kind::Close(b'<'), start, start + 2);
            }
            b'{' | b'[' | b'(' => {
                self.count(bracket(byte), start);
                self.at += 1;
                self.token(Kind::Open(byte), start, start + 1);
            }
            b'}' | b']' | b')' => {
                let opening = if byte == b')' { b'(' } else { byte - 2 };
                let kind = bracket(opening);
                self.open[kind] = self.open[kind].saturating_sub(1);
                self.at += 1;
                self.token(Kind::Close(opening), start, start + 1);
            }
            b',' => {
                self.sign(1);
                if let Some(Mode::Placeholder { start, form: true, brackets }) = self.modes.last()
                    && *brackets == self.brackets()
                {
                    let opening = *start;
                    self.skip_blanks();
                    self.raw(opening);
                }
            }
            byte if byte.is_ascii_alphanumeric() || byte == b'_' => self.word(),
            _ => {
                let operator: &[&[u8]] =
                    &[b"===", b"!==", b"...", b"==", b"!=", b"<=", b">=", b"<>", b"..", b"&&", b"||", b"->"];
                match operator.iter().find(|operator| self.rest().starts_with(operator)) {
                    Some(operator) => self.sign(operator.len()),
                    None => {
                        let length = self.source[start..].chars().next().map_or(1, char::len_utf8);
                        self.sign(length);
                    }
                }
            }
        }
    }

    fn sign(&mut self, length: usize) {
        let start = self.at;
        self.at += length;
        self.token(Kind::Sign, start, self.at);
    }

    /// A `"` outside strings.
    fn quote(&mut self) {
        let start = self.at;
        let triple = self.rest().starts_with(b"\"\"\"");
        if self.guess && let Some(Mode::Placeholder { start: opening, .. }) = self.modes.last() {
            // In a placeholder of a string: is this the end of that string, and the placeholder unclosed?
            let opening = *opening;
            let outer = self.modes.iter().rev().find_map(|mode| if let Mode::Text { start, triple } = mode { Some((*start, *triple)) } else { None });
            if let Some((outer, outer_triple)) = outer {
                let ends = if outer_triple {
                    triple
                } else {
                    !self.bytes[start + 1..].iter().take(LOOKAHEAD).take_while(|byte| **byte != b'\n').any(|byte| *byte == b'"')
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

    fn word(&mut self) {
        let start = self.at;
        let length = self.rest().iter().position(|byte| !byte.is_ascii_alphanumeric() && *byte != b'_').unwrap_or(self.bytes.len() - start);
        let word = &self.source[start..start + length];
        self.at += length;
        let number = self.bytes[start].is_ascii_digit();
        if number {
            self.at += date_tail(&self.bytes[start..], length);
        }
        if number && self.peek(0) == b'.' && self.peek(1).is_ascii_digit() {
            self.at += 1;
            while self.peek(0).is_ascii_alphanumeric() || self.peek(0) == b'_' {
                self.at += 1;
            }
        }
        let end = self.at;
        match word {
            "if" if !self.declares() => self.count(4, start),
            "else" => self.open[4] = self.open[4].saturating_sub(1),
            "task" | "suite" if self.line_start => self.open[4] = 0,
            _ => {}
        }
        self.token(if number { Kind::Number } else { Kind::Word }, start, end);
    }

    /// Whether `:` or `=` stands at `at`: the word before is a name.
    fn declares(&self) -> bool {
        let rest = self.source.get(self.at..).unwrap_or("").trim_start();
        rest.starts_with([':', ',', '.']) || rest.starts_with('=') && !rest.starts_with("==")
    }
}

fn bracket(byte: u8) -> usize {
    match byte {
        b'{' => 0,
        b'[' => 1,
        _ => 2,
    }
}

/// Whether SQL, JSONPath or XPath starts here.
fn raw_starts(text: &[u8]) -> bool {
    matches!(text.first(), Some(b'$' | b'/')) || sql_starts(text)
}

/// Whether SQL starts here, after comments.
pub(super) fn sql_starts(text: &[u8]) -> bool {
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
    let writes = text[..word].eq_ignore_ascii_case(b"insert") && second(b"into")
        || text[..word].eq_ignore_ascii_case(b"delete") && second(b"from")
        || text[..word].eq_ignore_ascii_case(b"update")
            && behind.first().is_some_and(|byte| byte.is_ascii_alphanumeric() || *byte == b'_')
            && !words::RESERVED.iter().any(|reserved| second(reserved.as_bytes()));
    if writes {
        return true;
    }
    (text[..word].eq_ignore_ascii_case(b"select") || text[..word].eq_ignore_ascii_case(b"with"))
        && !text[word..].starts_with(b".")
        && !behind.starts_with(b",")
        && !behind.starts_with(b">>")
}

/// How much of a date or moment stands behind its year of `year` digits.
fn date_tail(text: &[u8], year: usize) -> usize {
    let shape = |form: &[u8]| {
        text.len() >= form.len() && form.iter().zip(text).all(|(wanted, byte)| if *wanted == b'0' { byte.is_ascii_digit() } else { byte == wanted })
    };
    let forms: &[&[u8]] = &[b"0000-00-00T00:00:00", b"0000-00-00T00:00", b"0000-00-00"];
    if year != 4 {
        return 0;
    }
    forms.iter().find(|form| shape(form)).map_or(0, |form| form.len() - 4)
}
