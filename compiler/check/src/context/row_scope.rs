//! The surroundings of the expression that is being checked: the rows whose columns it can use, and the facts that conditions prove.

use std::collections::BTreeSet;

use model::suite::RelationId;

use crate::context::Place;
use hir::Expr;

/// The surroundings of the expression that is being checked.
#[derive(Default)]
pub(crate) struct RowScope {
    /// The row whose columns are in scope.
    pub row: Option<RelationId>,
    /// The row being generated, while a filter reads another `row`.
    pub outer: Option<RelationId>,
    /// The relation whose declaration contains the expression, if its rows are taken from another table, whose columns are in scope here.
    inside: Option<RelationId>,
    /// Values that the conditions around it prove not to be null.
    pub not_null: Vec<Place>,
    /// The names on the other side of the comparison, if the expression is one side of it.
    pub opposite: Vec<String>,
}

impl RowScope {
    /// Creates the scope of a row of a relation, with no other row.
    pub fn with_row(relation: RelationId) -> RowScope {
        RowScope { row: Some(relation), ..RowScope::default() }
    }

    /// Creates the scope of a row in the declaration of a relation that takes its rows from another one: the other's columns and helpers are in scope.
    pub fn with_declared_row(relation: RelationId) -> RowScope {
        RowScope { inside: Some(relation), ..RowScope::with_row(relation) }
    }

    /// Creates the scope of a row of `relation` that a filter or an aggregate reads. The row around it stays in scope if it belongs to another relation.
    pub fn with_filtered_row(&self, relation: RelationId) -> RowScope {
        RowScope { outer: self.row.filter(|row| *row != relation), inside: self.inside, ..RowScope::with_row(relation) }
    }

    /// Checks whether this is inside the declaration of `relation`, which takes its rows from another one.
    pub fn is_inside(&self, relation: RelationId) -> bool {
        self.inside == Some(relation)
    }

    /// Checks whether the other side of the comparison has this name, which is then unlikely to be meant on this side.
    pub fn is_opposite(&self, name: &str) -> bool {
        self.opposite.iter().any(|other| other == name)
    }
}

/// The names and calls that `require` statements prove not to be null, wherever else they are used.
#[derive(Default)]
pub(crate) struct RequiredFacts {
    /// The names that any of the statements proves.
    pub all: BTreeSet<String>,
    /// The names that the statements checked so far prove.
    pub names: BTreeSet<String>,
    /// The calls that they prove, [without spans](Expr::without_spans).
    pub calls: Vec<Expr>,
}

impl RequiredFacts {
    /// Checks whether a later statement proves that a name is not null.
    pub fn is_shown_later(&self, name: &str) -> bool {
        self.all.contains(name) && !self.names.contains(name)
    }
}
