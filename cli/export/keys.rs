//! Bundles that scorers read, with what instances begin with: of one instance (Harbor), or of all that are scored by replies alone.

use std::collections::BTreeMap;

use disk::digest::{seal, sha256};
use records::Error;
use serde_json::{Map, Value as Json};

use super::Item;
use super::about::{About, fields};
use super::folder::{Folder, Lines};
use super::names::portable;

/// Writes the bundle of an instance to `at` below the folder.
pub(super) fn write(folder: &Folder, at: &str, about: &About, item: &Item<'_>) -> Result<(), Error> {
    let mut digests = Vec::new();
    let line = recorded(folder, at, "files", item, &mut digests)?;
    let line = format!("{line}\n");

    folder.write(&format!("{at}/instances.jsonl"), line.as_bytes())?;
    let digests = (sha256(line.as_bytes()), of_files(digests));
    manifest(folder, at, about, &[(item.parts.instance.task.clone(), 1)].into(), digests)
}

/// The line of an instance in the bundle at `at`, whose files are written there, to the folder `below`.
fn recorded(folder: &Folder, at: &str, below: &str, item: &Item<'_>, digests: &mut Vec<String>) -> Result<Json, Error> {
    let mut files = Map::new();
    for (path, content) in &item.parts.instance.files {
        let below = format!("{below}/{path}");
        let digest = folder.copy(item.bundle, content, &format!("{at}/{below}"))?;
        digests.push(format!("{digest}  {below}\n"));
        files.insert(path.clone(), below.into());
    }
    let mut line = fields(item.parts.whole());
    line.insert("files".to_owned(), Json::Object(files));
    Ok(Json::Object(line))
}

/// The digest of all files, from those of each.
fn of_files(mut digests: Vec<String>) -> String {
    digests.sort_unstable();
    sha256(digests.concat().as_bytes())
}

/// The manifest of such a bundle: that of the whole bundle, but for counts and digests, those of `instances.jsonl` and of all files.
fn manifest(
    folder: &Folder,
    at: &str,
    about: &About,
    tasks: &BTreeMap<String, u64>,
    (instances, files): (String, String),
) -> Result<(), Error> {
    let mut manifest = about.manifest.clone();
    let mut options = fields(manifest.get("options").cloned().unwrap_or_default());
    for (name, value) in [("inline", false.into()), ("split_keys", false.into()), ("shard", Json::Null)] {
        options.insert(name.to_owned(), value);
    }
    let counts: Map<String, Json> = tasks.iter().map(|(task, count)| (task.clone(), (*count).into())).collect();
    manifest.shift_remove("keys_sha256");
    for (name, value) in [
        ("options", Json::Object(options)),
        ("tasks", Json::Object(counts)),
        ("instances", tasks.values().sum::<u64>().into()),
        ("instances_sha256", instances.into()),
        ("files_sha256", files.into()),
        ("exported_from", about.sha256.clone().into()),
    ] {
        manifest.insert(name.to_owned(), value);
    }
    manifest.insert("bundle_sha256".to_owned(), seal(&manifest).into());
    folder.json(&format!("{at}/manifest.json"), &Json::Object(manifest))?;
    Ok(())
}

/// The bundle `keys/`, for one process of `picardc grade --lines`: it has the exported instances.
pub(super) struct Keys {
    lines: Lines,
    tasks: BTreeMap<String, u64>,
    digests: Vec<String>,
}

impl Keys {
    /// An empty one.
    pub(super) fn new(folder: &Folder) -> Result<Keys, Error> {
        Ok(Keys { lines: folder.lines("keys/instances.jsonl")?, tasks: BTreeMap::new(), digests: Vec::new() })
    }

    /// One more instance.
    pub(super) fn add(&mut self, folder: &Folder, item: &Item<'_>) -> Result<(), Error> {
        *self.tasks.entry(item.parts.instance.task.clone()).or_default() += 1;
        if item.parts.instance.files.is_empty() {
            return self.lines.add(&item.parts.whole());
        }
        let below = format!("files/{}", portable(&item.parts.instance.id));
        self.lines.add(&recorded(folder, "keys", &below, item, &mut self.digests)?)
    }

    /// Writes what is left.
    pub(super) fn finish(self, folder: &Folder, about: &About) -> Result<(), Error> {
        manifest(folder, "keys", about, &self.tasks, (self.lines.finish()?, of_files(self.digests)))
    }
}
