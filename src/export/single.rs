//! A bundle of one instance: what `picardc grade` needs to score it, and nothing else of its bundle.

use disk::digest::{seal, sha256};
use records::Error;
use serde_json::{Map, Value as Json};

use super::Item;
use super::about::{About, fields};
use super::folder::Folder;

/// Writes the bundle of an instance to `at` below the folder. Its manifest is that of the whole bundle, but for counts and digests.
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

    let mut manifest = about.manifest.clone();
    let mut options = fields(manifest.get("options").cloned().unwrap_or_default());
    for (name, value) in [("inline", false.into()), ("split_keys", false.into()), ("shard", Json::Null)] {
        options.insert(name.to_owned(), value);
    }
    let tasks: Map<String, Json> = [(instance.task.clone(), 1.into())].into_iter().collect();
    manifest.shift_remove("keys_sha256");
    for (name, value) in [
        ("options", Json::Object(options)),
        ("tasks", Json::Object(tasks)),
        ("instances", 1.into()),
        ("instances_sha256", sha256(line.as_bytes()).into()),
        ("files_sha256", sha256(digests.concat().as_bytes()).into()),
    ] {
        manifest.insert(name.to_owned(), value);
    }
    manifest.insert("bundle_sha256".to_owned(), seal(&manifest).into());
    folder.write(&format!("{at}/instances.jsonl"), line.as_bytes())?;
    folder.json(&format!("{at}/manifest.json"), &Json::Object(manifest))?;
    Ok(())
}
