//! The columns that the `require`s of a task check: a `require` may exclude samples in which rows tie.
//!
//! | file | what |
//! | --- | --- |
//! | `sizes` | conditions that only demand a number of rows, and exclude no ties |

mod sizes;

use std::collections::BTreeSet;

use model::suite::{ColumnId, Op, RelationId};

use hir::facts::Facts;
use hir::types::TyKind;
use hir::{Arg, Expr, ExprKind, Rows};

/// The tables and columns that the `require`s of a task check.
pub(super) struct Required<'a> {
    task: &'a hir::Task,
    /// Those of conditions that can exclude ties.
    checked: Read<'a>,
    /// Those of all conditions: how the values of a computed column of a query come about is not known.
    read: Read<'a>,
}

/// The tables and columns that some conditions read.
struct Read<'a> {
    task: &'a hir::Task,
    relations: BTreeSet<RelationId>,
    columns: BTreeSet<(RelationId, ColumnId)>,
}

impl<'a> Required<'a> {
    /// Collects the tables and columns of a task.
    pub fn new(facts: &Facts<'a>) -> Required<'a> {
        let task = facts.task();
        let checked = Read::new(task, |condition| sizes::is_only_about_size(facts, condition));
        Required { task, checked, read: Read::new(task, |_| false) }
    }

    /// Checks whether a `require` reads a column; if `column` is `None`, whether it reads the table.
    pub fn is_required(&self, relation: RelationId, column: Option<ColumnId>) -> bool {
        let is_of_query = |relation: RelationId| {
            self.task.relations.get(relation).is_some_and(|relation| matches!(relation.rows, Rows::Query(_)))
        };
        match column {
            Some(column) => {
                let origin = resolve_origin(self.task, (relation, column));
                self.checked.columns.contains(&origin) || is_of_query(origin.0) && self.read.columns.contains(&origin)
            }
            // Which of its columns decide is not known.
            None => self.read.relations.contains(&relation),
        }
    }
}

impl<'a> Read<'a> {
    /// Collects what the conditions of a task read, except those that are left out.
    fn new(task: &'a hir::Task, is_left_out: impl Fn(&'a Expr) -> bool) -> Read<'a> {
        let mut this = Read { task, relations: BTreeSet::new(), columns: BTreeSet::new() };
        let mut seen = BTreeSet::new();
        let mut open: Vec<&'a Expr> = task.iter_conditions().collect();
        while let Some(expr) = open.pop() {
            // A test for null does not exclude ties.
            if expr.as_null_test().is_some_and(|(op, _)| op == Op::Ne) || is_left_out(expr) {
                continue;
            }
            expr.visit_children(&mut |child, _| open.push(child));
            match &expr.kind {
                ExprKind::Name(id) if seen.insert(*id) => open.extend(task.find_computed(*id)),
                // The number of changes that a statement makes does not show which rows it changed.
                ExprKind::Call(..) if matches!(expr.ty.kind, TyKind::State(_)) => {}
                ExprKind::Call(_, args) => args.iter().for_each(|arg| this.visit_arg(arg)),
                _ => {}
            }
        }
        this
    }

    fn visit_arg(&mut self, arg: &Arg) {
        match arg {
            // A filter can read any column of the relation.
            Arg::Relation { relation, .. } | Arg::Each { relation, .. } => {
                let columns = self.task.relations.get(*relation).map(|relation| relation.columns.keys());
                columns.into_iter().flatten().for_each(|column| self.add_column((*relation, column)));
                self.relations.insert(*relation);
            }
            Arg::Column { relation, column, .. } => self.add_column((*relation, *column)),
            Arg::Sql(sql) => {
                self.relations.extend(&sql.analysis.tables);
                sql.analysis.reads.iter().for_each(|column| self.add_column(*column));
            }
            Arg::Value(_) | Arg::File(_) | Arg::Path(_) => {}
        }
    }

    fn add_column(&mut self, column: (RelationId, ColumnId)) {
        let origin = resolve_origin(self.task, column);
        self.relations.extend([column.0, origin.0]);
        self.columns.insert(origin);
    }
}

/// Follows a column of a result set to the column of a table that it copies, if any.
fn resolve_origin(task: &hir::Task, column: (RelationId, ColumnId)) -> (RelationId, ColumnId) {
    let of_query = || {
        let Rows::Query(name) = task.relations.get(column.0)?.rows else { return None };
        task.find_computed(name)?.resolve_name(task).find_query()?.analysis.columns.get(usize::from(column.1))?.origin
    };
    // A query only reads relations generated before it, so the recursion ends.
    of_query().map_or(column, |from| resolve_origin(task, from))
}
