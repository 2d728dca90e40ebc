//! Answer keys.

pub(in crate::check) mod expect;
pub(in crate::check) mod options;
pub(in crate::check) mod subject;
