//! The work of an instance, in units that are the same on every machine, for callers that make instances only if they are cheap. Tables count before
//! they are made; expressions count the rows, nodes, and items that they look at, and end as soon as nothing is left.

use std::cell::Cell;

use model::suite::{Relation, Rows};
use model::value::group_digits;
use model::{Val, Value};

use super::failures::{Res, fail};
use crate::failure::FailureKind;

/// The work of one drawn or computed cell of a table. A step of SQLite is 1.
const CELL: u64 = 8;

/// The number of given cells that count as one unit: they are shared by all instances.
const GIVEN_CELLS: u64 = 4;

/// The work of one attempt at a sample, without its tables and queries.
const ATTEMPT: u64 = 500;

/// The number of bytes of a rendered file that count as one unit.
const BYTES: u64 = 8;

/// The work of one row that an expression looks at: to see whether a filter accepts it, or to take a value from it.
pub(crate) const ROW: u64 = 4;

/// The work of one node that a path visits.
pub(crate) const NODE: u64 = 2;

/// The number of bytes of a text that an expression reads or writes that count as one unit.
const READ_BYTES: u64 = 64;

/// Computes the work of reading or writing a text in an expression.
pub(crate) fn compute_text_work(text: &str) -> u64 {
    text.len() as u64 / READ_BYTES
}

/// Computes the work of looking at all of a value: at each item of a list, or at each byte of a text.
pub(crate) fn compute_value_work(value: &Val<'_>) -> u64 {
    match (value.as_text(), value.as_value()) {
        (Some(text), _) => compute_text_work(text),
        (None, Some(Value::List(items))) => items.len() as u64,
        (None, Some(Value::Rows(set))) => set.rows.len() as u64 * set.columns.len() as u64,
        (None, Some(Value::Object(fields))) => fields.len() as u64,
        _ => 0,
    }
}

/// Counts the work of instances. Queries are not counted: SQLite counts its own steps ([`sqlite::StepBudget`]).
#[derive(Debug)]
pub struct WorkMeter {
    left: Cell<u64>,
}

impl WorkMeter {
    /// Why an instance has no work left.
    pub const NOTHING_LEFT: &str = "its expressions look at too many rows, nodes, or items";

    /// Creates a meter that allows this much work.
    pub fn with_limit(limit: u64) -> WorkMeter {
        WorkMeter { left: Cell::new(limit) }
    }

    /// Returns the remaining work.
    pub fn left(&self) -> u64 {
        self.left.get()
    }

    /// Counts work. If it exceeds what is left, nothing is spent, and the failure says `what` is too large.
    fn spend(&self, work: u64, what: impl FnOnce() -> String) -> Res<()> {
        match self.left.get().checked_sub(work) {
            Some(left) => {
                self.left.set(left);
                Ok(())
            }
            None => fail(FailureKind::TooMuchWork, what()),
        }
    }

    /// Counts work of an expression. Returns whether more than that was left; otherwise nothing is left, and what the expression gives is void.
    pub(crate) fn try_spend(&self, work: u64) -> bool {
        let left = self.left.get();
        self.left.set(left.saturating_sub(work));
        work < left
    }

    /// Counts work of an expression, and fails if nothing is left after it.
    pub(crate) fn count_expression(&self, work: u64) -> Res<()> {
        if self.try_spend(work) {
            return Ok(());
        }
        fail(FailureKind::TooMuchWork, WorkMeter::NOTHING_LEFT)
    }

    /// Counts an attempt at a sample.
    pub(crate) fn count_attempt(&self, attempt: u32) -> Res<()> {
        self.spend(ATTEMPT, || format!("{} draws that `require` rejects", group_digits(u64::from(attempt))))
    }

    /// Counts the rows of a table before they are made.
    pub(crate) fn count_table(&self, relation: &Relation, rows: usize) -> Res<()> {
        let cells = (rows as u64).saturating_mul(relation.columns.len().max(1) as u64);
        let work = match relation.rows {
            Rows::Given(_) => cells / GIVEN_CELLS,
            _ => cells.saturating_mul(CELL),
        };
        self.spend(work, || format!("{} rows", group_digits(rows as u64)))
    }

    /// Counts the bytes of a file.
    pub(crate) fn count_file(&self, bytes: u64) -> Res<()> {
        self.spend(bytes / BYTES, || format!("a file of {} bytes", group_digits(bytes)))
    }
}
