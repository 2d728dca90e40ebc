//! The draws on which an expression depends: two expressions without a common draw are independent.

use std::collections::BTreeSet;

use model::suite::{ColumnId, NameId, RelationId, Scope};

use hir::{Arg, ColumnSource, Expr, ExprKind, NameSource, Rows, Task};

/// A draw.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Source {
    /// The value of a name.
    Name(NameId),
    /// The cells of a column.
    Column(RelationId, ColumnId),
    /// The number of rows of a relation.
    Rows(RelationId),
}

/// The draws on which an expression may depend, without those whose value is given. `None` if it reads something whose draws are not known, such as a query
/// or a file.
pub fn collect_sources(task: &Task, expr: &Expr, scope: Scope, given: BTreeSet<Source>) -> Option<BTreeSet<Source>> {
    let mut walk = Walk { task, found: BTreeSet::new(), seen: given, known: true };
    walk.visit_expr(expr, scope);
    walk.known.then_some(walk.found)
}

struct Walk<'t> {
    task: &'t Task,
    found: BTreeSet<Source>,
    seen: BTreeSet<Source>,
    known: bool,
}

impl Walk<'_> {
    fn visit_expr(&mut self, expr: &Expr, scope: Scope) {
        match &expr.kind {
            ExprKind::Name(id) => self.visit_name(*id),
            ExprKind::Column(_) | ExprKind::OuterColumn(_) => match expr.find_cell(scope) {
                Some((relation, column)) => self.visit_column(relation, column),
                None => self.known = false,
            },
            ExprKind::Call(_, args) => args.iter().for_each(|arg| self.visit_arg(arg)),
            ExprKind::Unknown => self.known = false,
            _ => {}
        }
        expr.visit_children(&mut |child, rows| {
            self.visit_expr(child, rows.map_or(scope, |rows| scope.enter_filter(rows)));
        });
    }

    fn visit_name(&mut self, id: NameId) {
        if !self.seen.insert(Source::Name(id)) {
            return;
        }
        match self.task.names.get(id).map(|name| &name.source) {
            Some(NameSource::Compute(value)) => self.visit_expr(value, Scope::default()),
            Some(NameSource::Draw { draw, group, .. }) => {
                self.found.insert(Source::Name(id));
                // Names that are drawn together are not independent.
                let together =
                    self.task.names.iter_enumerated().filter(
                        |(_, other)| matches!(&other.source, NameSource::Draw { group: own, .. } if own == group),
                    );
                self.found.extend(together.map(|(id, _)| Source::Name(id)));
                draw.visit_exprs(Scope::default(), &mut |_, expr, scope| self.visit_expr(expr, scope));
                if let hir::DrawDomain::Ref { relation, column, .. } = &draw.domain {
                    self.visit_column(*relation, *column);
                }
            }
            Some(NameSource::Axis | NameSource::Row) => drop(self.found.insert(Source::Name(id))),
            None => self.known = false,
        }
    }

    fn visit_column(&mut self, relation: RelationId, column: ColumnId) {
        if !self.seen.insert(Source::Column(relation, column)) {
            return;
        }
        self.found.insert(Source::Column(relation, column));
        match self.task.find_column((relation, column)).map(|column| &column.source) {
            Some(ColumnSource::Compute(value)) => self.visit_expr(value, Scope::with_row(relation)),
            Some(ColumnSource::Draw { draw, .. }) => {
                draw.visit_exprs(Scope::with_row(relation), &mut |_, expr, scope| self.visit_expr(expr, scope));
                if let hir::DrawDomain::Ref { relation, column, .. } = &draw.domain {
                    self.visit_column(*relation, *column);
                }
            }
            Some(ColumnSource::Given(_)) => {}
            _ => self.known = false,
        }
    }

    fn visit_rows(&mut self, relation: RelationId) {
        if !self.seen.insert(Source::Rows(relation)) {
            return;
        }
        self.found.insert(Source::Rows(relation));
        match self.task.relations.get(relation).map(|relation| &relation.rows) {
            Some(Rows::Count(low, high)) => {
                self.visit_expr(low, Scope::default());
                self.visit_expr(high, Scope::default());
            }
            Some(Rows::Given(_)) => {}
            _ => self.known = false,
        }
    }

    fn visit_arg(&mut self, arg: &Arg) {
        match arg {
            Arg::Value(_) => {}
            Arg::Relation { relation, .. } | Arg::Each { relation, .. } => self.visit_rows(*relation),
            Arg::Column { relation, column, .. } => {
                self.visit_rows(*relation);
                self.visit_column(*relation, *column);
            }
            Arg::File(_) | Arg::Sql(_) | Arg::Path(_) => self.known = false,
        }
    }
}
