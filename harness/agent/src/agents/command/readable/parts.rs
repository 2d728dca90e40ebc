//! Allows a folder except some of its entries.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use super::readable_paths::Readable;

/// How a folder is allowed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Grain {
    /// As a whole, if nothing in it is left out.
    Whole,
    /// Entry by entry.
    Entries,
}

/// Allows `root` except the paths in `left_out`. Any folder that contains one of them is allowed entry by entry.
pub fn allow_except(root: &Path, left_out: &BTreeSet<PathBuf>, grain: Grain, into: &mut Readable) {
    let mut left = vec![root.to_owned()];
    while let Some(path) = left.pop() {
        if left_out.contains(&path) {
            continue;
        }
        // The order is by component: the paths below a folder follow it.
        let splits = left_out.range(path.clone()..).next().is_some_and(|next| next.starts_with(&path));
        let is_entry = grain == Grain::Entries && path == root && path.is_dir();
        if !splits && !is_entry {
            into.paths.push(path);
            continue;
        }
        // Links are skipped: access depends on the path to which they lead.
        let entries = fs::read_dir(&path).into_iter().flatten().flatten();
        let entries = entries.filter(|entry| entry.file_type().is_ok_and(|kind| !kind.is_symlink()));
        left.extend(entries.map(|entry| entry.path()));
        into.listed.push(path);
    }
}
