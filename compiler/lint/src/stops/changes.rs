//! Proofs that the statements of `after` cannot be refused: they only delete rows to which no other row refers, set columns to values that they can have, and
//! insert a row that no key forbids.

use std::collections::BTreeSet;

use model::functions::{Kernel, Reader};
use model::ValueType;
use model::suite::{ColumnId, RelationId, Scope};

use super::deleted::leaves_references;
use super::guards::find_sql;
use super::inserted::{is_new, is_safe_insert, list_values};
use super::sql::{has_safe_risks, is_small, is_within};
use hir::facts::Facts;
use hir::terms::{Known, TermFacts};
use hir::{Arg, Column, ExprKind, FileContent, Relation, Sql, Task};
use sql::terms::{Operator, Term};
use sql::{Change, ChangeKind, Risk, SqlAnalysis, SqlOutput, list_changes};

/// The most rows of a table that is changed.
const MAX_ROWS: u64 = 100_000;

/// The most lists of statements, each after the other.
const MAX_LISTS: usize = 20;

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

/// Whether the statements cannot be refused. `args` are those of `after`.
pub(super) fn are_safe_changes<'a>(facts: &Facts<'a>, args: &'a [Arg]) -> bool {
    let Some(lists) = collect_lists(facts.task(), args) else { return false };
    let mut done = Done::default();
    lists.into_iter().rev().all(|sql| are_safe_statements(facts, sql, &mut done))
}

/// The statements of `after`, the last ones first: those of the state that they change are before them.
fn collect_lists<'a>(task: &'a Task, args: &'a [Arg]) -> Option<Vec<&'a Sql>> {
    let (mut lists, mut args) = (Vec::new(), args);
    while lists.len() < MAX_LISTS {
        lists.push(find_sql(args)?);
        let Some(Arg::Value(state)) = args.first() else { return Some(lists) };
        let ExprKind::Call(function, inner) = &state.resolve_name(task).kind else { return None };
        args = matches!(function.kernel, Kernel::Reads(Reader::After)).then_some(inner)?;
    }
    None
}

fn are_safe_statements<'a>(facts: &Facts<'a>, sql: &'a Sql, done: &mut Done<'a>) -> bool {
    let task = facts.task();
    let content = sql.database.and_then(|file| task.files.get(file)).map(|file| &file.content);
    let Some(FileContent::Sqlite { tables, .. }) = content else { return false };
    let (changes, all) = list_changes(&sql.text);
    let queries = &sql.analysis.statements;
    all && changes.len() == queries.len()
        && changes.iter().zip(queries).all(|(change, query)| {
            let own = tables.iter().find_map(|id| {
                let relation = task.relations.get(*id)?;
                relation.table.eq_ignore_ascii_case(&change.table).then_some((*id, relation))
            });
            let (Some((id, relation)), Some(query)) = (own, query) else { return false };
            let terms = TermFacts { facts, sql, scope: Scope::default() };
            let statement = Statement { terms, change, query, id, relation, done };
            if !statement.is_safe() {
                return false;
            }
            let (columns, added) = (statement.list_changed_columns(), statement.list_added());
            done.note_change(&statement_target(change, id), columns, added);
            true
        })
}

/// What a statement changes.
fn statement_target(change: &Change<'_>, id: RelationId) -> (RelationId, ChangeKind, Vec<Vec<String>>) {
    let conditions = change.conditions.iter().map(|part| part.iter().map(|token| token.text.to_owned()).collect());
    (id, change.kind, conditions.collect())
}

impl<'a> Done<'a> {
    fn note_change(
        &mut self,
        (id, kind, conditions): &(RelationId, ChangeKind, Vec<Vec<String>>),
        columns: Vec<ColumnId>,
        added: Vec<((RelationId, ColumnId), Known<'a>)>,
    ) {
        match kind {
            ChangeKind::Delete => {
                self.deletions.push(Deletion { relation: *id, conditions: conditions.clone() });
                self.tables.insert(*id);
            }
            // What was deleted can be there again, or other rows can meet the conditions.
            ChangeKind::Insert => {
                self.deletions.clear();
                self.tables.insert(*id);
            }
            ChangeKind::Update => self.deletions.clear(),
        }
        self.columns.extend(columns.into_iter().map(|column| (*id, column)));
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
    fn is_of_start(&self, term: &Term) -> bool {
        let mut is_start = true;
        term.visit(&mut |term| match term {
            Term::Column { relation, column, .. } => is_start &= !self.columns.contains(&(*relation, *column)),
            Term::Gathered(_) => is_start &= self.tables.is_empty(),
            _ => {}
        });
        is_start
    }
}

impl<'a> Statement<'_, 'a> {
    fn is_safe(&self) -> bool {
        let facts = self.terms.facts;
        let is_small_table = facts.count_rows(self.id).most <= MAX_ROWS && is_small(facts, self.query);
        let is_steady = !self.query.risks.contains(&Risk::Order);
        let reads_itself = self.query.again.contains(&self.id);
        (!self.change.is_complex || self.change.is_from_query)
            && self.query.understood
            && is_small_table
            && is_steady
            && self.has_safe_parts()
            && match self.change.kind {
                ChangeKind::Insert => is_safe_insert(self),
                ChangeKind::Delete => !reads_itself && leaves_references(self),
                ChangeKind::Update => !reads_itself && self.is_safe_update(),
            }
    }

    /// Whether nothing that it computes fails.
    fn has_safe_parts(&self) -> bool {
        let is_of_start = |risk: &Risk| risk.list_terms().into_iter().all(|term| self.done.is_of_start(term));
        self.query.risks.iter().all(is_of_start) && has_safe_risks(&self.terms, self.query)
    }

    /// Whether it changes one row at most.
    pub(super) fn is_of_one_row(&self) -> bool {
        self.query.at_most_one_row && !self.query.tables.iter().any(|table| self.done.has_other_rows(*table))
    }

    fn is_safe_update(&self) -> bool {
        self.list_sets().is_some_and(|sets| {
            sets.into_iter().all(|(column, own, output)| {
                self.is_possible_value(own, output)
                    && !is_referred_to(self.terms.facts.task(), self.id, Some(column))
                    && (!self.is_constrained(column) || self.is_key_alone(column) && self.is_new_key(column, output))
            })
        })
    }

    /// The columns that it sets, with the outputs that are their values.
    fn list_sets(&self) -> Option<Vec<(ColumnId, &'a Column, &SqlOutput)>> {
        let sets = &self.change.sets;
        let first = self.query.columns.len().checked_sub(sets.len())?;
        let outputs = self.query.columns.get(first..)?;
        let find = |name: &str| self.relation.columns.iter_enumerated().find(|(_, own)| own.name.eq_ignore_ascii_case(name));
        let is_written = first == self.relation.iter_written_columns().count();
        let columns: Vec<_> = sets.iter().map(|(name, _)| find(name)).collect::<Option<_>>()?;
        let pairs = columns.into_iter().zip(outputs).map(|((column, own), output)| (column, own, output));
        is_written.then(|| pairs.collect())
    }

    /// Whether a column is part of a key, or refers to a table.
    fn is_constrained(&self, column: ColumnId) -> bool {
        let own = self.relation.columns.get(column);
        self.relation.constraints.iter().any(|constraint| constraint.columns.contains(&column))
            || own.is_none_or(|own| own.references.is_some() || hir::is_unique(&own.source))
    }

    /// Whether a column is a key and nothing else.
    fn is_key_alone(&self, column: ColumnId) -> bool {
        let own = self.relation.columns.get(column);
        !self.relation.constraints.iter().any(|constraint| constraint.columns.contains(&column))
            && own.is_some_and(|own| own.references.is_none())
    }

    /// Whether one row gets a value that no row has.
    fn is_new_key(&self, column: ColumnId, output: &SqlOutput) -> bool {
        self.is_of_one_row() && is_new(self, column, output)
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
            Some(ValueType::Text | ValueType::Date | ValueType::DateTime | ValueType::Bool) => true,
            _ if output.origin.is_some() => true,
            Some(ValueType::Int) if !multiplies() => true,
            _ => known.is_text() == Some(true) || known.fact.is_null_only() || is_within(&known.fact, f64::MAX),
        };
        is_present && is_finite
    }

    /// The columns whose values it changes.
    fn list_changed_columns(&self) -> Vec<ColumnId> {
        match self.change.kind {
            ChangeKind::Delete => Vec::new(),
            ChangeKind::Insert => self.relation.columns.keys().collect(),
            ChangeKind::Update => self.list_sets().into_iter().flatten().map(|(column, ..)| column).collect(),
        }
    }

    /// The values that it puts into columns.
    fn list_added(&self) -> Vec<((RelationId, ColumnId), Known<'a>)> {
        let values = match self.change.kind {
            ChangeKind::Delete => Vec::new(),
            ChangeKind::Insert => list_values(self).unwrap_or_default(),
            ChangeKind::Update => {
                self.list_sets().into_iter().flatten().map(|(column, _, output)| (column, output)).collect()
            }
        };
        values.into_iter().map(|(column, output)| ((self.id, column), self.infer_output(output))).collect()
    }
}

/// Whether rows of a table refer to this one, or to this column of it.
pub(super) fn is_referred_to(task: &Task, id: RelationId, column: Option<ColumnId>) -> bool {
    let meets = |(relation, own): (RelationId, ColumnId)| relation == id && column.is_none_or(|column| own == column);
    task.relations.iter().any(|other| {
        let of_columns = other.columns.iter().any(|own| own.references.is_some_and(meets));
        of_columns
            || other.constraints.iter().any(|constraint| match &constraint.kind {
                model::suite::ConstraintKind::References { relation, columns } => {
                    columns.iter().any(|own| meets((*relation, *own)))
                }
                _ => false,
            })
    })
}
