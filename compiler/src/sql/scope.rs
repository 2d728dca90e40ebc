//! What a name means at a place in a query.

use std::collections::BTreeSet;

use model::ValueType;
use sqlparser::ast::Expr;

use super::numbered::{Numbered, Tie};
use super::{SqlTable, same};
use crate::bounds::Bounds;

/// What the letters of a text may come from.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Source {
    /// What it is.
    pub of: Of,
    /// `upper` or `lower` has been applied: whether its letters are capitals makes no difference.
    pub cased: bool,
}

/// A source of letters.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Of {
    /// Table and column of the request.
    Column(usize, usize),
    /// A parameter, without colon.
    Param(String),
}

/// What is known of a value.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Typed {
    /// Its type; `None`: not known.
    pub ty: Option<ValueType>,
    /// Whether it may be null.
    pub nullable: bool,
    /// The column it is, unchanged: table and column of the request.
    pub origin: Option<(usize, usize)>,
    /// Where it is computed and may be a text: what its letters may come from.
    pub letters: BTreeSet<Source>,
    /// It is the literal NULL.
    pub null: bool,
    /// It is computed, and may have more digits than people write: a mean, a quotient.
    pub endless: bool,
    /// It is a fraction that `ROUND` rounded.
    pub rounded: bool,
    /// Where it is null, that is because no row met the condition of an aggregate.
    pub empty: bool,
}

impl Typed {
    /// Nothing is known.
    pub fn unknown() -> Typed {
        Typed { nullable: true, ..Typed::default() }
    }

    /// A computed value.
    pub fn of(ty: ValueType, nullable: bool) -> Typed {
        Typed { ty: Some(ty), nullable, ..Typed::default() }
    }

    /// The literal NULL.
    pub fn null() -> Typed {
        Typed { nullable: true, null: true, ..Typed::default() }
    }

    /// Either of two, as in CASE, COALESCE and UNION.
    pub fn or(&self, other: &Typed) -> Typed {
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
        let letters = self.letters().union(&other.letters()).cloned().collect();
        Typed { ty, letters, null: self.null && other.null, ..Typed::default() }.made_of(self, other)
    }

    /// The same, made of two values: null, endless, or rounded where one of them is.
    pub fn made_of(self, left: &Typed, right: &Typed) -> Typed {
        let nullable = left.nullable || right.nullable;
        let empty = |side: &Typed| side.empty || !side.nullable;
        Typed {
            nullable,
            endless: left.endless || right.endless,
            rounded: left.rounded || right.rounded,
            empty: nullable && empty(left) && empty(right),
            ..self
        }
    }

    /// The same, computed: no longer the column itself.
    pub fn computed(self) -> Typed {
        Typed { origin: None, letters: self.letters(), ..self }
    }

    /// What its letters may come from: of a column, that column.
    pub fn letters(&self) -> BTreeSet<Source> {
        let own = self.origin.filter(|_| self.letters.is_empty() && self.may_be_text());
        let own = own.map(|(table, column)| Source { of: Of::Column(table, column), cased: false });
        own.into_iter().chain(self.letters.iter().cloned()).collect()
    }

    /// Whether it may be a text.
    pub fn may_be_text(&self) -> bool {
        matches!(self.ty, None | Some(ValueType::Text))
    }
}

/// A column of a relation or result.
#[derive(Clone, Debug, PartialEq)]
pub struct Column {
    /// Its name.
    pub name: String,
    /// Its values.
    pub value: Typed,
}

/// Something in FROM.
#[derive(Clone, Debug, Default)]
pub struct Relation {
    /// The name it is called by here.
    pub alias: String,
    /// The database that is written before it.
    pub database: Option<String>,
    /// The table of the request that it is.
    pub table: Option<usize>,
    /// Its columns; `None`: not known.
    pub columns: Option<Vec<Column>>,
    /// Columns that a USING or NATURAL join has merged with one to the left.
    pub merged: Vec<usize>,
    /// An outer join may put nulls in its place.
    pub outer: bool,
    /// The least rows it has.
    pub least: u64,
    /// The most, if known.
    pub most: Option<u64>,
    /// Columns of which all together never have the same values twice (nulls aside).
    pub keys: Vec<Vec<usize>>,
    /// Columns that number rows which may tie.
    pub numbered: Vec<Numbered>,
    /// Columns whose values depend on which of several tying rows comes first.
    pub loose: Vec<(usize, Tie)>,
    /// On the right of a LEFT join: the index of the first relation there, else 0. It may be null for some rows of the
    /// relations before that one.
    pub after: usize,
}

/// A column, as (frame, relation, column).
pub type At = (usize, usize, usize);

/// The place of a row's hidden number.
pub const ROW_ID: usize = usize::MAX;

impl Relation {
    /// A table of the request.
    pub fn of_table(tables: &[SqlTable<'_>], index: usize) -> Relation {
        let columns = tables.get(index).map(|table| {
            let typed = table.columns.iter().enumerate().map(|(place, column)| Column {
                name: column.name.to_owned(),
                value: Typed {
                    ty: column.value_type,
                    nullable: column.nullable && !column.primary_key,
                    origin: Some((index, place)),
                    ..Typed::default()
                },
            });
            typed.collect()
        });
        let (mut keys, mut rows) = (vec![vec![ROW_ID]], Bounds::ANY);
        if let Some(table) = tables.get(index) {
            let unique = table.columns.iter().enumerate().filter(|(_, column)| column.primary_key || column.unique);
            keys.extend(unique.map(|(place, _)| vec![place]));
            keys.extend(table.keys.iter().cloned());
            rows = table.rows;
        }
        Relation {
            table: Some(index),
            columns,
            keys,
            least: rows.least,
            most: rows.known_most(),
            ..Relation::default()
        }
    }

    /// The place of a column.
    pub fn column(&self, name: &str) -> Option<usize> {
        self.columns.as_ref()?.iter().position(|column| same(&column.name, name))
    }

    /// The value of a column here.
    pub fn value(&self, place: usize) -> Typed {
        let mut value = self
            .columns
            .as_ref()
            .and_then(|columns| columns.get(place))
            .map_or_else(Typed::unknown, |c| c.value.clone());
        value.nullable |= self.outer;
        value
    }
}

/// One SELECT: what its names can mean.
#[derive(Clone, Debug, Default)]
pub struct Frame {
    /// FROM, in order.
    pub relations: Vec<Relation>,
    /// Names of the output, once they are known.
    pub aliases: Vec<Column>,
    /// It has GROUP BY: no aggregate is over nothing.
    pub grouped: bool,
    /// Aggregates without GROUP BY: one row, even over nothing.
    pub whole: bool,
    /// FROM always gives a row, and WHERE is missing.
    pub some_row: bool,
    /// (relation, column) that are never null after WHERE.
    pub not_null: Vec<(usize, usize)>,
    /// Other expressions that are never null after WHERE.
    pub proved: Vec<Words>,
    /// Expressions that are never null after HAVING.
    pub kept: Vec<Words>,
    /// WHERE asks for more than that something is there: it may leave no row.
    pub filtered: bool,
    /// The current expression is the argument of an aggregate.
    pub in_aggregate: bool,
}

impl Frame {
    /// The value of a column after WHERE.
    pub fn value(&self, relation: usize, place: usize) -> Typed {
        let mut value = self.relations.get(relation).map_or_else(Typed::unknown, |relation| relation.value(place));
        value.nullable &= !self.not_null.contains(&(relation, place));
        if self.over_nothing() && !value.nullable {
            (value.nullable, value.empty) = (true, self.filtered);
        }
        value
    }

    /// Whether what is computed here may be over no row at all.
    fn over_nothing(&self) -> bool {
        self.whole && !self.in_aggregate && !self.some_row
    }

    /// A value of an expression, which a condition may show not to be null.
    pub fn shown(&self, expr: &Expr, value: Typed) -> Typed {
        if !value.nullable || (self.proved.is_empty() && self.kept.is_empty()) {
            return value;
        }
        let words = Words::of(expr);
        let kept = !self.in_aggregate && self.kept.contains(&words);
        let nullable = !kept && (self.over_nothing() || !self.proved.contains(&words));
        Typed { nullable, empty: value.empty && nullable, ..value }
    }
}

/// An expression as it is written, but for brackets around it; outside of quotes, upper and lower case are one.
#[derive(Clone, Debug, Eq)]
pub struct Words(String);

impl Words {
    /// Of an expression.
    pub fn of(mut expr: &Expr) -> Words {
        while let Expr::Nested(inner) = expr {
            expr = inner;
        }
        Words(expr.to_string())
    }
}

impl PartialEq for Words {
    fn eq(&self, other: &Words) -> bool {
        let plain = |words: &Words| !words.0.contains(['\'', '"', '`', '[']);
        self.0 == other.0 || (plain(self) && plain(other) && self.0.eq_ignore_ascii_case(&other.0))
    }
}

/// What a name means.
#[derive(Clone, Debug)]
pub enum Found {
    /// A column: its value, and (frame, relation, column).
    Column(Typed, (usize, usize, usize)),
    /// A name of the output of this frame.
    Alias(Typed, usize),
    /// A row's hidden number: (frame, relation).
    RowId(Typed, (usize, usize)),
    /// It may be a column of something whose columns are not known.
    Perhaps,
    /// Columns of these relations of this frame.
    Ambiguous(usize, Vec<usize>),
    /// No column.
    Missing,
    /// No relation is called so.
    NoRelation,
}

/// Looks a name up, from the innermost SELECT outwards: `column`, `relation.column`, `database.table.column`.
pub fn lookup(frames: &[Frame], parts: &[&str]) -> Found {
    match parts {
        [name] => bare(frames, name),
        [relation, name] => qualified(frames, None, relation, name),
        [database, relation, name] => qualified(frames, Some(database), relation, name),
        _ => Found::Perhaps,
    }
}

fn bare(frames: &[Frame], name: &str) -> Found {
    let mut perhaps = false;
    for (depth, frame) in frames.iter().enumerate().rev() {
        let holds = |relation: &Relation| relation.column(name).filter(|place| !relation.merged.contains(place));
        let holding: Vec<(usize, usize)> = frame
            .relations
            .iter()
            .enumerate()
            .filter_map(|(index, relation)| Some((index, holds(relation)?)))
            .collect();
        match holding.as_slice() {
            [] => {}
            [(relation, place)] => return column(frame, depth, *relation, *place),
            several => return Found::Ambiguous(depth, several.iter().map(|(relation, _)| *relation).collect()),
        }
        if let Some(alias) = frame.aliases.iter().find(|alias| same(&alias.name, name)) {
            return Found::Alias(alias.value.clone(), depth);
        }
        let mut tables = frame.relations.iter().enumerate().filter(|(_, relation)| relation.table.is_some());
        if is_row_id(name)
            && let Some((index, relation)) = tables.next()
        {
            let only = tables.next().is_none();
            return if only { row_id(frame, relation, (depth, index)) } else { Found::Perhaps };
        }
        perhaps |= frame.relations.iter().any(|relation| relation.columns.is_none());
    }
    if perhaps { Found::Perhaps } else { Found::Missing }
}

fn qualified(frames: &[Frame], database: Option<&str>, relation: &str, name: &str) -> Found {
    let mut known = false;
    for (depth, frame) in frames.iter().enumerate().rev() {
        for (index, candidate) in frame.relations.iter().enumerate() {
            let database_fits =
                database.is_none_or(|database| same(candidate.database.as_deref().unwrap_or("main"), database));
            if !same(&candidate.alias, relation) || !database_fits {
                continue;
            }
            known = true;
            if candidate.columns.is_none() {
                return Found::Perhaps;
            }
            if let Some(place) = candidate.column(name) {
                return column(frame, depth, index, place);
            }
            if candidate.table.is_some() && is_row_id(name) {
                return row_id(frame, candidate, (depth, index));
            }
        }
    }
    if known { Found::Missing } else { Found::NoRelation }
}

fn column(frame: &Frame, depth: usize, relation: usize, place: usize) -> Found {
    Found::Column(frame.value(relation, place), (depth, relation, place))
}

fn row_id(frame: &Frame, relation: &Relation, at: (usize, usize)) -> Found {
    let nullable = relation.outer || (frame.whole && !frame.in_aggregate && !frame.some_row);
    Found::RowId(Typed::of(ValueType::Int, nullable), at)
}

fn is_row_id(name: &str) -> bool {
    ["rowid", "oid", "_rowid_"].iter().any(|id| same(id, name))
}
