//! The comparisons of a query whose sides are columns, literals, and parameters. Lints compare them with facts about the data. They are recorded while names
//! are resolved, so each column is the one that SQLite reads.

use model::suite::{ColumnId, Op, RelationId};
use model::{Value, span::Span};

use super::scope::At;
use super::terms::Term;

/// A comparison.
#[derive(Clone, Debug, PartialEq)]
pub struct Atom {
    /// The test.
    pub test: Test,
    /// Whether the test is written with NOT.
    pub negated: bool,
    /// The span of the comparison.
    pub span: Span,
    /// All of it.
    pub term: Term,
}

/// The kinds of comparisons.
#[derive(Clone, Debug, PartialEq)]
#[allow(missing_docs)]
pub enum Test {
    /// `a op b`
    Compare(Op, Operand, Operand),
    /// `x BETWEEN low AND high`
    Between { value: Operand, low: Operand, high: Operand },
    /// `x IN (…)`
    In { value: Operand, items: Vec<Operand> },
    /// `x LIKE 'text'`
    Like { value: Operand, text: String, pattern: Span },
    /// `CASE x WHEN item`
    When { value: Operand, item: Operand },
    /// `x IS NULL`; negated: `x IS NOT NULL`
    Null { value: Operand },
    /// Any other condition.
    Other { value: Operand },
}

/// A side of a comparison.
#[derive(Clone, Debug, PartialEq)]
pub struct Operand {
    /// Its value.
    pub value: Side,
    /// Its span.
    pub span: Span,
}

/// The value of a side.
#[derive(Clone, Debug, PartialEq)]
pub enum Side {
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
    /// A literal.
    Literal(Value),
    /// `:name`
    Param(String),
    /// A computed value.
    Computed(Box<Term>),
    /// Anything else.
    Other,
}

/// A comparison in a conjunction, with the column that it bounds.
#[derive(Clone, Debug, PartialEq)]
pub struct Bounded {
    /// The compared value; equal only for the same value of the same row.
    pub term: Term,
    /// Where it is written.
    pub column: Operand,
    /// The span of the comparison.
    pub span: Span,
    /// The span with each NOT before the comparison.
    pub whole: Span,
    /// Pairs of an operator and values: the column must compare true with at least one of the values, for each pair.
    pub bounds: Vec<(Op, Vec<Operand>)>,
}

/// `julianday(a) - julianday(b)`
#[derive(Clone, Debug, PartialEq)]
pub struct Difference {
    /// The minuend.
    pub later: Operand,
    /// The subtrahend.
    pub earlier: Operand,
    /// All of it.
    pub term: Term,
}

/// The comparisons of a query.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Predicates {
    /// All comparisons, in the order of the text.
    pub atoms: Vec<Atom>,
    /// Those of which null and false are told apart, as in `(N = 3) IS NULL`.
    pub nulls_told: Vec<Span>,
    /// The comparisons in each conjunction.
    pub conjunctions: Vec<Vec<Bounded>>,
    /// The opposites of the comparisons in each disjunction.
    pub disjunctions: Vec<Vec<Bounded>>,
    /// The conditions of each CASE, in order.
    pub cases: Vec<Vec<Option<Bounded>>>,
    /// Differences of two moments.
    pub differences: Vec<Difference>,
}

impl Operand {
    /// Its value as a term.
    pub fn to_term(&self) -> Term {
        match &self.value {
            Side::Column { relation, column, nullable, at } => {
                Term::Column { relation: *relation, column: *column, nullable: *nullable, at: *at }
            }
            Side::Literal(Value::Decimal(value)) => Term::Literal(Value::Float(value.to_f64())),
            Side::Literal(value) => Term::Literal(value.clone()),
            Side::Param(name) => Term::Param(name.clone()),
            Side::Computed(term) => term.as_ref().clone(),
            Side::Other => Term::Unknown,
        }
    }
}
