//! Tokens without blanks and comments, and recognition of statement and item starts.

use super::{Kind, Token};
use crate::words::{self, Class, Head, split_first_word};

/// The maximum number of names in one declaration that is recognized.
const MAX_NAMES: usize = 50;

/// The tokens of a text, without blanks and comments.
pub struct Code<'t> {
    /// The text.
    pub source: &'t str,
    /// The tokens.
    pub tokens: Vec<Token>,
}

impl<'t> Code<'t> {
    /// The text of a token.
    pub fn text(&self, index: usize) -> &'t str {
        self.tokens.get(index).map_or("", |token| token.text(self.source))
    }

    /// The kind of a token.
    pub fn kind(&self, index: usize) -> Option<Kind> {
        self.tokens.get(index).map(|token| token.kind)
    }

    /// Whether the token is this word, sign, or bracket.
    pub fn is_token(&self, index: usize, text: &str) -> bool {
        matches!(self.kind(index), Some(Kind::Word | Kind::Sign | Kind::Open(_) | Kind::Close(_)))
            && self.text(index) == text
    }

    /// Whether the token is a word (a keyword or a name).
    pub fn is_word(&self, index: usize) -> bool {
        self.kind(index) == Some(Kind::Word)
    }

    /// Whether the token is a name, or a word that could be one.
    pub fn is_name(&self, index: usize) -> bool {
        matches!(self.kind(index), Some(Kind::Word | Kind::Quoted))
    }

    /// Whether `NAME, NAME :` or `NAME =` begins here, with a plausible number of names.
    pub fn is_declaration(&self, index: usize) -> bool {
        let mut index = if self.is_token(index, "@") { index + 1 } else { index };
        let limit = index + 2 * MAX_NAMES;
        while self.is_name(index) && index < limit {
            if self.is_token(index + 1, ":") || self.is_token(index + 1, "=") {
                return true;
            }
            if !self.is_token(index + 1, ",") {
                return false;
            }
            index += 2;
        }
        false
    }

    /// Whether a keyword starts a statement here, shown by the tokens after it.
    pub fn is_keyword_start(&self, index: usize) -> bool {
        if !self.is_word(index) {
            return false;
        }
        let next = index + 1;
        let text = matches!(self.kind(next), Some(Kind::Text | Kind::SingleQuoted));
        let alone = || {
            self.tokens.get(index).is_some_and(|token| token.first)
                && self.tokens.get(next).is_none_or(|next| next.first)
        };
        let Some(head) = words::find_head(self.text(index)) else { return false };
        match head {
            Head::Text => text,
            Head::Wording => text || self.is_token(next, "one_of") || alone(),
            Head::Subject => {
                let subject = |at| words::is_of_class(Class::Subject, self.text(at));
                alone() || subject(next) || self.is_token(next + 1, ":") && subject(next + 2)
            }
            Head::Block => {
                let follows = self.is_token(next + 1, "after") && self.is_name(next + 2);
                self.is_name(next) && (self.is_token(next + 1, "{") || follows)
            }
            Head::Columns => {
                self.is_name(next) && ["{", ":", "from"].iter().any(|after| self.is_token(next + 1, after))
            }
            Head::Equals => self.is_name(next) && self.is_token(next + 1, "="),
            Head::Rows => self.is_name(next) && self.is_token(next + 1, "in"),
            Head::List => self.is_token(next, "["),
            Head::Number => self.kind(next) == Some(Kind::Number),
            Head::Lint => self.is_word(next) && !self.is_declaration(next),
            Head::Condition => !self.is_declaration(index) && !self.is_token(next, "}") && next < self.tokens.len(),
            Head::Name => self.is_name(next) && !self.is_declaration(index),
            Head::Path => {
                let path =
                    self.is_word(next + 1) && matches!(self.kind(next + 2), Some(Kind::Text | Kind::SingleQuoted));
                self.is_token(next, "at")
                    || self.is_name(next) && (path || self.is_token(next + 1, "at") || self.is_token(next + 1, ":"))
            }
        }
    }
}

/// Whether a line of text clearly begins a statement or item: with a keyword and tokens that occur only after it. Prose rarely does.
pub(super) fn is_statement_start(line: &str) -> bool {
    let Some(head) = words::find_head(split_first_word(line).0) else { return false };
    let code = Code { source: line, tokens: super::lex_source(line).iter_code().copied().collect() };
    let clear = match head {
        Head::Name | Head::Condition => false,
        Head::Lint => code.kind(2) == Some(Kind::Text),
        _ => code.tokens.len() > 1,
    };
    clear && code.is_keyword_start(0)
}
