//! Another reading of a query, as changes of its text.

use crate::request::is_same_name;

/// A change of a query's text: bytes, and what replaces them.
pub type Change = ((usize, usize), String);

/// Another reading of a query.
#[derive(Clone, Debug, PartialEq)]
pub struct Reading {
    /// The changes that make the query the one that runs; none if it runs as it is.
    pub(super) one: Vec<Change>,
    /// The changes that make it the other one.
    pub(super) other: Vec<Change>,
    /// What is different in the other query, for "with …"; `None` if SQLite may return either result.
    pub(super) instead: Option<String>,
}

impl Reading {
    /// A reading that its author probably means.
    pub fn new(instead: impl Into<String>, other: impl IntoIterator<Item = Change>) -> Reading {
        Reading { one: Vec::new(), other: other.into_iter().collect(), instead: Some(instead.into()) }
    }

    /// One change, which is shown as it is.
    pub fn new_shown(bytes: (usize, usize), text: impl Into<String>) -> Reading {
        let text = text.into();
        Reading::new(format!("`{text}`"), [(bytes, text)])
    }

    /// Two orders of rows that tie: both results are possible.
    pub fn new_either(one: Change, other: Change) -> Reading {
        Reading { one: vec![one], other: vec![other], instead: None }
    }

    /// Whether a change has this name.
    pub(super) fn names(&self, name: &str) -> bool {
        let is_word_end = |c: char| !c.is_alphanumeric() && c != '_';
        let has_name = |text: &String| text.split(is_word_end).any(|word| is_same_name(word, name));
        self.one.iter().chain(&self.other).any(|(_, text)| has_name(text))
    }
}
