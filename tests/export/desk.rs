//! A bundle of `desk.pcd`, and exports of it.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value as Json;
use tempfile::TempDir;
use testing::{CommandOutput, root};

/// The formats of bundles, as commands know them.
pub const FORMATS: [&str; 5] = ["harbor", "lm-eval", "promptfoo", "croissant", "hf"];

/// A folder that goes when the value does, with a bundle in it.
pub struct Desk {
    home: TempDir,
}

impl Desk {
    /// Builds the suite, with these flags.
    pub fn new(flags: &[&str]) -> Desk {
        let source = fs::read_to_string(root().join("tests/export/desk.pcd")).expect("readable");
        Desk::of(&source, flags)
    }

    /// Builds another suite.
    pub fn of(source: &str, flags: &[&str]) -> Desk {
        let home = TempDir::new().expect("a folder");
        fs::write(home.path().join("desk.pcd"), source).expect("written");
        let desk = Desk { home };
        desk.does(0, &[&["build", "desk.pcd", "-o", "bundle", "--seed", "7", "-q"], flags].concat());
        desk
    }

    pub fn path(&self) -> &Path {
        self.home.path()
    }

    /// Where something is.
    pub fn at(&self, path: &str) -> PathBuf {
        self.home.path().join(path)
    }

    /// Runs picardc here; it must end with this status.
    #[track_caller]
    pub fn does(&self, status: i32, args: &[&str]) -> CommandOutput {
        testing::expect_status(status, self.path(), args)
    }

    /// Exports the bundle to a folder with the format's name.
    #[track_caller]
    pub fn export(&self, format: &str, flags: &[&str]) -> PathBuf {
        self.does(0, &[&["export", format, "bundle", "-o", format, "--partial"], flags].concat());
        self.at(format)
    }

    /// The lines of the bundle's instances.
    pub fn instances(&self) -> Vec<Json> {
        lines(&self.at("bundle/instances.jsonl"))
    }

    /// The same bundle with other prompts, one for each instance as far as they go; it must be taken with `--unverified`.
    pub fn with_prompts(self, prompts: &[&str]) -> Desk {
        let mut all = self.instances();
        for (line, prompt) in all.iter_mut().zip(prompts) {
            line["input"] = (*prompt).into();
        }
        let text: String = all.iter().map(|line| format!("{line}\n")).collect();
        fs::write(self.at("bundle/instances.jsonl"), text).expect("written");
        self
    }
}

/// A file of lines of JSON.
#[track_caller]
pub fn lines(path: &Path) -> Vec<Json> {
    let text = fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    text.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect()
}

/// A file of JSON.
#[track_caller]
pub fn json(path: &Path) -> Json {
    let text = fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    serde_json::from_str(&text).expect("JSON")
}

/// Every file below a folder.
pub fn files(path: &Path) -> BTreeMap<String, Vec<u8>> {
    testing::read_files(path)
}
