//! Builds a bundle completely or not at all: in a folder next to OUT, on the same file system (`.OUT.picardc-…`), which is renamed when it is
//! complete and synced. On failure the folder is removed. After `kill -9` it keeps its own name until the next build to OUT removes it, and OUT never
//! contains a part of a bundle. A build locks its folder while it runs, so only folders of builds that have ended are removed.

use std::collections::BTreeSet;
use std::fs::{self, File};
use std::io::{self, BufRead as _};
use std::path::{Path, PathBuf};

use super::manifest::{MANIFEST_LIMIT, Manifest};
use super::{failures, statics, sync};
use crate::Failure;
use crate::failure::FailureKind;

/// The names of a bundle's files and folders.
const PARTS: [&str; 5] = ["manifest.json", "instances.jsonl", "keys.jsonl", "files", statics::FOLDER];

/// A folder under construction, for a bundle or for an export of one.
pub struct Staging {
    /// The path of OUT.
    out: PathBuf,
    /// OUT as the caller wrote it, for messages.
    shown: String,
    /// The folder next to OUT; `None` after it has moved.
    folder: Option<PathBuf>,
    /// A handle on that folder that holds its lock, on systems that can lock folders.
    lock: Option<File>,
    force: bool,
}

/// The state of OUT.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Standing {
    Nothing,
    EmptyFolder,
    Bundle,
}

impl Staging {
    /// Makes the folder next to `out`; refuses an `out` that may not be replaced.
    ///
    /// # Errors
    /// `out` is not empty and may not be replaced, or the folder cannot be made.
    pub fn new(out: &Path, force: bool) -> Result<Staging, Failure> {
        let shown = disk::show_path(&out).to_string();
        // A link to a folder means that folder.
        let out = fs::canonicalize(out).unwrap_or_else(|_| out.to_owned());
        let (Some(name), Some(parent)) = (out.file_name(), out.parent()) else {
            return Err(failures::new_usage(format!("`{shown}` cannot be an output folder"))
                .help("name a folder of its own: `-o out/bundle`"));
        };
        if std::env::current_dir().and_then(fs::canonicalize).is_ok_and(|here| here == out) {
            // The folder is replaced by another one, and a shell would keep working in the removed one.
            return Err(failures::new_usage(format!("`{shown}` is the folder in which `picardc` was started"))
                .help("name a folder below it: `-o bundle`"));
        }
        let parent = if parent.as_os_str().is_empty() { Path::new(".") } else { parent };
        let mut staging = Staging { out: out.clone(), shown, folder: None, lock: None, force };
        staging.check_standing()?;
        let wrong =
            |error: io::Error| failures::new_io(format!("create the output folder `{}`", staging.shown), &error);
        fs::create_dir_all(parent).map_err(wrong)?;
        let prefix = format!(".{}.picardc-", name.to_string_lossy());
        remove_abandoned(parent, &prefix);
        for attempt in 0..1000 {
            let folder = parent.join(format!("{prefix}{}-{attempt}", std::process::id()));
            match fs::create_dir(&folder) {
                Ok(()) => match lock_folder(&folder) {
                    // Another build took it for an abandoned folder before it was locked.
                    Locked::Gone => {}
                    Locked::Held(lock) => {
                        (staging.folder, staging.lock) = (Some(folder), lock);
                        return Ok(staging);
                    }
                },
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
                Err(error) => return Err(wrong(error)),
            }
        }
        Err(failures::new_usage(format!("too many unfinished builds next to `{}`", staging.shown))
            .help("remove the `.…picardc-…` folders there"))
    }

    /// The folder to build in.
    pub fn folder(&self) -> &Path {
        self.folder.as_deref().unwrap_or(&self.out)
    }

    /// Returns the state of OUT; fails if OUT may not be replaced.
    fn check_standing(&self) -> Result<Standing, Failure> {
        let shown = &self.shown;
        let wrong = |error: io::Error| failures::new_io(format!("look at the output folder `{shown}`"), &error);
        match fs::symlink_metadata(&self.out) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Standing::Nothing),
            Err(error) => return Err(wrong(error)),
            Ok(data) if !data.is_dir() => {
                return Err(failures::new_usage(format!("`{shown}` exists and is not a folder"))
                    .help("choose another place for the output"));
            }
            Ok(_) => {}
        }
        let mut names = Vec::new();
        for entry in fs::read_dir(&self.out).map_err(wrong)? {
            names.push(entry.map_err(wrong)?.file_name().to_string_lossy().into_owned());
        }
        names.sort();
        if names.is_empty() {
            return Ok(Standing::EmptyFolder);
        }
        if !self.force {
            return Err(failures::new_usage(format!("`{shown}` exists and is not empty"))
                .help("choose another place, or replace an existing bundle with --force"));
        }
        let refused = |why: String| {
            failures::new_usage(format!("`{shown}` is not replaced: {why}"))
                .help("--force replaces nothing but bundles")
        };
        let manifest = match disk::read_regular(&self.out.join("manifest.json"), MANIFEST_LIMIT) {
            Ok(bytes) => bytes,
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                return Err(refused("it holds no bundle (no manifest.json)".into()));
            }
            Err(error) => return Err(wrong(error)),
        };
        Manifest::from_bytes(&manifest)
            .map_err(|why| refused(format!("its manifest.json is not a bundle's: {why}")))?;
        match names.iter().find(|name| !PARTS.contains(&name.as_str())) {
            Some(other) => Err(refused(format!("it also holds `{other}`, which is not part of a bundle"))),
            None => match find_foreign_file(&self.out).map_err(wrong)? {
                Some(other) => Err(refused(format!("it also holds `{other}`, which is not part of that bundle"))),
                None => Ok(Standing::Bundle),
            },
        }
    }

    /// Syncs the folder and moves it to OUT.
    ///
    /// # Errors
    /// An I/O error, or another build wrote something to OUT that may not be replaced.
    pub fn commit_folder(mut self) -> Result<(), Failure> {
        let shown = self.shown.clone();
        let wrong = |error: io::Error| failures::new_io(format!("move the finished folder to `{shown}`"), &error);
        let folder = self.folder().to_owned();
        sync::sync_tree(&folder, self.lock.as_ref())
            .map_err(|error| failures::new_io("sync the folder to disk", &error))?;
        // Another build to the same OUT may come between the check and the move; then OUT is checked again.
        let mut tries = 0;
        while let Err(failure) = self.place_folder(&folder, wrong) {
            tries += 1;
            if tries == TRIES || failure.kind == FailureKind::Usage {
                return Err(failure);
            }
        }
        self.folder = None;
        let parent = self.out.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."));
        sync::sync_folder(parent).map_err(wrong)
    }

    /// Checks OUT again and moves the finished folder there.
    fn place_folder(&self, folder: &Path, wrong: impl Fn(io::Error) -> Failure + Copy) -> Result<(), Failure> {
        match self.check_standing()? {
            Standing::Nothing => fs::rename(folder, &self.out).map_err(wrong),
            // A rename replaces an empty folder at once on systems that support it; elsewhere the empty folder is removed first.
            Standing::EmptyFolder => fs::rename(folder, &self.out)
                .or_else(|_| fs::remove_dir(&self.out).and_then(|()| fs::rename(folder, &self.out)))
                .map_err(wrong),
            Standing::Bundle => {
                swap_folders(folder, &self.out).map_err(wrong)?;
                // The new bundle is in place, and the old one has the folder's name. Its remains are only in the way.
                let _ = fs::remove_dir_all(folder);
                Ok(())
            }
        }
    }
}

/// Exchanges a finished folder with the one at `out`, atomically on systems that support it, so a kill never leaves OUT missing.
fn swap_folders(folder: &Path, out: &Path) -> io::Result<()> {
    #[cfg(target_os = "linux")]
    {
        use rustix::fs::{CWD, RenameFlags, renameat_with};
        if renameat_with(CWD, folder, CWD, out, RenameFlags::EXCHANGE).is_ok() {
            return Ok(());
        }
    }
    let mut aside = folder.to_owned().into_os_string();
    aside.push("-old");
    let aside = PathBuf::from(aside);
    fs::rename(out, &aside)?;
    if let Err(error) = fs::rename(folder, out) {
        // Moves the old bundle back. Even if that fails, it is still complete next to OUT.
        let _ = fs::rename(&aside, out);
        return Err(error);
    }
    // The caller removes whatever has the folder's name. If this rename fails, the old bundle stays complete under the other name.
    let _ = fs::rename(&aside, folder);
    Ok(())
}

/// Returns a file below `files/` or `static/` that is not listed by any instance of the bundle.
fn find_foreign_file(bundle: &Path) -> io::Result<Option<String>> {
    let mut folders: Vec<_> = ["files", statics::FOLDER].map(|name| (name.to_owned(), bundle.join(name))).into();
    let mut own: Option<BTreeSet<String>> = None;
    while let Some((name, folder)) = folders.pop() {
        let entries = match fs::read_dir(&folder) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => continue,
            entries => entries?,
        };
        for entry in entries {
            let entry = entry?;
            let name = format!("{name}/{}", entry.file_name().to_string_lossy());
            if entry.file_type()?.is_dir() {
                folders.push((name, entry.path()));
                continue;
            }
            let own = match &mut own {
                Some(own) => own,
                None => own.insert(read_instance_files(&bundle.join("instances.jsonl"))?),
            };
            if !own.contains(&name) {
                return Ok(Some(name));
            }
        }
    }
    Ok(None)
}

/// Reads the paths in `files` of all instances. Skips lines that cannot be parsed, and returns the empty set if the file does not exist.
fn read_instance_files(path: &Path) -> io::Result<BTreeSet<String>> {
    let mut paths = BTreeSet::new();
    let file = match disk::open_regular(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(paths),
        file => file?,
    };
    for line in io::BufReader::new(file).split(b'\n') {
        let line: serde_json::Value = serde_json::from_slice(&line?).unwrap_or_default();
        let files = line.get("files").and_then(serde_json::Value::as_object);
        paths.extend(
            files.into_iter().flat_map(|files| files.values()).filter_map(|path| path.as_str()).map(str::to_owned),
        );
    }
    Ok(paths)
}

/// Maximum number of attempts to put a finished folder in place.
const TRIES: usize = 20;

enum Locked {
    Held(Option<File>),
    Gone,
}

/// Locks a new folder of ours. On a system that cannot lock folders the lock is `None`, and abandoned folders are never removed.
fn lock_folder(folder: &Path) -> Locked {
    let file = match open_folder(folder) {
        Ok(file) => file,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Locked::Gone,
        Err(_) => return Locked::Held(None),
    };
    match file.try_lock() {
        Ok(()) if is_at(&file, folder) => Locked::Held(Some(file)),
        Ok(()) | Err(fs::TryLockError::WouldBlock) => Locked::Gone,
        Err(fs::TryLockError::Error(_)) if is_at(&file, folder) => Locked::Held(None),
        Err(fs::TryLockError::Error(_)) => Locked::Gone,
    }
}

/// Opens a folder, without waiting if a pipe has that name.
fn open_folder(folder: &Path) -> io::Result<File> {
    let mut options = File::options();
    options.read(true);
    #[cfg(unix)]
    {
        use std::os::unix::fs::OpenOptionsExt as _;
        let flags = rustix::fs::OFlags::DIRECTORY | rustix::fs::OFlags::NOFOLLOW;
        options.custom_flags(flags.bits().cast_signed());
    }
    options.open(folder)
}

/// Checks whether an open folder is still the one at this path: a process with the same number on another machine may have replaced it.
fn is_at(file: &File, path: &Path) -> bool {
    #[cfg(unix)]
    {
        use std::os::unix::fs::MetadataExt as _;
        let of = |found: fs::Metadata| (found.dev(), found.ino());
        file.metadata().ok().map(of) == fs::symlink_metadata(path).ok().map(of)
    }
    #[cfg(not(unix))]
    {
        file.metadata().is_ok() && path.exists()
    }
}

/// Removes the folders of killed builds to the same OUT. A folder that cannot be removed does not stop the build.
fn remove_abandoned(parent: &Path, prefix: &str) {
    for entry in fs::read_dir(parent).into_iter().flatten().flatten() {
        let name = entry.file_name();
        let ours = name.to_str().and_then(|name| name.strip_prefix(prefix)).is_some_and(is_process_and_attempt);
        let path = entry.path();
        if ours
            && entry.file_type().is_ok_and(|kind| kind.is_dir())
            && let Ok(file) = open_folder(&path)
            && file.try_lock().is_ok()
            && is_at(&file, &path)
        {
            let _ = fs::remove_dir_all(path);
        }
    }
}

/// Checks whether a name ends in `PID-ATTEMPT`. A folder with another ending (`-old`) may be the only copy of a bundle.
fn is_process_and_attempt(text: &str) -> bool {
    let number = |part: &str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
    text.split_once('-').is_some_and(|(process, attempt)| number(process) && number(attempt))
}

impl Drop for Staging {
    fn drop(&mut self) {
        if let Some(folder) = &self.folder {
            // Nothing more can be done if this fails too; the name of the folder explains it.
            let _ = fs::remove_dir_all(folder);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const OURS: &str = r#"{"schema":1,"suite":{"name":"s","title":"","version":"1","license":null,"authors":[]},"edition":1,"seed":"1",
        "options":{"samples":null,"task":null,"sandbox_root":".","inline":false,"split_keys":false,"shard":null},"tasks":{},"instances":0,
        "canary":null,"source_sha256":"","instances_sha256":"","files_sha256":"","bundle_sha256":"","compiler":{"name":"picardc","version":"0"}}"#;

    fn build(out: &Path, force: bool) -> Result<(), Failure> {
        let staging = Staging::new(out, force)?;
        fs::write(staging.folder().join("manifest.json"), "new").expect("writable");
        staging.commit_folder()
    }

    fn listing(folder: &Path) -> Vec<String> {
        let mut names: Vec<String> = fs::read_dir(folder)
            .expect("readable")
            .map(|entry| entry.expect("entry").file_name().to_string_lossy().into_owned())
            .collect();
        names.sort();
        names
    }

    fn refused(result: Result<(), Failure>, why: &str) {
        let failure = result.expect_err("refused");
        assert_eq!(failure.kind, FailureKind::Usage);
        assert!(failure.message.contains(why), "{}", failure.message);
    }

    #[test]
    fn new_and_empty_folders_are_taken() {
        let home = tempfile::tempdir().expect("temp");
        let out = home.path().join("deep/out");
        build(&out, false).expect("new");
        assert_eq!(listing(&out), ["manifest.json"]);
        let empty = home.path().join("empty");
        fs::create_dir(&empty).expect("created");
        build(&empty, false).expect("empty");
        assert_eq!(listing(home.path()), ["deep", "empty"]);
    }

    #[test]
    fn nothing_but_a_bundle_is_replaced_and_only_by_force() {
        let home = tempfile::tempdir().expect("temp");
        let out = home.path().join("out");
        fs::create_dir(&out).expect("created");
        fs::write(out.join("mine.txt"), "x").expect("written");
        refused(build(&out, false), "not empty");
        refused(build(&out, true), "no manifest.json");
        fs::write(out.join("manifest.json"), OURS).expect("written");
        refused(build(&out, true), "mine.txt");
        fs::remove_file(out.join("mine.txt")).expect("removed");
        fs::write(out.join("instances.jsonl"), "old").expect("written");
        refused(build(&out, false), "not empty");
        build(&out, true).expect("replaced");
        assert_eq!(listing(&out), ["manifest.json"]);
        assert_eq!(listing(home.path()), ["out"]);
    }

    #[test]
    fn files_and_foreign_manifests_are_refused() {
        let home = tempfile::tempdir().expect("temp");
        let out = home.path().join("out");
        fs::write(&out, "x").expect("written");
        refused(build(&out, true), "not a folder");
        fs::remove_file(&out).expect("removed");
        fs::create_dir(&out).expect("created");
        fs::write(out.join("manifest.json"), r#"{"name": "a web app"}"#).expect("written");
        refused(build(&out, true), "not written by picardc");
    }

    #[test]
    fn s16_force_keeps_files_that_are_not_the_bundles() {
        let home = tempfile::tempdir().expect("temp");
        let out = home.path().join("out");
        fs::create_dir_all(out.join("files/t-1")).expect("created");
        fs::write(out.join("manifest.json"), OURS).expect("written");
        fs::write(out.join("instances.jsonl"), "{\"files\":{\"a.csv\":\"files/t-1/a.csv\"}}\n").expect("written");
        fs::write(out.join("files/t-1/a.csv"), "x").expect("written");
        fs::write(out.join("files/thesis"), "years of work").expect("written");
        refused(build(&out, true), "files/thesis");
        assert_eq!(fs::read_to_string(out.join("files/thesis")).expect("still there"), "years of work");
        fs::remove_file(out.join("files/thesis")).expect("removed");
        build(&out, true).expect("replaced");
        assert_eq!(listing(&out), ["manifest.json"]);
        assert_eq!(listing(home.path()), ["out"]);
    }

    #[test]
    fn s18_what_killed_builds_left_is_removed_and_what_runs_is_not() {
        let home = tempfile::tempdir().expect("temp");
        let out = home.path().join("out");
        for left in [".out.picardc-1-0", ".out.picardc-999999-3", ".out.picardc-1-0-old", ".other.picardc-1-0"] {
            fs::create_dir_all(home.path().join(left).join("files")).expect("created");
        }
        let running = Staging::new(&home.path().join("out"), false).expect("staged");
        let there = running.folder().to_owned();
        build(&out, false).expect("built");
        assert!(there.is_dir(), "a build that still runs keeps its folder");
        drop(running);
        assert_eq!(listing(home.path()), [".other.picardc-1-0", ".out.picardc-1-0-old", "out"]);
    }

    #[test]
    fn a_lock_is_of_the_folder_and_not_of_its_name() {
        let home = tempfile::tempdir().expect("temp");
        let folder = home.path().join(".out.picardc-1-0");
        fs::create_dir(&folder).expect("created");
        let file = open_folder(&folder).expect("opened");
        assert!(is_at(&file, &folder));
        fs::remove_dir(&folder).expect("removed");
        assert!(matches!(lock_folder(&folder), Locked::Gone), "nothing is there");
        fs::create_dir(home.path().join("taken")).expect("created");
        fs::rename(home.path().join("taken"), &folder).expect("renamed");
        assert!(!is_at(&file, &folder), "another folder under the same name");
        assert!(matches!(lock_folder(&folder), Locked::Held(Some(_))));
    }

    #[test]
    fn builds_to_one_out_end_well_or_find_it_taken() {
        for round in 0..40 {
            let home = tempfile::tempdir().expect("temp");
            let out = home.path().join("out");
            if round % 3 == 1 {
                fs::create_dir(&out).expect("created");
            }
            let force = round % 2 == 1;
            let build = |number: usize| {
                let staging = Staging::new(&out, force)?;
                fs::write(staging.folder().join("manifest.json"), OURS).expect("its folder is there");
                fs::write(staging.folder().join("instances.jsonl"), format!("{number}\n")).expect("and stays");
                staging.commit_folder()
            };
            let ended: Vec<Result<(), Failure>> = std::thread::scope(|scope| {
                let threads: Vec<_> = (0..6).map(|number| scope.spawn(move || build(number))).collect();
                threads.into_iter().map(|thread| thread.join().expect("no panic")).collect()
            });
            assert!(ended.iter().any(Result::is_ok));
            for failure in ended.into_iter().filter_map(Result::err) {
                assert!(!force && failure.kind == FailureKind::Usage, "{round}: {}", failure.message);
                assert!(failure.message.contains("not empty"), "{}", failure.message);
            }
            assert_eq!(listing(home.path()), ["out"]);
            assert_eq!(listing(&out), ["instances.jsonl", "manifest.json"]);
        }
    }

    #[test]
    fn an_abandoned_build_leaves_nothing() {
        let home = tempfile::tempdir().expect("temp");
        let out = home.path().join("out");
        drop(Staging::new(&out, false).expect("staged"));
        assert!(listing(home.path()).is_empty());
    }
}
