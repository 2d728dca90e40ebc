//! Creates and removes sandboxes.

use std::env;
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

use cap_std::ambient_authority;
use cap_std::fs::Dir;
use disk::temporary_files;
use records::{Bundle, Error, Instance, run};

use super::fixed_folder::Fixed;
use super::lakes::{LARGE, Lakes};
use super::{Demand, Files, Sandbox, parse_sandbox_root};
use crate::agent::Agent;

/// Prefix of the names of the folders that contain a run's sandboxes, in the system's temporary folder.
pub const PREFIX: &str = "picardc-run-";

/// A file in each such folder, locked while the run lives.
const LOCK: &str = ".lock";

/// A folder in each such folder: the lakes that its sandboxes share. The names of sandboxes begin with the id of an instance, and so never like this.
const LAKES: &str = ".lakes";

/// Creates the sandboxes of one run.
#[derive(Debug)]
pub struct Workshop {
    /// The lakes that sandboxes share; `None` if each sandbox gets copies. Dropped before the folder that contains them.
    lakes: Option<Lakes>,
    place: Place,
    below: String,
}

#[derive(Debug)]
enum Place {
    /// A fresh folder for each sandbox, in a folder of the run.
    Fresh(Own),
    /// The same folder for all.
    Fixed(Fixed),
}

/// The folder that contains a run's sandboxes. Its lock file is locked while this value exists, and the folder is removed when it is dropped.
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
    /// Creates sandboxes for a bundle: fresh folders, or always `fixed`. Linked lakes are copied once for all fresh folders.
    ///
    /// # Errors
    /// The agent needs the sandbox at a path that prompts name and where it cannot be; a folder cannot be made or is in use.
    pub fn new(
        bundle: &Bundle,
        fixed: Option<&Path>,
        agent: &dyn Agent,
        lakes: Option<run::Lakes>,
    ) -> Result<Workshop, Error> {
        let root = &bundle.manifest.options.sandbox_root;
        let below = match parse_sandbox_root(root) {
            Some(below) => below,
            None if !agent.profile().must_keep_prompt_paths => String::new(),
            None if fixed.is_some_and(|fixed| is_same_folder(fixed, Path::new(root))) => String::new(),
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
            Place::Fresh(own) if lakes == Some(run::Lakes::Linked) && cfg!(unix) => {
                Some(Lakes::new(own.path.join(LAKES), LARGE))
            }
            _ => None,
        };
        Ok(Workshop { lakes, place, below })
    }

    /// Checks that the shared lakes are unchanged.
    ///
    /// # Errors
    /// An agent changed one.
    pub fn check_lakes_unchanged(&self) -> Result<(), Error> {
        self.lakes.as_ref().map_or(Ok(()), Lakes::check_unchanged)
    }

    /// Checks that the lakes of `at_once` sandboxes fit on the disk.
    ///
    /// # Errors
    /// They do not fit.
    pub fn require_room(&self, demand: &Demand, at_once: u64) -> Result<(), Error> {
        match &self.place {
            Place::Fresh(_) => {
                demand.check_free_space(&env::temp_dir(), at_once, "set TMPDIR to a folder with more space")
            }
            Place::Fixed(fixed) => {
                // The files of the last instance make room for the next one.
                fixed.clear_folder()?;
                demand.check_free_space(fixed.path(), 1, "give --sandbox a folder with more space")
            }
        }
    }

    /// The folder that contains fresh sandboxes; `None` for a fixed folder.
    pub fn folder(&self) -> Option<&Path> {
        match &self.place {
            Place::Fresh(own) => Some(&own.path),
            Place::Fixed(_) => None,
        }
    }

    /// Creates a sandbox with the instance's starting files. No other open sandbox may have the same `name`.
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

    /// Removes what a killed run left: `folder` is the one that its lock file names. It must be a folder of ours that no run uses.
    pub fn remove_leftover(folder: &Path) {
        if folder.parent() == Some(&env::temp_dir()) && is_ours(folder) {
            match lock_of(folder) {
                Ok(lock) if lock.try_lock().is_ok() => remove_locked(folder),
                // Its contents are removed already.
                Err(error) if error.kind() == io::ErrorKind::NotFound => drop(disk::remove_folder(folder)),
                _ => {}
            }
        }
    }
}

/// Creates a new folder for a run's sandboxes, and removes those that killed runs left.
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

/// Removes the folders of runs that were killed: ours, unlocked, and older than `settled`.
fn remove_stale_folders(temporary: &Path, settled: Duration) {
    for entry in fs::read_dir(temporary).into_iter().flatten().flatten() {
        let folder = entry.path();
        // The owner is checked first: files of others are not even opened.
        if !is_ours(&folder) {
            continue;
        }
        match lock_of(&folder) {
            Ok(lock) if temporary_files::is_old(&lock, settled) && lock.try_lock().is_ok() => remove_locked(&folder),
            // Without a lock file it is unknown whether a run uses the folder. If the folder is empty, no run does.
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                let is_old = File::open(&folder).is_ok_and(|opened| temporary_files::is_old(&opened, settled));
                let _ = is_old.then(|| fs::remove_dir(&folder));
            }
            _ => {}
        }
    }
}

/// Whether it is a folder of a run's sandboxes that this user made. A link is not.
fn is_ours(folder: &Path) -> bool {
    folder.file_name().is_some_and(|name| name.as_encoded_bytes().starts_with(PREFIX.as_bytes()))
        && fs::symlink_metadata(folder).is_ok_and(|metadata| metadata.is_dir() && temporary_files::is_own(&metadata))
}

/// Opens the lock file of a folder of sandboxes.
///
/// # Errors
/// The file does not exist, or picardc did not make it.
fn lock_of(folder: &Path) -> io::Result<File> {
    temporary_files::open_own(&folder.join(LOCK))
}

fn is_same_folder(a: &Path, b: &Path) -> bool {
    let real = |path: &Path| std::path::absolute(path).map(|path| path.canonicalize().unwrap_or(path)).ok();
    b.is_absolute() && real(a) == real(b)
}

/// Removes a folder of sandboxes. Its lock is removed last: if picardc is killed before that, the next run finds what is left.
fn remove_locked(folder: &Path) {
    let opened = Dir::open_ambient_dir(folder, ambient_authority());
    if opened.and_then(|opened| disk::clear_folder(&opened, |name| name == LOCK)).is_ok() {
        // A later run removes what remains.
        let _ = disk::remove_folder(folder);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
