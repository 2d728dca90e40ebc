//! Names and doc comments.

use model::Span;

/// A name in the source.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Ident {
    /// The name itself, without backticks.
    pub text: String,
    /// Its range, with backticks if it has them.
    pub span: Span,
    /// Whether it is written in backticks.
    pub quoted: bool,
}

/// `## …` lines above an item, statement, column, or setting, joined by newlines, without the markers and one blank after each.
#[derive(Clone, Debug, PartialEq)]
pub struct Doc {
    /// The text.
    pub text: String,
    /// The range from the first `##` to the end of the last line.
    pub span: Span,
}
