//! What is made as a whole, and how far the checking of it is.

use model::Span;
use model::suite::{ColumnId, FileId, NameId, RelationId};

use crate::hir::Expr;

/// Something that is made as a whole and can be waited for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Unit {
    Name(NameId),
    File(FileId),
    Relation(RelationId),
    Column(RelationId, ColumnId),
}

/// Something that may be null.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Place {
    Name(NameId),
    Column(RelationId, ColumnId),
    /// What a call gives: bare, as the same call gives the same.
    Call(Box<Expr>),
}

/// How far the checking of a declaration is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum State {
    Todo,
    Doing,
    Done,
}

/// Who asked for something that is then checked.
pub(crate) struct Asked {
    /// Where it is named, where something names it.
    pub(in crate::check) at: Option<Span>,
    /// The query that reads it, where that is what asks for it.
    pub(in crate::check) query: Option<Span>,
    /// `nulls_pass` of the expression that asks for it, restored when this one is done.
    pub(in crate::check) nulls_pass: bool,
}

/// A constant, or a named domain (the author's own, or the library's).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Global<'a> {
    Constant(&'a str),
    Domain(&'a str, bool),
}

/// What is known of a condition's value.
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
    /// The outcome that `not` turns into this one.
    pub fn to_opposite(self) -> Outcome {
        match self {
            Outcome::True => Outcome::False,
            Outcome::False => Outcome::True,
            Outcome::NotTrue => Outcome::NotFalse,
            Outcome::NotFalse => Outcome::NotTrue,
        }
    }
}
