//! Watching of files that diagnostics depend on but that are not open in the editor: the editor is asked to watch them, and diagnostics follow changes on the
//! disk.

use std::collections::BTreeSet;
use std::sync::Arc;

use compiler::query::{list_lake_folders, read_tables};
use lsp_server::Request;
use serde_json::{Value, json};

use crate::analysis::Analysis;
use crate::client::Client;
use crate::disk::extract_folder;
use crate::uri;

/// The identifier of the only registration, which contains all watched paths.
const ID: &str = "picardc/files";

/// The maximum number of watched files; with more, their folders are watched. A suite may be generated from thousands of files.
const MAX_WATCHED: usize = 200;

/// The paths that the editor was asked to watch.
#[derive(Default)]
pub struct Watch {
    /// Folders that are watched with everything below them, each with a trailing `/`, and files.
    watched: BTreeSet<String>,
    requests: u32,
}

impl Watch {
    /// The requests that make the editor watch the inputs of these suites.
    pub fn build_watch_requests<'a>(
        &mut self,
        suites: impl Iterator<Item = &'a Arc<Analysis>>,
        client: &Client,
    ) -> Vec<Request> {
        let wanted = reduce_paths(suites.flat_map(|suite| collect_watched_paths(suite)).collect());
        if wanted == self.watched {
            return Vec::new();
        }
        let mut asked = Vec::new();
        if !self.watched.is_empty() {
            let gone = json!({ "unregisterations": [{ "id": ID, "method": METHOD }] });
            asked.push(self.build_request("client/unregisterCapability", gone));
        }
        if !wanted.is_empty() {
            let build_pattern = if client.relative_patterns { build_relative_pattern } else { build_whole_pattern };
            let watchers: Vec<Value> =
                wanted.iter().map(|path| json!({ "globPattern": build_pattern(path) })).collect();
            let options = json!({ "watchers": watchers });
            let added = json!({ "registrations": [{ "id": ID, "method": METHOD, "registerOptions": options }] });
            asked.push(self.build_request("client/registerCapability", added));
        }
        self.watched = wanted;
        asked
    }

    /// The request that makes an editor with pull diagnostics request them again.
    pub fn build_refresh_request(&mut self) -> Request {
        self.build_request("workspace/diagnostic/refresh", Value::Null)
    }

    fn build_request(&mut self, method: &str, params: Value) -> Request {
        self.requests += 1;
        Request { id: format!("{ID}/{}", self.requests).into(), method: method.to_owned(), params }
    }
}

/// The method of the notification about a changed file.
const METHOD: &str = "workspace/didChangeWatchedFiles";

/// The files of a suite, and the folders of its lakes. Includes paths that do not exist, because they may appear.
fn collect_watched_paths(suite: &Analysis) -> Vec<String> {
    let folder = extract_folder(&suite.root);
    let mut found: Vec<String> = suite.sources().list_content().into_iter().map(|(path, _)| path.to_owned()).collect();
    for file in suite.analysed.iter_files() {
        found.extend(list_lake_folders(file).into_iter().map(|(_, lake)| format!("{folder}{lake}/")));
        let single = read_tables(file).into_iter().filter(|table| table.lake.is_none());
        found.extend(single.filter_map(|table| Some(format!("{folder}{}", table.resolve_location()?.0.path))));
    }
    found
}

/// Removes paths inside watched folders. If more than [`MAX_WATCHED`] remain, they are replaced with their folders.
fn reduce_paths(all: BTreeSet<String>) -> BTreeSet<String> {
    let below = |path: &str, folders: &BTreeSet<String>| {
        let above = path.match_indices('/').filter_map(|(at, _)| path.get(..=at));
        above.filter(|folder| folder.len() < path.len()).any(|folder| folders.contains(folder))
    };
    let alone =
        |all: BTreeSet<String>| -> BTreeSet<String> { all.iter().filter(|path| !below(path, &all)).cloned().collect() };
    let found = alone(all);
    if found.len() <= MAX_WATCHED {
        return found;
    }
    alone(found.iter().map(|path| extract_folder(path).to_owned()).collect())
}

/// The glob pattern of a file, or of everything below a folder, relative to its folder.
fn build_relative_pattern(path: &str) -> Value {
    let (folder, name) = split_pattern(path);
    json!({ "baseUri": uri::from_path(folder.trim_end_matches('/')), "pattern": name })
}

/// The glob pattern of a file, or of everything below a folder, as a whole path.
fn build_whole_pattern(path: &str) -> Value {
    let (folder, name) = split_pattern(path);
    json!(format!("{}{name}", escape_glob(folder)))
}

fn split_pattern(path: &str) -> (&str, String) {
    let folder = extract_folder(path);
    let name = path.get(folder.len()..).filter(|name| !name.is_empty());
    (folder, name.map_or_else(|| "**".to_owned(), escape_glob))
}

/// Escapes a text for a glob.
fn escape_glob(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for char in text.chars() {
        // A special character is replaced with `?`, which matches any one character.
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
        assert_eq!(reduce_paths(all), set(&["/s/a.pcd", "/s/lake/", "/s/lakes.csv", "/s/b/w.txt"]));
        let many = (0..=MAX_WATCHED).map(|at| format!("/s/{}/{at}.csv", at % 3)).collect();
        assert_eq!(reduce_paths(many), set(&["/s/0/", "/s/1/", "/s/2/"]));
    }

    #[test]
    fn patterns_are_of_one_file_or_of_a_folder() {
        assert_eq!(build_relative_pattern("/s/data/"), json!({ "baseUri": "file:///s/data", "pattern": "**" }));
        assert_eq!(build_relative_pattern("/s/a[1].csv"), json!({ "baseUri": "file:///s", "pattern": "a?1?.csv" }));
        assert_eq!(build_whole_pattern("/s/a b.csv"), json!("/s/a b.csv"));
    }
}
