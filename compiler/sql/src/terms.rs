//! The expressions of a query as far as their possible values can be inferred: names are resolved, and what is not understood is [`Term::Unknown`].

use std::collections::BTreeSet;
use std::sync::Arc;

use model::Value;
use model::suite::{ColumnId, Op, RelationId};

use super::scope::At;
use syntax::bounds::Bounds;

/// An expression of a query.
#[derive(Clone, Debug, PartialEq)]
pub enum Term {
    /// Not understood, or nothing is known of its values.
    Unknown,
    /// A column of a table, unchanged.
    Column {
        /// The relation of the table.
        relation: RelationId,
        /// Its column.
        column: ColumnId,
        /// Whether an outer join, or the column itself, may produce a null.
        nullable: bool,
        /// The column in the query; equal for the same column of the same row only.
        at: At,
    },
    /// A column of a subquery or of a table of WITH.
    Cell {
        /// The column in the query.
        at: At,
        /// The expression of the subquery.
        of: Arc<Term>,
        /// Whether an outer join, or a subquery without rows, may produce a null.
        nullable: bool,
    },
    /// A literal.
    Literal(Value),
    /// `:name`
    Param(String),
    /// A call of a function of values, by its name in lower case.
    Call(String, Vec<Term>),
    /// An operator on numbers or texts.
    Operator(Operator, Box<(Term, Term)>),
    /// `-x`
    Negative(Box<Term>),
    /// `CAST(x AS …)`
    Cast(Affinity, Box<Term>),
    /// `CASE`, each condition complete: `x = 1` for `CASE x WHEN 1`.
    Case(Vec<(Term, Term)>, Box<Term>),
    /// An aggregate or a function of a window.
    Gathered(Gathered),
    /// `a op b`
    Compare(Op, Box<(Term, Term)>),
    /// `a IS b`
    Is(Box<(Term, Term)>),
    /// `x IN (…)`
    In(Box<Term>, Vec<Term>),
    /// `x IN (SELECT …)`: the values are some of those of the second term, or none.
    InQuery(Box<(Term, Term)>),
    /// `x LIKE pattern`, `x GLOB pattern`
    Match {
        /// The text.
        text: Box<Term>,
        /// The pattern.
        pattern: Box<Term>,
        /// How the pattern is read.
        kind: MatchKind,
    },
    /// `a AND b`
    And(Box<(Term, Term)>),
    /// `a OR b`
    Or(Box<(Term, Term)>),
    /// `NOT a`
    Not(Box<Term>),
}

/// An operator on numbers or texts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum Operator {
    Add,
    Subtract,
    Multiply,
    Divide,
    Remainder,
    Concatenate,
    BitAnd,
    BitOr,
    ShiftLeft,
    ShiftRight,
}

/// The class to which CAST converts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum Affinity {
    Integer,
    Real,
    Text,
}

/// How the pattern of a comparison is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MatchKind {
    /// `LIKE`, with the character of ESCAPE.
    Like(Option<char>),
    /// `GLOB`
    Glob,
}

/// The value of an aggregate, or of a function of a window.
#[derive(Clone, Debug, PartialEq)]
pub enum Gathered {
    /// A number of rows, or the number of a row.
    Count(Bounds, Counted),
    /// One of the values of the term.
    Picked {
        /// The term.
        of: Box<Term>,
        /// Whether it is null for an empty set of values.
        nullable: bool,
        /// Which of the values it is.
        which: Which,
        /// The rows.
        over: Over,
    },
    /// A mean of the values of the term, or null where there are none.
    Mean(Box<Term>, bool, Over),
    /// The sum of one to `most` values of the term, or null where there are none.
    Sum {
        /// The term.
        of: Box<Term>,
        /// The maximum number of values.
        most: u64,
        /// The values, or more than these, if all rows are written out; otherwise empty.
        written: Vec<Term>,
        /// Whether it may have no values.
        nullable: bool,
        /// The rows.
        over: Over,
    },
    /// A number between 0 and 1.
    Share,
}

/// What is counted in a group of rows.
#[derive(Clone, Debug, PartialEq)]
pub enum Counted {
    /// All rows.
    Rows,
    /// The values of a term that are not null.
    Values(Box<Term>),
    /// The different values of a term.
    Different(Box<Term>),
    /// Anything else, for example the rows before one.
    Other,
}

/// Which of several values one is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Which {
    /// The least.
    Least,
    /// The greatest.
    Greatest,
    /// One that is at most the value of the own row: `FIRST_VALUE(x) OVER (ORDER BY x)`.
    NotAbove,
    /// One that is at least the value of the own row.
    NotBelow,
    /// One of a row before the own, in the ascending order of these values: `LAG(x) OVER (ORDER BY x)`.
    Before,
    /// One of a row after it.
    After,
    /// Any of them.
    Any,
}

/// The rows over which an aggregate or a function of a window is computed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Over {
    /// The rows of a group of its SELECT.
    Group,
    /// All rows of the only table of its SELECT.
    Table,
    /// Rows of the only table of its SELECT, among them the own row.
    Window,
    /// Other rows.
    Other,
}

impl Term {
    /// The literal NULL.
    pub const NULL: Term = Term::Literal(Value::Null);

    /// Builds a pair.
    pub(super) fn pair(left: Term, right: Term) -> Box<(Term, Term)> {
        Box::new((left, right))
    }

    /// Visits it and all terms within.
    pub fn visit<'t>(&'t self, visit: &mut dyn FnMut(&'t Term)) {
        visit(self);
        match self {
            Term::Unknown | Term::Column { .. } | Term::Literal(_) | Term::Param(_) => {}
            Term::Cell { of, .. } => of.visit(visit),
            Term::Call(_, args) => args.iter().for_each(|arg| arg.visit(visit)),
            Term::Operator(_, sides)
            | Term::Compare(_, sides)
            | Term::Is(sides)
            | Term::InQuery(sides)
            | Term::And(sides)
            | Term::Or(sides) => {
                sides.0.visit(visit);
                sides.1.visit(visit);
            }
            Term::Negative(inner) | Term::Cast(_, inner) | Term::Not(inner) => inner.visit(visit),
            Term::Case(branches, otherwise) => {
                for (condition, result) in branches {
                    condition.visit(visit);
                    result.visit(visit);
                }
                otherwise.visit(visit);
            }
            Term::Gathered(gathered) => gathered.visit(visit),
            Term::In(value, items) => {
                value.visit(visit);
                items.iter().for_each(|item| item.visit(visit));
            }
            Term::Match { text, pattern, .. } => {
                text.visit(visit);
                pattern.visit(visit);
            }
        }
    }

    /// Whether it contains a part that is not understood.
    pub fn has_unknown(&self) -> bool {
        let mut unknown = false;
        self.visit(&mut |term| unknown |= *term == Term::Unknown);
        unknown
    }

    /// The only column of a table that it reads.
    pub fn find_only_column(&self) -> Option<(RelationId, ColumnId)> {
        let mut columns = Vec::new();
        self.visit(&mut |term| {
            if let Term::Column { relation, column, .. } = term {
                columns.push((*relation, *column));
            }
        });
        let first = *columns.first()?;
        columns.iter().all(|column| *column == first).then_some(first)
    }

    /// Whether its value stays the same if these columns may have other values, and these tables other rows.
    pub fn is_unchanged(&self, columns: &BTreeSet<(RelationId, ColumnId)>, tables: &BTreeSet<RelationId>) -> bool {
        let mut is_unchanged = true;
        self.visit(&mut |term| match term {
            Term::Column { relation, column, .. } => is_unchanged &= !columns.contains(&(*relation, *column)),
            Term::Gathered(_) => is_unchanged &= tables.is_empty(),
            _ => {}
        });
        is_unchanged
    }

    /// Whether its value depends on rows.
    pub fn is_of_rows(&self) -> bool {
        let mut reads = false;
        self.visit(&mut |term| reads |= matches!(term, Term::Column { .. } | Term::Gathered(_)));
        reads
    }
}

impl Which {
    /// The same on the other side of the own row.
    pub(super) fn invert(self) -> Which {
        match self {
            Which::Least => Which::Greatest,
            Which::Greatest => Which::Least,
            Which::NotAbove => Which::NotBelow,
            Which::NotBelow => Which::NotAbove,
            Which::Before => Which::After,
            Which::After => Which::Before,
            Which::Any => Which::Any,
        }
    }

    /// The same, where the value can be that of the own row.
    pub fn with_own_row(self) -> Which {
        match self {
            Which::Before => Which::NotAbove,
            Which::After => Which::NotBelow,
            other => other,
        }
    }
}

impl Gathered {
    fn visit<'t>(&'t self, visit: &mut dyn FnMut(&'t Term)) {
        match self {
            Gathered::Count(..) | Gathered::Share => {}
            Gathered::Picked { of, .. } | Gathered::Mean(of, ..) => of.visit(visit),
            Gathered::Sum { of, written, .. } => {
                of.visit(visit);
                written.iter().for_each(|value| value.visit(visit));
            }
        }
    }
}
