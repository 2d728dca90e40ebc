//! The checked suite: names resolved, every expression typed, dependencies in order.
//!
//! Its parts have the shapes of [`model::suite`]; here is what is in them, which is more than in a compiled suite: types, and what lints
//! and editors ask for. What it adds to the Ast: what each name means (indexes into the task's tables), types, concrete domains, the
//! order of making. What it drops: spelling (parentheses, placeholder or call), `use`, reusable tables (their columns are copied in),
//! junk. Spans stay on everything, for the analyses and the editor. It exists for broken sources too: what is unknown has
//! [`TyKind::Unknown`](crate::types::TyKind).

#![allow(clippy::large_enum_variant)] // a suite has few of each; boxes would only be in the reader's way

mod columns;
mod exprs;
pub mod origins;

use std::collections::BTreeSet;
use std::sync::Arc;

use model::suite::{self, FileId, Lake, LakeId, NameId, RelationId, SuiteInfo};
use model::{Domain, Span, TiVec, answer_key};

pub use self::columns::{FixtureColumnData, find_keys, is_unique};
pub use self::exprs::{Expr, ExprKind, Sql};
use crate::paths::leaf::Source;
use crate::types::Ty;

/// A checked suite.
#[derive(Clone, Debug, PartialEq)]
pub struct Suite {
    /// Which standard library.
    pub edition: u32,
    /// The suite's facts.
    pub info: SuiteInfo,
    /// The lakes that tasks hand out.
    pub lakes: TiVec<LakeId, Arc<Lake>>,
    /// Its tasks in source order.
    pub tasks: Vec<Task>,
    /// Lints it silences.
    pub allows: Vec<Allow>,
    /// Lints that a table which is read silences, each with the range of that table.
    pub of_tables: Vec<(Allow, Span)>,
}

/// A lint that is silenced.
#[derive(Clone, Debug, PartialEq)]
pub struct Allow {
    /// Its name.
    pub lint: String,
    /// The statement.
    pub span: Span,
}

/// The phase of a checked suite.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Checked;

impl suite::Phase for Checked {
    type Expr = Expr;
    type Query = Sql;
    type Domain = Domain;
    type Mistake = ();
    type Type = Ty;
    type Cells = ();
    type Given = Box<FixtureColumnData>;
    type OfTask = TaskNotes;
    type OfVariant = VariantNotes;
}

/// A checked task.
pub type Task = suite::Task<Checked>;

/// `variant NAME { … }`
pub type Variant = suite::Variant<Checked>;

/// `stage NAME { … }`
pub type Stage = suite::Stage<Checked>;

/// `require`
pub type Require = suite::Require<Checked>;

/// Wordings of a prompt.
pub type Prompt = suite::Prompt<Checked>;

/// What else is put into the sandbox.
pub type Extra = suite::Extra<Checked>;

/// `lake NAME …` of a task or variant.
pub type LakeUse = suite::LakeUse<Checked>;

/// `axis NAME = …`
pub type Axis = suite::Axis<Checked>;

/// A name of a task or variant.
pub type Name = suite::Name<Checked>;

/// Where a name's value comes from.
pub type NameSource = suite::NameSource<Checked>;

/// How a name or column is drawn.
pub type Draw = suite::Draw<Checked>;

/// What is drawn from.
pub type DrawDomain = suite::DomainExpr<Checked>;

/// A relation.
pub type Relation = suite::Relation<Checked>;

/// Where the rows of a relation come from.
pub type Rows = suite::Rows<Checked>;

/// A column.
pub type Column = suite::Column<Checked>;

/// How a column gets its values.
pub type ColumnSource = suite::ColumnSource<Checked>;

/// A file.
pub type File = suite::File<Checked>;

/// What is in a file.
pub type FileContent = suite::FileContent<Checked>;

/// An argument of a call.
pub type Arg = suite::Arg<Checked>;

/// What an instance expects.
pub type Expect = answer_key::Expect<Expr>;

/// What an answer key looks at.
pub type Subject = answer_key::Subject<Expr>;

/// A part of the reply.
pub type Slice = answer_key::Slice<Expr>;

/// What is known of a task besides what it generates.
#[derive(Clone, Debug, PartialEq)]
pub struct TaskNotes {
    /// The whole item.
    pub whole: Span,
    /// Lints that it silences.
    pub allows: Vec<Allow>,
    /// What something reads; and what is declared for every task, and need not be read in this one.
    pub used: BTreeSet<Entity>,
    /// Nothing of it is drawn: it is built once, whatever number of samples is asked for.
    pub is_static: bool,
    /// Comparisons with texts in the filters of its paths.
    pub path_tests: Vec<PathTest>,
    /// Places that are edited, as far as they are known.
    pub edited: Vec<EditedPlaces>,
    /// The queries of the views that its databases store.
    pub views: Vec<Sql>,
}

/// What is known of a variant or stage besides what it generates.
#[derive(Clone, Debug, PartialEq)]
pub struct VariantNotes {
    /// The whole statement.
    pub whole: Span,
    /// Lints that it silences.
    pub allows: Vec<Allow>,
}

/// What a bare name means in a task.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[allow(missing_docs)]
pub enum Entity {
    Name(NameId),
    File(FileId),
    Relation(RelationId),
    /// One of the suite's lakes, by its place among them.
    Lake(u32),
    /// The row that `each` asks.
    Row,
}

/// `==` or `!=` in a filter of a JSONPath or XPath, of the values at a place and a text.
#[derive(Clone, Debug, PartialEq)]
pub struct PathTest {
    /// The text, with its quotes.
    pub literal: Span,
    /// The text.
    pub text: String,
    /// Whether it asks for this text, not for any other.
    pub equal: bool,
    /// Where the values may come from: any of these.
    pub sources: Vec<Source>,
}

/// The places of a JSON or YAML file that a path of `edit` leads to.
#[derive(Clone, Debug, PartialEq)]
pub struct EditedPlaces {
    /// The path.
    pub path: Span,
    /// It leads to one place at most.
    pub at_most_one: bool,
    /// Where the values come from that are there at the start.
    pub sources: Vec<Source>,
}

/// A name that is used: where, and where what it means is declared.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Reference {
    /// The name as used.
    pub at: Span,
    /// The name as declared. What has no name of its own in the source (a column of a result set or a fixture) has that of what holds it.
    pub target: Span,
}
