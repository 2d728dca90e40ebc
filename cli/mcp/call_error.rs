//! What is wrong with a call.

use std::{fmt, io};

use compiler::fmt::MEANING;

use super::catalog::Kind;
use crate::source_files::Panicked;

/// The reason why a call has no result, for models.
#[derive(Debug)]
pub enum CallError {
    /// The arguments are not JSON.
    NotJson(serde_json::Error),
    /// The arguments are not an object.
    NotObject,
    /// The tool does not have this argument.
    UnknownArgument { tool: &'static str, name: String, known: Vec<&'static str> },
    /// An argument is of another kind.
    WrongKind { name: &'static str, kind: Kind },
    /// Neither a source nor a path is given.
    NoSource,
    /// The path is not below the folder of the server.
    OutsideFolder { path: String },
    /// The file cannot be read.
    Unreadable { path: String, error: io::Error },
    /// No diagnostic has this code; the help names a similar one.
    UnknownCode { code: String, help: Option<String> },
    /// The formatted source would have another meaning.
    ChangesMeaning { path: String },
    /// The source has syntax errors, of which the first has this message.
    SyntaxErrors { first: Option<String> },
    /// picardc has a defect.
    Panicked(Panicked),
}

impl fmt::Display for CallError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            CallError::NotJson(error) => write!(f, "the arguments are not JSON: {error}"),
            CallError::NotObject => f.write_str("the arguments are not an object"),
            CallError::UnknownArgument { tool, name, known } => {
                write!(f, "`{tool}` does not have an argument `{name}`; it has `{}`", known.join("`, `"))
            }
            CallError::WrongKind { name, kind: Kind::Text } => write!(f, "`{name}` must be a string"),
            CallError::WrongKind { name, kind: Kind::Yes } => write!(f, "`{name}` must be true or false"),
            CallError::WrongKind { name, kind: Kind::Number(least, most, _) } => {
                write!(f, "`{name}` must be a whole number from {least} to {most}")
            }
            CallError::NoSource => f.write_str("give `source`, the text of a suite, or `path`, a .pcd file"),
            CallError::OutsideFolder { path } => {
                write!(f, "`{path}` is not a path below the folder of the server; write it relative to that, with `/`")
            }
            CallError::Unreadable { path, error } => write!(f, "cannot read `{path}`: {error}"),
            CallError::UnknownCode { code, help } => {
                write!(f, "unknown code `{code}`; {}", help.as_deref().unwrap_or("`codes` lists all codes"))
            }
            CallError::ChangesMeaning { path } => write!(f, "`{path}` stays as it is: {MEANING}"),
            CallError::SyntaxErrors { first } => {
                f.write_str("a source with syntax errors is not changed")?;
                first.iter().try_for_each(|message| write!(f, ": {message}"))?;
                f.write_str("; call `check` for all of them")
            }
            CallError::Panicked(panicked) => {
                write!(f, "{panicked}; this is a defect of picardc, please report it with the source")
            }
        }
    }
}
