//! Bundles for scorers, with the starting files of their instances: for one instance (Harbor), or for all instances that are scored by replies only.

use std::collections::BTreeMap;

use disk::digest::{compute_seal, hash_sha256};
use records::Error;
use serde_json::{Map, Value as Json};

use super::Item;
use super::about::{BundleIdentity, into_fields};
use super::folder::{Folder, Lines};
use super::names::to_portable_name;

/// Writes the bundle of one instance to `at` below the folder.
pub(super) fn write_bundle(folder: &Folder, at: &str, about: &BundleIdentity, item: &Item<'_>) -> Result<(), Error> {
    let mut digests = Vec::new();
    let line = record_instance(folder, at, "files", item, &mut digests)?;
    let line = format!("{line}\n");

    folder.write_file(&format!("{at}/instances.jsonl"), line.as_bytes())?;
    let digests = (hash_sha256(line.as_bytes()), digest_files(digests));
    write_manifest(folder, at, about, &[(item.parts.instance.task.clone(), 1)].into(), digests)
}

/// Builds the line of an instance in the bundle at `at`, and writes its files there to the folder `below`.
fn record_instance(
    folder: &Folder,
    at: &str,
    below: &str,
    item: &Item<'_>,
    digests: &mut Vec<String>,
) -> Result<Json, Error> {
    let mut files = Map::new();
    for (path, content) in &item.parts.instance.files {
        let below = format!("{below}/{path}");
        let digest = folder.copy_file(item.bundle, content, &format!("{at}/{below}"))?;
        digests.push(format!("{digest}  {below}\n"));
        files.insert(path.clone(), below.into());
    }
    let mut line = into_fields(item.parts.join_key());
    line.insert("files".to_owned(), Json::Object(files));
    Ok(Json::Object(line))
}

/// Computes the digest of all files from their digests.
fn digest_files(mut digests: Vec<String>) -> String {
    digests.sort_unstable();
    hash_sha256(digests.concat().as_bytes())
}

/// Writes the manifest of such a bundle: a copy of the original manifest with its own counts and digests (of `instances.jsonl`, and of all files).
fn write_manifest(
    folder: &Folder,
    at: &str,
    about: &BundleIdentity,
    tasks: &BTreeMap<String, u64>,
    (instances, files): (String, String),
) -> Result<(), Error> {
    let mut manifest = about.manifest.clone();
    let mut options = into_fields(manifest.get("options").cloned().unwrap_or_default());
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
    manifest.insert("bundle_sha256".to_owned(), compute_seal(&manifest).into());
    folder.write_json(&format!("{at}/manifest.json"), &Json::Object(manifest))
}

/// The bundle `keys/` of the exported instances, for one process of `picardc grade --lines`.
pub(super) struct Keys {
    lines: Lines,
    tasks: BTreeMap<String, u64>,
    digests: Vec<String>,
}

impl Keys {
    /// Creates an empty bundle.
    pub(super) fn new(folder: &Folder) -> Result<Keys, Error> {
        Ok(Keys { lines: folder.create_lines("keys/instances.jsonl")?, tasks: BTreeMap::new(), digests: Vec::new() })
    }

    /// Adds an instance.
    pub(super) fn add_instance(&mut self, folder: &Folder, item: &Item<'_>) -> Result<(), Error> {
        *self.tasks.entry(item.parts.instance.task.clone()).or_default() += 1;
        if item.parts.instance.files.is_empty() {
            return self.lines.add_line(&item.parts.join_key());
        }
        let below = format!("files/{}", to_portable_name(&item.parts.instance.id));
        self.lines.add_line(&record_instance(folder, "keys", &below, item, &mut self.digests)?)
    }

    /// Writes the rest.
    pub(super) fn finish_bundle(self, folder: &Folder, about: &BundleIdentity) -> Result<(), Error> {
        write_manifest(folder, "keys", about, &self.tasks, (self.lines.finish_lines()?, digest_files(self.digests)))
    }
}
