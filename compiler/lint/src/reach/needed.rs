//! The columns that an expression reads, through names, queries, and result sets.

use std::collections::BTreeSet;

use model::Span;
use model::suite::{ColumnId, NameId, RelationId, Scope};

use hir::{Arg, ColumnSource, Expr, ExprKind, Rows, Sql};

/// Columns of one relation that are read together, by a query or by a call over the rows.
#[derive(Clone, Debug)]
pub(crate) struct Reading<'a> {
    /// The relation.
    pub relation: RelationId,
    /// The columns; empty if rows are only counted.
    pub columns: BTreeSet<ColumnId>,
    /// The span of the query or call.
    pub span: Span,
    /// The query, if one reads them.
    pub sql: Option<&'a Sql>,
}

/// Collects the columns that answers read, except through names whose values the prompt contains. A result set in `written`, from which a file is written,
/// is not followed, because a reader of that file does not need the tables from which the rows came.
pub(crate) fn collect_answer_readings<'a>(
    task: &'a hir::Task,
    answers: &[&'a Expr],
    told: &BTreeSet<NameId>,
    written: BTreeSet<RelationId>,
) -> Vec<Reading<'a>> {
    let mut reader = Reader { task, names: told.clone(), written, found: Vec::new() };
    answers.iter().for_each(|answer| reader.visit_expr(answer));
    reader.found
}

/// Collects the columns that one expression reads, also through names.
pub(crate) fn collect_readings<'a>(task: &'a hir::Task, expr: &'a Expr) -> Vec<Reading<'a>> {
    collect_answer_readings(task, &[expr], &BTreeSet::new(), BTreeSet::new())
}

/// Collects the columns of a row of this relation that an expression names. `scope` contains the rows that it can name.
pub(crate) fn collect_columns(expr: &Expr, scope: Scope, relation: RelationId) -> BTreeSet<ColumnId> {
    let mut columns = BTreeSet::new();
    expr.visit_with_scope(scope, &mut |part, scope| {
        let cell = part.find_cell(scope).filter(|(of, _)| *of == relation);
        columns.extend(cell.map(|(_, column)| column));
    });
    columns
}

struct Reader<'a> {
    task: &'a hir::Task,
    /// Names that are not visited (again).
    names: BTreeSet<NameId>,
    /// Relations from which files are written.
    written: BTreeSet<RelationId>,
    found: Vec<Reading<'a>>,
}

impl<'a> Reader<'a> {
    fn visit_expr(&mut self, expr: &'a Expr) {
        let mut names = Vec::new();
        let mut calls = Vec::new();
        expr.visit_exprs(&mut |part| match &part.kind {
            ExprKind::Name(id) => names.push(*id),
            ExprKind::Call(_, args) => calls.push((part.span, args)),
            _ => {}
        });
        for (span, args) in calls {
            args.iter().for_each(|arg| self.visit_arg(span, arg));
        }
        names.into_iter().for_each(|id| self.visit_name(id));
    }

    fn visit_name(&mut self, id: NameId) {
        if self.names.insert(id) {
            self.task.find_computed(id).into_iter().for_each(|value| self.visit_expr(value));
        }
    }

    fn visit_arg(&mut self, span: Span, arg: &'a Arg) {
        match arg {
            Arg::Relation { relation, filter } => self.visit_rows(*relation, None, [filter.as_ref(), None], span),
            Arg::Column { relation, column, filter } => {
                self.visit_rows(*relation, Some(*column), [filter.as_ref(), None], span);
            }
            Arg::Each { relation, value, filter } => {
                self.visit_rows(*relation, None, [Some(value), filter.as_ref()], span);
            }
            Arg::Sql(sql) => {
                for relation in &sql.analysis.tables {
                    let reads = sql.analysis.reads.iter().filter(|(of, _)| of == relation);
                    let columns = reads.map(|(_, column)| *column).collect();
                    self.add_reading(Reading { relation: *relation, columns, span: sql.span, sql: Some(sql) });
                }
            }
            Arg::Value(_) | Arg::File(_) | Arg::Path(_) => {}
        }
    }

    /// Visits rows of a relation, with the expressions that are evaluated for each row.
    fn visit_rows(&mut self, relation: RelationId, column: Option<ColumnId>, over: [Option<&'a Expr>; 2], span: Span) {
        let scope = Scope::default().enter_filter(relation);
        let mut columns: BTreeSet<ColumnId> = column.into_iter().collect();
        for expr in over.into_iter().flatten() {
            columns.extend(collect_columns(expr, scope, relation));
        }
        self.add_reading(Reading { relation, columns, span, sql: None });
    }

    fn add_reading(&mut self, reading: Reading<'a>) {
        let id = reading.relation;
        self.found.push(reading);
        if let Some(Rows::Query(name)) = self.task.relations.get(id).map(|relation| &relation.rows)
            && !self.written.contains(&id)
        {
            self.visit_name(*name);
        }
    }
}

/// Collects the columns of the same relation from which a computed column is computed. Empty for other columns.
pub(crate) fn collect_input_columns(relation: RelationId, source: &ColumnSource) -> BTreeSet<ColumnId> {
    match source {
        ColumnSource::Compute(value) => collect_columns(value, Scope::with_row(relation), relation),
        _ => BTreeSet::new(),
    }
}
