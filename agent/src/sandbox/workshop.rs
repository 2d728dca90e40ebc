//! Where sandboxes are made.

use std::fs;
use std::path::{Component, Path};

use records::{Bundle, Error, Instance};

use super::fixed::Fixed;
use super::{Files, Sandbox};

/// Start of the names of the folders that hold a run's sandboxes, below the system's temporary folder.
const PREFIX: &str = "picardc-run-";

/// Makes the sandboxes of one run.
#[derive(Debug)]
pub struct Workshop {
    place: Place,
    below: String,
}

#[derive(Debug)]
enum Place {
    /// A fresh folder each, in one of the run's own.
    Fresh(tempfile::TempDir),
    /// Always the same.
    Fixed(Fixed),
}

impl Workshop {
    /// For a bundle: fresh folders, or always `fixed`. `anywhere` says that the agent does not look at paths in prompts.
    pub fn new(bundle: &Bundle, fixed: Option<&Path>, anywhere: bool) -> Result<Workshop, Error> {
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
            None => Place::Fresh(
                tempfile::Builder::new()
                    .prefix(PREFIX)
                    .tempdir()
                    .map_err(|error| Error::io("make a folder for sandboxes in", &std::env::temp_dir(), &error))?,
            ),
        };
        Ok(Workshop { place, below })
    }

    /// The folder that holds fresh sandboxes.
    pub fn folder(&self) -> Option<&Path> {
        match &self.place {
            Place::Fresh(folder) => Some(folder.path()),
            Place::Fixed(_) => None,
        }
    }

    /// A sandbox with the instance's starting files; `name` is of no other that stands now.
    pub fn sandbox(&self, name: &str, instance: &Instance, files: &Files) -> Result<Sandbox, Error> {
        let sandbox = match &self.place {
            Place::Fresh(folder) => {
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
        sandbox.fill(instance, files)?;
        Ok(sandbox)
    }

    /// Removes what a killed run left: `folder` as its lock file names it, if it is one of ours.
    pub fn remove_leftover(folder: &Path) {
        let ours = folder.file_name().and_then(|name| name.to_str()).is_some_and(|name| name.starts_with(PREFIX));
        if ours && folder.parent() == Some(&std::env::temp_dir()) && folder.is_dir() && !folder.is_symlink() {
            remove(folder);
        }
    }
}

/// What stands before every path in prompts, if it names a folder below the sandbox: `""`, or ends with `/`.
fn below(root: &str) -> Option<String> {
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

/// Removes a folder with all in it, following no link. What an agent made unreadable is made readable first. What still cannot be removed stays
/// behind in the system's temporary folder.
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
