//! Values that need each other: what waits for what, and how long a row of values leads to each.

use std::collections::BTreeMap;

/// How many values may wait for each other in a row.
pub(in crate::check) const DEEPEST: usize = 64;

/// How many values may be computed in a row, each from the one before. What walks from a name to what it is computed from is as deep.
pub(in crate::check) const LONGEST: u32 = 2_000;

/// What is being checked, and how long a row of values leads to what is done. `U` is what is checked as a whole, `A` what is kept of the one who asks for it.
pub(crate) struct DependencyStack<U, A> {
    /// Innermost last.
    open: Vec<Open<U, A>>,
    needs: BTreeMap<U, u32>,
    told: bool,
}

struct Open<U, A> {
    unit: U,
    asked: A,
    /// How long a row of values it needs, so far.
    needs: u32,
}

/// What was being checked.
pub(in crate::check) struct Ended<U, A> {
    pub unit: U,
    pub asked: A,
    /// More than [`LONGEST`] values lead to it.
    pub too_long: bool,
}

impl<U, A> Default for DependencyStack<U, A> {
    fn default() -> DependencyStack<U, A> {
        DependencyStack { open: Vec::new(), needs: BTreeMap::new(), told: false }
    }
}

impl<U: Copy + Ord, A> DependencyStack<U, A> {
    /// Begins to check something; false: [`DEEPEST`] others wait for it, and it is not begun.
    pub(in crate::check) fn begin_unit(&mut self, unit: U, asked: A) -> bool {
        if self.open.len() >= DEEPEST {
            return false;
        }
        self.open.push(Open { unit, asked, needs: 0 });
        true
    }

    /// Ends what was begun last. `None`: nothing was.
    pub(in crate::check) fn end_unit(&mut self) -> Option<Ended<U, A>> {
        let Open { unit, asked, needs } = self.open.pop()?;
        let too_long = needs >= LONGEST;
        self.needs.insert(unit, if too_long { 0 } else { needs + 1 });
        self.record_need(unit);
        Some(Ended { unit, asked, too_long })
    }

    /// Records that what is being checked needs this, which is done.
    pub(in crate::check) fn record_need(&mut self, unit: U) {
        let known = self.needs.get(&unit).copied().unwrap_or(0);
        if let Some(open) = self.open.last_mut() {
            open.needs = open.needs.max(known);
        }
    }

    /// Whether it is being checked.
    pub(in crate::check) fn is_open(&self, unit: U) -> bool {
        self.open.iter().any(|open| open.unit == unit)
    }

    /// What was begun last.
    pub(in crate::check) fn innermost(&self) -> Option<U> {
        self.open.last().map(|open| open.unit)
    }

    /// What has been begun since `unit`, outermost first: each needs the next, and `unit` the first.
    pub(in crate::check) fn iter_since(&self, unit: U) -> impl Iterator<Item = (U, &A)> {
        let start = self.open.iter().position(|open| open.unit == unit).unwrap_or(0);
        self.open.iter().skip(start + 1).map(|open| (open.unit, &open.asked))
    }

    /// Whether a row that is too long is to be reported: once.
    pub(in crate::check) fn take_first_report(&mut self) -> bool {
        !std::mem::replace(&mut self.told, true)
    }
}
