//! Checks what a source declares at top level.

pub(in crate::check) mod globals;
pub(in crate::check) mod settings;
