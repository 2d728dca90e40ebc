//! A source taken apart into words, numbers, texts, and brackets, each with the language that it is in.

use compiler::ast::RawKind;
use compiler::syntax::lex::{self, Embedded, Kind as Lexed};

/// Which language a token is in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// `.pcd`, with its paths.
    Code,
    /// A query.
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

/// The tokens of a source; prose, comments, and blanks are left out.
pub fn scan_tokens(text: &str) -> Vec<Token<'_>> {
    let lexed = lex::lex_source(text);
    let mut tokens = Vec::new();
    // Where the current query ends, and where the last string that was taken whole ends.
    let (mut query, mut taken) = (0, 0);
    for (at, token) in lexed.tokens.iter().enumerate().filter(|(_, token)| token.kind != Lexed::Blank) {
        let (text, start) = (token.text(text), token.start as usize);
        if start < taken {
            continue;
        }
        let place = if start < query { Place::Sql } else { Place::Code };
        let kind = match token.kind {
            Lexed::Text if is_plain(text, lexed.parts(at)) => {
                taken = token.end as usize;
                Kind::Text
            }
            Lexed::Raw(RawKind::Sql) => {
                query = token.end as usize;
                continue;
            }
            Lexed::Embedded(Embedded::Parameter) => {
                let (sign, name) = text.split_at(1);
                tokens.push(Token { kind: Kind::Sign, place, text: sign, start });
                tokens.extend((!name.is_empty()).then_some(Token {
                    kind: Kind::Word,
                    place,
                    text: name,
                    start: start + 1,
                }));
                continue;
            }
            Lexed::Word | Lexed::Quoted | Lexed::Embedded(Embedded::Name) => Kind::Word,
            Lexed::Number | Lexed::Embedded(Embedded::Number) => Kind::Number,
            Lexed::Embedded(Embedded::Text) if place == Place::Sql => Kind::Text,
            Lexed::Quote => Kind::Quote,
            Lexed::Open(_) | Lexed::Close(_) => Kind::Bracket,
            Lexed::Embedded(Embedded::Sign) if "()[]".contains(text) => Kind::Bracket,
            Lexed::Sign | Lexed::SingleQuoted | Lexed::Embedded(Embedded::Text | Embedded::Sign) => Kind::Sign,
            Lexed::Blank | Lexed::Comment | Lexed::Doc | Lexed::Text | Lexed::Raw(_) => continue,
            Lexed::Chars | Lexed::Escape | Lexed::Embedded(Embedded::Blank | Embedded::Comment) => continue,
        };
        tokens.push(Token { kind, place, text, start });
    }
    tokens
}

/// Whether a string of one line holds no placeholder.
fn is_plain(text: &str, parts: &[lex::Token]) -> bool {
    !text.starts_with("\"\"\"") && parts.iter().all(|part| part.kind != Lexed::Open(b'<'))
}
