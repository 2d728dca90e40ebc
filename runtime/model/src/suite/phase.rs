//! The difference between a checked suite and a compiled one: both consist of the same types, and a phase determines their content.

use std::fmt::Debug;

use serde::Serialize;

use super::RelationId;
use crate::answer_key::Expression;

/// The common capabilities of all parts of a suite.
pub trait Part: Clone + Debug + PartialEq {}

impl<T: Clone + Debug + PartialEq> Part for T {}

/// The phase of a suite: [`Compiled`], or the result of the compiler's checker.
pub trait Phase: Part {
    /// An expression.
    type Expr: Expression;
    /// A query, or statements that change rows.
    type Query: Part;
    /// A domain that is known at compile time.
    type Domain: Part;
    /// The remains of a mistake that has been reported.
    type Mistake: Part;
    /// The type of a value; by default unknown.
    type Type: Part + Default;
    /// The properties of a column's cells, besides their type.
    type Cells: Part;
    /// The values of a fixture's column.
    type Given: Part;
    /// The properties of a task, besides what it generates.
    type OfTask: Part;
    /// The properties of a variant.
    type OfVariant: Part;
}

/// The compiled phase, with only what generation and scoring need: no types, no mistakes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Compiled;

/// An empty type, because a compiled suite has no mistakes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub enum Nothing {}

/// A phase whose parts can be printed.
pub trait Printed:
    Phase<Expr: Serialize, Query: Serialize, Domain: Serialize, Mistake: Serialize, Cells: Serialize, Given: Serialize>
{
}

/// The scope of an expression: the rows that it can name.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Scope {
    /// The relation of the current row.
    pub row: Option<RelationId>,
    /// The row for which a filter checks candidates.
    pub outer: Option<RelationId>,
}

impl Scope {
    /// Creates the scope of a row of this relation.
    pub fn with_row(relation: RelationId) -> Scope {
        Scope { row: Some(relation), outer: None }
    }

    /// Returns the scope inside a filter of this relation's rows.
    pub fn enter_filter(self, relation: RelationId) -> Scope {
        Scope { row: Some(relation), outer: self.row }
    }
}

/// The role of a whole expression.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// Its value is used.
    Value,
    /// It chooses the rows of a `ref`.
    Filter,
    /// A `require`.
    Require,
}

/// The callback for every whole expression of a part.
pub type Visit<'v, 'a, S> = dyn FnMut(Role, &'a <S as Phase>::Expr, Scope) + 'v;
