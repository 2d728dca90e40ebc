//! Where sandboxes are made.

use std::env;
use std::fs::{self, File};
use std::path::{Component, Path};
use std::time::Duration;

use records::{Bundle, Error, Instance};

use super::fixed::Fixed;
use super::lakes::{LARGE, Lakes};
use super::{Demand, Files, Sandbox};

/// Start of the names of the folders that hold a run's sandboxes, below the system's temporary folder.
pub const PREFIX: &str = "picardc-run-";

/// In each such folder: locked while the run lives.
const LOCK: &str = ".lock";

/// In each such folder: the lakes that its sandboxes share. The id of an instance, which names a sandbox's folder, does not begin so.
const LAKES: &str = ".lakes";

/// How old a lock is before it can be a dead run's: one that was made this moment may not be locked yet.
const SETTLED: Duration = Duration::from_secs(10);

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
    /// A fresh folder each, in one of the run's own, which has a file that is locked while this lives.
    Fresh(tempfile::TempDir, #[allow(dead_code, reason = "held, not read")] File),
    /// Always the same.
    Fixed(Fixed),
}

impl Workshop {
    /// For a bundle: fresh folders, or always `fixed`. `anywhere` says that the agent does not look at paths in prompts, `share` that large lakes are
    /// copied once for all fresh folders.
    pub fn new(bundle: &Bundle, fixed: Option<&Path>, anywhere: bool, share: bool) -> Result<Workshop, Error> {
        let root = &bundle.manifest.options.sandbox_root;
        let below = match below(root) {
            Some(below) => below,
            None if anywhere || fixed.is_some_and(|fixed| same_folder(fixed, Path::new(root))) => String::new(),
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
                return Err(Error::usage(message).help(help));
            }
        };
        let place = match fixed {
            Some(folder) => Place::Fixed(Fixed::claim(folder)?),
            None => fresh().map_err(|error| Error::io("make a folder for sandboxes in", &env::temp_dir(), &error))?,
        };
        let lakes = match &place {
            Place::Fresh(folder, _) if share && cfg!(unix) => Some(Lakes::new(folder.path().join(LAKES), LARGE)),
            _ => None,
        };
        Ok(Workshop { lakes, place, below })
    }

    /// Looks whether the lakes that sandboxes share are what they were.
    ///
    /// # Errors
    /// An agent changed one.
    pub fn lakes_are_unchanged(&self) -> Result<(), Error> {
        self.lakes.as_ref().map_or(Ok(()), Lakes::are_unchanged)
    }

    /// Looks whether the lakes of this number of sandboxes at once fit here.
    ///
    /// # Errors
    /// They do not.
    pub fn has_room(&self, demand: &Demand, at_once: u64) -> Result<(), Error> {
        match &self.place {
            Place::Fresh(..) => demand.fits(&env::temp_dir(), at_once, "set TMPDIR to a folder with more space"),
            Place::Fixed(fixed) => {
                // What the last instance left there makes way for the next one.
                fixed.empty()?;
                demand.fits(fixed.path(), 1, "give --sandbox a folder with more space")
            }
        }
    }

    /// The folder that holds fresh sandboxes.
    pub fn folder(&self) -> Option<&Path> {
        match &self.place {
            Place::Fresh(folder, _) => Some(folder.path()),
            Place::Fixed(_) => None,
        }
    }

    /// A sandbox with the instance's starting files; no other open sandbox may have the same `name`.
    pub fn sandbox(&self, name: &str, instance: &Instance, files: &Files) -> Result<Sandbox, Error> {
        let mut sandbox = match &self.place {
            Place::Fresh(folder, _) => {
                let holder = folder.path().join(name);
                let path = holder.join("work");
                for folder in [&path, &holder.join("tmp")] {
                    fs::create_dir_all(folder).map_err(|error| Error::io("make", folder, &error))?;
                }
                Sandbox::open(&path, &self.below, Some(holder))?
            }
            Place::Fixed(fixed) => {
                fixed.empty()?;
                Sandbox::open(fixed.path(), &self.below, None)?
            }
        };
        if let Some(lakes) = &self.lakes {
            sandbox.links = lakes.links(instance, files.bundle())?;
        }
        sandbox.fill(instance, files)?;
        Ok(sandbox)
    }

    /// Removes what a killed run left: `folder` as its lock file names it, if it is one of ours.
    pub fn remove_leftover(folder: &Path) {
        let ours = folder.file_name().and_then(|name| name.to_str()).is_some_and(|name| name.starts_with(PREFIX));
        if ours && folder.parent() == Some(&env::temp_dir()) && folder.is_dir() && !folder.is_symlink() {
            remove(folder);
        }
    }
}

/// A new folder for a run's sandboxes; those that killed runs left are removed.
fn fresh() -> std::io::Result<Place> {
    let temporary = env::temp_dir();
    sweep(&temporary, SETTLED);
    let folder = tempfile::Builder::new().prefix(PREFIX).tempdir_in(&temporary)?;
    let lock = File::create(folder.path().join(LOCK))?;
    lock.try_lock()?;
    Ok(Place::Fresh(folder, lock))
}

/// Removes the folders of runs that were killed: ours, and not locked by anybody for so long.
fn sweep(temporary: &Path, settled: Duration) {
    for entry in fs::read_dir(temporary).into_iter().flatten().flatten() {
        let folder = entry.path();
        let ours = entry.file_name().to_string_lossy().starts_with(PREFIX)
            && fs::symlink_metadata(&folder).is_ok_and(|metadata| metadata.is_dir() && is_own(&metadata));
        // Without the file it is not known whether somebody works there.
        let Ok(lock) = File::open(folder.join(LOCK)).and_then(|lock| Ok((lock.metadata()?.modified()?, lock))) else {
            continue;
        };
        let old = lock.0.elapsed().is_ok_and(|age| age >= settled);
        if ours && old && lock.1.try_lock().is_ok() {
            remove(&folder);
        }
    }
}

/// Whether it belongs to the user who runs this.
fn is_own(metadata: &fs::Metadata) -> bool {
    #[cfg(unix)]
    return std::os::unix::fs::MetadataExt::uid(metadata) == rustix::process::geteuid().as_raw();
    #[cfg(not(unix))]
    return metadata.is_dir();
}

/// What comes before every path in prompts (`--sandbox-root` of a build), if it names a folder below the sandbox: `""`, or ends with `/`.
pub fn below(root: &str) -> Option<String> {
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

fn same_folder(a: &Path, b: &Path) -> bool {
    let real = |path: &Path| std::path::absolute(path).map(|path| path.canonicalize().unwrap_or(path)).ok();
    b.is_absolute() && real(a) == real(b)
}

/// Removes a folder and its contents, without following links. What an agent made unreadable is made readable first.
/// What still cannot be removed stays in the system's temporary folder.
pub fn remove(folder: &Path) {
    for _ in 0..3 {
        match fs::remove_dir_all(folder) {
            Ok(()) => return,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => return,
            Err(_) => unlock(folder),
        }
    }
}

/// Gives the owner every right to the folders in `folder`.
fn unlock(folder: &Path) {
    #[cfg(unix)]
    let _ = fs::set_permissions(folder, std::os::unix::fs::PermissionsExt::from_mode(0o700));
    let folders = fs::read_dir(folder).into_iter().flatten().flatten();
    for entry in folders.filter(|entry| entry.file_type().is_ok_and(|kind| kind.is_dir())) {
        unlock(&entry.path());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn roots_below_the_sandbox() {
        assert_eq!(below("."), Some(String::new()));
        assert_eq!(below("./a/b/"), Some("a/b/".to_owned()));
        assert_eq!(below("/sandbox"), None);
        assert_eq!(below("../x"), None);
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
        sweep(temporary.path(), Duration::from_secs(100));
        assert_eq!(left().len(), 4, "too young");
        sweep(temporary.path(), Duration::ZERO);
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
