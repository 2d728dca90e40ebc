//! The lexer. It splits any text, even an invalid one, into tokens that cover it without gaps.
//!
//! The grammar determines the meaning of a text. The lexer serves all users of tokens in text that may be invalid: the parser (nesting depth of brackets,
//! positions for recovery), the formatter, the language server, and mutants.
//!
//! Tokens are in the order of the text. A string and raw text are one token each, followed by [`Token::parts`] tokens that cover it: quotes, characters,
//! placeholders with the tokens in them, and names of a query. So [`Lexed::iter_whole`] iterates over the tokens of the language only, and
//! [`Lexed::iter_leaves`] over every piece of text.

mod code;
mod embedded;
mod literals;
mod raw;
pub mod sql;
mod strings;
#[cfg(test)]
mod tests;

pub use code::Code;
pub use raw::{detect_raw_kind, has_open_quote};

use std::ops::Range;

use crate::ast::RawKind;

/// The maximum nesting depth of brackets.
pub const DEEPEST: usize = 128;

/// The blanks of the language, which do not belong to a comment before them. Any other blank is a character of the comment.
pub const END_OF_LINE: [char; 3] = [' ', '\t', '\r'];

/// The kinds of tokens.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Blanks and line breaks; a byte order mark at the beginning.
    Blank,
    /// `# …`, `### …`
    Comment,
    /// `## …`
    Doc,
    /// A name or keyword.
    Word,
    /// A name in backticks.
    Quoted,
    /// A number, a date, or a datetime, including letters directly after it.
    Number,
    /// `'…'`
    SingleQuoted,
    /// A whole string.
    Text,
    /// The whole raw text in a placeholder.
    Raw(RawKind),
    /// `{`, `[`, `(`, or `<<`, by its first byte.
    Open(u8),
    /// `}`, `]`, `)`, or `>>`, by the first byte of the bracket that it closes.
    Close(u8),
    /// Any other operator, sign, or character.
    Sign,
    /// The quotes before or after the characters of a string.
    Quote,
    /// Literal characters of a string.
    Chars,
    /// A backslash in a string, with the characters that it escapes.
    Escape,
    /// A part of raw text.
    Embedded(Embedded),
}

/// The kinds of tokens in a query or path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Embedded {
    /// Blanks and line breaks.
    Blank,
    /// `-- …`, `/* … */`
    Comment,
    /// A keyword or a name, quoted or not.
    Name,
    /// A text or blob in quotes.
    Text,
    /// A number.
    Number,
    /// `:name`, `?`
    Parameter,
    /// An operator, a bracket, or a character that is invalid in the language.
    Sign,
}

/// A token.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Token {
    /// Its kind.
    pub kind: Kind,
    /// Its first byte.
    pub start: u32,
    /// The byte after its last byte.
    pub end: u32,
    /// The number of following tokens that are its parts.
    pub parts: u32,
    /// Whether it is the first on its line; never set for blanks and comments.
    pub first: bool,
}

impl Token {
    /// Its byte range.
    pub fn range(&self) -> Range<usize> {
        self.start as usize..self.end as usize
    }

    /// Its text in `source`.
    pub fn text<'s>(&self, source: &'s str) -> &'s str {
        source.get(self.range()).unwrap_or("")
    }
}

/// The kinds of unclosed constructs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unclosed {
    /// `"…`
    Text,
    /// `"""…`
    Triple,
    /// `<<…`
    Placeholder,
}

/// The tokens of a text.
#[derive(Clone, Debug, Default)]
pub struct Lexed {
    /// All tokens, each before its parts.
    pub tokens: Vec<Token>,
    /// Unclosed strings and placeholders with their starts, in order.
    pub unclosed: Vec<(Unclosed, u32)>,
    /// The position of the first bracket or `if` that exceeds [`DEEPEST`].
    pub too_deep: Option<u32>,
}

impl Lexed {
    /// The tokens that are not parts of others; strings and raw text are one token each.
    pub fn iter_whole(&self) -> impl Iterator<Item = &Token> {
        let mut rest = self.tokens.as_slice();
        std::iter::from_fn(move || {
            let (token, parts) = rest.split_first()?;
            rest = parts.get(token.parts as usize..).unwrap_or_default();
            Some(token)
        })
    }

    /// Like [`Self::iter_whole`], without blanks and without comments other than doc comments.
    pub fn iter_code(&self) -> impl Iterator<Item = &Token> {
        self.iter_whole().filter(|token| !matches!(token.kind, Kind::Blank | Kind::Comment))
    }

    /// The tokens without parts; their concatenated texts are the whole text.
    pub fn iter_leaves(&self) -> impl Iterator<Item = &Token> {
        self.tokens.iter().filter(|token| token.parts == 0)
    }

    /// The parts of the token at `index`.
    pub fn parts(&self, index: usize) -> &[Token] {
        let parts = self.tokens.get(index).map_or(0, |token| token.parts as usize);
        self.tokens.get(index + 1..index + 1 + parts).unwrap_or_default()
    }
}

/// The tokens by the rules of the grammar.
pub fn lex_source(source: &str) -> Lexed {
    Lexer::new(source, false).run()
}

/// The tokens as probably intended: an unclosed string or placeholder ends before the next line that starts a statement, and does not swallow the rest of the
/// text.
pub fn guess_tokens(source: &str) -> Lexed {
    Lexer::new(source, true).run()
}

/// The parts of raw text; positions are relative to its start.
pub fn lex_raw_parts(text: &str, kind: RawKind) -> Vec<Token> {
    let mut tokens = Vec::new();
    embedded::lex_parts(text, kind, 0, &mut tokens);
    tokens
}

/// The numbers of open brackets: `{`, `[`, `(`, `<<`, and `if`s without their `else`.
type Open = [u32; 5];

/// The construct that the lexer is in.
enum Mode {
    /// A string: its token, the number of quotes on each side, and the indentation of the line on which it begins.
    Text { token: usize, quotes: usize, indent: usize },
    /// A placeholder: its start, the position of the `:` in `<<f: …>>`, and the brackets that are open at its start.
    Placeholder { start: usize, colon: Option<usize>, brackets: u32, open: Open },
}

struct Lexer<'s> {
    source: &'s str,
    bytes: &'s [u8],
    at: usize,
    /// Whether to guess the intended end of unclosed constructs.
    meant: bool,
    modes: Vec<Mode>,
    /// The number of modes that are strings.
    quoted: usize,
    /// Whether the line has no token so far.
    line_start: bool,
    /// The indentation of the line.
    indent: usize,
    open: Open,
    /// The placeholder in which an argument begins that may be raw text.
    argument: Option<usize>,
    /// Raw text that starts before this position is unclosed.
    lost_until: usize,
    /// Queries do not start before this position.
    no_query: usize,
    /// The next `"""` at or after the position of the last search, and whether it seems to open a string.
    next_triple: Option<(usize, bool)>,
    found: Lexed,
}

impl<'s> Lexer<'s> {
    fn new(source: &'s str, meant: bool) -> Lexer<'s> {
        Lexer {
            source,
            bytes: source.as_bytes(),
            at: source.len() - source.trim_start_matches('\u{FEFF}').len(),
            meant,
            modes: Vec::new(),
            quoted: 0,
            line_start: true,
            indent: 0,
            open: [0; 5],
            argument: None,
            lost_until: 0,
            no_query: 0,
            next_triple: None,
            found: Lexed::default(),
        }
    }

    fn run(mut self) -> Lexed {
        self.push_token(Kind::Blank, 0);
        self.indent = self.measure_indent(self.at);
        while self.at < self.bytes.len() {
            match self.modes.last() {
                Some(Mode::Text { token, quotes, indent }) => self.lex_text(*token, *quotes, *indent),
                _ => self.lex_code(),
            }
        }
        while let Some(mode) = self.modes.pop() {
            match mode {
                Mode::Text { token, quotes, .. } => {
                    self.end_whole(token);
                    let start = self.found.tokens[token].start as usize;
                    self.note_unclosed(if quotes == 3 { Unclosed::Triple } else { Unclosed::Text }, start);
                }
                Mode::Placeholder { start, .. } => self.note_unclosed(Unclosed::Placeholder, start),
            }
        }
        self.found.unclosed.sort_by_key(|(_, start)| *start);
        self.found
    }

    fn peek_byte(&self, ahead: usize) -> u8 {
        self.bytes.get(self.at + ahead).copied().unwrap_or(0)
    }

    fn rest(&self) -> &'s [u8] {
        self.bytes.get(self.at..).unwrap_or_default()
    }

    fn end_of_line(&self, from: usize) -> usize {
        from + literals::measure_line(&self.bytes[from..])
    }

    /// The rest of the line from `from` on.
    fn slice_line(&self, from: usize) -> &'s str {
        &self.source[from..self.end_of_line(from)]
    }

    fn measure_indent(&self, line: usize) -> usize {
        self.bytes[line..].iter().take_while(|byte| matches!(byte, b' ' | b'\t')).count()
    }

    /// Records that a line begins after the newline at `at`.
    fn begin_line(&mut self) {
        self.indent = self.measure_indent(self.at + 1);
    }

    /// Adds the token from `start` to `at`. Returns its index.
    fn push_token(&mut self, kind: Kind, start: usize) -> usize {
        let place = self.found.tokens.len();
        // A string is added before its length is known.
        if start == self.at && kind != Kind::Text {
            return place;
        }
        let blank = matches!(kind, Kind::Blank | Kind::Comment);
        let first = !blank && std::mem::replace(&mut self.line_start, false);
        if !blank {
            self.argument = None;
        }
        if let Some(last) = self.found.tokens.last_mut()
            && (kind, last.kind, last.end as usize) == (Kind::Chars, Kind::Chars, start)
        {
            last.end = self.at as u32;
            return place - 1;
        }
        self.found.tokens.push(Token { kind, start: start as u32, end: self.at as u32, parts: 0, first });
        place
    }

    /// Ends the token at index `place`; the tokens added since are its parts.
    fn end_whole(&mut self, place: usize) {
        let parts = self.found.tokens.len() - place - 1;
        if let Some(token) = self.found.tokens.get_mut(place) {
            (token.end, token.parts) = (self.at as u32, parts as u32);
        }
    }

    fn note_unclosed(&mut self, what: Unclosed, start: usize) {
        self.found.unclosed.push((what, start as u32));
    }

    fn depth(&self) -> usize {
        self.open.iter().sum::<u32>() as usize
    }

    /// The number of open brackets, without placeholders and `if`s.
    fn count_brackets(&self) -> u32 {
        self.open[..3].iter().sum()
    }

    fn enter_bracket(&mut self, which: usize, start: usize) {
        self.open[which] += 1;
        if self.depth() > DEEPEST && self.found.too_deep.is_none() {
            self.found.too_deep = Some(start as u32);
        }
    }

    fn leave_bracket(&mut self, which: usize) {
        self.open[which] = self.open[which].saturating_sub(1);
    }

    /// Lexes the next token at `at`, outside strings.
    fn lex_code(&mut self) {
        let start = self.at;
        let byte = self.peek_byte(0);
        match byte {
            b' ' | b'\t' | b'\r' | b'\n' => return self.lex_blanks(),
            b'#' => return self.lex_comment(),
            _ => {}
        }
        if let Some(opening) = self.argument
            && self.lex_raw(opening)
        {
            return;
        }
        let kind = match byte {
            b'"' => return self.lex_quote(),
            b'\'' | b'`' if let Some(length) = literals::measure_quoted(self.rest()) => {
                self.at += length;
                if byte == b'`' { Kind::Quoted } else { Kind::SingleQuoted }
            }
            b'<' if self.peek_byte(1) == b'<' => return self.open_placeholder(),
            b'>' if self.peek_byte(1) == b'>' => {
                self.leave_bracket(3);
                self.modes.pop();
                self.at += 2;
                Kind::Close(b'<')
            }
            b'{' | b'[' | b'(' => {
                self.enter_bracket(index_bracket(byte), start);
                self.at += 1;
                Kind::Open(byte)
            }
            b'}' | b']' | b')' => {
                let opening = if byte == b')' { b'(' } else { byte - 2 };
                self.leave_bracket(index_bracket(opening));
                self.at += 1;
                Kind::Close(opening)
            }
            _ if byte.is_ascii_digit() => {
                self.at += literals::measure_number(self.rest());
                Kind::Number
            }
            _ if literals::is_word(byte) => {
                self.lex_word();
                Kind::Word
            }
            _ => {
                let character = self.source[start..].chars().next().map_or(1, char::len_utf8);
                self.at += literals::measure_operator(self.rest()).unwrap_or(character);
                Kind::Sign
            }
        };
        self.push_token(kind, start);
        self.argument = self.modes.last().and_then(|mode| match mode {
            Mode::Placeholder { start: opening, colon: Some(colon), brackets, .. } => {
                let comma = byte == b',' && start > *colon && *brackets == self.count_brackets();
                (comma || start == *colon).then_some(*opening)
            }
            _ => None,
        });
    }

    fn lex_blanks(&mut self) {
        let start = self.at;
        while let byte @ (b' ' | b'\t' | b'\r' | b'\n') = self.peek_byte(0) {
            if byte == b'\n' {
                if let Some(Mode::Placeholder { start: opening, .. }) = self.modes.last()
                    && self.meant
                    && self.must_end_placeholder(self.at + 1)
                {
                    let opening = *opening;
                    self.push_token(Kind::Blank, start);
                    return self.close_lost_placeholder(opening, self.end_of_line(opening));
                }
                self.begin_line();
                self.line_start = true;
            }
            self.at += 1;
        }
        self.push_token(Kind::Blank, start);
    }

    /// Lexes a comment, up to the end of its line.
    fn lex_comment(&mut self) {
        let start = self.at;
        let text = self.slice_line(start).trim_end_matches(END_OF_LINE);
        self.at += text.len();
        let doc = text.starts_with("##") && !text.starts_with("###");
        self.push_token(if doc { Kind::Doc } else { Kind::Comment }, start);
    }

    /// Lexes a name or keyword.
    fn lex_word(&mut self) {
        let start = self.at;
        self.at += literals::measure_word(self.rest());
        match &self.bytes[start..self.at] {
            b"if" if !self.is_name_before_sign() => self.enter_bracket(4, start),
            b"else" => self.leave_bracket(4),
            b"task" | b"suite" if self.line_start => self.open[4] = 0,
            _ => {}
        }
    }

    /// Whether the word before `at` is a name, because `:` or `=` follows.
    fn is_name_before_sign(&self) -> bool {
        match &self.rest()[literals::measure_blanks(self.rest())..] {
            [b'=', next, ..] => *next != b'=',
            rest => matches!(rest.first(), Some(b':' | b',' | b'.' | b'=')),
        }
    }
}

/// The index of a bracket in [`Open`].
fn index_bracket(byte: u8) -> usize {
    match byte {
        b'{' => 0,
        b'[' => 1,
        _ => 2,
    }
}
