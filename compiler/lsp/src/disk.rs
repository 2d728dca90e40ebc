//! A cache of the files that suites read: filled on request, and kept until something on the disk may have changed.
//!
//! Only one thread reads the disk. The other uses a snapshot of this cache and forwards requests that the cache cannot answer.

use std::collections::HashMap;
use std::sync::Arc;

use compiler::Entry;
use compiler::host::Host;
use compiler::query::{TableLocation, TablePreview, read_glimpse};

/// The maximum number of cached previews and listings; at this number the cache is cleared.
const MAX_CACHED: usize = 1_000;

/// Makes a host for the suite at a path.
pub type MakeHost = Arc<dyn Fn(&str) -> Box<dyn Host> + Send + Sync>;

/// The cached previews and listings. The first part of each key is the folder of the suite's root file.
#[derive(Clone, Default)]
pub struct DiskSnapshot {
    tables: HashMap<(String, TableLocation), Arc<TablePreview>>,
    folders: HashMap<(String, String), Arc<[Entry]>>,
}

/// Cached access to the disk.
pub struct Disk {
    seen: Arc<DiskSnapshot>,
    make_host: MakeHost,
    reads: bool,
    lacked: bool,
}

impl Disk {
    /// Creates an empty cache that does not read the disk.
    pub fn new(make_host: MakeHost) -> Disk {
        Disk { seen: Arc::default(), make_host, reads: false, lacked: false }
    }

    /// Lets it read the disk for entries that are not cached.
    pub fn allow_reads(&mut self) {
        self.reads = true;
    }

    /// Clears the cache, because anything on the disk may have changed.
    pub fn clear_cache(&mut self) {
        self.seen = Arc::default();
    }

    /// A snapshot of the cache, for the other thread.
    pub fn take_snapshot(&self) -> Arc<DiskSnapshot> {
        Arc::clone(&self.seen)
    }

    /// Replaces the cache with a snapshot from the other thread.
    pub fn replace_snapshot(&mut self, seen: Arc<DiskSnapshot>) {
        self.seen = seen;
    }

    /// Whether an entry was requested since the last call that was neither cached nor read. Resets this flag.
    pub fn take_missing(&mut self) -> bool {
        std::mem::take(&mut self.lacked)
    }

    /// The content of a folder of the suite at `root`: empty if it cannot be listed, `None` if it is not cached and must not be read.
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

    /// The preview of the files of a table of the suite at `root`; `None` if it is not cached and must not be read.
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

    /// Returns the cache for an insertion, and clears it first if it is full.
    fn make_room(&mut self) -> &mut DiskSnapshot {
        let seen = Arc::make_mut(&mut self.seen);
        // Each edit of an option adds an entry.
        if seen.tables.len() + seen.folders.len() >= MAX_CACHED {
            *seen = DiskSnapshot::default();
        }
        seen
    }
}

/// The folder of a suite's root file, with a trailing `/`.
pub fn extract_folder(root: &str) -> &str {
    root.rfind('/').map_or("", |slash| root.get(..=slash).unwrap_or(""))
}
