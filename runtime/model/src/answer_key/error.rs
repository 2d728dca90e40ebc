//! The reason why an answer key cannot be read.

use std::fmt;

/// The reason why an answer key cannot be read: one sentence without a final period, which shows the unreadable part.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KeyError(String);

impl KeyError {
    pub(super) fn new(message: impl Into<String>) -> KeyError {
        KeyError(message.into())
    }
}

impl fmt::Display for KeyError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for KeyError {}
