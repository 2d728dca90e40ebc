//! Tags in which models write their thoughts. What is in them is removed from a reply before it is read.

/// Tags of blocks that are a model's thoughts, in any place.
pub const THOUGHTS: [&str; 4] = ["thinking", "think", "reasoning", "thought"];
/// Tags of blocks that are thoughts at the start of a text; if nothing follows them, they are the reply.
pub const PERHAPS_THOUGHTS: [&str; 3] = ["internal", "reflection", "analysis"];

/// Whether blocks of this tag are removed from replies.
pub fn is_thought(tag: &str) -> bool {
    THOUGHTS.iter().chain(&PERHAPS_THOUGHTS).any(|known| known.eq_ignore_ascii_case(tag))
}
