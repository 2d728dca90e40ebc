//! Paths below the sandbox: which are safe on every system, and which clash.

use std::collections::BTreeMap;

use super::eval::{Res, fail};
use crate::Failure;
use crate::failure::FailureKind;

/// Bytes of one segment that common file systems allow.
const LONGEST: usize = 255;

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

fn wrong_with(path: &str) -> Option<String> {
    if path.is_empty() {
        return Some("is empty".to_owned());
    }
    if path.starts_with('/') {
        return Some("is absolute".to_owned());
    }
    path.split('/').find_map(|segment| {
        let stem = segment.split('.').next().unwrap_or_default().trim_end();
        if segment.is_empty() {
            Some("has an empty part".to_owned())
        } else if segment == ".." {
            Some("leaves the sandbox by `..`".to_owned())
        } else if segment == "." {
            Some("has a part `.`".to_owned())
        } else if let Some(bad) = segment.chars().find(|c| c.is_control() || "<>:\"|?*\\".contains(*c)) {
            Some(format!("has the character {bad:?}, which not every system allows"))
        } else if segment.ends_with('.') || segment.ends_with(' ') {
            Some("has a part that ends with a dot or blank".to_owned())
        } else if segment.len() > LONGEST {
            Some(format!("has a part of more than {LONGEST} bytes"))
        } else if is_device(stem) {
            Some(format!("has the part {segment:?}, which names a device on Windows"))
        } else {
            None
        }
    })
}

fn is_device(stem: &str) -> bool {
    let stem = stem.to_ascii_uppercase();
    let numbered = |prefix: &str| {
        stem.strip_prefix(prefix)
            .is_some_and(|rest| matches!(rest.as_bytes(), [b'1'..=b'9']) || matches!(rest, "¹" | "²" | "³"))
    };
    matches!(stem.as_str(), "CON" | "PRN" | "AUX" | "NUL" | "CONIN$" | "CONOUT$") || numbered("COM") || numbered("LPT")
}

/// A path as systems see it that do not tell case apart.
pub(crate) fn folded(path: &str) -> String {
    path.to_lowercase()
}

impl Node {
    fn is_same_folder(&self, path: &str, is_file: bool, own: bool) -> bool {
        let declared_twice = self.own && own;
        !self.is_file && !is_file && self.written == path && !declared_twice
    }
}

/// What stands where in a sandbox, case folded.
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

    /// Whether something stands at the path, or a file at one of its folders.
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
                    _ => format!("the paths {other:?} and {path:?} differ only in case"),
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
        for path in [
            "",
            "/a",
            "../a",
            "a/../b",
            "a//b",
            "a/",
            "a/./b",
            "a:b",
            "a\\b",
            "a\nb",
            "con",
            "a/NUL.txt",
            "com1.log",
            "a.",
            "a ",
            "x?",
        ] {
            assert!(safe(path).is_err(), "{path:?}");
        }
        assert!(safe(&"x".repeat(256)).is_err());
        for path in ["a", "a/b.c", "./a", ".hidden", "console.log", "com.txt", "ä b/c"] {
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
