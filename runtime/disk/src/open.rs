//! Folders as their owner opens them.

use std::ffi::OsStr;
use std::os::fd::{AsRawFd as _, BorrowedFd, OwnedFd};

use rustix::fs::{Dir, Mode, OFlags, fchmod, fstat, openat};
use rustix::io::{Errno, fcntl_dupfd_cloexec};

/// How a folder is opened: never through a link, and never anything else.
const FOLDER: OFlags = OFlags::RDONLY.union(OFlags::DIRECTORY).union(OFlags::NOFOLLOW).union(OFlags::CLOEXEC);

/// Opens a folder to change what is in it. Rights that its owner lacks are given to them first.
pub fn open_folder(parent: BorrowedFd<'_>, name: &OsStr) -> Result<OwnedFd, Errno> {
    let folder = match look_into(parent, name) {
        Err(Errno::ACCESS) => {
            allow_owner(parent, name)?;
            look_into(parent, name)?
        }
        opened => opened?,
    };
    if !Mode::from_raw_mode(fstat(&folder)?.st_mode).contains(Mode::RWXU) {
        // What refuses that refuses what follows.
        let _ = fchmod(&folder, Mode::RWXU);
    }
    Ok(folder)
}

/// What is in an open folder, from the start. Unlike opening it again, this needs no right to search it.
pub fn read_folder(folder: BorrowedFd<'_>) -> Result<Dir, Errno> {
    let mut entries = Dir::new(fcntl_dupfd_cloexec(folder, 0)?)?;
    entries.rewind();
    Ok(entries)
}

/// Opens a folder to read it, if its rights allow that.
pub fn look_into(parent: BorrowedFd<'_>, name: &OsStr) -> Result<OwnedFd, Errno> {
    openat(parent, name, FOLDER, Mode::empty())
}

/// Gives the owner every right to a folder, which is not reached through a link.
pub fn allow_owner(parent: BorrowedFd<'_>, name: &OsStr) -> Result<(), Errno> {
    #[cfg(target_os = "linux")]
    {
        let path = OFlags::PATH.union(OFlags::DIRECTORY).union(OFlags::NOFOLLOW).union(OFlags::CLOEXEC);
        let folder = openat(parent, name, path, Mode::empty())?;
        // A folder that cannot be read has no descriptor with which its mode could be changed, but it has a name in /proc.
        rustix::fs::chmod(format!("/proc/self/fd/{}", folder.as_raw_fd()), Mode::RWXU)
    }
    #[cfg(not(target_os = "linux"))]
    {
        let _ = parent.as_raw_fd();
        rustix::fs::chmodat(parent, name, Mode::RWXU, rustix::fs::AtFlags::SYMLINK_NOFOLLOW)
    }
}
