//! The files of the page, which take the place of a disk.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

use compiler::host::{Compute, Entry, Host, ReadError, Sqlite, list_below};
use sqlite::PreparedSchemas;

/// Files by path, without a leading `/`. All hosts that are made from them share them.
#[derive(Clone, Default)]
pub struct Files {
    all: Arc<Mutex<BTreeMap<String, Arc<[u8]>>>>,
}

impl Files {
    /// Replaces all files.
    pub fn replace_all(&self, files: BTreeMap<String, Arc<[u8]>>) {
        *self.all.lock().unwrap_or_else(PoisonError::into_inner) = files;
    }

    /// Adds a file, or replaces the one at its path. Returns whether anything changed.
    pub fn put_file(&self, path: &str, bytes: &[u8]) -> bool {
        let mut all = self.all.lock().unwrap_or_else(PoisonError::into_inner);
        let path = strip_slashes(path);
        if all.get(path).is_some_and(|known| **known == *bytes) {
            return false;
        }
        all.insert(path.to_owned(), bytes.into());
        true
    }

    /// Returns the bytes of a file; `None` if it does not exist.
    pub fn get_file(&self, path: &str) -> Option<Arc<[u8]>> {
        self.all.lock().unwrap_or_else(PoisonError::into_inner).get(strip_slashes(path)).cloned()
    }

    /// Builds a function that reads files of the suite's folder, for its lakes.
    pub fn build_reader(&self, suite: &str) -> impl Fn(&str) -> Option<Vec<u8>> + Send + Sync + 'static {
        let folder = suite.rfind('/').map_or("", |slash| &suite[..=slash]).to_owned();
        let files = self.clone();
        move |path| files.get_file(&format!("{folder}{path}")).map(|bytes| bytes.to_vec())
    }

    /// Builds a host that reads these files and caches the answers of SQLite.
    pub fn build_host(&self) -> Served {
        Served { files: self.clone(), sqlite: PreparedSchemas::default() }
    }
}

/// Editors write `/suites/a.pcd`, and commands write `suites/a.pcd`.
fn strip_slashes(path: &str) -> &str {
    path.trim_start_matches('/')
}

/// The compiler's host.
pub struct Served {
    files: Files,
    sqlite: PreparedSchemas,
}

impl Host for Served {
    fn read_file(&self, path: &str) -> Result<Vec<u8>, ReadError> {
        self.files.get_file(path).map(|bytes| bytes.to_vec()).ok_or(ReadError::NotFound)
    }

    fn list_folder(&self, folder: &str) -> Result<Vec<Entry>, ReadError> {
        let all = self.files.all.lock().unwrap_or_else(PoisonError::into_inner);
        list_below(all.iter().map(|(path, bytes)| (path.as_str(), bytes.len() as u64)), strip_slashes(folder))
            .ok_or(ReadError::NotFound)
    }

    fn sqlite(&self) -> &dyn Sqlite {
        &self.sqlite
    }

    fn evaluator(&self) -> &dyn Compute {
        &runtime::generate::Computer
    }
}
