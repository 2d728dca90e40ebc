//! Names and paths as people write them in a text for an agent.

mod groups;
mod paths;

pub use groups::{Group, find_name_groups};
pub use paths::{Mention, find_mentions};

/// Replaces an unknown value in a text.
pub const DRAWN: char = '\u{1}';
/// Replaces the root of the sandbox in a text.
pub const SANDBOX: char = '\u{2}';
