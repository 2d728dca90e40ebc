//! The accuracy of a group, with its interval.

use serde::Serialize;
pub use statistics::accuracy::Share;

use super::lines::{Line, extract_rows};

/// A group with its name.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Group {
    /// Its name.
    pub name: String,
    /// Its accuracy.
    #[serde(flatten)]
    pub share: Share,
}

/// Computes the share of these lines.
pub fn compute_share(lines: &[Line<'_>]) -> Share {
    Share::from_rows(&extract_rows(lines))
}

/// Computes the share of each group.
pub fn compute_group_shares(groups: Vec<(String, Vec<Line<'_>>)>) -> Vec<Group> {
    groups.into_iter().map(|(name, lines)| Group { name, share: compute_share(&lines) }).collect()
}
