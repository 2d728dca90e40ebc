//! Answer keys.

pub(in crate::check) mod expect;
pub(in crate::check) mod options;
mod place;
pub(in crate::check) mod subject;
mod traps;
