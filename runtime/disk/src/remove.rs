//! Removes untrusted folders of any depth and with any rights. At most four folders are open at a time, and no function is recursive, because a
//! program can nest more folders than the stack or the limit of open files allows.

use std::ffi::{OsStr, OsString};
use std::io;
use std::path::Path;

use cap_std::ambient_authority;
use cap_std::fs::Dir;

/// Removes a folder and its content; links are removed but not followed. A folder that does not exist counts as removed.
///
/// # Errors
/// The first I/O error, if something could not be removed.
pub fn remove_folder(path: &Path) -> io::Result<()> {
    let Some(name) = path.file_name() else {
        return Err(io::Error::new(io::ErrorKind::InvalidInput, "it has no name"));
    };
    let parent = path.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."));
    match Dir::open_ambient_dir(parent, ambient_authority()) {
        Ok(parent) => remove_in(&parent, name),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        Err(error) => Err(error),
    }
}

/// Removes the content of an open folder, except entries with a name that is kept.
///
/// # Errors
/// The same as for [`remove_folder`].
pub fn clear_folder(folder: &Dir, kept: impl Fn(&OsStr) -> bool) -> io::Result<()> {
    let mut failed = None;
    // Names are read first: on some systems, removing entries while a folder is read can hide others.
    let names: Vec<OsString> =
        folder.entries()?.filter_map(|entry| entry.map(|entry| entry.file_name()).ok()).collect();
    for name in names.iter().filter(|name| !kept(name)) {
        if let Err(error) = remove_in(folder, name) {
            failed = failed.or(Some(error));
        }
    }
    failed.map_or(Ok(()), Err)
}

#[cfg(not(unix))]
pub use other::remove_in;
#[cfg(unix)]
pub use system::remove_in;

#[cfg(not(unix))]
mod other {
    use super::{Dir, OsStr, io};

    /// Removes a file, or a folder with its content, from an open folder.
    ///
    /// # Errors
    /// The same as for [`super::remove_folder`].
    pub fn remove_in(folder: &Dir, name: &OsStr) -> io::Result<()> {
        let removed = match folder.symlink_metadata(name) {
            Ok(found) if found.is_dir() => folder.remove_dir_all(name),
            Ok(_) => folder.remove_file(name),
            Err(error) => Err(error),
        };
        match removed {
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
            removed => removed,
        }
    }
}

#[cfg(unix)]
mod system {
    use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
    use std::os::unix::ffi::OsStrExt as _;

    use rustix::fs::{AtFlags, FileType, Mode, renameat, statat, unlinkat};
    use rustix::io::Errno;

    use super::super::open::{allow_owner, open_folder, read_folder};
    use super::{Dir, OsStr, io};

    /// Removes a file, or a folder with its content, from an open folder.
    ///
    /// # Errors
    /// The same as for [`super::remove_folder`].
    pub fn remove_in(folder: &Dir, name: &OsStr) -> io::Result<()> {
        match remove_entry(folder.as_fd(), name) {
            Ok(()) | Err(Errno::NOENT) => Ok(()),
            Err(error) => Err(error.into()),
        }
    }

    fn remove_entry(folder: BorrowedFd<'_>, name: &OsStr) -> Result<(), Errno> {
        if FileType::from_raw_mode(statat(folder, name, AtFlags::SYMLINK_NOFOLLOW)?.st_mode) != FileType::Directory {
            return unlinkat(folder, name, AtFlags::empty());
        }
        if unlinkat(folder, name, AtFlags::REMOVEDIR).is_ok() {
            return Ok(());
        }
        let top = open_folder(folder, name)?;
        Flat { top: top.as_fd(), next: 0, failed: None }.clear_in_passes()?;
        unlinkat(folder, name, AtFlags::REMOVEDIR)
    }

    /// A folder that is being emptied. Folders two levels below it are moved into it, so the depth never exceeds that.
    struct Flat<'a> {
        top: BorrowedFd<'a>,
        /// The name for the next folder that is moved.
        next: u64,
        /// The reason why the first remaining entry of this pass was not removed.
        failed: Option<Errno>,
    }

    impl Flat<'_> {
        /// Repeats passes over the folder until it is empty, or until a pass changes nothing.
        fn clear_in_passes(&mut self) -> Result<(), Errno> {
            loop {
                self.failed = None;
                let mut changed = false;
                let mut entries = read_folder(self.top)?;
                while let Some(entry) = entries.read() {
                    let entry = entry?;
                    let name = OsStr::from_bytes(entry.file_name().to_bytes());
                    if name != "." && name != ".." {
                        changed |= self.clear_entry(name, entry.file_type());
                    }
                }
                match (changed, self.failed) {
                    (true, _) => {}
                    (false, None) => return Ok(()),
                    (false, Some(error)) => return Err(error),
                }
            }
        }

        /// Removes one entry of the folder, or a part of its content; returns whether anything changed.
        fn clear_entry(&mut self, name: &OsStr, kind: FileType) -> bool {
            if !is_folder(self.top, name, kind) {
                return self.unlink_name(self.top, name, AtFlags::empty());
            }
            if unlinkat(self.top, name, AtFlags::REMOVEDIR).is_ok() {
                return true;
            }
            let inner = match open_folder(self.top, name) {
                Ok(inner) => inner,
                Err(error) => return self.note_failure(error),
            };
            let changed = self.flatten_folder(&inner);
            self.unlink_name(self.top, name, AtFlags::REMOVEDIR) || changed
        }

        /// Removes the files of a folder, and moves its folders up; returns whether anything changed.
        fn flatten_folder(&mut self, inner: &OwnedFd) -> bool {
            let mut entries = match read_folder(inner.as_fd()) {
                Ok(entries) => entries,
                Err(error) => return self.note_failure(error),
            };
            let mut changed = false;
            while let Some(entry) = entries.read() {
                let entry = match entry {
                    Ok(entry) => entry,
                    Err(error) => return self.note_failure(error) || changed,
                };
                let name = OsStr::from_bytes(entry.file_name().to_bytes());
                if name == "." || name == ".." {
                    continue;
                }
                changed |= if is_folder(inner.as_fd(), name, entry.file_type()) {
                    unlinkat(inner, name, AtFlags::REMOVEDIR).is_ok() || self.move_up(inner, name)
                } else {
                    self.unlink_name(inner.as_fd(), name, AtFlags::empty())
                };
            }
            changed
        }

        /// Removes one name, if necessary after making the folder writable.
        fn unlink_name(&mut self, folder: BorrowedFd<'_>, name: &OsStr, flags: AtFlags) -> bool {
            let mut result = unlinkat(folder, name, flags);
            if result == Err(Errno::ACCESS) && rustix::fs::fchmod(folder, Mode::RWXU).is_ok() {
                result = unlinkat(folder, name, flags);
            }
            match result {
                Ok(()) => true,
                // Another process has removed it already.
                Err(Errno::NOENT) => false,
                Err(error) => self.note_failure(error),
            }
        }

        fn move_up(&mut self, inner: &OwnedFd, name: &OsStr) -> bool {
            let mut granted = false;
            loop {
                let new = self.next.to_string();
                match renameat(inner, name, self.top, new.as_str()) {
                    Ok(()) => {
                        self.next += 1;
                        return true;
                    }
                    // The name is in use.
                    Err(Errno::NOTEMPTY | Errno::EXIST | Errno::NOTDIR | Errno::ISDIR | Errno::INVAL)
                        if statat(self.top, new.as_str(), AtFlags::SYMLINK_NOFOLLOW).is_ok() =>
                    {
                        self.next += 1;
                    }
                    // Moving a folder requires write access to the folder itself.
                    Err(Errno::ACCESS) if !granted => {
                        granted = true;
                        let _ = rustix::fs::fchmod(inner, Mode::RWXU);
                        let _ = rustix::fs::fchmod(self.top, Mode::RWXU);
                        let _ = allow_owner(inner.as_fd(), name);
                    }
                    Err(error) => return self.note_failure(error),
                }
            }
        }

        /// Records why an entry stays; returns that nothing changed.
        fn note_failure(&mut self, error: Errno) -> bool {
            self.failed = self.failed.or(Some(error));
            false
        }
    }

    fn is_folder(folder: BorrowedFd<'_>, name: &OsStr, kind: FileType) -> bool {
        match kind {
            FileType::Unknown => statat(folder, name, AtFlags::SYMLINK_NOFOLLOW)
                .is_ok_and(|found| FileType::from_raw_mode(found.st_mode) == FileType::Directory),
            known => known == FileType::Directory,
        }
    }
}

#[cfg(all(test, unix))]
mod tests {
    use std::fs;
    use std::ops::ControlFlow;
    use std::os::unix::fs::{PermissionsExt as _, symlink};

    use rustix::fs::{Mode, OFlags, mkdirat, openat};

    use super::*;
    use crate::{Unfinished, WalkLimits, walk_folder};

    /// Nests folders in an existing one, with the same name.
    fn create_nested(folder: &Path, name: &str, depth: usize) {
        let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC;
        let mut here = rustix::fs::open(folder, flags, Mode::empty()).expect("opened");
        for _ in 0..depth {
            mkdirat(&here, name, Mode::RWXU).expect("made");
            here = openat(&here, name, flags, Mode::empty()).expect("opened");
        }
    }

    fn open_dir(folder: &Path) -> Dir {
        Dir::open_ambient_dir(folder, ambient_authority()).expect("opened")
    }

    #[test]
    fn folders_of_any_depth_are_walked_and_removed() {
        let home = tempfile::tempdir().expect("a folder");
        // On a stack that has room for a few calls.
        let small = |work: Box<dyn FnOnce() + Send>| {
            let thread = std::thread::Builder::new().stack_size(128 << 10).spawn(work).expect("started");
            thread.join().expect("no panic");
        };
        for (depth, name) in
            [(5, "a"), (3_000, "b"), (20_000, "0"), (1_000, "a long name that soon is more than a path can be")]
        {
            let top = home.path().join("top");
            fs::create_dir(&top).expect("made");
            create_nested(&top, name, depth);
            let (walked, removed) = (top.clone(), top.clone());
            let most = WalkLimits { entries: 100_000, path: usize::MAX, bytes: usize::MAX };
            small(Box::new(move || {
                let mut seen = 0;
                let counted = |_: &str, _| {
                    seen += 1;
                    ControlFlow::Continue(())
                };
                walk_folder(&open_dir(&walked), most, counted).expect("walked");
                assert_eq!(seen, depth);
                let few = WalkLimits { path: 4096, ..most };
                let ended = walk_folder(&open_dir(&walked), few, |_, _| ControlFlow::Continue(()));
                assert_eq!(matches!(ended, Err(Unfinished::TooMuch(_))), depth * (name.len() + 1) > 4097);
            }));
            small(Box::new(move || remove_folder(&removed).expect("removed")));
            assert!(!top.exists());
        }
    }

    /// Numbers that look random: the same ones each time.
    struct Numbers(u64);

    impl Numbers {
        fn draw_below(&mut self, most: u64) -> u64 {
            self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (self.0 >> 33) % most
        }
    }

    #[test]
    fn trees_of_every_form_are_removed_and_nothing_else_is() {
        let home = tempfile::tempdir().expect("a folder");
        let outside = home.path().join("outside");
        fs::create_dir_all(outside.join("folder")).expect("made");
        fs::write(outside.join("file"), "mine").expect("written");
        for seed in 0..60 {
            let mut numbers = Numbers(seed);
            let top = home.path().join("top");
            fs::create_dir(&top).expect("made");
            let mut folders = vec![top.clone()];
            for number in 0..numbers.draw_below(120) {
                let parent = folders[numbers.draw_below(folders.len() as u64) as usize].clone();
                // Some have the names that folders get when they are moved.
                let name =
                    if numbers.draw_below(2) == 0 { numbers.draw_below(9).to_string() } else { format!("n{number}") };
                let path = parent.join(name);
                if fs::symlink_metadata(&path).is_ok() {
                    continue;
                }
                match numbers.draw_below(4) {
                    0 | 1 if fs::create_dir(&path).is_ok() => folders.push(path),
                    2 => drop(symlink([&outside, &outside.join("file")][numbers.draw_below(2) as usize], &path)),
                    _ => drop(fs::write(&path, "x")),
                }
            }
            // From the innermost, so that those around can still be reached.
            for folder in folders.iter().skip(1).rev().filter(|_| numbers.draw_below(2) == 0).collect::<Vec<_>>() {
                let mode = [0o000, 0o100, 0o400, 0o500, 0o200][numbers.draw_below(5) as usize];
                drop(fs::set_permissions(folder, fs::Permissions::from_mode(mode)));
            }
            remove_folder(&top).unwrap_or_else(|error| panic!("seed {seed}: {error}"));
            assert!(!top.exists(), "seed {seed}");
            assert_eq!(fs::read_to_string(outside.join("file")).expect("read"), "mine");
            assert_eq!(fs::metadata(outside.join("folder")).expect("there").permissions().mode() & 0o700, 0o700);
        }
        remove_folder(&home.path().join("top")).expect("what is not there is removed");
    }

    #[test]
    fn a_folder_is_emptied_but_for_what_is_kept() {
        let home = tempfile::tempdir().expect("a folder");
        fs::create_dir_all(home.path().join("a/b/c/d")).expect("made");
        for name in ["kept", "x", "a/b/y"] {
            fs::write(home.path().join(name), "").expect("written");
        }
        clear_folder(&open_dir(home.path()), |name| name == "kept").expect("emptied");
        let left: Vec<_> = fs::read_dir(home.path()).expect("read").flatten().map(|entry| entry.file_name()).collect();
        assert_eq!(left, ["kept"]);
    }
}
