//! Files and relations, and the sources of their rows.

use std::sync::Arc;

use model::TiVec;

use model::format::Holds;

use model::suite::{FileId, RelationId, Step};
use model::{Span, Value};

use crate::files::written::has_form;

use crate::context::{Checker, FileDecl, Origin, RelationDecl, Relations, State, TaskChecker, TaskScope, Unit};
use hir::types::{Ty, TyKind};
use hir::{ColumnSource, Entity, Expr, FileContent};
use syntax::ast::{self, Content};
use syntax::diagnostics::wording::{build_duplicate_diagnostic, build_repeated_diagnostic, build_unknown_diagnostic};
use syntax::diagnostics::{Code, Diagnostic};

/// The most rows of a relation.
const MAX_ROWS: i64 = 10_000_000;

impl<'a> TaskChecker<'_, 'a> {
    /// Takes a file and its relations into scope.
    pub fn declare_file(&mut self, data: &'a ast::Data) {
        let file = self.scope.relations.files.next_key();
        if !self.scope.enter_scope(self.cx, &data.name, Entity::File(file)) {
            return;
        }
        self.scope.relations.files.push(FileDecl {
            ast: data,
            state: State::Todo,
            relations: Vec::new(),
            tree: None,
            read: None,
            format: data.format,
            fixture: None,
            by_row: None,
            broken: matches!(data.content, Content::Missing(_)),
            lines: None,
            like: None,
            form: None,
            split: false,
            path: None,
            content: None,
        });
        match (&data.content, data.format.holds) {
            (Content::Tables(tables), Holds::Database | Holds::Tables) => {
                for table in tables {
                    let taken = self.scope.relations.files[file]
                        .relations
                        .iter()
                        .map(|relation| &self.scope.relations.checked[*relation])
                        .find(|known| known.table.eq_ignore_ascii_case(&table.name.text));
                    if let Some(first) = taken.map(|known| known.span) {
                        self.cx.report(build_duplicate_diagnostic(&table.name, "table", first, "table"));
                        continue;
                    }
                    let name = format!("{}.{}", data.name.text, table.name.text);
                    if let Some(query) = &table.view {
                        self.scope.relations.declare_view(self.cx, (file, data), name, &table.name, query);
                        continue;
                    }
                    let relation = self.scope.relations.add_written_relation(
                        self.cx,
                        name,
                        &table.name,
                        Some(file),
                        table.table.as_ref(),
                        &table.body,
                    );
                    self.scope.relations.files[file].relations.push(relation);
                }
            }
            (Content::Body { body, .. }, Holds::Cells(_) | Holds::Columns | Holds::Text | Holds::Tables) => {
                let relation = self.scope.relations.add_written_relation(
                    self.cx,
                    data.name.text.clone(),
                    &data.name,
                    Some(file),
                    data.table.as_ref(),
                    body,
                );
                self.scope.relations.files[file].relations.push(relation);
            }
            (Content::Fixture(from), _) => {
                let read = self.declare_fixture(file, data, from);
                self.scope.relations.files[file].broken = read.is_none();
            }
            (Content::Taken(from), _) => self.scope.relations.declare_taken(file, data, from),
            (_, Holds::Tree | Holds::Elements) => self.scope.relations.declare_tree(self.cx, file, data),
            (Content::Drawn(_) | Content::Computed(_), Holds::Text) => {
                self.scope.relations.declare_lines(file, &data.name)
            }
            _ => {}
        }
    }

    /// Checks a relation's rows and columns.
    pub fn ensure_relation(&mut self, id: RelationId, asked: Option<Span>) {
        self.ensure_taken(id, asked);
        let Some(around) = self.start_unit(Unit::Relation(id), asked) else { return };
        let rows = self.check_row_source(id, asked);
        self.scope.relations.checked[id].rows = rows;
        self.scope.declare_constraints(self.cx, id);
        let made_first = self.scope.relations.list_columns_made_first(id);
        // The columns of a fixture's table are read only on demand.
        let all = self.scope.relations.declared[id].cells.is_none() || self.cx.host.must_read_all_tables();
        for column in made_first.into_iter().chain(self.scope.relations.list_column_ids(id)).filter(|_| all) {
            self.ensure_column(id, column, None);
        }
        self.scope.check_constraints(self.cx, id);
        let by = self.check_row_order(id);
        self.scope.relations.checked[id].by = by;
        self.scope.here = around;
        self.end_unit();
        self.scope.relations.declared[id].state = State::Done;
        self.steps.push(Step::Relation(id));
    }

    /// Determines the source of a relation's rows, after checking what the rows depend on.
    fn check_row_source(&mut self, id: RelationId, asked: Option<Span>) -> hir::Rows {
        let decl = &self.scope.relations.declared[id];
        let span = self.scope.relations.checked[id].span;
        match decl.origin {
            Origin::Body(body) => {
                let (low, high) = self.check_row_count(id, body);
                hir::Rows::Count(low, high)
            }
            Origin::One => {
                let one = Expr::constant(Value::Int(1), Ty::new(TyKind::Int), span);
                hir::Rows::Count(one.clone(), one)
            }
            Origin::Array(count, parent) => {
                if let Some(parent) = parent {
                    self.ensure_relation(parent, asked);
                }
                let (low, high) = self.check_count(count, "a number of elements");
                self.cx.check_row_limit(&low, &high);
                match parent {
                    Some(parent) => hir::Rows::PerRow { parent, low, high },
                    None => hir::Rows::Count(low, high),
                }
            }
            Origin::Given(rows) => match decl.cells.clone() {
                Some(cells) => {
                    let table = Arc::clone(cells.read_once(self.cx.host.sqlite()));
                    self.scope.relations.note_odd_table(id, &table);
                    hir::Rows::Given(table.rows as u32)
                }
                None => hir::Rows::Given(rows),
            },
            Origin::Query(name) => {
                self.ensure_name(name, asked);
                hir::Rows::Query(name)
            }
            Origin::Taken(from) => self
                .check_taken_rows(id, from, asked)
                .unwrap_or_else(|| hir::Rows::Count(Expr::unknown(span), Expr::unknown(span))),
            Origin::View(_) => match self.scope.relations.checked[id].file {
                // The rows are read from the written file.
                Some(file) => {
                    self.ensure_file(file, asked);
                    hir::Rows::View(file)
                }
                None => hir::Rows::Given(0),
            },
            Origin::Lines(file) => {
                self.ensure_file(file, asked);
                hir::Rows::Lines(file)
            }
        }
    }

    fn check_row_count(&mut self, id: RelationId, body: &'a ast::Body) -> (Expr, Expr) {
        let (table, span) = (self.scope.relations.checked[id].table.clone(), self.scope.relations.checked[id].span);
        let Some(rows) = body.rows.first() else {
            let message = format!("`{table}` does not define its number of rows");
            let said = Diagnostic::new(Code::MISSING_PART, message, span, "no `rows`");
            // `rows = 75` declares a column.
            let column = self.scope.relations.checked[id].columns.iter().find(|column| column.name == "rows");
            let said = match column.map(|column| column.span) {
                Some(column) => said
                    .label(column, "with `=` or `:`, this is a column called `rows`")
                    .help("write the number directly after the word: rows 50   or: rows 50..100"),
                None => said.help("add: rows 50   or: rows 50..100"),
            };
            self.cx.report_missing(body.span, said);
            return (Expr::unknown(span), Expr::unknown(span));
        };
        if let Some(second) = body.rows.get(1) {
            self.cx.report(build_repeated_diagnostic("rows", second.span, rows.span));
        }
        if self.scope.is_unfinished(self.cx, rows) {
            return (Expr::unknown(span), Expr::unknown(span));
        }
        let (low, high) = self.check_count(&rows.count, "a number of rows");
        self.cx.check_row_limit(&low, &high);
        (low, high)
    }

    /// `N` or `A..B`: two ints.
    pub fn check_count(&mut self, count: &'a ast::Count, what: &str) -> (Expr, Expr) {
        let low = self.check_expr(&count.low);
        let high = count.high.as_ref().map_or_else(|| low.clone(), |high| self.check_expr(high));
        for bound in [&low, &high] {
            if !self.cx.expect_type(bound, &Ty::new(TyKind::Int), what) {
                continue;
            }
            self.scope.check_not_null(self.cx, bound, what);
            if count.high.is_none() {
                break;
            }
        }
        if let (Some(Value::Int(a)), Some(Value::Int(b))) = (low.as_constant(), high.as_constant())
            && a > b
        {
            let span = low.span.extend_to(high.span);
            let text = format!("{b}..{a}");
            self.cx.report(crate::domains::domain::build_empty_range_diagnostic(
                span,
                &a.to_string(),
                &b.to_string(),
                text,
            ));
        }
        (low, high)
    }
}

impl<'a> TaskScope<'a> {
    /// Takes a relation without a file into scope.
    pub fn declare_table(&mut self, cx: &mut Checker<'a>, table: &'a ast::TableStmt) {
        let relation = self.relations.checked.next_key();
        if self.enter_scope(cx, &table.name, Entity::Relation(relation)) {
            self.relations.add_written_relation(
                cx,
                table.name.text.clone(),
                &table.name,
                None,
                table.table.as_ref(),
                &table.body,
            );
        }
    }
}

impl<'a> Relations<'a> {
    fn add_written_relation(
        &mut self,
        cx: &mut Checker<'a>,
        name: String,
        ident: &'a ast::Ident,
        file: Option<FileId>,
        reused: Option<&'a ast::Ident>,
        body: &'a ast::Body,
    ) -> RelationId {
        let format = file.map(|file| self.files[file].ast.format);
        let shared = reused.and_then(|name| cx.resolve_shared_table(name));
        let bodies = || shared.iter().map(|table| &table.body).chain([body]);
        let written = bodies().flat_map(|body| &body.constraints).collect();
        let decl = RelationDecl { format, written, ..RelationDecl::new(Origin::Body(body)) };
        let relation = self.add_relation(name, ident, file, decl);
        let lost = bodies().any(|body| cx.project.has_unread_in(body.span));
        let formed = file.is_some() && format.is_some_and(has_form);
        bodies().for_each(|body| cx.check_generated_columns(body, formed));
        self.add_declared_columns(cx, relation, None, bodies().flat_map(|body| &body.columns));
        // Unread lines, or a shared table that is not defined, may declare columns.
        let unknown = lost || (reused.is_some() && shared.is_none());
        if self.checked[relation].columns.is_empty() && !unknown {
            let message = format!("`{}` has no column", ident.text);
            let said = Diagnostic::new(Code::MISSING_PART, message, ident.span, "empty");
            cx.report(said.help("add columns: NAME : DOMAIN, or NAME = value"));
        }
        relation
    }

    pub fn finish_files(&mut self) -> TiVec<FileId, hir::File> {
        std::mem::take(&mut self.files)
            .into_iter()
            .map(|decl| hir::File {
                name: decl.ast.name.text.clone(),
                span: decl.ast.name.span,
                format: decl.format,
                path: decl.path.unwrap_or_else(|| Expr::unknown(decl.ast.path.span)),
                split: decl.split,
                like: decl.like,
                form: decl.form.map(Box::new),
                content: decl.content.unwrap_or(FileContent::Unknown(())),
            })
            .collect()
    }

    pub fn finish_relations(&mut self) -> TiVec<RelationId, hir::Relation> {
        self.name_indexes();
        let mut relations = std::mem::take(&mut self.checked);
        for column in relations.iter_mut().flat_map(|relation| &mut relation.columns) {
            // Cells that cannot be read are null. During the checks, they did not make their columns nullable.
            if let ColumnSource::Given(given) = &column.source {
                column.ty.nullable |= given.odd;
            }
        }
        relations
    }
}

impl<'a> Checker<'a> {
    pub fn resolve_shared_table(&mut self, name: &'a ast::Ident) -> Option<&'a ast::TableDef> {
        let text = name.text.as_str();
        if let Some(table) = self.globals.find_shared_table(text) {
            self.record_reference(name.span, table.name.span);
            return Some(table);
        }
        let known = self.globals.tables.keys().chain(self.globals.library_tables.keys()).copied();
        let (message, label) = (format!("shared table `{text}` is not defined"), "not defined outside the tasks");
        let said = build_unknown_diagnostic(Code::UNKNOWN_TABLE, name, message, label, known);
        let help = format!("declare it outside the tasks: table {text} {{ NAME : person_name … }}");
        self.report(said.with_default_help(help));
        None
    }

    fn check_row_limit(&mut self, low: &Expr, high: &Expr) {
        for bound in [low, high] {
            if let Some(Value::Int(number)) = bound.as_constant()
                && !(0..=MAX_ROWS).contains(number)
            {
                let number = *number;
                let message = "the number of rows must be from 0 to 10,000,000";
                let said = Diagnostic::new(Code::BAD_DOMAIN, message, bound.span, format!("this is {number}"));
                self.report(said.help("choose a number in that range"));
                return;
            }
        }
    }
}
