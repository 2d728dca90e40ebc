//! `tree unchanged`: compares every path of the sandbox with the start.

use std::collections::{BTreeMap, HashMap, HashSet};

use model::Format;
use model::answer_key::Exceptions;
use model::path::MARKER;
use records::instance::Content;
use records::verdict::Difference;
use records::{Captured, Instance, Reason};

use crate::finding::{Finding, MAX_DIFFERENCES, new_difference};
use crate::paths::{SIDECARS, with_folders};
use crate::start_files::StartFiles;

/// What the comparison asks of the files of a response.
pub trait Contents {
    /// The content of a database at the start and now; `None` if bytes decide, because it is not a database, or too large.
    fn compare_database(&self, path: &str) -> Option<Finding>;

    /// Whether a file is a database: at the start, or as the agent left it.
    fn is_database(&self, path: &str) -> bool;
}

/// Checks that every path of the start is there with its kind and its content, and nothing else, except for `paths`.
///
/// The time is proportional to the number of paths, and to the sizes of files whose digests are not known.
pub fn check_unchanged_tree(
    paths: &[String],
    whole: &Captured,
    instance: &Instance,
    start: &dyn StartFiles,
    contents: &dyn Contents,
) -> Finding {
    const WANTED: &str = "the sandbox as at the start";
    let now = match whole {
        Captured::Paths { paths, sha256 } if paths.len() == sha256.len() => index_paths(paths, sha256),
        Captured::TooLarge { size } => {
            return Finding::wrong(Reason::TooLarge, WANTED, format!("{size} paths and more"));
        }
        Captured::Other { what } => return Finding::wrong(Reason::WrongKind, WANTED, what.clone()),
        Captured::Paths { .. } => return Finding::wrong(Reason::NoResponse, WANTED, "no digests of the files"),
        _ => return Finding::wrong(Reason::NoResponse, WANTED, "no list of the paths"),
    };
    let tree = Comparison { except: Exceptions::new(paths), before: index_start(instance), now, start, contents };
    tree.find_differences().into_finding()
}

/// What is at a path now.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Found<'a> {
    Folder,
    /// A file with its digest.
    File(&'a str),
    /// A link, a device, or a new file.
    Other,
}

/// By path, without a trailing `/`.
fn index_paths<'a>(paths: &'a [String], sha256: &'a [Option<String>]) -> HashMap<&'a str, Found<'a>> {
    let found = |(path, digest): (&'a String, &'a Option<String>)| match (path.strip_suffix('/'), digest) {
        (Some(folder), _) => (folder, Found::Folder),
        (None, Some(digest)) => (path.as_str(), Found::File(digest)),
        (None, None) => (path.as_str(), Found::Other),
    };
    paths.iter().zip(sha256).map(found).collect()
}

/// The files of the start with their content, and its folders, by path.
fn index_start(instance: &Instance) -> BTreeMap<&str, Option<&Content>> {
    let files = instance.files.iter().map(|(path, _)| path.as_str());
    let paths: HashSet<&str> = with_folders(files.chain(instance.folders.iter().map(String::as_str)));
    let folders = paths.into_iter().map(|path| (path, None));
    folders.chain(instance.files.iter().map(|(path, content)| (path.as_str(), Some(content)))).collect()
}

struct Comparison<'a> {
    except: Exceptions<'a>,
    before: BTreeMap<&'a str, Option<&'a Content>>,
    now: HashMap<&'a str, Found<'a>>,
    start: &'a dyn StartFiles,
    contents: &'a dyn Contents,
}

impl Comparison<'_> {
    fn find_differences(&self) -> Differences {
        let mut all = Differences::default();
        let mut gone: Option<&str> = None;
        for (path, content) in &self.before {
            if self.except.has_path(path) || self.is_never_counted(path) {
                continue;
            }
            match (content, self.now.get(path).copied()) {
                (_, None) => {
                    // Of a folder that is gone, only the folder is told.
                    if gone.is_none_or(|folder| !path.strip_prefix(folder).is_some_and(|rest| rest.starts_with('/'))) {
                        gone = Some(path);
                        all.gone.push((format!("the {}", describe_start(path, *content)), "nothing".to_owned()));
                    }
                }
                (None, Some(Found::Folder)) => {}
                (Some(content), Some(Found::File(digest))) => {
                    all.changed.extend(self.compare_file(path, content, digest))
                }
                (_, Some(found)) => {
                    all.other_kind.push((format!("the {}", describe_start(path, *content)), describe_found(found)));
                }
            }
        }
        let mut new: Vec<&str> =
            self.now.iter().filter(|(path, found)| self.is_new(path, **found)).map(|(path, _)| *path).collect();
        new.sort_unstable();
        all.new.extend(new.into_iter().map(|path| ("nothing that is new".to_owned(), path.to_owned())));
        all
    }

    /// Compares the content of a file with that at the start.
    fn compare_file(&self, path: &str, content: &Content, digest: &str) -> Option<(String, String)> {
        let same = self.start.digest_file(path, content).is_some_and(|before| before == digest);
        let has_log = SIDECARS.iter().any(|end| self.now.contains_key(format!("{path}{end}").as_str()));
        if same && !has_log {
            return None;
        }
        let wanted = format!("the file {path}, as at the start");
        match self.contents.compare_database(path) {
            Some(finding) if finding.is_right() => None,
            Some(finding) => Some(match finding.differences.into_iter().next() {
                Some(Difference { expected, got, .. }) => (format!("{path}: {expected}"), got),
                None => (wanted, "another database".to_owned()),
            }),
            None => (!same).then(|| (wanted, "a file with other content".to_owned())),
        }
    }

    fn is_new(&self, path: &str, found: Found<'_>) -> bool {
        let is_expected = self.before.contains_key(path)
            || self.except.has_path(path)
            || found == Found::Folder && self.except.is_above(path);
        !is_expected && !is_left_by_programs(path, found) && !self.is_never_counted(path)
    }

    /// Whether a path belongs to Python, or to a database, whose content includes it.
    fn is_never_counted(&self, path: &str) -> bool {
        if path.split('/').any(|part| part == "__pycache__") {
            return true;
        }
        // A folder with such a name does not belong to SQLite.
        let is_folder = self.now.get(path) == Some(&Found::Folder) || matches!(self.before.get(path), Some(None));
        let mut bases = SIDECARS.iter().filter_map(|end| path.strip_suffix(end));
        let is_new_database =
            |base: &str| self.except.has_path(base) && Format::from_path(base) == Some(Format::Sqlite);
        !is_folder && bases.any(|base| is_new_database(base) || self.contents.is_database(base))
    }
}

/// Whether shells and tools write a path into the home folder, which is the sandbox.
fn is_left_by_programs(path: &str, found: Found<'_>) -> bool {
    const FOLDERS: [&str; 5] = [".cache", ".config", ".local", ".npm", ".ipython"];
    const FILES: [&str; 4] = [".viminfo", ".lesshst", ".wget-hsts", MARKER];
    match path.split_once('/') {
        Some((folder, _)) => FOLDERS.contains(&folder),
        None if found == Found::Folder => FOLDERS.contains(&path),
        None => FILES.contains(&path) || path.starts_with('.') && path.ends_with("_history"),
    }
}

fn describe_start(path: &str, content: Option<&Content>) -> String {
    if content.is_some() { format!("file {path}") } else { format!("folder {path}/") }
}

fn describe_found(found: Found<'_>) -> String {
    match found {
        Found::Folder => "a folder",
        Found::File(_) => "a file",
        Found::Other => "neither a file nor a folder",
    }
    .to_owned()
}

/// The expected and the found state of paths, by reason; the first reason that applies is told.
#[derive(Default)]
struct Differences {
    changed: Vec<(String, String)>,
    gone: Vec<(String, String)>,
    other_kind: Vec<(String, String)>,
    new: Vec<(String, String)>,
}

impl Differences {
    fn into_finding(self) -> Finding {
        let all = [
            (Reason::Changed, self.changed),
            (Reason::NoFile, self.gone),
            (Reason::WrongKind, self.other_kind),
            (Reason::Present, self.new),
        ];
        let Some((reason, places)) = all.into_iter().find(|(_, places)| !places.is_empty()) else {
            return Finding::right();
        };
        let places = places.into_iter().take(MAX_DIFFERENCES);
        let places = places.map(|(expected, got)| new_difference("", expected, got)).collect();
        Finding { reason, ..Finding::from_differences(places) }
    }
}
