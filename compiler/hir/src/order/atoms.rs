//! Atoms and their bounds.

use model::suite::Scope;
use sql::terms::Term;

use super::ratio::Ratio;
use super::sum::Sum;
use crate::Expr;
use crate::facts::{Fact, Facts, Row, Slot};

/// The maximum number of atoms of a comparison.
const MAX_ATOMS: usize = 24;

/// The maximum number of parts of the expressions of a comparison.
const MAX_PARTS: usize = 2000;

/// The rows of an expression: the current row, and the one for which a filter checks candidates.
pub type Rows = (Option<Row>, Option<Row>);

/// What an atom is. Equal ones have the same value.
#[derive(Clone, Debug, PartialEq)]
pub enum Key {
    /// A name or cell.
    Slot(Slot),
    /// A call in these rows, without spans.
    Call(Expr, Rows),
    /// An aggregate of a query.
    Gathered(Term),
}

/// A value that is not computed from others by a sum.
pub struct Atom {
    pub key: Key,
    /// Sums that are at most its value.
    pub low: Vec<Sum>,
    /// Sums that are at least its value.
    pub high: Vec<Sum>,
    /// Sums of which its value is one.
    pub one_of: Option<Vec<Sum>>,
}

/// The atoms of a comparison.
pub struct Atoms<'l, 'a> {
    pub facts: &'l Facts<'a>,
    pub all: Vec<Atom>,
    /// How many parts of expressions were looked at.
    parts: usize,
}

impl<'l, 'a> Atoms<'l, 'a> {
    pub fn new(facts: &'l Facts<'a>) -> Atoms<'l, 'a> {
        Atoms { facts, all: Vec::new(), parts: 0 }
    }

    /// Counts a part of an expression. `None` if there are too many.
    pub fn count_part(&mut self) -> Option<()> {
        self.parts += 1;
        (self.parts <= MAX_PARTS).then_some(())
    }

    /// The rows of an expression of this scope.
    pub fn find_rows(&self, scope: Scope) -> Rows {
        (scope.row.map(|_| Row::Current), scope.outer.map(|_| Row::Outer))
    }

    /// The index of an atom that was met.
    pub fn find(&self, key: &Key) -> Option<usize> {
        self.all.iter().position(|atom| atom.key == *key)
    }

    /// Adds an atom with the bounds of a fact.
    pub fn add(&mut self, key: Key, fact: &Fact<'_>) -> Option<usize> {
        if self.all.len() >= MAX_ATOMS {
            return None;
        }
        let (low, high) = fact.range.as_ref().map_or((None, None), |(low, high)| {
            (Ratio::from_value(low).map(Sum::from_number), Ratio::from_value(high).map(Sum::from_number))
        });
        self.all.push(Atom { key, low: low.into_iter().collect(), high: high.into_iter().collect(), one_of: None });
        Some(self.all.len() - 1)
    }

    /// Sets bounds of an atom.
    pub fn bound(&mut self, atom: usize, low: impl IntoIterator<Item = Sum>, high: impl IntoIterator<Item = Sum>) {
        if let Some(atom) = self.all.get_mut(atom) {
            atom.low.splice(0..0, low);
            atom.high.splice(0..0, high);
        }
    }
}
