//! The tokens and comments of a text, with the number of line breaks before each.

use super::marks::{Marks, Text};
use crate::lex;

/// A token or comment.
#[derive(Clone, Copy)]
pub(super) struct Token<'a> {
    /// Its text in the source.
    pub text: &'a str,
    /// Its first byte.
    pub start: u32,
    /// Its kind.
    pub kind: Kind<'a>,
    /// The number of line breaks before it, at most 2.
    pub breaks: u8,
    /// Whether it is a unary `-`.
    pub sign: bool,
}

impl Token<'_> {
    /// Whether a comment follows a token on its line. A doc comment belongs to the next item and gets its own line.
    pub fn is_trailing(&self) -> bool {
        self.breaks == 0 && (!self.text.starts_with("##") || self.text.starts_with("###"))
    }
}

/// The kinds of tokens.
#[derive(Clone, Copy)]
pub(super) enum Kind<'a> {
    /// A name, with or without backticks, or a keyword.
    Word,
    /// A number, date, or datetime.
    Number,
    /// A bracket, an operator, or a comma.
    Sign,
    /// A string or raw text.
    Text(Text<'a>),
    /// `#`, `##`, `###`
    Comment,
}

/// Collects all tokens and comments of a text without syntax errors.
pub(super) fn collect_tokens<'a>(source: &'a str, marks: &Marks<'a>) -> Vec<Token<'a>> {
    let mut tokens: Vec<Token<'a>> = Vec::new();
    let mut breaks = 0;
    for token in lex::lex_source(source).iter_whole() {
        let text = token.text(source);
        let kind = match token.kind {
            lex::Kind::Blank => {
                breaks += text.matches('\n').count();
                continue;
            }
            lex::Kind::Comment | lex::Kind::Doc => Kind::Comment,
            lex::Kind::Word | lex::Kind::Quoted => Kind::Word,
            lex::Kind::Number => Kind::Number,
            lex::Kind::Text | lex::Kind::Raw(_) => {
                marks.find_text(token.start, token.end).map_or(Kind::Sign, Kind::Text)
            }
            _ => Kind::Sign,
        };
        let sign = marks.signs.contains(&token.start);
        tokens.push(Token { text, start: token.start, kind, breaks: breaks.min(2) as u8, sign });
        breaks = 0;
    }
    tokens
}
