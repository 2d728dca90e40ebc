//! How much of a reply is read: one with far more values than are expected cannot be right.

use std::cell::Cell;

use records::Reason;

use crate::finding::Finding;

/// So many times as many values as are expected are read …
const TIMES: usize = 100;
/// … and this number more.
const MORE: usize = 10_000;

/// A number of values that are read at most.
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

    /// For an answer of this number of values.
    pub fn from_expected(expected: u64) -> Limit {
        let expected = usize::try_from(expected).unwrap_or(usize::MAX);
        let most = expected.saturating_mul(TIMES).saturating_add(MORE);
        Limit { most, left: Cell::new(most), met: Cell::new(false) }
    }

    /// Counts a value; why no more are read, if it is one too many.
    pub fn take_value(&self) -> Result<(), String> {
        self.take_all(1)
    }

    /// Counts several values.
    pub fn take_all(&self, count: usize) -> Result<(), String> {
        match self.left.get().checked_sub(count) {
            Some(left) => {
                self.left.set(left);
                Ok(())
            }
            None => {
                self.met.set(true);
                Err(format!("more than {} values", self.most))
            }
        }
    }

    /// How many values may still be read.
    pub fn left(&self) -> usize {
        self.left.get()
    }

    /// Forgets values that have been counted and are not kept.
    pub fn give_back(&self, count: usize) {
        self.left.set(self.left.get().saturating_add(count).min(self.most));
    }

    /// What is said where it is met.
    pub fn build_finding(&self) -> Option<Finding> {
        self.met.get().then(|| Finding::wrong(Reason::TooLarge, format!("at most {} values", self.most), "more"))
    }
}
