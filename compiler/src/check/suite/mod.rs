//! What stands at the top level of a source.

pub(in crate::check) mod globals;
pub(in crate::check) mod settings;
