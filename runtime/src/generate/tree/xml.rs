//! XML elements and their text: two spaces per level, with a text-only element on one line. Mixed content (text next to elements) is not indented,
//! because the spaces would become part of the text.

use model::Value;
use model::elements::parse_prefix;
use quick_xml::escape::{escape, partial_escape};

use crate::generate::failures::{Res, fail_computation};

/// An element.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct XmlNode {
    /// The name as written, with its prefix if it has one.
    pub name: String,
    /// Attributes in order, without nulls.
    pub attributes: Vec<(String, Value)>,
    /// The child elements, which follow the text.
    pub children: Vec<XmlNode>,
    /// Its own text.
    pub text: Option<Value>,
}

impl XmlNode {
    /// Creates an empty element.
    pub fn new(name: &str) -> XmlNode {
        XmlNode { name: name.to_owned(), attributes: Vec::new(), children: Vec::new(), text: None }
    }

    /// Checks whether it has both text and elements.
    pub fn is_mixed(&self) -> bool {
        self.text.is_some() && !self.children.is_empty()
    }

    /// Returns the prefixes that it declares, with an empty text for the default one, and their namespaces.
    pub fn iter_namespaces(&self) -> impl Iterator<Item = (&str, &Value)> {
        self.attributes.iter().filter_map(|(name, value)| Some((parse_prefix(name)?, value)))
    }
}

/// Returns the line break and the indentation before an element or an end tag.
pub(super) fn build_line_start(depth: usize) -> String {
    format!("\n{}", "  ".repeat(depth))
}

/// Renders an XML file.
pub(super) fn write_xml(root: &XmlNode) -> Res<String> {
    let mut writer = Writer {
        out: String::from("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"),
        path: Vec::new(),
        prefixes: vec!["xml"],
    };
    writer.write_element(root, Some(0))?;
    writer.out.push('\n');
    Ok(writer.out)
}

struct Writer<'n> {
    out: String,
    /// The names of the open elements.
    path: Vec<&'n str>,
    /// The prefixes that are declared here.
    prefixes: Vec<&'n str>,
}

impl<'n> Writer<'n> {
    /// Writes an element at a depth; `None` inside of text, where nothing is indented.
    fn write_element(&mut self, node: &'n XmlNode, depth: Option<usize>) -> Res<()> {
        let depth = depth.filter(|_| !node.is_mixed());
        self.path.push(&node.name);
        let outer = self.prefixes.len();
        self.prefixes.extend(node.iter_namespaces().map(|(prefix, _)| prefix));
        self.check_name("", &node.name)?;
        self.out.push('<');
        self.out.push_str(&node.name);
        for (name, value) in &node.attributes {
            self.write_attribute(name, value)?;
        }
        let text = node.text.as_ref().map(Value::render_text).unwrap_or_default();
        if text.is_empty() && node.children.is_empty() {
            self.out.push_str("/>");
        } else {
            self.out.push('>');
            self.check_characters("", &text)?;
            // Parsers convert other line ends to \n; a carriage return survives only as a reference.
            self.out.push_str(&partial_escape(text.as_ref()).replace('\r', "&#13;"));
            let inner = depth.map(|depth| depth + 1);
            for child in &node.children {
                self.out.extend(inner.map(build_line_start));
                self.write_element(child, inner)?;
            }
            if !node.children.is_empty() {
                self.out.extend(depth.map(build_line_start));
            }
            self.out.push_str("</");
            self.out.push_str(&node.name);
            self.out.push('>');
        }
        self.prefixes.truncate(outer);
        self.path.pop();
        Ok(())
    }

    fn write_attribute(&mut self, name: &str, value: &Value) -> Res<()> {
        let place = format!("/@{name}");
        let value = value.render_text();
        match parse_prefix(name) {
            Some(prefix) if !prefix.is_empty() && value.is_empty() => {
                return fail_computation(format!(
                    "`{}{place}` is empty: a prefix needs a namespace",
                    self.render_path()
                ));
            }
            Some(_) => {}
            None => self.check_name(&place, name)?,
        }
        self.check_characters(&place, &value)?;
        // Parsers convert whitespace in an attribute to plain spaces, unless it is written as references.
        let value = escape(value.as_ref()).replace('\t', "&#9;").replace('\n', "&#10;").replace('\r', "&#13;");
        self.out.push_str(&format!(" {name}=\"{value}\""));
        Ok(())
    }

    fn render_path(&self) -> String {
        self.path.iter().map(|name| format!("/{name}")).collect()
    }

    /// Rejects an invalid name or an undeclared prefix. `place` is shown in the message after the path of the open elements.
    fn check_name(&self, place: &str, name: &str) -> Res<()> {
        let (prefix, local) = name.split_once(':').unwrap_or(("", name));
        if !is_simple_name(local) || (name.contains(':') && !is_simple_name(prefix)) {
            let advice = "it starts with a letter or `_` and goes on with letters, digits, `-`, `_` and `.`";
            return fail_computation(format!(
                "`{name}` in `{}{place}` is not a name in XML: {advice}",
                self.render_path()
            ));
        }
        if !prefix.is_empty() && !self.prefixes.contains(&prefix) {
            let advice = format!("add `@xmlns:{prefix}` to the root element");
            return fail_computation(format!(
                "the prefix of `{}{place}` has no namespace: {advice}",
                self.render_path()
            ));
        }
        Ok(())
    }

    /// Rejects characters that XML 1.0 cannot contain, even as references.
    fn check_characters(&self, place: &str, text: &str) -> Res<()> {
        let forbidden =
            |c: &char| matches!(c, '\0'..='\x08' | '\x0b' | '\x0c' | '\x0e'..='\x1f' | '\u{fffe}' | '\u{ffff}');
        match text.chars().find(forbidden) {
            None => Ok(()),
            Some(c) => fail_computation(format!(
                "`{}{place}` has the character U+{:04X}, which XML cannot hold",
                self.render_path(),
                u32::from(c)
            )),
        }
    }
}

/// Checks for a name without a colon.
fn is_simple_name(name: &str) -> bool {
    let mut chars = name.chars();
    chars.next().is_some_and(is_name_start) && chars.all(|c| is_name_start(c) || is_name_part(c))
}

fn is_name_start(c: char) -> bool {
    matches!(c,
        'A'..='Z' | 'a'..='z' | '_'
        | '\u{c0}'..='\u{d6}' | '\u{d8}'..='\u{f6}' | '\u{f8}'..='\u{2ff}' | '\u{370}'..='\u{37d}'
        | '\u{37f}'..='\u{1fff}' | '\u{200c}'..='\u{200d}' | '\u{2070}'..='\u{218f}' | '\u{2c00}'..='\u{2fef}'
        | '\u{3001}'..='\u{d7ff}' | '\u{f900}'..='\u{fdcf}' | '\u{fdf0}'..='\u{fffd}' | '\u{10000}'..='\u{effff}')
}

fn is_name_part(c: char) -> bool {
    matches!(c, '-' | '.' | '0'..='9' | '\u{b7}' | '\u{300}'..='\u{36f}' | '\u{203f}'..='\u{2040}')
}
