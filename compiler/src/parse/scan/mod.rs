//! A quick look at the whole text before the grammar reads it: comments, words, quotes, brackets, and what is never closed.
//!
//! The grammar decides what a text means; this decides how deep brackets nest ([`depth`], which reads quotes exactly as the grammar
//! does) and where recovery may go on ([`tokens`], which guesses where an unclosed quote was meant to end).

mod quotes;
mod raw;

pub(in crate::parse) use raw::{sql_starts, xpath_starts};

use crate::ast::{FileId, Span};
use crate::syntax::words;

/// More open brackets than this are refused.
pub(in crate::parse) const DEEPEST: usize = 128;

/// Blanks that are not part of the comment before them: those of the language. Any other is a character of the comment.
pub(in crate::parse) const END_OF_LINE: [char; 3] = [' ', '\t', '\r'];

/// What a token is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::parse) enum Kind {
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
pub(in crate::parse) struct Token {
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
pub(in crate::parse) enum Unclosed {
    /// `"…`
    Text,
    /// `"""…`
    Triple,
    /// `<<…`
    Placeholder,
}

/// What the look found.
#[derive(Default)]
pub(in crate::parse) struct Scan {
    /// Every comment, in order.
    pub comments: Vec<Span>,
    /// Every token outside strings, in order; from [`tokens`] only.
    pub tokens: Vec<Token>,
    /// Quotes and placeholders without an end, where they start, in order; from [`tokens`] only.
    pub unclosed: Vec<(Unclosed, u32)>,
    /// Where a bracket or `if` is opened that is one too deep.
    pub too_deep: Option<u32>,
}

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
pub(in crate::parse) fn depth(source: &str, file: FileId) -> Scan {
    run(source, file, false)
}

/// Tokens and what is unclosed, for recovery.
pub(in crate::parse) fn tokens(source: &str, file: FileId) -> Scan {
    run(source, file, true)
}

fn run(source: &str, file: FileId, guess: bool) -> Scan {
    let mut scanner = Scanner {
        source,
        bytes: source.as_bytes(),
        file,
        at: source.len() - source.trim_start_matches('\u{FEFF}').len(),
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
        let text = self.source.get(start..self.at).unwrap_or("").trim_end_matches(END_OF_LINE);
        self.found.comments.push(Span::new(self.file, start as u32, (start + text.len()) as u32));
        if text.starts_with("##") && !text.starts_with("###") {
            self.token(Kind::Doc, start, start + text.len());
        }
    }

    /// Outside strings, at `at`.
    fn code(&mut self) {
        let start = self.at;
        let byte = self.peek(0);
        match byte {
            b'\n' => {
                if self.guess
                    && let Some(Mode::Placeholder { start, .. }) = self.modes.last()
                {
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

    fn word(&mut self) {
        let start = self.at;
        let length = self
            .rest()
            .iter()
            .position(|byte| !byte.is_ascii_alphanumeric() && *byte != b'_')
            .unwrap_or(self.bytes.len() - start);
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
        if number && self.exponent_of(start) {
            self.at += 1;
            while self.peek(0).is_ascii_digit() {
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

    /// Whether the number from `start` ends with an `e`, and the sign of an exponent stands at `at`.
    fn exponent_of(&self, start: usize) -> bool {
        let number =
            self.bytes.get(start..self.at).and_then(|number| number.strip_suffix(b"e").or(number.strip_suffix(b"E")));
        number.is_some_and(|number| number.iter().all(|byte| byte.is_ascii_digit() || matches!(byte, b'_' | b'.')))
            && matches!(self.peek(0), b'+' | b'-')
            && self.peek(1).is_ascii_digit()
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

/// How much of a date or moment stands behind its year of `year` digits.
fn date_tail(text: &[u8], year: usize) -> usize {
    let shape = |form: &[u8]| {
        text.len() >= form.len()
            && form
                .iter()
                .zip(text)
                .all(|(wanted, byte)| if *wanted == b'0' { byte.is_ascii_digit() } else { byte == wanted })
    };
    let forms: &[&[u8]] = &[b"0000-00-00T00:00:00", b"0000-00-00T00:00", b"0000-00-00"];
    if year != 4 {
        return 0;
    }
    forms.iter().find(|form| shape(form)).map_or(0, |form| form.len() - 4)
}
