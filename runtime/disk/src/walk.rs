//! Walks through untrusted folders of any depth: at most three folders are open at a time, and no function is recursive.

use std::ffi::OsString;
use std::io;
use std::ops::ControlFlow;

use cap_std::fs::Dir;

/// The kind of entry at a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A folder, followed by its content.
    Folder,
    /// A regular file.
    File,
    /// A link, which is not followed.
    Link,
    /// A pipe, a socket, or a device.
    Special,
}

/// The limits of a walk.
#[derive(Clone, Copy, Debug)]
pub struct WalkLimits {
    /// Total number of entries.
    pub entries: usize,
    /// Size of one path in bytes.
    pub path: usize,
    /// Total size of all paths in bytes.
    pub bytes: usize,
}

/// The reason why a walk ended early.
#[derive(Debug)]
pub enum Unfinished {
    /// The content exceeds a limit: at least this number of entries exist.
    TooMuch(usize),
    /// This folder could not be read (`""` is the folder in which the walk began).
    Unreadable(String, io::Error),
}

/// Visits everything below an open folder, sorted by the bytes of names, with each folder before its content. Paths have `/` as separator; names that
/// are not UTF-8 are approximated. Ends early if `visit` breaks.
///
/// # Errors
/// A limit is exceeded, or a folder cannot be read.
pub fn walk_folder(
    folder: &Dir,
    most: WalkLimits,
    mut visit: impl FnMut(&str, Kind) -> ControlFlow<()>,
) -> Result<(), Unfinished> {
    let unread = |path: &str, error: io::Error| Unfinished::Unreadable(path.trim_end_matches('/').to_owned(), error);
    let mut left = most;
    let mut path = String::new();
    let (mut walker, first) = Walker::new(folder, left.entries).map_err(|error| unread("", error))?;
    let too_much = |left: usize| Unfinished::TooMuch(most.entries - left);
    left.entries = left.entries.checked_sub(first.len()).ok_or_else(|| too_much(0))?;
    let mut open = vec![Frame { length: 0, rest: first, is_entered: true }];
    while let Some(frame) = open.last_mut() {
        path.truncate(frame.length);
        let Some((name, kind)) = frame.rest.pop() else {
            let was_entered = frame.is_entered;
            open.pop();
            if was_entered && !open.is_empty() {
                walker.return_to_parent().map_err(|error| unread(&path, error))?;
            }
            continue;
        };
        path.push_str(&name.to_string_lossy());
        if path.len() > most.path {
            return Err(too_much(left.entries));
        }
        left.bytes = left.bytes.checked_sub(path.len()).ok_or_else(|| too_much(left.entries))?;
        if visit(&path, kind).is_break() {
            return Ok(());
        }
        if kind == Kind::Folder {
            let (rest, is_entered) = walker.enter_folder(&name, left.entries).map_err(|error| unread(&path, error))?;
            left.entries = left.entries.checked_sub(rest.len()).ok_or_else(|| too_much(0))?;
            path.push('/');
            open.push(Frame { length: path.len(), rest, is_entered });
        }
    }
    Ok(())
}

/// A folder on the current path.
struct Frame {
    /// Length of its path, including the `/` after it.
    length: usize,
    /// Its entries that are not visited yet, the next one last.
    rest: Vec<Entry>,
    /// Whether the walker entered it. A folder without folders is only read.
    is_entered: bool,
}

type Entry = (OsString, Kind);

fn has_folders(entries: &[Entry]) -> bool {
    entries.iter().any(|(_, kind)| *kind == Kind::Folder)
}

#[cfg(not(unix))]
use other::Walker;
#[cfg(unix)]
use system::Walker;

#[cfg(not(unix))]
mod other {
    use super::{Dir, Entry, Kind, OsString, has_folders, io};

    /// A position in a tree of folders. The depth is limited by the length of paths here.
    pub struct Walker(Vec<Dir>);

    impl Walker {
        pub fn new(folder: &Dir, most: usize) -> io::Result<(Walker, Vec<Entry>)> {
            let folder = folder.try_clone()?;
            let found = read_entries(&folder, most)?;
            Ok((Walker(vec![folder]), found))
        }

        pub fn enter_folder(&mut self, name: &OsString, most: usize) -> io::Result<(Vec<Entry>, bool)> {
            let here = self.0.last().ok_or(io::ErrorKind::NotFound)?;
            let folder = here.open_dir(name)?;
            let found = read_entries(&folder, most)?;
            let enters = has_folders(&found);
            if enters {
                self.0.push(folder);
            }
            Ok((found, enters))
        }

        pub fn return_to_parent(&mut self) -> io::Result<()> {
            self.0.pop();
            Ok(())
        }
    }

    fn read_entries(folder: &Dir, most: usize) -> io::Result<Vec<Entry>> {
        let mut found = Vec::new();
        for entry in folder.entries()?.take(most.saturating_add(1)) {
            let entry = entry?;
            let kind = entry.file_type()?;
            let kind = match (kind.is_dir(), kind.is_file(), kind.is_symlink()) {
                (true, _, _) => Kind::Folder,
                (_, true, _) => Kind::File,
                (_, _, true) => Kind::Link,
                _ => Kind::Special,
            };
            found.push((entry.file_name(), kind));
        }
        found.sort_unstable_by(|a, b| b.0.cmp(&a.0));
        Ok(found)
    }
}

#[cfg(unix)]
mod system {
    use std::ffi::OsStr;
    use std::os::fd::{AsFd as _, OwnedFd};
    use std::os::unix::ffi::OsStringExt as _;

    use rustix::fs::{AtFlags, FileType, fstat, statat};

    use super::super::open::{look_into, read_folder};
    use super::{Dir, Entry, Kind, OsString, has_folders, io};

    /// A position in a tree of folders, only one of which is open.
    pub struct Walker {
        here: OwnedFd,
        /// The folders above it, by device and inode number: the way up is `..`, and must lead to exactly these.
        above: Vec<(u64, u64)>,
    }

    impl Walker {
        /// Starts in a folder, and returns its content in descending order of names, with at most `most` + 1 entries.
        pub fn new(folder: &Dir, most: usize) -> io::Result<(Walker, Vec<Entry>)> {
            let here = look_into(folder.as_fd(), OsStr::new("."))?;
            let found = read_entries(&here, most)?;
            Ok((Walker { here, above: Vec::new() }, found))
        }

        /// Reads a folder in this one; enters it if it contains folders. Returning from it requires a right that reading it does not.
        pub fn enter_folder(&mut self, name: &OsString, most: usize) -> io::Result<(Vec<Entry>, bool)> {
            let folder = look_into(self.here.as_fd(), name)?;
            let found = read_entries(&folder, most)?;
            let enters = has_folders(&found);
            if enters {
                self.above.push(read_identity(&self.here)?);
                self.here = folder;
            }
            Ok((found, enters))
        }

        /// Returns to the parent folder.
        pub fn return_to_parent(&mut self) -> io::Result<()> {
            let folder = look_into(self.here.as_fd(), OsStr::new(".."))?;
            if self.above.pop() != Some(read_identity(&folder)?) {
                return Err(io::Error::other("it was moved"));
            }
            self.here = folder;
            Ok(())
        }
    }

    fn read_identity(folder: &OwnedFd) -> io::Result<(u64, u64)> {
        let found = fstat(folder)?;
        #[allow(clippy::unnecessary_cast, reason = "their types differ between systems")]
        Ok((found.st_dev as u64, found.st_ino as u64))
    }

    fn read_entries(folder: &OwnedFd, most: usize) -> io::Result<Vec<Entry>> {
        let mut found = Vec::new();
        for entry in read_folder(folder.as_fd())? {
            let entry = entry?;
            let name = entry.file_name().to_bytes();
            if name == b"." || name == b".." {
                continue;
            }
            let kind = match entry.file_type() {
                FileType::Unknown => {
                    let found = statat(folder, entry.file_name(), AtFlags::SYMLINK_NOFOLLOW)?;
                    FileType::from_raw_mode(found.st_mode)
                }
                known => known,
            };
            let kind = match kind {
                FileType::Directory => Kind::Folder,
                FileType::RegularFile => Kind::File,
                FileType::Symlink => Kind::Link,
                _ => Kind::Special,
            };
            found.push((OsString::from_vec(name.to_vec()), kind));
            if found.len() > most {
                break;
            }
        }
        found.sort_unstable_by(|a, b| b.0.cmp(&a.0));
        Ok(found)
    }
}

#[cfg(all(test, unix))]
mod tests {
    use std::fs;
    use std::os::unix::fs::{PermissionsExt as _, symlink};

    use cap_std::ambient_authority;

    use super::*;

    const ALL: WalkLimits = WalkLimits { entries: 1000, path: 1000, bytes: 100_000 };

    fn collect_walk(folder: &std::path::Path, most: WalkLimits) -> Result<Vec<(String, Kind)>, Unfinished> {
        let folder = Dir::open_ambient_dir(folder, ambient_authority()).expect("opened");
        let mut found = Vec::new();
        walk_folder(&folder, most, |path, kind| {
            found.push((path.to_owned(), kind));
            ControlFlow::Continue(())
        })?;
        Ok(found)
    }

    #[test]
    fn everything_is_found_in_order_and_no_link_is_followed() {
        let home = tempfile::tempdir().expect("a folder");
        let at = |name: &str| home.path().join(name);
        for folder in ["b/c/d", "b/e", "empty", "z/only/way/down"] {
            fs::create_dir_all(at(folder)).expect("made");
        }
        for file in ["a", "b/c/d/f", "b/x", "z/only/way/down/g"] {
            fs::write(at(file), "").expect("written");
        }
        symlink("/", at("b/root")).expect("linked");
        let found: Vec<String> = collect_walk(home.path(), ALL)
            .expect("walked")
            .into_iter()
            .map(|(path, kind)| {
                format!(
                    "{path}{}",
                    match kind {
                        Kind::Folder => "/",
                        Kind::Link => "@",
                        _ => "",
                    }
                )
            })
            .collect();
        let expected = [
            "a",
            "b/",
            "b/c/",
            "b/c/d/",
            "b/c/d/f",
            "b/e/",
            "b/root@",
            "b/x",
            "empty/",
            "z/",
            "z/only/",
            "z/only/way/",
            "z/only/way/down/",
            "z/only/way/down/g",
        ];
        assert_eq!(found, expected);
        let few = |entries, path, bytes| collect_walk(home.path(), WalkLimits { entries, path, bytes });
        assert!(few(14, 17, 1000).is_ok());
        for (entries, path, bytes) in [(13, 1000, 1000), (1000, 16, 1000), (1000, 1000, 20)] {
            assert!(matches!(few(entries, path, bytes), Err(Unfinished::TooMuch(_))), "{entries} {path} {bytes}");
        }
    }

    #[test]
    fn a_folder_that_can_only_be_listed_is_listed() {
        let home = tempfile::tempdir().expect("a folder");
        fs::create_dir_all(home.path().join("a/b")).expect("made");
        fs::write(home.path().join("a/b/c"), "").expect("written");
        fs::set_permissions(home.path().join("a/b"), fs::Permissions::from_mode(0o400)).expect("changed");
        // Root is refused nothing.
        let found = collect_walk(home.path(), ALL).expect("walked");
        assert_eq!(found.last().map(|(path, _)| path.as_str()), Some("a/b/c"));
        fs::set_permissions(home.path().join("a/b"), fs::Permissions::from_mode(0o000)).expect("changed");
        if let Err(error) = collect_walk(home.path(), ALL) {
            assert!(matches!(&error, Unfinished::Unreadable(path, _) if path == "a/b"), "{error:?}");
        }
        fs::set_permissions(home.path().join("a/b"), fs::Permissions::from_mode(0o700)).expect("changed");
    }
}
