//! Domains: the values that can be drawn, with their probabilities.

mod categorical;
pub(crate) mod domain;
pub(crate) mod ranges;
pub(crate) mod ref_tuples;
pub(crate) mod scalar;
mod shares;

use crate::context::TaskChecker;

/// The checks of the domains of names and columns, which become draws.
pub(crate) struct DrawChecker<'t, 'c, 'a> {
    task: &'t mut TaskChecker<'c, 'a>,
}

impl<'t, 'c, 'a> DrawChecker<'t, 'c, 'a> {
    pub fn new(task: &'t mut TaskChecker<'c, 'a>) -> DrawChecker<'t, 'c, 'a> {
        DrawChecker { task }
    }
}
