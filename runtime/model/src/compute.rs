//! What the compiler asks of the evaluator that makes instances. The crate `runtime/` answers.

use std::sync::Arc;

use crate::failure::Failure;
use crate::suite::{ColumnId, Expr};
use crate::value::RowSet;
use crate::{Plan, Value, ValueType};

/// Computes what depends on no draw, as when instances are made.
pub trait Compute: Sync {
    /// What expressions of a task are. Takes the work of their queries from the budget.
    fn evaluate_fixed(&self, plan: &Plan, task: usize, wanted: &[Expr], budget: &mut Budget) -> Vec<Evaluation>;
    /// Makes one sample of a task: why that cannot be done.
    fn try_sample(&self, plan: &Plan, task: usize) -> Option<Failure>;
    /// Runs queries that are data, each on a database that is given by its bytes, on all cores and in no order. `look` gets the place of the query in `asked`,
    /// its result, and what runs further queries on the same database. No result is kept for longer: all of them may be large.
    fn run_queries(&self, asked: &[GoldQuery<'_>], look: &ResultVisitor<'_>);
    /// A table of this number of columns and rows, of whose columns none is known yet.
    fn new_table(&self, columns: usize, rows: usize) -> Box<dyn Rows>;
}

/// The work that the queries of a suite may still take while it is checked, in steps of SQLite: the same for the same source, whatever the machine, and
/// whatever is known already.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Budget {
    /// Steps.
    pub left: u64,
}

impl Budget {
    /// Of one check.
    pub const CHECK: Budget = Budget { left: 600_000_000 };

    /// Takes steps. If that is all of them or more, nothing is left.
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

/// What is done with the result of each query.
pub type ResultVisitor<'a> = dyn Fn(usize, &GoldResult, &dyn Fn(&str) -> GoldResult) + Sync + 'a;

/// What it gives, or why it gives nothing, in SQLite's words.
pub type GoldResult = Result<Arc<Gold>, String>;

/// The rows of a query that is data.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Gold {
    /// Names and rows, as SQLite gives them.
    pub rows: RowSet,
    /// Of each column the type of its values; `None` where they are of several types, or all null.
    pub types: Vec<Option<ValueType>>,
}

/// The rows of a table, of which formulas are computed one after another.
pub trait Rows {
    /// From now on, the values of a column are known.
    fn set_column(&mut self, column: ColumnId, known: &Known);
    /// The value of an expression in each row; fails at the first that has none. The columns that the expression reads are known.
    fn evaluate_rows(&self, expr: &Expr) -> Result<Vec<Value>, FailedRow>;
}

/// What an expression is.
#[derive(Clone, Debug, PartialEq)]
pub enum Evaluation {
    /// Its value in every cell of the axes.
    Values(Vec<Value>),
    /// No instance can be made: what a build says of it.
    Fails(Box<Failure>),
    /// It depends on a draw, or on what only a build makes, or takes longer than one query of a check may.
    Unknown,
    /// Its queries, with those of what is computed with it, take more than is left of the budget.
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

/// A row in which an expression has no value.
#[derive(Clone, Debug, PartialEq)]
pub struct FailedRow {
    /// From 0.
    pub row: usize,
    /// Why.
    pub why: Box<Failure>,
}
