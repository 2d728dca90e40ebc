//! What a part of a task depends on.

use std::collections::BTreeSet;

use model::suite::{ColumnId, FileId, NameId, RelationId, Scope};

use super::trees::visit_cells;
use hir::{Arg, ColumnSource, Expr, ExprKind, FileContent, NameSource, Rows, Task};

/// What a part of a task depends on.
#[derive(Clone, Debug, Default)]
pub(super) struct Needs {
    /// Names.
    pub names: BTreeSet<NameId>,
    /// Tables, if only for their number of rows.
    pub relations: BTreeSet<RelationId>,
    /// Columns.
    pub columns: BTreeSet<(RelationId, ColumnId)>,
}

impl Needs {
    /// Whether nothing is needed.
    pub(super) fn is_empty(&self) -> bool {
        self.names.is_empty() && self.relations.is_empty()
    }

    /// Whether something drawn is needed by both.
    pub(super) fn meets(&self, other: &Needs) -> bool {
        !self.names.is_disjoint(&other.names) || !self.relations.is_disjoint(&other.relations)
    }

    /// Adds everything that an expression depends on.
    pub(super) fn add_expr(&mut self, task: &Task, expr: &Expr, scope: Scope) {
        let mut open = Open::default();
        open.look_at(expr, scope);
        self.add_open(task, open);
    }

    /// Adds a name, and everything that it depends on.
    pub(super) fn add_name(&mut self, task: &Task, name: NameId) {
        self.add_open(task, Open { names: vec![name], ..Open::default() });
    }

    /// Adds a column, and everything that it depends on.
    pub(super) fn add_column(&mut self, task: &Task, column: (RelationId, ColumnId)) {
        self.add_open(task, Open { columns: vec![column], ..Open::default() });
    }

    /// Adds a table without its columns, and everything that its number of rows depends on.
    pub(super) fn add_relation(&mut self, task: &Task, relation: RelationId) {
        self.add_open(task, Open { relations: vec![relation], ..Open::default() });
    }

    fn add_open(&mut self, task: &Task, mut open: Open) {
        loop {
            if let Some(file) = open.files.pop() {
                open.enter_file(task, file);
            } else if let Some(id) = open.names.pop() {
                if self.names.insert(id) {
                    open.enter_name(task, id);
                }
            } else if let Some(id) = open.relations.pop() {
                if self.relations.insert(id) {
                    open.enter_relation(task, id);
                }
            } else if let Some(column) = open.columns.pop() {
                if self.columns.insert(column) {
                    open.enter_column(task, column);
                }
            } else {
                return;
            }
        }
    }
}

/// What is still to be looked at.
#[derive(Default)]
struct Open {
    names: Vec<NameId>,
    relations: Vec<RelationId>,
    columns: Vec<(RelationId, ColumnId)>,
    files: Vec<FileId>,
}

impl Open {
    fn look_at(&mut self, expr: &Expr, scope: Scope) {
        expr.visit_with_scope(scope, &mut |part, scope| match &part.kind {
            ExprKind::Name(id) => self.names.push(*id),
            ExprKind::Column(_) | ExprKind::OuterColumn(_) => self.columns.extend(part.find_cell(scope)),
            ExprKind::Call(_, args) => args.iter().for_each(|arg| self.look_at_arg(arg)),
            _ => {}
        });
    }

    fn look_at_arg(&mut self, arg: &Arg) {
        match arg {
            Arg::Relation { relation, .. } | Arg::Each { relation, .. } => self.relations.push(*relation),
            Arg::Column { relation, column, .. } => self.columns.push((*relation, *column)),
            Arg::Sql(sql) => {
                self.relations.extend(&sql.analysis.tables);
                self.columns.extend(&sql.analysis.reads);
            }
            Arg::File(file) => self.files.push(*file),
            Arg::Value(_) | Arg::Path(_) => {}
        }
    }

    /// The columns in the structure of a file, which paths read.
    fn enter_file(&mut self, task: &Task, file: FileId) {
        let content = task.files.get(file).map(|file| &file.content);
        if let Some(shape) = content.and_then(FileContent::shape) {
            shape.visit_relations(&mut |relation| self.relations.push(relation));
            visit_cells(shape, &mut |column| self.columns.push(column));
        }
        self.relations.extend(content.into_iter().flat_map(FileContent::relations));
    }

    fn enter_name(&mut self, task: &Task, id: NameId) {
        match task.names.get(id).map(|name| &name.source) {
            Some(NameSource::Compute(value)) => self.look_at(value, Scope::default()),
            Some(NameSource::Draw { draw, .. }) => self.enter_draw(draw, Scope::default()),
            Some(NameSource::Axis | NameSource::Row) | None => {}
        }
    }

    fn enter_draw(&mut self, draw: &hir::Draw, scope: Scope) {
        draw.visit_exprs(scope, &mut |_, expr, scope| self.look_at(expr, scope));
        if let hir::DrawDomain::Ref { relation, column, together, .. } = &draw.domain {
            self.columns.push((*relation, *column));
            self.columns.extend(together.iter().map(|column| (*relation, *column)));
        }
    }

    fn enter_relation(&mut self, task: &Task, id: RelationId) {
        let Some(relation) = task.relations.get(id) else { return };
        match &relation.rows {
            Rows::Count(low, high) => [low, high].into_iter().for_each(|bound| self.look_at(bound, Scope::default())),
            Rows::PerRow { parent, low, high } => {
                self.relations.push(*parent);
                [low, high].into_iter().for_each(|bound| self.look_at(bound, Scope::default()));
            }
            Rows::Query(name) => self.names.push(*name),
            Rows::Taken { from, filter } => {
                self.relations.push(*from);
                filter.iter().for_each(|filter| self.look_at(filter, Scope::default().enter_filter(*from)));
            }
            Rows::Lines(file) | Rows::View(file) => {
                let content = task.files.get(*file).map(|file| &file.content);
                self.relations.extend(content.into_iter().flat_map(FileContent::relations));
            }
            Rows::Given(_) => {}
        }
    }

    fn enter_column(&mut self, task: &Task, (relation, column): (RelationId, ColumnId)) {
        self.relations.push(relation);
        let Some(declared) = task.relations.get(relation) else { return };
        match declared.columns.get(column).map(|column| &column.source) {
            Some(ColumnSource::Draw { draw, .. }) => self.enter_draw(draw, Scope::with_row(relation)),
            Some(ColumnSource::Compute(value)) => self.look_at(value, Scope::with_row(relation)),
            Some(ColumnSource::Taken(of)) => {
                if let Rows::Taken { from, .. } = declared.rows {
                    self.columns.push((from, *of));
                }
            }
            Some(ColumnSource::Given(_) | ColumnSource::Result(_)) | None => {}
        }
    }
}
