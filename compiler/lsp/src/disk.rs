//! What is in the files that suites read: looked at where it is asked for, and remembered until something on the disk may have changed.
//!
//! One thread reads; the other knows what that one has read, and what it lacks it leaves to it.

use std::collections::HashMap;
use std::sync::Arc;

use compiler::Entry;
use compiler::query::{TableLocation, TablePreview, read_glimpse};

use crate::workspace::MakeHost;

/// More glimpses and lists are not kept.
const MAX_CACHED: usize = 1_000;

/// What was seen so far. The first part of a key is the folder of the suite's own file.
#[derive(Clone, Default)]
pub struct DiskSnapshot {
    tables: HashMap<(String, TableLocation), Arc<TablePreview>>,
    folders: HashMap<(String, String), Arc<[Entry]>>,
}

/// The disk, seen through what was read of it.
pub struct Disk {
    seen: Arc<DiskSnapshot>,
    make_host: MakeHost,
    reads: bool,
    lacked: bool,
}

impl Disk {
    /// One that knows nothing, and does not read.
    pub fn new(make_host: MakeHost) -> Disk {
        Disk { seen: Arc::default(), make_host, reads: false, lacked: false }
    }

    /// From now on it reads what it does not know.
    pub fn allow_reads(&mut self) {
        self.reads = true;
    }

    /// Anything may have changed.
    pub fn clear_cache(&mut self) {
        self.seen = Arc::default();
    }

    /// What was seen, for the other thread.
    pub fn take_snapshot(&self) -> Arc<DiskSnapshot> {
        Arc::clone(&self.seen)
    }

    /// Takes what the other thread has seen.
    pub fn replace_snapshot(&mut self, seen: Arc<DiskSnapshot>) {
        self.seen = seen;
    }

    /// Whether something was asked for since the last time that it neither knows nor reads.
    pub fn take_missing(&mut self) -> bool {
        std::mem::take(&mut self.lacked)
    }

    /// What is below a folder of the suite at `root`; empty where it cannot be listed.
    pub fn list_folder(&mut self, root: &str, folder: &str) -> Option<Arc<[Entry]>> {
        let key = (extract_folder(root).to_owned(), folder.to_owned());
        if let Some(known) = self.seen.folders.get(&key) {
            return Some(Arc::clone(known));
        }
        if !self.reads {
            self.lacked = true;
            return None;
        }
        let listed = (self.make_host)(root).list_folder(&format!("{}{folder}", key.0));
        let listed: Arc<[Entry]> = listed.unwrap_or_default().into();
        self.make_room().folders.insert(key, Arc::clone(&listed));
        Some(listed)
    }

    /// What is in the files of a table of the suite at `root`.
    pub fn load_glimpse(&mut self, root: &str, look: &TableLocation) -> Option<Arc<TablePreview>> {
        let key = (extract_folder(root).to_owned(), look.clone());
        if let Some(known) = self.seen.tables.get(&key) {
            return Some(Arc::clone(known));
        }
        let listed = match &look.lake {
            Some(lake) => self.list_folder(root, lake)?,
            None => Arc::default(),
        };
        if !self.reads {
            self.lacked = true;
            return None;
        }
        let host = (self.make_host)(root);
        let found = Arc::new(read_glimpse(look, &key.0, &listed, host.as_ref()));
        self.make_room().tables.insert(key, Arc::clone(&found));
        Some(found)
    }

    /// Where more can be remembered.
    fn make_room(&mut self) -> &mut DiskSnapshot {
        let seen = Arc::make_mut(&mut self.seen);
        // Each edit of an option adds an entry.
        if seen.tables.len() + seen.folders.len() >= MAX_CACHED {
            *seen = DiskSnapshot::default();
        }
        seen
    }
}

/// The folder of a suite's own file, with a `/` at its end.
pub fn extract_folder(root: &str) -> &str {
    root.rfind('/').map_or("", |slash| root.get(..=slash).unwrap_or(""))
}
