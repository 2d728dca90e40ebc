//! The declarations of a task, as far as they have been checked.

use model::{Span, TiVec};
use std::sync::Arc;

use model::suite::{ColumnId, FileId, Form, NameId, RelationId};

use crate::ast;
use crate::check::model::{State, TaskChecker};
use crate::facts::Fact;
use crate::fixture::LazyTable;
use crate::hir::{self, Expr};
use crate::syntax::words::Word;
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
    /// A cell of the row that `each` asks.
    Row(ColumnId),
    /// In a variant or stage.
    Own(&'a ast::Expr, WayKind),
    /// Drawn in a variant or stage: already reported.
    Misplaced,
}

/// Another way to ask something of the data of a task.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum WayKind {
    Variant,
    Stage,
}

impl WayKind {
    /// In the author's words.
    pub fn word(self) -> &'static str {
        match self {
            WayKind::Variant => "variant",
            WayKind::Stage => "stage",
        }
    }

    /// Whether a statement can be in it.
    pub fn can_contain(self, word: &Word) -> bool {
        match self {
            WayKind::Variant => word.in_variant,
            WayKind::Stage => word.in_stage,
        }
    }
}

/// A declared file.
pub(crate) struct FileDecl<'a> {
    pub ast: &'a ast::Data,
    pub state: State,
    /// Its relations in source order.
    pub relations: Vec<RelationId>,
    /// The structure of a JSON, YAML or XML file.
    pub tree: Option<Node>,
    /// What a JSON or YAML fixture holds.
    pub read: Option<Arc<crate::fixture::Tree>>,
    /// Its format; of a `file`, that of the fixture.
    pub format: ast::Format,
    /// The fixture it is copied from.
    pub fixture: Option<Fixture>,
    /// The fixtures that it is copied from, where each row of `each` has its own.
    pub by_row: Option<model::suite::ByRow>,
    /// What is wrong with it has been said: nothing more is to be said of what it does not have.
    pub broken: bool,
    /// The relation of its lines, where it has no other: made only where something reads it.
    pub lines: Option<RelationId>,
    /// The file of the task that it is written like.
    pub like: Option<FileId>,
    /// Of a text that is drawn or computed as a whole: how it is written, where something is said of that.
    pub form: Option<Form<hir::Checked>>,
    /// Its path names a column: it is a file for each value.
    pub split: bool,
    pub path: Option<Expr>,
    pub content: Option<hir::FileContent>,
}

/// How a relation is declared. What is known of it so far is in [`TaskChecker::relations`].
pub(crate) struct RelationDecl<'a> {
    pub format: Option<ast::Format>,
    pub origin: Origin<'a>,
    /// Of a fixture's table: its cells, which are read when it is checked.
    pub cells: Option<Arc<LazyTable>>,
    /// For a tree: the values that occur once in the file, as one row.
    pub single: bool,
    /// Read from a file that no agent is given.
    pub private: Option<Private>,
    pub state: State,
    pub columns: TiVec<ColumnId, ColumnDecl<'a>>,
    /// Columns of which no two rows of a file have the same: proved.
    pub keys: Vec<Vec<usize>>,
    /// `unique (A, B)` and the like, those of its reusable table first.
    pub written: Vec<&'a ast::Constraint>,
    /// It cannot be read, and nothing says what its columns are; that has been said.
    pub unread: bool,
    /// Two columns that SQL cannot tell apart: keys of a JSON or YAML file.
    pub alike: Option<(String, String)>,
    /// The relation that its rows are taken from, once its columns are known.
    pub taken: Option<RelationId>,
    /// Columns of that relation that are null in none of these rows, as `where` shows.
    pub certain: Vec<ColumnId>,
    /// Of a view: what its query is, once it has been read and is right.
    pub query: Option<hir::Sql>,
}

/// A lake in the scope of a task.
pub(crate) struct LakeDecl<'a> {
    pub read: Arc<crate::check::model::LakeRead<'a>>,
    /// Its views, in their order.
    pub relations: Vec<RelationId>,
    /// The task or a variant hands it out.
    pub handed: bool,
}

/// Who declares a table that no agent is given.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Private {
    OfTask,
    /// At top level: every task can name it.
    OfSuite,
}

/// How a column is declared.
pub(crate) struct ColumnDecl<'a> {
    /// The objects around it, each with its dot: `db.`.
    pub within: String,
    pub ast: ColumnAst<'a>,
    pub group: &'a str,
    pub place: u32,
    pub of: u32,
    pub state: State,
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
    /// The rows of another relation. It has columns as soon as [`TaskChecker::ensure_taken`] has found that one.
    Taken(&'a ast::FromRel),
    /// A view of a database: its query. It has columns as soon as [`TaskChecker::ensure_views`] has read it.
    View(&'a ast::Expr),
}

/// Where a column is declared.
#[derive(Clone, Debug)]
pub(crate) enum ColumnAst<'a> {
    /// `NAME : DOMAIN`, `NAME = expr`
    Column(&'a ast::Column),
    /// `[ DOMAIN ; N ]`: the elements.
    Element(&'a ast::Domain),
    /// A fixture's values: taken when it is checked.
    Given(Ty, Box<hir::FixtureColumnData>),
    /// The same of a table that is read when it is checked ([`RelationDecl::cells`]).
    Cells,
    /// Of a result set or text: its position.
    Result(Ty, u32),
    /// A column of the relation that the rows are taken from.
    Taken(ColumnId),
    /// The same as another column of the row.
    Same(ColumnId),
}

impl<'a> TaskChecker<'_, 'a> {
    /// Adds a relation without columns, of which nothing is checked yet. `ident` is its own name, the last part of `name`.
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
        self.relations.push_and_get_key(hir::Relation {
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

    /// Adds a column that is not checked yet; a `helper` is not written.
    pub fn add_column(
        &mut self,
        relation: RelationId,
        name: String,
        span: Span,
        helper: bool,
        decl: ColumnDecl<'a>,
    ) -> ColumnId {
        let source = match decl.ast {
            // Empty where nobody asks for it.
            ColumnAst::Cells => hir::ColumnSource::Given(Box::default()),
            ColumnAst::Taken(column) => hir::ColumnSource::Taken(column),
            _ => hir::ColumnSource::Compute(Expr::unknown(span)),
        };
        self.declared[relation].columns.push(decl);
        let column = hir::Column { name, span, helper, ty: Ty::UNKNOWN, cells: (), references: None, source };
        self.relations[relation].columns.push_and_get_key(column)
    }
}

impl<'a> ColumnDecl<'a> {
    /// A column of its own: in no object, in no group.
    pub fn new(ast: ColumnAst<'a>) -> ColumnDecl<'a> {
        ColumnDecl { within: String::new(), ast, group: "", place: 0, of: 1, state: State::Todo }
    }

    /// The column of one key of a declaration, which may name several.
    pub fn from_column(column: &'a ast::Column, place: usize) -> ColumnDecl<'a> {
        ColumnDecl {
            group: column.keys.first().map_or("", |first| first.name.text.as_str()),
            place: place as u32,
            of: column.keys.len() as u32,
            ..ColumnDecl::new(ColumnAst::Column(column))
        }
    }
}

impl<'a> RelationDecl<'a> {
    /// A relation that is written in no file and has no constraints.
    pub fn new(origin: Origin<'a>) -> RelationDecl<'a> {
        RelationDecl {
            format: None,
            single: matches!(origin, Origin::One),
            private: None,
            origin,
            cells: None,
            state: State::Todo,
            columns: TiVec::new(),
            keys: Vec::new(),
            written: Vec::new(),
            unread: false,
            alike: None,
            taken: None,
            certain: Vec::new(),
            query: None,
        }
    }
}

impl<'a> ColumnAst<'a> {
    /// The declaration, of one that is written as a column.
    pub fn as_column(&self) -> Option<&'a ast::Column> {
        match self {
            ColumnAst::Column(column) => Some(column),
            _ => None,
        }
    }
}

/// The structure of a value in a JSON, YAML or XML file.
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
    pub bytes: model::suite::Bytes,
    pub kind: model::suite::FixtureKind,
}
