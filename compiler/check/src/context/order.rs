//! Dependencies between values: the values that are being checked, and the length of the longest chain that leads to each.

use std::collections::BTreeMap;

/// The maximum number of values that can be waiting for one another.
pub(crate) const DEEPEST: usize = 64;

/// The maximum length of a chain of values, each computed from the one before. Functions that follow names recurse this deep.
pub(crate) const LONGEST: u32 = 2_000;

/// The units that are being checked, and the length of the chain that leads to each finished one. `U` identifies a unit, and `A` describes who asked for it.
pub(crate) struct DependencyStack<U, A> {
    /// The innermost is last.
    open: Vec<Open<U, A>>,
    needs: BTreeMap<U, u32>,
    told: bool,
}

struct Open<U, A> {
    unit: U,
    asked: A,
    /// The length of the longest chain that it needs so far.
    needs: u32,
}

/// The unit that was being checked.
pub(crate) struct Ended<U, A> {
    pub unit: U,
    pub asked: A,
    /// The chain that leads to it has at least [`LONGEST`] values.
    pub too_long: bool,
}

impl<U, A> Default for DependencyStack<U, A> {
    fn default() -> DependencyStack<U, A> {
        DependencyStack { open: Vec::new(), needs: BTreeMap::new(), told: false }
    }
}

impl<U: Copy + Ord, A> DependencyStack<U, A> {
    /// Begins to check a unit. Returns false, without beginning it, if [`DEEPEST`] others are waiting.
    pub(crate) fn begin_unit(&mut self, unit: U, asked: A) -> bool {
        if self.open.len() >= DEEPEST {
            return false;
        }
        self.open.push(Open { unit, asked, needs: 0 });
        true
    }

    /// Ends the innermost unit. Returns `None` if none was open.
    pub(crate) fn end_unit(&mut self) -> Option<Ended<U, A>> {
        let Open { unit, asked, needs } = self.open.pop()?;
        let too_long = needs >= LONGEST;
        self.needs.insert(unit, if too_long { 0 } else { needs + 1 });
        self.record_need(unit);
        Some(Ended { unit, asked, too_long })
    }

    /// Records that the innermost unit needs this one, which is finished.
    pub(crate) fn record_need(&mut self, unit: U) {
        let known = self.needs.get(&unit).copied().unwrap_or(0);
        if let Some(open) = self.open.last_mut() {
            open.needs = open.needs.max(known);
        }
    }

    /// Checks whether a unit is being checked.
    pub(crate) fn is_open(&self, unit: U) -> bool {
        self.open.iter().any(|open| open.unit == unit)
    }

    /// Returns the innermost unit.
    pub(crate) fn innermost(&self) -> Option<U> {
        self.open.last().map(|open| open.unit)
    }

    /// Iterates over the units begun after `unit`, outermost first: each needs the next, and `unit` needs the first.
    pub(crate) fn iter_since(&self, unit: U) -> impl Iterator<Item = (U, &A)> {
        let start = self.open.iter().position(|open| open.unit == unit).unwrap_or(0);
        self.open.iter().skip(start + 1).map(|open| (open.unit, &open.asked))
    }

    /// Returns true the first time, because a chain that is too long is reported only once.
    pub(crate) fn take_first_report(&mut self) -> bool {
        !std::mem::replace(&mut self.told, true)
    }
}
