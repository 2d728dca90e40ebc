//! `manifest.json`: the description of a bundle, and the digests that identify it.

use std::fs;
use std::sync::atomic::AtomicBool;

use disk::digest::hash_sha256;
use model::Plan;
use model::suite::StageMode;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value as Json};

use super::atomic::Staging;
use super::{SCHEMAS, Settings, Shard, Summary, choose_schema_version, failures};
use crate::{Failure, generate};

/// The content of `manifest.json`. It never depends on the clock, the machine, or the folder.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Manifest {
    /// Version of the bundle's form.
    pub schema: u32,
    /// Metadata of the suite.
    pub suite: ManifestSuite,
    /// Edition of the language that the bundle was built with.
    pub edition: u32,
    /// The seed, as text.
    pub seed: String,
    /// The other options that change the content.
    pub options: BuildOptions,
    /// Number of instances of each selected task in this bundle, in source order.
    pub tasks: Map<String, Json>,
    /// Number of instances in this bundle.
    pub instances: u64,
    /// The suite's canary.
    pub canary: Option<String>,
    /// [`compute_source_digest`] of all files that the suite was compiled from.
    pub source_sha256: String,
    /// Digest of `instances.jsonl`.
    pub instances_sha256: String,
    /// Digest of `keys.jsonl`, if keys are split.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub keys_sha256: Option<String>,
    /// Digest over the sorted lines `<sha256>  <path>` (each ended by a newline) of every file in `files/` and `static/`, with paths relative to the bundle.
    pub files_sha256: String,
    /// Digest over the digests above and all other fields except `compiler` (see `disk::digest::compute_seal`).
    pub bundle_sha256: String,
    /// The compiler that wrote the bundle.
    pub compiler: Compiler,
}

/// Metadata of the suite.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[allow(missing_docs)]
pub struct ManifestSuite {
    pub name: String,
    pub title: String,
    pub version: String,
    pub license: Option<String>,
    pub authors: Vec<String>,
}

/// The build options that change content.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct BuildOptions {
    /// `--samples`
    pub samples: Option<u32>,
    /// `--task`
    pub task: Option<String>,
    /// `--sandbox-root`
    pub sandbox_root: String,
    /// `--inline`
    pub inline: bool,
    /// `--split-keys`
    pub split_keys: bool,
    /// `--no-traps`
    #[serde(skip_serializing_if = "std::ops::Not::not", default)]
    pub no_traps: bool,
    /// `--shard`
    pub shard: Option<Shard>,
    /// `--stages`
    #[serde(skip_serializing_if = "StageMode::is_whole", default)]
    pub stages: StageMode,
}

/// The compiler that wrote a bundle.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[allow(missing_docs)]
pub struct Compiler {
    pub name: String,
    pub version: String,
}

/// Maximum size of a `manifest.json` in bytes; a larger one is not read.
pub(super) const MANIFEST_LIMIT: u64 = 64 << 20;

/// The compiler's name in a manifest.
pub(super) const COMPILER: &str = "picardc";

impl Manifest {
    /// Creates a manifest with every field except digests and counts.
    pub(super) fn new(plan: &Plan, options: &generate::Options, settings: &Settings) -> Manifest {
        let suite = &plan.suite;
        Manifest {
            schema: choose_schema_version(plan),
            suite: ManifestSuite {
                name: suite.name.clone(),
                title: suite.title.clone(),
                version: suite.version.clone(),
                license: suite.license.clone(),
                authors: suite.authors.clone(),
            },
            edition: plan.edition,
            seed: options.seed.clone(),
            options: BuildOptions {
                samples: options.samples,
                task: options.task.clone(),
                sandbox_root: options.sandbox_root.clone(),
                inline: settings.inline,
                split_keys: settings.split_keys,
                no_traps: !options.traps,
                shard: settings.shard,
                stages: plan.asked,
            },
            tasks: Map::new(),
            instances: 0,
            canary: suite.canary.clone(),
            source_sha256: settings.source_sha256.clone(),
            instances_sha256: String::new(),
            keys_sha256: None,
            files_sha256: String::new(),
            bundle_sha256: String::new(),
            compiler: settings.compiler.clone(),
        }
    }

    /// Sets `bundle_sha256`, writes the file (indented JSON and a newline), and moves the finished bundle of this number of files into place.
    pub(super) fn write_bundle(
        mut self,
        staging: Staging,
        files: u64,
        cancel: &AtomicBool,
    ) -> Result<Summary, Failure> {
        let fields = match serde_json::to_value(&self) {
            Ok(Json::Object(fields)) => fields,
            _ => Map::new(),
        };
        self.bundle_sha256 = disk::digest::compute_seal(&fields);
        let text = serde_json::to_string_pretty(&self).unwrap_or_default() + "\n";
        fs::write(staging.folder().join("manifest.json"), text)
            .map_err(|error| failures::new_io("write manifest.json", &error))?;
        failures::check_cancelled(cancel)?;
        staging.commit_folder()?;
        Ok(Summary { instances: self.instances, files, bundle_sha256: self.bundle_sha256 })
    }

    /// Parses the bytes of a `manifest.json`; the failure says why they are not a readable one.
    pub fn from_bytes(bytes: &[u8]) -> Result<Manifest, Failure> {
        let json: Json =
            serde_json::from_slice(bytes).map_err(|error| failures::new_usage(format!("it is not JSON: {error}")))?;
        if json.pointer("/compiler/name").and_then(Json::as_str) != Some(COMPILER) {
            return Err(failures::new_usage("it was not written by picardc"));
        }
        match json.get("schema").and_then(Json::as_u64) {
            Some(schema) if u32::try_from(schema).is_ok_and(|schema| SCHEMAS.contains(&schema)) => {}
            Some(schema) => {
                let (first, last) = (SCHEMAS.start(), SCHEMAS.end());
                let message = format!("its schema is {schema}; this picardc reads schemas {first} to {last}");
                return Err(failures::new_usage(message));
            }
            None => return Err(failures::new_usage("it names no schema")),
        }
        serde_json::from_value(json).map_err(|error| failures::new_usage(error.to_string()))
    }
}

/// Computes the digest of a suite's sources: over the sorted lines `<sha256>  <path>` of every file read. Paths are relative to the project folder,
/// whose place therefore does not matter.
pub fn compute_source_digest<'a>(files: impl IntoIterator<Item = (&'a str, String)>) -> String {
    let mut lines: Vec<String> = files.into_iter().map(|(path, sha256)| format!("{sha256}  {path}\n")).collect();
    lines.sort_unstable();
    hash_sha256(lines.concat().as_bytes())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn foreign_manifests_are_told_apart() {
        assert!(Manifest::from_bytes(b"{").is_err_and(|why| why.message.starts_with("it is not JSON: ")));
        assert!(Manifest::from_bytes(b"{}").is_err_and(|why| why.message == "it was not written by picardc"));
        let newer = br#"{"compiler":{"name":"picardc","version":"9"},"schema":3}"#;
        assert!(Manifest::from_bytes(newer).is_err_and(|why| why.message.contains("schema is 3")));
    }

    #[test]
    fn order_of_sources_does_not_matter() {
        let [a, b] = [("a.pcd", "x"), ("b.csv", "y")].map(|(path, text)| (path, hash_sha256(text.as_bytes())));
        assert_eq!(compute_source_digest([a.clone(), b.clone()]), compute_source_digest([b.clone(), a.clone()]));
        assert_ne!(compute_source_digest([a.clone(), b]), compute_source_digest([a]));
    }
}
