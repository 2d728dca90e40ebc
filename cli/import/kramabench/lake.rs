//! Resolves the sources of questions to files of a lake: a path, the name of a file, a glob, a folder, or `./` for all files. Letter case matters only if a
//! file has the name in that case.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::rc::Rc;

use model::glob::is_path_match;

/// The maximum number of words at the end of a source that may name files.
const MAX_WORDS: usize = 64;

/// The files of a lake.
pub struct Files {
    /// The paths, sorted.
    paths: Vec<String>,
    /// The paths in lower case.
    lower: Vec<String>,
    /// The sources resolved so far.
    known: RefCell<HashMap<String, Rc<[usize]>>>,
}

/// The files of a lake that a task is given.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FileSelection {
    /// All files.
    All,
    /// The files that match these globs.
    Globs(Vec<String>),
}

impl Files {
    /// Creates the files from paths in any order.
    pub fn new(mut paths: Vec<String>) -> Files {
        paths.sort();
        let lower = paths.iter().map(|path| path.to_lowercase()).collect();
        Files { paths, lower, known: RefCell::default() }
    }

    /// Selects the files for a task with these sources. An error contains the sources that match no file.
    pub fn resolve_sources(&self, sources: &[String]) -> Result<FileSelection, Vec<String>> {
        let mut found: BTreeSet<&str> = BTreeSet::new();
        let (mut missing, mut seen) = (Vec::new(), HashSet::new());
        for source in sources.iter().filter(|source| seen.insert(source.as_str())) {
            let meant = self.resolve_source(source);
            if meant.is_empty() {
                missing.push(source.clone());
            }
            found.extend(meant.iter().filter_map(|at| self.paths.get(*at)).map(String::as_str));
        }
        if !missing.is_empty() {
            return Err(missing);
        }
        let all = found.is_empty() || found.len() == self.paths.len();
        Ok(if all { FileSelection::All } else { FileSelection::Globs(self.build_globs(&found)) })
    }

    /// Returns the indexes of the files to which a source refers.
    fn resolve_source(&self, source: &str) -> Rc<[usize]> {
        if let Some(known) = self.known.borrow().get(source) {
            return Rc::clone(known);
        }
        let meant: Rc<[usize]> = self.search_source(source).into();
        self.known.borrow_mut().insert(source.to_owned(), Rc::clone(&meant));
        meant
    }

    /// Searches for the files of a source. A source in words (`all files in maps/`) refers to the files named by its last words.
    fn search_source(&self, source: &str) -> Vec<usize> {
        let mut rest = source.trim();
        while let Some(below) = rest.strip_prefix("./") {
            rest = below.trim_start_matches('/');
        }
        if is_all(rest) {
            return (0..self.paths.len()).collect();
        }
        let found = self.match_pattern(rest);
        if !found.is_empty() {
            return found;
        }
        let mut later: Vec<&str> = rest
            .rmatch_indices(char::is_whitespace)
            .filter_map(|(at, _)| rest.get(at..))
            .map(str::trim_start)
            .take(MAX_WORDS)
            .filter(|words| words.contains(['.', '/']) && !is_all(words))
            .collect();
        // The longest sequences of words first.
        later.reverse();
        later.into_iter().map(|words| self.match_pattern(words)).find(|found| !found.is_empty()).unwrap_or_default()
    }

    /// Matches a path, a name, a folder, or a glob: first as written, and then in any letter case.
    fn match_pattern(&self, pattern: &str) -> Vec<usize> {
        let exact = match_paths(pattern, &self.paths);
        if exact.is_empty() { match_paths(&pattern.to_lowercase(), &self.lower) } else { exact }
    }

    /// Builds a few globs that match exactly these files.
    fn build_globs(&self, files: &BTreeSet<&str>) -> Vec<String> {
        let mut folders: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
        for file in files {
            folders.entry(file.rfind('/').and_then(|slash| file.get(..=slash)).unwrap_or("")).or_default().push(file);
        }
        let mut globs = Vec::new();
        for (folder, inside) in folders {
            match self.build_glob(folder, &inside, files) {
                Some(glob) => globs.push(glob),
                None => globs.extend(inside.into_iter().map(str::to_owned)),
            }
        }
        globs
    }

    /// Builds one glob that matches exactly these files of a folder; `None` if it is not possible.
    fn build_glob(&self, folder: &str, inside: &[&str], files: &BTreeSet<&str>) -> Option<String> {
        let first = inside.first().filter(|_| inside.len() > 1)?;
        let ending = first.rfind('.').and_then(|dot| first.get(dot..)).filter(|ending| !ending.contains('/'));
        let names = ending.map(|ending| format!("*{ending}")).into_iter().chain(["*".to_owned()]);
        let exact = |glob: &String| {
            let mut matched = 0;
            let only = self.paths.iter().filter(|path| is_path_match(glob, path)).all(|path| {
                matched += 1;
                files.contains(path.as_str())
            });
            only && matched == inside.len()
        };
        names.map(|name| format!("{folder}{name}")).find(exact)
    }
}

/// Returns the indexes of the paths that match a path, a name, a folder, or a glob. Matches from the top of the lake have priority over those below folders.
fn match_paths(pattern: &str, paths: &[String]) -> Vec<usize> {
    let folder = pattern.trim_end_matches('/');
    let mut globs = vec![format!("{folder}/**"), format!("**/{folder}/**")];
    if folder == pattern {
        globs.splice(0..0, [pattern.to_owned(), format!("**/{pattern}")]);
    }
    let is_plain = !folder.contains(['*', '?']);
    let of = |glob: &String| -> Vec<usize> {
        // A path that matches a plain pattern contains its text.
        let may = |path: &str| !is_plain || path.contains(folder);
        (0..).zip(paths).filter(|(_, path)| may(path) && is_path_match(glob, path)).map(|(at, _)| at).collect()
    };
    globs.iter().map(of).find(|found| !found.is_empty()).unwrap_or_default()
}

/// Whether a source refers to the whole lake.
fn is_all(source: &str) -> bool {
    matches!(source, "" | "." | "*" | "**" | "**/*")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn files() -> Files {
        let paths = [
            "in/maps/north/a.csv",
            "in/maps/north/b.csv",
            "in/maps/north/c.txt",
            "in/maps/South Sea/a.csv",
            "in/maps/South Sea/d.csv",
            "in/top.csv",
            "in/Top Ten, Long.csv",
            "readme.txt",
            "in/readme.txt",
        ];
        Files::new(paths.map(str::to_owned).to_vec())
    }

    fn given(sources: &[&str]) -> Result<FileSelection, Vec<String>> {
        files().resolve_sources(&sources.iter().map(|source| (*source).to_owned()).collect::<Vec<_>>())
    }

    #[test]
    fn a_source_means_a_path_a_name_a_glob_a_folder_or_all() {
        for (source, globs) in [
            ("in/top.csv", &["in/top.csv"][..]),
            ("top.csv", &["in/top.csv"]),
            ("./top.csv", &["in/top.csv"]),
            ("TOP.csv", &["in/top.csv"]),
            ("Top Ten, Long.csv", &["in/Top Ten, Long.csv"]),
            ("north/*.csv", &["in/maps/north/*.csv"]),
            ("north/", &["in/maps/north/*"]),
            ("north", &["in/maps/north/*"]),
            ("south sea/*", &["in/maps/South Sea/*.csv"]),
            ("all files in South sea/", &["in/maps/South Sea/*.csv"]),
            ("maps/", &["in/maps/South Sea/*.csv", "in/maps/north/*"]),
            ("a.csv", &["in/maps/South Sea/a.csv", "in/maps/north/a.csv"]),
            ("readme.txt", &["readme.txt"]),
            ("?.txt", &["in/maps/north/c.txt"]),
        ] {
            let globs = globs.iter().map(|glob| (*glob).to_owned()).collect();
            assert_eq!(given(&[source]), Ok(FileSelection::Globs(globs)), "{source}");
        }
        for all in ["./", ".", "", "*", " ./ "] {
            assert_eq!(given(&[all]), Ok(FileSelection::All), "{all}");
        }
        assert_eq!(given(&[]), Ok(FileSelection::All));
    }

    #[test]
    fn what_means_no_file_is_told() {
        for source in ["t", "other.csv", "north/x.csv", "all of it", "the * .", "maps/*/x"] {
            assert_eq!(given(&["top.csv", source, source]), Err(vec![source.to_owned()]), "{source}");
        }
    }
}
