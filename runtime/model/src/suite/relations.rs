//! Relations: sets of rows, and their columns.

use serde::Serialize;

use super::{ColumnId, Compile, Compiled, Draw, FileId, NameId, Phase, Printed, RelationId, Role, Scope, Visit};
use crate::{Span, TiVec, ValueType};

/// Maximum length of a chain of columns in which each copies its cells from the next.
pub const FARTHEST: usize = 64;

/// A set of rows.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(bound(serialize = "S: Printed"))]
pub struct Relation<S: Phase = Compiled> {
    /// `hr`, or `db.table`: its name in random keys and messages.
    pub name: String,
    /// The last part of the name, which is the table's name in its database or workbook.
    pub table: String,
    /// The place of its declaration.
    pub span: Span,
    /// The file to which it is written, if any.
    pub file: Option<FileId>,
    /// The source of its rows.
    pub rows: Rows<S>,
    /// Its columns in source order, helpers included.
    pub columns: TiVec<ColumnId, Column<S>>,
    /// The order in which columns are generated: each after those that it needs.
    pub order: Vec<ColumnId>,
    /// Constraints on several columns, in source order.
    pub constraints: Vec<Constraint>,
    /// `rows by COLUMN`: the order of its rows.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub by: Option<OrderBy>,
}

/// The order of rows by a column. Rows with equal values keep their order; ascending order puts nulls first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct OrderBy {
    /// The column, which may be a helper or taken from another relation.
    pub column: ColumnId,
    /// Descending order, with nulls last.
    pub descending: bool,
}

/// The source of a relation's rows.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "snake_case", bound(serialize = "S: Printed"))]
pub enum Rows<S: Phase = Compiled> {
    /// The minimum and the maximum number of rows (equal if it is fixed); the number is drawn between them.
    Count(S::Expr, S::Expr),
    /// A number of rows for each row of another relation, in the order of those rows: an array inside of an array's
    /// objects.
    PerRow {
        /// The enclosing relation.
        parent: RelationId,
        /// The minimum for each row, an int.
        low: S::Expr,
        /// The maximum for each row, an int.
        high: S::Expr,
    },
    /// The rows of a fixture, in [`ColumnSource::Given`], with their number.
    Given(u32),
    /// The rows of the result set in this name; its columns are [`ColumnSource::Result`].
    Query(NameId),
    /// The lines of a file's text, without their ends, in its only column ([`ColumnSource::Result`]).
    Lines(FileId),
    /// The rows of the view with this name in the written database; its columns are [`ColumnSource::Result`].
    View(FileId),
    /// The rows of another relation, in its order, for writing a file. All columns of that relation come first, as [`ColumnSource::Taken`].
    Taken {
        /// The relation.
        from: RelationId,
        /// The filter of its rows.
        filter: Option<S::Expr>,
    },
}

/// A column.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(bound(serialize = "S: Printed"))]
pub struct Column<S: Phase = Compiled> {
    /// As written.
    pub name: String,
    /// The place of its declaration.
    pub span: Span,
    /// `_NAME`: whether it is not written.
    pub helper: bool,
    /// The type of its values.
    #[serde(skip)]
    pub ty: S::Type,
    /// The properties of its cells.
    #[serde(flatten)]
    pub cells: S::Cells,
    /// For a `ref` to a unique column of the same database: that column (a foreign key).
    pub references: Option<(RelationId, ColumnId)>,
    /// The source of its values.
    pub source: ColumnSource<S>,
}

/// Compiles the columns of relations too.
pub trait CompileRelation<S: Phase>: Compile<S> {
    /// Compiles the properties of a column's cells.
    fn compile_cells(&mut self, relation: &Relation<S>, column: ColumnId) -> Cells;
}

/// The properties of a column's cells.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Cells {
    /// The type of their values.
    pub value_type: ValueType,
    /// Whether a value may be null.
    pub nullable: bool,
    /// `serial` in a database, or a declared key.
    pub primary_key: bool,
    /// Whether no value repeats (`unique`, `serial`).
    pub unique: bool,
}

/// The source of a column's values.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "snake_case", bound(serialize = "S: Printed"))]
pub enum ColumnSource<S: Phase = Compiled> {
    /// `NAME : DOMAIN`. Group and place for `a, b : distinct D` are as for names, and the values of a row differ.
    Draw {
        /// The draw.
        draw: Draw<S>,
        /// The first column of the statement.
        group: String,
        /// Position in the statement, from 0.
        place: u32,
        /// Number of columns that share the statement.
        of: u32,
    },
    /// `NAME = expr`, evaluated for the row.
    Compute(S::Expr),
    /// A fixture's values, in row order.
    Given(S::Given),
    /// The column at this position of the result set, or the line of the text.
    Result(u32),
    /// A column of the source relation, which is not written and can be named only in the declaration of the file.
    Taken(ColumnId),
}

/// A constraint on columns of a relation.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Constraint {
    /// Its kind.
    pub kind: ConstraintKind,
    /// The columns in order: at least one, no helpers, no duplicates.
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
    /// The primary key of a table in a database: like `Unique`, but without nulls.
    PrimaryKey,
    /// An index of a database.
    Index {
        /// Its name in the database.
        name: String,
    },
    /// A foreign key to columns of a table of the same database, in the same order.
    References {
        /// The table.
        relation: RelationId,
        /// Its columns, which are unique in combination.
        columns: Vec<ColumnId>,
    },
}

impl<S: Phase> Relation<S> {
    /// Returns the columns that are visible from outside, without those that are taken only to compute others.
    pub fn iter_own_columns(&self) -> impl Iterator<Item = (ColumnId, &Column<S>)> {
        self.columns.iter_enumerated().filter(|(_, column)| !column.is_taken())
    }

    /// Returns the columns that files and queries contain: without helpers, and without those that are only taken.
    pub fn iter_written_columns(&self) -> impl Iterator<Item = (ColumnId, &Column<S>)> {
        self.iter_own_columns().filter(|(_, column)| !column.helper)
    }

    /// Checks whether a key makes the values of a column in one row depend on those in the others.
    pub fn is_in_key(&self, column: ColumnId) -> bool {
        self.constraints.iter().any(|constraint| constraint.is_unique() && constraint.columns.contains(&column))
    }

    /// Returns the file with which its name begins (`shop` of `shop.sales`): in SQL, the name of its database.
    pub fn database_name(&self) -> Option<&str> {
        self.name.strip_suffix(self.table.as_str())?.strip_suffix('.')
    }

    /// Calls `visit` for every whole expression in it; `id` is the relation's own.
    pub fn visit_exprs<'a>(&'a self, id: RelationId, visit: &mut Visit<'_, 'a, S>) {
        self.rows.visit_exprs(visit);
        for column in &self.columns {
            column.source.visit_exprs(Scope::with_row(id), visit);
        }
    }

    /// Compiles it.
    pub fn compile_with(&self, by: &mut impl CompileRelation<S>) -> Relation {
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
    /// Checks whether it exists only to compute others: it is not written, and can be named only in the declaration of its file.
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

    /// Compiles it.
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
    /// Returns its draw.
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

    /// Compiles it.
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
    /// Checks whether it makes rows differ.
    pub fn is_unique(&self) -> bool {
        matches!(self.kind, ConstraintKind::Unique | ConstraintKind::PrimaryKey)
    }

    /// Checks whether it is on these columns, in any order.
    pub fn is_over(&self, columns: &[ColumnId]) -> bool {
        self.columns.len() == columns.len() && columns.iter().all(|column| self.columns.contains(column))
    }
}
