//! Checks the declarations of a source file at top level.

pub(in crate::check) mod globals;
pub(in crate::check) mod settings;
