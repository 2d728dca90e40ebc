//! What differs between a checked suite and a compiled one. Their parts have the same shapes; a phase names what is in the shapes.

use std::fmt::Debug;

use serde::Serialize;

use super::{Cells, ColumnId, DomainId, Expr, Relation, RelationId, Sql};
use crate::Given;
use crate::answer_key::Expression;

/// What every part of a suite can do.
pub trait Part: Clone + Debug + PartialEq {}

impl<T: Clone + Debug + PartialEq> Part for T {}

/// How far a suite is compiled: [`Compiled`], or as the compiler's checker leaves it.
pub trait Phase: Part {
    /// An expression.
    type Expr: Expression;
    /// A query, or statements that change rows.
    type Query: Part;
    /// A domain that is known at compile time.
    type Domain: Part;
    /// What is left of a mistake that has been reported.
    type Mistake: Part;
    /// The type of a value; by default unknown.
    type Type: Part + Default;
    /// What a column's cells are, besides their type.
    type Cells: Part;
    /// The values of a fixture's column.
    type Given: Part;
    /// What is known of a task, besides what it generates.
    type OfTask: Part;
    /// The same of a variant.
    type OfVariant: Part;
}

/// Nothing but what generation and scoring need: no types, no mistakes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Compiled;

impl Phase for Compiled {
    type Expr = Expr;
    type Query = Sql;
    type Domain = DomainId;
    type Mistake = Nothing;
    type Type = ();
    type Cells = Cells;
    type Given = Given;
    type OfTask = ();
    type OfVariant = ();
}

/// Nothing: no mistake is left in a compiled suite.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub enum Nothing {}

/// A phase whose parts can be printed.
pub trait Printed:
    Phase<Expr: Serialize, Query: Serialize, Domain: Serialize, Mistake: Serialize, Cells: Serialize, Given: Serialize>
{
}

impl Printed for Compiled {}

/// Compiles what is in the shapes of a phase; the shapes do the rest.
pub trait Compile<S: Phase> {
    /// An expression.
    fn compile_expr(&mut self, expr: &S::Expr) -> Expr;
    /// A domain that is known.
    fn compile_domain(&mut self, domain: &S::Domain) -> DomainId;
    /// What a column's cells are.
    fn compile_cells(&mut self, relation: &Relation<S>, column: ColumnId) -> Cells;
    /// The values of a fixture's column.
    fn compile_given(&mut self, given: &S::Given) -> Given;
}

/// Where an expression is: which rows it can name.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Scope {
    /// The relation of the current row.
    pub row: Option<RelationId>,
    /// The row for which a filter looks at candidates.
    pub outer: Option<RelationId>,
}

impl Scope {
    /// At a row of this relation.
    pub fn with_row(relation: RelationId) -> Scope {
        Scope { row: Some(relation), outer: None }
    }

    /// Inside a filter over the rows of this relation.
    pub fn enter_filter(self, relation: RelationId) -> Scope {
        Scope { row: Some(relation), outer: self.row }
    }
}

/// What a whole expression is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// Its value is used.
    Value,
    /// It chooses the rows of a `ref`.
    Filter,
    /// A `require`.
    Require,
}

/// What is called for every whole expression of a part.
pub type Visit<'v, 'a, S> = dyn FnMut(Role, &'a <S as Phase>::Expr, Scope) + 'v;
