//! The columns from which the letters of a value can come: through names, calls, templates, and queries.
//!
//! A value that is only compared or counted, or selects rows, does not pass on its letters. `upper` and `lower` make letter case irrelevant, but not spaces.

use std::collections::BTreeSet;

use model::suite::{ColumnId, NameId, NameSource, RelationId, Scope};

use super::context::Reach;
use hir::origins::find_origin;
use hir::{Arg, ColumnSource, DrawDomain, Expr, ExprKind, Rows, Sql};
use sql::Letters;

/// A column whose letters a value can contain.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Part {
    /// The column, which is in files.
    pub at: (RelationId, ColumnId),
    /// Whether `upper` or `lower` has been applied.
    pub cased: bool,
}

/// Collects the columns whose letters an expression can contain.
pub(super) fn collect_sources(reach: &Reach<'_, '_>, expr: &Expr, scope: Scope) -> BTreeSet<Part> {
    let mut collector =
        Collector { reach, cased: false, names: BTreeSet::new(), columns: BTreeSet::new(), found: BTreeSet::new() };
    collector.visit_expr(expr, scope);
    collector.found
}

/// Collects the columns whose letters a computed column can contain.
pub(super) fn collect_column_sources(reach: &Reach<'_, '_>, relation: RelationId, column: ColumnId) -> BTreeSet<Part> {
    match reach.cx.task.find_column((relation, column)).map(|own| &own.source) {
        Some(ColumnSource::Compute(value)) => collect_sources(reach, value, Scope::with_row(relation)),
        _ => BTreeSet::new(),
    }
}

struct Collector<'r, 'a> {
    reach: &'r Reach<'r, 'a>,
    /// Whether `upper` or `lower` is applied to what is visited.
    cased: bool,
    names: BTreeSet<(NameId, bool)>,
    columns: BTreeSet<Part>,
    found: BTreeSet<Part>,
}

impl Collector<'_, '_> {
    fn visit_expr(&mut self, expr: &Expr, scope: Scope) {
        if !expr.ty.may_hold_text() {
            return;
        }
        match &expr.kind {
            ExprKind::Name(id) => self.visit_name(*id),
            ExprKind::Column(_) | ExprKind::OuterColumn(_) => {
                expr.find_cell(scope).into_iter().for_each(|cell| self.visit_column(cell));
            }
            ExprKind::List(_) | ExprKind::Concat(_) | ExprKind::Object(_) => {
                expr.visit_children(&mut |child, _| self.visit_expr(child, scope));
            }
            ExprKind::If(parts) => {
                self.visit_expr(&parts.1, scope);
                self.visit_expr(&parts.2, scope);
            }
            ExprKind::Call(function, args) => {
                let around = self.cased;
                self.cased |= function.one_case;
                let made_of = args.iter().enumerate().filter(|(at, _)| Some(*at) != function.sought);
                made_of.for_each(|(_, arg)| self.visit_arg(arg, scope));
                self.cased = around;
            }
            _ => {}
        }
    }

    fn visit_arg(&mut self, arg: &Arg, scope: Scope) {
        match arg {
            Arg::Value(value) => self.visit_expr(value, scope),
            Arg::Column { relation, column, .. } => self.visit_column((*relation, *column)),
            Arg::Each { relation, value, .. } => self.visit_expr(value, scope.enter_filter(*relation)),
            Arg::Sql(sql) => {
                for output in &sql.analysis.columns {
                    self.visit_output(sql, &output.letters);
                }
            }
            // Cells of a file are read as written.
            Arg::Relation { .. } | Arg::File(_) | Arg::Path(_) => {}
        }
    }

    /// Visits an output column of a query.
    fn visit_output(&mut self, sql: &Sql, letters: &[Letters]) {
        let around = self.cased;
        for source in letters {
            let (Letters::Column { cased, .. } | Letters::Param { cased, .. }) = source;
            self.cased = around || *cased;
            match source {
                Letters::Column { column, .. } => self.visit_column(*column),
                Letters::Param { name, .. } => {
                    sql.find_param(name).into_iter().for_each(|value| self.visit_expr(value, Scope::default()));
                }
            }
        }
        self.cased = around;
    }

    fn visit_name(&mut self, id: NameId) {
        let task = self.reach.cx.task;
        if self.reach.told.contains(&id) || !self.names.insert((id, self.cased)) {
            return;
        }
        match task.names.get(id).map(|name| &name.source) {
            Some(NameSource::Compute(value)) => self.visit_expr(value, Scope::default()),
            Some(NameSource::Draw { draw, .. }) => self.visit_domain(&draw.domain, Scope::default()),
            Some(NameSource::Axis | NameSource::Row) | None => {}
        }
    }

    fn visit_domain(&mut self, domain: &DrawDomain, scope: Scope) {
        match domain {
            DrawDomain::Ref { relation, column, .. } => self.visit_column((*relation, *column)),
            DrawDomain::OneOf(items) => items.iter().for_each(|item| self.visit_expr(item, scope)),
            _ => {}
        }
    }

    /// Visits a column: adds it if it is in files, else visits what it is computed or drawn from.
    fn visit_column(&mut self, at: (RelationId, ColumnId)) {
        let task = self.reach.cx.task;
        let (relation, column) = find_origin(task, at);
        let part = Part { at: (relation, column), cased: self.cased };
        if self.reach.known.has_texts(relation, column) || !self.columns.insert(part) {
            return;
        }
        let (Some(own), Some(decl)) = (task.relations.get(relation), task.find_column((relation, column))) else {
            return;
        };
        if !decl.ty.may_hold_text() {
            return;
        }
        let is_shown =
            own.file.is_some() || self.reach.iter_renderings(relation).any(|file| file.columns.contains_key(&column));
        if is_shown {
            self.found.insert(part);
            return;
        }
        match (&decl.source, &own.rows) {
            (ColumnSource::Compute(value), _) => self.visit_expr(value, Scope::with_row(relation)),
            (ColumnSource::Draw { draw, .. }, _) => self.visit_domain(&draw.domain, Scope::with_row(relation)),
            (ColumnSource::Result(at), Rows::Query(name)) => {
                let sql = task.find_computed(*name).and_then(|value| value.resolve_name(task).find_query());
                if let Some(sql) = sql
                    && let Some(output) = sql.analysis.columns.get(*at as usize)
                {
                    self.visit_output(sql, &output.letters);
                }
            }
            _ => {}
        }
    }
}
