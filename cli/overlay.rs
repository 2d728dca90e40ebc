//! Files with changes in memory: texts that replace those on disk.

use std::collections::BTreeMap;
use std::fs;
use std::path::PathBuf;

use compiler::host::{Compute, Entry, Host, MAX_FIXTURE_BYTES, ReadError, Sqlite};

use host::Disk;

/// A file that is changed in memory.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Changed {
    /// The path as first named.
    pub path: String,
    /// The text before the change.
    pub before: String,
    /// The text after the change.
    pub after: String,
}

/// The files changed so far, by their canonical paths: a file reached by two paths counts once.
#[derive(Clone, Debug, Default)]
pub struct Texts {
    files: BTreeMap<PathBuf, Changed>,
}

impl Texts {
    /// Changes a file whose text was `before`.
    pub fn put_text(&mut self, path: &str, before: &str, after: String) {
        let changed = Changed { path: path.to_owned(), before: before.to_owned(), after: String::new() };
        self.files.entry(resolve_links(path)).or_insert(changed).after = after;
    }

    /// Iterates over the texts that differ from the original, with their paths on disk.
    pub fn iter_changed(&self) -> impl Iterator<Item = (&PathBuf, &Changed)> {
        self.files.iter().filter(|(_, changed)| changed.before != changed.after)
    }

    fn get(&self, path: &str) -> Option<&str> {
        self.files.get(&resolve_links(path)).map(|changed| changed.after.as_str())
    }
}

/// Returns the canonical path of a file. Links are followed: the file is changed, and the link remains.
fn resolve_links(path: &str) -> PathBuf {
    fs::canonicalize(path).unwrap_or_else(|_| PathBuf::from(path))
}

/// The disk, with texts in memory that replace the contents of files.
pub struct Overlay<'a> {
    /// The files on disk.
    pub disk: &'a Disk,
    /// The texts that are read instead of them.
    pub texts: &'a Texts,
}

impl Host for Overlay<'_> {
    fn read_file(&self, path: &str) -> Result<Vec<u8>, ReadError> {
        self.read_at_most(path, MAX_FIXTURE_BYTES)
    }

    fn read_at_most(&self, path: &str, most: u64) -> Result<Vec<u8>, ReadError> {
        // The disk decides which paths may be read; a new file need not exist there.
        match (self.disk.read_at_most(path, most), self.texts.get(path)) {
            (Ok(_) | Err(ReadError::NotFound), Some(text)) => Ok(text.as_bytes().to_vec()),
            (found, _) => found,
        }
    }

    fn list_folder(&self, folder: &str) -> Result<Vec<Entry>, ReadError> {
        self.disk.list_folder(folder)
    }

    fn sqlite(&self) -> &dyn Sqlite {
        self.disk.sqlite()
    }

    fn evaluator(&self) -> &dyn Compute {
        self.disk.evaluator()
    }
}
