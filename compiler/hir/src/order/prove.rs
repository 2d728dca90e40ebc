//! The search for a proof: atoms are replaced with their bounds.

use std::cell::Cell;
use std::cmp::Ordering;

use super::atoms::Atoms;
use super::ratio::Ratio;
use super::sum::Sum;

/// The maximum number of sums that are looked at.
const MAX_STEPS: usize = 400;

/// The maximum number of replacements after each other.
const MAX_DEPTH: usize = 8;

/// Whether a sum must be below 0, and not 0.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Strict {
    Yes,
    No,
}

/// Whether a sum is at most 0, whatever the values of its atoms.
pub fn is_at_most_zero(atoms: &Atoms<'_, '_>, sum: &Sum, strict: Strict) -> bool {
    Search { atoms, strict, steps: Cell::new(MAX_STEPS) }.proves(sum, MAX_DEPTH)
}

/// A number that a sum never exceeds: the smallest one that is found.
pub fn find_most(atoms: &Atoms<'_, '_>, sum: &Sum) -> Option<Ratio> {
    Search { atoms, strict: Strict::No, steps: Cell::new(MAX_STEPS) }.find_most(sum, MAX_DEPTH)
}

struct Search<'s, 'l, 'a> {
    atoms: &'s Atoms<'l, 'a>,
    strict: Strict,
    steps: Cell<usize>,
}

impl Search<'_, '_, '_> {
    fn proves(&self, sum: &Sum, depth: usize) -> bool {
        self.replace_unrelated(sum).is_some_and(|sum| self.holds(&sum, depth))
    }

    /// A sum without the atoms that are related to no other: each is replaced with the number that makes the sum greatest. `None` if there is none.
    fn replace_unrelated(&self, sum: &Sum) -> Option<Sum> {
        let is_alone = |atom: usize| sum.products().filter(|(atoms, _)| atoms.contains(&atom)).count() == 1;
        let mut rest = sum.clone();
        for (atoms, factor) in sum.products() {
            let [only] = *atoms else { continue };
            if !self.atoms.is_unrelated(only) || !is_alone(only) {
                continue;
            }
            let atom = self.atoms.all.get(only)?;
            let bound = if factor.sign().is_gt() { atom.high.first() } else { atom.low.first() };
            let greatest = bound?.as_number()?.multiply(factor)?;
            rest = rest.without(atoms).add(&Sum::from_number(greatest))?;
        }
        Some(rest)
    }

    fn holds(&self, sum: &Sum, depth: usize) -> bool {
        if let Some(number) = sum.as_number() {
            return match self.strict {
                Strict::Yes => number.sign().is_lt(),
                Strict::No => number.sign().is_le(),
            };
        }
        let left = self.steps.get();
        if left == 0 || depth == 0 {
            return false;
        }
        self.steps.set(left - 1);
        // The bounds of atoms that were met later are often sums of those before.
        sum.list_atoms().into_iter().rev().any(|atom| self.holds_without(sum, atom, depth))
    }

    /// Whether a sum is at most 0 when one of its atoms is replaced with bounds.
    fn holds_without(&self, sum: &Sum, index: usize, depth: usize) -> bool {
        let Some(atom) = self.atoms.all.get(index) else { return false };
        let Some((factor, rest)) = sum.split_off(index) else { return false };
        let with = |value: &Sum| factor.multiply(value).and_then(|product| product.add(&rest));
        let any =
            |bounds: &[Sum]| bounds.iter().any(|bound| with(bound).is_some_and(|sum| self.holds(&sum, depth - 1)));
        let by_bounds = match self.find_sign(&factor) {
            Some(Ordering::Greater | Ordering::Equal) => any(&atom.high),
            Some(Ordering::Less) => any(&atom.low),
            // The greatest value is at one of the ends.
            None => any(&atom.high) && any(&atom.low),
        };
        by_bounds
            || atom.one_of.as_ref().is_some_and(|values| {
                values.iter().all(|value| with(value).is_some_and(|sum| self.holds(&sum, depth - 1)))
            })
    }

    fn find_most(&self, sum: &Sum, depth: usize) -> Option<Ratio> {
        if let Some(number) = sum.as_number() {
            return Some(number);
        }
        let left = self.steps.get();
        if left == 0 || depth == 0 {
            return None;
        }
        self.steps.set(left - 1);
        let found = sum.list_atoms().into_iter().rev().filter_map(|atom| self.find_most_without(sum, atom, depth));
        found.reduce(|a, b| a.pick_less(b).unwrap_or(a))
    }

    /// The most that a sum can be when one of its atoms is replaced with bounds.
    fn find_most_without(&self, sum: &Sum, index: usize, depth: usize) -> Option<Ratio> {
        let atom = self.atoms.all.get(index)?;
        let (factor, rest) = sum.split_off(index)?;
        let with = |value: &Sum| factor.multiply(value).and_then(|product| product.add(&rest));
        let most = |value: &Sum| with(value).and_then(|sum| self.find_most(&sum, depth - 1));
        let least_of = |bounds: &[Sum]| bounds.iter().filter_map(most).reduce(|a, b| a.pick_less(b).unwrap_or(a));
        let larger = |a: Ratio, b: Ratio| Some(if a.pick_less(b)? == a { b } else { a });
        let by_bounds = match self.find_sign(&factor) {
            Some(Ordering::Greater | Ordering::Equal) => least_of(&atom.high),
            Some(Ordering::Less) => least_of(&atom.low),
            // The greatest value is at one of the ends.
            None => least_of(&atom.high).zip(least_of(&atom.low)).and_then(|(a, b)| larger(a, b)),
        };
        let by_values = atom.one_of.as_ref().and_then(|values| {
            let all: Option<Vec<Ratio>> = values.iter().map(most).collect();
            all?.into_iter().map(Some).reduce(|a, b| larger(a?, b?))?
        });
        match (by_bounds, by_values) {
            (Some(a), Some(b)) => a.pick_less(b),
            (a, b) => a.or(b),
        }
    }

    /// The sign of a factor that is never on the other side of 0.
    fn find_sign(&self, factor: &Sum) -> Option<Ordering> {
        if let Some(number) = factor.as_number() {
            return Some(number.sign());
        }
        let not_strict = Search { atoms: self.atoms, strict: Strict::No, steps: Cell::new(MAX_STEPS / 8) };
        if not_strict.proves(factor, 3) {
            return Some(Ordering::Less);
        }
        not_strict.proves(&factor.negate(), 3).then_some(Ordering::Greater)
    }
}
