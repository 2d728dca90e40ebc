//! Questions about an instance that its bundle does not answer: the values of other expressions in place of the expected one, and figures of its tables
//! that no question needs.

use model::Value;
use model::suite::{ColumnId, Expr, RelationId};

/// Questions about an instance.
#[derive(Clone, Copy, Debug, Default)]
pub struct Inquiry<'q> {
    /// Other expressions for values of its answer key.
    pub alternatives: &'q [Expr],
    /// The maximum number of cells whose figures are computed; 0 for no figures.
    pub most_cells: usize,
}

/// The answers to an [`Inquiry`].
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Findings {
    /// The value of each alternative; `None` if it has none.
    pub alternatives: Vec<Option<Value>>,
    /// The figures of its tables.
    pub figures: Vec<Figure>,
}

/// A figure of a whole table, without a filter.
#[derive(Clone, Debug, PartialEq)]
pub struct Figure {
    /// The table.
    pub relation: RelationId,
    /// The column; `None` for the number of rows.
    pub column: Option<ColumnId>,
    /// How it is computed.
    pub measure: Measure,
    /// Its value.
    pub value: Value,
}

/// How a figure is computed from a column.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[allow(missing_docs)]
pub enum Measure {
    Count,
    Sum,
    Mean,
    Min,
    Max,
    First,
    Last,
}

impl Measure {
    /// Its words before the name of a column.
    pub fn phrase(self) -> &'static str {
        match self {
            Measure::Count => "number of",
            Measure::Sum => "sum of",
            Measure::Mean => "mean of",
            Measure::Min => "smallest",
            Measure::Max => "largest",
            Measure::First => "first",
            Measure::Last => "last",
        }
    }
}
