//! Searches for picardc's files in folders that a program may read.

use std::collections::BTreeSet;
use std::ffi::{OsStr, OsString};
use std::fs;
use std::io;
use std::os::unix::fs::DirEntryExt as _;
use std::path::{Path, PathBuf};

use super::super::kinds::{OURS, is_code, is_made_by_us, is_ours, is_program_folder, is_secret, is_suite, is_system};
use super::parts::{self, Grain};
use super::protected_paths::{ProtectedPaths, is_linked, list_paths_below};
use super::readable_paths::Readable;
use super::roots::LOCAL;

/// The maximum number of entries below a folder that the user named.
pub const MAX_ENTRIES: usize = 100_000;

/// The maximum depth below a folder that the user named.
pub const DEEPEST: usize = 32;

/// The maximum number of entries below all folders of installed programs together.
const MAX_INSTALLED: usize = 2_000_000;

/// Why a folder is searched.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Manner {
    /// The user named it: parts that are not searched are not readable.
    Given,
    /// Programs need it: parts that are not searched are readable, and a note reports them. Files next to a suite are not needed.
    Installed,
}

/// A search through several folders.
pub struct Search<'a> {
    /// The protected paths.
    pub ours: &'a ProtectedPaths,
    /// Paths that only root can see.
    closed: BTreeSet<PathBuf>,
    /// Folders that are readable in any case.
    roots: &'a BTreeSet<PathBuf>,
    /// The remaining number of entries of installed programs.
    left: usize,
}

impl<'a> Search<'a> {
    /// A search that has not begun.
    pub fn new(ours: &'a ProtectedPaths, roots: &'a BTreeSet<PathBuf>) -> Search<'a> {
        Search { ours, closed: list_root_only_paths(), roots, left: MAX_INSTALLED }
    }

    /// Allows a file or a folder except picardc's files in it. Returns whether all of it was searched. `root` itself must not be picardc's.
    pub fn allow_root(&mut self, root: &Path, manner: Manner, into: &mut Readable) -> bool {
        let mut left_out: BTreeSet<PathBuf> =
            self.ours.list_below(root).chain(list_paths_below(&self.closed, root)).cloned().collect();
        if !root.is_dir() || ["/proc", "/sys"].iter().any(|kernel| root.starts_with(kernel)) {
            parts::allow_except(root, &left_out, Grain::Whole, into);
            return true;
        }
        let whole = self.search_root(root, manner, &mut left_out, into);
        let grain = if manner == Manner::Given || !is_system(root) { Grain::Entries } else { Grain::Whole };
        parts::allow_except(root, &left_out, grain, into);
        whole
    }

    fn search_root(&mut self, root: &Path, manner: Manner, out: &mut BTreeSet<PathBuf>, into: &mut Readable) -> bool {
        let mut budget = if manner == Manner::Given { MAX_ENTRIES } else { self.left };
        let (mut whole, mut left) = (true, vec![(root.to_owned(), 0)]);
        while let Some((folder, depth)) = left.pop() {
            if out.contains(&folder) {
                continue;
            }
            if manner == Manner::Given && depth >= DEEPEST || budget == 0 {
                whole = false;
                if manner == Manner::Given {
                    out.insert(folder);
                }
                continue;
            }
            let seen = match self.read_folder(&folder, budget) {
                Ok(seen) => seen,
                // The program cannot read it either.
                Err(error) if matches!(error.kind(), io::ErrorKind::PermissionDenied | io::ErrorKind::NotFound) => {
                    continue;
                }
                Err(_) => {
                    out.insert(folder);
                    continue;
                }
            };
            into.linked.extend(seen.secrets.iter().filter(|path| is_linked(path)).cloned());
            whole &= seen.entries <= budget;
            let cut = seen.entries > budget && manner == Manner::Given;
            budget = budget.saturating_sub(seen.entries);
            // A folder below that of a suite may still be an installation, if it is a root itself.
            let of_suite = seen.is_suites && manner == Manner::Installed;
            let is_needed = of_suite && self.roots.contains(&folder);
            let stays = is_needed && (is_system(&folder) || folder.starts_with(LOCAL));
            if is_needed && !stays && is_program_folder(&folder) {
                // In a folder of programs, the programs stay readable.
                let others = seen.others.iter().map(|name| folder.join(name));
                out.extend(seen.secrets.into_iter().chain(others).chain(seen.folders));
                continue;
            }
            if seen.is_ours {
                into.ours.push(folder.clone());
            }
            if seen.is_ours || of_suite && !stays || cut {
                out.insert(folder);
                continue;
            }
            out.extend(seen.secrets);
            out.extend(seen.made.iter().cloned());
            into.ours.extend(seen.made);
            left.extend(seen.folders.into_iter().map(|folder| (folder, depth + 1)));
        }
        if manner == Manner::Installed {
            self.left = budget;
        }
        whole
    }

    /// Reads the entries of one folder.
    fn read_folder(&self, folder: &Path, most: usize) -> io::Result<Seen> {
        let mut seen = Seen::default();
        let mut known = 0;
        for entry in fs::read_dir(folder)?.take(most.saturating_add(1)) {
            let entry = entry?;
            seen.entries += 1;
            let Ok(kind) = entry.file_type() else { continue };
            let name = entry.file_name();
            if kind.is_dir() {
                let folders = if is_made_by_us(&name) { &mut seen.made } else { &mut seen.folders };
                folders.push(entry.path());
            } else if kind.is_file() {
                known += usize::from(OURS.iter().any(|known| name == OsStr::new(known)));
                seen.is_ours |= name == OsStr::new(crate::sandbox::MARKER);
                seen.is_suites |= is_suite(Path::new(&name));
                if is_secret(Path::new(&name)) || self.ours.is_linked(&entry.path(), entry.ino()) {
                    seen.secrets.push(entry.path());
                } else if !is_code(Path::new(&name)) && Path::new(&name).extension().is_some() {
                    seen.others.push(name);
                }
            }
        }
        seen.is_ours |= known >= 2;
        Ok(seen)
    }
}

/// The entries of a folder.
#[derive(Default)]
struct Seen {
    entries: usize,
    folders: Vec<PathBuf>,
    /// Folders whose names are those of sandboxes or unfinished bundles.
    made: Vec<PathBuf>,
    /// Files that must not be read in any folder.
    secrets: Vec<PathBuf>,
    /// Names of files that have an extension but are not code.
    others: Vec<OsString>,
    /// Whether it is a bundle, a run, or a sandbox.
    is_ours: bool,
    /// Whether a suite is in it.
    is_suites: bool,
}

/// Returns the bundles and runs directly in a folder.
pub fn find_bundles_and_runs(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten().take(MAX_ENTRIES);
    let folders = entries.filter(|entry| entry.file_type().is_ok_and(|kind| kind.is_dir()));
    folders.map(|entry| entry.path()).filter(|path| is_ours(path)).collect()
}

/// Paths of which root sees more than other users.
const ROOTS_OWN: [&str; 3] = ["/sys/kernel/debug", "/sys/kernel/tracing", "/sys/fs/bpf"];

/// Returns the paths of the system that only root can see; a program that root starts does not get them.
fn list_root_only_paths() -> BTreeSet<PathBuf> {
    let mut closed = BTreeSet::new();
    if rustix::process::geteuid().is_root() {
        closed.extend(ROOTS_OWN.map(PathBuf::from));
        collect_unreadable_paths(Path::new("/etc"), 3, &mut closed);
    }
    closed
}

/// Collects the paths below a folder that other users cannot read.
fn collect_unreadable_paths(folder: &Path, levels: usize, into: &mut BTreeSet<PathBuf>) {
    use std::os::unix::fs::PermissionsExt as _;
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let Ok(metadata) = entry.metadata() else { continue };
        if metadata.is_symlink() {
            continue;
        }
        let needed = if metadata.is_dir() { 0o005 } else { 0o004 };
        if metadata.permissions().mode() & needed != needed {
            into.insert(entry.path());
        } else if metadata.is_dir() && levels > 0 {
            collect_unreadable_paths(&entry.path(), levels - 1, into);
        }
    }
}
