//! Views of generated databases: `view NAME = <<rows: SELECT …>>` among the tables.
//!
//! A view has columns once its query is read, which happens before anything that can use it is checked. Its rows are read from the written file,
//! so it is generated after the file, and only if something reads it.

use model::Span;
use model::format::Holds;
use model::functions::QueryResult;
use model::suite::{DatabaseView, FileId, RelationId};

use crate::context::{Checker, ColumnAst, ColumnDecl, Origin, RelationDecl, Relations, State, TaskChecker, Unit};
use crate::domains::domain::as_bare_expr;
use crate::library::Function;
use hir::Entity;
use hir::types::TyKind;
use sql::SqlText;
use syntax::ast::{self, ArgValue, ExprKind, RawKind};
use syntax::diagnostics::{Code, Diagnostic};

impl<'a> TaskChecker<'_, 'a> {
    /// Reads the queries of all views.
    pub fn ensure_views(&mut self) {
        for id in self.scope.relations.checked.keys() {
            if matches!(self.scope.relations.declared[id].origin, Origin::View(_))
                && self.scope.relations.declared[id].state == State::Todo
            {
                self.ensure_view(id, None);
            }
        }
    }

    /// Reads the query of a view, after those of the views that it reads. After that, it has columns.
    pub fn ensure_view(&mut self, id: RelationId, asked: Option<Span>) {
        let Origin::View(value) = self.scope.relations.declared[id].origin else { return };
        let decl = &self.scope.relations.declared[id];
        // It has been read, with or without errors.
        if decl.state == State::Done || decl.state == State::Todo && decl.query.is_some() {
            return;
        }
        let Some(around) = self.start_unit(Unit::Relation(id), asked) else { return };
        let before = self.scope.used.clone();
        let columns = self.check_view_columns(id, value);
        // A query that the database stores does not count as a use of its tables; what these tables use counts.
        let (relations, database) = (&self.scope.relations, self.scope.relations.checked[id].file);
        let is_stored = |entity: &Entity| match entity {
            Entity::File(file) => Some(*file) == database,
            Entity::Relation(read) => relations.checked[*read].file == database,
            _ => false,
        };
        self.scope.used.retain(|entity| before.contains(entity) || !is_stored(entity));
        self.scope.here = around;
        self.end_unit();
        let span = self.scope.relations.checked[id].span;
        // A view with errors has no columns, and its rows are never generated.
        self.scope.relations.declared[id].state = if columns.is_some() { State::Todo } else { State::Done };
        for (position, (name, ty)) in (0..).zip(columns.into_iter().flatten()) {
            self.scope.relations.add_column(id, name, span, false, ColumnDecl::new(ColumnAst::Result(ty, position)));
        }
    }

    fn check_view_columns(&mut self, id: RelationId, value: &'a ast::Expr) -> Option<Vec<(String, hir::types::Ty)>> {
        let name = self.scope.relations.checked[id].table.clone();
        let Some((function, raw)) = self.cx.find_rows_query(value) else {
            // The missing value has been reported.
            if !matches!(value.kind, ExprKind::Missing) {
                let message = format!("view `{name}` needs a query");
                let said = Diagnostic::new(Code::SQL_SHAPE, message, value.span, "not a query");
                self.cx.report(said.help(format!("write: view {name} = <<rows: SELECT …>>")));
            }
            return None;
        };
        let text = SqlText::new(raw);
        if let Some((parameter, span)) = text.iter_parameters().next() {
            let message = format!("view `{name}` cannot have the parameter `:{parameter}`");
            let help = format!("write the value out, or use `:{parameter}` in a query of the task that reads `{name}`");
            let said = Diagnostic::new(Code::SQL_PARAMETER, message, span, "not stored in a database");
            self.cx.report(said.help(help));
            return None;
        }
        let id_of_function = function.id;
        let (query, ty) = self.check_query(id_of_function, raw, self.scope.relations.checked[id].file)?;
        if let Some((statistic, span)) = sql::find_statistics_calls(&text).next() {
            let message = format!("view `{name}` cannot call `{statistic}`");
            let said = Diagnostic::new(Code::SQL_REFUSED, message, span, "not a function of SQLite");
            self.cx.report(said.help(format!("call `{statistic}` in a query of the task that reads `{name}`")));
            return None;
        }
        let TyKind::Rows(columns) = ty.kind else { return None };
        self.scope.relations.declared[id].query = Some(query);
        Some(columns)
    }
}

impl<'a> Relations<'a> {
    /// Declares a view.
    pub(super) fn declare_view(
        &mut self,
        cx: &mut Checker<'a>,
        (file, data): (FileId, &'a ast::Data),
        name: String,
        ident: &'a ast::Ident,
        query: &'a ast::Expr,
    ) {
        if data.format.holds != Holds::Database {
            let message = "`view` works only in a database";
            let said = Diagnostic::new(Code::MISPLACED, message, ident.span, "not in a database");
            cx.report(said.help("write it among the tables of: sqlite NAME at \"data.db\" { … }"));
            return;
        }
        let decl = RelationDecl { format: Some(data.format), ..RelationDecl::new(Origin::View(query)) };
        let relation = self.add_relation(name, ident, Some(file), decl);
        self.files[file].relations.push(relation);
    }

    /// Collects the views of a database that have no errors, in source order.
    pub(super) fn collect_views(&self, file: FileId) -> Vec<DatabaseView> {
        let views = self.files[file].relations.iter().filter_map(|id| {
            let query = self.declared[*id].query.as_ref()?;
            Some(DatabaseView {
                name: self.checked[*id].table.clone(),
                sql: sql::to_one_line(&query.text).trim_end_matches([';', ' ']).to_owned(),
            })
        });
        views.collect()
    }
}

impl<'a> Checker<'a> {
    /// Returns the query of `<<rows: SELECT …>>`.
    fn find_rows_query(&self, value: &'a ast::Expr) -> Option<(&'a Function, &'a ast::Raw)> {
        let ExprKind::Call(call) = &as_bare_expr(value).kind else { return None };
        let function = self.project.library.functions.get(&call.callee.text)?;
        let [ast::Arg { value: ArgValue::Raw(raw), filter: None, .. }] = call.args.as_slice() else { return None };
        let is_rows = function.id.query == Some(QueryResult::Rows) && raw.kind == RawKind::Sql;
        is_rows.then_some((function, raw))
    }
}
