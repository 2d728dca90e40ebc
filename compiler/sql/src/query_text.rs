//! The text of a query: its tokens and its tree.

use std::cell::OnceCell;

use model::span::Span;

use super::lex::{Kind, Token, tokenize_sql};
use super::parse::parse_query;
use syntax::ast;

/// The text of a query, read once: its tokens, and its tree, which is parsed when it is first needed.
#[derive(Debug)]
pub struct SqlText<'r> {
    /// An exact slice of the source.
    pub(super) raw: &'r ast::Raw,
    pub(super) tokens: Vec<Token<'r>>,
    tree: OnceCell<Option<Box<sqlparser::ast::Query>>>,
}

impl<'r> SqlText<'r> {
    /// Reads the tokens.
    pub fn new(raw: &'r ast::Raw) -> SqlText<'r> {
        SqlText { raw, tokens: tokenize_sql(&raw.text), tree: OnceCell::new() }
    }

    /// The tree, if `sqlparser` can read it.
    pub(super) fn tree(&self) -> Option<&sqlparser::ast::Query> {
        self.tree.get_or_init(|| parse_query(&self.tokens)).as_deref()
    }

    /// The parameters that it names (`:name`), each time it does, and where.
    pub fn iter_parameters(&self) -> impl Iterator<Item = (&'r str, Span)> {
        let named = self.tokens.iter().filter(|token| token.kind == Kind::Param);
        named.filter_map(|token| Some((token.text.strip_prefix(':')?, self.to_span((token.start, token.end())))))
    }

    /// The place in the source of bytes of it.
    pub(super) fn to_span(&self, (start, end): (usize, usize)) -> Span {
        let raw = self.raw.span;
        let place = |offset: usize| raw.start.saturating_add(u32::try_from(offset).unwrap_or(u32::MAX)).min(raw.end);
        Span::new(raw.file, place(start), place(end).max(place(start)))
    }
}

/// Returns the tokens of a query, separated by spaces: the same for queries that differ only in layout and comments.
pub fn without_layout(text: &str) -> String {
    tokenize_sql(text).iter().map(|token| token.text).collect::<Vec<_>>().join(" ")
}

/// Returns a query on one line and without its comments: layout does not change the stored text.
pub fn to_one_line(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut end = None;
    for token in tokenize_sql(text) {
        if end.is_some_and(|end| end < token.start) {
            out.push(' ');
        }
        out.push_str(token.text);
        end = Some(token.end());
    }
    out
}
