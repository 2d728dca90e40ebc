//! Bundles that scorers read: of one instance, with what it begins with (Harbor), or of all instances that are replies alone.

use std::collections::BTreeMap;

use disk::digest::{seal, sha256};
use records::Error;
use serde_json::{Map, Value as Json};

use super::Item;
use super::about::{About, fields};
use super::folder::{Folder, Lines};

/// Writes the bundle of an instance to `at` below the folder.
pub(super) fn write(folder: &Folder, at: &str, about: &About, item: &Item<'_>) -> Result<(), Error> {
    let instance = &item.parts.instance;
    let (mut files, mut digests) = (Map::new(), Vec::new());
    for (path, content) in &instance.files {
        let below = format!("files/{path}");
        let digest = folder.copy(item.bundle, content, &format!("{at}/{below}"))?;
        digests.push(format!("{digest}  {below}\n"));
        files.insert(path.clone(), below.into());
    }
    digests.sort_unstable();
    let mut line = fields(item.parts.whole());
    line.insert("files".to_owned(), Json::Object(files));
    let line = format!("{}\n", Json::Object(line));

    folder.write(&format!("{at}/instances.jsonl"), line.as_bytes())?;
    let digests = (sha256(line.as_bytes()), sha256(digests.concat().as_bytes()));
    manifest(folder, at, about, &[(instance.task.clone(), 1)].into(), digests)
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

/// The bundle `keys/`, for one process of `picardc grade --lines`: it has the exported instances, which begin with no files.
pub(super) struct Keys {
    lines: Lines,
    tasks: BTreeMap<String, u64>,
}

impl Keys {
    /// An empty one.
    pub(super) fn new(folder: &Folder) -> Result<Keys, Error> {
        Ok(Keys { lines: folder.lines("keys/instances.jsonl")?, tasks: BTreeMap::new() })
    }

    /// One more instance.
    pub(super) fn add(&mut self, item: &Item<'_>) -> Result<(), Error> {
        *self.tasks.entry(item.parts.instance.task.clone()).or_default() += 1;
        self.lines.add(&item.parts.whole())
    }

    /// Writes what is left.
    pub(super) fn finish(self, folder: &Folder, about: &About) -> Result<(), Error> {
        manifest(folder, "keys", about, &self.tasks, (self.lines.finish()?, sha256(b"")))
    }
}
