//! What must not be read because it is picardc's: known by its path, by its number, or by what it is.

use std::collections::BTreeSet;
use std::env;
use std::fs;
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};

use super::super::kinds::{OURS, is_ours, is_secret};
use crate::sandbox::PREFIX;

/// Where a run of a suite has its bundle.
const BUNDLE: &str = "bundle";

/// Where a run has what was said.
const TRANSCRIPTS: &str = "transcripts";

/// The most files of one folder that are looked at.
const MAX_ENTRIES: usize = 100_000;

/// Paths that are known: the bundle, the run, what the suite is built from, and where sandboxes are.
pub struct ProtectedPaths {
    known: BTreeSet<PathBuf>,
    /// Number and device of files in which answers are: under any name, a hard link to one is the file.
    files: BTreeSet<(u64, u64)>,
}

impl ProtectedPaths {
    /// These, whether they are there or not.
    pub fn from_hidden(hidden: &[PathBuf]) -> ProtectedPaths {
        let mut known: BTreeSet<PathBuf> = hidden.iter().filter_map(|path| resolve_links(path)).collect();
        let mut ours = ProtectedPaths { known: BTreeSet::new(), files: BTreeSet::new() };
        ours.add_files_of(&known);
        // No file has this name; a folder that holds sandboxes is never readable as one, but only what it holds by now and is not ours.
        known.extend(resolve_links(&env::temp_dir().join(format!("{PREFIX}none"))));
        ours.known = known;
        ours
    }

    /// Notes the numbers of files, and of those of folders that are bundles or runs. Whether one was not known.
    pub fn add_files_of<'a>(&mut self, paths: impl IntoIterator<Item = &'a PathBuf>) -> bool {
        let before = self.files.len();
        for path in paths {
            self.files.extend(read_inode(path));
            self.files.extend(OURS.iter().filter_map(|name| read_inode(&path.join(name))));
            let folders = [path.clone(), path.join(BUNDLE), path.join(TRANSCRIPTS)];
            let entries = folders.iter().flat_map(fs::read_dir).flatten().flatten().take(MAX_ENTRIES);
            self.files.extend(entries.filter_map(|entry| read_linked_inode(&entry.path())));
        }
        self.files.len() > before
    }

    /// The paths that are known.
    pub fn known(&self) -> impl Iterator<Item = &PathBuf> {
        self.known.iter()
    }

    /// Those at or below a folder.
    pub fn list_below<'a>(&'a self, folder: &'a Path) -> impl Iterator<Item = &'a PathBuf> {
        list_paths_below(&self.known, folder)
    }

    /// Whether something is ours wherever it was found.
    pub fn has_path(&self, path: &Path) -> bool {
        path.ancestors().any(|above| self.known.contains(above) || is_ours(above))
            || is_secret(path)
            || self.has_number(path)
    }

    /// Whether it is a file that is ours, under whatever name.
    pub fn has_number(&self, path: &Path) -> bool {
        read_inode(path).is_some_and(|number| self.files.contains(&number))
    }

    /// Whether this is another name of a file that is ours; `inode` is its number, as the folder tells it.
    pub fn is_linked(&self, path: &Path, inode: u64) -> bool {
        self.files.range((inode, 0)..=(inode, u64::MAX)).next().is_some() && self.has_number(path)
    }
}

/// Those at or below a folder.
pub fn list_paths_below<'a>(all: &'a BTreeSet<PathBuf>, folder: &'a Path) -> impl Iterator<Item = &'a PathBuf> {
    // Sorted by component: what is below a folder follows it.
    all.range(folder.to_owned()..).take_while(move |path| path.starts_with(folder))
}

/// Number and device of a regular file.
fn read_inode(path: &Path) -> Option<(u64, u64)> {
    let found = fs::symlink_metadata(path).ok().filter(fs::Metadata::is_file)?;
    Some((found.ino(), found.dev()))
}

/// Whether a file has a second name.
pub fn is_linked(path: &Path) -> bool {
    read_linked_inode(path).is_some()
}

/// The same of one that has a second name; others are known by the folder in which they are.
fn read_linked_inode(path: &Path) -> Option<(u64, u64)> {
    let found = fs::symlink_metadata(path).ok().filter(|found| found.is_file() && found.nlink() > 1)?;
    Some((found.ino(), found.dev()))
}

/// The path without links, also of what is not there yet.
pub fn resolve_links(path: &Path) -> Option<PathBuf> {
    let path = std::path::absolute(path).ok()?;
    path.ancestors().find_map(|above| {
        let real = above.canonicalize().ok()?;
        // Joined with nothing, a path gets a slash, and a file with a slash is not found.
        let rest = path.strip_prefix(above).ok().filter(|rest| !rest.as_os_str().is_empty());
        Some(rest.map_or(real.clone(), |rest| real.join(rest)))
    })
}
