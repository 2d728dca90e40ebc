//! Opens folders with the rights of their owner.

use std::ffi::OsStr;
use std::os::fd::{AsRawFd as _, BorrowedFd, OwnedFd};

use rustix::fs::{Dir, Mode, OFlags, fchmod, fstat, openat};
use rustix::io::{Errno, fcntl_dupfd_cloexec};

/// The flags for opening a folder: never through a link, and never another kind of entry.
const FOLDER: OFlags = OFlags::RDONLY.union(OFlags::DIRECTORY).union(OFlags::NOFOLLOW).union(OFlags::CLOEXEC);

/// Opens a folder to change its content. Missing rights of its owner are granted first.
pub fn open_folder(parent: BorrowedFd<'_>, name: &OsStr) -> Result<OwnedFd, Errno> {
    let folder = match look_into(parent, name) {
        Err(Errno::ACCESS) => {
            allow_owner(parent, name)?;
            look_into(parent, name)?
        }
        opened => opened?,
    };
    if !Mode::from_raw_mode(fstat(&folder)?.st_mode).contains(Mode::RWXU) {
        // If this is refused, the next steps are refused too.
        let _ = fchmod(&folder, Mode::RWXU);
    }
    Ok(folder)
}

/// Reads the content of an open folder from the start. Unlike opening it again, this does not require the right to search it.
pub fn read_folder(folder: BorrowedFd<'_>) -> Result<Dir, Errno> {
    let mut entries = Dir::new(fcntl_dupfd_cloexec(folder, 0)?)?;
    entries.rewind();
    Ok(entries)
}

/// Opens a folder for reading, if its rights allow that.
pub fn look_into(parent: BorrowedFd<'_>, name: &OsStr) -> Result<OwnedFd, Errno> {
    openat(parent, name, FOLDER, Mode::empty())
}

/// Grants the owner all rights to a folder, which is not reached through a link.
pub fn allow_owner(parent: BorrowedFd<'_>, name: &OsStr) -> Result<(), Errno> {
    #[cfg(target_os = "linux")]
    {
        let path = OFlags::PATH.union(OFlags::DIRECTORY).union(OFlags::NOFOLLOW).union(OFlags::CLOEXEC);
        let folder = openat(parent, name, path, Mode::empty())?;
        // An unreadable folder has no descriptor with which its mode could be changed, but it has a name in /proc.
        rustix::fs::chmod(format!("/proc/self/fd/{}", folder.as_raw_fd()), Mode::RWXU)
    }
    #[cfg(not(target_os = "linux"))]
    {
        let _ = parent.as_raw_fd();
        rustix::fs::chmodat(parent, name, Mode::RWXU, rustix::fs::AtFlags::SYMLINK_NOFOLLOW)
    }
}
