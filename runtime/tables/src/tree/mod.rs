//! Objects and arrays: what JSON and YAML say, read strictly. XML has elements of its own.

pub mod json;
mod number;
pub mod xml;
pub mod yaml;
mod yaml_scalar;

use model::{Duration, Value};

use crate::encoding::{BYTE_ORDER_MARK, line_after};
use crate::limits::MAX_PROBLEMS;
use crate::{Encoding, Unreadable};

/// What a file says, with marks where something is odd.
#[derive(Debug)]
pub struct Tree {
    /// All of it.
    pub value: Value,
    /// What the marks in it mean.
    pub marks: Marks,
}

/// The problems found while a tree is read. Where something is odd, a mark takes the place of the value until the tree is whole: so it goes
/// wherever the value would, through aliases and merges.
#[derive(Debug, Default)]
pub struct Marks(Vec<Unreadable>);

impl Marks {
    /// Takes note of a problem: what to put in the value's place. There is a bound on how many there may be.
    pub(crate) fn mark_problem(&mut self, problem: Unreadable) -> Result<Value, Unreadable> {
        if self.0.len() >= MAX_PROBLEMS {
            let most = model::value::group_digits(MAX_PROBLEMS as u64);
            return Err(Unreadable {
                message: format!("the file has more than {most} problems; the last of them: {}", problem.message),
                ..problem
            });
        }
        self.0.push(problem);
        // No value of JSON or YAML is a length of time.
        Ok(Value::Duration(Duration { months: MARK, seconds: self.0.len() as i64 - 1 }))
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// What is odd where this mark is.
    pub fn find_problem(&self, mark: i64) -> Option<&Unreadable> {
        self.0.get(usize::try_from(mark).ok()?)
    }
}

const MARK: i32 = i32::MIN;

/// Which mark a value is, if it takes the place of one that cannot be read.
pub fn mark_of(value: &Value) -> Option<i64> {
    match value {
        Value::Duration(Duration { months: MARK, seconds }) => Some(*seconds),
        _ => None,
    }
}

/// The bytes as plain text in UTF-8, without a byte order mark; else the line that is not.
fn decode_plain_text(bytes: &[u8]) -> Result<&str, Unreadable> {
    let text = decode_utf8(bytes)?;
    if let Some(at) = text.find('\0') {
        let line = line_after(text.get(..at).unwrap_or_default());
        return Err(Unreadable::new(format!("line {line} has a NUL character"), "remove it: this is not plain text"));
    }
    Ok(text.strip_prefix(BYTE_ORDER_MARK).unwrap_or(text))
}

/// The bytes as UTF-8; else the line that is not.
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
