//! Regular files by path.

use std::fs::{self, File, FileType, Metadata, OpenOptions};
use std::io::{self, Read as _};
use std::path::Path;

/// Opens a regular file, following links. Any other entry is rejected without waiting for it.
///
/// # Errors
/// An I/O error; `IsADirectory` for a folder; `InvalidInput` for a pipe, socket, or device. The message continues after the path.
pub fn open_regular(path: &Path) -> io::Result<File> {
    // Checked before opening, because opening a device may have effects, and again afterwards, because the file may have been replaced.
    require_regular(&fs::metadata(path)?)?;
    let mut options = OpenOptions::new();
    options.read(true);
    #[cfg(unix)]
    {
        use std::os::unix::fs::OpenOptionsExt as _;
        options.custom_flags(nonblocking_flag());
    }
    let file = options.open(path)?;
    require_regular(&file.metadata()?)?;
    Ok(file)
}

/// Reads a regular file of at most `most` bytes.
///
/// # Errors
/// The same as for [`open_regular`]; `FileTooLarge` for a larger file, before it is read.
pub fn read_regular(path: &Path, most: u64) -> io::Result<Vec<u8>> {
    read_whole(open_regular(path)?, most)
}

/// Reads an open file completely, if it has at most `most` bytes.
pub(crate) fn read_whole(file: File, most: u64) -> io::Result<Vec<u8>> {
    let size = file.metadata()?.len();
    if size > most {
        return Err(build_size_error(size, most));
    }
    let mut bytes = Vec::with_capacity(usize::try_from(size).unwrap_or(0));
    // It may grow while it is read.
    file.take(most.saturating_add(1)).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > most { Err(build_size_error(bytes.len() as u64, most)) } else { Ok(bytes) }
}

fn build_size_error(size: u64, most: u64) -> io::Error {
    io::Error::new(io::ErrorKind::FileTooLarge, model::size::describe_excess(size, most))
}

fn require_regular(metadata: &Metadata) -> io::Result<()> {
    match metadata.file_type() {
        kind if kind.is_file() => Ok(()),
        kind if kind.is_dir() => Err(build_folder_error()),
        kind => Err(build_special_error(name_special(kind))),
    }
}

pub(crate) fn build_folder_error() -> io::Error {
    io::Error::new(io::ErrorKind::IsADirectory, "it is a folder")
}

pub(crate) fn build_special_error(what: &str) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidInput, format!("it is {what}, not a file"))
}

/// Returns the flag without which opening a pipe waits for a writer.
#[cfg(unix)]
pub(crate) fn nonblocking_flag() -> i32 {
    rustix::fs::OFlags::NONBLOCK.bits().cast_signed()
}

#[cfg(unix)]
fn name_special(kind: FileType) -> &'static str {
    use std::os::unix::fs::FileTypeExt as _;
    if kind.is_fifo() {
        "a pipe"
    } else if kind.is_socket() {
        "a socket"
    } else {
        "a device"
    }
}

#[cfg(not(unix))]
fn name_special(_: FileType) -> &'static str {
    "a device"
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_read_up_to_a_size() {
        let home = tempfile::tempdir().expect("a folder");
        let path = home.path().join("f");
        fs::write(&path, "12345").expect("written");
        assert_eq!(read_regular(&path, 5).expect("read"), b"12345");
        let error = read_regular(&path, 4).expect_err("too large");
        assert_eq!(error.kind(), io::ErrorKind::FileTooLarge);
        assert_eq!(error.to_string(), "it has 5 bytes, and may have 4");
        assert_eq!(read_regular(home.path(), 5).expect_err("a folder").kind(), io::ErrorKind::IsADirectory);
        assert_eq!(read_regular(&home.path().join("none"), 5).expect_err("none").kind(), io::ErrorKind::NotFound);
    }

    #[cfg(unix)]
    #[test]
    fn what_is_not_a_file_is_refused_at_once() {
        for path in ["/dev/zero", "/dev/null"] {
            let error = read_regular(Path::new(path), 5).expect_err("refused");
            assert_eq!(error.to_string(), "it is a device, not a file");
        }
    }
}
