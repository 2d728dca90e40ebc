//! Answer keys.

pub(in crate::check) mod durations;
mod endings;
mod expect;
pub(in crate::check) mod options;
mod place;
pub(in crate::check) mod subject;
mod traps;
