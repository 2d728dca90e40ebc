//! Why a tool has no result.

use std::borrow::Cow;
use std::fmt;
use std::io::{self, ErrorKind};

use sqlite::describe_error;

/// The reason why a call has no result, as the model is told.
#[derive(Debug, PartialEq, Eq)]
pub enum ToolError {
    /// The tool or an argument is wrong.
    Call(String),
    /// A path cannot be used; the fault follows its name.
    Path { path: String, fault: Cow<'static, str> },
    /// SQLite or its limits refuse the database or a statement.
    Sql(String),
}

impl ToolError {
    /// Creates the error for a path that cannot be used.
    pub fn new_path(path: &str, fault: impl Into<Cow<'static, str>>) -> ToolError {
        ToolError::Path { path: path.to_owned(), fault: fault.into() }
    }

    /// Describes an I/O error without the location of the sandbox.
    pub fn from_io(path: &str, error: &io::Error) -> ToolError {
        let fault = match error.kind() {
            ErrorKind::NotFound => " does not exist",
            ErrorKind::IsADirectory => " is a folder",
            ErrorKind::NotADirectory => ": there is a file where a folder should be",
            ErrorKind::PermissionDenied => " is outside of the folder you are in, or may not be used",
            _ => return ToolError::new_path(path, format!(": {error}")),
        };
        ToolError::new_path(path, fault)
    }
}

impl From<rusqlite::Error> for ToolError {
    fn from(error: rusqlite::Error) -> ToolError {
        ToolError::Sql(describe_error(&error))
    }
}

impl fmt::Display for ToolError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ToolError::Call(why) | ToolError::Sql(why) => f.write_str(why),
            ToolError::Path { path, fault } => write!(f, "`{path}`{fault}"),
        }
    }
}
