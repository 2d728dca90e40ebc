//! Checks the declarations of a source file at top level.

pub(crate) mod globals;
pub(crate) mod settings;
