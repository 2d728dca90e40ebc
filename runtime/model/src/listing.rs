//! The content of a folder of a project.

/// An entry of a folder that is not a folder itself.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Entry {
    /// Its path relative to the listed folder, with `/`.
    pub path: String,
    /// Its kind.
    pub kind: EntryKind,
}

/// The kind of an entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum EntryKind {
    /// A regular file, and its size in bytes.
    File(u64),
    /// A link.
    Link,
    /// A pipe, a socket, or a device.
    Special,
    /// An entry whose name is not UTF-8; the path contains a readable approximation.
    NotUtf8,
    /// A file or folder whose name begins with `.`; its content is not listed.
    Hidden,
}

/// Maximum number of files in a listed folder.
pub const MAX_FILES: usize = 200_000;

/// The error of a folder that is listed and is a link.
pub const IS_LINK: &str = "it is a link";

/// Checks whether a name is listed as [`EntryKind::Hidden`].
pub fn is_hidden(name: &str) -> bool {
    name.starts_with('.')
}

/// Lists the content of a folder from files with known paths and sizes; `None` if the folder does not contain any.
///
/// ```
/// use model::listing::{Entry, EntryKind, list_below};
///
/// let files = [("data/a.csv", 10), ("data/.git/config", 20), ("database.db", 30)];
/// let found = list_below(files.into_iter(), "data").expect("a folder");
/// let entry = |path: &str, kind| Entry { path: path.to_owned(), kind };
/// assert_eq!(found, [entry(".git", EntryKind::Hidden), entry("a.csv", EntryKind::File(10))]);
/// // `data` is not a part of the name `database.db`, and a file is not a folder.
/// assert_eq!(list_below(files.into_iter(), "database.db"), None);
/// ```
pub fn list_below<'p>(files: impl Iterator<Item = (&'p str, u64)>, folder: &str) -> Option<Vec<Entry>> {
    let mut inside =
        files.filter_map(|(path, size)| Some((path.strip_prefix(folder)?.strip_prefix('/')?, size))).peekable();
    inside.peek()?;
    let mut entries: Vec<Entry> = inside
        .map(|(path, size)| match find_hidden(path) {
            Some(hidden) => Entry { path: hidden.to_owned(), kind: EntryKind::Hidden },
            None => Entry { path: path.to_owned(), kind: EntryKind::File(size) },
        })
        .collect();
    entries.sort();
    entries.dedup();
    Some(entries)
}

/// Returns the first hidden part of a path, with the folders above it.
fn find_hidden(path: &str) -> Option<&str> {
    let ends = path.match_indices('/').map(|(at, _)| at).chain([path.len()]);
    ends.filter_map(|end| path.get(..end)).find(|above| above.rsplit('/').next().is_some_and(is_hidden))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_below_a_folder_is_listed() {
        let files =
            [("a/b.csv", 1), ("a/c/d.csv", 2), ("a/.git/x", 3), ("a/.git/z", 3), ("a/.y", 4), ("ab/e", 5), ("a", 6)];
        let listed = |folder| {
            let found = list_below(files.iter().copied(), folder)?;
            Some(found.into_iter().map(|entry| (entry.path, entry.kind)).collect::<Vec<_>>())
        };
        let file = |path: &str, size: u64| (path.to_owned(), EntryKind::File(size));
        let hidden = |path: &str| (path.to_owned(), EntryKind::Hidden);
        assert_eq!(listed("a"), Some(vec![hidden(".git"), hidden(".y"), file("b.csv", 1), file("c/d.csv", 2)]));
        assert_eq!(listed("a/.git"), Some(vec![file("x", 3), file("z", 3)]));
        assert_eq!((listed("x"), listed("a/b.csv")), (None, None));
    }
}
