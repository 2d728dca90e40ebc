//! A statement of `after`, with what it reads and what earlier statements have changed.

use std::collections::BTreeSet;

use model::ValueType;
use model::suite::{ColumnId, ConstraintKind, RelationId};

use super::sql::is_within;
use hir::terms::{Known, TermFacts};
use hir::{Column, Relation, Task};
use sql::terms::{Operator, Term};
use sql::{Change, ChangeKind, SqlAnalysis, SqlOutput};

/// A statement with what it is about.
pub(super) struct Statement<'s, 'a> {
    /// What it reads and computes.
    pub terms: TermFacts<'s, 'a>,
    /// The statement.
    pub change: &'s Change<'s>,
    /// What is known of it as a query.
    pub query: &'s SqlAnalysis,
    /// The table that it changes.
    pub id: RelationId,
    /// The same.
    pub relation: &'a Relation,
    /// What was changed before.
    pub done: &'s Done<'a>,
}

/// What earlier statements have changed.
#[derive(Default)]
pub(super) struct Done<'a> {
    /// Columns that may have other values than those that are drawn.
    columns: BTreeSet<(RelationId, ColumnId)>,
    /// Tables that may have other rows.
    tables: BTreeSet<RelationId>,
    /// The values that were put into columns.
    pub added: Vec<((RelationId, ColumnId), Known<'a>)>,
    /// Deletions: the table, and the conditions as they are written.
    pub deletions: Vec<Deletion>,
}

/// A statement that deleted rows.
pub(super) struct Deletion {
    /// The table.
    pub relation: RelationId,
    /// The tokens of each of its conditions.
    pub conditions: Vec<Vec<String>>,
}

impl<'a> Done<'a> {
    /// Notes what a statement changes.
    pub(super) fn note_change(
        &mut self,
        (id, change): (RelationId, &Change<'_>),
        columns: Vec<ColumnId>,
        added: Vec<((RelationId, ColumnId), Known<'a>)>,
    ) {
        match change.kind {
            ChangeKind::Delete => {
                let conditions = change.conditions.iter();
                let conditions = conditions.map(|part| part.iter().map(|token| token.text.to_owned()).collect());
                self.deletions.push(Deletion { relation: id, conditions: conditions.collect() });
                self.tables.insert(id);
            }
            // What was deleted can be there again, or other rows can meet the conditions.
            ChangeKind::Insert => {
                self.deletions.clear();
                self.tables.insert(id);
            }
            ChangeKind::Update => self.deletions.clear(),
        }
        self.columns.extend(columns.into_iter().map(|column| (id, column)));
        self.added.extend(added);
    }

    /// Whether rows of a table were deleted or inserted.
    pub(super) fn has_other_rows(&self, id: RelationId) -> bool {
        self.tables.contains(&id)
    }

    /// Whether a column has other values than those that are drawn.
    pub(super) fn has_other_values(&self, column: (RelationId, ColumnId)) -> bool {
        self.columns.contains(&column)
    }

    /// Whether a term reads no column whose values may have changed, and counts no rows that may have.
    pub(super) fn is_of_start(&self, term: &Term) -> bool {
        term.is_unchanged(&self.columns, &self.tables)
    }
}

impl<'a> Statement<'_, 'a> {
    /// Whether it changes one row at most.
    pub(super) fn is_of_one_row(&self) -> bool {
        self.query.at_most_one_row && !self.query.tables.iter().any(|table| self.done.has_other_rows(*table))
    }

    /// What is known of the value of an output.
    pub(super) fn infer_output(&self, output: &SqlOutput) -> Known<'a> {
        let term = output.term.as_deref().filter(|term| self.done.is_of_start(term));
        if let Some(place) = output.origin.filter(|place| !self.done.has_other_values(*place)) {
            let facts = self.terms.facts;
            let declared = facts.task().find_column(place).and_then(|column| column.ty.value_type());
            let known = declared.and_then(|kind| Known::from_stored(&facts.lookup_column(place.0, place.1), kind));
            return known.unwrap_or_else(Known::unknown).with_null_if(output.nullable);
        }
        term.map_or_else(Known::unknown, |term| self.terms.infer(term))
    }

    /// Whether a column can have a value: it is not null unless it may be, and it can be compared.
    pub(super) fn is_possible_value(&self, own: &Column, output: &SqlOutput) -> bool {
        let known = self.infer_output(output);
        let is_present = own.ty.nullable || !output.nullable || !known.fact.nullable;
        let multiplies = || {
            let mut found = output.term.is_none();
            let is_product = |term: &Term| matches!(term, Term::Operator(Operator::Multiply, _));
            output.term.iter().for_each(|term| term.visit(&mut |term| found |= is_product(term)));
            found
        };
        let is_finite = match output.value_type {
            _ if output.blob => false,
            _ if output.origin.is_some() => true,
            // A blob can be cast to a text that is none.
            Some(ValueType::Text) => output.term.as_deref().is_some_and(|term| !term.has_unknown()),
            Some(ValueType::Date | ValueType::DateTime | ValueType::Bool) => true,
            Some(ValueType::Int) if !multiplies() => true,
            _ => known.is_text() == Some(true) || known.fact.is_null_only() || is_within(&known.fact, f64::MAX),
        };
        is_present && is_finite
    }
}

/// Whether rows of a table refer to this one, or to this column of it.
pub(super) fn is_referred_to(task: &Task, id: RelationId, column: Option<ColumnId>) -> bool {
    let meets = |(relation, own): (RelationId, ColumnId)| relation == id && column.is_none_or(|column| own == column);
    task.relations.iter().any(|other| {
        let of_columns = other.columns.iter().any(|own| own.references.is_some_and(meets));
        of_columns
            || other.constraints.iter().any(|constraint| match &constraint.kind {
                ConstraintKind::References { relation, columns } => columns.iter().any(|own| meets((*relation, *own))),
                _ => false,
            })
    })
}
