//! A caller's statements about a sandbox: finds paths that people and programs wrote by the paths that an answer key reads.

use std::collections::BTreeMap;

use model::answer_key::{DIGESTS, WHOLE};

use crate::{Captured, Error};

/// A caller's statement for each path of a sandbox. `./a`, `a`, and `a//` are one path; a path with `/` at its end is a folder.
#[derive(Clone, Debug)]
pub struct StatedPaths<V> {
    /// By path as in answer keys.
    by_path: BTreeMap<String, (String, V)>,
    /// Paths with `\`: their form with `/`, and the original.
    with_backslashes: BTreeMap<String, String>,
}

impl<V> Default for StatedPaths<V> {
    fn default() -> StatedPaths<V> {
        StatedPaths { by_path: BTreeMap::new(), with_backslashes: BTreeMap::new() }
    }
}

impl<V> StatedPaths<V> {
    /// Adds a path.
    ///
    /// ```
    /// use records::stated_paths::StatedPaths;
    ///
    /// let mut stated = StatedPaths::default();
    /// stated.add_path("./out//total.txt", 1).expect("a path");
    /// assert_eq!(stated.find_path("out/total.txt"), Ok(Some(("./out//total.txt", &1))));
    /// let twice = stated.add_path("out/total.txt", 2);
    /// let twice = twice.expect_err("one path").to_string();
    /// assert_eq!(twice, "`./out//total.txt` and `out/total.txt` are one path; give it once");
    /// // A path of another system is found, and refused where it is read.
    /// stated.add_path(r"log\a.txt", 3).expect("a path");
    /// assert!(stated.find_path("log/a.txt").expect_err("backslashes").to_string().contains("write `log/a.txt`"));
    /// ```
    ///
    /// # Errors
    /// It is not a path in the sandbox, or is stated twice.
    pub fn add_path(&mut self, written: &str, value: V) -> Result<(), Error> {
        let path = normalize_path(written)?;
        if written.contains('\\')
            && let Ok(path) = normalize_path(&written.replace('\\', "/"))
        {
            self.with_backslashes.insert(path, written.to_owned());
        }
        if let Some((before, _)) = self.by_path.get(&path) {
            return Err(Error::new_usage(format!("`{before}` and `{written}` are one path; give it once")));
        }
        self.by_path.insert(path, (written.to_owned(), value));
        Ok(())
    }

    /// Returns the statement for a path that an answer key reads, with the path as written. A folder may be written without its `/`.
    ///
    /// # Errors
    /// It is written with `\`.
    pub fn find_path(&self, path: &str) -> Result<Option<(&str, &V)>, Error> {
        let plain = path.trim_end_matches('/');
        let folder = format!("{plain}/");
        let spellings =
            if path == WHOLE { [WHOLE, WHOLE] } else { [path, if path == folder { plain } else { &folder }] };
        let found = spellings.into_iter().find_map(|spelling| self.by_path.get(spelling));
        if let Some((written, value)) = found {
            return Ok(Some((written.as_str(), value)));
        }
        match spellings.into_iter().find_map(|spelling| self.with_backslashes.get(spelling)) {
            Some(written) => Err(Error::new_usage(format!("`{written}` has `\\` between its parts; write `{path}`"))),
            None => Ok(None),
        }
    }

    /// Returns the statements for the paths below a folder, which ends with `/`.
    pub fn iter_below<'t>(&'t self, folder: &'t str) -> impl Iterator<Item = &'t V> {
        let from = self.by_path.range(folder.to_owned()..);
        from.take_while(move |(path, _)| path.starts_with(folder))
            .filter(move |(path, _)| *path != folder)
            .map(|(_, (_, value))| value)
    }
}

/// Converts a path in the sandbox to the form in answer keys: without `./`, and with one `/` between its parts. The sandbox itself is [`WHOLE`].
///
/// ```
/// use records::stated_paths::normalize_path;
///
/// assert_eq!(normalize_path("./out//a.txt").as_deref(), Ok("out/a.txt"));
/// assert_eq!(normalize_path("out/.").as_deref(), Ok("out/"));
/// assert_eq!(normalize_path(".").as_deref(), Ok("./"));
/// for outside in ["", "/etc/passwd", "../a.txt", "out/../../a.txt"] {
///     assert!(normalize_path(outside).is_err(), "{outside}");
/// }
/// ```
///
/// # Errors
/// It is not such a path.
pub fn normalize_path(written: &str) -> Result<String, Error> {
    if written.is_empty() {
        let message = "a path is empty; write it relative to the sandbox, such as `answer.txt`";
        return Err(Error::new_usage(message));
    }
    if written.starts_with('/') {
        let relative = normalize_path(written.trim_start_matches('/')).ok().filter(|path| path != WHOLE);
        let such = relative.map(|path| format!(", such as `{path}`")).unwrap_or_default();
        return Err(Error::new_usage(format!("`{written}` is absolute; write the path relative to the sandbox{such}")));
    }
    let parts: Vec<&str> = written.split('/').filter(|part| !matches!(*part, "" | ".")).collect();
    if parts.contains(&"..") {
        return Err(Error::new_usage(format!(
            "`{written}` has a part `..`; write the path relative to the sandbox, without it"
        )));
    }
    if parts.is_empty() {
        return Ok(WHOLE.to_owned());
    }
    let is_folder = written.ends_with('/') || written.ends_with("/.");
    Ok(format!("{}{}", parts.join("/"), if is_folder { "/" } else { "" }))
}

/// Explains how the list of all paths with digests is stated.
pub const DIGESTS_FORM: &str = "give all paths in the sandbox, folders with a `/` at the end, and for each file its SHA-256 in hexadecimal digits: \
     {\"kind\": \"paths\", \"paths\": [\"a.txt\", \"b/\"], \"sha256\": [\"ba7816bf…\", null]}";

/// Describes why the statement for a path does not fit the answer key, if so. `written` is the path as written.
pub fn describe_misfit(path: &str, written: &str, found: &Captured) -> Option<String> {
    let is_whole = path == WHOLE || path == DIGESTS;
    match found {
        Captured::Paths { paths, sha256 } if path == DIGESTS && paths.len() != sha256.len() => {
            Some(format!("`{DIGESTS}` lacks `sha256`: {DIGESTS_FORM}"))
        }
        Captured::Absent | Captured::Folder | Captured::Text { .. } | Captured::Bytes { .. } if path == DIGESTS => {
            Some(format!("`{DIGESTS}` is not a list; {DIGESTS_FORM}"))
        }
        Captured::Paths { .. } if !is_whole => {
            Some(format!("`{written}` is a list of paths, which only `{WHOLE}` can be; give the content of the file"))
        }
        Captured::Absent | Captured::Folder | Captured::Text { .. } | Captured::Bytes { .. } if is_whole => {
            Some(format!("`{WHOLE}` is not a list; give all paths in the sandbox, folders with a `/` at the end"))
        }
        // If the key reads a folder, an agent may have left a file.
        file if file.is_file() && !path.ends_with('/') && written.ends_with('/') => {
            Some(format!("`{written}` ends with `/`, as folders do, but is a file; write it without the `/`"))
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// A path as answer keys write it.
    fn key_path() -> impl Strategy<Value = String> {
        let part = "[a-z][a-z._ é-]{0,3}";
        (proptest::collection::vec(part, 1..4), any::<bool>())
            .prop_map(|(parts, folder)| format!("{}{}", parts.join("/"), if folder { "/" } else { "" }))
    }

    proptest! {
        #[test]
        fn every_spelling_is_the_path(path in key_path(), dots in proptest::collection::vec(0_usize..4, 8), front in 0_usize..3) {
            let mut written = "./".repeat(front);
            for (part, dots) in path.split_inclusive('/').zip(&dots) {
                written.push_str(part);
                if part.ends_with('/') {
                    written.push_str(["", "/", "./", ".//./"][*dots]);
                }
            }
            prop_assert_eq!(normalize_path(&written), Ok(path.clone()));
            let mut told = StatedPaths::default();
            told.add_path(&written, 7).expect("a path");
            prop_assert_eq!(told.find_path(&path), Ok(Some((written.as_str(), &7))));
            let other = match path.strip_suffix('/') { Some(plain) => plain.to_owned(), None => format!("{path}/") };
            prop_assert_eq!(told.find_path(&other), Ok(Some((written.as_str(), &7))));
            prop_assert!(told.add_path(&path, 8).is_err());
        }

        #[test]
        fn other_paths_are_refused(path in key_path(), at in 0_usize..4) {
            for written in [format!("/{path}"), format!("//{path}"), format!("../{path}"), format!("x/../{path}"), format!("{path}/.."), String::new()] {
                prop_assert!(normalize_path(&written).is_err(), "{}", written);
            }
            let written = path.replace('/', "\\");
            let mut told = StatedPaths::default();
            told.add_path(&written, at).expect("a name on some systems");
            if written != path {
                prop_assert!(told.find_path(&path).is_err(), "{}", written);
            }
        }
    }

    #[test]
    fn the_sandbox_itself_and_what_is_below() {
        for written in [".", "./", "././", ".//"] {
            assert_eq!(normalize_path(written).as_deref(), Ok(WHOLE), "{written}");
        }
        let mut told = StatedPaths::default();
        for (path, value) in [("a/b/c", 1), ("a/b-/d", 2), ("./", 3), ("a/b/", 4), ("ab", 5)] {
            told.add_path(path, value).expect("a path");
        }
        assert_eq!(told.iter_below("a/b/").collect::<Vec<_>>(), [&1]);
        assert_eq!(told.iter_below("a/").collect::<Vec<_>>(), [&2, &4, &1]);
        assert_eq!(told.find_path("./"), Ok(Some(("./", &3))));
        assert_eq!(told.find_path("b/"), Ok(None));
    }
}
