//! Compares the existence of paths in the sandbox: `exists`, `absent`, `unchanged`, `files`, `tree`.

use std::collections::HashSet;

use records::verdict::Difference;
use records::{Captured, Reason};

use crate::bytes;
use crate::captured::{describe_kind, refuse_file, refuse_folder};
use crate::finding::{Finding, MAX_DIFFERENCES, new_difference};
use crate::start_files::StartFiles;

/// Checks that a file exists.
pub fn check_exists(found: &Captured) -> Finding {
    match refuse_file(found) {
        None => Finding::right(),
        Some(reason) => Finding::wrong(reason, "a file", describe_kind(found)),
    }
}

/// Checks that the path does not exist.
pub fn check_absent(found: &Captured) -> Finding {
    match found {
        Captured::Absent => Finding::right(),
        other => Finding::wrong(Reason::Present, "nothing", describe_kind(other)),
    }
}

/// Checks that a file has the same bytes as at the start, or is still absent.
pub fn check_unchanged(path: &str, found: &Captured, start: &dyn StartFiles) -> Finding {
    let Some(before) = start.read_file(path) else {
        return match found {
            Captured::Absent => Finding::right(),
            other => Finding::wrong(Reason::Changed, "nothing, as at the start", describe_kind(other)),
        };
    };
    bytes::compare_bytes(&before, found, Reason::Changed, ", as at the start")
}

/// Checks that all of these paths exist: folders if a path ends with `/`, otherwise files.
pub fn check_all_exist<'r>(paths: &[String], found: impl Fn(&str) -> &'r Captured) -> Finding {
    let mut reason = Reason::Right;
    let mut differences: Vec<Difference> = Vec::new();
    for (index, path) in paths.iter().enumerate() {
        let there = found(path);
        let (what, wrong) =
            if path.ends_with('/') { ("folder", refuse_folder(there)) } else { ("file", refuse_file(there)) };
        if let Some(wrong) = wrong {
            reason = if reason == Reason::NoFile { reason } else { wrong };
            differences.push(new_difference(format!("/{index}"), format!("the {what} {path}"), describe_kind(there)));
        }
    }
    Finding { reason, ..Finding::from_differences(differences) }
}

/// Checks that all listed paths exist, and that every other path of the sandbox is a folder above a listed one or existed at the start.
/// Hidden paths at the top and `__pycache__` do not count. `before` has the starting paths. Logs and journals of databases do not count: `is_database`.
///
/// The time is proportional to the number of paths.
pub fn check_only_listed<'r>(
    listed: &[String],
    found: impl Fn(&str) -> &'r Captured,
    whole: &Captured,
    before: &HashSet<&str>,
    is_database: impl Fn(&str) -> bool,
) -> Finding {
    let missing = check_all_exist(listed, found);
    if !missing.is_right() {
        return missing;
    }
    let paths = match whole {
        Captured::Paths { paths, .. } => paths,
        Captured::TooLarge { size } => {
            return Finding::wrong(Reason::TooLarge, "only the listed paths", format!("{size} paths and more"));
        }
        Captured::Other { what } => return Finding::wrong(Reason::WrongKind, "only the listed paths", what.clone()),
        _ => return Finding::wrong(Reason::NoResponse, "only the listed paths", "no list of the paths"),
    };
    let listed = with_folders(listed.iter().map(String::as_str));
    // A folder with such a name does not belong to SQLite.
    let of_database = |path: &str| SIDECARS.iter().filter_map(|end| path.strip_suffix(end)).any(&is_database);
    let counts = |path: &&String| {
        let plain = path.trim_end_matches('/');
        let hidden = plain.starts_with('.') || plain.split('/').any(|part| part == "__pycache__");
        !hidden && !listed.contains(plain) && !before.contains(plain) && !of_database(path)
    };
    let more: Vec<Difference> = paths
        .iter()
        .filter(counts)
        .take(MAX_DIFFERENCES)
        .map(|path| new_difference("", "nothing that is not listed", path))
        .collect();
    let reason = if more.is_empty() { Reason::Right } else { Reason::Present };
    Finding { reason, ..Finding::from_differences(more) }
}

/// Suffixes of the files that SQLite keeps next to a database.
pub const SIDECARS: [&str; 3] = ["-wal", "-shm", "-journal"];

/// Returns paths and the folders above them, all without a trailing `/`.
pub fn with_folders<'p>(paths: impl Iterator<Item = &'p str>) -> HashSet<&'p str> {
    let mut all = HashSet::new();
    for path in paths {
        let mut path = path.trim_end_matches('/');
        // If a folder is already included, so are those above it.
        while all.insert(path) {
            let Some((above, _)) = path.rsplit_once('/') else { break };
            path = above.trim_end_matches('/');
        }
    }
    all
}
