//! Resolution of names in a query.

use std::collections::BTreeSet;
use std::sync::Arc;

use model::ValueType;
use model::ddl::quote_name;
use model::suite::{ColumnId, RelationId};
use sqlparser::ast::{Expr, Ident};

use super::made::Made;
use super::request::{Determined, SqlRequest, SqlTable, is_same_name};
use super::terms::Term;
use syntax::bounds::Bounds;

/// A possible source of the letters of a text.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Source {
    /// The column or parameter.
    pub of: Of,
    /// Whether `upper` or `lower` has been applied; then the letter case of the source does not matter.
    pub cased: bool,
}

/// A source of letters.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Of {
    /// A column, by the indexes of its table and column in the request.
    Column(usize, usize),
    /// A parameter, without colon.
    Param(String),
}

/// Knowledge about a value.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ExprType {
    /// Its type; `None` if it is not known.
    pub ty: Option<ValueType>,
    /// Whether it may be null.
    pub nullable: bool,
    /// The column from which it is copied unchanged: the indexes of its table and column in the request.
    pub origin: Option<(usize, usize)>,
    /// For a computed value that may be a text, the possible sources of its letters.
    pub letters: BTreeSet<Source>,
    /// Whether it is the literal NULL.
    pub null: bool,
    /// Whether it is computed and may have more digits than people write, such as a mean or a quotient.
    pub endless: bool,
    /// Whether it is a fraction that `ROUND` rounded.
    pub rounded: bool,
    /// Whether it is null only if no row met the condition of an aggregate.
    pub empty: bool,
    /// Whether it is a blob, which no value of a task can be.
    pub blob: bool,
    /// For an output that is computed, how.
    pub term: Option<Arc<Term>>,
}

impl ExprType {
    /// The type of an unknown value.
    pub fn unknown() -> ExprType {
        ExprType { nullable: true, ..ExprType::default() }
    }

    /// The type of a computed value.
    pub fn with_type(ty: ValueType, nullable: bool) -> ExprType {
        ExprType { ty: Some(ty), nullable, ..ExprType::default() }
    }

    /// The literal NULL.
    pub fn null() -> ExprType {
        ExprType { nullable: true, null: true, ..ExprType::default() }
    }

    /// The type of a value that is either of two, as in CASE, COALESCE, and UNION.
    pub fn join_with(&self, other: &ExprType) -> ExprType {
        use ValueType::{Bool, Date, DateTime, Decimal, Float, Int, Text};
        let ty = match (self.ty, other.ty) {
            _ if self.null => other.ty,
            _ if other.null => self.ty,
            (Some(a), Some(b)) => match (a, b) {
                (a, b) if a == b => Some(a),
                (Decimal(a), Decimal(b)) => Some(Decimal(a.max(b))),
                (Int, Decimal(places)) | (Decimal(places), Int) => Some(Decimal(places)),
                (Float, Int | Decimal(_)) | (Int | Decimal(_), Float) => Some(Float),
                (Bool, Int) | (Int, Bool) => Some(Int),
                (Text | Date | DateTime, Text | Date | DateTime) => Some(Text),
                _ => None,
            },
            _ => None,
        };
        let letters = self.collect_letters().union(&other.collect_letters()).cloned().collect();
        ExprType { ty, letters, null: self.null && other.null, ..ExprType::default() }.with_operands(self, other)
    }

    /// This type for a value computed from two operands: nullable, endless, or rounded if one of them is.
    pub fn with_operands(self, left: &ExprType, right: &ExprType) -> ExprType {
        let nullable = left.nullable || right.nullable;
        let empty = |side: &ExprType| side.empty || !side.nullable;
        ExprType {
            nullable,
            endless: left.endless || right.endless,
            rounded: left.rounded || right.rounded,
            empty: nullable && empty(left) && empty(right),
            ..self
        }
    }

    /// This type for a computed value, which is not the column itself.
    pub fn into_computed(self) -> ExprType {
        ExprType { origin: None, letters: self.collect_letters(), term: None, ..self }
    }

    /// The possible sources of its letters; for a column, that column.
    pub fn collect_letters(&self) -> BTreeSet<Source> {
        let own = self.origin.filter(|_| self.letters.is_empty() && self.may_be_text());
        let own = own.map(|(table, column)| Source { of: Of::Column(table, column), cased: false });
        own.into_iter().chain(self.letters.iter().cloned()).collect()
    }

    /// Whether it may be a text, as which SQL has durations, too.
    pub fn may_be_text(&self) -> bool {
        matches!(self.ty, None | Some(ValueType::Text | ValueType::Duration))
    }
}

/// A column of a relation or a result.
#[derive(Clone, Debug, PartialEq)]
pub struct Column {
    /// Its name.
    pub name: String,
    /// Its values.
    pub value: ExprType,
}

/// An order in which rows may tie.
#[derive(Clone, Debug, PartialEq)]
pub struct Tie {
    /// The byte range of its terms in ORDER BY.
    pub order: (usize, usize),
    /// The kind of number or value that depends on the order.
    pub kind: Ordered,
    /// The columns that determine whether rows tie; without a column, the rows of the relation do.
    pub origins: Vec<(RelationId, Option<ColumnId>)>,
    /// A column that would break ties.
    pub breaks: Option<String>,
}

/// The kinds of values that depend on the order of rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ordered {
    /// `ROW_NUMBER`.
    Number,
    /// `RANK` and `DENSE_RANK`, which give tied rows the same number.
    Rank,
    /// `LAG`, a sum of the rows before, and others: values of other rows, or that depend on the place among the rows.
    Value,
}

/// A column of an output that numbers its rows.
#[derive(Clone, Debug)]
pub struct Numbered {
    /// The index of the column.
    pub place: usize,
    /// Columns that are equal in tied rows.
    pub settled: Vec<usize>,
    /// The tie in its order.
    pub tie: Tie,
}

/// A relation in FROM.
#[derive(Clone, Debug, Default)]
pub struct Relation {
    /// Its name in this query.
    pub alias: String,
    /// The database of its qualified name.
    pub database: Option<String>,
    /// The index of its table in the request.
    pub table: Option<usize>,
    /// Its columns; `None` if they are not known.
    pub columns: Option<Vec<Column>>,
    /// Columns that a USING or NATURAL join merged with a column to the left.
    pub merged: Vec<usize>,
    /// Whether an outer join may replace its values with nulls.
    pub outer: bool,
    /// The minimum number of rows.
    pub least: u64,
    /// The maximum number of rows, if it is known.
    pub most: Option<u64>,
    /// Sets of columns that are unique together, ignoring nulls.
    pub keys: Vec<Vec<usize>>,
    /// Helpers of a table that are unique, ignoring nulls.
    pub helper_keys: Vec<usize>,
    /// Columns and helpers of a table that determine others.
    pub determined: Vec<Determined>,
    /// Whether it is a subquery or table of WITH whose rows are in the order of an ORDER BY.
    pub sorted: bool,
    /// Columns with numbers of rows that may tie.
    pub numbered: Vec<Numbered>,
    /// Columns whose values depend on the order of tied rows.
    pub loose: Vec<(usize, Tie)>,
    /// How its rows were made, if it is a subquery or table of WITH.
    pub made: Made,
    /// The terms of the values of each row, if all rows of a subquery are written out.
    pub written: Option<Vec<Vec<Term>>>,
    /// For a relation right of a LEFT join, the index of the first one there; otherwise 0. It may be null for some rows of the relations before that.
    pub after: usize,
}

/// A column, as (frame, relation, column).
pub type At = (usize, usize, usize);

/// A column of the innermost SELECT, as (relation, column).
pub type Place = (usize, usize);

/// The column index of a row's hidden number (`rowid`).
pub const ROW_ID: usize = usize::MAX;

impl Relation {
    /// The relation of a table in the request.
    pub fn from_table(tables: &[SqlTable<'_>], index: usize) -> Relation {
        let columns = tables.get(index).map(|table| {
            let typed = table.columns.iter().enumerate().map(|(place, column)| Column {
                name: column.name.to_owned(),
                value: ExprType {
                    ty: column.value_type,
                    nullable: column.nullable && !column.primary_key,
                    origin: Some((index, place)),
                    ..ExprType::default()
                },
            });
            typed.collect()
        });
        let (mut keys, mut rows) = (vec![vec![ROW_ID]], Bounds::ANY);
        let (mut helper_keys, mut determined) = (Vec::new(), Vec::new());
        if let Some(table) = tables.get(index) {
            helper_keys.clone_from(&table.helper_keys);
            determined.clone_from(&table.determined);
            let unique = table.columns.iter().enumerate().filter(|(_, column)| column.primary_key || column.unique);
            keys.extend(unique.map(|(place, _)| vec![place]));
            keys.extend(table.keys.iter().cloned());
            rows = table.rows;
        }
        let (least, most) = (rows.least, rows.known_max());
        Relation { table: Some(index), columns, keys, helper_keys, determined, least, most, ..Relation::default() }
    }

    /// Its table in the request, if it is one.
    pub fn find_table<'r>(&self, request: &'r SqlRequest<'_>) -> Option<&'r SqlTable<'r>> {
        request.tables.get(self.table?)
    }

    /// The column at a place.
    pub fn get_column(&self, place: usize) -> Option<&Column> {
        self.columns.as_ref()?.get(place)
    }

    /// The index of a column.
    pub fn find_column(&self, name: &str) -> Option<usize> {
        self.columns.as_ref()?.iter().position(|column| is_same_name(&column.name, name))
    }

    /// The first column that is a key on its own.
    pub fn find_key_column(&self, is_usable: impl Fn(usize) -> bool) -> Option<&Column> {
        self.keys.iter().find_map(|key| match key.as_slice() {
            [place] if *place != ROW_ID && is_usable(*place) => self.get_column(*place),
            _ => None,
        })
    }

    /// The columns of a table's shortest key, quoted for SQL.
    pub fn find_shortest_key(&self) -> Option<String> {
        let named = |key: &Vec<usize>| -> Option<Vec<String>> {
            key.iter().map(|place| Some(quote_name(&self.get_column(*place)?.name))).collect()
        };
        let keys = self.keys.iter().filter(|key| !key.contains(&ROW_ID)).filter_map(named);
        keys.min_by_key(Vec::len).map(|names| names.join(", "))
    }

    /// The type of a column in this relation.
    pub fn infer_column(&self, place: usize) -> ExprType {
        let mut value = self.get_column(place).map_or_else(ExprType::unknown, |column| column.value.clone());
        value.nullable |= self.outer;
        value
    }
}

/// A SELECT: the names in its scope.
#[derive(Clone, Debug, Default)]
pub struct Frame {
    /// The relations of FROM, in order; and the names of the output, once they are known.
    pub relations: Vec<Relation>,
    pub aliases: Vec<Column>,
    /// Whether it has GROUP BY, so aggregates always have at least one row.
    pub grouped: bool,
    /// Whether it has aggregates without GROUP BY, so it returns one row even for no input.
    pub whole: bool,
    /// Whether FROM always has a row, and WHERE is missing.
    pub some_row: bool,
    /// Columns that are never null after WHERE, as (relation, column).
    pub not_null: Vec<(usize, usize)>,
    /// Other expressions that are never null after WHERE.
    pub proved: Vec<ExprText>,
    /// Expressions that are never null after HAVING.
    pub kept: Vec<ExprText>,
    /// Whether WHERE tests more than non-nullness, and may exclude all rows.
    pub filtered: bool,
    /// Whether the current expression is in the argument of an aggregate.
    pub in_aggregate: bool,
    /// The maximum number of rows of FROM, if it is known; and of a group.
    pub most: Option<u64>,
    pub most_in_group: Option<u64>,
}

impl Frame {
    /// The type of a column after WHERE.
    pub fn infer_column(&self, relation: usize, place: usize) -> ExprType {
        let mut value =
            self.relations.get(relation).map_or_else(ExprType::unknown, |relation| relation.infer_column(place));
        value.nullable &= !self.not_null.contains(&(relation, place));
        if self.may_have_no_rows() && !value.nullable {
            (value.nullable, value.empty) = (true, self.filtered);
        }
        value
    }

    /// The column at a place, if its relation is known.
    pub fn get_column(&self, (relation, place): Place) -> Option<&Column> {
        self.relations.get(relation)?.get_column(place)
    }

    /// Whether its only relation is sorted: SQLite keeps the order of a sorted subquery.
    pub fn is_in_order(&self) -> bool {
        matches!(self.relations.as_slice(), [only] if only.sorted)
    }

    /// Whether the current expression may be evaluated without any row.
    pub fn may_have_no_rows(&self) -> bool {
        self.whole && !self.in_aggregate && !self.some_row
    }

    /// The type of an expression, not nullable if a condition excludes null.
    pub fn narrow_nullability(&self, expr: &Expr, value: ExprType) -> ExprType {
        if !value.nullable || (self.proved.is_empty() && self.kept.is_empty()) {
            return value;
        }
        let words = ExprText::from_expr(expr);
        let kept = !self.in_aggregate && self.kept.contains(&words);
        let nullable = !kept && (self.may_have_no_rows() || !self.proved.contains(&words));
        ExprType { nullable, empty: value.empty && nullable, ..value }
    }
}

/// The text of an expression without enclosing brackets; letter case is ignored unless it has quotes.
#[derive(Clone, Debug, Eq)]
pub struct ExprText(String);

impl ExprText {
    /// Creates the text of an expression.
    pub fn from_expr(mut expr: &Expr) -> ExprText {
        while let Expr::Nested(inner) = expr {
            expr = inner;
        }
        ExprText(expr.to_string())
    }
}

impl PartialEq for ExprText {
    fn eq(&self, other: &ExprText) -> bool {
        let plain = |words: &ExprText| !words.0.contains(['\'', '"', '`', '[']);
        self.0 == other.0 || (plain(self) && plain(other) && self.0.eq_ignore_ascii_case(&other.0))
    }
}

/// The declaration that a name refers to.
#[derive(Clone, Debug)]
pub enum Resolution {
    /// A column: its type, and (frame, relation, column).
    Column(ExprType, At),
    /// A name of the output of this frame, with its type.
    Alias(ExprType, usize),
    /// A row's hidden number, as (frame, relation).
    RowId(ExprType, (usize, usize)),
    /// Possibly a column of a relation whose columns are not known.
    Perhaps,
    /// A column of several relations of this frame.
    Ambiguous(usize, Vec<usize>),
    /// The column does not exist.
    Missing,
    /// The relation does not exist.
    NoRelation,
}

impl Resolution {
    /// The column, if it is one.
    pub fn as_column(&self) -> Option<At> {
        match self {
            Resolution::Column(_, at) => Some(*at),
            _ => None,
        }
    }
}

/// Looks up a name, from the innermost SELECT outward: `column`, `relation.column`, `database.table.column`.
pub fn lookup_name(frames: &[Frame], parts: &[Ident]) -> Resolution {
    match parts {
        [name] => lookup_bare_name(frames, &name.value),
        [relation, name] => lookup_qualified_name(frames, None, &relation.value, &name.value),
        [database, relation, name] => {
            lookup_qualified_name(frames, Some(&database.value), &relation.value, &name.value)
        }
        _ => Resolution::Perhaps,
    }
}

/// Looks up an expression that consists only of a name.
pub fn lookup_expr(frames: &[Frame], expr: &Expr) -> Option<Resolution> {
    match expr {
        Expr::Identifier(name) => Some(lookup_name(frames, std::slice::from_ref(name))),
        Expr::CompoundIdentifier(parts) => Some(lookup_name(frames, parts)),
        Expr::Nested(inner) => lookup_expr(frames, inner),
        _ => None,
    }
}

/// The column of the innermost SELECT that an expression plainly is.
pub fn resolve_place(frames: &[Frame], expr: &Expr) -> Option<Place> {
    let depth = frames.len().checked_sub(1)?;
    match lookup_expr(frames, expr)? {
        Resolution::Column(_, (frame, relation, place)) if frame == depth => Some((relation, place)),
        Resolution::RowId(_, (frame, relation)) if frame == depth => Some((relation, ROW_ID)),
        _ => None,
    }
}

fn lookup_bare_name(frames: &[Frame], name: &str) -> Resolution {
    let mut perhaps = false;
    for (depth, frame) in frames.iter().enumerate().rev() {
        let holds = |relation: &Relation| relation.find_column(name).filter(|place| !relation.merged.contains(place));
        let holding: Vec<(usize, usize)> = frame
            .relations
            .iter()
            .enumerate()
            .filter_map(|(index, relation)| Some((index, holds(relation)?)))
            .collect();
        match holding.as_slice() {
            [] => {}
            [(relation, place)] => return resolve_column(frame, depth, *relation, *place),
            several => return Resolution::Ambiguous(depth, several.iter().map(|(relation, _)| *relation).collect()),
        }
        if let Some(alias) = frame.aliases.iter().find(|alias| is_same_name(&alias.name, name)) {
            return Resolution::Alias(alias.value.clone(), depth);
        }
        let mut tables = frame.relations.iter().enumerate().filter(|(_, relation)| relation.table.is_some());
        if is_row_id(name)
            && let Some((index, relation)) = tables.next()
        {
            let only = tables.next().is_none();
            return if only { resolve_row_id(frame, relation, (depth, index)) } else { Resolution::Perhaps };
        }
        perhaps |= frame.relations.iter().any(|relation| relation.columns.is_none());
    }
    if perhaps { Resolution::Perhaps } else { Resolution::Missing }
}

fn lookup_qualified_name(frames: &[Frame], database: Option<&str>, relation: &str, name: &str) -> Resolution {
    let mut known = false;
    for (depth, frame) in frames.iter().enumerate().rev() {
        for (index, candidate) in frame.relations.iter().enumerate() {
            let own = candidate.database.as_deref().unwrap_or("main");
            if !is_same_name(&candidate.alias, relation) || database.is_some_and(|name| !is_same_name(own, name)) {
                continue;
            }
            known = true;
            if candidate.columns.is_none() {
                return Resolution::Perhaps;
            }
            if let Some(place) = candidate.find_column(name) {
                return resolve_column(frame, depth, index, place);
            }
            if candidate.table.is_some() && is_row_id(name) {
                return resolve_row_id(frame, candidate, (depth, index));
            }
        }
    }
    if known { Resolution::Missing } else { Resolution::NoRelation }
}

fn resolve_column(frame: &Frame, depth: usize, relation: usize, place: usize) -> Resolution {
    Resolution::Column(frame.infer_column(relation, place), (depth, relation, place))
}

fn resolve_row_id(frame: &Frame, relation: &Relation, at: (usize, usize)) -> Resolution {
    let nullable = relation.outer || frame.may_have_no_rows();
    Resolution::RowId(ExprType::with_type(ValueType::Int, nullable), at)
}

fn is_row_id(name: &str) -> bool {
    ["rowid", "oid", "_rowid_"].iter().any(|id| is_same_name(id, name))
}
