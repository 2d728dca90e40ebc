//! Captures the parts of a sandbox that an answer key reads, when the agent is done.

use std::cell::OnceCell;
use std::collections::{BTreeMap, HashSet};
use std::io::{ErrorKind, Read as _};
use std::ops::ControlFlow;

use cap_std::fs::Dir;
use disk::{Kind, Unfinished, WalkLimits, digest};
use model::answer_key::{DIGESTS, Expected, WHOLE, build_journal_path, build_wal_path};
use records::{Captured, Instance};
pub use records::{FILE_LIMIT, TOTAL_LIMIT};
use score::StartFiles;
use sqlite::state::find_super_journal;

use super::Sandbox;
use super::lakes::Lake;

/// Captures every path that the instance's key reads. Databases that must be unchanged, and whose bytes are, are left out.
pub fn capture_paths(sandbox: &Sandbox, instance: &Instance, start: &dyn StartFiles) -> Vec<(String, Captured)> {
    let mut left = TOTAL_LIMIT;
    let databases: Vec<&str> = instance.iter_expects().flat_map(list_databases).collect();
    let tree = OnceCell::new();
    let digests = || {
        let files = || Files::Digested(instance.files.iter().map(|(path, _)| path.as_str()).collect());
        tree.get_or_init(|| capture_tree(sandbox, &files()))
    };
    let read: HashSet<String> = instance.iter_expects().flat_map(Expected::list_read_paths).collect();
    let mut seen = |path: String| {
        match path.as_str() {
            WHOLE => return (path, capture_tree(sandbox, &Files::Named)),
            DIGESTS => return (path, digests().clone()),
            _ => {}
        }
        let found = match databases.iter().find(|database| path == build_wal_path(database)) {
            Some(database) => capture_path(sandbox, &build_wal_path(&resolve_database(sandbox, database)), &mut left),
            None => match databases.iter().find(|database| path == build_journal_path(database)) {
                Some(database) => capture_journal(sandbox, &resolve_database(sandbox, database), &mut left),
                None => capture_path(sandbox, &path, &mut left),
            },
        };
        (path, found)
    };
    let kept = list_kept_databases(instance, start, digests);
    let is_needed = |path: &String| read.contains(path) || !kept.contains(path);
    instance.list_key_paths().into_iter().filter(is_needed).map(&mut seen).collect()
}

/// Returns the databases that an expectation compares.
fn list_databases(expect: &Expected) -> impl Iterator<Item = &str> {
    expect.compared_database().into_iter().chain(expect.read.databases.iter().map(String::as_str))
}

/// Returns the paths of databases that must be unchanged and whose bytes are, without a log or a journal, and the paths of these.
fn list_kept_databases<'t>(
    instance: &Instance,
    start: &dyn StartFiles,
    tree: impl Fn() -> &'t Captured,
) -> HashSet<String> {
    let mut kept = HashSet::new();
    for database in instance.iter_expects().flat_map(|expect| &expect.read.databases) {
        let Captured::Paths { paths, sha256 } = tree() else { break };
        let find = |path: &str| paths.binary_search_by(|known| known.as_str().cmp(path)).ok();
        let [log, journal] = [build_wal_path(database), build_journal_path(database)];
        if find(&log).is_some() || find(&journal).is_some() {
            continue;
        }
        let before = instance.files.iter().find(|(path, _)| path == database);
        let before = before.and_then(|(path, content)| start.digest_file(path, content));
        let now = find(database).and_then(|at| sha256.get(at)?.as_ref());
        if before.is_some() && before.as_ref() == now {
            kept.extend([database.clone(), log, journal]);
        }
    }
    kept
}

/// The maximum number of captured paths, and their maximum length: longer than any path of a key or any captured file.
const MAX_WALK: WalkLimits = WalkLimits { entries: 100_000, path: 4096, bytes: FILE_LIMIT as usize };

/// What is captured of each file of the sandbox.
enum Files<'i> {
    /// Its path.
    Named,
    /// Its path, and its digest if it was there at the start.
    Digested(HashSet<&'i str>),
}

/// Captures every path of the sandbox without following links. If a folder cannot be read, the paths are unknown.
fn capture_tree(sandbox: &Sandbox, files: &Files<'_>) -> Captured {
    let unreadable = |folder: &str, error: std::io::Error| Captured::Other {
        what: format!("`{folder}/`, which cannot be read: {error}"),
    };
    let inside = sandbox.to_dir_path("");
    let root = match sandbox.dir.open_dir(if inside.is_empty() { "." } else { &inside }) {
        Ok(root) => root,
        Err(error) => return unreadable(".", error),
    };
    let mut found: Vec<(String, Option<String>)> = Vec::new();
    let walked = disk::walk_folder(&root, MAX_WALK, |path, kind| {
        match (kind, files) {
            (Kind::Folder, _) => found.push((format!("{path}/"), None)),
            (Kind::File, Files::Digested(known)) if known.contains(path) => {
                found.push((path.to_owned(), Some(digest_file(&root, path))));
            }
            (Kind::Link, Files::Digested(_)) => match sandbox.find_intact_link(path) {
                Some(link) => found.extend(list_linked_files(path, &link.lake)),
                None => found.push((path.to_owned(), None)),
            },
            (Kind::File | Kind::Link | Kind::Special, _) => found.push((path.to_owned(), None)),
        }
        ControlFlow::Continue(())
    });
    match walked {
        Ok(()) => {
            found.sort_unstable();
            let (paths, sha256) = found.into_iter().unzip();
            Captured::Paths { paths, sha256: if matches!(files, Files::Digested(_)) { sha256 } else { Vec::new() } }
        }
        Err(Unfinished::TooMuch(seen)) => Captured::TooLarge { size: seen as u64 },
        Err(Unfinished::Unreadable(folder, error)) => unreadable(if folder.is_empty() { "." } else { &folder }, error),
    }
}

/// Computes SHA-256 of a file, or returns a word that is the digest of none.
fn digest_file(root: &Dir, path: &str) -> String {
    /// No file of a bundle is larger. A file without content can have any size.
    const MAX_BYTES: u64 = 4 << 30;
    let read = || {
        let mut file = disk::open_in(root, path)?;
        if file.metadata()?.len() > MAX_BYTES {
            return Ok("too_large".to_owned());
        }
        digest::digest_file(&mut file).map(|(_, sha256)| digest::encode_hex(&sha256))
    };
    read().unwrap_or_else(|_: std::io::Error| "unreadable".to_owned())
}

/// Lists the folders and files of a shared lake, which no agent can change, at the path of the link to it.
fn list_linked_files(at: &str, lake: &Lake) -> BTreeMap<String, Option<String>> {
    let mut all = BTreeMap::from([(format!("{at}/"), None)]);
    for (inner, sha256) in lake.iter_files() {
        let path = format!("{at}/{inner}");
        let folders = path.match_indices('/').filter(|(end, _)| *end > at.len());
        all.extend(folders.filter_map(|(end, _)| Some((path.get(..=end)?.to_owned(), None))));
        all.insert(path, Some(sha256.to_owned()));
    }
    all
}

/// Returns the real path of a database: SQLite follows links to it, and keeps its log and its journal next to it.
fn resolve_database(sandbox: &Sandbox, database: &str) -> String {
    let real = sandbox.dir.canonicalize(sandbox.to_dir_path(database)).ok();
    let real = real.as_deref().and_then(|path| path.to_str()).and_then(|path| sandbox.to_bundle_path(path));
    real.unwrap_or(database).to_owned()
}

/// Captures the rollback journal of a database. It counts as absent if the super-journal that it names does not exist, because SQLite then ignores it.
fn capture_journal(sandbox: &Sandbox, database: &str, left: &mut u64) -> Captured {
    let found = capture_path(sandbox, &build_journal_path(database), left);
    let bytes = found.to_bytes().unwrap_or_default();
    let Some(name) = find_super_journal(&bytes) else { return found };
    // The name is absolute, as seen by the agent. The super-journal is next to one of the databases.
    let last = name.rsplit('/').next().unwrap_or(name);
    let below = sandbox.path.to_str().and_then(|root| name.strip_prefix(root)?.strip_prefix('/'));
    let next_to = match database.rsplit_once('/') {
        Some((folder, _)) => sandbox.to_dir_path(&format!("{folder}/{last}")),
        None => sandbox.to_dir_path(last),
    };
    let is_there = |path: &str| sandbox.dir.symlink_metadata(path).is_ok();
    if below.is_some_and(is_there) || is_there(&next_to) { found } else { Captured::Absent }
}

fn capture_path(sandbox: &Sandbox, path: &str, left: &mut u64) -> Captured {
    let inside = sandbox.to_dir_path(path);
    let metadata = match sandbox.dir.metadata(&inside) {
        Ok(metadata) => metadata,
        Err(error) => return classify_unreachable(sandbox, &inside, &error),
    };
    if metadata.is_dir() {
        return Captured::Folder;
    }
    if !metadata.is_file() {
        return Captured::Other { what: "neither a file nor a folder".to_owned() };
    }
    match read_within(&sandbox.dir, &inside, FILE_LIMIT.min(*left)) {
        Ok(Content::Whole(bytes)) => {
            *left = left.saturating_sub(bytes.len() as u64);
            Captured::from_bytes(bytes)
        }
        Ok(Content::TooLarge(size)) => Captured::TooLarge { size },
        Ok(Content::NoFile) => Captured::Other { what: "neither a file nor a folder".to_owned() },
        Err(error) => Captured::Other { what: format!("a file that cannot be read: {error}") },
    }
}

/// Classifies a path that cannot be opened: absent, a broken link, or unreachable.
fn classify_unreachable(sandbox: &Sandbox, path: &str, error: &std::io::Error) -> Captured {
    let link = sandbox.dir.symlink_metadata(path).is_ok_and(|metadata| metadata.is_symlink());
    match error.kind() {
        ErrorKind::NotFound if link => Captured::Other { what: "a link to nothing".to_owned() },
        ErrorKind::NotFound | ErrorKind::NotADirectory => Captured::Absent,
        _ if link => Captured::Other { what: format!("a link that cannot be followed: {error}") },
        _ => Captured::Other { what: format!("not to be reached: {error}") },
    }
}

/// The content of a file.
#[derive(Debug, PartialEq, Eq)]
pub enum Content {
    /// All of it.
    Whole(Vec<u8>),
    /// It is larger than the limit: its size in bytes.
    TooLarge(u64),
    /// The path is not a regular file.
    NoFile,
}

/// Reads a file of at most `limit` bytes. Does not wait for a FIFO or a device.
pub fn read_within(dir: &Dir, path: &str, limit: u64) -> std::io::Result<Content> {
    let file = match disk::open_in(dir, path) {
        // `disk` itself refuses paths that are not files; an error of the system is returned.
        Err(error) if error.get_ref().is_some() && is_kind(error.kind()) => return Ok(Content::NoFile),
        opened => opened?,
    };
    let long = file.metadata()?.len();
    let mut bytes = Vec::new();
    file.take(limit + 1).read_to_end(&mut bytes)?;
    let size = bytes.len() as u64;
    Ok(if size > limit { Content::TooLarge(size.max(long)) } else { Content::Whole(bytes) })
}

/// Whether `disk` reports with this error that a path is not a file.
fn is_kind(error: ErrorKind) -> bool {
    matches!(error, ErrorKind::IsADirectory | ErrorKind::InvalidInput)
}

#[cfg(all(test, unix))]
mod tests {
    use std::fs;
    use std::os::unix::fs::symlink;

    use super::*;

    #[test]
    fn whatever_stands_there() {
        let outside = tempfile::tempdir().expect("a folder");
        fs::write(outside.path().join("secret"), "x").expect("written");
        let folder = tempfile::tempdir().expect("a folder");
        let at = |name: &str| folder.path().join(name);
        let sandbox = Sandbox::open_folder(folder.path(), "", None).expect("opened");
        fs::create_dir(at("dir")).expect("made");
        fs::write(at("dir/a.txt"), "né").expect("written");
        fs::write(at("b.bin"), [0xff]).expect("written");
        symlink("dir/a.txt", at("in")).expect("linked");
        symlink(outside.path().join("secret"), at("out")).expect("linked");
        symlink("../../../../../../etc/hostname", at("up")).expect("linked");
        symlink("nowhere", at("nothing")).expect("linked");
        symlink("round", at("round")).expect("linked");
        fs::File::create(at("big")).and_then(|file| file.set_len(FILE_LIMIT + 1)).expect("written");
        rustix::fs::mknodat(
            rustix::fs::CWD,
            at("fifo"),
            rustix::fs::FileType::Fifo,
            rustix::fs::Mode::from_raw_mode(0o600),
            0,
        )
        .expect("made");

        let mut left = TOTAL_LIMIT;
        let mut look = |path| super::capture_path(&sandbox, path, &mut left);
        assert_eq!(look("dir/"), Captured::Folder);
        assert_eq!(look("dir/a.txt"), Captured::Text { text: "né".into() });
        assert_eq!(look("in"), Captured::Text { text: "né".into() });
        assert_eq!(look("b.bin").to_bytes(), Some(vec![0xff]));
        assert_eq!(look("big"), Captured::TooLarge { size: FILE_LIMIT + 1 });
        assert_eq!(look("gone"), Captured::Absent);
        assert_eq!(look("b.bin/x"), Captured::Absent);
        for path in ["out", "up", "nothing", "round", "fifo"] {
            assert!(matches!(look(path), Captured::Other { .. }), "{path}: {:?}", look(path));
        }
    }
}
