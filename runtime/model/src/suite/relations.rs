//! Relations: sets of rows, and their columns.

use serde::Serialize;

use super::{ColumnId, Compile, Compiled, Draw, FileId, NameId, Phase, Printed, RelationId, Role, Scope, Visit};
use crate::{Span, TiVec, ValueType};

/// The most columns that are followed from one to the next, where each has the cells of the next.
pub const FARTHEST: usize = 64;

/// A set of rows.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(bound(serialize = "S: Printed"))]
pub struct Relation<S: Phase = Compiled> {
    /// `hr`, or `db.table`: its path in random keys and messages.
    pub name: String,
    /// The last part of the name: the table's own name in its database or workbook.
    pub table: String,
    /// Where it is declared.
    pub span: Span,
    /// The file it is written to, if any.
    pub file: Option<FileId>,
    /// Where its rows come from.
    pub rows: Rows<S>,
    /// Its columns in source order, helpers included.
    pub columns: TiVec<ColumnId, Column<S>>,
    /// The order in which columns are generated: each after those it needs.
    pub order: Vec<ColumnId>,
    /// What several columns are together, in source order.
    pub constraints: Vec<Constraint>,
    /// `rows by COLUMN`: the order of its rows.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub by: Option<OrderBy>,
}

/// By which column rows are in order: nulls first, rows with equal values as they were made.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct OrderBy {
    /// The column, a helper or one that is taken too.
    pub column: ColumnId,
    /// The greatest first, and nulls last.
    pub descending: bool,
}

/// Where the rows of a relation come from.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "snake_case", bound(serialize = "S: Printed"))]
pub enum Rows<S: Phase = Compiled> {
    /// The least and the most rows (equal where fixed); the number is drawn in between.
    Count(S::Expr, S::Expr),
    /// A number of rows for each row of another relation, in the order of those rows: an array inside of an array's
    /// objects.
    PerRow {
        /// The relation around it.
        parent: RelationId,
        /// The least for each, an int.
        low: S::Expr,
        /// The most for each, an int.
        high: S::Expr,
    },
    /// The rows of a fixture, in [`ColumnSource::Given`]: their number.
    Given(u32),
    /// Those of the result set that this name holds; its columns are [`ColumnSource::Result`].
    Query(NameId),
    /// The lines of a file's text, without their ends, in its only column ([`ColumnSource::Result`]).
    Lines(FileId),
    /// Those that the written database gives for its view of this name; its columns are [`ColumnSource::Result`].
    View(FileId),
    /// Those of another relation, in its order: what a file is written from. The columns of that relation are here too, as
    /// [`ColumnSource::Taken`], all of them, before all others.
    Taken {
        /// The relation.
        from: RelationId,
        /// Over its rows: which are taken.
        filter: Option<S::Expr>,
    },
}

/// A column.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(bound(serialize = "S: Printed"))]
pub struct Column<S: Phase = Compiled> {
    /// As written.
    pub name: String,
    /// Where it is declared.
    pub span: Span,
    /// `_NAME`: not written.
    pub helper: bool,
    /// The type of its values.
    #[serde(skip)]
    pub ty: S::Type,
    /// What its cells are.
    #[serde(flatten)]
    pub cells: S::Cells,
    /// For a `ref` to a unique column of the same database: that column (a foreign key).
    pub references: Option<(RelationId, ColumnId)>,
    /// Drawn or computed.
    pub source: ColumnSource<S>,
}

/// What the cells of a column are.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Cells {
    /// The type of their values.
    pub value_type: ValueType,
    /// Whether a value may be null.
    pub nullable: bool,
    /// `serial` in a database, or a declared key.
    pub primary_key: bool,
    /// No value twice (`unique`, `serial`).
    pub unique: bool,
}

/// How a column gets its values.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "snake_case", bound(serialize = "S: Printed"))]
pub enum ColumnSource<S: Phase = Compiled> {
    /// `NAME : DOMAIN`. Of `a, b : distinct D`, group and place as for names, and the values of a row differ.
    Draw {
        /// The draw.
        draw: Draw<S>,
        /// The first column of the statement.
        group: String,
        /// The place in the statement, from 0.
        place: u32,
        /// How many columns share the statement.
        of: u32,
    },
    /// `NAME = expr`, over the row.
    Compute(S::Expr),
    /// A fixture's values, top to bottom.
    Given(S::Given),
    /// The column at this position of the result set, or the line of the text.
    Result(u32),
    /// That of the relation whose rows are taken: not written, and named only where the file is declared.
    Taken(ColumnId),
}

/// What columns of a relation are together.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Constraint {
    /// Which.
    pub kind: ConstraintKind,
    /// The columns in order, at least one, no helper, none twice.
    pub columns: Vec<ColumnId>,
    /// Its place in the source.
    pub span: Span,
}

/// The kinds of constraint.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum ConstraintKind {
    /// No two rows have the same values. A row with a null in one of the columns differs from every other.
    Unique,
    /// The primary key of a table in a database: as `Unique`, without nulls.
    PrimaryKey,
    /// An index of a database.
    Index {
        /// Its name there.
        name: String,
    },
    /// A foreign key to columns of a table of the same database, in the same order.
    References {
        /// The table.
        relation: RelationId,
        /// Its columns, which are unique there together.
        columns: Vec<ColumnId>,
    },
}

impl<S: Phase> Relation<S> {
    /// The columns that are seen from outside: not those that are only taken to compute others from.
    pub fn iter_own_columns(&self) -> impl Iterator<Item = (ColumnId, &Column<S>)> {
        self.columns.iter_enumerated().filter(|(_, column)| !column.is_taken())
    }

    /// The columns that a file has of it, and a query: not helpers, and not those that are only taken.
    pub fn iter_written_columns(&self) -> impl Iterator<Item = (ColumnId, &Column<S>)> {
        self.iter_own_columns().filter(|(_, column)| !column.helper)
    }

    /// The file that its name begins with (`shop` of `shop.sales`): in SQL, the database it is read from.
    pub fn database_name(&self) -> Option<&str> {
        self.name.strip_suffix(self.table.as_str())?.strip_suffix('.')
    }

    /// Calls `visit` for every whole expression in it; `id` is its own.
    pub fn visit_exprs<'a>(&'a self, id: RelationId, visit: &mut Visit<'_, 'a, S>) {
        self.rows.visit_exprs(visit);
        for column in &self.columns {
            column.source.visit_exprs(Scope::with_row(id), visit);
        }
    }

    /// The same, compiled.
    pub fn compile_with(&self, by: &mut impl Compile<S>) -> Relation {
        let columns = self.columns.iter_enumerated().map(|(id, column)| Column {
            name: column.name.clone(),
            span: column.span,
            helper: column.helper,
            ty: (),
            cells: by.compile_cells(self, id),
            references: column.references,
            source: column.source.compile_with(by),
        });
        Relation {
            name: self.name.clone(),
            table: self.table.clone(),
            span: self.span,
            file: self.file,
            columns: columns.collect(),
            rows: self.rows.compile_with(by),
            order: self.order.clone(),
            constraints: self.constraints.clone(),
            by: self.by,
        }
    }
}

impl<S: Phase> Column<S> {
    /// Whether it is there only to compute others from: not written, and named only where its file is declared.
    pub fn is_taken(&self) -> bool {
        matches!(self.source, ColumnSource::Taken(_))
    }
}

impl<S: Phase> Rows<S> {
    /// Calls `visit` for every whole expression in it.
    pub fn visit_exprs<'a>(&'a self, visit: &mut Visit<'_, 'a, S>) {
        if let Rows::Count(low, high) | Rows::PerRow { low, high, .. } = self {
            visit(Role::Value, low, Scope::default());
            visit(Role::Value, high, Scope::default());
        }
        if let Rows::Taken { from, filter: Some(filter) } = self {
            visit(Role::Filter, filter, Scope::default().enter_filter(*from));
        }
    }

    /// The same, compiled.
    pub fn compile_with(&self, by: &mut impl Compile<S>) -> Rows {
        match self {
            Rows::Count(low, high) => Rows::Count(by.compile_expr(low), by.compile_expr(high)),
            Rows::PerRow { parent, low, high } => {
                Rows::PerRow { parent: *parent, low: by.compile_expr(low), high: by.compile_expr(high) }
            }
            Rows::Given(rows) => Rows::Given(*rows),
            Rows::Query(name) => Rows::Query(*name),
            Rows::Lines(file) => Rows::Lines(*file),
            Rows::View(file) => Rows::View(*file),
            Rows::Taken { from, filter } => {
                Rows::Taken { from: *from, filter: filter.as_ref().map(|filter| by.compile_expr(filter)) }
            }
        }
    }
}

impl<S: Phase> ColumnSource<S> {
    /// How it is drawn.
    pub fn draw(&self) -> Option<&Draw<S>> {
        match self {
            ColumnSource::Draw { draw, .. } => Some(draw),
            ColumnSource::Compute(_) | ColumnSource::Given(_) | ColumnSource::Result(_) | ColumnSource::Taken(_) => {
                None
            }
        }
    }

    /// Calls `visit` for every whole expression in it.
    pub fn visit_exprs<'a>(&'a self, scope: Scope, visit: &mut Visit<'_, 'a, S>) {
        match self {
            ColumnSource::Draw { draw, .. } => draw.visit_exprs(scope, visit),
            ColumnSource::Compute(value) => visit(Role::Value, value, scope),
            ColumnSource::Given(_) | ColumnSource::Result(_) | ColumnSource::Taken(_) => {}
        }
    }

    /// The same, compiled.
    pub fn compile_with(&self, by: &mut impl Compile<S>) -> ColumnSource {
        match self {
            ColumnSource::Draw { draw, group, place, of } => {
                ColumnSource::Draw { draw: draw.compile_with(by), group: group.clone(), place: *place, of: *of }
            }
            ColumnSource::Compute(value) => ColumnSource::Compute(by.compile_expr(value)),
            ColumnSource::Given(given) => ColumnSource::Given(by.compile_given(given)),
            ColumnSource::Result(position) => ColumnSource::Result(*position),
            ColumnSource::Taken(column) => ColumnSource::Taken(*column),
        }
    }
}

impl Constraint {
    /// Whether no two rows have the same values.
    pub fn is_unique(&self) -> bool {
        matches!(self.kind, ConstraintKind::Unique | ConstraintKind::PrimaryKey)
    }

    /// Whether it is on these columns, in any order.
    pub fn is_over(&self, columns: &[ColumnId]) -> bool {
        self.columns.len() == columns.len() && columns.iter().all(|column| self.columns.contains(column))
    }
}
