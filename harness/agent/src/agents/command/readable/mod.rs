//! What an agent's program may read: a list that is made once for a run. Landlock can only allow paths, so files near the program are searched first.
//!
//! | path | readable |
//! | --- | --- |
//! | the system, folders of `PATH`, installed interpreters | everything except picardc's files and the folders of suites ([`roots`]) |
//! | a file that `--agent` names | the file, and each code file in its folder and below ([`code`]) |
//! | `--read` | everything except picardc's files: bundles, runs, sandboxes, `.pcd` files, and hidden paths |
//!
//! An allowed folder includes all files that it will ever contain. So the folder in which people work is never allowed as a whole, but each of its
//! entries ([`parts`]): later files are not included.

mod code;
mod parts;
mod protected_paths;
mod readable_paths;
mod roots;
mod search;

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use protected_paths::ProtectedPaths;
use search::{DEEPEST, Manner, Search};

pub use protected_paths::resolve_links;
pub use readable_paths::Readable;

/// The maximum number of further searches. The first search finds all files that have several hard links, unless more are made meanwhile.
const AGAIN: usize = 3;

/// The paths from which the list is made.
#[derive(Debug, Default)]
pub struct Sources<'a> {
    /// Programs and interpreters that were found.
    pub programs: &'a [PathBuf],
    /// Files that the user named.
    pub named: &'a [PathBuf],
    /// `--read`.
    pub given: &'a [PathBuf],
    /// The bundle, the run, and the files that the suite is built from.
    pub hidden: &'a [PathBuf],
}

impl Readable {
    /// Finds all readable paths.
    pub fn find_paths(sources: &Sources) -> Readable {
        let mut ours = ProtectedPaths::from_hidden(sources.hidden);
        let mut found = Readable::search_once(sources, &mut ours);
        for _ in 0..AGAIN {
            // A file that is found late can have another name in a folder that was searched before.
            if !ours.add_files_of(found.ours.iter().chain(&found.linked)) {
                break;
            }
            found = Readable::search_once(sources, &mut ours);
        }
        found.linked.clear();
        found
    }

    fn search_once(sources: &Sources, ours: &mut ProtectedPaths) -> Readable {
        let mut found = Readable::default();
        // Earlier runs and bundles are next to these. They must be found even if the rest of the folder is not readable.
        let around = sources.hidden.iter().filter_map(|path| resolve_links(path)?.parent().map(Path::to_owned));
        for folder in around.collect::<BTreeSet<_>>() {
            found.ours.extend(search::find_bundles_and_runs(&folder));
        }
        ours.add_files_of(&found.ours);
        let ours = &*ours;
        let roots = roots::find_roots(sources.programs);
        let mut search = Search::new(ours, &roots);
        for file in sources.named.iter().filter_map(|path| path.canonicalize().ok()) {
            if ours.has_path(&file) {
                found.notes.push(explain_unreadable(&file));
            } else {
                code::next_to(&file, &mut search, &mut found);
            }
        }
        for root in sources.given.iter().filter_map(|path| path.canonicalize().ok()) {
            if ours.has_path(&root) {
                found.notes.push(explain_unreadable(&root));
            } else if !search.allow_root(&root, Manner::Given, &mut found) {
                found.notes.push(format!(
                    "`{}` holds too many files, or folders more than {DEEPEST} levels deep, to look for bundles and runs in all of it: name a \
                     smaller folder with --read",
                    disk::show_path(&root)
                ));
            }
        }
        for root in roots.iter().filter(|root| !ours.has_path(root)) {
            if !search.allow_root(root, Manner::Installed, &mut found) {
                found.unlooked.push(root.clone());
            }
        }
        found.normalize_paths(ours);
        found
    }
}

fn explain_unreadable(path: &Path) -> String {
    format!("the program cannot read `{}`: it belongs to a bundle, a run, or a suite", disk::show_path(&path))
}

#[cfg(test)]
mod tests;
