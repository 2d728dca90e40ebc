//! Sandboxes: a folder for each attempt at an instance. It is filled from the bundle, read afterwards, and then removed.
//!
//! All access by picardc goes through a [`Dir`], which no link, `..`, or absolute path can leave.

pub mod capture;
mod disk_demand;
mod fixed_folder;
mod lakes;
mod starting_files;
mod workshop;

use std::io::{self, Write as _};
use std::path::{Component, Path, PathBuf};

use cap_std::ambient_authority;
use cap_std::fs::{Dir, OpenOptions};
use records::{Bundle, Error, Instance};

use starting_files::set_fixed_times;

pub use disk_demand::Demand;
pub use fixed_folder::MARKER;
pub use lakes::{LARGE, Link};
pub use starting_files::{Files, Lazy};
pub use workshop::{PREFIX, Workshop};

/// The folder of one attempt. A fresh one is removed when this value is dropped, even during a panic.
#[derive(Debug)]
pub struct Sandbox {
    /// The folder in which the agent works: an absolute path.
    pub path: PathBuf,
    /// The same folder: all access of picardc goes through it.
    pub dir: Dir,
    /// What prompts put before every path (`--sandbox-root` of the build): empty, or ends with `/`.
    below: String,
    /// Contains the sandbox and the agent's temporary files; removed with its contents. `None` if the folder must not be removed.
    holder: Option<PathBuf>,
    /// Links to lakes that other sandboxes share.
    links: Vec<Link>,
}

impl Sandbox {
    /// Opens the folder in which an agent answered an instance of the bundle. It is only read.
    ///
    /// # Errors
    /// The folder cannot be opened.
    pub fn open_answered(folder: &Path, bundle: &Bundle) -> Result<Sandbox, Error> {
        let below = parse_sandbox_root(&bundle.manifest.options.sandbox_root);
        Sandbox::open_folder(folder, &below.unwrap_or_default(), None)
    }

    /// Opens an existing folder, in which tools work.
    ///
    /// # Errors
    /// The folder cannot be opened.
    pub fn open_existing(folder: &Path) -> Result<Sandbox, Error> {
        Sandbox::open_folder(folder, "", None)
    }

    /// Opens `path` as a sandbox. It is not removed if `holder` is `None`.
    fn open_folder(path: &Path, below: &str, holder: Option<PathBuf>) -> Result<Sandbox, Error> {
        let opened = Dir::open_ambient_dir(path, ambient_authority());
        let dir = opened.map_err(|error| Error::new_io("open the sandbox", path, &error))?;
        Ok(Sandbox { path: path.to_owned(), dir, below: below.to_owned(), holder, links: Vec::new() })
    }

    /// Writes the instance's starting files and folders.
    fn write_starting_files(&self, instance: &Instance, files: &Files) -> Result<(), Error> {
        for folder in &instance.folders {
            let path = self.to_dir_path(folder);
            self.dir.create_dir_all(&path).map_err(|error| Error::new_io("make", &self.path.join(&path), &error))?;
        }
        for (path, bytes) in files.iter_generated() {
            let path = self.to_dir_path(path);
            let wrong = |error: io::Error| Error::new_io("write", &self.path.join(&path), &error);
            self.create_parent(&path).map_err(wrong)?;
            let mut options = OpenOptions::new();
            let opened = self.dir.open_with(&path, options.write(true).create(true).truncate(true)).map_err(wrong)?;
            let mut file = opened.into_std();
            file.write_all(bytes).and_then(|()| set_fixed_times(&file)).map_err(wrong)?;
        }
        for link in &self.links {
            let path = self.to_dir_path(&link.at);
            let wrong = |error: io::Error| Error::new_io("link", &self.path.join(&path), &error);
            self.create_parent(&path).and_then(|()| self.create_link(&link.lake.path, &path)).map_err(wrong)?;
        }
        let mut made = String::new();
        for (path, below) in files.iter_static() {
            if self.links.iter().any(|link| link.has_path(path)) {
                continue;
            }
            let path = self.to_dir_path(path);
            let wrong = |error: io::Error| Error::new_io("write", &self.path.join(&path), &error);
            let folder = path.rsplit_once('/').map_or("", |(folder, _)| folder);
            if folder != made {
                self.create_parent(&path).map_err(wrong)?;
                folder.clone_into(&mut made);
            }
            // A copy and not a link to the bundle's file: an agent may write to it.
            let mut options = OpenOptions::new();
            let opened = self.dir.open_with(&path, options.read(true).write(true).create_new(true)).map_err(wrong)?;
            let mut file = opened.into_std();
            files.bundle().copy_file(below, &mut file)?;
            set_fixed_times(&file).map_err(wrong)?;
        }
        Ok(())
    }

    /// Creates a link that leads out of the sandbox.
    fn create_link(&self, to: &Path, path: &str) -> io::Result<()> {
        #[cfg(unix)]
        return self.dir.symlink_contents(to, path);
        #[cfg(not(unix))]
        return Err(io::Error::new(io::ErrorKind::Unsupported, format!("no link to {} from {path}", to.display())));
    }

    /// The folders outside the sandbox to which links in it lead: they are only read.
    pub fn iter_linked_folders(&self) -> impl Iterator<Item = &Path> {
        self.links.iter().map(|link| link.lake.path.as_path())
    }

    /// Resolves a path below `dir` if it goes through a link to a lake: returns the folder that contains it, and the rest. No other link is followed.
    pub fn follow_link<'p>(&self, path: &'p str) -> Followed<'_, 'p> {
        let beyond = |link: &'_ Link| -> Option<&'p str> {
            let path = Path::new(path);
            let inner =
                path.strip_prefix(".").unwrap_or(path).strip_prefix(self.to_dir_path(&link.at)).ok()?.to_str()?;
            Some(if inner.is_empty() { "." } else { inner })
        };
        let found = self.links.iter().find_map(|link| Some((&link.lake.dir, beyond(link)?)));
        match found {
            Some((dir, path)) => Followed { dir, path, is_lent: true },
            None => Followed { dir: &self.dir, path, is_lent: false },
        }
    }

    /// Returns the link to a lake that picardc made at a path of the bundle, if it is still there and leads to the lake.
    fn find_intact_link(&self, path: &str) -> Option<&Link> {
        let link = self.links.iter().find(|link| link.at == path)?;
        let target = self.dir.read_link_contents(self.to_dir_path(path)).ok()?;
        (target == link.lake.path).then_some(link)
    }

    /// Creates the folders above a path below `dir`.
    pub fn create_parent(&self, path: &str) -> io::Result<()> {
        let folder = Path::new(path).parent().filter(|folder| *folder != Path::new(""));
        folder.map_or(Ok(()), |folder| self.dir.create_dir_all(folder))
    }

    /// Converts a path of the bundle (folders with or without a trailing `/`) to a path below `dir`.
    pub fn to_dir_path(&self, path: &str) -> String {
        format!("{}{}", self.below, path.trim_end_matches('/'))
    }

    /// Converts a path back that [`Sandbox::to_dir_path`] returned.
    pub fn to_bundle_path<'p>(&self, inside: &'p str) -> Option<&'p str> {
        inside.strip_prefix(&self.below)
    }

    /// The agent's folder for temporary files. It is next to the sandbox, not in it, so nothing in it counts as a
    /// result.
    pub fn temporary_folder(&self) -> Option<PathBuf> {
        self.holder.as_ref().map(|holder| holder.join("tmp"))
    }

    /// The folder that contains the sandbox, for picardc's own notes; `None` if picardc did not make the sandbox.
    pub fn holder(&self) -> Option<&Path> {
        self.holder.as_deref()
    }
}

/// A path of a sandbox after links to lakes are followed.
pub struct Followed<'s, 'p> {
    /// The folder that contains it.
    pub dir: &'s Dir,
    /// Below that folder.
    pub path: &'p str,
    /// Whether it is in a lake that other sandboxes share, and is read-only.
    pub is_lent: bool,
}

impl Drop for Sandbox {
    fn drop(&mut self) {
        if let Some(holder) = &self.holder {
            // What remains in the system's temporary folder is removed by a later run.
            let _ = disk::remove_folder(holder);
        }
    }
}

/// Parses `--sandbox-root` of a build, the prefix of every path in prompts: returns `""` or a path that ends with `/`; `None` if it leads out of the sandbox.
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
}
