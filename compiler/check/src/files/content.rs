//! The paths and the content of files.

use model::Span;
use model::format::Holds;
use model::suite::{FileId, Form, RelationId, Step};

use super::proofs::WrittenTable;
use super::taken_columns::find_last_clauses;
use crate::context::{Checker, Origin, Place, Relations, RowScope, State, TaskChecker, Unit};
use crate::domains::DrawChecker;
use hir::FileContent;
use hir::types::{Ty, TyKind};
use syntax::ast::{self, Content};
use syntax::diagnostics::wording::build_repeated_diagnostic;
use syntax::diagnostics::{Code, Diagnostic};

impl<'a> TaskChecker<'_, 'a> {
    /// Checks a file's path and content.
    pub fn ensure_file(&mut self, id: FileId, asked: Option<Span>) {
        let Some(around) = self.start_unit(Unit::File(id), asked) else { return };
        let data = self.scope.relations.files[id].ast;
        let mut relations = self.scope.relations.files[id].relations.clone();
        // A view reads the file, so the file does not depend on the view.
        relations.retain(|relation| !matches!(self.scope.relations.declared[*relation].origin, Origin::View(_)));
        for relation in &relations {
            // A fixture is copied, whatever its tables contain.
            if self.scope.relations.declared[*relation].cells.is_none() {
                self.ensure_relation(*relation, asked);
            }
        }
        let path = self.check_written_path(id, data, &relations);
        self.scope.relations.check_path_ending(self.cx, id, data, &path);
        // The proofs about the content need to know which columns the path contains.
        self.scope.relations.files[id].path = Some(path);
        self.cx.check_writing_options(data);
        let content = self.check_content(id, data, &relations);
        self.scope.relations.check_text_encodable(self.cx, id, &content);
        self.scope.here = around;
        self.end_unit();
        let decl = &mut self.scope.relations.files[id];
        (decl.content, decl.state) = (Some(content), State::Done);
        self.steps.push(Step::File(id));
    }

    fn check_content(&mut self, file: FileId, data: &'a ast::Data, relations: &[RelationId]) -> FileContent {
        match (&data.content, data.format.holds) {
            (Content::Missing(_), _) => FileContent::Unknown(()),
            // Its table was not found, which has been reported.
            (Content::Taken(_), Holds::Cells(_) | Holds::Columns | Holds::Text) if relations.is_empty() => {
                FileContent::Unknown(())
            }
            (Content::Fixture(_), _) => {
                let decl = &mut self.scope.relations.files[file];
                match (decl.by_row.clone(), decl.fixture.take()) {
                    (Some(by_row), _) => FileContent::FixtureByRow(by_row),
                    (None, Some(fixture)) => FileContent::Fixture { bytes: fixture.bytes, kind: fixture.kind },
                    (None, None) => FileContent::Unknown(()),
                }
            }
            (_, Holds::Tree | Holds::Elements) => {
                self.check_tree_content(file, data).unwrap_or_else(|| self.cx.report_bad_content(data))
            }
            (Content::Body { .. } | Content::Taken(_), _) => match relations {
                [relation, ..] => self.check_rows_content(file, data, *relation),
                [] => self.cx.report_bad_content(data),
            },
            (Content::Tables(_), Holds::Database) => FileContent::Sqlite {
                tables: relations.to_vec(),
                order: self.sort_parents_first(relations),
                views: self.scope.relations.collect_views(file),
            },
            (Content::Tables(_), Holds::Tables) => FileContent::Tables(relations.to_vec()),
            (Content::Drawn(_) | Content::Computed(_), Holds::Text) if !self.check_text_form(file, data) => {
                FileContent::Unknown(())
            }
            (Content::Drawn(domain), Holds::Text) => {
                let draw = DrawChecker::new(self).draw_name(domain, 0, 1);
                self.cx.check_text_content(&draw.ty, draw.span);
                if draw.may_be_blank() {
                    let message = "the content of a file can be null";
                    let said = Diagnostic::new(Code::NULLABLE, message, draw.span, "can be null");
                    self.cx.report(said.help("remove `blank`"));
                }
                FileContent::DrawnText(draw)
            }
            (Content::Computed(value), Holds::Text) => {
                let value = self.check_expr(value);
                self.scope.check_not_null(self.cx, &value, "a file's content");
                self.cx.check_text_content(&value.ty, value.span);
                FileContent::ComputedText(value)
            }
            _ => self.cx.report_bad_content(data),
        }
    }

    /// Checks the content of a file with the rows of one relation.
    fn check_rows_content(&mut self, file: FileId, data: &'a ast::Data, relation: RelationId) -> FileContent {
        let bodies = self.scope.relations.collect_bodies(self.cx, file);
        let lines: &'a [ast::StringLit] = match &data.content {
            // The `line` of the file itself replaces the one of the file that it is like.
            Content::Taken(_) => find_last_clauses(&bodies, |body| &body.lines),
            Content::Body { body, .. } => &body.lines,
            _ => &[],
        };
        let unread = bodies.iter().any(|body| self.cx.project.has_unread_in(body.span));
        self.scope.relations.reject_styled_helpers(self.cx, relation);
        let split = Some(data.path.span).filter(|_| self.scope.relations.files[file].split);
        if data.format.holds == Holds::Columns && reject_forms(self.cx, split, data, &bodies) {
            return FileContent::Unknown(());
        }
        let said = match (data.format.holds, lines) {
            (Holds::Tables | Holds::Columns, []) => return FileContent::Tables(vec![relation]),
            (Holds::Cells(_), []) if self.scope.relations.is_without_columns(relation) => Diagnostic::new(
                Code::MISSING_PART,
                format!("`{}` does not have a column that is written", data.name.text),
                data.name.span,
                "all begin with `_`",
            )
            .help("add a column: NAME = VALUE"),
            (Holds::Cells(_), []) if !self.scope.relations.check_object_names(self.cx, relation) => {
                return FileContent::Unknown(());
            }
            (Holds::Cells(delimiter), []) => {
                return match self.check_written_form(file, delimiter, relation) {
                    Some(form) => {
                        let table = WrittenTable { file, relation, form: &form, line: None };
                        self.scope.relations.prove_form(self.cx, &table);
                        FileContent::Delimited { form, relation }
                    }
                    None => FileContent::Unknown(()),
                };
            }
            (Holds::Text, [line]) => return self.check_lines_content(file, line, relation),
            (Holds::Text, []) if unread => return FileContent::Unknown(()),
            (Holds::Text, []) => Diagnostic::new(
                Code::MISSING_PART,
                "the text file does not define its lines",
                data.name.span,
                "no `line`",
            )
            .help("add: line \"<<COLUMN>> …\""),
            (Holds::Text, [first, second, ..]) => build_repeated_diagnostic("line", second.span, first.span),
            (_, [line, ..]) => {
                Diagnostic::new(Code::MISPLACED, "`line` works only in a text file", line.span, "not a text file")
                    .help("write: text NAME at \"app.log\" { rows 100  line \"…\"  … }")
            }
            (_, []) => return self.cx.report_bad_content(data),
        };
        self.cx.report(said);
        FileContent::Unknown(())
    }

    /// Checks the content of a text file with a line for each row.
    fn check_lines_content(&mut self, file: FileId, line: &'a ast::StringLit, relation: RelationId) -> FileContent {
        let Some(form) = self.check_written_form(file, b',', relation) else { return FileContent::Unknown(()) };
        // A null with a mark can be part of a text.
        let marked = form
            .styled
            .iter()
            .filter(|styled| styled.styles.iter().any(|style| matches!(style, model::suite::Style::Missing(_))));
        let mut here = RowScope::with_row(relation);
        here.not_null.extend(marked.map(|styled| Place::Column(relation, styled.column)));
        let line_value = self.check_within(here, |this| this.check_string(line));
        let taken = self.scope.relations.declared[relation].taken.is_some();
        let plain = form == Form::from_delimiter(',');
        if taken || form.is_read_back() {
            self.scope.relations.prove_line(self.cx, &form, relation, &line_value, line.span);
        }
        let table = WrittenTable { file, relation, form: &form, line: Some(&line_value) };
        self.scope.relations.prove_form(self.cx, &table);
        // A file from another table must always be readable.
        let form = (taken || !plain).then(|| Box::new(form));
        FileContent::TextLines { relation, line: line_value, form }
    }

    /// Sorts tables in the order of generation: parents before children.
    fn sort_parents_first(&self, tables: &[RelationId]) -> Vec<RelationId> {
        // Relations are completed in dependency order, and a `ref` is a dependency.
        let mut order = tables.to_vec();
        let at =
            |id: &RelationId| self.steps.iter().position(|step| *step == Step::Relation(*id)).unwrap_or(usize::MAX);
        order.sort_by_key(at);
        order
    }
}

impl Relations<'_> {
    /// Checks whether the rows are taken from another table and none of the columns is written.
    fn is_without_columns(&self, relation: RelationId) -> bool {
        self.declared[relation].taken.is_some()
            && self.checked[relation].iter_own_columns().all(|(_, column)| column.helper)
    }
}

impl Checker<'_> {
    fn check_text_content(&mut self, ty: &Ty, span: Span) {
        if !matches!(ty.kind, TyKind::Text | TyKind::Unknown) {
            let message = "the content of a text file must be text";
            let said = Diagnostic::new(Code::TYPE_MISMATCH, message, span, format!("this is {ty}"));
            self.report(said.help("put the value into a string: \"<<x>>\"; a list of lines: join(list, \"\\n\")"));
        }
    }

    fn report_bad_content(&mut self, data: &ast::Data) -> FileContent {
        let name = &data.name.text;
        let (is, at) = match &data.content {
            Content::Drawn(domain) => ("a domain", domain.span),
            Content::Computed(value) => ("a value", value.span),
            Content::Tables(tables) => ("tables", tables.first().map_or(data.name.span, |table| table.span)),
            Content::Body { body, .. } => ("rows and columns", body.span),
            Content::Fixture(from) => ("a fixture", from.path.span),
            Content::Taken(from) => ("the rows of a table", from.span),
            Content::Missing(span) => ("nothing", *span),
        };
        let message = format!("{}, but this is {is}", data.format.needs);
        let said = Diagnostic::new(Code::BAD_CONTENT, message, at, format!("does not fit `{name}`"));
        self.report(said.label(data.format_span, "the format").help(data.format.build_example(name)));
        FileContent::Unknown(())
    }
}

/// Reports what only files of cells and texts can have: columns in the path, styles, and rows that are repeated or ordered. Returns whether there was any.
fn reject_forms(cx: &mut Checker<'_>, split: Option<Span>, data: &ast::Data, bodies: &[&ast::Body]) -> bool {
    let is_taken = matches!(data.content, Content::Taken(_));
    let style = bodies.iter().flat_map(|body| &body.columns).flat_map(|column| &column.styles).next();
    let repeat = bodies.iter().flat_map(|body| &body.repeats).next();
    let order = bodies.iter().flat_map(|body| &body.orders).next();
    let (what, span) = match (split, style, repeat, order) {
        (Some(path), ..) => ("a path with a column", path),
        (_, Some(style), ..) if is_taken => ("a style", style.span),
        (_, _, Some(repeat), _) if is_taken => ("`rows repeat`", repeat.span),
        (.., Some(order)) if is_taken => ("`rows by`", order.span),
        _ => return false,
    };
    let message = format!("{what} does not apply to {}", data.format.noun);
    let said = Diagnostic::new(Code::MISPLACED, message, span, "works in files of cells and texts");
    cx.report(said.label(data.format_span, "the format").help("write a CSV or JSON Lines file, or remove it"));
    true
}
