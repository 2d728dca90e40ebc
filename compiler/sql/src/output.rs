//! The result of a query, and the use of its rows.

use sqlparser::ast::Expr;

use super::made::Made;
use super::scope::{Column, ExprType, Numbered, Place, Tie};
use super::terms::Term;

/// The result of a query.
#[derive(Clone, Debug, Default)]
pub struct Output {
    /// `None`: not known.
    pub columns: Option<Vec<Column>>,
    /// The minimum number of rows.
    pub least: u64,
    /// The maximum number of rows, if it is known.
    pub most: Option<u64>,
    /// Sets of columns that are unique together, ignoring nulls.
    pub keys: Vec<Vec<usize>>,
    /// Whether its rows are in the order of an ORDER BY of its own, or of the only subquery that it reads.
    pub sorted: bool,
    /// Columns with numbers of rows that may tie.
    pub numbered: Vec<Numbered>,
    /// Columns whose values depend on the order of tied rows.
    pub loose: Vec<(usize, Tie)>,
    /// How its rows were made.
    pub made: Made,
    /// The terms of the values of each row, if all rows are written out.
    pub written: Option<Vec<Vec<Term>>>,
    /// The names of the columns of all parts of a set operation.
    pub names: Vec<String>,
}

impl Output {
    /// The value of its first column.
    pub fn take_first_value(self) -> ExprType {
        self.columns
            .and_then(|columns| columns.into_iter().next())
            .map_or_else(ExprType::unknown, |column| column.value)
    }
}

/// An output column, and the (relation, column) that it plainly is.
pub type Projected = (Column, Option<Place>);

/// A table of WITH.
#[derive(Clone, Debug)]
pub struct Cte {
    pub name: String,
    pub output: Output,
}

/// A LIMIT clause.
#[derive(Clone, Copy)]
pub struct Limit<'s> {
    /// Its expression.
    pub expr: &'s Expr,
    /// The maximum number of rows, if it is a literal.
    pub most: Option<u64>,
}

/// The use of a query's rows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Use {
    /// Their order does not matter, but their content does.
    #[default]
    Bag,
    /// Only their existence or their number matters: EXISTS, `SELECT COUNT(*) FROM (…)`.
    Counted,
    /// They are the result of the whole query; the caller decides whether their order matters.
    Given,
}

/// The LIMIT and the use of the rows of a SELECT.
#[derive(Default)]
pub struct Taken<'t> {
    pub limit: Option<Limit<'t>>,
    pub becomes: Use,
}
