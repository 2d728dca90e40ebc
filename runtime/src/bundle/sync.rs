//! Makes a folder durable: every file in it is synced before the folder gets its name, so a power failure does not leave a bundle of empty files at OUT.
//!
//! A folder of many files is synced with one `syncfs`, if the system and the file system report its errors. That call also waits for data that other
//! programs wrote to the same file system, so a medium number of files is synced this way only if few bytes are unwritten. A small number of files,
//! and every folder elsewhere, is synced file by file. One `fsync` waits for the disk, but concurrent ones share its journal commits, so they run at
//! the end on a fixed number of threads, regardless of the number of cores.
//!
//! The files are found by walking the folder, some thousands at a time, so memory stays constant. Only the outermost folder is synced: a file system
//! with a journal commits the names on the path of a new file together with the file, and a sync for each folder would double the time.

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

use model::threads::try_map_on_threads;

/// Number of threads that wait for the disk.
const WAITERS: usize = 16;

/// Number of files that are found before they are synced, which bounds the memory.
const BATCH: usize = 4096;

/// Maximum number of files for which single syncs never take longer than one sync of the file system.
const FEW: usize = 16;

/// Above this number of files, one sync of the file system is faster, regardless of what other programs still have to write.
const MANY: usize = 256;

/// Maximum number of unwritten bytes of all programs for which one sync of the file system is faster than single syncs of more than [`FEW`] files: 8
/// to 10 ms instead of 20 to 28 for 202 files with 10 MB.
const LITTLE: u64 = 32 << 20;

/// The way in which a folder was synced.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Synced {
    /// One sync of the whole file system.
    AtOnce,
    /// One sync for each file.
    EachFile,
}

/// Syncs every file below `root`, and `root` itself. `early` is a handle on `root` opened before its files were written; write errors in the meantime
/// are reported to it.
pub(super) fn sync_tree(root: &Path, early: Option<&File>) -> io::Result<Synced> {
    if let Some(early) = early
        && is_for_all(count_files(root, MANY)?, read_unwritten_bytes)
        && sync_at_once(early)?
    {
        return Ok(Synced::AtOnce);
    }
    sync_each_file(root)?;
    sync_folder(root)?;
    Ok(Synced::EachFile)
}

/// Checks whether one sync of the file system is faster for this number of files; `unwritten` returns the number of unwritten bytes.
fn is_for_all(files: usize, unwritten: impl FnOnce() -> Option<u64>) -> bool {
    files > MANY || (files > FEW && unwritten().is_some_and(|bytes| bytes <= LITTLE))
}

/// Counts the files below a folder; stops at `most` + 1.
fn count_files(root: &Path, most: usize) -> io::Result<usize> {
    let mut files = 0;
    visit_files(root, |_| {
        files += 1;
        Ok(files <= most)
    })?;
    Ok(files)
}

/// Calls `visit` with the path of each file below a folder until it returns `false`.
fn visit_files(root: &Path, mut visit: impl FnMut(PathBuf) -> io::Result<bool>) -> io::Result<()> {
    let mut folders = vec![root.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder)? {
            let entry = entry?;
            if entry.file_type()?.is_dir() {
                folders.push(entry.path());
            } else if !visit(entry.path())? {
                return Ok(());
            }
        }
    }
    Ok(())
}

/// Returns the number of bytes that are not on disk yet, on systems that report it (Linux).
fn read_unwritten_bytes() -> Option<u64> {
    parse_unwritten_bytes(&fs::read_to_string("/proc/meminfo").ok()?)
}

/// Adds the two counts of `/proc/meminfo`, in kibibytes: dirty pages and pages in writeback. Returns bytes.
fn parse_unwritten_bytes(about: &str) -> Option<u64> {
    let kibibytes = |name: &str| {
        let rest = about.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(':'))?;
        rest.trim().strip_suffix("kB")?.trim().parse::<u64>().ok()
    };
    Some((kibibytes("Dirty")? + kibibytes("Writeback")?) << 10)
}

/// Syncs the file system of a folder. Returns `false` without syncing if its errors would not be reported.
#[cfg(target_os = "linux")]
fn sync_at_once(folder: &File) -> io::Result<bool> {
    if !can_report_errors() || !is_reliable(folder) {
        return Ok(false);
    }
    rustix::fs::syncfs(folder)?;
    Ok(true)
}

/// Only Linux has this call.
#[cfg(not(target_os = "linux"))]
fn sync_at_once(_: &File) -> io::Result<bool> {
    Ok(false)
}

/// Checks the version of Linux: before 5.8, `syncfs` succeeds although files could not be written.
#[cfg(target_os = "linux")]
fn can_report_errors() -> bool {
    let release = fs::read_to_string("/proc/sys/kernel/osrelease").unwrap_or_default();
    parse_version(&release).is_some_and(|version| version >= (5, 8))
}

/// Parses the start of a version: `6.18.44-fc` is (6, 18).
#[cfg(target_os = "linux")]
fn parse_version(release: &str) -> Option<(u32, u32)> {
    let mut numbers = release.split(|c: char| !c.is_ascii_digit()).map(str::parse);
    Some((numbers.next()?.ok()?, numbers.next()?.ok()?))
}

/// Checks for a file system that writes its files itself. One on top of another (overlay, FUSE, network) may not pass on its errors.
#[cfg(target_os = "linux")]
fn is_reliable(folder: &File) -> bool {
    const EXT: u32 = 0xef53;
    const XFS: u32 = 0x5846_5342;
    const BTRFS: u32 = 0x9123_683e;
    const F2FS: u32 = 0xf2f5_2010;
    const TMPFS: u32 = 0x0102_1994;
    // These numbers have 32 bits; the field is wider on some machines.
    rustix::fs::fstatfs(folder).is_ok_and(|about| [EXT, XFS, BTRFS, F2FS, TMPFS].contains(&(about.f_type as u32)))
}

/// Syncs every file below a folder, many at once.
fn sync_each_file(root: &Path) -> io::Result<()> {
    let mut files: Vec<PathBuf> = Vec::new();
    visit_files(root, |file| {
        files.push(file);
        if files.len() == BATCH {
            sync_files(&std::mem::take(&mut files))?;
        }
        Ok(true)
    })?;
    sync_files(&files)
}

/// Syncs files on a fixed number of threads, each of which takes one file at a time.
fn sync_files(files: &[PathBuf]) -> io::Result<()> {
    try_map_on_threads(WAITERS, files.len(), |at| File::open(&files[at])?.sync_all()).map(drop)
}

/// Syncs a folder's list of names, on systems that support it.
pub(super) fn sync_folder(folder: &Path) -> io::Result<()> {
    if cfg!(unix) { File::open(folder)?.sync_all() } else { Ok(()) }
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;

    fn create_files(files: usize) -> (tempfile::TempDir, File) {
        let home = tempfile::tempdir().expect("a folder");
        let early = File::open(home.path()).expect("opened");
        for at in 0..files {
            let inner = home.path().join(format!("{}", at / 50));
            fs::create_dir_all(&inner).expect("made");
            fs::write(inner.join(format!("{at}.txt")), at.to_string()).expect("written");
        }
        (home, early)
    }

    #[test]
    fn many_files_are_synced_at_once_and_few_one_by_one() {
        let (few, early) = create_files(FEW);
        assert_eq!(sync_tree(few.path(), Some(&early)).expect("synced"), Synced::EachFile);
        let (many, early) = create_files(MANY + 1);
        let wanted = if can_report_errors() && is_reliable(&early) { Synced::AtOnce } else { Synced::EachFile };
        assert_eq!(sync_tree(many.path(), Some(&early)).expect("synced"), wanted);
        // A system that cannot open folders has no handle.
        assert_eq!(sync_tree(many.path(), None).expect("synced"), Synced::EachFile);
    }

    #[test]
    fn what_others_write_is_waited_for_where_it_is_little() {
        assert!(is_for_all(FEW + 1, || Some(LITTLE)) && is_for_all(MANY, || Some(0)));
        assert!(
            !is_for_all(FEW + 1, || Some(LITTLE + 1)) && !is_for_all(MANY, || None) && !is_for_all(FEW, || Some(0))
        );
        assert!(is_for_all(MANY + 1, || None) && is_for_all(MANY + 1, || Some(u64::MAX)));
        let about = "MemFree: 9 kB\nDirty:             12 kB\nWriteback:        3 kB\nWritebackTmp:     7 kB\n";
        assert_eq!(parse_unwritten_bytes(about), Some(15 << 10));
        assert_eq!(
            (
                parse_unwritten_bytes("Dirty: 12 kB\n"),
                parse_unwritten_bytes("Dirty: x kB\nWriteback: 0 kB"),
                parse_unwritten_bytes("")
            ),
            (None, None, None)
        );
        let (home, _) = create_files(60);
        assert_eq!(
            (count_files(home.path(), 100).expect("read"), count_files(home.path(), 20).expect("read")),
            (60, 21)
        );
    }

    #[test]
    fn file_systems_that_are_not_known_are_not_relied_on() {
        let proc = File::open("/proc").expect("opened");
        assert!(!is_reliable(&proc));
        assert!(!sync_at_once(&proc).expect("nothing is done"));
    }

    #[test]
    fn a_folder_that_is_gone_is_an_error() {
        let (home, early) = create_files(3);
        let gone = home.path().join("gone");
        assert!(sync_tree(&gone, Some(&early)).is_err());
        assert!(sync_tree(&gone, None).is_err());
    }

    #[test]
    fn versions_of_linux() {
        assert_eq!(parse_version("6.18.44-fc-v669\n"), Some((6, 18)));
        assert_eq!(parse_version("5.8"), Some((5, 8)));
        assert!(parse_version("5.7.19-generic").is_some_and(|version| version < (5, 8)));
        assert_eq!(parse_version(""), None);
        assert_eq!(parse_version("linux"), None);
    }
}
