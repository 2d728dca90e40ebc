//! Paths that must not be read because they are picardc's: recognized by path, inode, or kind.

use std::collections::BTreeSet;
use std::env;
use std::fs;
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};

use super::super::kinds::{OURS, is_ours, is_secret};
use crate::sandbox::PREFIX;

/// The folder of the bundle in a run of a suite.
const BUNDLE: &str = "bundle";

/// The folder of the transcripts in a run.
const TRANSCRIPTS: &str = "transcripts";

/// The maximum number of files of one folder that are looked at.
const MAX_ENTRIES: usize = 100_000;

/// The known paths: the bundle, the run, the files that the suite is built from, and the place of sandboxes.
pub struct ProtectedPaths {
    known: BTreeSet<PathBuf>,
    /// Inode and device of each file that contains answers: a hard link to it is recognized under any name.
    files: BTreeSet<(u64, u64)>,
}

impl ProtectedPaths {
    /// Protects these paths, whether they exist or not.
    pub fn from_hidden(hidden: &[PathBuf]) -> ProtectedPaths {
        let mut known: BTreeSet<PathBuf> = hidden.iter().filter_map(|path| resolve_links(path)).collect();
        let mut ours = ProtectedPaths { known: BTreeSet::new(), files: BTreeSet::new() };
        ours.add_files_of(&known);
        // No file has this name. It keeps a folder that contains sandboxes from being readable as a whole: only its current entries that are not picardc's are.
        known.extend(resolve_links(&env::temp_dir().join(format!("{PREFIX}none"))));
        ours.known = known;
        ours
    }

    /// Adds the inodes of files, and those in folders that are bundles or runs. Returns whether one is new.
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

    /// The known paths.
    pub fn known(&self) -> impl Iterator<Item = &PathBuf> {
        self.known.iter()
    }

    /// Returns the known paths at or below a folder.
    pub fn list_below<'a>(&'a self, folder: &'a Path) -> impl Iterator<Item = &'a PathBuf> {
        list_paths_below(&self.known, folder)
    }

    /// Whether a path is picardc's, in any folder.
    pub fn has_path(&self, path: &Path) -> bool {
        path.ancestors().any(|above| self.known.contains(above) || is_ours(above))
            || is_secret(path)
            || self.has_number(path)
    }

    /// Whether it is a file of picardc, under any name.
    pub fn has_number(&self, path: &Path) -> bool {
        read_inode(path).is_some_and(|number| self.files.contains(&number))
    }

    /// Whether this is another name of a file of picardc; `inode` is its number in the folder's listing.
    pub fn is_linked(&self, path: &Path, inode: u64) -> bool {
        self.files.range((inode, 0)..=(inode, u64::MAX)).next().is_some() && self.has_number(path)
    }
}

/// Returns the paths at or below a folder.
pub fn list_paths_below<'a>(all: &'a BTreeSet<PathBuf>, folder: &'a Path) -> impl Iterator<Item = &'a PathBuf> {
    // The order is by component: the paths below a folder follow it.
    all.range(folder.to_owned()..).take_while(move |path| path.starts_with(folder))
}

/// Returns inode and device of a regular file.
fn read_inode(path: &Path) -> Option<(u64, u64)> {
    let found = fs::symlink_metadata(path).ok().filter(fs::Metadata::is_file)?;
    Some((found.ino(), found.dev()))
}

/// Whether a file has several hard links.
pub fn is_linked(path: &Path) -> bool {
    read_linked_inode(path).is_some()
}

/// Returns inode and device of a regular file with several hard links. Files with one link are recognized by their folder.
fn read_linked_inode(path: &Path) -> Option<(u64, u64)> {
    let found = fs::symlink_metadata(path).ok().filter(|found| found.is_file() && found.nlink() > 1)?;
    Some((found.ino(), found.dev()))
}

/// Returns the path without links, also if it does not exist yet.
pub fn resolve_links(path: &Path) -> Option<PathBuf> {
    let path = std::path::absolute(path).ok()?;
    path.ancestors().find_map(|above| {
        let real = above.canonicalize().ok()?;
        // Joining an empty path would add a slash, and a file with a slash at its end is not found.
        let rest = path.strip_prefix(above).ok().filter(|rest| !rest.as_os_str().is_empty());
        Some(rest.map_or(real.clone(), |rest| real.join(rest)))
    })
}
