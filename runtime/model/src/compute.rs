//! The compiler's interface to the evaluator of instances, which the crate `runtime/` implements.

use std::sync::Arc;

use crate::failure::Failure;
use crate::suite::{ColumnId, Expr};
use crate::value::RowSet;
use crate::{Plan, Value, ValueType};

/// Computes expressions that no draw affects, with the same code as for instances.
pub trait Compute: Sync {
    /// Evaluates expressions of a task. Subtracts the work of their queries from the budget.
    fn evaluate_fixed(&self, plan: &Plan, task: usize, wanted: &[Expr], budget: &mut Budget) -> Vec<Evaluation>;
    /// Makes one sample of a task; returns the failure if that is impossible.
    fn try_sample(&self, plan: &Plan, task: usize) -> Option<Failure>;
    /// Runs queries that are data on all cores, in no defined order, each on the database with the given bytes. `look` receives the index of the
    /// query in `asked`, its result, and a function that runs further queries on the same database. Results are not kept, because all of them
    /// together may be large.
    fn run_queries(&self, asked: &[GoldQuery<'_>], look: &ResultVisitor<'_>);
    /// Creates a table with this number of columns and rows, in which no column is known yet.
    fn new_table(&self, columns: usize, rows: usize) -> Box<dyn Rows>;
}

/// The remaining work for a suite's queries during a check, in steps of SQLite. It depends only on the source, not on the machine or on cached results.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Budget {
    /// Number of remaining steps.
    pub left: u64,
}

impl Budget {
    /// The budget of one check.
    pub const CHECK: Budget = Budget { left: 600_000_000 };

    /// Subtracts steps, down to 0.
    pub fn spend_steps(&mut self, steps: u64) {
        self.left = self.left.saturating_sub(steps);
    }
}

/// A query that is data.
#[derive(Clone, Copy, Debug)]
pub struct GoldQuery<'a> {
    /// The database.
    pub database: &'a Arc<[u8]>,
    /// The query.
    pub sql: &'a str,
}

/// The function that receives the result of each query.
pub type ResultVisitor<'a> = dyn Fn(usize, &GoldResult, &dyn Fn(&str) -> GoldResult) + Sync + 'a;

/// The result of a query, or SQLite's error message.
pub type GoldResult = Result<Arc<Gold>, String>;

/// The rows of a query that is data.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Gold {
    /// Column names and rows, as SQLite returns them.
    pub rows: RowSet,
    /// The type of each column's values; `None` if they have several types, or all are null.
    pub types: Vec<Option<ValueType>>,
}

/// The rows of a table in which formulas are evaluated.
pub trait Rows {
    /// Sets the known values of a column.
    fn set_column(&mut self, column: ColumnId, known: &Known);
    /// Evaluates an expression in each row; fails at the first row without a value. The columns that the expression reads must be known.
    fn evaluate_rows(&self, expr: &Expr) -> Result<Vec<Value>, FailedRow>;
}

/// The result of evaluating an expression.
#[derive(Clone, Debug, PartialEq)]
pub enum Evaluation {
    /// The values in all cells of the axes.
    Values(Vec<Value>),
    /// A failure with which every build of an instance would end.
    Fails(Box<Failure>),
    /// Unknown: it depends on a draw or on a part that only a build makes, or one of its queries exceeds the limit of a check.
    Unknown,
    /// Its queries, including those of the parts it needs, exceed the rest of the budget.
    TooMuch,
}

/// A column whose values are known.
#[derive(Clone, Debug)]
pub struct Known {
    /// Their type.
    pub value_type: ValueType,
    /// One for each row.
    pub values: Arc<[Value]>,
}

/// A row in which an evaluation failed.
#[derive(Clone, Debug, PartialEq)]
pub struct FailedRow {
    /// Index of the row, from 0.
    pub row: usize,
    /// The failure.
    pub why: Box<Failure>,
}
