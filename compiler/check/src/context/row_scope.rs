//! The surroundings of the expression that is being checked: the rows whose columns it can use, and the facts that conditions prove.

use std::collections::BTreeSet;

use model::suite::RelationId;

use crate::context::Place;
use hir::Expr;

/// The surroundings of the expression that is being checked.
#[derive(Default)]
pub(crate) struct RowScope {
    /// The row whose columns are in scope.
    row: Option<RelationId>,
    /// The row being generated, while a filter reads another `row`.
    outer: Option<RelationId>,
    /// The relation whose declaration contains the expression, if its rows are taken from another table, whose columns are in scope here.
    inside: Option<RelationId>,
    /// Values that the conditions around it prove not to be null.
    not_null: Vec<Place>,
    /// The names on the other side of the comparison, if the expression is one side of it.
    opposite: Vec<String>,
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

    /// Returns the relation of the row whose columns are in scope.
    pub fn row(&self) -> Option<RelationId> {
        self.row
    }

    /// Checks whether this is inside the declaration of `relation`, which takes its rows from another one.
    pub fn is_inside(&self, relation: RelationId) -> bool {
        self.inside == Some(relation)
    }

    /// Returns the relation of the row being generated, while a filter reads another row.
    pub fn outer(&self) -> Option<RelationId> {
        self.outer
    }

    /// Checks whether conditions around the expression prove that this is not null.
    pub fn is_known_not_null(&self, place: &Place) -> bool {
        self.not_null.contains(place)
    }

    /// Enters a side of a comparison, with the names of the other side. Returns the names to pass to [`RowScope::restore_side`].
    pub fn enter_side(&mut self, opposite: Vec<String>) -> Vec<String> {
        std::mem::replace(&mut self.opposite, opposite)
    }

    /// Leaves a side of a comparison.
    pub fn restore_side(&mut self, before: Vec<String>) {
        self.opposite = before;
    }

    /// Checks whether the other side of the comparison has this name, which is then unlikely to be meant on this side.
    pub fn is_opposite(&self, name: &str) -> bool {
        self.opposite.iter().any(|other| other == name)
    }

    /// Checks whether conditions around the expression prove anything.
    pub fn has_not_null(&self) -> bool {
        !self.not_null.is_empty()
    }

    /// Enters the scope of a condition that proves `shown` not to be null. Returns the value to pass to [`RowScope::restore_conditions`].
    pub fn enter_condition(&mut self, shown: Vec<Place>) -> usize {
        let before = self.not_null.len();
        self.not_null.extend(shown);
        before
    }

    /// Leaves the scope of a condition.
    pub fn restore_conditions(&mut self, before: usize) {
        self.not_null.truncate(before);
    }
}

/// The names and calls that `require` statements prove not to be null, wherever else they are used.
#[derive(Default)]
pub(crate) struct RequiredFacts {
    /// The names that any of the statements proves.
    all: BTreeSet<String>,
    names: BTreeSet<String>,
    calls: Vec<Expr>,
}

impl RequiredFacts {
    /// Creates the state before the first statement. `all` are the names that all statements together prove.
    pub fn with_all_names(all: BTreeSet<String>) -> RequiredFacts {
        RequiredFacts { all, ..RequiredFacts::default() }
    }

    /// Adds the facts proved by one statement: names, and calls [without spans](Expr::without_spans).
    pub fn add_shown(&mut self, names: Vec<String>, calls: impl Iterator<Item = Expr>) {
        self.names.extend(names);
        self.calls.extend(calls);
    }

    /// Checks whether a later statement proves that a name is not null.
    pub fn is_shown_later(&self, name: &str) -> bool {
        self.all.contains(name) && !self.names.contains(name)
    }

    /// Checks whether a name is proved not to be null.
    pub fn is_name_shown(&self, name: &str) -> bool {
        self.names.contains(name)
    }

    /// Checks whether a call without spans is proved not to be null.
    pub fn is_call_shown(&self, call: &Expr) -> bool {
        self.calls.contains(call)
    }

    /// Checks whether any call is proved not to be null.
    pub fn has_calls(&self) -> bool {
        !self.calls.is_empty()
    }
}
