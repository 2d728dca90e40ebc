//! A folder from elsewhere.

use std::fs::File;
use std::io;
use std::path::Path;
use std::sync::Arc;

use cap_std::ambient_authority;
use cap_std::fs::{Dir, OpenOptions};

use crate::regular::{build_folder_error, build_special_error, read_whole};

/// An open folder. Paths are relative to it; a path that leaves it, by `..` or by a link, is rejected.
#[derive(Clone, Debug)]
pub struct Folder(Arc<Dir>);

impl Folder {
    /// Opens a folder, following links, because the choice of the folder is the user's.
    ///
    /// # Errors
    /// An I/O error.
    pub fn open(path: &Path) -> io::Result<Folder> {
        Dir::open_ambient_dir(path, ambient_authority()).map(|dir| Folder(Arc::new(dir)))
    }

    /// Opens a regular file in it.
    ///
    /// # Errors
    /// The same as for [`crate::open_regular`]; `PermissionDenied` for a path that leads outside.
    pub fn open_file(&self, path: &str) -> io::Result<File> {
        open_in(&self.0, path)
    }

    /// Reads a regular file in it of at most `most` bytes.
    ///
    /// # Errors
    /// The same as for [`Folder::open_file`]; `FileTooLarge` for a larger file, before it is read.
    pub fn read_file(&self, path: &str, most: u64) -> io::Result<Vec<u8>> {
        read_whole(self.open_file(path)?, most)
    }
}

/// Opens a regular file in an open folder. Other entries are neither opened nor waited for.
///
/// # Errors
/// The same as for [`Folder::open_file`].
pub fn open_in(folder: &Dir, path: &str) -> io::Result<File> {
    let require_regular = |metadata: &cap_std::fs::Metadata| match metadata.file_type() {
        kind if kind.is_file() => Ok(()),
        kind if kind.is_dir() => Err(build_folder_error()),
        _ => Err(build_special_error("a pipe or a device")),
    };
    require_regular(&folder.metadata(path)?)?;
    let mut options = OpenOptions::new();
    options.read(true);
    #[cfg(unix)]
    {
        use cap_std::fs::OpenOptionsExt as _;
        options.custom_flags(crate::regular::nonblocking_flag());
    }
    // If it is replaced between the two checks, opening does not wait.
    let file = folder.open_with(path, &options)?;
    require_regular(&file.metadata()?)?;
    Ok(file.into_std())
}

/// Opens a regular file that must be in the folder named by its path: a link that leads out of that folder is rejected.
///
/// # Errors
/// The same as for [`Folder::open_file`].
pub fn open_within(path: &Path) -> io::Result<File> {
    let (folder, name) = open_parent(path)?;
    folder.open_file(name)
}

/// Reads such a file of at most `most` bytes.
///
/// # Errors
/// The same as for [`Folder::read_file`].
pub fn read_within(path: &Path, most: u64) -> io::Result<Vec<u8>> {
    let (folder, name) = open_parent(path)?;
    folder.read_file(name, most)
}

fn open_parent(path: &Path) -> io::Result<(Folder, &str)> {
    let name = path.file_name().and_then(|name| name.to_str()).ok_or(io::ErrorKind::InvalidFilename)?;
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    Ok((Folder::open(folder)?, name))
}

#[cfg(all(test, unix))]
mod tests {
    use std::fs;
    use std::os::unix::fs::symlink;

    use super::*;

    #[test]
    fn nothing_outside_is_read() {
        let home = tempfile::tempdir().expect("a folder");
        let at = |name: &str| home.path().join(name);
        fs::create_dir_all(at("in/deep")).expect("made");
        fs::write(at("secret"), "no").expect("written");
        fs::write(at("in/deep/a"), "yes").expect("written");
        symlink("../secret", at("in/up")).expect("linked");
        symlink(at("secret"), at("in/absolute")).expect("linked");
        symlink("deep/a", at("in/link")).expect("linked");
        let folder = Folder::open(&at("in")).expect("open");
        for path in ["deep/a", "link", "deep/../deep/a"] {
            assert_eq!(folder.read_file(path, 9).expect("read"), b"yes", "{path}");
        }
        for path in ["up", "absolute", "../secret", "deep/../../secret"] {
            assert_eq!(
                folder.read_file(path, 9).expect_err("refused").kind(),
                io::ErrorKind::PermissionDenied,
                "{path}"
            );
        }
        assert!(folder.read_file("/etc/hostname", 99).is_err());
        assert_eq!(read_within(&at("in/deep/a"), 9).expect("read"), b"yes");
        assert!(open_within(&at("in/up")).is_err() && open_within(&at("in/none")).is_err());
        assert_eq!(folder.read_file("deep", 9).expect_err("a folder").kind(), io::ErrorKind::IsADirectory);
        assert_eq!(folder.read_file("deep/a", 2).expect_err("too large").kind(), io::ErrorKind::FileTooLarge);
    }

    #[test]
    fn a_pipe_is_refused_at_once() {
        let home = tempfile::tempdir().expect("a folder");
        let mode = rustix::fs::Mode::from_raw_mode(0o600);
        rustix::fs::mknodat(rustix::fs::CWD, home.path().join("pipe"), rustix::fs::FileType::Fifo, mode, 0)
            .expect("made");
        let folder = Folder::open(home.path()).expect("open");
        assert_eq!(folder.read_file("pipe", 9).expect_err("refused").kind(), io::ErrorKind::InvalidInput);
    }
}
