//! Proofs that the statements of `after` cannot be refused: they only delete rows to which no other row refers, set columns to values that they can have, and
//! insert a row that no key forbids.

use model::functions::{Kernel, Reader};
use model::suite::{ColumnId, RelationId, Scope};

use super::deleted::leaves_references;
use super::guards::find_sql;
use super::inserted::{is_new, is_safe_insert, is_there, list_values};
use super::sql::{has_safe_risks, is_small};
use super::statements::{Done, Statement, is_referred_to};
use hir::facts::Facts;
use hir::terms::{Known, TermFacts};
use hir::{Arg, Column, ExprKind, FileContent, Sql, Task};
use sql::{ChangeKind, Risk, SqlOutput, list_changes};

/// The most rows of a table that is changed.
const MAX_ROWS: u64 = 100_000;

/// The most lists of statements, each after the other.
const MAX_LISTS: usize = 20;

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
            done.note_change((id, change), columns, added);
            true
        })
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

    fn is_safe_update(&self) -> bool {
        self.list_sets().is_some_and(|sets| {
            sets.into_iter().all(|(column, own, output)| {
                self.is_possible_value(own, output)
                    && !is_referred_to(self.terms.facts.task(), self.id, Some(column))
                    && (!self.is_constrained(column)
                        || self.is_key_alone(column) && self.is_new_key(column, output)
                        || self.is_reference_alone(column)
                            && own.references.is_some_and(|to| is_there(self, to, output)))
            })
        })
    }

    /// The columns that it sets, with the outputs that are their values.
    fn list_sets(&self) -> Option<Vec<(ColumnId, &'a Column, &SqlOutput)>> {
        let sets = &self.change.sets;
        let first = self.query.columns.len().checked_sub(sets.len())?;
        let outputs = self.query.columns.get(first..)?;
        let find =
            |name: &str| self.relation.columns.iter_enumerated().find(|(_, own)| own.name.eq_ignore_ascii_case(name));
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

    /// Whether a column refers to a table and nothing else.
    fn is_reference_alone(&self, column: ColumnId) -> bool {
        let own = self.relation.columns.get(column);
        !self.relation.constraints.iter().any(|constraint| constraint.columns.contains(&column))
            && own.is_some_and(|own| !hir::is_unique(&own.source))
    }

    /// Whether one row gets a value that no row has.
    fn is_new_key(&self, column: ColumnId, output: &SqlOutput) -> bool {
        self.is_of_one_row() && is_new(self, column, output)
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
