//! How much of a group is right, and how sure that is.

use serde::Serialize;
pub use statistics::accuracy::Share;

use super::lines::{Line, extract_rows};

/// A group with its name.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Group {
    /// Its name.
    pub name: String,
    /// How much of it is right.
    #[serde(flatten)]
    pub share: Share,
}

/// The share of these lines.
pub fn compute_share(lines: &[Line<'_>]) -> Share {
    Share::from_rows(&extract_rows(lines))
}

/// Each group's share.
pub fn compute_group_shares(groups: Vec<(String, Vec<Line<'_>>)>) -> Vec<Group> {
    groups.into_iter().map(|(name, lines)| Group { name, share: compute_share(&lines) }).collect()
}
