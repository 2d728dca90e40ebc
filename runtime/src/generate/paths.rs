//! Paths below the sandbox: which are safe on every system, and which clash.

use std::collections::BTreeMap;

use plan::path::{folded, wrong_with};

use super::eval::{Res, fail};
use crate::Failure;
use crate::failure::FailureKind;

/// A file's path as the agent is given it, below the root of its sandbox.
pub(crate) fn below(root: &str, path: &str) -> String {
    match root {
        "." | "" => path.to_owned(),
        root => format!("{}/{path}", root.trim_end_matches('/')),
    }
}

/// The path without what says "here" in front: `<<sandbox>>/a` is `a`.
pub(crate) fn relative(path: &str) -> &str {
    let mut path = path;
    while let Some(rest) = path.strip_prefix("./") {
        path = rest;
    }
    path
}

/// A path that is safe to create below any folder on any common system, without `./` in front.
pub(crate) fn safe(path: &str) -> Res<String> {
    let path = relative(path);
    match wrong_with(path) {
        None => Ok(path.to_owned()),
        Some(reason) => {
            let failure = Failure::new(FailureKind::PathAtBuild, format!("the path {path:?} {reason}"));
            Err(Box::new(failure.help("draw the parts of a path from a domain whose values are plain words")))
        }
    }
}

impl Node {
    fn is_same_folder(&self, path: &str, is_file: bool, own: bool) -> bool {
        let declared_twice = self.own && own;
        !self.is_file && !is_file && self.written == path && !declared_twice
    }
}

/// The files and folders of a sandbox, by path folded for comparison.
#[derive(Default)]
pub(crate) struct Tree(BTreeMap<String, Node>);

struct Node {
    written: String,
    is_file: bool,
    /// Declared, not only the folder of something else.
    own: bool,
}

impl Tree {
    /// Adds a safe path and the folders it lies in. Fails if something else is there already.
    pub fn add(&mut self, path: &str, is_file: bool) -> Res<()> {
        for (at, _) in path.match_indices('/') {
            self.node(&path[..at], false, false)?;
        }
        self.node(path, is_file, true)
    }

    /// Whether a file or folder has the path, or a file has the path of one of its folders.
    pub fn is_taken(&self, path: &str) -> bool {
        let folded = folded(path);
        self.0.contains_key(&folded)
            || folded.match_indices('/').any(|(at, _)| self.0.get(&folded[..at]).is_some_and(|node| node.is_file))
    }

    fn node(&mut self, path: &str, is_file: bool, own: bool) -> Res<()> {
        match self.0.get_mut(&folded(path)) {
            None => {
                self.0.insert(folded(path), Node { written: path.to_owned(), is_file, own });
                Ok(())
            }
            // The same folder, of another path or declared once.
            Some(node) if node.is_same_folder(path, is_file, own) => {
                node.own |= own;
                Ok(())
            }
            Some(node) => {
                let other = &node.written;
                let message = match (node.is_file, is_file) {
                    (true, true) if other == path => format!("two files came out at the same path {path:?}"),
                    (a, b) if a != b => format!("{path:?} came out both a file and a folder"),
                    _ if other == path => format!("the folder {path:?} came out twice"),
                    _ if other.to_lowercase() == path.to_lowercase() => {
                        format!("the paths {other:?} and {path:?} differ only in case")
                    }
                    _ => format!("the paths {other:?} and {path:?} differ only in the form of their letters"),
                };
                fail(FailureKind::PathAtBuild, message)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unsafe_paths_are_refused() {
        for path in ["", "/a", "../a", "a/", "com1.log", "x\u{202e}y"] {
            assert!(safe(path).is_err(), "{path:?}");
        }
        for path in ["a", "a/b.c", "./a", ".hidden"] {
            assert!(safe(path).is_ok(), "{path:?}");
        }
        assert_eq!(safe("././a/b").ok().as_deref(), Some("a/b"));
    }

    #[test]
    fn clashes_are_found_after_case_folding() {
        let add = |paths: &[(&str, bool)]| {
            let mut tree = Tree::default();
            paths.iter().try_for_each(|(path, is_file)| tree.add(path, *is_file)).is_ok()
        };
        assert!(add(&[("a/x", true), ("a/y", true), ("a", false), ("b", false)]));
        for clash in [
            [("a", true), ("A", true)],
            [("\u{e9}", true), ("e\u{301}", true)],
            [("stra\u{df}e", true), ("STRASSE", true)],
            [("a", true), ("a/b", true)],
            [("a/b", true), ("a", true)],
            [("a/b", true), ("A/c", true)],
            [("a", false), ("a", false)],
            [("a", true), ("a", false)],
        ] {
            assert!(!add(&clash), "{clash:?}");
        }
    }

    #[test]
    fn paths_stand_below_the_root() {
        assert_eq!(below(".", "a/b"), "a/b");
        assert_eq!(below("/work/", "a"), "/work/a");
    }
}
