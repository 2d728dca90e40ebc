//! Limits how much of a reply is read: one with far more values than expected cannot be correct.

use std::cell::Cell;

use records::Reason;

use super::Unreadable;
use crate::finding::Finding;

/// The limit is this number of times the expected number of values …
const TIMES: usize = 100;
/// … plus this number.
const MORE: usize = 10_000;

/// A limit on the number of values that are read.
pub struct Limit {
    most: usize,
    left: Cell<usize>,
    met: Cell<bool>,
}

impl Limit {
    /// No limit.
    pub fn without_bound() -> Limit {
        Limit { most: usize::MAX, left: Cell::new(usize::MAX), met: Cell::new(false) }
    }

    /// Creates the limit for an answer with this number of values.
    pub fn from_expected(expected: u64) -> Limit {
        let expected = usize::try_from(expected).unwrap_or(usize::MAX);
        let most = expected.saturating_mul(TIMES).saturating_add(MORE);
        Limit { most, left: Cell::new(most), met: Cell::new(false) }
    }

    /// Counts a value. Returns an error beyond the limit.
    pub fn take_value(&self) -> Result<(), Unreadable> {
        self.take_all(1)
    }

    /// Counts several values. Returns an error beyond the limit.
    pub fn take_all(&self, count: usize) -> Result<(), Unreadable> {
        match self.left.get().checked_sub(count) {
            Some(left) => {
                self.left.set(left);
                Ok(())
            }
            None => {
                self.met.set(true);
                Err(Unreadable::TooManyValues(self.most))
            }
        }
    }

    /// Returns the number of values that can still be read.
    pub fn left(&self) -> usize {
        self.left.get()
    }

    /// Uncounts values that are discarded.
    pub fn give_back(&self, count: usize) {
        self.left.set(self.left.get().saturating_add(count).min(self.most));
    }

    /// Returns the finding if the limit was exceeded.
    pub fn build_finding(&self) -> Option<Finding> {
        self.met.get().then(|| Finding::wrong(Reason::TooLarge, format!("at most {} values", self.most), "more"))
    }
}
