//! Lakes: folders of existing files, the views that read some of them as tables, and the selection that a task hands out.

use super::{Doc, Expr, FromDisk, Ident, StringLit};
use model::Span;
use model::format::Format;

/// `lake NAME [at PATH] from "FOLDER" { views }`
#[derive(Clone, Debug, PartialEq)]
pub struct Lake {
    /// Its name.
    pub name: Ident,
    /// The path in the sandbox; by default a folder with the lake's name.
    pub at: Option<StringLit>,
    /// The folder on disk, relative to the suite's root file.
    pub from: StringLit,
    /// The word `hidden`, if files and folders whose names begin with `.` are in the lake, too.
    pub hidden: Option<Span>,
    /// The tables that are read from its files.
    pub views: Vec<View>,
}

/// `FORMAT NAME [: TABLE] from "GLOB" OPTION… [{ columns }]` in a lake.
#[derive(Clone, Debug, PartialEq)]
pub struct View {
    /// Its documentation.
    pub doc: Option<Doc>,
    /// The format.
    pub format: Format,
    /// The range of the format keyword.
    pub format_span: Span,
    /// Its name in the lake.
    pub name: Ident,
    /// `: TABLE`, a shared table.
    pub table: Option<Ident>,
    /// The files, relative to the lake's folder.
    pub from: FromDisk,
    /// Its range, without the doc comment.
    pub span: Span,
}

/// `lake NAME [needed [LIST] [+ N]]` in a task or variant: the files of the lake that are handed out.
#[derive(Clone, Debug, PartialEq)]
pub struct LakeUse {
    /// The name of the lake.
    pub name: Ident,
    /// The selection of files; by default all files.
    pub needed: Option<Needed>,
}

/// `needed [LIST] [+ N]`
#[derive(Clone, Debug, PartialEq)]
pub struct Needed {
    /// Globs of files that are always handed out, regardless of the answer: an [`ExprKind::List`](super::ExprKind::List).
    pub globs: Option<Expr>,
    /// The number of other files.
    pub others: Option<Expr>,
    /// Its range.
    pub span: Span,
}
