//! Around the expression that is being checked: which rows it can name, and what conditions around it show.

use std::collections::BTreeSet;

use model::suite::RelationId;

use crate::check::model::Place;
use crate::hir::Expr;

/// Around the expression that is being checked.
#[derive(Default)]
pub(crate) struct RowScope {
    /// The row whose columns it can name.
    row: Option<RelationId>,
    /// The row being made, while `row` is one that a filter looks at.
    outer: Option<RelationId>,
    /// The relation whose own declaration this is in: a file that is written from another table, whose columns are in scope here.
    inside: Option<RelationId>,
    /// What conditions around it show not to be null.
    not_null: Vec<Place>,
    /// The names on the other side of the comparison that it is a side of.
    opposite: Vec<String>,
}

impl RowScope {
    /// In a row of a relation, and in no other.
    pub fn with_row(relation: RelationId) -> RowScope {
        RowScope { row: Some(relation), ..RowScope::default() }
    }

    /// In a row of a relation that takes its rows from another, where that is declared: the other's columns can be named, and helpers.
    pub fn with_declared_row(relation: RelationId) -> RowScope {
        RowScope { inside: Some(relation), ..RowScope::with_row(relation) }
    }

    /// In a row of `relation` at which a filter or an aggregate looks. The row around it can be named too, if it is of another relation.
    pub fn with_filtered_row(&self, relation: RelationId) -> RowScope {
        RowScope { outer: self.row.filter(|row| *row != relation), inside: self.inside, ..RowScope::with_row(relation) }
    }

    /// The row whose columns can be named.
    pub fn row(&self) -> Option<RelationId> {
        self.row
    }

    /// Whether this is in the declaration of a relation that takes its rows from another.
    pub fn is_inside(&self, relation: RelationId) -> bool {
        self.inside == Some(relation)
    }

    /// The row being made, while a filter looks at another.
    pub fn outer(&self) -> Option<RelationId> {
        self.outer
    }

    /// Whether conditions around the expression show that this is not null.
    pub fn is_known_not_null(&self, place: &Place) -> bool {
        self.not_null.contains(place)
    }

    /// Enters a side of a comparison, with the names of the other; gives those of the comparison around it, for [`RowScope::restore_side`].
    pub fn enter_side(&mut self, opposite: Vec<String>) -> Vec<String> {
        std::mem::replace(&mut self.opposite, opposite)
    }

    /// Leaves a side of a comparison.
    pub fn restore_side(&mut self, before: Vec<String>) {
        self.opposite = before;
    }

    /// Whether the other side of the comparison has this name: then it is not what is meant on this one.
    pub fn is_opposite(&self, name: &str) -> bool {
        self.opposite.iter().any(|other| other == name)
    }

    /// Whether conditions around the expression show anything.
    pub fn has_not_null(&self) -> bool {
        !self.not_null.is_empty()
    }

    /// Enters what a condition shows this for; gives what [`RowScope::restore_conditions`] needs to leave it again.
    pub fn enter_condition(&mut self, shown: Vec<Place>) -> usize {
        let before = self.not_null.len();
        self.not_null.extend(shown);
        before
    }

    /// Leaves what was entered.
    pub fn restore_conditions(&mut self, before: usize) {
        self.not_null.truncate(before);
    }
}

/// What `require` statements show not to be null, wherever else it is named.
#[derive(Default)]
pub(crate) struct RequiredFacts {
    /// The names that any of them shows.
    all: BTreeSet<String>,
    names: BTreeSet<String>,
    calls: Vec<Expr>,
}

impl RequiredFacts {
    /// Before the first one, where all together show these names.
    pub fn with_all_names(all: BTreeSet<String>) -> RequiredFacts {
        RequiredFacts { all, ..RequiredFacts::default() }
    }

    /// Adds what one of them shows: names, and calls, each [bare](Expr::without_spans).
    pub fn add_shown(&mut self, names: Vec<String>, calls: impl Iterator<Item = Expr>) {
        self.names.extend(names);
        self.calls.extend(calls);
    }

    /// Whether one that comes later shows that a name is not null.
    pub fn is_shown_later(&self, name: &str) -> bool {
        self.all.contains(name) && !self.names.contains(name)
    }

    /// Whether a name is not null.
    pub fn is_name_shown(&self, name: &str) -> bool {
        self.names.contains(name)
    }

    /// Whether a bare call does not give null.
    pub fn is_call_shown(&self, call: &Expr) -> bool {
        self.calls.contains(call)
    }

    /// Whether they show anything of calls.
    pub fn has_calls(&self) -> bool {
        !self.calls.is_empty()
    }
}
