//! Lints that are silenced.

use super::{Ident, StringLit};
use model::Span;

/// `allow LINT "reason"`
#[derive(Clone, Debug, PartialEq)]
pub struct Allow {
    /// The lint's name.
    pub lint: Ident,
    /// The reason; `check` reports a missing one.
    pub reason: Option<StringLit>,
    /// The range of the statement.
    pub span: Span,
}
