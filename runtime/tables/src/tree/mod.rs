//! Objects and arrays of JSON and YAML, read strictly. XML has its own elements.

pub mod json;
mod marks;
mod number;
mod plain_text;
pub mod xml;
pub mod yaml;
mod yaml_scalar;

use model::Format;

pub use marks::{Marks, Tree, mark_of};
pub use plain_text::decode_utf8;

use crate::Unreadable;

/// Reads a file of JSON or YAML.
///
/// # Errors
/// It is malformed, or exceeds a limit.
pub fn read_tree(format: Format, bytes: &[u8]) -> Result<Tree, Unreadable> {
    if format == Format::Yaml { yaml::read_yaml(bytes) } else { json::read_json(bytes) }
}
