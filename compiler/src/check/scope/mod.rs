//! What names mean, and in which order what they name is made.

pub(in crate::check) mod cycle;
pub(in crate::check) mod declare;
pub(in crate::check) mod names;
pub(in crate::check) mod tree_names;
