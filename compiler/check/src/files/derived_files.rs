//! Files that are written from another table: `csv NAME at PATH from REL where P { columns }`.
//!
//! Such a file is a relation of its own, whose rows are taken from REL. It has columns once REL is found, before anything that can use it is checked:
//! first one for each column of REL, from which the others can be computed, and then its own.

use model::Span;

use model::suite::{FileId, OrderBy, RelationId};

use super::taken_columns::find_last_clauses;
use crate::context::{Checker, Outcome, Place, RowScope, State, TaskChecker, TaskScope, Unit};
use hir::Entity;

use syntax::ast::{self, Content, ExprKind};
use syntax::diagnostics::wording::{build_repeated_diagnostic, join_with_or, quote_ident, suggest_column};
use syntax::diagnostics::{Code, Diagnostic};

impl<'a> TaskChecker<'_, 'a> {
    /// Finds the tables from which files are written. Result sets come last, because a query can read such a file.
    pub fn resolve_taken_tables(&mut self) {
        let mut waiting: Vec<RelationId> = self
            .scope
            .relations
            .checked
            .keys()
            .filter(|id| self.scope.relations.find_from_clause(*id).is_some())
            .collect();
        waiting.sort_by_key(|id| self.scope.is_from_query(*id));
        for id in waiting {
            self.ensure_taken(id, None);
        }
    }

    /// Returns the relation of a file as a whole, with its columns.
    pub fn ensure_file_relation(&mut self, file: FileId, at: Span) -> Option<RelationId> {
        self.ensure_taken_of(file, at);
        self.scope.relations.find_file_relation(file)
    }

    /// Finds the table from which a file is written, if there is one.
    pub fn ensure_taken_of(&mut self, file: FileId, at: Span) {
        if let [relation] = self.scope.relations.files[file].relations[..] {
            self.ensure_taken(relation, Some(at));
        }
    }

    /// Finds the relation from which the rows of another are taken. After that, the other has columns.
    pub fn ensure_taken(&mut self, id: RelationId, asked: Option<Span>) {
        let Some(from) = self.scope.relations.find_from_clause(id) else { return };
        let decl = &self.scope.relations.declared[id];
        if decl.taken.is_some() || decl.unread {
            return;
        }
        let Some(around) = self.start_unit(Unit::Relation(id), asked) else { return };
        let found = self.resolve_from_relation(from);
        let like = self.resolve_like_file(id);
        self.scope.here = around;
        let sound = self.end_unit();
        self.scope.relations.declared[id].state = State::Todo;
        match found.filter(|_| sound && like.is_some()) {
            Some(found) => {
                self.scope.relations.declared[id].taken = Some(found);
                if let Some(file) = self.scope.relations.checked[id].file {
                    self.scope.relations.files[file].like = like.flatten();
                }
                self.scope.relations.add_taken_columns(self.cx, id, found);
            }
            // No further errors about it are reported.
            None => {
                self.scope.relations.declared[id].unread = true;
                self.scope.relations.declared[id].state = State::Done;
                if let Some(file) = self.scope.relations.checked[id].file {
                    self.scope.relations.files[file].broken = true;
                    self.scope.relations.files[file].relations.clear();
                }
            }
        }
    }

    /// Resolves the relation named after `from`. A file that is written from it does not count as a use by the answer.
    fn resolve_from_relation(&mut self, from: &'a ast::FromRel) -> Option<RelationId> {
        let ExprKind::Path(path) = &from.rel.kind else { return None };
        let entity = path.first().and_then(|first| self.scope.entities.get(first.text.as_str()).copied());
        let used = entity.is_some_and(|entity| self.scope.used.contains(&entity));
        let found = self.resolve_relation_path(path, from.rel.span);
        if let Some(entity) = entity.filter(|_| !used) {
            self.scope.used.remove(&entity);
        }
        let found = found?;
        self.ensure_taken(found, Some(from.rel.span));
        if self.scope.relations.checked[found].columns.is_empty() {
            // The error in it has been reported.
            self.is_unread(found, from.rel.span);
            return None;
        }
        Some(found)
    }

    /// Resolves the file named in `: OTHER`, whose style a file copies. `Some(None)` if no file is named, `None` after an error.
    fn resolve_like_file(&mut self, id: RelationId) -> Option<Option<FileId>> {
        let data = self.scope.relations.files[self.scope.relations.checked[id].file?].ast;
        let Some(other) = &data.table else { return Some(None) };
        let text = other.text.as_str();
        let shared = self.cx.globals.find_shared_table(text);
        let Some(Entity::File(file)) = self.scope.entities.get(text).copied() else {
            return match self.scope.entities.get(text).copied() {
                Some(Entity::Relation(table)) if shared.is_none() => {
                    self.scope.relations.report_like_table(self.cx, data, other, table)
                }
                _ => self.cx.resolve_shared_table(other).map(|_| None),
            };
        };
        self.scope.refer_entity(self.cx, other.span, Entity::File(file));
        let first = self.scope.relations.files[file].ast;
        if let Some(shared) = shared {
            let message = format!("`{text}` is ambiguous: a file of the task or a table outside of the tasks");
            let said = Diagnostic::new(Code::AMBIGUOUS_NAME, message, other.span, "which one?");
            self.cx.report(
                said.label(first.name.span, "the file")
                    .label(shared.name.span, "the table")
                    .help("rename one of the two"),
            );
            return None;
        }
        let Content::Taken(_) = &first.content else {
            let message = format!("`{text}` is not written from a table");
            let help = format!("name a file that is, or repeat what `{text}` says");
            let said = Diagnostic::new(Code::MISPLACED, message, other.span, "not such a file");
            self.cx.report(said.label(first.name.span, "declared here").help(help));
            return None;
        };
        if first.format != data.format {
            let (own, its) = (data.format.bare_noun(), first.format.bare_noun());
            let message = format!("a {own} cannot be written like a {its}");
            let help = format!("write: {} {} : {text} at …", first.format.word(), data.name.text);
            let said = Diagnostic::new(Code::MISPLACED, message, other.span, format!("a {its}"));
            self.cx.report(said.label(data.format_span, "another format").help(help));
            return None;
        }
        let relation = self.ensure_file_relation(file, other.span)?;
        self.scope.relations.declared[relation].taken?;
        Some(Some(file))
    }

    /// Checks the rows of a relation that takes them from another.
    pub(super) fn check_taken_rows(
        &mut self,
        id: RelationId,
        from: &'a ast::FromRel,
        asked: Option<Span>,
    ) -> Option<hir::Rows> {
        let of = self.scope.relations.declared[id].taken?;
        self.ensure_relation(of, asked);
        self.note_rows_read(of, from.rel.span);
        let filter = from.filter.as_ref().map(|filter| {
            self.scope.here = RowScope::with_row(of);
            let filter = self.check_decision(filter, "`where`");
            let shown = self.scope.find_not_null_places(&filter, Outcome::True).into_iter();
            let columns =
                shown.filter_map(|place| if let Place::Column(_, column) = place { Some(column) } else { None });
            self.scope.relations.declared[id].certain = columns.collect();
            self.scope.here = RowScope::default();
            filter
        });
        Some(hir::Rows::Taken { from: of, filter })
    }

    /// Checks `rows by COLUMN [desc]` of a relation whose columns are known.
    pub(super) fn check_row_order(&mut self, id: RelationId) -> Option<OrderBy> {
        let file = self.scope.relations.checked.get(id)?.file?;
        let taken = self.scope.relations.declared[id].taken.is_some();
        let bodies = self.scope.relations.find_written_bodies(self.cx, id, file)?;
        let [order, again @ ..] = find_last_clauses(&bodies, |body| &body.orders) else { return None };
        if let Some(second) = again.first() {
            self.cx.report(build_repeated_diagnostic("rows by", second.span, order.span));
        }
        let around = std::mem::replace(
            &mut self.scope.here,
            if taken { RowScope::with_declared_row(id) } else { RowScope::with_row(id) },
        );
        let found = self.scope.find_column(id, &order.column.text);
        if let Some(column) = found {
            self.resolve_row_column(id, column, order.column.span);
            self.scope.relations.refer_column(self.cx, order.column.span, id, column);
        } else {
            self.scope.report_unknown_order(self.cx, id, &order.column);
        }
        self.scope.here = around;
        Some(OrderBy { column: found?, descending: order.desc })
    }
}

impl<'a> TaskScope<'a> {
    fn is_from_query(&self, id: RelationId) -> bool {
        let Some(ExprKind::Path(path)) = self.relations.find_from_clause(id).map(|from| &from.rel.kind) else {
            return false;
        };
        let first = path.first().and_then(|first| self.entities.get(first.text.as_str()));
        matches!(first, Some(Entity::Name(_)))
    }

    fn report_unknown_order(&self, cx: &mut Checker<'a>, id: RelationId, name: &'a ast::Ident) {
        let taken = self.relations.declared[id].taken;
        let table = self.relations.checked[taken.unwrap_or(id)].name.clone();
        let known: Vec<&str> = self.list_scope_columns(id).collect();
        let message = match taken {
            Some(_) => format!("`{table}` has no column `{}` to put rows in order by", name.text),
            None => format!("`{table}` has no column `{}`", name.text),
        };
        let said =
            Diagnostic::new(Code::UNKNOWN_COLUMN, message, name.span, "no such column").with_unknown_name(&name.text);
        let own = self.relations.checked[id].iter_own_columns().any(|(_, column)| column.name == name.text);
        let said = suggest_column(said, name.span, &name.text, known.iter().map(|name| (*name, table.as_str())));
        let helper = quote_ident(&name.text);
        cx.report(said.with_default_help(match own {
            true => format!("rows are in order by a column of `{table}`, or by a helper: _{helper} = …"),
            false => format!("its columns are {}", join_with_or(known)),
        }));
    }

    /// Marks a file that is written from a table as used if the table is used, or if the name of the file begins with `_`. The tables are always marked.
    pub fn mark_used_by_writing(&mut self) {
        let taken: Vec<(RelationId, FileId, Vec<Entity>)> = self
            .relations
            .checked
            .iter_enumerated()
            .filter_map(|(id, relation)| {
                Some((id, relation.file?, self.relations.list_entities(self.relations.declared[id].taken?)))
            })
            .collect();
        loop {
            let before = self.used.len();
            for (_, file, from) in &taken {
                let own = self.relations.files[*file].ast.name.text.starts_with('_');
                if own || from.iter().any(|entity| self.used.contains(entity)) {
                    self.used.insert(Entity::File(*file));
                }
            }
            if self.used.len() == before {
                break;
            }
        }
        self.used.extend(taken.into_iter().flat_map(|(_, _, from)| from));
    }
}

impl<'a> Checker<'a> {
    /// Reports clauses of a file written from a table that are only allowed in tables whose rows are generated.
    pub(super) fn reject_generated_clauses(&mut self, body: &'a ast::Body) {
        let rows = body.rows.iter().map(|rows| {
            let help = "remove it, or choose rows with a condition: from TABLE where …";
            (rows.span, "a file from a table does not have a number of rows".to_owned(), help.to_owned())
        });
        let constraints = body.constraints.iter().map(|constraint| {
            let word = constraint.kind.word();
            let message = format!("`{word}` does not apply to a file from a table");
            (constraint.span, message, format!("write it in the table: {word} (…)"))
        });
        for (at, message, help) in rows.chain(constraints) {
            let said = Diagnostic::new(Code::MISPLACED, message, at, "its rows are those of the table");
            self.report(said.help(help));
        }
    }
}
