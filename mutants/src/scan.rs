//! A source taken apart into words, numbers, texts and brackets, each with where it stands: in code, in SQL, in prose. Written apart from the
//! compiler's own reader, so that a mistake there does not hide here.

/// Where a token stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// In the language.
    Code,
    /// In a query.
    Sql,
}

/// What a token is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A name or keyword.
    Word,
    /// What begins with a digit.
    Number,
    /// A string without placeholders, or a literal of SQL: with its quotes.
    Text,
    /// A string's opening or closing quotes.
    Quote,
    /// `{ } ( ) [ ]`, `<<`, `>>`
    Bracket,
    /// Anything else, one character or an operator.
    Sign,
}

/// A piece of the source.
#[derive(Clone, Copy, Debug)]
pub struct Token<'t> {
    /// What it is.
    pub kind: Kind,
    /// Where it is.
    pub place: Place,
    /// As it is written.
    pub text: &'t str,
    /// Its first byte.
    pub start: usize,
}

impl Token<'_> {
    /// One past its last byte.
    pub fn end(&self) -> usize {
        self.start + self.text.len()
    }
}

/// The tokens of a source; prose, comments and blanks are left out.
pub fn tokens(text: &str) -> Vec<Token<'_>> {
    let mut scanner = Scanner { text, at: 0, tokens: Vec::new() };
    scanner.code(false);
    scanner.tokens
}

struct Scanner<'t> {
    text: &'t str,
    at: usize,
    tokens: Vec<Token<'t>>,
}

impl<'t> Scanner<'t> {
    fn rest(&self) -> &'t str {
        &self.text[self.at..]
    }

    fn push(&mut self, kind: Kind, place: Place, length: usize) {
        self.tokens.push(Token { kind, place, text: &self.text[self.at..self.at + length], start: self.at });
        self.at += length;
    }

    fn word(&self) -> usize {
        let rest = self.rest();
        rest.find(|c: char| !(c.is_ascii_alphanumeric() || c == '_')).unwrap_or(rest.len())
    }

    /// Code, up to the end or (in a placeholder) its `>>`.
    fn code(&mut self, placeholder: bool) {
        while let Some(c) = self.rest().chars().next() {
            let rest = self.rest();
            if placeholder && rest.starts_with(">>") {
                return self.push(Kind::Bracket, Place::Code, 2);
            }
            let upper = rest.get(..6).unwrap_or_default().to_ascii_uppercase();
            if c.is_whitespace() {
                self.at += c.len_utf8();
            } else if c == '#' {
                self.at += rest.find('\n').unwrap_or(rest.len());
            } else if c == '"' {
                self.string();
            } else if rest.starts_with("<<") {
                self.push(Kind::Bracket, Place::Code, 2);
                self.code(true);
            } else if placeholder && (upper == "SELECT" || upper.starts_with("WITH ")) {
                self.sql();
            } else if c.is_ascii_alphabetic() || c == '_' {
                let length = self.word();
                self.push(Kind::Word, Place::Code, length);
            } else if c.is_ascii_digit() {
                let length = self.word();
                self.push(Kind::Number, Place::Code, length);
            } else if "{}()[]".contains(c) {
                self.push(Kind::Bracket, Place::Code, 1);
            } else if rest.starts_with("==") || rest.starts_with("..") {
                self.push(Kind::Sign, Place::Code, 2);
            } else {
                self.push(Kind::Sign, Place::Code, c.len_utf8());
            }
        }
    }

    fn string(&mut self) {
        let quote = if self.rest().starts_with("\"\"\"") { "\"\"\"" } else { "\"" };
        let (start, first) = (self.at, self.tokens.len());
        self.push(Kind::Quote, Place::Code, quote.len());
        let mut plain = true;
        loop {
            let rest = self.rest();
            if rest.is_empty() {
                return;
            }
            if rest.starts_with(quote) {
                self.push(Kind::Quote, Place::Code, quote.len());
                break;
            }
            if rest.starts_with("<<") {
                plain = false;
                self.push(Kind::Bracket, Place::Code, 2);
                self.code(true);
            } else if let Some(escaped) = rest.strip_prefix('\\') {
                self.at += 1 + escaped.chars().next().map_or(0, char::len_utf8);
            } else {
                self.at += rest.chars().next().map_or(1, char::len_utf8);
            }
        }
        if plain && quote.len() == 1 {
            self.tokens.truncate(first);
            self.tokens.push(Token { kind: Kind::Text, place: Place::Code, text: &self.text[start..self.at], start });
        }
    }

    /// SQL, up to the `>>` of its placeholder (which the caller takes).
    fn sql(&mut self) {
        let mut depth = 0;
        while let Some(c) = self.rest().chars().next() {
            let rest = self.rest();
            if depth == 0 && rest.starts_with(">>") {
                return;
            }
            if c.is_whitespace() {
                self.at += c.len_utf8();
            } else if c == '\'' {
                let length = rest[1..].find('\'').map_or(rest.len(), |end| end + 2);
                self.push(Kind::Text, Place::Sql, length);
            } else if c.is_ascii_alphabetic() || c == '_' {
                let length = self.word();
                self.push(Kind::Word, Place::Sql, length);
            } else if c.is_ascii_digit() {
                let length = self.word();
                self.push(Kind::Number, Place::Sql, length);
            } else {
                depth += i32::from(c == '(') - i32::from(c == ')');
                let kind = if "()".contains(c) { Kind::Bracket } else { Kind::Sign };
                self.push(kind, Place::Sql, c.len_utf8());
            }
        }
    }
}
