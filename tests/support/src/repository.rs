//! The files that belong to the repository: those that git tracks. Other files in the folder (bundles, environments, editor settings, private suites) are
//! ignored. Without git, as in an unpacked archive, all files on disk count but for what `.gitignore` names at the top.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

use crate::root;

/// Returns the absolute paths of the files that git tracks; `None` if git cannot be run or tracks nothing.
fn list_tracked() -> Option<&'static BTreeSet<PathBuf>> {
    static TRACKED: OnceLock<Option<BTreeSet<PathBuf>>> = OnceLock::new();
    TRACKED.get_or_init(|| list_files(root())).as_ref()
}

fn list_files(root: &Path) -> Option<BTreeSet<PathBuf>> {
    let output = Command::new("git")
        .current_dir(root)
        // A checkout that belongs to another user is fine, because nothing in it is run.
        .args(["-c", "safe.directory=*", "ls-files", "-z"])
        // Hooks set these variables.
        .env_remove("GIT_DIR")
        .env_remove("GIT_WORK_TREE")
        .env_remove("GIT_INDEX_FILE")
        .output()
        .ok()
        .filter(|output| output.status.success())?;
    let names = String::from_utf8(output.stdout).ok()?;
    let files: BTreeSet<PathBuf> =
        names.split('\0').filter(|name| !name.is_empty()).map(|name| root.join(name)).collect();
    (!files.is_empty()).then_some(files)
}

/// Returns the files of the repository below one of its folders, ordered by path; `None` for any other folder, and without git.
pub(crate) fn list_tracked_below(folder: &Path) -> Option<Vec<PathBuf>> {
    let below = list_tracked()?.range(folder.to_path_buf()..).take_while(|path| path.starts_with(folder));
    // Files that are deleted but still in the index do not count.
    let files: Vec<PathBuf> = below.filter(|path| *path != folder && path.exists()).cloned().collect();
    (!files.is_empty()).then_some(files)
}

/// Checks whether a path is an entry of the root that `.gitignore` names, such as `/target` and `/out`: it is there after a build, and in no archive.
pub(crate) fn is_ignored(path: &Path) -> bool {
    static IGNORED: OnceLock<Vec<PathBuf>> = OnceLock::new();
    let ignored = IGNORED.get_or_init(|| {
        let text = std::fs::read_to_string(root().join(".gitignore")).unwrap_or_default();
        text.lines().filter_map(|line| line.strip_prefix('/')).map(|name| root().join(name)).collect()
    });
    ignored.iter().any(|ignored| ignored == path)
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::{is_ignored, list_files, list_tracked_below};
    use crate::{list_entries, root, write_in_folder};

    #[test]
    fn what_git_does_not_track_is_not_of_the_repository() {
        let home = tempfile::tempdir().expect("a folder");
        let git = |args: &[&str]| {
            let ran = std::process::Command::new("git").current_dir(home.path()).args(args).output();
            ran.is_ok_and(|output| output.status.success())
        };
        if !git(&["init", "-q"]) {
            eprintln!("skipped: git is not installed");
            return;
        }
        assert_eq!(list_files(home.path()), None, "nothing is tracked yet");
        for path in ["suites/a.pcd", "suites/é b.pcd", "out/past/manifest.json", ".venv/x", "suites/mine.pcd"] {
            write_in_folder(home.path(), path, b"");
        }
        assert!(git(&["add", "suites/a.pcd", "suites/é b.pcd"]));
        let files = list_files(home.path()).expect("two files");
        let names = ["suites/a.pcd", "suites/é b.pcd"].map(|name| home.path().join(name));
        assert_eq!(files.into_iter().collect::<Vec<_>>(), names);
    }

    #[test]
    fn what_a_build_leaves_at_the_top_is_ignored() {
        for (path, ignored) in
            [("target", true), ("out", true), ("tests", false), ("tests/out", false), ("target/x", false)]
        {
            assert_eq!(is_ignored(&root().join(path)), ignored, "{path}");
        }
    }

    #[test]
    fn other_folders_are_read_from_disk() {
        let home = tempfile::tempdir().expect("a folder");
        fs::write(home.path().join("x.pcd"), "").expect("written");
        assert_eq!(list_tracked_below(home.path()), None);
        assert_eq!(list_entries(home.path()), [home.path().join("x.pcd")]);
    }

    #[test]
    fn the_listing_is_that_of_the_folder() {
        let folder = root().join("tests/support");
        assert_eq!(list_entries(&folder), ["Cargo.toml", "src"].map(|name| folder.join(name)));
    }
}
