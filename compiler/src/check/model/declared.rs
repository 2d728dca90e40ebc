//! The declarations of a task, as far as they have been checked.

use plan::TiVec;
use std::sync::Arc;

use plan::Span;
use plan::suite::{ColumnId, Constraint, FileId, NameId, RelationId};

use crate::ast;
use crate::check::model::State;
use crate::facts::Fact;
use crate::fixture::LazyTable;
use crate::hir::{self, Expr};
use crate::types::Ty;

/// A declared name.
pub(crate) struct NameDecl<'a> {
    pub ident: &'a ast::Ident,
    pub source: NameAst<'a>,
    pub state: State,
    pub ty: Ty,
    pub checked: Option<hir::NameSource>,
    /// The least and greatest value, where it is an int and they are known.
    pub fact: Fact<'static>,
    pub used: bool,
}

/// Where a name is declared.
#[derive(Clone, Copy)]
pub(crate) enum NameAst<'a> {
    Draw {
        domain: &'a ast::Domain,
        group: &'a [ast::Ident],
        place: u32,
    },
    Compute(&'a ast::Expr),
    Axis(&'a ast::Expr),
    Variant(&'a ast::Expr),
    /// Drawn in a variant: already reported.
    Misplaced,
}

/// A declared file.
pub(crate) struct FileDecl<'a> {
    pub ast: &'a ast::Data,
    pub state: State,
    /// Its relations in source order.
    pub relations: Vec<RelationId>,
    /// What stands where, in JSON, YAML and XML.
    pub tree: Option<Node>,
    /// What a JSON or YAML fixture holds.
    pub read: Option<Arc<crate::fixture::Tree>>,
    /// Its format; of a `file`, that of the fixture.
    pub format: ast::Format,
    /// The fixture it is copied from.
    pub fixture: Option<Fixture>,
    /// What is wrong with it has been said: nothing more is to be said of what it does not have.
    pub broken: bool,
    /// The relation of its lines, where it has no other: made only where something reads it.
    pub lines: Option<RelationId>,
    pub path: Option<Expr>,
    pub content: Option<hir::FileContent>,
    pub used: bool,
}

/// A declared relation.
pub(crate) struct RelationDecl<'a> {
    /// `hr`, `db.table`, `conf.services`.
    pub name: String,
    /// Its own name: the last part.
    pub ident: ast::Ident,
    pub file: Option<FileId>,
    pub format: Option<ast::Format>,
    pub origin: Origin<'a>,
    /// Of a fixture's table: its cells, which are read when it is checked.
    pub cells: Option<Arc<LazyTable>>,
    /// Of a tree: what stands there once, in one row.
    pub single: bool,
    /// Read from a file that no agent is given.
    pub private: Option<Private>,
    pub state: State,
    pub rows: Option<hir::Rows>,
    pub columns: TiVec<ColumnId, ColumnDecl<'a>>,
    pub order: Vec<ColumnId>,
    /// `unique (A, B)` and the like, those of its reusable table first.
    pub written: Vec<&'a ast::Constraint>,
    /// The same, checked, and what follows from columns.
    pub constraints: Vec<Constraint>,
    pub used: bool,
}

/// Who declares a table that no agent is given.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Private {
    OfTask,
    /// At top level: every task can name it.
    OfSuite,
}

/// A declared column.
pub(crate) struct ColumnDecl<'a> {
    /// Inside of objects the whole path: `db.host`.
    pub ident: ast::Ident,
    /// Not written.
    pub helper: bool,
    /// The objects around it, each with its dot: `db.`.
    pub within: String,
    pub ast: ColumnAst<'a>,
    pub group: &'a str,
    pub place: u32,
    pub of: u32,
    pub state: State,
    pub ty: Ty,
    pub source: Option<hir::ColumnSource>,
    pub references: Option<(RelationId, ColumnId)>,
}

/// Where the rows of a relation come from.
#[derive(Clone, Copy)]
pub(crate) enum Origin<'a> {
    /// `{ rows N … }`
    Body(&'a ast::Body),
    /// The fields of a tree outside of arrays: one row.
    One,
    /// `[ … ; N ]`, for each row of the array's around it.
    Array(&'a ast::Count, Option<RelationId>),
    /// A fixture's rows; of [`RelationDecl::cells`] their number is not known before they are read.
    Given(u32),
    /// A result set.
    Query(NameId),
    /// The lines of a file.
    Lines(FileId),
}

/// How a column is declared.
#[derive(Clone, Debug)]
pub(crate) enum ColumnAst<'a> {
    /// `NAME : DOMAIN`, `NAME = expr`
    Column(&'a ast::Column),
    /// `[ DOMAIN ; N ]`: the elements.
    Element(&'a ast::Domain),
    /// A fixture's values: taken when it is checked.
    Given(Ty, Box<hir::Given>),
    /// The same of a table that is read when it is checked ([`RelationDecl::cells`]).
    Cells,
    /// Of a result set or text: its position.
    Result(Ty, u32),
}

impl<'a> ColumnDecl<'a> {
    /// A column of its own, not checked yet: no helper, in no object, in no group.
    pub fn new(ident: ast::Ident, ast: ColumnAst<'a>) -> ColumnDecl<'a> {
        ColumnDecl {
            ident,
            helper: false,
            within: String::new(),
            ast,
            group: "",
            place: 0,
            of: 1,
            state: State::Todo,
            ty: Ty::UNKNOWN,
            source: None,
            references: None,
        }
    }

    /// The column of one key of a declaration, which may name several.
    pub fn declared(column: &'a ast::Column, place: usize, ident: ast::Ident, helper: bool) -> ColumnDecl<'a> {
        ColumnDecl {
            helper,
            group: column.keys.first().map_or("", |first| first.name.text.as_str()),
            place: place as u32,
            of: column.keys.len() as u32,
            ..ColumnDecl::new(ident, ColumnAst::Column(column))
        }
    }
}

impl<'a> RelationDecl<'a> {
    /// A relation in no file, not checked yet, without columns and constraints.
    pub fn new(name: String, ident: ast::Ident, origin: Origin<'a>) -> RelationDecl<'a> {
        RelationDecl {
            name,
            ident,
            file: None,
            format: None,
            single: matches!(origin, Origin::One),
            private: None,
            origin,
            cells: None,
            state: State::Todo,
            rows: None,
            columns: TiVec::new(),
            order: Vec::new(),
            written: Vec::new(),
            constraints: Vec::new(),
            used: false,
        }
    }
}

impl<'a> ColumnAst<'a> {
    /// The declaration, of one that is written as a column.
    pub fn column(&self) -> Option<&'a ast::Column> {
        match self {
            ColumnAst::Column(column) => Some(column),
            _ => None,
        }
    }
}

/// What stands at a place of a JSON, YAML or XML file.
#[derive(Clone, Debug)]
pub(crate) enum Node {
    Cell(RelationId, ColumnId),
    Object(Vec<Member>),
    /// One element a row.
    Array(RelationId, Box<Node>),
}

/// A field of an object.
#[derive(Clone, Debug)]
pub(crate) struct Member {
    pub key: ast::Ident,
    pub attribute: bool,
    /// Not written.
    pub helper: bool,
    pub node: Node,
}

/// A fixture that has been read.
pub(crate) struct Fixture {
    pub bytes: plan::suite::Bytes,
    pub kind: plan::suite::FixtureKind,
}

/// What a task's body holds beside declarations.
#[derive(Default)]
pub(crate) struct Parts<'a> {
    pub samples: Option<&'a ast::Expr>,
    pub requires: Vec<&'a ast::Expr>,
    pub folders: Vec<&'a ast::StringLit>,
    pub clutter: Vec<(&'a ast::Expr, Option<&'a ast::StringLit>)>,
    pub prompts: Vec<(&'a ast::Prompt, Span)>,
    pub expects: Vec<(&'a ast::Expect, Span)>,
    pub variants: Vec<VariantAst<'a>>,
    pub tags: Vec<&'a ast::Expr>,
    pub allows: Vec<&'a ast::Allow>,
}

/// A variant as written.
pub(crate) struct VariantAst<'a> {
    pub span: Span,
    pub name: &'a ast::Ident,
    pub body: &'a [ast::Stmt],
}
