//! Namespaces for an agent: it sees file systems outside its sandbox as read-only, so modes, times, and attributes of their files cannot change, and its
//! System V shared memory is removed when it ends.

use std::fs;
use std::path::{Path, PathBuf};

use nix::sched::{CloneFlags, unshare};
use rustix::io::Errno;
use rustix::mount::{MountFlags, MountPropagationFlags, mount, mount_bind_recursive, mount_change, mount_remount};

use super::unconfined::Unconfined;

/// Moves the calling process, which must have one thread, into new namespaces.
///
/// # Errors
/// The system does not allow new namespaces.
pub fn enter_namespaces() -> Result<(), Unconfined> {
    let own = CloneFlags::CLONE_NEWNS | CloneFlags::CLONE_NEWIPC;
    if unshare(own).is_ok() {
        return Ok(());
    }
    let (user, group) = (rustix::process::geteuid().as_raw(), rustix::process::getegid().as_raw());
    let failed = |error: &dyn std::fmt::Display| Unconfined::new_step("no private namespaces", error);
    unshare(own | CloneFlags::CLONE_NEWUSER).map_err(|error| failed(&error.desc()))?;
    // The kernel requires this before a group id can be mapped. User and group ids stay the same.
    fs::write("/proc/self/setgroups", "deny").map_err(|error| failed(&error))?;
    fs::write("/proc/self/uid_map", format!("{user} {user} 1")).map_err(|error| failed(&error))?;
    fs::write("/proc/self/gid_map", format!("{group} {group} 1")).map_err(|error| failed(&error))
}

/// Makes everything read-only except `writable`, and the folders in `covered` empty.
///
/// # Errors
/// The system does not allow a mount; the caller must not continue.
pub fn read_only_but(writable: &[PathBuf], covered: &[PathBuf]) -> Result<(), Unconfined> {
    let failed = |what: &Path, error: Errno| {
        Unconfined::new_step(format!("`{}` cannot be made read-only", disk::show_path(&what)), error)
    };
    let root = Path::new("/");
    let private = MountPropagationFlags::PRIVATE | MountPropagationFlags::REC;
    mount_change(root, private).map_err(|error| failed(root, error))?;
    let table = fs::read_to_string("/proc/self/mountinfo")
        .map_err(|error| Unconfined::new_step("no table of mounts", error))?;
    for path in writable {
        mount_bind_recursive(path, path).map_err(|error| failed(path, error))?;
    }
    for (place, flags) in table.lines().filter_map(parse_mount) {
        if writable.iter().any(|path| place.starts_with(path)) {
            continue;
        }
        match mount_remount(&place, MountFlags::BIND | MountFlags::RDONLY | flags, "") {
            Ok(()) => {}
            // It is out of reach for this process, and so for the program; or another file system is mounted over it.
            Err(Errno::ACCESS | Errno::NOENT | Errno::INVAL | Errno::NOTDIR) if place != root => {}
            Err(error) => return Err(failed(&place, error)),
        }
    }
    for path in covered.iter().filter(|path| !writable.iter().any(|writable| writable.starts_with(path))) {
        let flags = MountFlags::RDONLY | MountFlags::NODEV | MountFlags::NOSUID | MountFlags::NOEXEC;
        // If this fails, Landlock still prevents reads.
        let _ = mount("none", path, "tmpfs", flags, c"size=4k,mode=555");
    }
    Ok(())
}

/// Parses a line of `mountinfo`: returns the mount point and its flags.
fn parse_mount(line: &str) -> Option<(PathBuf, MountFlags)> {
    let mut fields = line.split(' ').skip(4);
    let place = unescape_octal(fields.next()?);
    let flags = fields.next()?.split(',').map(|option| match option {
        "nosuid" => MountFlags::NOSUID,
        "nodev" => MountFlags::NODEV,
        "noexec" => MountFlags::NOEXEC,
        "nosymfollow" => MountFlags::NOSYMFOLLOW,
        // The flags for access times do not change if they are not named.
        _ => MountFlags::empty(),
    });
    Some((place, flags.collect()))
}

/// Replaces octal escapes: `\040` is a space.
fn unescape_octal(text: &str) -> PathBuf {
    use std::os::unix::ffi::OsStringExt as _;
    let mut bytes = Vec::new();
    let mut rest = text.as_bytes();
    while let Some((&first, after)) = rest.split_first() {
        let octal = after.get(..3).filter(|_| first == b'\\').and_then(|digits| std::str::from_utf8(digits).ok());
        match octal.and_then(|digits| u8::from_str_radix(digits, 8).ok()) {
            Some(byte) => {
                bytes.push(byte);
                rest = after.get(3..).unwrap_or_default();
            }
            None => {
                bytes.push(first);
                rest = after;
            }
        }
    }
    PathBuf::from(std::ffi::OsString::from_vec(bytes))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_of_mounts() {
        let line = "36 35 98:0 /mnt1 /mnt/a\\040b\\134c rw,noatime,nosuid,nodev master:1 - ext3 /dev/root rw";
        assert_eq!(parse_mount(line), Some((PathBuf::from("/mnt/a b\\c"), MountFlags::NOSUID | MountFlags::NODEV)));
        assert_eq!(parse_mount("36 35"), None);
        assert_eq!(unescape_octal("a\\0"), PathBuf::from("a\\0"));
    }
}
