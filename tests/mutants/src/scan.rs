//! Splits a source into words, numbers, texts, and brackets, each with its language.

use compiler::ast::RawKind;
use compiler::syntax::lex::{self, Embedded, Kind as Lexed};

/// The language of a token.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// `.pcd`, including paths.
    Code,
    /// A query.
    Sql,
}

/// The kind of a token.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A name or keyword.
    Word,
    /// A token that begins with a digit.
    Number,
    /// A string without placeholders, or an SQL literal, including its quotes.
    Text,
    /// A string's opening or closing quotes.
    Quote,
    /// `{ } ( ) [ ]`, `<<`, `>>`
    Bracket,
    /// Any other character or operator.
    Sign,
}

/// A piece of the source.
#[derive(Clone, Copy, Debug)]
pub struct Token<'t> {
    /// The kind.
    pub kind: Kind,
    /// The language.
    pub place: Place,
    /// The text as written.
    pub text: &'t str,
    /// The offset of its first byte.
    pub start: usize,
}

impl Token<'_> {
    /// The offset after its last byte.
    pub fn end(&self) -> usize {
        self.start + self.text.len()
    }
}

/// Returns the tokens of a source, without prose, comments, and white space.
pub fn scan_tokens(text: &str) -> Vec<Token<'_>> {
    let lexed = lex::lex_source(text);
    let mut tokens = Vec::new();
    // The end of the current query, and the end of the last string that became one token.
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

/// Whether a string is on one line and contains no placeholder.
fn is_plain(text: &str, parts: &[lex::Token]) -> bool {
    !text.starts_with("\"\"\"") && parts.iter().all(|part| part.kind != Lexed::Open(b'<'))
}
