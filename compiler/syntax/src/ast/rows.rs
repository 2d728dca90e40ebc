//! The rows of a table: how many, in which order, and their constraints.

use super::{Expr, Ident};
use model::Span;

/// `rows N` or `rows A..B`
#[derive(Clone, Debug, PartialEq)]
pub struct Rows {
    /// How many.
    pub count: Count,
    /// With the keyword.
    pub span: Span,
}

/// `N` or `A..B`
#[derive(Clone, Debug, PartialEq)]
pub struct Count {
    /// The number, or the least.
    pub low: Expr,
    /// The most, in a range.
    pub high: Option<Expr>,
}

/// `rows repeat P%`: the probability that a row is written twice.
#[derive(Clone, Debug, PartialEq)]
pub struct Repeat {
    /// The share: a percentage, or a name with `%`.
    pub share: Expr,
    /// With the keyword.
    pub span: Span,
}

/// `rows by COLUMN [desc]`: the order in which the rows are written.
#[derive(Clone, Debug, PartialEq)]
pub struct OrderBy {
    /// The column: one of the source table, or a helper of the body.
    pub column: Ident,
    /// `desc`: the greatest first.
    pub desc: bool,
    /// With the keyword.
    pub span: Span,
}

/// A constraint on several columns of a table: `unique (A, B)`, `key (A, B)`, `index (A, B)`.
#[derive(Clone, Debug, PartialEq)]
pub struct Constraint {
    /// Which.
    pub kind: ConstraintKind,
    /// The columns, at least one.
    pub columns: Vec<Ident>,
    /// The whole clause.
    pub span: Span,
}

model::worded! {
    /// The kinds of [`Constraint`].
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
    pub enum ConstraintKind {
        /// `unique`: no two rows have the same values.
        Unique = "unique",
        /// `key`: the primary key of a table in a database.
        Key = "key",
        /// `index`: an index of a database.
        Index = "index",
    }
}
