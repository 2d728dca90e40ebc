//! The files of a sandbox when the agent began.

use std::borrow::Cow;
use std::collections::BTreeMap;

/// The files of a sandbox when the agent began.
pub trait StartFiles {
    /// Returns the content of the file at a path of the sandbox; `None` if it did not exist.
    fn read_file(&self, path: &str) -> Option<Cow<'_, [u8]>>;
}

/// A sandbox without files.
impl StartFiles for () {
    fn read_file(&self, _path: &str) -> Option<Cow<'_, [u8]>> {
        None
    }
}

/// Files by path.
impl StartFiles for BTreeMap<String, Vec<u8>> {
    fn read_file(&self, path: &str) -> Option<Cow<'_, [u8]>> {
        self.get(path).map(|bytes| Cow::Borrowed(bytes.as_slice()))
    }
}
