//! Which files of a lake a source means: a path, the name of a file, a glob, a folder, `./` for all. Letter case counts only if a file has the
//! name in that case.

use std::collections::{BTreeMap, BTreeSet};

use plan::glob::matches_path;

/// The paths of all files of a lake, sorted.
pub struct Files(Vec<String>);

/// What a task is given of a lake.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Given {
    /// All of it.
    All,
    /// The files that these globs match.
    Globs(Vec<String>),
}

impl Files {
    /// Of paths in any order.
    pub fn new(mut paths: Vec<String>) -> Files {
        paths.sort();
        Files(paths)
    }

    /// What a task with these sources is given; `Err`: the sources that mean no file.
    pub fn given(&self, sources: &[String]) -> Result<Given, Vec<String>> {
        let mut found: BTreeSet<&str> = BTreeSet::new();
        let mut missing: Vec<String> = Vec::new();
        for source in sources {
            let meant = self.meant(source);
            if meant.is_empty() && !missing.contains(source) {
                missing.push(source.clone());
            }
            found.extend(meant);
        }
        if !missing.is_empty() {
            return Err(missing);
        }
        let all = found.is_empty() || found.len() == self.0.len();
        Ok(if all { Given::All } else { Given::Globs(self.globs(&found)) })
    }

    /// The files that a source means. A source in words (`all files in maps/`) means what its last words mean.
    fn meant(&self, source: &str) -> Vec<&str> {
        let mut rest = source.trim();
        while let Some(below) = rest.strip_prefix("./") {
            rest = below.trim_start_matches('/');
        }
        if is_all(rest) {
            return self.0.iter().map(String::as_str).collect();
        }
        let found = self.named(rest);
        if !found.is_empty() {
            return found;
        }
        let later = rest.match_indices(char::is_whitespace).filter_map(|(at, _)| rest.get(at..)).map(str::trim_start);
        let worth = |words: &&str| words.contains(['.', '/']) && !is_all(words);
        later.filter(worth).map(|words| self.named(words)).find(|found| !found.is_empty()).unwrap_or_default()
    }

    /// The files of a path, a name, a folder, or a glob: first as it is written, then in any letter case.
    fn named(&self, pattern: &str) -> Vec<&str> {
        let exact = self.matching(pattern, str::to_owned);
        if exact.is_empty() { self.matching(&pattern.to_lowercase(), str::to_lowercase) } else { exact }
    }

    /// One from the top of the lake comes before those below folders.
    fn matching(&self, pattern: &str, seen: impl Fn(&str) -> String) -> Vec<&str> {
        let folder = pattern.trim_end_matches('/');
        let mut globs = vec![format!("{folder}/**"), format!("**/{folder}/**")];
        if folder == pattern {
            globs.splice(0..0, [pattern.to_owned(), format!("**/{pattern}")]);
        }
        let of = |glob: &String| -> Vec<&str> {
            self.0.iter().filter(|path| matches_path(glob, &seen(path))).map(String::as_str).collect()
        };
        globs.iter().map(of).find(|found| !found.is_empty()).unwrap_or_default()
    }

    /// Few globs that match these files and no others.
    fn globs(&self, files: &BTreeSet<&str>) -> Vec<String> {
        let mut folders: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
        for file in files {
            folders.entry(file.rfind('/').and_then(|slash| file.get(..=slash)).unwrap_or("")).or_default().push(file);
        }
        let mut globs = Vec::new();
        for (folder, inside) in folders {
            match self.glob(folder, &inside, files) {
                Some(glob) => globs.push(glob),
                None => globs.extend(inside.into_iter().map(str::to_owned)),
            }
        }
        globs
    }

    /// One glob for several files of a folder, if there is one.
    fn glob(&self, folder: &str, inside: &[&str], files: &BTreeSet<&str>) -> Option<String> {
        let first = inside.first().filter(|_| inside.len() > 1)?;
        let ending = first.rfind('.').and_then(|dot| first.get(dot..)).filter(|ending| !ending.contains('/'));
        let names = ending.map(|ending| format!("*{ending}")).into_iter().chain(["*".to_owned()]);
        let exact = |glob: &String| {
            let mut matched = 0;
            let only = self.0.iter().filter(|path| matches_path(glob, path)).all(|path| {
                matched += 1;
                files.contains(path.as_str())
            });
            only && matched == inside.len()
        };
        names.map(|name| format!("{folder}{name}")).find(exact)
    }
}

/// Whether a source means the whole lake.
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

    fn given(sources: &[&str]) -> Result<Given, Vec<String>> {
        files().given(&sources.iter().map(|source| (*source).to_owned()).collect::<Vec<_>>())
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
            assert_eq!(given(&[source]), Ok(Given::Globs(globs)), "{source}");
        }
        for all in ["./", ".", "", "*", " ./ "] {
            assert_eq!(given(&[all]), Ok(Given::All), "{all}");
        }
        assert_eq!(given(&[]), Ok(Given::All));
    }

    #[test]
    fn what_means_no_file_is_told() {
        for source in ["t", "other.csv", "north/x.csv", "all of it", "the * .", "maps/*/x"] {
            assert_eq!(given(&["top.csv", source, source]), Err(vec![source.to_owned()]), "{source}");
        }
    }
}
