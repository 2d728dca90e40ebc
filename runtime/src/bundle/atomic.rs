//! All or nothing: a bundle is built in a folder beside OUT, on the same file system (`.OUT.picardc-…`), and renamed when it is whole and
//! synced. On failure the folder is removed; after `kill -9` it stays behind under its own name, and OUT's name never holds a part.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use super::manifest::Manifest;
use super::{failures, sync};
use crate::Failure;

/// What a bundle consists of.
const PARTS: [&str; 4] = ["manifest.json", "instances.jsonl", "keys.jsonl", "files"];

/// A bundle in the making.
pub(super) struct Staging {
    /// OUT.
    out: PathBuf,
    /// As the caller wrote it, for messages.
    shown: String,
    /// The folder beside it; `None` once it has moved.
    folder: Option<PathBuf>,
    force: bool,
}

/// What stands at OUT.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Standing {
    Nothing,
    EmptyFolder,
    Bundle,
}

impl Staging {
    /// Makes the folder beside `out`; refuses an OUT that may not be replaced.
    pub fn new(out: &Path, force: bool) -> Result<Staging, Failure> {
        let shown = out.display().to_string();
        // A link to a folder stands for that folder.
        let out = fs::canonicalize(out).unwrap_or_else(|_| out.to_owned());
        let (Some(name), Some(parent)) = (out.file_name(), out.parent()) else {
            return Err(failures::usage(format!("`{shown}` cannot be an output folder"))
                .help("name a folder of its own: `-o out/bundle`"));
        };
        let parent = if parent.as_os_str().is_empty() { Path::new(".") } else { parent };
        let mut staging = Staging { out: out.clone(), shown, folder: None, force };
        staging.standing()?;
        let wrong = |error: &io::Error| failures::io(format!("create the output folder `{}`", staging.shown), error);
        fs::create_dir_all(parent).map_err(|error| wrong(&error))?;
        let name = name.to_string_lossy();
        for attempt in 0..1000 {
            let folder = parent.join(format!(".{name}.picardc-{}-{attempt}", std::process::id()));
            match fs::create_dir(&folder) {
                Ok(()) => {
                    staging.folder = Some(folder);
                    return Ok(staging);
                }
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
                Err(error) => return Err(wrong(&error)),
            }
        }
        Err(failures::usage(format!("too many unfinished builds beside `{}`", staging.shown))
            .help("remove the `.…picardc-…` folders there"))
    }

    /// The folder to build in.
    pub fn folder(&self) -> &Path {
        self.folder.as_deref().unwrap_or(&self.out)
    }

    /// What stands at OUT, if it may be replaced.
    fn standing(&self) -> Result<Standing, Failure> {
        let shown = &self.shown;
        let wrong = |error: &io::Error| failures::io(format!("look at the output folder `{shown}`"), error);
        match fs::symlink_metadata(&self.out) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Standing::Nothing),
            Err(error) => return Err(wrong(&error)),
            Ok(data) if !data.is_dir() => {
                return Err(failures::usage(format!("`{shown}` exists and is no folder"))
                    .help("choose another place for the output"));
            }
            Ok(_) => {}
        }
        let mut names = Vec::new();
        for entry in fs::read_dir(&self.out).map_err(|error| wrong(&error))? {
            names.push(entry.map_err(|error| wrong(&error))?.file_name().to_string_lossy().into_owned());
        }
        names.sort();
        if names.is_empty() {
            return Ok(Standing::EmptyFolder);
        }
        if !self.force {
            return Err(failures::usage(format!("`{shown}` exists and is not empty"))
                .help("choose another place, or replace a bundle that stands there with --force"));
        }
        let refused = |why: String| {
            failures::usage(format!("`{shown}` is not replaced: {why}")).help("--force replaces nothing but bundles")
        };
        let manifest = match fs::read(self.out.join("manifest.json")) {
            Ok(bytes) => bytes,
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                return Err(refused("it holds no bundle (no manifest.json)".into()));
            }
            Err(error) => return Err(wrong(&error)),
        };
        Manifest::parse(&manifest).map_err(|why| refused(format!("its manifest.json is not a bundle's: {why}")))?;
        match names.iter().find(|name| !PARTS.contains(&name.as_str())) {
            Some(other) => Err(refused(format!("it also holds `{other}`, which is no part of a bundle"))),
            None => Ok(Standing::Bundle),
        }
    }

    /// Syncs the folder and moves it to OUT.
    pub fn commit(mut self) -> Result<(), Failure> {
        let shown = self.shown.clone();
        let wrong = |error: &io::Error| failures::io(format!("move the finished bundle to `{shown}`"), error);
        let folder = self.folder().to_owned();
        sync::tree(&folder).map_err(|error| failures::io("sync the bundle to disk", &error))?;
        match self.standing()? {
            Standing::Nothing => fs::rename(&folder, &self.out).map_err(|error| wrong(&error))?,
            Standing::EmptyFolder => {
                // A rename onto an empty folder replaces it at once, where the system can; elsewhere it makes room first.
                fs::rename(&folder, &self.out)
                    .or_else(|_| fs::remove_dir(&self.out).and_then(|()| fs::rename(&folder, &self.out)))
                    .map_err(|error| wrong(&error))?;
            }
            Standing::Bundle => {
                let mut aside = folder.clone().into_os_string();
                aside.push("-old");
                let aside = PathBuf::from(aside);
                fs::rename(&self.out, &aside).map_err(|error| wrong(&error))?;
                if let Err(error) = fs::rename(&folder, &self.out) {
                    // Back where it was; if even that fails, the old bundle is still whole beside OUT.
                    let _ = fs::rename(&aside, &self.out);
                    return Err(wrong(&error));
                }
                // The new bundle stands; what is left of the old one is only in the way.
                let _ = fs::remove_dir_all(&aside);
            }
        }
        self.folder = None;
        let parent = self.out.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."));
        sync::folder(parent).map_err(|error| wrong(&error))
    }
}

impl Drop for Staging {
    fn drop(&mut self) {
        if let Some(folder) = &self.folder {
            // Nothing more can be done if this fails too; the name tells what it is.
            let _ = fs::remove_dir_all(folder);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::failure::FailureKind;

    const OURS: &str = r#"{"schema":1,"suite":{"name":"s","title":"","version":"1","license":null,"authors":[]},"edition":1,"seed":"1",
        "options":{"samples":null,"task":null,"sandbox_root":".","inline":false,"split_keys":false,"shard":null},"tasks":{},"instances":0,
        "canary":null,"source_sha256":"","instances_sha256":"","files_sha256":"","bundle_sha256":"","compiler":{"name":"picardc","version":"0"}}"#;

    fn build(out: &Path, force: bool) -> Result<(), Failure> {
        let staging = Staging::new(out, force)?;
        fs::write(staging.folder().join("manifest.json"), "new").expect("writable");
        staging.commit()
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
        refused(build(&out, true), "no folder");
        fs::remove_file(&out).expect("removed");
        fs::create_dir(&out).expect("created");
        fs::write(out.join("manifest.json"), r#"{"name": "a web app"}"#).expect("written");
        refused(build(&out, true), "not written by picardc");
    }

    #[test]
    fn an_abandoned_build_leaves_nothing() {
        let home = tempfile::tempdir().expect("temp");
        let out = home.path().join("out");
        drop(Staging::new(&out, false).expect("staged"));
        assert!(listing(home.path()).is_empty());
    }
}
