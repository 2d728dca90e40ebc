//! Why a regular expression cannot be generated from.

use regex_syntax::ast::Span;

/// Why a regular expression cannot be generated from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PatternError {
    /// In the author's words.
    pub message: String,
    /// Bytes of the pattern's text that are at fault, where known.
    pub range: Option<(usize, usize)>,
}

/// Builds an error at a span of the pattern.
pub(super) fn build_error(span: &Span, message: impl Into<String>) -> PatternError {
    PatternError { message: message.into(), range: Some((span.start.offset, span.end.offset)) }
}

/// Builds the error of a pattern that is too large.
pub(super) fn build_size_error() -> PatternError {
    PatternError { message: "the pattern is too large: repeat less, or less deeply".into(), range: None }
}
