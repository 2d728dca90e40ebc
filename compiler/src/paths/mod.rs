//! JSONPath and XPath inside placeholders: whether they can be read, what they lead to in the form that a file is declared to have, and
//! where they lead nowhere.
//!
//! | file | concept |
//! | --- | --- |
//! | `leaf` | what is known of the values at a place, and the comparisons with them |
//! | `form` | what a JSON or YAML file can hold where |
//! | `json_syntax` | a JSONPath taken apart, with places |
//! | `json` | a JSONPath followed through a form |
//! | `element` | what an XML file can hold where |
//! | `xml` | an XPath followed through elements |
//! | `xml_functions` | the functions that an XPath may call |
//!
//! The crates that run the paths (`serde_json_path`, `xpath-eval`) decide what is syntax; what is followed here is only what is surely
//! understood, so a path is refused only where it can match nothing at all.

pub mod element;
pub mod form;
pub mod json;
pub mod json_syntax;
pub mod leaf;
pub mod xml;
mod xml_functions;

#[cfg(test)]
mod tests;

use crate::types::Ty;
use leaf::{Comparison, Source};

/// A path that is wrong, and where: a byte range of its text.
#[derive(Clone, Debug, PartialEq)]
pub struct PathError {
    /// From, in bytes of the path.
    pub start: usize,
    /// To.
    pub end: usize,
    /// What is wrong.
    pub message: String,
    /// A few words for the place.
    pub label: String,
    /// For a wrong name: this name and those that exist there, so that the nearest can be suggested.
    pub names: Option<(String, Vec<String>)>,
    /// Whether the path cannot be read at all (else it leads nowhere).
    pub syntax: bool,
}

/// What a path leads to.
#[derive(Clone, Debug, PartialEq)]
pub struct PathResult {
    /// The type of every node it can give, joined; unknown where they have none in common or nothing is known.
    pub ty: Ty,
    /// The path and the form were understood to the end, so that what is missing below means something.
    pub understood: bool,
    /// It never gives two nodes.
    pub at_most_one: bool,
    /// It gives at least this many nodes in every sample.
    pub least: u64,
    /// All nodes are single values.
    pub scalars: bool,
    /// It computes a value of its own; else it leads to what is in the file.
    pub computed: bool,
    /// It may lead to something that is not an attribute.
    pub elements: bool,
    /// It leads to one object or array: its least and most members (and whether it is one).
    pub members: Option<(u64, u64)>,
    /// Comparisons with texts in its filters.
    pub comparisons: Vec<Comparison>,
    /// Of JSON and YAML: where the values at the places come from, one for each kind of place.
    pub sources: Vec<Source>,
}

impl PathResult {
    /// Nothing is known.
    pub fn unknown(at_most_one: bool) -> PathResult {
        PathResult {
            ty: Ty::UNKNOWN,
            understood: false,
            at_most_one,
            least: 0,
            scalars: true,
            computed: false,
            elements: false,
            members: None,
            comparisons: Vec::new(),
            sources: Vec::new(),
        }
    }
}
