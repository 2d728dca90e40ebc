//! Atoms and their bounds.

use std::collections::BTreeSet;

use model::suite::Scope;
use sql::terms::Term;

use super::ratio::Ratio;
use super::sum::Sum;
use crate::Expr;
use crate::facts::{Fact, Facts, Row, Slot};

/// The maximum number of atoms of a comparison.
const MAX_ATOMS: usize = 24;

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
    /// Atoms with bounds that have atoms, and those in such bounds.
    related: BTreeSet<usize>,
    /// The sums of computed names and cells that were met.
    pub(super) followed: Vec<(Slot, Option<Sum>)>,
    /// How many of them consist of each other at the moment.
    pub(super) depth: usize,
}

impl<'l, 'a> Atoms<'l, 'a> {
    pub fn new(facts: &'l Facts<'a>) -> Atoms<'l, 'a> {
        Atoms { facts, all: Vec::new(), related: BTreeSet::new(), followed: Vec::new(), depth: 0 }
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
        let (low, high): (Vec<Sum>, Vec<Sum>) = (low.into_iter().collect(), high.into_iter().collect());
        self.note_related(atom, low.iter().chain(&high));
        if let Some(atom) = self.all.get_mut(atom) {
            atom.low.splice(0..0, low);
            atom.high.splice(0..0, high);
        }
    }

    /// Sets the sums of which an atom is one.
    pub fn set_choices(&mut self, atom: usize, values: Vec<Sum>) {
        self.note_related(atom, &values);
        if let Some(atom) = self.all.get_mut(atom) {
            atom.one_of = Some(values);
        }
    }

    /// Whether all that is known of an atom is the least and the greatest number that it can be.
    pub fn is_unrelated(&self, atom: usize) -> bool {
        !self.related.contains(&atom)
    }

    fn note_related<'s>(&mut self, atom: usize, sums: impl IntoIterator<Item = &'s Sum>) {
        for sum in sums {
            self.related.insert(atom);
            self.related.extend(sum.list_atoms());
        }
    }
}
