//! The parts of a file that can be its table.

/// A part of a file that `at` can select.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Choice {
    /// The value of `at`.
    pub at: String,
    /// A short description of its content.
    pub shows: String,
}

/// Describes a part by the number of its elements.
pub(super) fn describe_count(elements: usize) -> String {
    if elements == 1 { "1 element".to_owned() } else { format!("{elements} elements") }
}
