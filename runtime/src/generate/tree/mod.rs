//! JSON, YAML, and XML files: converts a tree of typed values to text, and evaluates JSONPaths and XPaths in it. Functions read the tree, so decimals
//! and dates keep their types.

mod json;
mod jsonpath;
mod jsonpath_work;
mod negative_indexes;
mod result_sets;
#[cfg(test)]
mod tests;
mod xml;
mod xpath;
mod xpath_work;
mod yaml;

use std::cell::OnceCell;
use std::sync::Arc;

use model::suite::PathQuery;
use model::{Format, Value};

use super::failures::{Res, fail_computation};
use super::work::WorkMeter;
pub(crate) use jsonpath::{Located, is_singular};
pub(crate) use result_sets::expand_result_sets;
pub(crate) use xml::XmlNode;
pub(crate) use xpath::{Selected, XmlDocument, XmlHandle};

/// A rendered JSON, YAML, or XML file with its content.
pub(crate) struct TreeFile {
    text: String,
    tree: Tree,
}

enum Tree {
    /// JSON or YAML.
    Value {
        value: Arc<Value>,
        /// The same as plain JSON, made for the first path.
        plain: OnceCell<serde_json::Value>,
    },
    /// XML.
    Xml {
        root: XmlNode,
        /// The same with parents and order, made for the first path.
        document: OnceCell<XmlDocument>,
    },
    /// XML of an existing file.
    Existing(Arc<XmlDocument>),
}

impl TreeFile {
    /// Creates an XML file with this root element.
    pub fn from_element(root: XmlNode) -> Res<TreeFile> {
        let text = xml::write_xml(&root)?;
        Ok(TreeFile { text, tree: Tree::Xml { root, document: OnceCell::new() } })
    }

    /// Creates a file of this format with this content.
    pub fn from_value(format: Format, value: Value) -> Res<TreeFile> {
        let value = expand_result_sets(value)?;
        let text = match format {
            Format::Json => json::write_json(&value),
            Format::Yaml => yaml::write_yaml(&value)?,
            other => return fail_computation(format!("`{}` files cannot hold a value", other.word())),
        };
        Ok(TreeFile::from_text(text, Arc::new(value)))
    }

    /// Creates a file from an existing text with this content: scalars, lists, and objects.
    pub fn from_text(text: String, value: Arc<Value>) -> TreeFile {
        TreeFile { text, tree: Tree::Value { value, plain: OnceCell::new() } }
    }

    /// Creates an existing XML file, whose text is stored elsewhere.
    pub fn from_document(document: Arc<XmlDocument>) -> TreeFile {
        TreeFile { text: String::new(), tree: Tree::Existing(document) }
    }

    /// Returns the text.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Converts the file to its text.
    pub fn into_text(self) -> String {
        self.text
    }

    /// Returns the nodes that a JSONPath selects, in the order of RFC 9535; without a path, the root. `None` for XML. The meter limits the work.
    pub fn select_json_nodes(
        &self,
        path: Option<&PathQuery>,
        meter: Option<&WorkMeter>,
    ) -> Option<Res<Vec<Located<'_>>>> {
        let Tree::Value { value, plain } = &self.tree else { return None };
        Some(match path {
            None => Ok(vec![Located { at: String::new(), value }]),
            Some(path) => {
                let plain = plain.get_or_init(|| value.to_json());
                let counted = meter.map_or(Ok(()), |meter| jsonpath_work::count_path(plain, &path.text, meter));
                counted.and_then(|()| jsonpath::select_nodes(value, plain, &path.text))
            }
        })
    }

    /// Evaluates an XPath. `None` for JSON and YAML. The meter limits the work.
    pub fn select_xml_nodes<'t>(&'t self, path: &PathQuery, meter: Option<&'t WorkMeter>) -> Option<Res<Selected<'t>>> {
        let document = match &self.tree {
            Tree::Xml { root, document } => document.get_or_init(|| XmlDocument::new(root)),
            Tree::Existing(document) => document,
            Tree::Value { .. } => return None,
        };
        Some(document.evaluate_path(&path.text, meter))
    }
}
