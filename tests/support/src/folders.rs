//! Folders and files: those of the repository (only those that git tracks), and temporary ones.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use tempfile::TempDir;

use crate::repository::{is_ignored, list_tracked_below};

/// The root folder of the repository.
pub fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .parent()
        .and_then(Path::parent)
        .expect("this crate is a folder of the repository")
}

/// The folders with the sources of our crates, below the root: `src` next to each `Cargo.toml`, and `cli` of the command.
pub fn source_folders() -> Vec<String> {
    let is_of_workspace =
        |path: &str| !["bindings/editors/", "tests/fuzz/", "grammar/"].iter().any(|other| path.starts_with(other));
    let mut found: Vec<String> = list_below(root(), "toml")
        .into_iter()
        .filter(|path| path.ends_with("Cargo.toml"))
        .filter_map(|path| Some(path.parent()?.join("src")))
        .filter(|folder| folder.is_dir())
        .filter_map(|folder| Some(folder.strip_prefix(root()).ok()?.to_str()?.replace('\\', "/")))
        .filter(|path| is_of_workspace(path))
        .collect();
    found.push("cli".to_owned());
    found
}

/// Lists the `.pcd` files directly in a folder, by name.
#[track_caller]
pub fn list_sources(folder: impl AsRef<Path>) -> Vec<PathBuf> {
    let mut found = list_entries(folder.as_ref());
    found.retain(|path| path.extension().is_some_and(|ending| ending == "pcd"));
    found
}

/// Lists the files below a folder whose names have this ending (such as `pcd`), in order.
#[track_caller]
pub fn list_below(folder: impl AsRef<Path>, ending: &str) -> Vec<PathBuf> {
    let mut found = list_all(folder.as_ref());
    found.retain(|path| path.extension().is_some_and(|found| found == ending));
    found
}

/// Reads all files below a folder, by their paths from there, with `/`.
#[track_caller]
pub fn read_files(folder: impl AsRef<Path>) -> BTreeMap<String, Vec<u8>> {
    let folder = folder.as_ref();
    let read = |path: PathBuf| {
        let name = path.strip_prefix(folder).expect("below the folder").to_string_lossy().replace('\\', "/");
        (name, fs::read(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display())))
    };
    list_all(folder).into_iter().map(read).collect()
}

#[track_caller]
fn list_all(folder: &Path) -> Vec<PathBuf> {
    if let Some(files) = list_tracked_below(folder) {
        return files;
    }
    let mut found = Vec::new();
    for path in list_entries_on_disk(folder) {
        if path.is_dir() {
            found.extend(list_all(&path));
        } else {
            found.push(path);
        }
    }
    found
}

/// Lists the paths of the entries directly in a folder, by name; in a folder of the repository, only those that git tracks.
#[track_caller]
pub fn list_entries(folder: impl AsRef<Path>) -> Vec<PathBuf> {
    let folder = folder.as_ref();
    let Some(files) = list_tracked_below(folder) else { return list_entries_on_disk(folder) };
    let first = |path: PathBuf| {
        let name =
            path.strip_prefix(folder).expect("below the folder").components().next().expect("a name").as_os_str();
        folder.join(name)
    };
    let mut found: Vec<PathBuf> = files.into_iter().map(first).collect();
    found.dedup();
    found
}

#[track_caller]
fn list_entries_on_disk(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    let mut found: Vec<PathBuf> =
        entries.map(|entry| entry.expect("an entry").path()).filter(|path| !is_ignored(path)).collect();
    found.sort();
    found
}

/// Copies a folder with its contents; from a folder of the repository, only what git tracks.
#[track_caller]
pub fn copy_folder(from: impl AsRef<Path>, to: impl AsRef<Path>) {
    let (from, to) = (from.as_ref(), to.as_ref());
    fs::create_dir_all(to).expect("a folder");
    for path in list_all(from) {
        let target = to.join(path.strip_prefix(from).expect("below the folder"));
        fs::create_dir_all(target.parent().expect("a parent")).expect("folders");
        fs::copy(&path, &target).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    }
}

/// Creates a temporary folder with these files, given as (path, content). It is removed when the value is dropped.
pub fn create_folder(files: &[(&str, &str)]) -> TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    for (path, content) in files {
        write_in_folder(folder.path(), path, content.as_bytes());
    }
    folder
}

/// Writes a file below a folder, and creates the folders above it.
pub fn write_in_folder(folder: &Path, path: &str, content: &[u8]) {
    let place = folder.join(path);
    fs::create_dir_all(place.parent().expect("a parent")).expect("folders");
    fs::write(place, content).expect("a file");
}
