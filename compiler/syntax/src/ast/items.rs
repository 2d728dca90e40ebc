//! Top-level items.

use super::{Allow, Body, Compute, Doc, Domain, Expr, Ident, Lake, Stmt, StringLit, TableFrom};
use model::Span;

/// A top-level item.
#[derive(Clone, Debug, PartialEq)]
pub struct Item {
    /// Its documentation.
    pub doc: Option<Doc>,
    /// Its kind and content.
    pub kind: ItemKind,
    /// Its range, without the doc comment.
    pub span: Span,
}

/// The kinds of item.
#[derive(Clone, Debug, PartialEq)]
pub enum ItemKind {
    /// `suite NAME { … }`
    Suite(Suite),
    /// `use "path.pcd"`
    Use(StringLit),
    /// `domain NAME = DOMAIN`
    Domain(DomainDef),
    /// `table NAME { columns }`
    Table(TableDef),
    /// `table NAME from "FILE"`
    TableFrom(TableFrom),
    /// `lake NAME from "FOLDER" { views }`
    Lake(Lake),
    /// `NAME = expr`
    Constant(Compute),
    /// `task NAME { … }`
    Task(Task),
    /// `fn NAME(PARAM: TYPE, …) -> TYPE`: in the standard library only.
    Function(FunctionDef),
    /// A form reserved for a future version (`trials …`); already reported.
    Reserved(Ident),
}

/// `suite NAME { settings }`
#[derive(Clone, Debug, PartialEq)]
pub struct Suite {
    /// Its name.
    pub name: Ident,
    /// Its settings, including `allow`.
    pub settings: Vec<Setting>,
}

/// `title "…"`, `samples 20`, … inside `suite`.
#[derive(Clone, Debug, PartialEq)]
pub struct Setting {
    /// Its documentation.
    pub doc: Option<Doc>,
    /// `title`, `version`, `description`, `license`, `authors`, `samples`, `canary`, `tags`, `edition`; other words are kept, and `check` rejects them with a
    /// suggestion.
    pub key: Ident,
    /// Its value ([`ExprKind::Missing`] if missing); for `allow`, [`Setting::allow`] is set instead.
    pub value: Expr,
    /// The lint and reason of `allow LINT "reason"`.
    pub allow: Option<Allow>,
    /// The range of the setting.
    pub span: Span,
}

/// `domain NAME = DOMAIN`
#[derive(Clone, Debug, PartialEq)]
pub struct DomainDef {
    /// Its name.
    pub name: Ident,
    /// Its definition.
    pub domain: Domain,
}

/// `table NAME { columns }` at top level: a shared table.
#[derive(Clone, Debug, PartialEq)]
pub struct TableDef {
    /// Its name.
    pub name: Ident,
    /// Its columns.
    pub body: Body,
}

/// A function's signature, from the standard library.
#[derive(Clone, Debug, PartialEq)]
pub struct FunctionDef {
    /// Its name.
    pub name: Ident,
    /// Its parameters in order.
    pub params: Vec<Param>,
    /// The type of its result.
    pub result: TypeExpr,
}

/// `NAME: TYPE` in a signature; `NAME?: TYPE` is optional; `NAME...: TYPE` may be repeated.
#[derive(Clone, Debug, PartialEq)]
pub struct Param {
    /// Its name.
    pub name: Ident,
    /// Whether `?` follows the name: the argument is optional.
    pub optional: bool,
    /// Whether `...` follows the name: the argument may be repeated.
    pub variadic: bool,
    /// Its type.
    pub ty: TypeExpr,
}

/// A type in a signature: `int`, `text?`, `list of T`, `csv column of number`, `sql scalar`. Holds the words in order, without the `?` (nullable); the compiler
/// interprets them.
#[derive(Clone, Debug, PartialEq)]
pub struct TypeExpr {
    /// The words, including `of`: `["csv", "column", "of", "number"]`.
    pub words: Vec<Ident>,
    /// Whether `?` follows it.
    pub nullable: bool,
    /// The range of the type.
    pub span: Span,
}

/// `task NAME { statements }`
#[derive(Clone, Debug, PartialEq)]
pub struct Task {
    /// Its name.
    pub name: Ident,
    /// Its statements in source order.
    pub body: Vec<Stmt>,
}
