//! Resolution of names, and the order in which their declarations are generated.

pub(in crate::check) mod cycle;
pub(in crate::check) mod declare;
pub(in crate::check) mod names;
mod qualified_names;
pub(in crate::check) mod tree_names;
