//! Statements of tasks, variants, and stages.

use super::{Allow, Data, Doc, Domain, Expect, Expr, Ident, LakeUse, StringLit, TableFrom, TableStmt};
use model::Span;

/// A statement of a task, variant, or stage.
#[derive(Clone, Debug, PartialEq)]
pub struct Stmt {
    /// Its documentation.
    pub doc: Option<Doc>,
    /// Its kind and content.
    pub kind: StmtKind,
    /// Its range, without the doc comment.
    pub span: Span,
}

/// The kinds of statement.
#[derive(Clone, Debug, PartialEq)]
pub enum StmtKind {
    /// `a, b : distinct word`
    Draw {
        /// The names drawn.
        names: Vec<Ident>,
        /// The domain that they are drawn from.
        domain: Domain,
    },
    /// `NAME = expr`
    Compute(Compute),
    /// `samples N`
    Samples(Expr),
    /// `axis NAME = [ … ]` or `{ label: value }`
    Axis {
        /// Its name.
        name: Ident,
        /// A [`ExprKind::List`] or [`ExprKind::Object`] if well formed.
        cells: Expr,
    },
    /// `each NAME in REL …`
    Each(Each),
    /// `FORMAT NAME at PATH …`
    Data(Data),
    /// `table NAME { rows … }`: a relation without a file.
    Table(TableStmt),
    /// `table NAME from "FILE"`
    TableFrom(TableFrom),
    /// `lake NAME [needed [LIST] [+ N]]`
    Lake(LakeUse),
    /// `clutter N [in PATH]`
    Clutter {
        /// The number of files.
        count: Expr,
        /// The folder.
        within: Option<StringLit>,
    },
    /// `folder PATH`
    Folder(StringLit),
    /// `require expr`
    Require(Expr),
    /// `prompt STRING`, `prompt one_of [STRING, …]`
    Prompt(Prompt),
    /// `expect SUBJECT MATCHER VALUE [options]`
    Expect(Expect),
    /// `variant NAME { … }`
    Variant {
        /// Its name.
        name: Ident,
        /// Its statements. `check` rejects those that a variant cannot contain.
        body: Vec<Stmt>,
    },
    /// `stage NAME [after NAME, …] { … }`
    Stage(Stage),
    /// `tags [a, b]`
    Tags(Expr),
    /// `tools [run_sql, …]`
    Tools(Expr),
    /// `calls N`
    Calls(Expr),
    /// `allow LINT "reason"`
    Allow(Allow),
    /// A form reserved for a future version (`trials …`); already reported.
    Reserved(Ident),
}

/// `each NAME in REL [key COLUMN] [by COLUMN] [where P]`: every row of a table is an instance.
#[derive(Clone, Debug, PartialEq)]
pub struct Each {
    /// The name of the row variable.
    pub name: Ident,
    /// The table, file, or view: an [`ExprKind::Path`](super::ExprKind::Path).
    pub rel: Expr,
    /// The column whose value identifies a row in instance ids.
    pub key: Option<Ident>,
    /// The column whose value is the row's cluster.
    pub by: Option<Ident>,
    /// The condition on its rows.
    pub filter: Option<Expr>,
}

/// `stage NAME [after NAME, …] { … }`
#[derive(Clone, Debug, PartialEq)]
pub struct Stage {
    /// Its name.
    pub name: Ident,
    /// The stages that precede it; if empty, the order is inferred from the values that the answers read.
    pub after: Vec<Ident>,
    /// Its statements. `check` rejects those that a stage cannot contain.
    pub body: Vec<Stmt>,
}

/// `NAME = expr`
#[derive(Clone, Debug, PartialEq)]
pub struct Compute {
    /// The name.
    pub name: Ident,
    /// Its value.
    pub value: Expr,
}

/// The argument of `prompt`.
#[derive(Clone, Debug, PartialEq)]
pub enum Prompt {
    /// One wording.
    One(StringLit),
    /// `one_of [ … ]`: several wordings, of which one is drawn.
    OneOf(Vec<Expr>),
    /// A missing argument: the position at which it was expected.
    Missing(Span),
}
