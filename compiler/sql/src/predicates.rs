//! The comparisons of a query whose sides are columns, literals, and parameters. Lints compare them with facts about the data. They are recorded while names
//! are resolved, so each column is the one that SQLite reads.

use model::suite::{ColumnId, Op, RelationId};
use model::{Value, span::Span};

use super::scope::At;

/// A comparison.
#[derive(Clone, Debug, PartialEq)]
pub struct Atom {
    /// The test.
    pub test: Test,
    /// Whether the test is written with NOT.
    pub negated: bool,
    /// The span of the comparison.
    pub span: Span,
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
    },
    /// A literal.
    Literal(Value),
    /// `:name`
    Param(String),
    /// Anything else.
    Other,
}

/// A comparison in a conjunction, with the column that it bounds.
#[derive(Clone, Debug, PartialEq)]
pub struct Bounded {
    /// The column in the query; equal for the same column of the same row only.
    pub at: At,
    /// The column.
    pub column: Operand,
    /// The span of the comparison.
    pub span: Span,
    /// Pairs of an operator and values: the column must compare true with at least one of the values, for each pair.
    pub bounds: Vec<(Op, Vec<Operand>)>,
}

/// The comparisons of a query.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Predicates {
    /// All comparisons, in the order of the text.
    pub atoms: Vec<Atom>,
    /// The comparisons in each conjunction.
    pub conjunctions: Vec<Vec<Bounded>>,
}
