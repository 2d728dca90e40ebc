//! A difference between the form that the prompt asks for and that of the key.

use super::tokens::Found;

/// A form that the prompt asks for, and the form of the key.
pub(super) struct Mismatch {
    /// The words of the prompt.
    pub asked: Found<()>,
    /// What the key has.
    pub what: String,
    /// The label of the value.
    pub label: String,
    /// What to write instead.
    pub help: String,
}
