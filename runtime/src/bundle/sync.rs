//! Makes a folder durable: every file in it is synced before it gets its name, so that a power cut does not leave a bundle of empty
//! files under OUT.
//!
//! One `fsync` waits for the disk; many at once share its journal commits. So they are done at the end, by some threads, whatever the number of
//! cores. The folder is walked rather than its files remembered: that keeps memory flat. Of folders only the outermost is synced: a file
//! system with a journal commits the names on the way to a new file with the file, and a sync for each folder would double the time.
//! (`syncfs` would be one call for all of it, but needs a crate.)

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

/// Threads that wait for the disk.
const WAITERS: usize = 16;

/// Syncs every file below `root`, and `root`.
pub(super) fn tree(root: &Path) -> io::Result<()> {
    let work = Mutex::new(Work { folders: vec![root.to_owned()], busy: 0, failed: None });
    let idle = std::sync::Condvar::new();
    let sync = || {
        loop {
            let mut state = work.lock().unwrap_or_else(PoisonError::into_inner);
            let folder = loop {
                if state.failed.is_some() {
                    return;
                }
                if let Some(folder) = state.folders.pop() {
                    state.busy += 1;
                    break folder;
                }
                if state.busy == 0 {
                    return;
                }
                state = idle.wait(state).unwrap_or_else(PoisonError::into_inner);
            };
            drop(state);
            let done = one(&folder);
            let mut state = work.lock().unwrap_or_else(PoisonError::into_inner);
            state.busy -= 1;
            match done {
                Ok(folders) => state.folders.extend(folders),
                Err(error) => state.failed = Some(error),
            }
            idle.notify_all();
        }
    };
    std::thread::scope(|scope| {
        // This one waits too, so that it gets done where no other can be started.
        let mut others = 1..WAITERS;
        while others.next().is_some() && std::thread::Builder::new().spawn_scoped(scope, sync).is_ok() {}
        sync();
    });
    let work = work.into_inner().unwrap_or_else(PoisonError::into_inner);
    work.failed.map_or_else(|| folder(root), Err)
}

struct Work {
    folders: Vec<PathBuf>,
    busy: usize,
    failed: Option<io::Error>,
}

/// Syncs the files of a folder; gives the folders in it.
fn one(folder: &Path) -> io::Result<Vec<PathBuf>> {
    let mut folders = Vec::new();
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        if entry.file_type()?.is_dir() {
            folders.push(entry.path());
        } else {
            File::open(entry.path())?.sync_all()?;
        }
    }
    Ok(folders)
}

/// Syncs a folder's list of names, where the system can.
pub(super) fn folder(folder: &Path) -> io::Result<()> {
    if cfg!(unix) { File::open(folder)?.sync_all() } else { Ok(()) }
}
