//! Answer keys.

pub(crate) mod durations;
mod endings;
mod expect;
pub(crate) mod options;
mod place;
pub(crate) mod subject;
mod traps;
