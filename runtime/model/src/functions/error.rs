//! The reason why a function has no result.

use std::fmt;

use crate::val::Val;

/// The result of a kernel, or the error of a failed build.
pub type Made<'a> = Result<Val<'a>, FunctionError>;

/// The reason why a function has no result for its arguments: one sentence without a final period. Values are described by
/// [`super::describe_value`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FunctionError(String);

impl FunctionError {
    pub(super) fn new(message: impl Into<String>) -> FunctionError {
        FunctionError(message.into())
    }

    /// Creates the error for arguments that are not what the function needs.
    pub(super) fn from_need(function: &str, needed: impl fmt::Display) -> FunctionError {
        FunctionError(format!("`{function}` needs {needed}"))
    }

    /// Creates the error for a finite result that is too large.
    pub(super) fn from_overflow(function: &str) -> FunctionError {
        FunctionError(format!("`{function}` overflows"))
    }

    /// Creates the error for a sum that is too large for its type.
    pub(super) fn from_sum_overflow(function: &str) -> FunctionError {
        FunctionError(format!("the sum in `{function}` overflows"))
    }
}

impl fmt::Display for FunctionError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for FunctionError {}
