//! The paths that an agent's program may read, and what was found on the way.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use super::protected_paths::ProtectedPaths;

/// The readable paths, absolute and without links.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Readable {
    /// Files, and folders with their contents.
    pub paths: Vec<PathBuf>,
    /// Folders in which only the names of the entries can be listed: some of the files there are readable, and others are not.
    pub listed: Vec<PathBuf>,
    /// Folders of picardc that were found: bundles, runs, sandboxes, and folders of suites.
    pub ours: Vec<PathBuf>,
    /// Readable paths that are too large to be searched completely for picardc's files.
    pub unlooked: Vec<PathBuf>,
    /// Notes for the user.
    pub notes: Vec<String>,
    /// Files that contain answers and have several hard links.
    pub(super) linked: Vec<PathBuf>,
}

impl Readable {
    /// Sorts the lists, and removes duplicates and paths below other paths. Also removes every path that contains a known file of picardc.
    pub(super) fn normalize_paths(&mut self, ours: &ProtectedPaths) {
        for list in [&mut self.listed, &mut self.ours, &mut self.unlooked] {
            list.sort();
            list.dedup();
        }
        let all: BTreeSet<PathBuf> = std::mem::take(&mut self.paths).into_iter().collect();
        for path in all {
            // The order is by component: the paths below a folder follow it.
            if !self.paths.last().is_some_and(|last| path.starts_with(last)) {
                self.paths.push(path);
            }
        }
        let open = |path: &PathBuf| ours.known().chain(&self.ours).any(|ours| ours.starts_with(path));
        self.paths.retain(|path| !open(path));
    }

    /// Returns the folders of picardc, and the hidden ones, in which names can be listed.
    pub fn find_listable_folders<'a>(&'a self, hidden: &'a [PathBuf]) -> impl Iterator<Item = &'a Path> {
        let all = hidden.iter().chain(&self.ours).filter(|path| path.is_dir());
        all.filter(|path| self.listed.iter().any(|listed| path.starts_with(listed))).map(PathBuf::as_path)
    }
}
