//! The compiler's access to files on disk: the root source anywhere, and other files only below its folder; regular files only.

use std::fs;
use std::io;
use std::path::Path;
use std::sync::LazyLock;

use api::Net;
use compiler::host::{Compute, Entry, Host, MAX_FIXTURE_BYTES, Observer, ReadError, Sqlite};

pub use runtime::generate::Computer;

use sqlite::PreparedSchemas;

/// Files on disk, and SQLite.
pub struct Disk {
    root: String,
    /// The folder of the root source, with a trailing `/`, or "".
    folder: String,
    sqlite: PreparedSchemas,
    net: Option<Net>,
}

impl Disk {
    /// Explains why a folder leads to nothing or out of the project folder: a part of its path is a link.
    fn link_in(&self, folder: &str) -> Option<ReadError> {
        let below = folder.strip_prefix(self.folder.as_str())?;
        let ends = below.match_indices('/').map(|(at, _)| at).chain([below.len()]);
        let is_link = |path: &&str| {
            let path = format!("{}{path}", self.folder);
            fs::symlink_metadata(path).is_ok_and(|found| found.file_type().is_symlink())
        };
        let link = ends.filter_map(|end| below.get(..end)).find(is_link)?;
        let which = if link == below { "it".to_owned() } else { format!("`{link}`") };
        let leads =
            if fs::metadata(folder).is_ok() { "that leads out of the project folder" } else { "that leads to nothing" };
        Some(ReadError::Other(format!("{which} is a link {leads}")))
    }

    /// Creates the host of the suite at `root`.
    pub fn new(root: &str) -> Disk {
        let folder = root.rfind('/').map_or("", |slash| &root[..=slash]).to_owned();
        Disk { root: root.to_owned(), folder, sqlite: PreparedSchemas::default(), net: None }
    }

    /// Draws samples of the suite when it is compiled, if it has no errors.
    #[must_use]
    pub fn with_observer(self, net: Net) -> Disk {
        Disk { net: Some(net), ..self }
    }

    /// Rejects paths that lead out of the project folder, by `..` or by a link.
    fn confine_path(&self, path: &str) -> Result<(), ReadError> {
        let outside = || ReadError::Other("it lies outside the project folder".to_owned());
        let below = path.strip_prefix(self.folder.as_str()).ok_or_else(outside)?;
        if below.starts_with('/')
            || below.contains('\\')
            || below.split('/').any(|part| part.is_empty() || part == "." || part == "..")
        {
            return Err(outside());
        }
        let folder = if self.folder.is_empty() { "." } else { self.folder.as_str() };
        let real = |path: &Path| fs::canonicalize(path).map_err(|error| to_read_error(&error));
        if real(Path::new(path))?.starts_with(real(Path::new(folder))?) { Ok(()) } else { Err(outside()) }
    }
}

impl Host for Disk {
    fn read_file(&self, path: &str) -> Result<Vec<u8>, ReadError> {
        self.read_at_most(path, MAX_FIXTURE_BYTES)
    }

    fn read_at_most(&self, path: &str, most: u64) -> Result<Vec<u8>, ReadError> {
        if path != self.root {
            self.confine_path(path)?;
        }
        disk::read_regular(Path::new(path), most).map_err(|error| to_read_error(&error))
    }

    fn list_folder(&self, folder: &str) -> Result<Vec<Entry>, ReadError> {
        self.confine_path(folder).map_err(|error| self.link_in(folder).unwrap_or(error))?;
        disk::list_entries(Path::new(folder)).map_err(|error| to_read_error(&error))
    }

    fn max_threads(&self) -> usize {
        static CORES: LazyLock<usize> = LazyLock::new(|| std::thread::available_parallelism().map_or(1, usize::from));
        *CORES
    }

    fn sqlite(&self) -> &dyn Sqlite {
        &self.sqlite
    }

    fn evaluator(&self) -> &dyn Compute {
        &Computer
    }

    fn observer(&self) -> Option<&dyn Observer> {
        self.net.as_ref().map(|net| net as &dyn Observer)
    }
}

fn to_read_error(error: &io::Error) -> ReadError {
    match error.kind() {
        io::ErrorKind::NotFound | io::ErrorKind::NotADirectory => ReadError::NotFound,
        io::ErrorKind::IsADirectory => ReadError::Other("it is a folder".to_owned()),
        io::ErrorKind::PermissionDenied => ReadError::Other("permission denied".to_owned()),
        _ => ReadError::Other(error.to_string()),
    }
}
