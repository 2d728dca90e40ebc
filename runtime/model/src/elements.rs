//! The elements of an existing XML file, unchanged.

use serde::Serialize;

/// An element.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Element {
    /// The name as written, with its prefix if it has one.
    pub name: String,
    /// Attributes in the order of the file, including namespace declarations.
    pub attributes: Vec<(String, String)>,
    /// Its content, in the order of the file.
    pub content: Vec<Content>,
    /// Number of the line on which it starts, from 1.
    pub line: u32,
}

/// Content of an element.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Content {
    /// A text, never empty and never adjacent to another text.
    Text(String),
    /// An element.
    Element(Element),
}

impl Element {
    /// Returns its child elements.
    pub fn children(&self) -> impl Iterator<Item = &Element> {
        self.content.iter().filter_map(|content| match content {
            Content::Element(element) => Some(element),
            Content::Text(_) => None,
        })
    }

    /// Returns its own text, without that of its child elements.
    pub fn collect_text(&self) -> String {
        let texts = self.content.iter().filter_map(|content| match content {
            Content::Text(text) => Some(text.as_str()),
            Content::Element(_) => None,
        });
        texts.collect()
    }

    /// Checks whether its own text contains more than whitespace.
    pub fn has_text(&self) -> bool {
        self.content.iter().any(|content| matches!(content, Content::Text(text) if !text.trim().is_empty()))
    }

    /// Appends characters to its content.
    pub fn push_text(&mut self, text: &str) {
        if text.is_empty() {
            return;
        }
        match self.content.last_mut() {
            Some(Content::Text(last)) => last.push_str(text),
            _ => self.content.push(Content::Text(text.to_owned())),
        }
    }

    /// Returns the prefixes that it declares, with an empty text for the default one, and their namespaces.
    pub fn iter_namespaces(&self) -> impl Iterator<Item = (&str, &str)> {
        self.attributes.iter().filter_map(|(name, value)| Some((parse_prefix(name)?, value.as_str())))
    }
}

/// Returns the prefix that an attribute with this name declares: `p` for `xmlns:p`, the empty text for `xmlns`.
pub fn parse_prefix(attribute: &str) -> Option<&str> {
    match attribute.strip_prefix("xmlns") {
        Some("") => Some(""),
        Some(rest) => rest.strip_prefix(':'),
        None => None,
    }
}
