//! Objects and arrays of JSON and YAML, read strictly. XML has its own elements.

pub mod json;
mod number;
pub mod xml;
pub mod yaml;
mod yaml_scalar;

use model::{Duration, Format, Value};

use crate::encoding::{BYTE_ORDER_MARK, find_line_after};
use crate::limits::MAX_PROBLEMS;
use crate::{Encoding, Unreadable};

/// The content of a file, with marks at problems.
#[derive(Debug)]
pub struct Tree {
    /// The whole content.
    pub value: Value,
    /// The problems at the marks.
    pub marks: Marks,
}

/// The problems found while a tree is read. A mark replaces a problematic value until the tree is complete, so it follows the value through aliases and merges.
#[derive(Debug, Default)]
pub struct Marks(Vec<Unreadable>);

impl Marks {
    /// Records a problem, and returns the mark that replaces the value. Fails if there are too many problems.
    pub(crate) fn mark_problem(&mut self, problem: Unreadable) -> Result<Value, Unreadable> {
        if self.0.len() >= MAX_PROBLEMS {
            let most = model::value::group_digits(MAX_PROBLEMS as u64);
            return Err(Unreadable {
                message: format!("the file has more than {most} problems; the last of them: {}", problem.message),
                ..problem
            });
        }
        self.0.push(problem);
        // JSON and YAML do not have durations.
        Ok(Value::Duration(Duration { months: MARK, seconds: self.0.len() as i64 - 1 }))
    }

    /// Checks whether no problem was found.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Returns the problem for this mark.
    pub fn find_problem(&self, mark: i64) -> Option<&Unreadable> {
        self.0.get(usize::try_from(mark).ok()?)
    }
}

const MARK: i32 = i32::MIN;

/// Returns the mark in a value that replaces an unreadable one.
pub fn mark_of(value: &Value) -> Option<i64> {
    match value {
        Value::Duration(Duration { months: MARK, seconds }) => Some(*seconds),
        _ => None,
    }
}

/// Reads a file of JSON or YAML.
///
/// # Errors
/// It is malformed, or exceeds a limit.
pub fn read_tree(format: Format, bytes: &[u8]) -> Result<Tree, Unreadable> {
    if format == Format::Yaml { yaml::read_yaml(bytes) } else { json::read_json(bytes) }
}

/// Decodes the bytes as plain UTF-8 text, without a byte order mark; the error names the first invalid line.
fn decode_plain_text(bytes: &[u8]) -> Result<&str, Unreadable> {
    let text = decode_utf8(bytes)?;
    if let Some(at) = text.find('\0') {
        let line = find_line_after(text.get(..at).unwrap_or_default());
        return Err(Unreadable::new(format!("line {line} has a NUL character"), "remove it: this is not plain text"));
    }
    Ok(text.strip_prefix(BYTE_ORDER_MARK).unwrap_or(text))
}

/// Decodes the bytes as UTF-8; the error names the first invalid line.
///
/// # Errors
/// They are not UTF-8.
pub fn decode_utf8(bytes: &[u8]) -> Result<&str, Unreadable> {
    const HELP: &str = "save the file as UTF-8";
    if bytes.starts_with(&[0xff, 0xfe]) || bytes.starts_with(&[0xfe, 0xff]) {
        return Err(Unreadable::new("the file is UTF-16", HELP));
    }
    std::str::from_utf8(bytes).map_err(|_| {
        let line = Encoding::Utf8.decode(bytes).map_or_else(|fault| fault.line, |_| 1);
        Unreadable::new(format!("line {line} is not UTF-8"), HELP)
    })
}
