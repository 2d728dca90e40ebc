//! Answer keys.

mod accepted_states;
mod among;
mod columns;
pub(crate) mod durations;
mod endings;
mod examples;
mod expect;
mod expected_values;
mod governed;
mod ignored_keys;
pub(crate) mod options;
mod place;
mod reading;
mod state_columns;
pub(crate) mod subject;
mod told;
mod traps;

use crate::context::TaskChecker;

/// The checks of what a task expects.
pub(crate) struct AnswerChecker<'t, 'c, 'a> {
    task: &'t mut TaskChecker<'c, 'a>,
}

impl<'t, 'c, 'a> AnswerChecker<'t, 'c, 'a> {
    pub fn new(task: &'t mut TaskChecker<'c, 'a>) -> AnswerChecker<'t, 'c, 'a> {
        AnswerChecker { task }
    }
}
