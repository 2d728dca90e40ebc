//! Reads a bundle from disk.

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::fs::File;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use disk::Folder;
use model::suite::StageMode;
use serde::Deserialize;
use serde_json::{Map, Value as Json};

use crate::digests::{ADVICE, Files, build_changed_error};
use crate::error::Error;
use crate::head::Head;
use crate::id_table::IdAdder;
use crate::instance::{Content, Instance, SCHEMAS, STATIC};
use crate::instances::Instances;
use crate::jsonl::Lines;
use crate::run::{BundleRef, read_json};

/// Maximum size in bytes of a file of a sandbox, which is more than `build` writes.
const FILE_LIMIT: u64 = 4 << 30;

/// A folder that `picardc build` wrote.
#[derive(Clone, Debug)]
pub struct Bundle {
    folder: PathBuf,
    /// The content of its manifest.
    pub manifest: Manifest,
    /// Its files with their digests; `None` for a bundle that is not verified.
    files: Option<Arc<Files>>,
}

/// The needed part of `manifest.json`.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[allow(missing_docs)]
pub struct Manifest {
    pub schema: u32,
    pub suite: Suite,
    pub seed: String,
    pub options: Options,
    pub instances: u64,
    #[serde(default)]
    pub instances_sha256: String,
    #[serde(default)]
    pub keys_sha256: Option<String>,
    #[serde(default)]
    pub files_sha256: String,
    pub bundle_sha256: String,
}

/// Metadata of the suite.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[allow(missing_docs)]
pub struct Suite {
    pub name: String,
    pub title: String,
    pub version: String,
}

/// Build options that determine how it is read.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[allow(missing_docs)]
pub struct Options {
    pub sandbox_root: String,
    pub split_keys: bool,
    #[serde(default)]
    pub stages: StageMode,
}

impl Bundle {
    /// Opens a bundle that must be unchanged since it was built: the digests and the number of its instances and keys must match the manifest. Files
    /// are checked when the first one is read.
    ///
    /// # Errors
    /// It cannot be read, does not match its manifest, or is inconsistent: a duplicate id, an empty answer key, or a weight of 0 or less.
    pub fn open_verified(folder: &Path) -> Result<Bundle, Error> {
        let (manifest, json) = read_manifest(folder)?;
        let path = folder.join("manifest.json");
        if disk::digest::compute_seal(&json) != manifest.bundle_sha256 {
            let message = format!(
                "`{}` does not match its own `bundle_sha256`: it was changed after the build",
                disk::show_path(&path)
            );
            return Err(Error::new_usage(message).help(ADVICE));
        }
        let mut bundle = Bundle { folder: folder.to_owned(), manifest, files: None };
        let read = bundle.scan_instances(Depth::Heads);
        bundle.match_manifest(&read)?;
        let paths = read.sense?;
        bundle.files = Some(Arc::new(Files::new(folder, paths, bundle.manifest.files_sha256.clone())));
        Ok(bundle)
    }

    /// Opens a bundle without checking its digests, for people who edit bundles.
    ///
    /// # Errors
    /// It cannot be read, or is inconsistent.
    pub fn open_unverified(folder: &Path) -> Result<Bundle, Error> {
        let (manifest, _) = read_manifest(folder)?;
        let bundle = Bundle { folder: folder.to_owned(), manifest, files: None };
        bundle.scan_instances(Depth::Whole).sense?;
        Ok(bundle)
    }

    /// Checks whether it is verified to be the bundle that was built.
    pub fn is_verified(&self) -> bool {
        self.files.is_some()
    }

    /// Reads all of its instances and keys once, to this depth.
    fn scan_instances(&self, depth: Depth) -> Look {
        let mut look = Look { instances: 0, digests: (String::new(), None), sense: Ok(BTreeSet::new()) };
        let mut instances = match self.open_with(Lines::open_digested) {
            Ok(instances) => instances,
            Err(error) => {
                look.sense = Err(error);
                return look;
            }
        };
        let mut ids = IdAdder::default();
        loop {
            let next = match depth {
                Depth::Heads => instances.next_head(),
                Depth::Whole => instances.next().map(|next| next.map(Head::from_instance)),
            };
            let Some(next) = next else { break };
            look.instances += 1;
            // After a mistake the rest is read only for its digest, because a changed bundle is reported as such.
            let Ok(paths) = &mut look.sense else { continue };
            match next {
                Err(error) => look.sense = Err(error),
                Ok(head) => {
                    ids.add_id(&head.id);
                    paths.extend(head.paths);
                }
            }
        }
        if let (Ok(_), Some(Some(_))) = (&look.sense, instances.keys.as_mut().map(Lines::next_value::<Json>)) {
            look.sense = Err(Error::new_usage("`keys.jsonl` goes on after the end of `instances.jsonl`").help(ADVICE));
        }
        if let (Ok(_), Some(number)) = (&look.sense, ids.into_table().find_repeated()) {
            look.sense = Err(self.build_repeated_error(number));
        }
        look.digests = (instances.lines.compute_digest(), instances.keys.map(|keys| keys.compute_digest()));
        look
    }

    /// Builds the error for an instance, by its number from 0, that has the id of another.
    fn build_repeated_error(&self, number: usize) -> Error {
        let repeated = self.open_instances().and_then(|mut instances| {
            let id = instances.by_ref().nth(number).transpose()?.map_or_else(String::new, |instance| instance.id);
            Ok((instances.lines.number(), id))
        });
        let path = self.folder.join("instances.jsonl");
        match repeated {
            Err(error) => error,
            Ok((line, id)) => {
                let message = format!("`{}`, line {line}: the id `{id}` appears twice", disk::show_path(&path));
                Error::new_usage(message).help("give each instance an id of its own")
            }
        }
    }

    fn match_manifest(&self, look: &Look) -> Result<(), Error> {
        let Manifest { instances, instances_sha256, keys_sha256, .. } = &self.manifest;
        let (path, manifest) = (self.folder.join("instances.jsonl"), self.folder.join("manifest.json"));
        if let (Err(error), true) = (&look.sense, look.digests.0.is_empty()) {
            return Err(error.clone());
        }
        if look.instances < *instances {
            let message = format!(
                "`{}` has {} of the {instances} instances that `{}` states: the bundle is truncated",
                disk::show_path(&path),
                look.instances,
                disk::show_path(&manifest)
            );
            return Err(Error::new_usage(message).help(ADVICE));
        }
        if look.digests.0 != *instances_sha256 {
            return Err(build_changed_error(&path, &manifest));
        }
        if look.digests.1 != *keys_sha256 {
            return Err(build_changed_error(&self.folder.join("keys.jsonl"), &manifest));
        }
        Ok(())
    }

    /// Returns its identity, for a run.
    pub fn to_reference(&self) -> BundleRef {
        let Manifest { suite, .. } = &self.manifest;
        BundleRef {
            sha256: self.manifest.bundle_sha256.clone(),
            suite: suite.name.clone(),
            title: suite.title.clone(),
            version: suite.version.clone(),
            seed: self.manifest.seed.clone(),
            instances: self.manifest.instances,
            stages: self.manifest.options.stages,
        }
    }

    /// Opens its instances, one after the other, in the bundle's order.
    pub fn open_instances(&self) -> Result<Instances, Error> {
        self.open_with(Lines::open_whole)
    }

    fn open_with(&self, open: impl Fn(&Path) -> Result<Lines, Error>) -> Result<Instances, Error> {
        Instances::open_folder(&self.folder, self.manifest.options.split_keys, open)
    }

    /// Reads the content of a sandbox file.
    pub fn read_content<'a>(&self, content: &'a Content) -> Result<Cow<'a, [u8]>, Error> {
        match content {
            Content::Inline(bytes) => Ok(Cow::Borrowed(bytes)),
            Content::Below(path) => {
                check_file_path(path)?;
                let place = self.folder.join(path);
                let read = Folder::open(&self.folder).and_then(|folder| folder.read_file(path, FILE_LIMIT));
                let bytes = read.map_err(|error| Error::new_io("read", &place, &error))?;
                if let Some(files) = &self.files {
                    files.check_bytes(path, &bytes)?;
                }
                Ok(Cow::Owned(bytes))
            }
        }
    }

    /// Returns SHA-256 of the content of a sandbox file, in hexadecimal digits.
    ///
    /// # Errors
    /// It cannot be read, or the bundle has changed.
    pub fn digest_content(&self, content: &Content) -> Result<String, Error> {
        let path = match content {
            Content::Inline(bytes) => return Ok(disk::digest::hash_sha256(bytes)),
            Content::Below(path) => path,
        };
        if let Some(digest) = self.files.as_ref().map(|files| files.find_digest(path)).transpose()?.flatten() {
            return Ok(disk::digest::encode_hex(&digest));
        }
        let read = disk::digest::digest_file(&mut self.open_file(path)?);
        let (_, digest) = read.map_err(|error| Error::new_io("read", &self.folder.join(path), &error))?;
        Ok(disk::digest::encode_hex(&digest))
    }

    /// Returns the size of a file of the bundle in bytes.
    pub fn read_size(&self, path: &str) -> Result<u64, Error> {
        let metadata = self.open_file(path)?.metadata();
        metadata.map(|metadata| metadata.len()).map_err(|error| Error::new_io("read", &self.folder.join(path), &error))
    }

    /// Opens a file of the bundle. Its content has not been compared with the manifest.
    pub fn open_file(&self, path: &str) -> Result<File, Error> {
        check_file_path(path)?;
        let opened = Folder::open(&self.folder).and_then(|folder| folder.open_file(path));
        opened.map_err(|error| Error::new_io("read", &self.folder.join(path), &error))
    }

    /// Copies a file of the bundle, which may be large, to `to`. The copy is verified against the built file; returns its digest.
    pub fn copy_file(&self, path: &str, to: &mut File) -> Result<[u8; 32], Error> {
        let mut from = self.open_file(path)?;
        let place = self.folder.join(path);
        // Both are files, so Linux copies in the kernel, and the file system may let both share their blocks.
        std::io::copy(&mut from, to).map_err(|error| Error::new_io("copy", &place, &error))?;
        let (_, sha256) =
            disk::digest::digest_file(to).map_err(|error| Error::new_io("read a copy of", &place, &error))?;
        if let Some(files) = &self.files {
            files.check_copy(path, &sha256)?;
        }
        Ok(sha256)
    }
}

/// Rejects a path that is not that of a file of a bundle.
fn check_file_path(path: &str) -> Result<(), Error> {
    let outside = path.starts_with('/') || path.split('/').any(|part| part == "..");
    if outside || !(path.starts_with("files/") || path.starts_with(STATIC)) {
        return Err(Error::new_usage(format!("`{path}` is not a file of the bundle")));
    }
    Ok(())
}

/// How much of each instance is read.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Depth {
    /// What the whole bundle must agree on: its digests prove the rest.
    Heads,
    /// All of it.
    Whole,
}

/// The result of reading a bundle once.
struct Look {
    /// Number of lines of instances.
    instances: u64,
    /// Digests of `instances.jsonl` and, if keys are split, of `keys.jsonl`.
    digests: (String, Option<String>),
    /// The paths of files relative to the bundle, or the first inconsistency.
    sense: Result<BTreeSet<String>, Error>,
}

/// Reads `manifest.json` of a bundle: the needed part, and the whole object.
///
/// # Errors
/// It cannot be read, or this version does not support its schema.
pub fn read_manifest(folder: &Path) -> Result<(Manifest, Map<String, Json>), Error> {
    let path = folder.join("manifest.json");
    let advice = "give the folder that `picardc build … -o` wrote";
    let json: Map<String, Json> = read_json(&path, advice)?;
    let manifest: Manifest = serde_json::from_value(Json::Object(json.clone()))
        .map_err(|error| Error::new_usage(format!("`{}`: {error}", disk::show_path(&path))).help(advice))?;
    if !SCHEMAS.contains(&manifest.schema) {
        let (first, last) = (SCHEMAS.start(), SCHEMAS.end());
        let message = format!(
            "`{}` is of schema {}, this picardc reads {first} to {last}",
            disk::show_path(&path),
            manifest.schema
        );
        return Err(Error::new_usage(message).help("build the suite again with this picardc"));
    }
    Ok((manifest, json))
}

/// An instance as stored in a bundle.
#[derive(Clone, Debug, PartialEq)]
pub struct Parts {
    /// Its line of `instances.jsonl`.
    pub line: Json,
    /// Its line of `keys.jsonl`, if keys are split.
    pub key: Option<Json>,
    /// The instance in these lines.
    pub instance: Instance,
}

impl Parts {
    /// Moves the part that an agent must not see from the line to the form of a line of `keys.jsonl`: `{"id", "target", "expect", "draws"}`, and
    /// `stages` if there are any.
    pub fn extract_key(&mut self) -> Json {
        if let Some(key) = &self.key {
            return key.clone();
        }
        let mut key = Map::new();
        key.insert("id".to_owned(), self.instance.id.clone().into());
        if let Some(line) = self.line.as_object_mut()
            && let Some(target) = line.shift_remove("target")
        {
            key.insert("target".to_owned(), target);
        }
        let picard = self.line.pointer_mut("/metadata/picard").and_then(Json::as_object_mut);
        if let Some(picard) = picard {
            let kept = SECRET.iter().filter_map(|name| Some(((*name).to_owned(), picard.shift_remove(*name)?)));
            key.extend(kept);
        }
        Json::Object(key)
    }

    /// Returns the line as in a bundle without split keys.
    pub fn join_key(&self) -> Json {
        let mut line = self.line.clone();
        let Some(Json::Object(key)) = &self.key else { return line };
        for (name, value) in key {
            let place = match name.as_str() {
                name if SECRET.contains(&name) => line.pointer_mut("/metadata/picard"),
                _ => Some(&mut line),
            };
            if let Some(place) = place.and_then(Json::as_object_mut) {
                place.insert(name.clone(), value.clone());
            }
        }
        line
    }
}

/// The fields of `metadata.picard` that split keys move to `keys.jsonl`.
const SECRET: [&str; 3] = ["expect", "draws", "stages"];

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn line() -> Json {
        json!({"id": "q-1", "input": "?", "target": "7", "files": {}, "metadata": {"picard": {
            "schema": 1, "scorer": 2, "suite": "s", "version": "1", "task": "q", "sample": 1, "draws": {"n": 7},
            "expect": [{"subject": "reply", "match": "number", "value": 7, "options": {}, "weight": 1}], "tags": [],
        }}})
    }

    #[test]
    fn a_key_that_is_taken_out_can_be_put_back() {
        let instance = Instance::from_json(&line(), None).expect("an instance");
        let mut whole = Parts { line: line(), key: None, instance: instance.clone() };
        assert_eq!(whole.join_key(), line());
        let key = whole.extract_key();
        assert_eq!(key["target"], "7");
        assert_eq!((&key["id"], &key["draws"]["n"], &key["expect"][0]["value"]), (&json!("q-1"), &json!(7), &json!(7)));
        let public = whole.line.to_string();
        assert!(!public.contains("expect") && !public.contains("draws") && !public.contains("target"), "{public}");
        let mut split = Parts { line: whole.line, key: Some(key.clone()), instance: instance.clone() };
        assert_eq!(split.extract_key(), key);
        // JSON objects are compared without their order.
        assert_eq!(split.join_key(), line());
        assert_eq!(Instance::from_json(&split.join_key(), None), Ok(instance));
    }
}
