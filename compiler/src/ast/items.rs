//! What is at top level.

use super::{Allow, Body, Compute, Doc, Domain, Expr, Ident, Lake, Span, Stmt, StringLit, TableFrom, Walk};

/// Something at top level.
#[derive(Clone, Debug, PartialEq)]
pub struct Item {
    /// Its documentation.
    pub doc: Option<Doc>,
    /// What it is.
    pub kind: ItemKind,
    /// Without the doc comment.
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
    /// A form that is reserved for later (`trials …`): already reported.
    Reserved(Ident),
}

/// `suite NAME { settings }`
#[derive(Clone, Debug, PartialEq)]
pub struct Suite {
    /// Its name.
    pub name: Ident,
    /// Its settings, `allow` among them.
    pub settings: Vec<Setting>,
}

/// `title "…"`, `samples 20`, … inside `suite`.
#[derive(Clone, Debug, PartialEq)]
pub struct Setting {
    /// Its documentation.
    pub doc: Option<Doc>,
    /// `title`, `version`, `description`, `license`, `authors`, `samples`, `canary`, `tags`, `edition`; other words are kept for
    /// `check` to refuse with a suggestion.
    pub key: Ident,
    /// Its value ([`ExprKind::Missing`] if none); for `allow` the [`Setting::allow`] is set instead.
    pub value: Expr,
    /// For `allow LINT "reason"`.
    pub allow: Option<Allow>,
    /// The whole setting.
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

/// `table NAME { columns }` at top level: a reusable set of columns.
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
    /// What it gives.
    pub result: TypeExpr,
}

/// `NAME: TYPE` in a signature; `NAME?: TYPE` may be left out; `NAME...: TYPE` repeats.
#[derive(Clone, Debug, PartialEq)]
pub struct Param {
    /// Its name.
    pub name: Ident,
    /// `?` after the name: it can be left out.
    pub optional: bool,
    /// `...` after the name: it can be repeated.
    pub variadic: bool,
    /// Its type.
    pub ty: TypeExpr,
}

/// A type in a signature: `int`, `text?`, `list of T`, `csv column of number`, `sql scalar`.
/// The words in order; `?` (nullable) apart. The compiler gives them meaning.
#[derive(Clone, Debug, PartialEq)]
pub struct TypeExpr {
    /// The words, `of` included: `["csv", "column", "of", "number"]`.
    pub words: Vec<Ident>,
    /// A `?` at the end.
    pub nullable: bool,
    /// The whole type.
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

impl Item {
    pub(super) fn walk_children<'a>(&'a self, walk: &mut Walk<'_, 'a>) {
        match &self.kind {
            ItemKind::Suite(suite) => {
                walk.visit_name(&suite.name);
                suite.settings.iter().for_each(|setting| walk.visit_setting(setting));
            }
            ItemKind::Use(path) => walk.visit_string(path),
            ItemKind::Domain(def) => {
                walk.visit_name(&def.name);
                walk.visit_domain(&def.domain);
            }
            ItemKind::Table(def) => {
                walk.visit_name(&def.name);
                walk.visit_body(&def.body);
            }
            ItemKind::TableFrom(table) => table.walk_children(walk),
            ItemKind::Lake(lake) => lake.walk_children(walk),
            ItemKind::Constant(constant) => constant.walk_children(walk),
            ItemKind::Task(task) => {
                walk.visit_name(&task.name);
                walk.visit_stmts(&task.body);
            }
            ItemKind::Function(def) => walk.visit_name(&def.name),
            ItemKind::Reserved(_) => {}
        }
    }
}

impl Setting {
    pub(super) fn walk_children<'a>(&'a self, walk: &mut Walk<'_, 'a>) {
        match &self.allow {
            Some(allow) => allow.walk_children(walk),
            None => walk.visit_expr(&self.value),
        }
    }
}
