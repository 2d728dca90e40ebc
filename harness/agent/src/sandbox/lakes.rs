//! Large lakes if the user asked for links: copied once per run, to read-only folders next to the sandboxes. Each sandbox has a link to the copy. At the end of
//! the run, the copies are compared with the bundle.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use cap_std::ambient_authority;
use cap_std::fs::{Dir, OpenOptions};
use disk::{Kind, Unfinished, WalkLimits, digest};
use model::answer_key::{Expected, Subject};
use records::{Bundle, Error, Instance};

use super::starting_files::set_fixed_times;

/// Lakes with more bytes are shared by the sandboxes of a run.
pub const LARGE: u64 = 64 << 20;

/// The files of a lake: the path of each in its folder, and below the bundle.
pub type Listing = Vec<(String, String)>;

/// The lakes that the sandboxes of a run share.
#[derive(Debug)]
pub struct Lakes {
    /// The folder of the copies.
    folder: PathBuf,
    /// Lakes with more bytes are shared.
    large: u64,
    /// The lakes so far; `None` for one that is copied to each sandbox.
    known: Mutex<BTreeMap<Listing, Option<Arc<Lake>>>>,
}

/// A shared copy of a lake.
#[derive(Debug)]
pub struct Lake {
    /// Its folder: an absolute path.
    pub path: PathBuf,
    /// The same folder: all access goes through it.
    pub dir: Dir,
    /// The path of each file in the folder, and its digest.
    files: BTreeMap<String, String>,
}

impl Lake {
    /// Its files: the path of each in the folder, and its digest.
    pub fn iter_files(&self) -> impl Iterator<Item = (&str, &str)> {
        self.files.iter().map(|(path, digest)| (path.as_str(), digest.as_str()))
    }
}

/// A link in a sandbox.
#[derive(Clone, Debug)]
pub struct Link {
    /// Its path in the sandbox, in the form of the bundle.
    pub at: String,
    /// Its target.
    pub lake: Arc<Lake>,
}

impl Link {
    /// Whether a path of the bundle is that of the link, or below it.
    pub fn has_path(&self, path: &str) -> bool {
        is_in_folder(&self.at, path)
    }
}

/// Whether a path is the folder `at`, or below it.
pub fn is_in_folder(at: &str, path: &str) -> bool {
    path.trim_end_matches('/').strip_prefix(at).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}

/// Returns the lakes that a sandbox can have as links, each with its folder: the instance gets all of their files, and nothing else in their folders is
/// generated, declared, read by the answer key, or may change. In a sandbox that must be unchanged, they cannot change.
pub fn find_linkable_lakes(instance: &Instance) -> impl Iterator<Item = (&str, Listing)> {
    let paths = |expect: &Expected| {
        let excepted = if let Subject::Unchanged(paths) = &expect.subject { paths.clone() } else { Vec::new() };
        expect.list_read_paths().into_iter().chain(excepted)
    };
    let read: BTreeSet<String> = instance.iter_expects().flat_map(paths).collect();
    let whole = instance.lakes.iter().filter(|lake| lake.is_whole && !matches!(lake.at.as_str(), "" | "."));
    whole.filter_map(move |lake| {
        let inside = |path: &str| is_in_folder(&lake.at, path);
        let mut listing = Listing::new();
        for (path, content) in &instance.files {
            match (content.as_static(), path.strip_prefix(lake.at.as_str()).and_then(|path| path.strip_prefix('/'))) {
                (Some(below), Some(inner)) => listing.push((inner.to_owned(), below.to_owned())),
                (None, _) if inside(path) => return None,
                _ => {}
            }
        }
        let alone = !instance.folders.iter().chain(&read).any(|path| inside(path))
            && instance.lakes.iter().filter(|other| inside(&other.at)).count() == 1;
        alone.then_some((lake.at.as_str(), listing))
    })
}

impl Lakes {
    /// Without any lake yet. They will be in `folder`, which is created with the first one.
    pub fn new(folder: PathBuf, large: u64) -> Lakes {
        Lakes { folder, large, known: Mutex::default() }
    }

    /// Returns the links for the sandbox of an instance: its [linkable](find_linkable_lakes) lakes that are large.
    pub fn collect_links(&self, instance: &Instance, bundle: &Bundle) -> Result<Vec<Link>, Error> {
        let mut links = Vec::new();
        for (at, listing) in find_linkable_lakes(instance) {
            if let Some(lake) = self.prepare_copy(bundle, listing)? {
                links.push(Link { at: at.to_owned(), lake });
            }
        }
        Ok(links)
    }

    /// Returns the copy of these files, and makes it if it does not exist; `None` if they are too small to be shared.
    fn prepare_copy(&self, bundle: &Bundle, listing: Listing) -> Result<Option<Arc<Lake>>, Error> {
        // All threads that need it wait while it is copied.
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(found) = known.get(&listing) {
            return Ok(found.clone());
        }
        let mut bytes = 0u64;
        for (_, below) in &listing {
            bytes = bytes.saturating_add(bundle.read_size(below)?);
        }
        let lake = match bytes > self.large {
            true => Some(Arc::new(copy_lake(bundle, &self.folder.join(known.len().to_string()), &listing)?)),
            false => None,
        };
        known.insert(listing, lake.clone());
        Ok(lake)
    }

    /// Checks that no copy was changed.
    ///
    /// # Errors
    /// A copy was changed: later responses about it cannot be trusted.
    pub fn check_unchanged(&self) -> Result<(), Error> {
        let known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        for lake in known.values().flatten() {
            let changed = |path: &str| {
                let message = format!("the agent changed `{path}` of a lake that its sandboxes share");
                Error::new_usage(message).help("run it again in a new folder without --link-lakes")
            };
            let found = digest_files(&lake.path).map_err(|(path, _)| changed(&path))?;
            let differs = found.iter().find(|(path, digest)| lake.files.get(*path) != Some(digest));
            let missing = lake.files.keys().find(|path| !found.contains_key(*path));
            if let Some(path) = differs.map(|(path, _)| path).or(missing) {
                return Err(changed(path));
            }
        }
        Ok(())
    }
}

impl Drop for Lakes {
    fn drop(&mut self) {
        // Its folders are read-only; `remove_folder` changes that first. What remains is removed by a later run.
        let _ = disk::remove_folder(&self.folder);
    }
}

/// Copies the files of a lake to a new folder, and makes it read-only.
fn copy_lake(bundle: &Bundle, path: &Path, listing: &Listing) -> Result<Lake, Error> {
    let wrong = |error: std::io::Error| Error::new_io("copy a lake to", path, &error);
    fs::create_dir_all(path).map_err(wrong)?;
    let dir = Dir::open_ambient_dir(path, ambient_authority()).map_err(wrong)?;
    let mut files = BTreeMap::new();
    let mut folders = BTreeSet::new();
    for (inner, below) in listing {
        for (at, _) in inner.match_indices('/') {
            let folder = inner.get(..at).unwrap_or_default();
            if folders.insert(folder.to_owned()) {
                dir.create_dir_all(folder).map_err(wrong)?;
            }
        }
        let mut options = OpenOptions::new();
        let opened = dir.open_with(inner, options.read(true).write(true).create_new(true)).map_err(wrong)?;
        let mut file = opened.into_std();
        let sha256 = bundle.copy_file(below, &mut file)?;
        set_fixed_times(&file).map_err(wrong)?;
        let mut rights = file.metadata().map_err(wrong)?.permissions();
        rights.set_readonly(true);
        file.set_permissions(rights).map_err(wrong)?;
        files.insert(inner.clone(), digest::encode_hex(&sha256));
    }
    // From the innermost folder outwards: inner folders sort last.
    let folders = folders.iter().rev().map(|folder| path.join(folder)).chain([path.to_owned()]);
    for folder in folders {
        let mut rights = fs::metadata(&folder).map_err(wrong)?.permissions();
        rights.set_readonly(true);
        fs::set_permissions(&folder, rights).map_err(wrong)?;
    }
    Ok(Lake { path: path.to_owned(), dir, files })
}

/// Returns the digest of every file below a folder. Fails at the first path that is not a readable file.
fn digest_files(folder: &Path) -> Result<BTreeMap<String, String>, (String, std::io::Error)> {
    const ALL: WalkLimits = WalkLimits { entries: usize::MAX, path: usize::MAX, bytes: usize::MAX };
    let opened = Dir::open_ambient_dir(folder, ambient_authority()).map_err(|error| (String::new(), error))?;
    let mut found = BTreeMap::new();
    let mut failed = None;
    let mut add = |path: &str, kind| -> std::io::Result<()> {
        match kind {
            Kind::Folder => return Ok(()),
            Kind::File => {}
            Kind::Link | Kind::Special => return Err(std::io::Error::other("it is not a file")),
        }
        let mut file = disk::open_in(&opened, path)?;
        let (_, sha256) = digest::digest_file(&mut file)?;
        found.insert(path.to_owned(), digest::encode_hex(&sha256));
        Ok(())
    };
    let walked = disk::walk_folder(&opened, ALL, |path, kind| match add(path, kind) {
        Ok(()) => ControlFlow::Continue(()),
        Err(error) => {
            failed = Some((path.to_owned(), error));
            ControlFlow::Break(())
        }
    });
    match (failed, walked) {
        (Some(failed), _) => Err(failed),
        (None, Err(Unfinished::Unreadable(path, error))) => Err((path, error)),
        // These limits cannot be reached.
        (None, Ok(()) | Err(Unfinished::TooMuch(_))) => Ok(found),
    }
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    /// A bundle without instances, and two files of a lake in it.
    fn create_bundle(folder: &Path) -> Bundle {
        let manifest = serde_json::json!({
            "schema": 2, "suite": {"name": "s", "title": "S", "version": "1.0.0"}, "seed": "1", "instances": 0, "bundle_sha256": "",
            "options": {"sandbox_root": ".", "split_keys": false},
        });
        fs::write(folder.join("manifest.json"), manifest.to_string()).expect("written");
        fs::write(folder.join("instances.jsonl"), "").expect("written");
        fs::create_dir_all(folder.join("static/lake/b/c")).expect("made");
        for (path, text) in [("a.txt", "aa"), ("b/c/d.txt", "ddd")] {
            fs::write(folder.join("static/lake").join(path), text).expect("written");
        }
        Bundle::open_unverified(folder).expect("a bundle")
    }

    fn build_listing() -> Listing {
        ["a.txt", "b/c/d.txt"].map(|path| (path.to_owned(), format!("static/lake/{path}"))).to_vec()
    }

    #[test]
    fn one_copy_that_must_stay_what_it_is() {
        let home = tempfile::tempdir().expect("a folder");
        fs::create_dir(home.path().join("bundle")).expect("made");
        let bundle = create_bundle(&home.path().join("bundle"));
        let folder = home.path().join("run/.lakes");
        let small = Lakes::new(folder.clone(), 5);
        assert!(small.prepare_copy(&bundle, build_listing()).expect("read").is_none(), "5 bytes are not more than 5");
        assert!(!folder.exists());

        let lakes = Lakes::new(folder.clone(), 4);
        let lake = lakes.prepare_copy(&bundle, build_listing()).expect("copied").expect("large");
        let again = lakes.prepare_copy(&bundle, build_listing()).expect("copied").expect("large");
        assert!(Arc::ptr_eq(&lake, &again));
        let inner = lake.path.join("b/c/d.txt");
        assert_eq!(fs::read_to_string(&inner).expect("read"), "ddd");
        for path in [&lake.path, &lake.path.join("b"), &inner] {
            assert!(fs::metadata(path).expect("there").permissions().readonly(), "{}", disk::show_path(&path));
        }
        lakes.check_unchanged().expect("unchanged");

        let said = || lakes.check_unchanged().expect_err("changed").message;
        let open = |path: &Path, mode| {
            fs::set_permissions(path, std::os::unix::fs::PermissionsExt::from_mode(mode)).expect("changed");
        };
        open(&inner, 0o600);
        fs::write(&inner, "dde").expect("written");
        assert!(said().contains("`b/c/d.txt`"), "{}", said());
        fs::write(&inner, "ddd").expect("written");
        lakes.check_unchanged().expect("as before");
        open(&lake.path, 0o700);
        fs::write(lake.path.join(".hidden"), "").expect("written");
        assert!(said().contains("`.hidden`"), "{}", said());
        fs::remove_file(lake.path.join(".hidden")).expect("removed");
        fs::remove_file(lake.path.join("a.txt")).expect("removed");
        assert!(said().contains("`a.txt`"), "{}", said());
        std::os::unix::fs::symlink(home.path().join("bundle/static/lake/a.txt"), lake.path.join("a.txt"))
            .expect("linked");
        assert!(said().contains("`a.txt`"), "a link to the same content is not the file: {}", said());

        drop(lakes);
        assert!(!folder.exists(), "removed though it is read-only");
    }

    #[test]
    fn what_a_link_covers() {
        for (path, wanted) in
            [("data/x", true), ("data/", true), ("data", true), ("database/x", false), ("x/data", false)]
        {
            assert_eq!(is_in_folder("data", path), wanted, "{path}");
        }
    }
}
