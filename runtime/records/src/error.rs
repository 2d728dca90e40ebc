//! Why a record cannot be read or written.

use std::fmt;
use std::path::Path;

/// What is wrong, where, and what to do about it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Error {
    /// One sentence without a period, in the user's terms; names the file and the line.
    pub message: String,
    /// What to do instead.
    pub help: Option<String>,
    /// Whether the outside failed (disk, permissions) rather than the user.
    pub outside: bool,
}

impl Error {
    /// Something that the user gave is wrong.
    pub fn new_usage(message: impl Into<String>) -> Error {
        Error { message: message.into(), help: None, outside: false }
    }

    /// The disk or the system said no.
    pub fn new_outside(message: impl Into<String>) -> Error {
        Error { message: message.into(), help: None, outside: true }
    }

    /// Reading or writing `path` failed.
    pub fn new_io(what: &str, path: &Path, error: &std::io::Error) -> Error {
        let message = format!("cannot {what} `{}`: {error}", disk::show_path(&path));
        let missing = error.kind() == std::io::ErrorKind::NotFound;
        let full = error.kind() == std::io::ErrorKind::StorageFull;
        let help = full.then(|| "free some space on the disk, then repeat the command".to_owned());
        Error { message, help, outside: !missing }
    }

    /// With advice.
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
