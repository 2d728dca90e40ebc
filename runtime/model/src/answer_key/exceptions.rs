//! The paths that may change in a sandbox that is otherwise unchanged.

use std::collections::HashSet;

/// Paths that may change, appear, or be gone. A path with a trailing `/` is a folder with all below it.
///
/// ```
/// use model::answer_key::Exceptions;
///
/// let paths = ["out/".to_owned(), "a/b.txt".to_owned()];
/// let except = Exceptions::new(&paths);
/// assert!(except.has_path("out") && except.has_path("out/x/y.txt") && except.has_path("a/b.txt"));
/// assert!(!except.has_path("outer") && !except.has_path("a/c.txt"));
/// // What is above may appear.
/// assert!(except.is_above("a/") && !except.has_path("a"));
/// // Only a folder includes what is below it.
/// assert!(!except.has_path("a/b.txt/c"));
/// ```
#[derive(Clone, Debug, Default)]
pub struct Exceptions<'p> {
    paths: HashSet<&'p str>,
    folders: HashSet<&'p str>,
    above: HashSet<&'p str>,
}

impl<'p> Exceptions<'p> {
    /// Collects the paths.
    pub fn new(paths: &'p [String]) -> Exceptions<'p> {
        let mut except = Exceptions::default();
        for path in paths {
            let plain = path.trim_end_matches('/');
            except.paths.insert(plain);
            if plain.len() < path.len() {
                except.folders.insert(plain);
            }
            except.above.extend(iter_folders_above(plain));
        }
        except
    }

    /// Checks whether a path may change. A trailing `/` does not count.
    pub fn has_path(&self, path: &str) -> bool {
        let plain = path.trim_end_matches('/');
        self.paths.contains(plain) || iter_folders_above(plain).any(|folder| self.folders.contains(folder))
    }

    /// Checks whether a path is that of a folder above a path that may change.
    pub fn is_above(&self, path: &str) -> bool {
        self.above.contains(path.trim_end_matches('/'))
    }
}

/// Returns the folders above a path, without a trailing `/`.
fn iter_folders_above(path: &str) -> impl Iterator<Item = &str> {
    path.match_indices('/').filter_map(|(at, _)| path.get(..at))
}
