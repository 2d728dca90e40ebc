//! A host without a disk.

use std::collections::BTreeMap;

use compiler::host::{Compute, Entry, Host, Observer, ReadError, Sqlite, list_below};
use sqlite::PreparedSchemas;

use crate::Net;

/// Sources, word lists, and fixtures by path, for callers that have them in memory.
#[derive(Default)]
pub struct Memory {
    files: BTreeMap<String, Vec<u8>>,
    sqlite: PreparedSchemas,
    net: Option<Net>,
}

impl Memory {
    /// Creates a host with these files. Paths use `/`. The files that a suite uses are below the folder of its root source.
    pub fn new<P: Into<String>, B: Into<Vec<u8>>>(files: impl IntoIterator<Item = (P, B)>) -> Memory {
        let files = files.into_iter().map(|(path, bytes)| (path.into(), bytes.into())).collect();
        Memory { files, sqlite: PreparedSchemas::default(), net: None }
    }

    /// Draws samples of the suites that are compiled with this host, if they have no errors.
    #[must_use]
    pub fn with_observer(self, net: Net) -> Memory {
        Memory { net: Some(net), ..self }
    }

    /// Adds a file, or replaces the file at its path.
    ///
    /// ```
    /// use api::{Memory, Suite};
    ///
    /// let source = "suite s { title \"S\" version \"1\" }\n\
    ///               task t { w : one_of lines \"words.txt\"  prompt \"Say <<w>>.\" expect reply text w }\n";
    /// let mut host = Memory::new([("in/s.pcd", source)]);
    /// assert_eq!(Suite::compile("in/s.pcd", &host).count_errors(), 1);
    /// // Other files are found from the folder of the suite.
    /// host.insert_file("in/words.txt", "one\ntwo\n");
    /// assert_eq!(Suite::compile("in/s.pcd", &host).count_errors(), 0);
    /// ```
    pub fn insert_file(&mut self, path: impl Into<String>, bytes: impl Into<Vec<u8>>) {
        self.files.insert(path.into(), bytes.into());
    }
}

impl Host for Memory {
    fn read_file(&self, path: &str) -> Result<Vec<u8>, ReadError> {
        self.files.get(path).cloned().ok_or(ReadError::NotFound)
    }

    fn list_folder(&self, folder: &str) -> Result<Vec<Entry>, ReadError> {
        list_below(self.files.iter().map(|(path, bytes)| (path.as_str(), bytes.len() as u64)), folder)
            .ok_or(ReadError::NotFound)
    }

    fn sqlite(&self) -> &dyn Sqlite {
        &self.sqlite
    }

    fn evaluator(&self) -> &dyn Compute {
        &runtime::generate::Computer
    }

    fn observer(&self) -> Option<&dyn Observer> {
        self.net.as_ref().map(|net| net as &dyn Observer)
    }
}
