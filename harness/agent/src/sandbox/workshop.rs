//! Where sandboxes are made.

use std::env;
use std::fs::{self, File};
use std::io;
use std::path::{Component, Path, PathBuf};
use std::time::Duration;

use cap_std::ambient_authority;
use cap_std::fs::Dir;
use disk::temporary_files;
use records::{Bundle, Error, Instance};

use super::fixed_folder::Fixed;
use super::lakes::{LARGE, Lakes};
use super::{Demand, Files, Sandbox};

/// Start of the names of the folders that hold a run's sandboxes, below the system's temporary folder.
pub const PREFIX: &str = "picardc-run-";

/// In each such folder: locked while the run lives.
const LOCK: &str = ".lock";

/// In each such folder: the lakes that its sandboxes share. The id of an instance, which names a sandbox's folder, does not begin so.
const LAKES: &str = ".lakes";

/// Makes the sandboxes of one run.
#[derive(Debug)]
pub struct Workshop {
    /// Of lakes that sandboxes share; `None` if each gets copies. Removed before the folder around it.
    lakes: Option<Lakes>,
    place: Place,
    below: String,
}

#[derive(Debug)]
enum Place {
    /// A fresh folder each, in one of the run's own.
    Fresh(Own),
    /// Always the same.
    Fixed(Fixed),
}

/// The folder that holds a run's sandboxes. It has a file that is locked while this lives, and is removed with it.
#[derive(Debug)]
struct Own {
    path: PathBuf,
    _lock: Option<File>,
}

impl Drop for Own {
    fn drop(&mut self) {
        remove_locked(&self.path);
    }
}

impl Workshop {
    /// For a bundle: fresh folders, or always `fixed`. `anywhere` says that the agent does not look at paths in prompts, `share` that large lakes are
    /// copied once for all fresh folders.
    pub fn new(bundle: &Bundle, fixed: Option<&Path>, anywhere: bool, share: bool) -> Result<Workshop, Error> {
        let root = &bundle.manifest.options.sandbox_root;
        let below = match parse_sandbox_root(root) {
            Some(below) => below,
            None if anywhere || fixed.is_some_and(|fixed| is_same_folder(fixed, Path::new(root))) => String::new(),
            None => {
                let message =
                    format!("the prompts of this bundle call the sandbox `{root}`, and sandboxes are not there");
                let help = if Path::new(root).is_absolute() {
                    format!(
                        "give --sandbox {root}, or build the bundle without --sandbox-root: paths are then relative to the sandbox"
                    )
                } else {
                    "build the bundle without --sandbox-root: paths are then relative to the sandbox".to_owned()
                };
                return Err(Error::new_usage(message).help(help));
            }
        };
        let place = match fixed {
            Some(folder) => Place::Fixed(Fixed::claim_folder(folder)?),
            None => create_fresh_place()
                .map_err(|error| Error::new_io("make a folder for sandboxes in", &env::temp_dir(), &error))?,
        };
        let lakes = match &place {
            Place::Fresh(own) if share && cfg!(unix) => Some(Lakes::new(own.path.join(LAKES), LARGE)),
            _ => None,
        };
        Ok(Workshop { lakes, place, below })
    }

    /// Looks whether the lakes that sandboxes share are what they were.
    ///
    /// # Errors
    /// An agent changed one.
    pub fn check_lakes_unchanged(&self) -> Result<(), Error> {
        self.lakes.as_ref().map_or(Ok(()), Lakes::check_unchanged)
    }

    /// Looks whether the lakes of this number of sandboxes at once fit here.
    ///
    /// # Errors
    /// They do not.
    pub fn has_room(&self, demand: &Demand, at_once: u64) -> Result<(), Error> {
        match &self.place {
            Place::Fresh(_) => {
                demand.check_free_space(&env::temp_dir(), at_once, "set TMPDIR to a folder with more space")
            }
            Place::Fixed(fixed) => {
                // What the last instance left there makes way for the next one.
                fixed.clear_folder()?;
                demand.check_free_space(fixed.path(), 1, "give --sandbox a folder with more space")
            }
        }
    }

    /// The folder that holds fresh sandboxes.
    pub fn folder(&self) -> Option<&Path> {
        match &self.place {
            Place::Fresh(own) => Some(&own.path),
            Place::Fixed(_) => None,
        }
    }

    /// A sandbox with the instance's starting files; no other open sandbox may have the same `name`.
    pub fn create_sandbox(&self, name: &str, instance: &Instance, files: &Files) -> Result<Sandbox, Error> {
        let mut sandbox = match &self.place {
            Place::Fresh(own) => {
                let holder = own.path.join(name);
                let path = holder.join("work");
                for folder in [&path, &holder.join("tmp")] {
                    fs::create_dir_all(folder).map_err(|error| Error::new_io("make", folder, &error))?;
                }
                Sandbox::open_folder(&path, &self.below, Some(holder))?
            }
            Place::Fixed(fixed) => {
                fixed.clear_folder()?;
                Sandbox::open_folder(fixed.path(), &self.below, None)?
            }
        };
        if let Some(lakes) = &self.lakes {
            sandbox.links = lakes.collect_links(instance, files.bundle())?;
        }
        sandbox.write_starting_files(instance, files)?;
        Ok(sandbox)
    }

    /// Removes what a killed run left: `folder` as its lock file names it, if it is one of ours and no run works there.
    pub fn remove_leftover(folder: &Path) {
        if folder.parent() == Some(&env::temp_dir()) && is_ours(folder) {
            match lock_of(folder) {
                Ok(lock) if lock.try_lock().is_ok() => remove_locked(folder),
                // Removed already, but for the folder that it was in.
                Err(error) if error.kind() == io::ErrorKind::NotFound => remove_folder(folder),
                _ => {}
            }
        }
    }
}

/// A new folder for a run's sandboxes; those that killed runs left are removed.
fn create_fresh_place() -> io::Result<Place> {
    let temporary = env::temp_dir();
    remove_stale_folders(&temporary, temporary_files::SETTLED);
    let path = tempfile::Builder::new().prefix(PREFIX).tempdir_in(&temporary)?.keep();
    let mut own = Own { path, _lock: None };
    let lock = File::create_new(own.path.join(LOCK))?;
    lock.try_lock()?;
    own._lock = Some(lock);
    Ok(Place::Fresh(own))
}

/// Removes the folders of runs that were killed: ours, and not locked by anybody for so long.
fn remove_stale_folders(temporary: &Path, settled: Duration) {
    for entry in fs::read_dir(temporary).into_iter().flatten().flatten() {
        let folder = entry.path();
        // Whose it is comes first: what others put there is not even opened.
        if !is_ours(&folder) {
            continue;
        }
        match lock_of(&folder) {
            Ok(lock) if temporary_files::is_old(&lock, settled) && lock.try_lock().is_ok() => remove_locked(&folder),
            // Without the file it is not known whether somebody works there. In an empty folder nobody does.
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                let is_old = File::open(&folder).is_ok_and(|opened| temporary_files::is_old(&opened, settled));
                let _ = is_old.then(|| fs::remove_dir(&folder));
            }
            _ => {}
        }
    }
}

/// Whether it is the folder of a run's sandboxes, made by the user who runs this. Links are none.
fn is_ours(folder: &Path) -> bool {
    folder.file_name().is_some_and(|name| name.as_encoded_bytes().starts_with(PREFIX.as_bytes()))
        && fs::symlink_metadata(folder).is_ok_and(|metadata| metadata.is_dir() && temporary_files::is_own(&metadata))
}

/// The file that is locked while a run works in a folder of ours.
///
/// # Errors
/// It is not there, or is not a file that picardc made.
fn lock_of(folder: &Path) -> io::Result<File> {
    temporary_files::open_own(&folder.join(LOCK))
}

/// What comes before every path in prompts (`--sandbox-root` of a build), if it names a folder below the sandbox: `""`, or ends with `/`.
pub fn parse_sandbox_root(root: &str) -> Option<String> {
    let mut parts = Vec::new();
    for component in Path::new(root).components() {
        match component {
            Component::CurDir => {}
            Component::Normal(part) => parts.push(part.to_str()?),
            _ => return None,
        }
    }
    Some(parts.iter().flat_map(|part| [part, "/"]).collect())
}

fn is_same_folder(a: &Path, b: &Path) -> bool {
    let real = |path: &Path| std::path::absolute(path).map(|path| path.canonicalize().unwrap_or(path)).ok();
    b.is_absolute() && real(a) == real(b)
}

/// Removes a folder and its contents, without following links. What cannot be removed stays in the system's temporary folder, and the next run tries
/// again.
pub fn remove_folder(folder: &Path) {
    let _ = disk::remove_folder(folder);
}

/// The same for a folder that holds sandboxes. Its lock is the last to go: were picardc killed before that, the next run finds what is left.
fn remove_locked(folder: &Path) {
    let opened = Dir::open_ambient_dir(folder, ambient_authority());
    if opened.and_then(|opened| disk::clear_folder(&opened, |name| name == LOCK)).is_ok() {
        remove_folder(folder);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn roots_below_the_sandbox() {
        assert_eq!(parse_sandbox_root("."), Some(String::new()));
        assert_eq!(parse_sandbox_root("./a/b/"), Some("a/b/".to_owned()));
        assert_eq!(parse_sandbox_root("/sandbox"), None);
        assert_eq!(parse_sandbox_root("../x"), None);
    }

    #[test]
    fn what_killed_runs_left_is_swept() {
        let temporary = tempfile::tempdir().expect("a folder");
        let made = |name: &str, locked: bool| {
            let folder = temporary.path().join(name);
            fs::create_dir(&folder).expect("made");
            fs::write(folder.join("x"), "").expect("written");
            locked.then(|| {
                let lock = File::create(folder.join(LOCK)).expect("made");
                lock.lock().expect("locked");
                lock
            })
        };
        let living = made("picardc-run-living", true);
        drop(made("picardc-run-dead", true));
        drop(made("picardc-run-unknown", false));
        drop(made("other", true));
        let left = || {
            let entries = fs::read_dir(temporary.path()).expect("read").flatten();
            let mut names: Vec<String> =
                entries.map(|entry| entry.file_name().to_string_lossy().into_owned()).collect();
            names.sort();
            names
        };
        remove_stale_folders(temporary.path(), Duration::from_secs(100));
        assert_eq!(left().len(), 4, "too young");
        remove_stale_folders(temporary.path(), Duration::ZERO);
        assert_eq!(left(), ["other", "picardc-run-living", "picardc-run-unknown"]);
        drop(living);
    }

    #[test]
    fn only_what_is_ours_is_removed() {
        let theirs = tempfile::tempdir().expect("a folder");
        Workshop::remove_leftover(theirs.path());
        assert!(theirs.path().is_dir());
        let ours = tempfile::Builder::new().prefix(PREFIX).tempdir().expect("a folder");
        fs::create_dir(ours.path().join("x")).expect("made");
        Workshop::remove_leftover(ours.path());
        assert!(!ours.path().exists());
    }
}
