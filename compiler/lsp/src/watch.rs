//! Files that diagnostics depend on, and that no editor shows: the editor is asked to watch them, so that diagnostics follow what is on the disk.

use std::collections::BTreeSet;

use compiler::query::{lake_folders, read_tables};
use lsp_server::Request;
use serde_json::{Value, json};

use crate::analysis::Analysis;
use crate::disk::base;
use crate::uri;

/// One registration holds all that is watched.
const ID: &str = "picardc/files";

/// More are watched by their folders: a suite may be made from thousands of files.
const MOST: usize = 200;

/// What the editor was asked to watch.
#[derive(Default)]
pub struct Watch {
    /// Folders below which everything is watched, with a `/` at their ends, and files.
    watched: BTreeSet<String>,
    requests: u32,
}

impl Watch {
    /// What to ask of the editor, so that it watches what these suites are made from. `relative`: it understands patterns below a folder.
    pub fn requests<'a>(&mut self, suites: impl Iterator<Item = &'a Analysis>, relative: bool) -> Vec<Request> {
        let wanted = few(suites.flat_map(files).collect());
        if wanted == self.watched {
            return Vec::new();
        }
        let mut asked = Vec::new();
        if !self.watched.is_empty() {
            let gone = json!({ "unregisterations": [{ "id": ID, "method": METHOD }] });
            asked.push(self.request("client/unregisterCapability", gone));
        }
        if !wanted.is_empty() {
            let watchers: Vec<Value> =
                wanted.iter().map(|path| json!({ "globPattern": pattern(path, relative) })).collect();
            let options = json!({ "watchers": watchers });
            let added = json!({ "registrations": [{ "id": ID, "method": METHOD, "registerOptions": options }] });
            asked.push(self.request("client/registerCapability", added));
        }
        self.watched = wanted;
        asked
    }

    /// What tells an editor that asks for diagnostics itself to ask again.
    pub fn refresh(&mut self) -> Request {
        self.request("workspace/diagnostic/refresh", Value::Null)
    }

    fn request(&mut self, method: &str, params: Value) -> Request {
        self.requests += 1;
        Request { id: format!("{ID}/{}", self.requests).into(), method: method.to_owned(), params }
    }
}

/// What the editor sends when one of them changes.
const METHOD: &str = "workspace/didChangeWatchedFiles";

/// The files of a suite by their paths, and the folders of its lakes. Also those that do not exist: they may appear.
fn files(suite: &Analysis) -> Vec<String> {
    let folder = base(&suite.root);
    let mut found: Vec<String> = suite.sources().content().into_iter().map(|(path, _)| path.to_owned()).collect();
    for file in suite.analysed.files() {
        found.extend(lake_folders(file).into_iter().map(|(_, lake)| format!("{folder}{lake}/")));
        let single = read_tables(file).into_iter().filter(|table| table.lake.is_none());
        found.extend(single.filter_map(|table| Some(format!("{folder}{}", table.look()?.0.path))));
    }
    found
}

/// Without what is watched by a folder; where there are many, by their folders.
fn few(all: BTreeSet<String>) -> BTreeSet<String> {
    let below = |path: &str, folders: &BTreeSet<String>| {
        let above = path.match_indices('/').filter_map(|(at, _)| path.get(..=at));
        above.filter(|folder| folder.len() < path.len()).any(|folder| folders.contains(folder))
    };
    let alone =
        |all: BTreeSet<String>| -> BTreeSet<String> { all.iter().filter(|path| !below(path, &all)).cloned().collect() };
    let found = alone(all);
    if found.len() <= MOST {
        return found;
    }
    alone(found.iter().map(|path| base(path).to_owned()).collect())
}

/// A file, or all that is below a folder.
fn pattern(path: &str, relative: bool) -> Value {
    let folder = base(path);
    let name = path.get(folder.len()..).filter(|name| !name.is_empty());
    let name = name.map_or_else(|| "**".to_owned(), escaped);
    if relative {
        json!({ "baseUri": uri::of_path(folder.trim_end_matches('/')), "pattern": name })
    } else {
        json!(format!("{}{name}", escaped(folder)))
    }
}

/// A text that a glob matches as it is.
fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for char in text.chars() {
        // Any one character, where the character itself says something else.
        out.push(if matches!(char, '*' | '?' | '[' | ']' | '{' | '}' | '\\') { '?' } else { char });
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_lies_in_a_watched_folder_is_not_watched_twice() {
        let set = |paths: &[&str]| paths.iter().map(|path| (*path).to_owned()).collect::<BTreeSet<String>>();
        let all = set(&["/s/a.pcd", "/s/lake/", "/s/lake/x.csv", "/s/lake/in/", "/s/lakes.csv", "/s/b/w.txt"]);
        assert_eq!(few(all), set(&["/s/a.pcd", "/s/lake/", "/s/lakes.csv", "/s/b/w.txt"]));
        let many = (0..=MOST).map(|at| format!("/s/{}/{at}.csv", at % 3)).collect();
        assert_eq!(few(many), set(&["/s/0/", "/s/1/", "/s/2/"]));
    }

    #[test]
    fn patterns_are_of_one_file_or_of_a_folder() {
        assert_eq!(pattern("/s/data/", true), json!({ "baseUri": "file:///s/data", "pattern": "**" }));
        assert_eq!(pattern("/s/a[1].csv", true), json!({ "baseUri": "file:///s", "pattern": "a?1?.csv" }));
        assert_eq!(pattern("/s/a b.csv", false), json!("/s/a b.csv"));
    }
}
