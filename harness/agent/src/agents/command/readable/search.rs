//! Looks for what is picardc's in folders that a program may read.

use std::collections::BTreeSet;
use std::ffi::{OsStr, OsString};
use std::fs;
use std::io;
use std::os::unix::fs::DirEntryExt as _;
use std::path::{Path, PathBuf};

use super::super::kinds::{OURS, is_code, is_made_by_us, is_ours, is_program_folder, is_secret, is_suite, is_system};
use super::protected_paths::{ProtectedPaths, is_linked, list_paths_below};
use super::roots::LOCAL;
use super::{Readable, parts};

/// The most entries of a folder that the user named, and of all below it, that are looked at.
pub const MAX_ENTRIES: usize = 100_000;

/// The deepest folder below a named one that is looked at.
pub const DEEPEST: usize = 32;

/// The most entries of all folders where programs are installed that are looked at.
const MAX_INSTALLED: usize = 2_000_000;

/// Whose folder it is that is looked at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Manner {
    /// The user named it: what is not looked at is not readable.
    Given,
    /// Programs need it: what is not looked at is readable, and that is said. What is next to a suite is not needed.
    Installed,
}

/// A search through several folders.
pub struct Search<'a> {
    ours: &'a ProtectedPaths,
    /// What users other than root do not see.
    closed: BTreeSet<PathBuf>,
    /// Folders that are readable whatever is in them.
    roots: &'a BTreeSet<PathBuf>,
    /// How many entries more of installed programs are looked at.
    left: usize,
}

impl<'a> Search<'a> {
    /// Nothing is looked at so far.
    pub fn new(ours: &'a ProtectedPaths, roots: &'a BTreeSet<PathBuf>) -> Search<'a> {
        Search { ours, closed: list_root_only_paths(), roots, left: MAX_INSTALLED }
    }

    /// What is ours.
    pub fn ours(&self) -> &'a ProtectedPaths {
        self.ours
    }

    /// Allows a file or a folder but for what is ours in it; whether all of it was looked at. Nobody may call it with what is ours itself.
    pub fn allow_root(&mut self, root: &Path, manner: Manner, into: &mut Readable) -> bool {
        let mut left_out: BTreeSet<PathBuf> =
            self.ours.list_below(root).chain(list_paths_below(&self.closed, root)).cloned().collect();
        if !root.is_dir() || ["/proc", "/sys"].iter().any(|kernel| root.starts_with(kernel)) {
            parts::allow_except(root, &left_out, false, into);
            return true;
        }
        let whole = self.search_root(root, manner, &mut left_out, into);
        let by_entry = manner == Manner::Given || !is_system(root);
        parts::allow_except(root, &left_out, by_entry, into);
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
                // What we cannot read the program cannot read.
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
            // What lies deeper in a suite's folder may be installed all the same, if it is a root of its own.
            let of_suite = seen.is_suites && manner == Manner::Installed;
            let is_needed = of_suite && self.roots.contains(&folder);
            let stays = is_needed && (is_system(&folder) || folder.starts_with(LOCAL));
            if is_needed && !stays && is_program_folder(&folder) {
                // Of a folder of programs, the programs stay.
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

    /// Reads one folder.
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

/// What is in a folder.
#[derive(Default)]
struct Seen {
    entries: usize,
    folders: Vec<PathBuf>,
    /// Folders that are sandboxes, or bundles in the making, by their names.
    made: Vec<PathBuf>,
    /// What must not be read, whatever the folder is.
    secrets: Vec<PathBuf>,
    /// Names of files that are neither code nor programs.
    others: Vec<OsString>,
    /// It is a bundle, a run, or a sandbox.
    is_ours: bool,
    /// A suite is in it.
    is_suites: bool,
}

/// Bundles and runs of a folder; nothing deeper is looked at.
pub fn find_bundles_and_runs(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten().take(MAX_ENTRIES);
    let folders = entries.filter(|entry| entry.file_type().is_ok_and(|kind| kind.is_dir()));
    folders.map(|entry| entry.path()).filter(|path| is_ours(path)).collect()
}

/// Of these, root sees more than users do.
const ROOTS_OWN: [&str; 3] = ["/sys/kernel/debug", "/sys/kernel/tracing", "/sys/fs/bpf"];

/// What only root sees of the system: a program that root starts does not.
fn list_root_only_paths() -> BTreeSet<PathBuf> {
    let mut closed = BTreeSet::new();
    if rustix::process::geteuid().is_root() {
        closed.extend(ROOTS_OWN.map(PathBuf::from));
        collect_unreadable_paths(Path::new("/etc"), 3, &mut closed);
    }
    closed
}

/// What others may not read below a folder.
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
