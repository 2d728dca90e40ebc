//! JSONPath and XPath in placeholders: checks of their syntax, the type of the nodes that they select in the declared form of a file, and reports of paths that
//! cannot select any.
//!
//! | file | concept |
//! | --- | --- |
//! | `predicate` | the predicates in filters, in both languages |
//! | `json_terms`, `json_nodes` | the predicates of the filters of a JSONPath, and the nodes that their paths lead to |
//! | `xml_split` | the parts of a predicate of an XPath, with byte ranges |
//! | `xml_exprs` | questions about these predicates |
//! | `xml_terms` | the predicates of an XPath, with what their paths lead to |
//! | `leaf` | the scalar values at a position, and comparisons with them |
//! | `form` | the possible content of a JSON or YAML file |
//! | `reach` | whether a JSONPath can read a position in a document |
//! | `json` | the evaluation of a JSONPath on a form |
//! | `element` | the possible content of an XML file |
//! | `xml_nodes` | the nodes that an XPath reaches along its axes |
//! | `xml` | an XPath followed through elements |
//! | `xml_functions` | the functions that an XPath may call |
//! | `xml_results` | whether an XPath has a result in every file |
//!
//! The crates that evaluate the paths (`serde_json_path`, `xpath-eval`) decide what is valid. Only certainly understood parts are evaluated here, so a path is
//! rejected only if it can never match anything.

pub mod element;
pub mod form;
pub mod json;
mod json_nodes;
mod json_terms;
pub mod leaf;
pub mod predicate;
pub mod reach;
pub mod xml;
mod xml_exprs;
mod xml_functions;
mod xml_nodes;
pub mod xml_results;
mod xml_split;
mod xml_terms;

#[cfg(test)]
mod tests;

use std::ops::Range;

use crate::types::Ty;
use leaf::{Comparison, Source};
use predicate::Predicate;

/// An error in a path, with its byte range in the text of the path.
#[derive(Clone, Debug, PartialEq)]
pub struct PathError {
    /// The first byte in the path.
    pub start: usize,
    /// The end byte in the path.
    pub end: usize,
    /// The error.
    pub message: String,
    /// A few words for the label.
    pub label: String,
    /// For an unknown name: this name and the existing ones, from which the nearest is suggested.
    pub names: Option<(String, Vec<String>)>,
    /// Whether the path cannot be parsed; otherwise it does not select anything.
    pub syntax: bool,
}

impl PathError {
    /// Creates the error of a path that does not select anything, at this byte range.
    fn new(at: Range<usize>, message: impl Into<String>, label: impl Into<String>) -> PathError {
        let (message, label) = (message.into(), label.into());
        PathError { start: at.start, end: at.end, message, label, names: None, syntax: false }
    }
}

/// The result of a path.
#[derive(Clone, Debug, PartialEq)]
pub struct PathResult {
    /// The common type of all nodes it can select; unknown if they have no common type or nothing is known.
    pub ty: Ty,
    /// Whether the path and the form were understood completely, so the other fields are conclusive.
    pub understood: bool,
    /// Whether it never selects two nodes.
    pub at_most_one: bool,
    /// The minimum number of nodes that it selects in every sample.
    pub least: u64,
    /// Whether all nodes are scalars.
    pub scalars: bool,
    /// Whether it computes a value; otherwise it selects nodes of the file.
    pub computed: bool,
    /// Whether it may select nodes other than attributes.
    pub elements: bool,
    /// The minimum and the maximum number of members, if it selects a single object or array.
    pub members: Option<(u64, u64)>,
    /// Comparisons with texts in its filters.
    pub comparisons: Vec<Comparison>,
    /// The predicates in its filters.
    pub predicates: Vec<Predicate>,
    /// For JSON and YAML, the sources of the selected values, one for each kind of position.
    pub sources: Vec<Source>,
}

impl PathResult {
    /// The result of a path that is not understood.
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
            predicates: Vec::new(),
            sources: Vec::new(),
        }
    }
}
