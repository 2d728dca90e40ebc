//! Resolution of names, and the order in which their declarations are generated.

pub(crate) mod cycle;
pub(crate) mod declare;
pub(crate) mod names;
mod qualified_names;
pub(crate) mod tree_names;
