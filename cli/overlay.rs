//! Files as they would be: texts in memory in place of those on disk.

use std::collections::BTreeMap;
use std::fs;
use std::path::PathBuf;

use compiler::host::{Compute, Entry, Host, MAX_FIXTURE_BYTES, ReadError, Sqlite};

use host::Disk;

/// A file that is changed in memory.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Changed {
    /// The path as it was first named.
    pub path: String,
    /// What it was.
    pub before: String,
    /// What it is to be.
    pub after: String,
}

/// The files changed so far, by where they really are: a file reached by two paths is one.
#[derive(Clone, Debug, Default)]
pub struct Texts {
    files: BTreeMap<PathBuf, Changed>,
}

impl Texts {
    /// Changes a file that was read as `before`.
    pub fn put_text(&mut self, path: &str, before: &str, after: String) {
        let changed = Changed { path: path.to_owned(), before: before.to_owned(), after: String::new() };
        self.files.entry(resolve_links(path)).or_insert(changed).after = after;
    }

    /// Those that are not what they were, by their place on disk.
    pub fn iter_changed(&self) -> impl Iterator<Item = (&PathBuf, &Changed)> {
        self.files.iter().filter(|(_, changed)| changed.before != changed.after)
    }

    fn get(&self, path: &str) -> Option<&str> {
        self.files.get(&resolve_links(path)).map(|changed| changed.after.as_str())
    }
}

/// Where a file really is; links are followed, so that a file is changed and no link replaced.
fn resolve_links(path: &str) -> PathBuf {
    fs::canonicalize(path).unwrap_or_else(|_| PathBuf::from(path))
}

/// The disk, with texts in memory that replace the contents of files.
pub struct Overlay<'a> {
    disk: &'a Disk,
    texts: &'a Texts,
}

impl<'a> Overlay<'a> {
    /// Puts the texts before the disk.
    pub fn new(disk: &'a Disk, texts: &'a Texts) -> Overlay<'a> {
        Overlay { disk, texts }
    }
}

impl Host for Overlay<'_> {
    fn read_file(&self, path: &str) -> Result<Vec<u8>, ReadError> {
        self.read_at_most(path, MAX_FIXTURE_BYTES)
    }

    fn read_at_most(&self, path: &str, most: u64) -> Result<Vec<u8>, ReadError> {
        // The disk says what may be read at all; a file that is new need not be there.
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

    fn compute(&self) -> &dyn Compute {
        self.disk.compute()
    }
}
