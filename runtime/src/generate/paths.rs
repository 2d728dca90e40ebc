//! Paths in the sandbox: checks whether they are safe on every system, and whether they conflict.

use std::collections::BTreeMap;
use std::sync::Arc;

use model::path::{describe_problem, fold_path};

use super::failures::{Res, fail, fail_with_help};
use crate::failure::FailureKind;

/// Returns a file's path for the agent, below the root of its sandbox.
pub(crate) fn join_root(root: &str, path: &str) -> String {
    match root {
        "." | "" => path.to_owned(),
        root => format!("{}/{path}", root.trim_end_matches('/')),
    }
}

/// Returns a path that is safe to create below any folder on any common system, without a leading `./`.
pub(crate) fn ensure_safe(path: &str) -> Res<String> {
    // `<<sandbox>>/a` becomes `a`.
    let path = path.trim_start_matches("./");
    match describe_problem(path) {
        None => Ok(path.to_owned()),
        Some(reason) => {
            let help = "draw the parts of a path from a domain whose values are plain words";
            fail_with_help(FailureKind::PathAtBuild, format!("the path {path:?} {reason}"), help)
        }
    }
}

impl Node {
    /// Checks whether it is the same folder, from another path or declared once.
    fn is_same_folder(&self, path: &str, kind: NodeKind) -> bool {
        let declared_twice = self.kind == NodeKind::Folder && kind == NodeKind::Folder;
        !self.is_file() && kind != NodeKind::File && self.written == path && !declared_twice
    }

    fn is_file(&self) -> bool {
        self.kind == NodeKind::File
    }
}

/// Files that are known before any draw, with the folders that contain them.
#[derive(Default)]
pub(crate) struct Fixed(BTreeMap<String, Node>);

impl Fixed {
    /// Adds a safe path of a file. The checker has made sure that all of them differ.
    pub fn add_file(&mut self, path: &str) {
        for (at, _) in path.match_indices('/') {
            let folder = &path[..at];
            self.0
                .entry(fold_path(folder))
                .or_insert_with(|| Node { written: folder.to_owned(), kind: NodeKind::Parent });
        }
        self.0.insert(fold_path(path), Node { written: path.to_owned(), kind: NodeKind::File });
    }
}

/// The files and folders of a sandbox, by path, folded for comparison.
#[derive(Default)]
pub(crate) struct Tree {
    nodes: BTreeMap<String, Node>,
    fixed: Vec<Arc<Fixed>>,
}

struct Node {
    written: String,
    kind: NodeKind,
}

/// The kind of an entry of the sandbox.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum NodeKind {
    /// A file.
    File,
    /// A folder that is declared.
    Folder,
    /// The folder of another path.
    Parent,
}

impl Tree {
    /// Reserves these files: no path added later may be one of them or conflict with them.
    pub fn reserve_files(&mut self, fixed: Arc<Fixed>) {
        self.fixed.push(fixed);
    }

    fn find_node(&self, folded: &str) -> Option<&Node> {
        let fixed = || self.fixed.iter().find_map(|fixed| fixed.0.get(folded));
        self.nodes.get(folded).or_else(fixed)
    }

    /// Adds a safe path and the folders that contain it. Fails if it conflicts with an earlier path.
    pub fn add_path(&mut self, path: &str, kind: NodeKind) -> Res<()> {
        for (at, _) in path.match_indices('/') {
            self.add_node(&path[..at], NodeKind::Parent)?;
        }
        self.add_node(path, kind)
    }

    /// Checks whether a file or folder has this path, or a file has the path of one of its folders.
    pub fn is_taken(&self, path: &str) -> bool {
        let folded = fold_path(path);
        self.find_node(&folded).is_some()
            || folded.match_indices('/').any(|(at, _)| self.find_node(&folded[..at]).is_some_and(Node::is_file))
    }

    fn add_node(&mut self, path: &str, kind: NodeKind) -> Res<()> {
        let key = fold_path(path);
        match self.find_node(&key) {
            None => drop(self.nodes.insert(key, Node { written: path.to_owned(), kind })),
            Some(node) if node.is_same_folder(path, kind) => {
                let kind = if node.kind == NodeKind::Folder { node.kind } else { kind };
                self.nodes.insert(key, Node { written: path.to_owned(), kind });
            }
            Some(node) => {
                let other = &node.written;
                let is_file = kind == NodeKind::File;
                let message = match (node.is_file(), is_file) {
                    (true, true) if other == path => format!("two files came out at the same path {path:?}"),
                    (a, b) if a != b => format!("{path:?} came out both a file and a folder"),
                    _ if other == path => format!("the folder {path:?} came out twice"),
                    _ if other.to_lowercase() == path.to_lowercase() => {
                        format!("the paths {other:?} and {path:?} differ only in case")
                    }
                    _ => format!("the paths {other:?} and {path:?} differ only in the form of their letters"),
                };
                // Many file systems treat both as one path.
                if node.is_file() == is_file && other != path {
                    let help = "draw values that differ in more than that, or write them as `lower(…)`";
                    return fail_with_help(FailureKind::PathAtBuild, message, help);
                }
                return fail(FailureKind::PathAtBuild, message);
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::NodeKind::{File, Folder};
    use super::*;

    #[test]
    fn unsafe_paths_are_refused() {
        for path in ["", "/a", "../a", "a/", "com1.log", "x\u{202e}y"] {
            assert!(ensure_safe(path).is_err(), "{path:?}");
        }
        for path in ["a", "a/b.c", "./a", ".hidden"] {
            assert!(ensure_safe(path).is_ok(), "{path:?}");
        }
        assert_eq!(ensure_safe("././a/b").ok().as_deref(), Some("a/b"));
    }

    #[test]
    fn clashes_are_found_after_case_folding() {
        let add = |paths: &[(&str, NodeKind)]| {
            let mut tree = Tree::default();
            paths.iter().try_for_each(|(path, kind)| tree.add_path(path, *kind)).is_ok()
        };
        assert!(add(&[("a/x", File), ("a/y", File), ("a", Folder), ("b", Folder)]));
        for clash in [
            [("a", File), ("A", File)],
            [("\u{e9}", File), ("e\u{301}", File)],
            [("stra\u{df}e", File), ("STRASSE", File)],
            [("a", File), ("a/b", File)],
            [("a/b", File), ("a", File)],
            [("a/b", File), ("A/c", File)],
            [("a", Folder), ("a", Folder)],
            [("a", File), ("a", Folder)],
        ] {
            assert!(!add(&clash), "{clash:?}");
        }
    }

    #[test]
    fn nothing_clashes_with_files_of_a_lake() {
        let mut fixed = Fixed::default();
        fixed.add_file("Lake/a/x.csv");
        fixed.add_file("Lake/y.csv");
        let fixed = Arc::new(fixed);
        for clash in ["Lake/a/x.csv", "lake/A/X.csv", "Lake/y.csv/z", "Lake"] {
            let mut tree = Tree::default();
            tree.reserve_files(Arc::clone(&fixed));
            assert!(tree.add_path(clash, File).is_err() && tree.is_taken(clash), "{clash}");
        }
        for fits in ["Lake/a/z.csv", "lakes", "Lake/b/c"] {
            let mut tree = Tree::default();
            tree.reserve_files(Arc::clone(&fixed));
            assert!(!tree.is_taken(fits) && tree.add_path(fits, File).is_ok() && tree.is_taken(fits), "{fits}");
        }
        // A folder of the lake may be declared, once.
        let mut tree = Tree::default();
        tree.reserve_files(Arc::clone(&fixed));
        assert!(tree.add_path("Lake/a", Folder).is_ok() && tree.add_path("Lake/a", Folder).is_err());
    }

    #[test]
    fn paths_stand_below_the_root() {
        assert_eq!(join_root(".", "a/b"), "a/b");
        assert_eq!(join_root("/work/", "a"), "/work/a");
    }
}
