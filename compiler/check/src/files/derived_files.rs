//! Files that are written from another table: `csv NAME at PATH from REL where P { columns }`.
//!
//! Such a file is a relation of its own, whose rows are taken from REL. It has columns once REL is found, before anything that can use it is checked:
//! first one for each column of REL, from which the others can be computed, and then its own.

use model::Span;
use model::suite::{FileId, OrderBy, RelationId};

use crate::files::written::has_form;
use crate::fixtures::NameClash;
use crate::model::{
    Checker, ColumnAst, ColumnDecl, Origin, Outcome, Place, RelationDecl, Relations, RowScope, State, TaskChecker,
    TaskScope, Unit,
};
use hir::Entity;
use syntax::ast::{self, Content, ExprKind};
use syntax::diagnostics::wording::{
    build_duplicate_diagnostic, build_repeated_diagnostic, join_with_or, quote_ident, suggest_column,
};
use syntax::diagnostics::{Applicability, Code, Diagnostic};

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
        match decl.state {
            _ if decl.taken.is_some() || decl.unread => return,
            State::Doing => return self.report_cycle(Unit::Relation(id), asked),
            State::Todo | State::Done => {}
        }
        if !self.begin_unit(Unit::Relation(id), asked) {
            return;
        }
        self.scope.relations.declared[id].state = State::Doing;
        let around = std::mem::take(&mut self.scope.here);
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
            self.cx.report(
                Diagnostic::new(
                    Code::AMBIGUOUS_NAME,
                    format!("`{text}` is ambiguous: a file of the task or a table outside of the tasks"),
                    other.span,
                    "which one?",
                )
                .label(first.name.span, "the file")
                .label(shared.name.span, "the table")
                .help("rename one of the two"),
            );
            return None;
        }
        let Content::Taken(_) = &first.content else {
            self.cx.report(
                Diagnostic::new(
                    Code::MISPLACED,
                    format!("`{text}` is not written from a table"),
                    other.span,
                    "not such a file",
                )
                .label(first.name.span, "declared here")
                .help(format!("name a file that is, or repeat what `{text}` says")),
            );
            return None;
        };
        if first.format != data.format {
            let (own, its) = (data.format.bare_noun(), first.format.bare_noun());
            self.cx.report(
                Diagnostic::new(
                    Code::MISPLACED,
                    format!("a {own} cannot be written like a {its}"),
                    other.span,
                    format!("a {its}"),
                )
                .label(data.format_span, "another format")
                .help(format!("write: {} {} : {text} at …", first.format.word(), data.name.text)),
            );
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
        let mut orders = bodies.iter().rev().map(|body| body.orders.as_slice()).filter(|orders| !orders.is_empty());
        let [order, again @ ..] = orders.next()? else { return None };
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
        let mut said = suggest_column(said, name.span, &name.text, known.iter().map(|name| (*name, table.as_str())));
        if said.help.is_none() {
            said = said.help(match own {
                true => {
                    format!(
                        "rows are in order by a column of `{table}`, or by a helper: _{0} = …",
                        quote_ident(&name.text)
                    )
                }
                false => format!("its columns are {}", join_with_or(known)),
            });
        }
        cx.report(said);
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

impl<'a> Relations<'a> {
    /// Declares a file that is written from another table.
    pub(super) fn declare_taken(&mut self, file: FileId, data: &'a ast::Data, from: &'a ast::FromRel) {
        if !has_form(data.format) {
            return;
        }
        let decl = RelationDecl { format: Some(data.format), ..RelationDecl::new(Origin::Taken(from)) };
        let relation = self.add_relation(data.name.text.clone(), &data.name, Some(file), decl);
        self.files[file].relations.push(relation);
    }

    /// Returns the `from` clause of a relation, if its rows are taken from another table.
    fn find_from_clause(&self, id: RelationId) -> Option<&'a ast::FromRel> {
        match self.declared.get(id)?.origin {
            Origin::Taken(from) => Some(from),
            _ => None,
        }
    }

    /// Reports a table of the task in place of a file whose style can be copied: a table has no style.
    fn report_like_table<T>(
        &self,
        cx: &mut Checker<'a>,
        data: &'a ast::Data,
        other: &'a ast::Ident,
        table: RelationId,
    ) -> Option<T> {
        let text = other.text.as_str();
        let declared = self.checked[table].span;
        let message = format!("`{text}` is a table of the task, not a file that is written from one");
        let said = Diagnostic::new(Code::MISPLACED, message, other.span, "not a file").label(declared, "the table");
        let whole = data.name.span.shrink_to_end().extend_to(other.span);
        cx.report(
            said.help("after `:` is a file that is written from a table; options and columns are taken from it").fix(
                format!("remove `: {text}`"),
                Applicability::Unsafe,
                whole,
                "",
            ),
        );
        None
    }

    /// Collects the bodies that declare the columns of a file that is written from a table, starting with those of the file that it is like.
    pub(super) fn collect_bodies(&self, cx: &Checker<'a>, file: FileId) -> Vec<&'a ast::Body> {
        let decl = &self.files[file];
        let mut bodies = match (decl.like, &decl.ast.table) {
            (Some(like), _) => self.collect_bodies(cx, like),
            (None, Some(shared)) => {
                cx.globals.find_shared_table(&shared.text).into_iter().map(|table| &table.body).collect()
            }
            (None, None) => Vec::new(),
        };
        bodies.extend(match &decl.ast.content {
            Content::Taken(from) => from.body.as_ref(),
            Content::Body { body, .. } => Some(body),
            _ => None,
        });
        bodies
    }

    /// Collects the options of a written file: its own, and those of the file that it is like unless they are overridden.
    pub(super) fn collect_options(&self, file: FileId) -> Vec<&'a ast::PathOption> {
        let decl = &self.files[file];
        let mut options: Vec<&'a ast::PathOption> = decl.ast.options.iter().collect();
        for option in decl.like.map(|like| self.collect_options(like)).unwrap_or_default() {
            if !options.iter().any(|own| own.kind.word() == option.kind.word()) {
                options.push(option);
            }
        }
        options
    }

    /// Adds the columns of a relation whose rows are taken from another.
    fn add_taken_columns(&mut self, cx: &mut Checker<'a>, id: RelationId, from: RelationId) {
        let Some(file) = self.checked[id].file else { return };
        let of_rel: Vec<_> = self.checked[from].iter_own_columns().map(|(at, column)| (at, column.clone())).collect();
        for (at, column) in &of_rel {
            self.add_column(id, column.name.clone(), column.span, true, ColumnDecl::new(ColumnAst::Taken(*at)));
        }
        let bodies = self.collect_bodies(cx, file);
        let own = match &self.files[file].ast.content {
            Content::Taken(from) => from.body.as_ref(),
            _ => None,
        };
        own.into_iter().for_each(|body| cx.reject_generated_clauses(body));
        bodies.iter().for_each(|body| cx.check_generated_columns(body, true));
        let columns: Vec<&'a ast::Column> = bodies.iter().flat_map(|body| &body.columns).collect();
        if columns.is_empty() {
            if let (Some(alike), Some(format)) = (&self.declared[from].alike, self.declared[id].format) {
                let message = NameClash::describe_clash(alike, &self.checked[from].name);
                let at = self.checked[id].span;
                let said = Diagnostic::new(
                    Code::SQL_REFUSED,
                    message,
                    at,
                    format!("written as {} with all of them", format.word()),
                );
                cx.report(said.help("declare the columns of this file, each with a name of its own: { A = … }"));
            }
            for (at, (_, column)) in (0..).map(model::suite::ColumnId).zip(&of_rel) {
                if !column.helper {
                    self.add_column(id, column.name.clone(), column.span, false, ColumnDecl::new(ColumnAst::Same(at)));
                }
            }
        }
        for column in columns {
            for (place, key) in column.keys.iter().enumerate() {
                if !self.is_new_column(cx, id, from, key) {
                    continue;
                }
                let (name, helper) = (key.name.text.clone(), key.name.text.starts_with('_'));
                self.add_column(id, name, key.name.span, helper, ColumnDecl::from_column(column, place));
            }
        }
    }

    /// Checks that a column can have this name in a file that is written from a table. Reports it if not.
    fn is_new_column(&self, cx: &mut Checker<'a>, id: RelationId, from: RelationId, key: &ast::Key) -> bool {
        let name = &key.name;
        let alike = |known: &hir::Column| known.name.trim().eq_ignore_ascii_case(name.text.trim());
        let own = self.checked[id].iter_own_columns().find(|(_, known)| alike(known)).map(|(_, known)| known.span);
        if let Some(first) = own {
            cx.report(build_duplicate_diagnostic(name, "column", first, "column"));
            return false;
        }
        if key.attribute {
            cx.report(
                Diagnostic::new(Code::MISPLACED, "`@` works only in XML files", name.span, "not XML")
                    .help("remove the `@`"),
            );
        }
        let helper = name.text.starts_with('_');
        let taken = self.checked[from].columns.iter().find(|known| helper && known.name == name.text);
        let Some(first) = taken.map(|known| known.span) else { return true };
        let table = self.checked[from].name.clone();
        cx.report(
            Diagnostic::new(
                Code::AMBIGUOUS_NAME,
                format!("`{}` is ambiguous: a column of `{table}` or a helper of this file", name.text),
                name.span,
                "named like that column",
            )
            .label(first, "the column")
            .help("rename the helper"),
        );
        false
    }

    /// Returns the bodies that describe how the rows of a relation are written, if the file can have styles and the rows are declared there.
    pub(super) fn find_written_bodies(
        &self,
        cx: &Checker<'a>,
        id: RelationId,
        file: FileId,
    ) -> Option<Vec<&'a ast::Body>> {
        let formed = has_form(self.files[file].ast.format);
        let own = matches!(self.declared[id].origin, Origin::Taken(_) | Origin::Body(_));
        (formed && own).then(|| self.collect_bodies(cx, file))
    }

    /// Lists the entities through which a relation can be used.
    fn list_entities(&self, id: RelationId) -> Vec<Entity> {
        let relation = &self.checked[id];
        let query = match relation.rows {
            hir::Rows::Query(name) => Some(Entity::Name(name)),
            _ => None,
        };
        let file = relation.file.map(Entity::File);
        [Some(Entity::Relation(id)), file, query].into_iter().flatten().collect()
    }

    /// Reports a declaration of many files, which has no single path or text. Returns whether it is one.
    pub fn is_many(&self, cx: &mut Checker<'a>, file: FileId, at: Span) -> bool {
        let decl = &self.files[file];
        if !decl.split {
            return false;
        }
        let name = &decl.ast.name.text;
        let said = Diagnostic::new(
            Code::TYPE_MISMATCH,
            format!("`{name}` is many files; name their folder"),
            at,
            "many files",
        )
        .label(decl.ast.path.span, "the path names a column");
        let said = match find_fixed_folder(&decl.ast.path) {
            Some(folder) => said.help(format!("write: <<sandbox>>/{folder}")),
            None => said.help("write: <<sandbox>>"),
        };
        cx.report(said);
        true
    }
}

impl<'a> Checker<'a> {
    /// Reports clauses of a file written from a table that are only allowed in tables whose rows are generated.
    fn reject_generated_clauses(&mut self, body: &'a ast::Body) {
        for rows in &body.rows {
            self.report(
                Diagnostic::new(
                    Code::MISPLACED,
                    "a file from a table does not have a number of rows",
                    rows.span,
                    "its rows are those of the table",
                )
                .help("remove it, or choose rows with a condition: from TABLE where …"),
            );
        }
        for constraint in &body.constraints {
            let word = constraint.kind.word();
            self.report(
                Diagnostic::new(
                    Code::MISPLACED,
                    format!("`{word}` does not apply to a file from a table"),
                    constraint.span,
                    "its rows are those of the table",
                )
                .help(format!("write it in the table: {word} (…)")),
            );
        }
    }
}

/// Returns the folder of a path up to its first placeholder, or `None` if that is the sandbox itself.
fn find_fixed_folder(path: &ast::StringLit) -> Option<String> {
    let ast::Cooked::Text(first) = path.cook().into_iter().next()? else { return None };
    let (folder, _) = first.rsplit_once('/')?;
    Some(folder.to_owned())
}
