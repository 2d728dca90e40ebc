//! What an XML file can hold at a place.

use super::leaf::Leaf;

/// An element.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Element {
    /// Its name, with the prefix where it has one.
    pub name: String,
    /// Its attributes and what their values can be; `xmlns` ones too.
    pub attributes: Vec<(String, Leaf)>,
    /// The elements in it, in order.
    pub children: Vec<Child>,
    /// What its own text can be, if it has one.
    pub text: Option<Leaf>,
    /// Which of its texts are nodes is not known: some are between elements, or some are empty.
    pub loose: bool,
}

/// An element inside of another.
#[derive(Clone, Debug, PartialEq)]
pub struct Child {
    /// What it is like.
    pub element: Element,
    /// It is there at least so often.
    pub least: u64,
    /// And at most.
    pub most: u64,
}

impl Element {
    /// Whether it declares a namespace for names without prefix.
    pub fn has_default_namespace(&self) -> bool {
        self.attributes.iter().any(|(name, _)| name == "xmlns")
    }

    /// It and all elements below it.
    pub fn visit_elements<'e>(&'e self, visit: &mut dyn FnMut(&'e Element)) {
        visit(self);
        for child in &self.children {
            child.element.visit_elements(visit);
        }
    }
}
