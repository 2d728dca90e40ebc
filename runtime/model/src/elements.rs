//! The elements of an existing XML file, as they are in it.

use serde::Serialize;

/// An element.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Element {
    /// As written, perhaps with a prefix.
    pub name: String,
    /// In the order of the file, namespaces too.
    pub attributes: Vec<(String, String)>,
    /// What is in it, in the order of the file.
    pub content: Vec<Content>,
    /// The line on which it starts, from 1.
    pub line: u32,
}

/// What is in an element.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Content {
    /// Characters, never none; never next to another text.
    Text(String),
    /// An element.
    Element(Element),
}

impl Element {
    /// The elements directly in it.
    pub fn children(&self) -> impl Iterator<Item = &Element> {
        self.content.iter().filter_map(|content| match content {
            Content::Element(element) => Some(element),
            Content::Text(_) => None,
        })
    }

    /// Its own text, without that of the elements in it.
    pub fn collect_text(&self) -> String {
        let texts = self.content.iter().filter_map(|content| match content {
            Content::Text(text) => Some(text.as_str()),
            Content::Element(_) => None,
        });
        texts.collect()
    }

    /// Whether its own text has more than blanks.
    pub fn has_text(&self) -> bool {
        self.content.iter().any(|content| matches!(content, Content::Text(text) if !text.trim().is_empty()))
    }

    /// Adds characters after what is in it.
    pub fn push_text(&mut self, text: &str) {
        if text.is_empty() {
            return;
        }
        match self.content.last_mut() {
            Some(Content::Text(last)) => last.push_str(text),
            _ => self.content.push(Content::Text(text.to_owned())),
        }
    }

    /// The prefixes that it declares, the default one as the empty text, and their namespaces.
    pub fn iter_namespaces(&self) -> impl Iterator<Item = (&str, &str)> {
        self.attributes.iter().filter_map(|(name, value)| Some((parse_prefix(name)?, value.as_str())))
    }
}

/// The prefix that an attribute of this name declares: `xmlns:p` is `p`, `xmlns` the empty text.
pub fn parse_prefix(attribute: &str) -> Option<&str> {
    match attribute.strip_prefix("xmlns") {
        Some("") => Some(""),
        Some(rest) => rest.strip_prefix(':'),
        None => None,
    }
}
