//! The files of a task and the relations in them: data, and what can be asked of it without checking anything else.

use std::collections::BTreeMap;

use hir::Expr;
use hir::types::Ty;
use model::suite::{ColumnId, FileId, RelationId};
use model::{Span, TiVec};
use syntax::ast;

use super::{ColumnAst, ColumnDecl, FileDecl, Origin, RelationDecl, UnreadableFile};

/// The files and relations of a task, as far as they are declared and checked.
#[derive(Default)]
pub(crate) struct Relations<'a> {
    pub files: TiVec<FileId, FileDecl<'a>>,
    /// The declarations of the relations.
    pub declared: TiVec<RelationId, RelationDecl<'a>>,
    /// The relations as far as they have been checked.
    pub checked: TiVec<RelationId, hir::Relation>,
    /// The parts of fixtures that cannot be read, by file.
    pub odd: BTreeMap<FileId, UnreadableFile>,
}

impl<'a> Relations<'a> {
    /// Adds a relation without columns that has not been checked yet. `ident` is the last part of `name`.
    pub fn add_relation(
        &mut self,
        name: String,
        ident: &ast::Ident,
        file: Option<FileId>,
        decl: RelationDecl<'a>,
    ) -> RelationId {
        let rows = match decl.origin {
            Origin::Query(name) => hir::Rows::Query(name),
            Origin::Lines(file) => hir::Rows::Lines(file),
            Origin::Given(rows) => hir::Rows::Given(rows),
            _ => hir::Rows::Count(Expr::unknown(ident.span), Expr::unknown(ident.span)),
        };
        self.declared.push(decl);
        self.checked.push_and_get_key(hir::Relation {
            name,
            table: ident.text.clone(),
            span: ident.span,
            file,
            rows,
            columns: TiVec::new(),
            order: Vec::new(),
            constraints: Vec::new(),
            by: None,
        })
    }

    /// Adds a column that has not been checked yet. Helper columns are not written.
    pub fn add_column(
        &mut self,
        relation: RelationId,
        name: String,
        span: Span,
        helper: bool,
        decl: ColumnDecl<'a>,
    ) -> ColumnId {
        let source = match decl.ast {
            // Empty until something reads it.
            ColumnAst::Cells => hir::ColumnSource::Given(Box::default()),
            ColumnAst::Taken(column) => hir::ColumnSource::Taken(column),
            _ => hir::ColumnSource::Compute(Expr::unknown(span)),
        };
        self.declared[relation].columns.push(decl);
        let column = hir::Column { name, span, helper, ty: Ty::UNKNOWN, cells: (), references: None, source };
        self.checked[relation].columns.push_and_get_key(column)
    }
}
