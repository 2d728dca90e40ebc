//! Lakes: folders of real files, how some of them are read as tables, and which of them a task hands out.

use super::{Doc, Expr, Format, FromDisk, Ident, Span, StringLit, Walk};

/// `lake NAME [at PATH] from "FOLDER" { views }`
#[derive(Clone, Debug, PartialEq)]
pub struct Lake {
    /// Its name.
    pub name: Ident,
    /// Where it is in the sandbox; without it, in a folder of its name.
    pub at: Option<StringLit>,
    /// The folder, below that of the suite's own file.
    pub from: StringLit,
    /// The tables that are read from it.
    pub views: Vec<View>,
}

/// `FORMAT NAME [: TABLE] from "GLOB" OPTION… [{ columns }]` in a lake.
#[derive(Clone, Debug, PartialEq)]
pub struct View {
    /// Its documentation.
    pub doc: Option<Doc>,
    /// The format.
    pub format: Format,
    /// The keyword's place.
    pub format_span: Span,
    /// Its name in the lake.
    pub name: Ident,
    /// `: TABLE`, a reusable set of columns.
    pub table: Option<Ident>,
    /// The files, below the lake's folder.
    pub from: FromDisk,
    /// Without the doc comment.
    pub span: Span,
}

/// `lake NAME [needed [LIST] [+ N]]` in a task or variant: the files of it that are handed out.
#[derive(Clone, Debug, PartialEq)]
pub struct LakeUse {
    /// Which.
    pub name: Ident,
    /// Only some; without it, all.
    pub needed: Option<Needed>,
}

/// `needed [LIST] [+ N]`
#[derive(Clone, Debug, PartialEq)]
pub struct Needed {
    /// Globs of files that are handed out whatever the answer reads: an [`ExprKind::List`](super::ExprKind::List).
    pub globs: Option<Expr>,
    /// How many others.
    pub others: Option<Expr>,
    /// The whole.
    pub span: Span,
}

impl Lake {
    pub(super) fn walk_children<'a>(&'a self, walk: &mut Walk<'_, 'a>) {
        walk.visit_name(&self.name);
        walk.visit_strings(&self.at);
        walk.visit_string(&self.from);
        self.views.iter().for_each(|view| walk.visit_view(view));
    }
}

impl View {
    pub(super) fn walk_children<'a>(&'a self, walk: &mut Walk<'_, 'a>) {
        walk.visit_name(&self.name);
        walk.visit_names(&self.table);
        self.from.walk_children(walk);
    }
}

impl LakeUse {
    pub(super) fn walk_children<'a>(&'a self, walk: &mut Walk<'_, 'a>) {
        walk.visit_name(&self.name);
        if let Some(needed) = &self.needed {
            walk.visit_exprs(&needed.globs);
            walk.visit_exprs(&needed.others);
        }
    }
}
