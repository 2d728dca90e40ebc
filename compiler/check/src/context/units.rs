//! The units of checking, and the progress of checking them.

use model::Span;
use model::suite::{ColumnId, FileId, NameId, RelationId};

use hir::Expr;

/// A declaration that is generated as a whole and that others can wait for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Unit {
    Name(NameId),
    File(FileId),
    Relation(RelationId),
    Column(RelationId, ColumnId),
}

/// A value that can be null.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Place {
    Name(NameId),
    Column(RelationId, ColumnId),
    /// The result of a call without spans: equal calls have equal results.
    Call(Box<Expr>),
}

/// The progress of checking a declaration.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum State {
    Todo,
    Doing,
    Done,
}

/// The expression that asked for a declaration to be checked.
pub(crate) struct Asked {
    /// The span of the name, if a name asked for it.
    pub(crate) at: Option<Span>,
    /// The query that reads it, if a query asked for it.
    pub(crate) query: Option<Span>,
    /// `nulls_pass` of the expression that asked for it, to be restored afterwards.
    pub(crate) nulls_pass: bool,
}

/// A constant, or a named domain (`true` for the author's own, `false` for the library's).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Global<'a> {
    Constant(&'a str),
    Domain(&'a str, bool),
}

/// The known facts about the value of a condition.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Outcome {
    True,
    False,
    /// False or null.
    NotTrue,
    /// True or null.
    NotFalse,
}

impl Outcome {
    /// Returns the outcome of the operand of `not`, if this is the outcome of `not`.
    pub fn to_opposite(self) -> Outcome {
        match self {
            Outcome::True => Outcome::False,
            Outcome::False => Outcome::True,
            Outcome::NotTrue => Outcome::NotFalse,
            Outcome::NotFalse => Outcome::NotTrue,
        }
    }
}
