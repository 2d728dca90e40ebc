//! Files that are complete or absent: written to a temporary file in the same folder, synced, and renamed.

use std::io::{BufWriter, Write as _};
use std::path::{Path, PathBuf};

use disk::temporary_files;
use records::Error;
use serde::Serialize;
use tempfile::NamedTempFile;

/// Prefix of the names of these temporary files.
const START: &str = ".tmp-";

/// Prefixes of the names of all temporary files in a run's folder.
pub const STARTS: [&str; 2] = [START, ".picardc-"];

/// A file that gets its name when it is complete.
pub struct Pending {
    path: PathBuf,
    writer: BufWriter<NamedTempFile>,
}

impl Pending {
    /// Creates the temporary file, in the folder of `path`.
    pub fn new(path: &Path) -> Result<Pending, Error> {
        let folder = path.parent().unwrap_or(Path::new("."));
        temporary_files::remove_leftovers_once(folder, &STARTS);
        let mut builder = tempfile::Builder::new();
        builder.prefix(START);
        #[cfg(unix)]
        builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
        let file = builder.tempfile_in(folder).map_err(|error| Error::new_io("write", path, &error))?;
        temporary_files::mark_in_use(file.as_file());
        Ok(Pending { path: path.to_owned(), writer: BufWriter::with_capacity(1 << 16, file) })
    }

    /// Adds a value as a line.
    pub fn write_line<T: Serialize>(&mut self, value: &T) -> Result<(), Error> {
        let written = serde_json::to_writer(&mut self.writer, value).map_err(std::io::Error::from);
        written.and_then(|()| self.writer.write_all(b"\n")).map_err(|error| Error::new_io("write", &self.path, &error))
    }

    /// Adds bytes.
    pub fn write_bytes(&mut self, bytes: &[u8]) -> Result<(), Error> {
        self.writer.write_all(bytes).map_err(|error| Error::new_io("write", &self.path, &error))
    }

    /// Returns the content that was written so far.
    pub fn read_so_far(&mut self) -> Result<Vec<u8>, Error> {
        let read = self.writer.flush().and_then(|()| std::fs::read(self.writer.get_ref().path()));
        read.map_err(|error| Error::new_io("read", &self.path, &error))
    }

    /// Syncs the file and renames it to its path, replacing an existing file.
    pub fn finish_file(self) -> Result<(), Error> {
        let Pending { path, writer } = self;
        let done = writer.into_inner().map_err(|error| error.into_error()).and_then(|file| {
            file.as_file().sync_data()?;
            file.persist(&path).map_err(|error| error.error)
        });
        done.map(|_| ()).map_err(|error| Error::new_io("write", &path, &error))
    }
}
