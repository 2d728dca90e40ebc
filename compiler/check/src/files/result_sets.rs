//! Relations that are derived: the rows of a query, and the lines of a text.

use model::functions::QueryResult;
use model::suite::{FileId, NameId, RelationId};

use crate::context::{Checker, ColumnAst, ColumnDecl, NameAst, Origin, RelationDecl, Relations, TaskScope};
use crate::domains::domain::as_bare_expr;
use hir::types::{Ty, TyKind};
use syntax::ast::{self, Format, Ident};
use syntax::diagnostics::{Code, Diagnostic};

/// The name of the column with the lines of a text.
pub(crate) const LINE: &str = "line";

impl<'a> TaskScope<'a> {
    /// Returns the relation of a name that contains a result set.
    pub fn ensure_result_set(&mut self, cx: &mut Checker<'a>, name: NameId, span: model::Span) -> Option<RelationId> {
        let decl = &self.names[name];
        let TyKind::Rows(columns) = &decl.ty.kind else { return None };
        let made = |relation: &hir::Relation| matches!(relation.rows, hir::Rows::Query(of) if of == name);
        if let Some(known) = self.relations.checked.position(made) {
            return Some(known);
        }
        let (ident, columns) = (decl.ident.clone(), columns.clone());
        if let NameAst::Own(_, kind) = decl.source {
            let way = kind.word();
            let message = format!("`{}` is in a {way}, so its rows cannot be read as a table", ident.text);
            let help = format!("declare `{}` in the task, outside of the {way}", ident.text);
            let said = Diagnostic::new(Code::MISPLACED, message, span, "read as a table here");
            cx.report(said.label(ident.span, "declared here").help(help));
            return None;
        }
        let keys = match decl.checked.as_ref() {
            Some(hir::NameSource::Compute(value)) => value.find_query().map(|sql| sql.analysis.keys.clone()),
            _ => None,
        };
        // A key of a table is never null.
        let is_never_null = |at: &usize| columns.get(*at).is_some_and(|(_, ty)| !ty.nullable);
        let keys = keys.map(|keys| keys.into_iter().filter(|key| key.iter().all(is_never_null)).collect());
        let relation = self.relations.add_result_relation(&ident, None, None, Origin::Query(name), &columns);
        if let (Some(decl), Some(keys)) = (self.relations.declared.get_mut(relation), keys) {
            decl.keys = keys;
        }
        Some(relation)
    }

    /// Checks whether a name is declared as a result set: `NAME = <<rows: …>>`. Only the syntax is used, so nothing needs to be checked first.
    pub fn is_result_set(&self, cx: &Checker<'a>, name: NameId) -> bool {
        let NameAst::Compute(value) = self.names[name].source else { return false };
        let ast::ExprKind::Call(call) = &as_bare_expr(value).kind else { return false };
        let function = cx.project.library.functions.get(&call.callee.text);
        function.is_some_and(|function| function.id.query == Some(QueryResult::Rows))
    }
}

impl<'a> Relations<'a> {
    /// Declares the lines of a text file as a relation, which is generated only if something reads it.
    pub fn declare_lines(&mut self, file: FileId, name: &Ident) {
        let line = (LINE.to_owned(), Ty::new(TyKind::Text));
        let relation = self.add_result_relation(
            name,
            Some(file),
            Some(Format::Text),
            Origin::Lines(file),
            std::slice::from_ref(&line),
        );
        self.files[file].lines = Some(relation);
    }

    fn add_result_relation(
        &mut self,
        ident: &Ident,
        file: Option<FileId>,
        format: Option<Format>,
        origin: Origin<'a>,
        columns: &[(String, Ty)],
    ) -> RelationId {
        let decl = RelationDecl { format, ..RelationDecl::new(origin) };
        let relation = self.add_relation(ident.text.clone(), ident, file, decl);
        for (position, (name, ty)) in (0..).zip(columns) {
            let decl = ColumnDecl::new(ColumnAst::Result(ty.clone(), position));
            self.add_column(relation, name.clone(), ident.span, false, decl);
        }
        relation
    }
}
