//! The files of a sandbox when the agent began.

use std::borrow::Cow;
use std::collections::BTreeMap;

use records::hash_sha256;
use records::instance::Content;

/// The files of a sandbox when the agent began.
pub trait StartFiles {
    /// Returns the content of the file at a path of the sandbox; `None` if it did not exist.
    fn read_file(&self, path: &str) -> Option<Cow<'_, [u8]>>;

    /// Returns SHA-256 of the content of the file at a path, in hexadecimal digits; `None` if it is not known.
    fn digest_file(&self, path: &str, content: &Content) -> Option<String> {
        match content {
            Content::Inline(bytes) => Some(hash_sha256(bytes)),
            Content::Below(_) => self.read_file(path).map(|bytes| hash_sha256(&bytes)),
        }
    }
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
