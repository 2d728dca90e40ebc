//! What an agent's program may read: a list that is made once for a run. Landlock only allows, so what is next to the program is found by looking.
//!
//! | of | readable is |
//! | --- | --- |
//! | the system, folders of `PATH`, installed interpreters | everything but what is picardc's, and the folders of suites ([`roots`]) |
//! | a file that `--agent` names | the file, and each file of code next to it ([`code`]) |
//! | `--read` | everything but what is picardc's: bundles, runs, sandboxes, `.pcd` files, and what is hidden |
//!
//! What is allowed is allowed with all that it will ever hold. So the folder in which people work is never allowed as one: each entry of it is
//! ([`parts`]), and what is made there later is not among them.

mod code;
mod parts;
mod protected_paths;
mod roots;
mod search;

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use protected_paths::ProtectedPaths;
use search::{DEEPEST, Manner, Search};

pub use protected_paths::resolve_links;

/// How often is looked again: the first time, all files are found that have a second name, unless somebody makes more meanwhile.
const AGAIN: usize = 3;

/// What may be read, as absolute paths without links.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Readable {
    /// Files, and folders with all in them.
    pub paths: Vec<PathBuf>,
    /// Folders of which only the names in them are readable: where some of the files next to each other are, and others are not.
    pub listed: Vec<PathBuf>,
    /// Folders of picardc's that were found there: bundles, runs, sandboxes, folders of suites.
    pub ours: Vec<PathBuf>,
    /// What is readable though it is too much to look for what is picardc's in all of it.
    pub unlooked: Vec<PathBuf>,
    /// What the user should know.
    pub notes: Vec<String>,
    /// Files in which answers are and that have a second name.
    linked: Vec<PathBuf>,
}

/// From what the list is made.
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
    /// Looks for everything.
    pub fn find_paths(sources: &Sources) -> Readable {
        let mut ours = ProtectedPaths::from_hidden(sources.hidden);
        let mut found = Readable::search_once(sources, &mut ours);
        for _ in 0..AGAIN {
            // What is found late can have another name in what was looked at before.
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
        // Earlier runs and bundles are next to these, whatever else is readable there.
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

    /// Sorted, and nothing twice or below another; and whatever the search did, nothing that is known to be picardc's.
    fn normalize_paths(&mut self, ours: &ProtectedPaths) {
        for list in [&mut self.listed, &mut self.ours, &mut self.unlooked] {
            list.sort();
            list.dedup();
        }
        let all: BTreeSet<PathBuf> = std::mem::take(&mut self.paths).into_iter().collect();
        for path in all {
            // Sorted by component: what is below a folder follows it.
            if !self.paths.last().is_some_and(|last| path.starts_with(last)) {
                self.paths.push(path);
            }
        }
        let open = |path: &PathBuf| ours.known().chain(&self.ours).any(|ours| ours.starts_with(path));
        self.paths.retain(|path| !open(path));
    }

    /// The folders of picardc's, and what is hidden, of which the names in them can be listed.
    pub fn find_listable_folders<'a>(&'a self, hidden: &'a [PathBuf]) -> impl Iterator<Item = &'a Path> {
        let all = hidden.iter().chain(&self.ours).filter(|path| path.is_dir());
        all.filter(|path| self.listed.iter().any(|listed| path.starts_with(listed))).map(PathBuf::as_path)
    }
}

fn explain_unreadable(path: &Path) -> String {
    format!("the program cannot read `{}`: it belongs to a bundle, a run, or a suite", disk::show_path(&path))
}

#[cfg(test)]
mod tests;
