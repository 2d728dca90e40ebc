//! Errors of reading and writing records.

use std::fmt;
use std::path::Path;

/// An error with its place and its remedy.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Error {
    /// One sentence without a period, in the user's terms, which names the file and the line.
    pub message: String,
    /// The remedy.
    pub help: Option<String>,
    /// Whether it is caused by the system (disk, permissions) instead of the user.
    pub outside: bool,
}

impl Error {
    /// Creates the error for wrong input of the user.
    pub fn new_usage(message: impl Into<String>) -> Error {
        Error { message: message.into(), help: None, outside: false }
    }

    /// Creates the error for a failure of the disk or the system.
    pub fn new_outside(message: impl Into<String>) -> Error {
        Error { message: message.into(), help: None, outside: true }
    }

    /// Creates the error for a failure to read or write `path`.
    pub fn new_io(what: &str, path: &Path, error: &std::io::Error) -> Error {
        let message = format!("cannot {what} `{}`: {error}", disk::show_path(&path));
        let missing = error.kind() == std::io::ErrorKind::NotFound;
        let full = error.kind() == std::io::ErrorKind::StorageFull;
        let help = full.then(|| "free some space on the disk, then repeat the command".to_owned());
        Error { message, help, outside: !missing }
    }

    /// Adds the id of the instance that has the mistake.
    pub(crate) fn name_instance(self, id: &str) -> Error {
        Error { message: format!("instance `{id}`: {}", self.message), ..self }
    }

    /// Adds advice.
    pub fn help(mut self, help: impl Into<String>) -> Error {
        self.help = Some(help.into());
        self
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for Error {}

/// Builds the error for a part of a key that this version cannot read.
pub(crate) fn build_version_error(message: impl ToString) -> Error {
    Error::new_usage(message.to_string()).help("build the bundle again with this version of picardc")
}
