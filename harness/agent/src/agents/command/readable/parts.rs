//! A folder without some of what is in it.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use super::Readable;

/// Allows `root` without what is left out: of a folder with something like that in it, each entry. `by_entry` says that the entries are allowed in any
/// case, and not the folder.
pub fn allow_except(root: &Path, left_out: &BTreeSet<PathBuf>, by_entry: bool, into: &mut Readable) {
    let mut left = vec![root.to_owned()];
    while let Some(path) = left.pop() {
        if left_out.contains(&path) {
            continue;
        }
        // Sorted by component: what is below a folder follows it.
        let splits = left_out.range(path.clone()..).next().is_some_and(|next| next.starts_with(&path));
        let is_entry = by_entry && path == root && path.is_dir();
        if !splits && !is_entry {
            into.paths.push(path);
            continue;
        }
        // A link is judged where it leads to.
        let entries = fs::read_dir(&path).into_iter().flatten().flatten();
        let entries = entries.filter(|entry| entry.file_type().is_ok_and(|kind| !kind.is_symlink()));
        left.extend(entries.map(|entry| entry.path()));
        into.listed.push(path);
    }
}
