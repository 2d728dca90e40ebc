//! What a file that is written from another table takes from it: its rows, columns, bodies, and options.

use model::Span;

use model::format::Holds;
use model::suite::{FileId, RelationId};

use crate::files::written::has_form;

use crate::fixtures::NameClash;

use crate::context::{Checker, ColumnAst, ColumnDecl, Origin, RelationDecl, Relations};
use hir::Entity;

use syntax::ast::{self, Content};
use syntax::diagnostics::wording::build_duplicate_diagnostic;
use syntax::diagnostics::{Applicability, Code, Diagnostic};

impl<'a> Relations<'a> {
    /// Declares a file that is written from another table.
    pub(super) fn declare_taken(&mut self, file: FileId, data: &'a ast::Data, from: &'a ast::FromRel) {
        if !has_form(data.format) && data.format.holds != Holds::Columns {
            return;
        }
        let decl = RelationDecl { format: Some(data.format), ..RelationDecl::new(Origin::Taken(from)) };
        let relation = self.add_relation(data.name.text.clone(), &data.name, Some(file), decl);
        self.files[file].relations.push(relation);
    }

    /// Returns the `from` clause of a relation, if its rows are taken from another table.
    pub(super) fn find_from_clause(&self, id: RelationId) -> Option<&'a ast::FromRel> {
        match self.declared.get(id)?.origin {
            Origin::Taken(from) => Some(from),
            _ => None,
        }
    }

    /// Reports a table of the task in place of a file whose style can be copied: a table has no style.
    pub(super) fn report_like_table<T>(
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
    pub(super) fn add_taken_columns(&mut self, cx: &mut Checker<'a>, id: RelationId, from: RelationId) {
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
        self.add_declared_columns(cx, id, Some(from), columns);
    }

    /// Adds the columns that bodies declare. `from` is the relation from which the rows are taken, if they are.
    pub(super) fn add_declared_columns(
        &mut self,
        cx: &mut Checker<'a>,
        id: RelationId,
        from: Option<RelationId>,
        columns: impl IntoIterator<Item = &'a ast::Column>,
    ) {
        for column in columns {
            for (place, key) in column.keys.iter().enumerate() {
                self.add_key(cx, (id, from), (column, place), (key, ""));
            }
        }
    }

    /// Checks that a column can have this name in a table, the whole one with the objects around its key. Reports it if not.
    pub(super) fn is_new_column(
        &self,
        cx: &mut Checker<'a>,
        id: RelationId,
        from: Option<RelationId>,
        key: &ast::Key,
        whole: &str,
    ) -> bool {
        let name = &key.name;
        // SQL folds case: names that differ only in letter case are equal. Spaces at the ends of a header are ignored.
        let alike = |known: &hir::Column| known.name.trim().eq_ignore_ascii_case(whole.trim());
        let own = self.checked[id].iter_own_columns().find(|(_, known)| alike(known)).map(|(_, known)| known.span);
        if let Some(first) = own {
            cx.report(build_duplicate_diagnostic(name, "column", first, "column"));
            return false;
        }
        cx.reject_attribute(key);
        let helper = name.text.starts_with('_');
        let Some(table) = from.map(|from| &self.checked[from]) else { return true };
        let taken = table.columns.iter().find(|known| helper && known.name == name.text);
        let Some(first) = taken.map(|known| known.span) else { return true };
        let table = table.name.clone();
        let message = format!("`{}` is ambiguous: a column of `{table}` or a helper of this file", name.text);
        let said = Diagnostic::new(Code::AMBIGUOUS_NAME, message, name.span, "named like that column");
        cx.report(said.label(first, "the column").help("rename the helper"));
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
    pub(super) fn list_entities(&self, id: RelationId) -> Vec<Entity> {
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
        let message = format!("`{name}` is many files; name their folder");
        let said = Diagnostic::new(Code::TYPE_MISMATCH, message, at, "many files")
            .label(decl.ast.path.span, "the path names a column");
        let said = match find_fixed_folder(&decl.ast.path) {
            Some(folder) => said.help(format!("write: <<sandbox>>/{folder}")),
            None => said.help("write: <<sandbox>>"),
        };
        cx.report(said);
        true
    }
}

/// Returns the folder of a path up to its first placeholder, or `None` if that is the sandbox itself.
fn find_fixed_folder(path: &ast::StringLit) -> Option<String> {
    let ast::Cooked::Text(first) = path.cook().into_iter().next()? else { return None };
    let (folder, _) = first.rsplit_once('/')?;
    Some(folder.to_owned())
}

/// Finds the clauses of one kind that apply to a file: those of the last body that has any.
pub(super) fn find_last_clauses<'a, T>(bodies: &[&'a ast::Body], of: impl Fn(&'a ast::Body) -> &'a [T]) -> &'a [T] {
    bodies.iter().rev().map(|body| of(body)).find(|clauses| !clauses.is_empty()).unwrap_or_default()
}
