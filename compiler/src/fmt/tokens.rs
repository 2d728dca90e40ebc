//! The text as tokens and comments, with the number of line breaks before each.

use super::marks::{Marks, Text};
use crate::syntax::lex;

/// A token or comment.
#[derive(Clone, Copy)]
pub(super) struct Token<'a> {
    /// As it is written.
    pub text: &'a str,
    /// Its first byte.
    pub start: u32,
    /// What it is.
    pub kind: Kind<'a>,
    /// Line breaks between the token before and this one; 2 for any more.
    pub breaks: u8,
}

/// What a token is.
#[derive(Clone, Copy)]
pub(super) enum Kind<'a> {
    /// A name, with or without backticks, or a keyword.
    Word,
    /// A number, date or moment.
    Number,
    /// A bracket, an operator, a comma.
    Sign,
    /// A string or raw text.
    Text(Text<'a>),
    /// `#`, `##`, `###`
    Comment,
}

/// Every token and comment of a text that was read without a mistake.
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
        tokens.push(Token { text, start: token.start, kind, breaks: breaks.min(2) as u8 });
        breaks = 0;
    }
    tokens
}
