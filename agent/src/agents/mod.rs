//! The agents, one file or folder each.

pub mod builtin;
