//! The substitute for a folder on a system without folders, in a browser. Nothing can be opened.

use std::fs::File;
use std::io;
use std::path::Path;

/// An open folder, which cannot exist.
#[derive(Clone, Copy, Debug)]
pub enum Folder {}

fn build_unsupported_error() -> io::Error {
    io::Error::new(io::ErrorKind::Unsupported, "this system has no folders")
}

impl Folder {
    /// Opens a folder.
    ///
    /// # Errors
    /// Always `Unsupported`.
    pub fn open(_: &Path) -> io::Result<Folder> {
        Err(build_unsupported_error())
    }

    /// Opens a regular file in it.
    ///
    /// # Errors
    /// It is never called, because a folder cannot be opened.
    pub fn open_file(&self, _: &str) -> io::Result<File> {
        match *self {}
    }

    /// Reads a regular file in it.
    ///
    /// # Errors
    /// It is never called, because a folder cannot be opened.
    pub fn read_file(&self, _: &str, _: u64) -> io::Result<Vec<u8>> {
        match *self {}
    }
}

/// Opens a regular file in its folder.
///
/// # Errors
/// Always `Unsupported`.
pub fn open_within(_: &Path) -> io::Result<File> {
    Err(build_unsupported_error())
}

/// Reads a regular file in its folder.
///
/// # Errors
/// Always `Unsupported`.
pub fn read_within(_: &Path, _: u64) -> io::Result<Vec<u8>> {
    Err(build_unsupported_error())
}
