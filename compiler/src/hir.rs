//! The checked suite: names resolved, every expression typed, dependencies in order.
//!
//! What it adds to the Ast: what each name means (indexes into the task's tables), types, concrete domains, the order of making. What
//! it drops: spelling (parentheses, placeholder or call), `use`, reusable tables (their columns are copied in), junk. Spans stay on
//! everything, for the analyses and the editor. It exists for broken sources too: what is unknown has [`TyKind::Unknown`](crate::types::TyKind).

#![allow(clippy::large_enum_variant)] // a suite has few of each; boxes would only be in the reader's way

use plan::TiVec;
use std::sync::Arc;

use plan::answer_key;
use plan::functions::FunctionId;
use plan::suite::{ColumnId, Constraint, ConstraintKind, FileId, NameId, Op, RelationId, Step, SuiteInfo};
use plan::{Domain, Format, Span, Value};

use crate::paths::leaf::Source;
use crate::sql::{SqlAnalysis, without_layout};
use crate::types::Ty;

/// A checked suite.
#[derive(Clone, Debug, PartialEq)]
pub struct Suite {
    /// Which standard library.
    pub edition: u32,
    /// The suite's facts.
    pub info: SuiteInfo,
    /// Its tasks in source order.
    pub tasks: Vec<Task>,
    /// Lints it silences.
    pub allows: Vec<Allow>,
}

/// A lint that is silenced.
#[derive(Clone, Debug, PartialEq)]
pub struct Allow {
    /// Its name.
    pub lint: String,
    /// The statement.
    pub span: Span,
}

/// A checked task.
#[derive(Clone, Debug, PartialEq)]
#[allow(missing_docs)]
pub struct Task {
    pub name: String,
    /// The whole item.
    pub span: Span,
    pub name_span: Span,
    pub doc: Option<String>,
    pub samples: u32,
    pub tags: Vec<String>,
    pub axes: Vec<Axis>,
    pub names: TiVec<NameId, Name>,
    pub files: TiVec<FileId, File>,
    pub relations: TiVec<RelationId, Relation>,
    pub requires: Vec<Expr>,
    /// Names, relations, files and requires, each behind what it needs.
    pub steps: Vec<Step>,
    pub folders: Vec<Expr>,
    pub clutter: Vec<Clutter>,
    pub prompt: Vec<Expr>,
    pub expects: Vec<Expect>,
    pub variants: Vec<Variant>,
    pub allows: Vec<Allow>,
    /// Comparisons with texts in the filters of its paths.
    pub path_tests: Vec<PathTest>,
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

/// A name of a task or variant.
#[derive(Clone, Debug, PartialEq)]
pub struct Name {
    /// As written.
    pub name: String,
    /// Where it is declared.
    pub span: Span,
    /// Its type.
    pub ty: Ty,
    /// Where its value comes from.
    pub source: NameSource,
    /// Whether anything reads it.
    pub used: bool,
}

/// Where a name's value comes from.
#[derive(Clone, Debug, PartialEq)]
#[allow(missing_docs)]
pub enum NameSource {
    Draw {
        draw: Draw,
        group: String,
        place: u32,
    },
    Compute(Expr),
    Axis,
    /// A name of a variant.
    Variant(Expr),
}

/// `axis NAME = …`
pub type Axis = plan::suite::Axis<Expr>;

/// How a name or column is drawn.
#[derive(Clone, Debug, PartialEq)]
#[allow(missing_docs)]
pub struct Draw {
    pub domain: DrawDomain,
    pub ty: Ty,
    pub unique: bool,
    pub distinct: bool,
    pub sorted: bool,
    pub blank_per_million: u32,
    pub except: Vec<Expr>,
    pub span: Span,
}

/// What is drawn from.
pub type DrawDomain = plan::suite::DomainExpr<Expr, Domain, ()>;

/// A relation.
#[derive(Clone, Debug, PartialEq)]
#[allow(missing_docs)]
pub struct Relation {
    pub name: String,
    pub table: String,
    pub span: Span,
    pub file: Option<FileId>,
    /// In a CSV or TSV file.
    pub delimited: bool,
    pub rows: Rows,
    pub columns: TiVec<ColumnId, Column>,
    pub order: Vec<ColumnId>,
    pub constraints: Vec<Constraint>,
    /// Declared at top level, for every task: this one need not use it.
    pub shared: bool,
    pub used: bool,
}

/// Where the rows of a relation come from.
pub type Rows = plan::suite::Rows<Expr>;

/// A column.
#[derive(Clone, Debug, PartialEq)]
#[allow(missing_docs)]
pub struct Column {
    pub name: String,
    pub span: Span,
    pub doc: Option<String>,
    pub helper: bool,
    pub ty: Ty,
    pub source: ColumnSource,
    pub references: Option<(RelationId, ColumnId)>,
}

/// How a column gets its values.
#[derive(Clone, Debug, PartialEq)]
#[allow(missing_docs)]
pub enum ColumnSource {
    Draw {
        draw: Draw,
        group: String,
        place: u32,
        of: u32,
    },
    Compute(Expr),
    /// A fixture's.
    Given(Box<Given>),
    /// Of a result set or text.
    Result(u32),
}

/// A fixture's column; without values where nothing reads it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Given {
    /// Top to bottom.
    pub cells: plan::Given,
    /// What they are as a whole.
    pub seen: Arc<crate::fixture::Seen>,
    /// No value twice.
    pub unique: bool,
    /// Its table's key.
    pub primary_key: bool,
    /// Why it is text, where it is nearly something better: in the author's words.
    pub note: Option<String>,
    /// Some values cannot be read: they are null here, and nothing reads the column.
    pub odd: bool,
}

/// A file.
#[derive(Clone, Debug, PartialEq)]
#[allow(missing_docs)]
pub struct File {
    pub name: String,
    pub span: Span,
    pub format: Format,
    pub path: Expr,
    pub content: FileContent,
    pub used: bool,
}

/// What is in a file.
pub type FileContent = plan::suite::FileContent<Expr, Draw, ()>;

/// `clutter N [in PATH]`
pub type Clutter = plan::suite::Clutter<Expr>;

/// A way to ask.
#[derive(Clone, Debug, PartialEq)]
#[allow(missing_docs)]
pub struct Variant {
    pub name: String,
    pub span: Span,
    /// The whole statement.
    pub whole: Span,
    pub steps: Vec<NameId>,
    pub prompt: Vec<Expr>,
    pub expects: Vec<Expect>,
    pub tags: Vec<String>,
    pub allows: Vec<Allow>,
}

/// What an instance expects.
pub type Expect = answer_key::Expect<Expr>;

/// What an answer key looks at.
pub type Subject = answer_key::Subject<Expr>;

/// A part of the reply.
pub type Slice = answer_key::Slice<Expr>;

impl answer_key::Expression for Expr {}

/// A typed expression.
#[derive(Clone, Debug, PartialEq)]
pub struct Expr {
    /// What it is.
    pub kind: ExprKind,
    /// Its type.
    pub ty: Ty,
    /// Its place.
    pub span: Span,
}

/// The forms of an expression.
#[derive(Clone, Debug, PartialEq)]
#[allow(missing_docs)]
pub enum ExprKind {
    /// After a mistake that has been reported.
    Unknown,
    Const(Value),
    Name(NameId),
    Column(ColumnId),
    OuterColumn(ColumnId),
    FilePath(FileId),
    Sandbox,
    Neg(Box<Expr>),
    Not(Box<Expr>),
    Binary(Op, Box<(Expr, Expr)>),
    If(Box<(Expr, Expr, Expr)>),
    List(Vec<Expr>),
    Object(Vec<(String, Expr)>),
    Concat(Vec<Expr>),
    Call(FunctionId, Vec<Arg>),
}

/// An argument of a call.
pub type Arg = plan::suite::Arg<Expr, Sql>;

/// A query.
#[derive(Clone, Debug, PartialEq)]
#[allow(missing_docs)]
pub struct Sql {
    pub text: String,
    /// The one database that it reads; `None`: relations of the whole task.
    pub database: Option<FileId>,
    pub params: Vec<(String, Expr)>,
    /// What is known of it. It follows from the rest.
    pub analysis: Arc<SqlAnalysis>,
    /// Proved, of statements that change rows: they change one at least.
    pub surely_changes: bool,
    pub span: Span,
}

impl Draw {
    /// Whether it counts 1, 2, 3, …
    pub fn is_serial(&self) -> bool {
        self.domain == DrawDomain::Fixed(Domain::Serial)
    }

    /// Whether its value comes from a row that other draws take theirs from too.
    pub fn is_together(&self) -> bool {
        matches!(&self.domain, DrawDomain::Ref { together, .. } if !together.is_empty())
    }
}

impl ColumnSource {
    /// Whether the values are all different.
    pub fn is_unique(&self) -> bool {
        match self {
            ColumnSource::Draw { draw, .. } => (draw.unique && !draw.is_together()) || draw.is_serial(),
            ColumnSource::Given(given) => given.unique,
            ColumnSource::Compute(_) | ColumnSource::Result(_) => false,
        }
    }

    /// Whether it is the key of its table where no other is declared: `serial`, or a fixture's key.
    fn is_key(&self) -> bool {
        match self {
            ColumnSource::Draw { draw, .. } => draw.is_serial() && draw.blank_per_million == 0,
            ColumnSource::Given(given) => given.primary_key,
            ColumnSource::Compute(_) | ColumnSource::Result(_) => false,
        }
    }
}

impl Relation {
    /// Whether a column alone is the key of the table: the first that can be, where no key is declared.
    pub fn is_primary_key(&self, column: ColumnId) -> bool {
        let declared = self.constraints.iter().any(|constraint| constraint.kind == ConstraintKind::PrimaryKey);
        let first = self.columns.position(|column| column.source.is_key() && !column.helper);
        !declared && first == Some(column)
    }
}

impl Expr {
    /// After a mistake that has been reported.
    pub fn unknown(span: Span) -> Expr {
        Expr { kind: ExprKind::Unknown, ty: Ty::UNKNOWN, span }
    }

    /// A known value.
    pub fn constant(value: Value, ty: Ty, span: Span) -> Expr {
        Expr { kind: ExprKind::Const(value), ty, span }
    }

    /// Its value, if it is known at compile time.
    pub fn value(&self) -> Option<&Value> {
        match &self.kind {
            ExprKind::Const(value) => Some(value),
            _ => None,
        }
    }

    /// The query that a call takes.
    pub fn sql(&self) -> Option<&Sql> {
        let ExprKind::Call(_, args) = &self.kind else { return None };
        args.iter().find_map(|arg| match arg {
            Arg::Sql(sql) => Some(sql),
            _ => None,
        })
    }

    /// Calls `found` for every name of the task in it.
    pub fn each_name(&self, found: &mut dyn FnMut(NameId)) {
        self.each(&mut |expr| {
            if let ExprKind::Name(id) = expr.kind {
                found(id);
            }
        });
    }

    /// Whether a mistake in it has been reported, so that nothing more is to be said of it.
    pub fn is_broken(&self) -> bool {
        let mut broken = self.ty.is_unknown();
        self.each(&mut |expr| broken |= expr.kind == ExprKind::Unknown);
        broken
    }

    /// The same without its places, and without whether null is possible, which depends on what is known at the place: equal for
    /// expressions that have the same value.
    pub fn bare(&self) -> Expr {
        let mut bare = self.clone();
        bare.erase();
        bare
    }

    fn erase(&mut self) {
        self.span = Span::default();
        self.ty.nullable = false;
        match &mut self.kind {
            ExprKind::Neg(inner) | ExprKind::Not(inner) => inner.erase(),
            ExprKind::Binary(_, sides) => {
                sides.0.erase();
                sides.1.erase();
            }
            ExprKind::If(parts) => {
                parts.0.erase();
                parts.1.erase();
                parts.2.erase();
            }
            ExprKind::List(items) | ExprKind::Concat(items) => items.iter_mut().for_each(Expr::erase),
            ExprKind::Object(fields) => fields.iter_mut().for_each(|(_, value)| value.erase()),
            ExprKind::Call(_, args) => {
                for arg in args {
                    match arg {
                        Arg::Value(value) => value.erase(),
                        Arg::Relation { filter, .. } | Arg::Column { filter, .. } => {
                            filter.iter_mut().for_each(Expr::erase);
                        }
                        Arg::Each { value, filter, .. } => {
                            value.erase();
                            filter.iter_mut().for_each(|filter| filter.erase());
                        }
                        Arg::Sql(sql) => {
                            sql.span = Span::default();
                            sql.analysis =
                                Arc::new(SqlAnalysis { tables: sql.analysis.tables.clone(), ..SqlAnalysis::default() });
                            sql.text = without_layout(&sql.text);
                            sql.params.iter_mut().for_each(|(_, value)| value.erase());
                        }
                        Arg::Path(path) => path.span = Span::default(),
                        Arg::File(_) => {}
                    }
                }
            }
            _ => {}
        }
    }

    /// Calls `visit` for it and every expression in it, outermost first.
    pub fn each<'a>(&'a self, visit: &mut dyn FnMut(&'a Expr)) {
        visit(self);
        self.inside(&mut |child, _| child.each(visit));
    }

    /// Calls `visit` for every expression right inside of it; with the relation whose rows are at hand there, where it is a filter of them.
    pub fn inside<'a>(&'a self, visit: &mut dyn FnMut(&'a Expr, Option<RelationId>)) {
        match &self.kind {
            // Loops, not closures: a row of names may be long, and each takes a turn of the stack.
            ExprKind::Neg(inner) | ExprKind::Not(inner) => visit(inner, None),
            ExprKind::Binary(_, sides) => {
                visit(&sides.0, None);
                visit(&sides.1, None);
            }
            ExprKind::If(parts) => {
                visit(&parts.0, None);
                visit(&parts.1, None);
                visit(&parts.2, None);
            }
            ExprKind::List(items) | ExprKind::Concat(items) => {
                for item in items {
                    visit(item, None);
                }
            }
            ExprKind::Object(fields) => {
                for (_, value) in fields {
                    visit(value, None);
                }
            }
            ExprKind::Call(_, args) => {
                for arg in args {
                    match arg {
                        Arg::Value(value) => visit(value, None),
                        Arg::Relation { relation, filter: Some(filter) }
                        | Arg::Column { relation, filter: Some(filter), .. } => visit(filter, Some(*relation)),
                        Arg::Sql(sql) => {
                            for (_, value) in &sql.params {
                                visit(value, None);
                            }
                        }
                        Arg::Each { relation, value, filter } => {
                            visit(value, Some(*relation));
                            filter.iter().for_each(|filter| visit(filter, Some(*relation)));
                        }
                        Arg::Relation { .. } | Arg::Column { .. } | Arg::File(_) | Arg::Path(_) => {}
                    }
                }
            }
            ExprKind::Unknown
            | ExprKind::Const(_)
            | ExprKind::Name(_)
            | ExprKind::Column(_)
            | ExprKind::OuterColumn(_)
            | ExprKind::FilePath(_)
            | ExprKind::Sandbox => {}
        }
    }
}

/// A name that is used: where, and where what it means is declared.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Reference {
    /// The name as used.
    pub at: Span,
    /// The name as declared. What has no name of its own in the source (a column of a result set or a fixture) has that of what holds it.
    pub target: Span,
}
