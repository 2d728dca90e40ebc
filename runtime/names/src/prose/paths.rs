//! Paths of files as they are written in a text: the folders before the name.

use super::{DRAWN, SANDBOX};

/// A mention of a file's name.
#[derive(Debug, PartialEq, Eq)]
pub struct Mention<'t> {
    /// The folders before the name, outermost first.
    pub folders: Vec<&'t str>,
    /// The path as written, relative to the sandbox.
    pub path: &'t str,
    /// Whether the beginning of the path is unclear: after a placeholder, in a URL, or at the root of the disk.
    pub vague: bool,
}

/// Finds every mention of a name as the whole last component of a path.
pub fn find_mentions<'t>(text: &'t str, name: &str) -> Vec<Mention<'t>> {
    let inner = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-' | DRAWN);
    let in_path = |c: char| inner(c) || matches!(c, '/' | '.');
    let mut out = Vec::new();
    for (at, found) in text.match_indices(name).filter(|_| !name.is_empty()) {
        let (ahead, rest) = (text.get(..at).unwrap_or_default(), text.get(at + found.len()..).unwrap_or_default());
        if ahead.ends_with(inner) || rest.starts_with(inner) {
            continue;
        }
        let start = ahead.trim_end_matches(in_path).len();
        let written = text.get(start..at + found.len()).unwrap_or_default();
        let outside = text.get(..start).and_then(|text| text.chars().next_back());
        let path = written.strip_prefix('/').unwrap_or(written);
        let rooted = path.len() < written.len() && outside == Some(SANDBOX);
        let folders: Vec<&str> = path
            .get(..path.len() - found.len())
            .unwrap_or_default()
            .split('/')
            .filter(|folder| !folder.is_empty() && *folder != ".")
            .collect();
        let unknown = |folder: &&str| folder.contains(DRAWN) || folder.chars().all(|c| c == '.');
        // `a.csv/total.txt` can mean two files.
        let file = |folder: &&str| folder.find('.').is_some_and(|dot| dot > 0);
        let odd = |c: char| !c.is_whitespace() && !matches!(c, '`' | '\'' | '"' | '(' | '“' | '‘' | SANDBOX);
        let vague = path.starts_with('/')
            || (path.len() < written.len() && !rooted)
            || outside.is_some_and(odd)
            || folders.iter().any(|folder| unknown(folder) || file(folder));
        out.push(Mention { folders, path, vague });
    }
    out
}

impl Mention<'_> {
    /// Checks whether this is another path than the one with these folders before the same name: a deeper one, one with its folders in another order,
    /// or one with a folder in other letter case. `None` is a folder with an unknown name.
    pub fn is_other_path(&self, folders: &[Option<&str>]) -> bool {
        if self.vague {
            return false;
        }
        let mut expected = folders.iter().rev();
        let mut recased = false;
        for written in self.folders.iter().rev() {
            match expected.next() {
                // It is inside a folder that is not in the other path.
                None => return true,
                Some(None) => return false,
                Some(Some(folder)) if folder == written => {}
                Some(Some(folder)) if folder.to_lowercase() == written.to_lowercase() => recased = true,
                // It may be a pattern of paths, such as `REGION/total.txt`. A path that contains all folders of the other one in another place is not a
                // pattern.
                Some(Some(_)) => {
                    return folders.iter().all(|folder| folder.is_some_and(|folder| self.has_folder(folder)));
                }
            }
        }
        recased
    }

    fn has_folder(&self, folder: &str) -> bool {
        self.folders.iter().any(|written| written.to_lowercase() == folder.to_lowercase())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_read_as_they_are_written() {
        for (text, folders, vague) in [
            ("write total.txt now", Some(""), false),
            ("write `out/total.txt`.", Some("out"), false),
            ("write ./out/a/total.txt.", Some("out a"), false),
            ("write \u{2}/out/total.txt", Some("out"), false),
            ("write \u{2}/total.txt", Some(""), false),
            ("write /srv/total.txt", Some("srv"), true),
            ("get https://x.org/total.txt", Some("x.org"), true),
            ("write \u{1}/total.txt", Some("\u{1}"), true),
            ("write <day>/total.txt", Some(""), true),
            ("write $OUT/total.txt", Some("OUT"), true),
            ("write a.csv/total.txt", Some("a.csv"), true),
            ("write subtotal.txt", None, false),
            ("write total.txt.gz", Some(""), false),
        ] {
            let found = find_mentions(text, "total.txt");
            let shown = found.first().map(|mention| mention.folders.join(" "));
            assert_eq!(shown.as_deref(), folders, "{text}");
            assert_eq!(found.first().is_some_and(|mention| mention.vague), vague, "{text}");
        }
    }

    #[test]
    fn deeper_and_recased_paths_differ() {
        for (written, expected, differs) in [
            ("out/total.txt", &[][..], true),
            ("out/total.txt", &[Some("out")], false),
            ("out/total.txt", &[Some("a"), Some("out")], false),
            ("total.txt", &[Some("out")], false),
            ("Out/total.txt", &[Some("out")], true),
            ("a/out/total.txt", &[Some("out")], true),
            ("out/data/total.txt", &[Some("out")], true),
            ("data/out/total.txt", &[Some("out"), Some("data")], true),
            ("REGION/total.txt", &[Some("north")], false),
            ("north/total.txt", &[None], false),
        ] {
            let found = find_mentions(written, "total.txt");
            assert_eq!(found.iter().all(|mention| mention.is_other_path(expected)), differs, "{written} {expected:?}");
        }
    }
}
