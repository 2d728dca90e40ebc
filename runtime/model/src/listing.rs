//! What is in a folder of a project.

/// Something in a folder that is not a folder.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Entry {
    /// Its path below the folder that was listed, with `/`.
    pub path: String,
    /// What it is.
    pub kind: EntryKind,
}

/// What is at a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum EntryKind {
    /// A regular file, and its size in bytes.
    File(u64),
    /// A link.
    Link,
    /// A pipe, a socket, or a device.
    Special,
    /// Something whose name is not UTF-8; the path shows it as well as it can be shown.
    NotUtf8,
    /// A file or folder whose name begins with `.`: what is below it is not listed.
    Hidden,
}

/// The most files of a folder that is listed.
pub const MAX_FILES: usize = 200_000;

/// Whether a name is listed as [`EntryKind::Hidden`].
pub fn is_hidden(name: &str) -> bool {
    name.starts_with('.')
}

/// What is below a folder, of files that are known by path and size; `None` if nothing is there.
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

/// The first part of a path that is hidden, with those above it.
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
