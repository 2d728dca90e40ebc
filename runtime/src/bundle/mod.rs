//! From instances to bundles: a folder that a harness reads (`manifest.json`, `instances.jsonl`, `files/`, `static/`, `keys.jsonl`).
//!
//! [`write_bundle()`] makes the instances of a [`Source`] on several threads and writes them in their order; [`merge_bundles()`] joins shards.
//! Both build next to OUT and move the result into place, so OUT never holds half a bundle. What is written depends
//! only on the source and the options, not on the clock, the machine, the number of threads, or the folder.

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
pub use data_uri::write_data_uri;
pub use manifest::{BuildOptions, Compiler, Manifest, ManifestSuite, compute_source_digest};
pub use merge::merge_bundles;
pub use record::{FilesAs, Recorder};
pub use shard::{BadShard, Shard};
pub use target::{Target, build_target};
pub use write::write_bundle;

use model::Plan;
use model::suite::FileContent;

use crate::Failure;
use crate::generate::{Address, Generator, Instance, Options};

/// The versions of the bundle's form that can be read.
pub const SCHEMAS: std::ops::RangeInclusive<u32> = 1..=2;

/// The version of the form of a suite's bundles: the first that has what is in them. Version 2 has `static/` and `lakes`,
/// and stages.
pub fn choose_schema_version(plan: &Plan) -> u32 {
    let lends = |file: &model::suite::File| matches!(file.content, FileContent::FixtureByRow(_));
    let is_lent = plan.tasks.iter().flat_map(|task| &task.files).any(lends);
    if plan.lakes.is_empty() && plan.asked.is_whole() && !is_lent { 1 } else { 2 }
}

/// The version of the rules that score it.
pub const SCORER: u32 = model::Scorer::CURRENT.number();

/// What bundles are made from: a [`Generator`], or a substitute in tests.
pub trait Source: Sync {
    /// The plan.
    fn plan(&self) -> &Plan;
    /// The options of generation, which the manifest records.
    fn options(&self) -> &Options;
    /// How many instances there are.
    fn count_instances(&self) -> u64;
    /// The address of the `index`-th instance, from 0, in the bundle's order.
    fn resolve_address(&self, index: u64) -> Option<Address>;
    /// Samples of each selected task, in the bundle's order: (index of the task, samples).
    fn list_sample_counts(&self) -> Vec<(u32, u32)>;
    /// Makes an instance, by this number of threads.
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
        Generator::count(self)
    }

    fn resolve_address(&self, index: u64) -> Option<Address> {
        Generator::address(self, index)
    }

    fn list_sample_counts(&self) -> Vec<(u32, u32)> {
        Generator::samples(self)
    }

    fn generate_instance(&self, address: Address, threads: usize) -> Result<Instance, Failure> {
        self.instance_by(address, threads)
    }
}

/// Told how far the work is, on the thread that called.
pub trait Progress {
    /// `n` more instances are written.
    fn report_written(&self, n: u64);
}

/// Nobody wants to know.
impl Progress for () {
    fn report_written(&self, _n: u64) {}
}

/// How a bundle is written. The first three fields change its content and are recorded in the manifest.
#[derive(Clone, Debug, Default)]
pub struct Settings {
    /// File content goes into `instances.jsonl` as `data:` URIs, instead of into `files/`.
    pub inline: bool,
    /// What a solver must not see goes into `keys.jsonl`.
    pub split_keys: bool,
    /// Only this part.
    pub shard: Option<Shard>,
    /// [`compute_source_digest`] of what the plan was compiled from.
    pub source_sha256: String,
    /// Which compiler wrote it.
    pub compiler: Compiler,
    /// How many threads make instances; 0 for as many as the machine has cores.
    pub threads: usize,
    /// An OUT that holds a bundle is replaced.
    pub force: bool,
    /// The folder of the suite, where files that are handed out as they are lie. Only suites with lakes need it.
    pub project: Option<disk::Folder>,
}

/// What was written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Summary {
    /// How many instances.
    pub instances: u64,
    /// How many files of sandboxes, in `files/` and `static/`.
    pub files: u64,
    /// What the manifest says.
    pub bundle_sha256: String,
}
