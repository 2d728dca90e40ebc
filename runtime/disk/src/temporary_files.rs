//! Temporary files next to their final names, and the remains of killed programs.

use std::collections::BTreeSet;
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

/// Minimum age of a temporary file that can be a leftover: a new one may not be locked yet.
pub const SETTLED: Duration = Duration::from_secs(10);

/// Number of characters after the start of a temporary file's name.
const RANDOM: usize = 6;

/// Marks a temporary file as used: while it is open, [`remove_leftovers`] never removes it. On systems that cannot lock files, none is ever removed.
pub fn mark_in_use(file: &File) {
    let _ = file.try_lock();
}

/// Removes the temporary files of killed programs from a folder: the user's own, with one of these starts of their names, unlocked, and not written
/// for this time.
pub fn remove_leftovers(folder: &Path, starts: &[&str], settled: Duration) {
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let name = entry.file_name();
        let is_ours = name.to_str().is_some_and(|name| starts.iter().any(|start| is_temporary(name, start)));
        if is_ours
            && let Ok(file) = open_own(&entry.path())
            && is_old(&file, settled)
            && file.try_lock().is_ok()
        {
            // A file that cannot be removed does no harm.
            let _ = fs::remove_file(entry.path());
        }
    }
}

/// Does the same once per process and folder, for programs that write many files.
pub fn remove_leftovers_once(folder: &Path, starts: &[&str]) {
    static SWEPT: Mutex<BTreeSet<PathBuf>> = Mutex::new(BTreeSet::new());
    let folder = folder.canonicalize().unwrap_or_else(|_| folder.to_owned());
    let is_new = SWEPT.lock().unwrap_or_else(PoisonError::into_inner).insert(folder.clone());
    if is_new {
        remove_leftovers(&folder, starts, SETTLED);
    }
}

fn is_temporary(name: &str, start: &str) -> bool {
    name.strip_prefix(start)
        .is_some_and(|rest| rest.len() == RANDOM && rest.bytes().all(|byte| byte.is_ascii_alphanumeric()))
}

/// Opens a regular file of the user's own. Other entries are neither opened nor waited for.
///
/// # Errors
/// An I/O error; `PermissionDenied` for another user's file; `InvalidInput` for a link.
pub fn open_own(path: &Path) -> io::Result<File> {
    let found = fs::symlink_metadata(path)?;
    if !found.is_file() {
        return Err(io::Error::new(io::ErrorKind::InvalidInput, "it is not a file"));
    }
    if !is_own(&found) {
        return Err(io::Error::new(io::ErrorKind::PermissionDenied, "it is somebody else's"));
    }
    crate::open_regular(path)
}

/// Checks whether it belongs to the user of this process.
pub fn is_own(metadata: &fs::Metadata) -> bool {
    #[cfg(unix)]
    return std::os::unix::fs::MetadataExt::uid(metadata) == rustix::process::geteuid().as_raw();
    #[cfg(not(unix))]
    return !metadata.is_symlink();
}

/// Checks whether the last write of a file or folder was at least this long ago.
pub fn is_old(file: &File, settled: Duration) -> bool {
    let written = file.metadata().and_then(|metadata| metadata.modified());
    settled.is_zero() || written.is_ok_and(|written| written.elapsed().is_ok_and(|age| age >= settled))
}

#[cfg(all(test, unix))]
mod tests {
    use std::os::unix::fs::symlink;

    use super::*;

    #[test]
    fn what_nobody_holds_is_removed_and_nothing_else() {
        let home = tempfile::tempdir().expect("a folder");
        let at = |name: &str| home.path().join(name);
        let others = [".picardc-sandbox", ".picardc-abcde", ".picardc-abc.ef", "picardc-abcdef", ".tmp-abcdef"];
        for name in others.iter().chain(&[".picardc-abcdef", ".picardc-fix-ABC123", ".picardc-held00"]) {
            fs::write(at(name), "x").expect("written");
        }
        fs::create_dir(at(".picardc-folder")).expect("made");
        symlink(at(".tmp-abcdef"), at(".picardc-link00")).expect("linked");
        let mode = rustix::fs::Mode::from_raw_mode(0o600);
        rustix::fs::mknodat(rustix::fs::CWD, at(".picardc-pipe00"), rustix::fs::FileType::Fifo, mode, 0).expect("made");
        let held = File::open(at(".picardc-held00")).expect("opened");
        mark_in_use(&held);
        let left = || fs::read_dir(home.path()).expect("read").count();
        remove_leftovers(home.path(), &[".picardc-", ".picardc-fix-"], SETTLED);
        assert_eq!(left(), 11, "too young");
        remove_leftovers(home.path(), &[".picardc-", ".picardc-fix-"], Duration::ZERO);
        assert_eq!(left(), 9);
        assert!(!at(".picardc-abcdef").exists() && !at(".picardc-fix-ABC123").exists());
    }
}
