//! The agents, one file or folder each.

pub mod builtin;
#[cfg(unix)]
pub mod command;
pub mod openai;
pub mod picard;
