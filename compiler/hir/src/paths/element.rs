//! The possible content of an XML file, by position.

use super::leaf::Leaf;

/// An element.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Element {
    /// Its name, with its prefix if it has one.
    pub name: String,
    /// Its attributes, including `xmlns`, with their possible values.
    pub attributes: Vec<(String, Leaf)>,
    /// Its child elements, in order.
    pub children: Vec<Child>,
    /// The possible values of its text, if it has any.
    pub text: Option<Leaf>,
    /// Whether it is not known which of its texts are nodes: some are between elements, or some are empty.
    pub loose: bool,
}

/// A child element, with the number of its occurrences.
#[derive(Clone, Debug, PartialEq)]
pub struct Child {
    /// Its structure.
    pub element: Element,
    /// The minimum number of occurrences.
    pub least: u64,
    /// The maximum number of occurrences.
    pub most: u64,
}

impl Element {
    /// Whether it declares a namespace for names without a prefix.
    pub fn has_default_namespace(&self) -> bool {
        self.attributes.iter().any(|(name, _)| name == "xmlns")
    }

    /// Visits it and all elements below it.
    pub fn visit_elements<'e>(&'e self, visit: &mut dyn FnMut(&'e Element)) {
        visit(self);
        for child in &self.children {
            child.element.visit_elements(visit);
        }
    }
}
