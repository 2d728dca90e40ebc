//! The work of an instance, in units that are the same on every machine, for callers that make instances only if they are cheap.

use std::cell::Cell;

use model::suite::{Relation, Rows};
use model::value::group_digits;

use super::failures::{Res, fail};
use super::rendered::Rendered;
use crate::failure::FailureKind;

/// The work of one drawn or computed cell of a table. A step of SQLite is 1.
const CELL: u64 = 8;

/// The number of given cells that count as one unit: they are shared by all instances.
const GIVEN_CELLS: u64 = 4;

/// The work of one attempt at a sample, without its tables and queries.
const ATTEMPT: u64 = 500;

/// The number of bytes of a rendered file that count as one unit.
const BYTES: u64 = 8;

/// Counts the work of instances. Queries are not counted: SQLite counts its own steps ([`sqlite::StepBudget`]).
#[derive(Debug)]
pub struct WorkMeter {
    left: Cell<u64>,
}

impl WorkMeter {
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
    pub(crate) fn count_file(&self, rendered: &Rendered) -> Res<()> {
        let bytes = rendered.estimate_bytes() as u64;
        self.spend(bytes / BYTES, || format!("a file of {} bytes", group_digits(bytes)))
    }
}
