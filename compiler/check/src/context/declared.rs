//! The declarations of a task, as far as they have been checked.

use model::TiVec;
use std::sync::Arc;

use model::suite::{ColumnId, FileId, Form, NameId, RelationId};

use crate::context::State;
use hir::Expr;
use hir::facts::Fact;
use hir::fixture::LazyTable;
use hir::types::Ty;
use syntax::ast;
use syntax::words::Word;

/// A declared name.
pub(crate) struct NameDecl<'a> {
    pub ident: &'a ast::Ident,
    pub source: NameAst<'a>,
    pub state: State,
    pub ty: Ty,
    pub checked: Option<hir::NameSource>,
    /// The least and greatest value of an int, if they are known.
    pub fact: Fact<'static>,
}

impl<'a> NameDecl<'a> {
    /// Creates a name that has not been checked yet.
    pub fn new(ident: &'a ast::Ident, source: NameAst<'a>) -> NameDecl<'a> {
        NameDecl { ident, source, state: State::Todo, ty: Ty::UNKNOWN, checked: None, fact: Fact::unknown() }
    }
}

/// The declaration of a name.
#[derive(Clone, Copy)]
pub(crate) enum NameAst<'a> {
    Draw {
        domain: &'a ast::Domain,
        group: &'a [ast::Ident],
        place: u32,
    },
    Compute(&'a ast::Expr),
    Axis(&'a ast::Expr),
    /// A cell of the row that `each` selects.
    Row(ColumnId),
    /// A computed name in a variant or stage.
    Own(&'a ast::Expr, WayKind),
    /// Drawn in a variant or stage, which has been reported.
    Misplaced,
}

/// A variant or stage: another way to ask about the data of a task.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum WayKind {
    Variant,
    Stage,
}

impl WayKind {
    /// Returns its keyword.
    pub fn word(self) -> &'static str {
        match self {
            WayKind::Variant => "variant",
            WayKind::Stage => "stage",
        }
    }

    /// Checks whether it can contain a statement.
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
    /// The structure of a JSON, YAML, or XML file.
    pub tree: Option<Node>,
    /// The content of a JSON or YAML fixture.
    pub read: Option<Arc<hir::fixture::Tree>>,
    /// Its format; for a `file`, the format of the fixture.
    pub format: ast::Format,
    /// The fixture from which it is copied.
    pub fixture: Option<Fixture>,
    /// The fixtures from which it is copied, if each row of `each` has its own.
    pub by_row: Option<model::suite::ByRow>,
    /// An error in it has been reported, so nothing more is reported about missing parts.
    pub broken: bool,
    /// The relation of its lines, if it has no other. It is generated only if something reads it.
    pub lines: Option<RelationId>,
    /// The file of the task whose style it copies.
    pub like: Option<FileId>,
    /// The style in which a text is written that is drawn or computed as a whole, if one is declared.
    pub form: Option<Form<hir::Checked>>,
    /// Its path contains a column, so there is one file for each value.
    pub split: bool,
    pub path: Option<Expr>,
    pub content: Option<hir::FileContent>,
}

/// The declaration of a relation. The results of checking it are in [`TaskChecker::relations`].
pub(crate) struct RelationDecl<'a> {
    pub format: Option<ast::Format>,
    pub origin: Origin<'a>,
    /// The cells of a table of a fixture, which are read when the table is checked.
    pub cells: Option<Arc<LazyTable>>,
    /// In a tree: the values that occur once in the file, as a single row.
    pub single: bool,
    /// Read from a file that no agent gets.
    pub private: Option<Private>,
    pub state: State,
    pub columns: TiVec<ColumnId, ColumnDecl<'a>>,
    /// Columns whose values together are proved to be unique in the rows of a file.
    pub keys: Vec<Vec<usize>>,
    /// `unique (A, B)` and other constraints, first those of its shared table.
    pub written: Vec<&'a ast::Constraint>,
    /// The table cannot be read and its columns are not declared, which has been reported.
    pub unread: bool,
    /// Two columns that SQL cannot tell apart: keys in a JSON or YAML file.
    pub alike: Option<(String, String)>,
    /// The relation from which its rows are taken, once its columns are known.
    pub taken: Option<RelationId>,
    /// The columns of that relation that are never null in these rows, according to `where`.
    pub certain: Vec<ColumnId>,
    /// The query of a view, once it has been read without errors.
    pub query: Option<hir::Sql>,
}

/// A lake in the scope of a task.
pub(crate) struct LakeDecl<'a> {
    pub read: Arc<crate::context::LakeRead<'a>>,
    /// Its views, in declaration order.
    pub relations: Vec<RelationId>,
    /// The task or a variant gives it to the agent.
    pub handed: bool,
}

/// The scope of a table that no agent gets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Private {
    OfTask,
    /// At top level: every task can use it.
    OfSuite,
}

/// The declaration of a column.
pub(crate) struct ColumnDecl<'a> {
    /// The path of the objects around it, with a dot after each: `db.`.
    pub within: String,
    pub ast: ColumnAst<'a>,
    pub group: &'a str,
    pub place: u32,
    pub of: u32,
    pub state: State,
}

/// The origin of the rows of a relation.
#[derive(Clone, Copy)]
pub(crate) enum Origin<'a> {
    /// `{ rows N … }`
    Body(&'a ast::Body),
    /// The fields of a tree outside arrays, as one row.
    One,
    /// `[ … ; N ]`, for each row of the array around it.
    Array(&'a ast::Count, Option<RelationId>),
    /// The rows of a fixture. Their number is unknown until [`RelationDecl::cells`] have been read.
    Given(u32),
    /// A result set.
    Query(NameId),
    /// The lines of a file.
    Lines(FileId),
    /// The rows of another relation. The columns are known once [`TaskChecker::ensure_taken`] has found that relation.
    Taken(&'a ast::FromRel),
    /// The query of a view of a database. The columns are known once [`TaskChecker::ensure_views`] has read it.
    View(&'a ast::Expr),
}

/// The declaration of a column.
#[derive(Clone, Debug)]
pub(crate) enum ColumnAst<'a> {
    /// `NAME : DOMAIN` or `NAME = expr`
    Column(&'a ast::Column),
    /// The elements of `[ DOMAIN ; N ]`.
    Element(&'a ast::Domain),
    /// The values of a fixture, which are moved out when the column is checked.
    Given(Ty, Box<hir::FixtureColumnData>),
    /// The values of a table that is read when it is checked ([`RelationDecl::cells`]).
    Cells,
    /// A column of a result set or text, with its position.
    Result(Ty, u32),
    /// A column of the relation from which the rows are taken.
    Taken(ColumnId),
    /// A copy of another column of the row.
    Same(ColumnId),
}

impl<'a> ColumnDecl<'a> {
    /// Creates a column that is in no object and no group.
    pub fn new(ast: ColumnAst<'a>) -> ColumnDecl<'a> {
        ColumnDecl { within: String::new(), ast, group: "", place: 0, of: 1, state: State::Todo }
    }

    /// Creates the column of one key of a declaration, which can have several.
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
    /// Creates a relation that is written to no file and has no constraints.
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
    /// Returns the declaration if it is written as a column.
    pub fn as_column(&self) -> Option<&'a ast::Column> {
        match self {
            ColumnAst::Column(column) => Some(column),
            _ => None,
        }
    }
}

/// The structure of a value in a JSON, YAML, or XML file.
#[derive(Clone, Debug)]
pub(crate) enum Node {
    Cell(RelationId, ColumnId),
    Object(Vec<Member>),
    /// One element per row.
    Array(RelationId, Box<Node>),
}

/// A field of an object.
#[derive(Clone, Debug)]
pub(crate) struct Member {
    pub key: ast::Ident,
    pub attribute: bool,
    /// Not written to the file.
    pub helper: bool,
    pub node: Node,
}

/// A fixture that has been read.
pub(crate) struct Fixture {
    pub bytes: model::suite::Bytes,
    pub kind: model::suite::FixtureKind,
}
