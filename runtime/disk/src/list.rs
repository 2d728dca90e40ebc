//! Lists the content of a folder.

use std::fs::{self, FileType};
use std::io;
use std::path::Path;

use model::listing::{Entry, EntryKind, IS_LINK, MAX_FILES, is_hidden};
use model::path::LONGEST;

/// Lists all entries below a folder except folders, sorted by the bytes of their paths. Entries whose names begin with `.` are hidden, regardless of
/// their kind, and their content is not listed. Links are listed but not followed.
///
/// # Errors
/// An I/O error; `InvalidInput` for a link in place of the folder; `FileTooLarge` for more than [`MAX_FILES`] files.
pub fn list_entries(folder: &Path) -> io::Result<Vec<Entry>> {
    let kind = fs::symlink_metadata(folder)?.file_type();
    if kind.is_symlink() {
        return Err(io::Error::new(io::ErrorKind::InvalidInput, IS_LINK));
    }
    if !kind.is_dir() {
        return Err(io::Error::new(io::ErrorKind::InvalidInput, "it is not a folder"));
    }
    let mut found = Vec::new();
    let mut folders = vec![String::new()];
    while let Some(below) = folders.pop() {
        for entry in fs::read_dir(folder.join(&below))? {
            let entry = entry?;
            let name = entry.file_name();
            let shown = name.to_string_lossy();
            let path = if below.is_empty() { shown.clone().into_owned() } else { format!("{below}/{shown}") };
            let kind = entry.file_type()?;
            if is_hidden(&shown) {
                found.push(Entry { path, kind: EntryKind::Hidden });
            } else if name.to_str().is_none() {
                found.push(Entry { path, kind: EntryKind::NotUtf8 });
            } else if kind.is_dir() {
                // No sandbox could contain a path below it, and some systems would reject it.
                if path.len() > LONGEST {
                    return Err(io::Error::other(format!("a path in it has more than {LONGEST} bytes")));
                }
                folders.push(path);
            } else {
                let kind = classify_entry(kind, || Ok(entry.metadata()?.len()))?;
                found.push(Entry { path, kind });
            }
            if found.len() + folders.len() > MAX_FILES {
                let most = model::value::group_digits(MAX_FILES as u64);
                return Err(io::Error::new(io::ErrorKind::FileTooLarge, format!("it has more than {most} files")));
            }
        }
    }
    found.sort();
    Ok(found)
}

fn classify_entry(kind: FileType, size: impl FnOnce() -> io::Result<u64>) -> io::Result<EntryKind> {
    Ok(if kind.is_symlink() {
        EntryKind::Link
    } else if kind.is_file() {
        EntryKind::File(size()?)
    } else {
        EntryKind::Special
    })
}

#[cfg(all(test, unix))]
mod tests {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt as _;
    use std::os::unix::fs::symlink;

    use super::*;

    #[test]
    fn all_files_are_listed_and_links_are_told() {
        let home = tempfile::tempdir().expect("a folder");
        let at = |name: &str| home.path().join(name);
        fs::create_dir_all(at("lake/b/c")).expect("made");
        fs::create_dir_all(at("lake/.git")).expect("made");
        for (path, text) in [("lake/b.csv", "1"), ("lake/b/x", "22"), ("lake/b/c/y", ""), ("lake/.git/z", "")] {
            fs::write(at(path), text).expect("written");
        }
        symlink(at("lake/b"), at("lake/up")).expect("linked");
        symlink(at("lake"), at("link")).expect("linked");
        fs::write(at("lake/b").join(OsStr::from_bytes(b"\xff")), "").expect("written");
        let found = list_entries(&at("lake")).expect("listed");
        let found: Vec<(&str, EntryKind)> = found.iter().map(|entry| (entry.path.as_str(), entry.kind)).collect();
        let expected = [
            (".git", EntryKind::Hidden),
            ("b.csv", EntryKind::File(1)),
            ("b/c/y", EntryKind::File(0)),
            ("b/x", EntryKind::File(2)),
            ("b/\u{fffd}", EntryKind::NotUtf8),
            ("up", EntryKind::Link),
        ];
        assert_eq!(found, expected);
        assert_eq!(list_entries(&at("link")).expect_err("refused").to_string(), "it is a link");
        assert_eq!(list_entries(&at("lake/b.csv")).expect_err("refused").to_string(), "it is not a folder");
        assert_eq!(list_entries(&at("none")).expect_err("refused").kind(), io::ErrorKind::NotFound);
    }
}
