//! The content of a file of JSON or YAML, with marks at its problems.

use model::{Duration, Value};

use crate::Unreadable;
use crate::limits::MAX_PROBLEMS;

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
