//! The checked suite: names are resolved, every expression is typed, and dependencies are ordered.
//!
//! | module | concept |
//! | --- | --- |
//! | `types` | the types of expressions |
//! | `origins` | the columns from which values come |
//! | `determined` | which columns of a row determine which others |
//! | `facts` | which values are possible |
//! | `cases` | conditions that are decided case by case |
//! | `compared` | the texts of answers that `ignore` makes equal |
//! | `file_forms` | forms of dates that files add to those of an answer |
//! | `order` | proofs that one value is at most another |
//! | `fixture` | existing files as tables and trees |
//! | `read_tables` | how tables were read from files |
//! | `paths` | JSONPath and XPath through declared shapes |
//! | `terms` | which values of the expressions of a query are possible |
//! | `texts`, `text_parts`, `text_lengths` | which texts of an expression are possible, those of its parts, and how long they are |
//! | `lower` | the checked suite → the plan |
//!
//! Its parts have the shapes of [`model::suite`] with more content than a compiled suite: types, and information for lints and editors. Compared with the
//! syntax tree, it adds the declaration of each name (indexes into the task's tables), types, concrete domains, and the order of generation. It omits spelling
//! (parentheses, placeholder or call), `use`, shared tables (their columns are copied), and text that could not be parsed. All spans are kept for the analyses
//! and the editor. It exists for broken sources too; unknown parts have [`TyKind::Unknown`](crate::types::TyKind).

#![allow(clippy::large_enum_variant)] // A suite has only a few of each; boxes would make the code harder to read.

pub mod cases;
mod columns;
pub mod compared;
mod determined;
mod exprs;
pub mod facts;
pub mod file_forms;
pub mod fixture;
pub mod lower;
pub mod months;
pub mod order;
pub mod origins;
pub mod paths;
pub mod read_tables;
pub mod terms;
pub mod text_lengths;
mod text_parts;
pub mod texts;
pub mod types;

use std::collections::BTreeSet;
use std::sync::Arc;

use model::suite::{self, FileId, Lake, LakeId, NameId, RelationId, SuiteInfo};
use model::{Domain, Span, TiVec, answer_key};

pub use self::columns::{FixtureColumnData, find_keys, is_unique};
pub use self::determined::{Columns, Dependency, determine, is_proved_unique, list_dependencies, list_inputs};
pub use self::exprs::{Expr, ExprKind, Sql};
use crate::paths::leaf::{Comparison, Source};
use crate::types::Ty;

/// A checked suite.
#[derive(Clone, Debug, PartialEq)]
pub struct Suite {
    /// The edition of the standard library.
    pub edition: u32,
    /// The suite's settings.
    pub info: SuiteInfo,
    /// The lakes that tasks hand out.
    pub lakes: TiVec<LakeId, Arc<Lake>>,
    /// Its tasks in source order.
    pub tasks: Vec<Task>,
    /// The lints that it silences.
    pub allows: Vec<Allow>,
    /// The range of the number after `samples` in its settings, if they have it.
    pub samples: Option<Span>,
    /// The lints that a table read from files silences, each with the range of that table.
    pub of_tables: Vec<(Allow, Span)>,
}

/// A silenced lint.
#[derive(Clone, Debug, PartialEq)]
pub struct Allow {
    /// Its name.
    pub lint: String,
    /// The range of the statement.
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

/// Additional files in the sandbox.
pub type Extra = suite::Extra<Checked>;

/// `lake NAME …` of a task or variant.
pub type LakeUse = suite::LakeUse<Checked>;

/// `axis NAME = …`
pub type Axis = suite::Axis<Checked>;

/// A name of a task or variant.
pub type Name = suite::Name<Checked>;

/// The source of a name's value.
pub type NameSource = suite::NameSource<Checked>;

/// The draw of a name or column.
pub type Draw = suite::Draw<Checked>;

/// The domain of a draw.
pub type DrawDomain = suite::DomainExpr<Checked>;

/// A relation.
pub type Relation = suite::Relation<Checked>;

/// The source of a relation's rows.
pub type Rows = suite::Rows<Checked>;

/// A column.
pub type Column = suite::Column<Checked>;

/// The source of a column's values.
pub type ColumnSource = suite::ColumnSource<Checked>;

/// A file.
pub type File = suite::File<Checked>;

/// The content of a file.
pub type FileContent = suite::FileContent<Checked>;

/// An argument of a call.
pub type Arg = suite::Arg<Checked>;

/// An expectation of an instance.
pub type Expect = answer_key::Expect<Expr>;

/// The subject of an expectation.
pub type Subject = answer_key::Subject<Expr>;

/// A part of the reply.
pub type Slice = answer_key::Slice<Expr>;

/// Information about a task besides its generated data.
#[derive(Clone, Debug, PartialEq)]
pub struct TaskNotes {
    /// The range of the item.
    pub whole: Span,
    /// The lints that it silences.
    pub allows: Vec<Allow>,
    /// The entities that something reads, and those declared for every task, which this task need not read.
    pub used: BTreeSet<Entity>,
    /// Whether nothing in it is drawn. It is then built once, regardless of the number of samples.
    pub is_static: bool,
    /// The range of the number after `samples`, if the task has its own.
    pub samples: Option<Span>,
    /// Comparisons with texts in filters of its paths.
    pub path_tests: Vec<PathTest>,
    /// Predicates in filters of its paths.
    pub path_predicates: Vec<PathPredicate>,
    /// The edited positions of files, as far as they are known.
    pub edited: Vec<EditedPlaces>,
    /// The queries of the views that its databases store.
    pub views: Vec<Sql>,
    /// The queries that are values, each at the place of its expression.
    pub gold: Vec<Sql>,
    /// The expressions of such queries, without spans, of which `check` has run all on this database that is given, and none failed.
    pub run: Vec<(FileId, Expr)>,
}

/// Information about a variant or stage besides its generated data.
#[derive(Clone, Debug, PartialEq)]
pub struct VariantNotes {
    /// The range of the statement.
    pub whole: Span,
    /// The lints that it silences.
    pub allows: Vec<Allow>,
}

/// The entity that a name in a task refers to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[allow(missing_docs)]
pub enum Entity {
    Name(NameId),
    File(FileId),
    Relation(RelationId),
    /// A lake of the suite, by index.
    Lake(u32),
    /// The row variable of `each`.
    Row,
}

/// A comparison of selected values with a text by `==` or `!=`, in a filter of a JSONPath or XPath. The range of the text is that in the source.
pub type PathTest = Comparison<Span>;

/// A predicate in a filter of a JSONPath or XPath.
#[derive(Clone, Debug, PartialEq)]
pub struct PathPredicate {
    /// The range of the path.
    pub path: Span,
    /// The predicate; the places of its parts are in the path.
    pub predicate: paths::predicate::Predicate,
}

/// The positions of a JSON or YAML file that a path of `edit` selects.
#[derive(Clone, Debug, PartialEq)]
pub struct EditedPlaces {
    /// The range of the path.
    pub path: Span,
    /// Whether it selects at most one position.
    pub at_most_one: bool,
    /// The sources of the initial values.
    pub sources: Vec<Source>,
}

/// A use of a name, with its declaration.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Reference {
    /// The range of the use.
    pub at: Span,
    /// The range of the name in its declaration. A column of a result set or fixture has no name in the source; it gets the range of its container's name.
    pub target: Span,
}
