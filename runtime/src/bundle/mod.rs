//! Writes instances as a bundle: a folder that a harness reads (`manifest.json`, `instances.jsonl`, `files/`, `static/`, `keys.jsonl`).
//!
//! [`write_bundle()`] makes the instances of a [`Source`] on several threads and writes them in order; [`merge_bundles()`] joins shards. Both build
//! next to OUT and move the result into place, so OUT never contains half a bundle. The output depends only on the source and the options, not on the
//! clock, the machine, the number of threads, or the folder.

mod atomic;
mod data_uri;
mod digest;
mod failures;
mod layout;
mod manifest;
mod merge;
mod record;
mod shard;
mod statics;
mod sync;
mod target;
mod window;
mod write;

pub use atomic::Staging;
pub use manifest::{BuildOptions, Compiler, Manifest, ManifestSuite, compute_source_digest};
pub use merge::merge_bundles;
pub use record::{FilesAs, Recorder};
pub use shard::Shard;
pub use target::{Target, build_target};
pub use write::write_bundle;

use model::Plan;
use model::suite::FileContent;

use crate::Failure;
use crate::generate::{Address, Generator, Instance, Options};

/// The readable versions of the bundle's form.
pub const SCHEMAS: std::ops::RangeInclusive<u32> = 1..=2;

/// Returns the version of the form of a suite's bundles: the lowest one that supports their content. Version 2 has `static/`, `lakes`, and stages.
pub fn choose_schema_version(plan: &Plan) -> u32 {
    let lends = |file: &model::suite::File| matches!(file.content, FileContent::FixtureByRow(_));
    let is_lent = plan.tasks.iter().flat_map(|task| &task.files).any(lends);
    if plan.lakes.is_empty() && plan.asked.is_whole() && !is_lent { 1 } else { 2 }
}

/// Version of the scoring rules.
pub const SCORER: u32 = model::Scorer::CURRENT.number();

/// A source of instances for a bundle: a [`Generator`], or a substitute in tests.
pub trait Source: Sync {
    /// Returns the plan.
    fn plan(&self) -> &Plan;
    /// Returns the options of generation, which the manifest records.
    fn options(&self) -> &Options;
    /// Returns the number of instances.
    fn count_instances(&self) -> u64;
    /// Returns the address of the instance at `index`, counted from 0 in the bundle's order.
    fn resolve_address(&self, index: u64) -> Option<Address>;
    /// Returns the number of samples of each selected task, in the bundle's order: (index of the task, samples).
    fn list_sample_counts(&self) -> Vec<(u32, u32)>;
    /// Makes an instance on this number of threads.
    fn generate_instance(&self, address: Address, threads: usize) -> Result<Instance, Failure>;
}

impl Source for Generator<'_> {
    fn plan(&self) -> &Plan {
        Generator::plan(self)
    }

    fn options(&self) -> &Options {
        Generator::options(self)
    }

    fn count_instances(&self) -> u64 {
        Generator::count_instances(self)
    }

    fn resolve_address(&self, index: u64) -> Option<Address> {
        Generator::resolve_address(self, index)
    }

    fn list_sample_counts(&self) -> Vec<(u32, u32)> {
        Generator::list_sample_counts(self)
    }

    fn generate_instance(&self, address: Address, threads: usize) -> Result<Instance, Failure> {
        self.generate_with_threads(address, threads)
    }
}

/// Receives the progress of the work, on the calling thread.
pub trait Progress {
    /// Reports that `n` more instances are written.
    fn report_written(&self, n: u64);
}

/// Ignores the progress.
impl Progress for () {
    fn report_written(&self, _n: u64) {}
}

/// Options of writing a bundle. The first three fields change its content and are recorded in the manifest.
#[derive(Clone, Debug, Default)]
pub struct Settings {
    /// Writes file content into `instances.jsonl` as `data:` URIs, not into `files/`.
    pub inline: bool,
    /// Writes everything that a solver must not see into `keys.jsonl`.
    pub split_keys: bool,
    /// Writes only this part.
    pub shard: Option<Shard>,
    /// [`compute_source_digest`] of the sources of the plan.
    pub source_sha256: String,
    /// The compiler that writes the bundle.
    pub compiler: Compiler,
    /// Number of threads that make instances; 0 means one per core.
    pub threads: usize,
    /// Replaces an OUT that contains a bundle.
    pub force: bool,
    /// The folder of the suite, which contains the files that are copied unchanged. Only suites with lakes need it.
    pub project: Option<disk::Folder>,
}

/// The result of writing a bundle.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Summary {
    /// Number of instances.
    pub instances: u64,
    /// Number of sandbox files, in `files/` and `static/`.
    pub files: u64,
    /// The digest of the bundle in the manifest.
    pub bundle_sha256: String,
}
