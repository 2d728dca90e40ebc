//! `run.json`: the bundle, the agent, and the limits of a run.

use std::fmt;
use std::path::Path;

use model::suite::StageMode;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use crate::{Error, Parameters, Price};

/// `run.json`, written before the first question.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct RunInfo {
    /// Version of the form of a run's folder: 1.
    pub schema: u32,
    /// The bundle.
    pub bundle: BundleRef,
    /// The agent: the value of `--agent`, without secrets.
    pub agent: String,
    /// Instances selected (`--task`, `--limit`) times trials: the number of lines expected in `responses.jsonl`.
    pub expected: u64,
    /// Number of trials of each instance.
    pub trials: u32,
    /// Time limit of an instance in seconds.
    pub timeout_s: u64,
    /// Maximum number of rounds of an agent.
    pub max_rounds: u32,
    /// Start of the run, in seconds since 1970.
    pub started: u64,
    /// `picardc` with its version.
    pub picardc: String,
    /// All parameters of the model and the agent, besides the limits above; absent in runs of older versions.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub parameters: Option<Parameters>,
    /// Files of the agent's program, or of `--read`, that were changed during the run (`--allow-changed`).
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub changed: Vec<String>,
    /// The price of a million tokens, if the user declared it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub price: Option<Price>,
    /// The confinement of the agent's program; absent for agents without one, and in runs of older versions.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sandbox: Option<Confinement>,
    /// The way in which sandboxes got their lakes; absent if no asked instance has one, and in runs of older versions.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub lakes: Option<Lakes>,
    /// The enforcement of the tools and numbers of calls that tasks declare; absent if no asked instance declares any, if the agent has no tools, and
    /// in runs of older versions.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tools: Option<LimitEnforcement>,
    /// Whether the bundle was used at least once without a check of its digests (`--unverified`): its questions or keys may differ from those that were built.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub unverified: bool,
}

/// Reads a `run.json` or `manifest.json`. `advice` says which folder has one.
pub(crate) fn read_json<T: DeserializeOwned>(path: &Path, advice: &str) -> Result<T, Error> {
    const MAX_BYTES: u64 = 64 << 20;
    let bytes = disk::read_within(path, MAX_BYTES)
        .map_err(|error| Error { help: Some(advice.into()), ..Error::new_io("read", path, &error) })?;
    serde_json::from_slice(&bytes)
        .map_err(|error| Error::new_usage(format!("`{}`: {error}", disk::show_path(path))).help(advice))
}

/// Maximum number of trials of an instance.
pub const MAX_TRIALS: u32 = 1_000;

impl RunInfo {
    /// Reads the `run.json` of a run's folder.
    ///
    /// # Errors
    /// It does not exist, cannot be read, has another schema, or contains impossible numbers.
    pub fn read_folder(folder: &Path) -> Result<RunInfo, Error> {
        let path = folder.join(RUN);
        let advice = "give a folder that `picardc run … -o` wrote";
        let info: RunInfo = read_json(&path, advice)?;
        if info.schema != 1 {
            let message = format!("`{}` is of schema {}, this picardc reads 1", disk::show_path(&path), info.schema);
            return Err(Error::new_usage(message).help("use the picardc that wrote it, or run the bundle again"));
        }
        let wrong = |what: String| {
            Err(Error::new_usage(format!("`{}` was changed: {what}", disk::show_path(&path)))
                .help("run the bundle again"))
        };
        let RunInfo { trials, expected, .. } = info;
        if !(1..=MAX_TRIALS).contains(&trials) {
            return wrong(format!("`trials` is {trials}, not 1 to {MAX_TRIALS}"));
        }
        if expected == 0 || expected % u64::from(trials) != 0 {
            return wrong(format!("`expected` is {expected}, not a number of instances times {trials} trials"));
        }
        if expected / u64::from(trials) > info.bundle.instances {
            let instances = info.bundle.instances;
            return wrong(format!(
                "`expected` is {expected}, more than the bundle's {instances} instances times {trials} trials"
            ));
        }
        Ok(info)
    }
}

/// The way in which the lakes of instances get into their sandboxes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Lakes {
    /// Each sandbox has copies of all files.
    Copied,
    /// The folders of large lakes are links to one read-only copy.
    Linked,
}

/// The enforcement of the tools and the number of calls that a task declares.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum LimitEnforcement {
    /// The agent has only these tools and this number of calls.
    Enforced,
    /// The agent was informed, and may or may not comply.
    Told,
    /// The agent has its own tools (`--ignore-tools`).
    Ignored,
}

/// The confinement of an agent's program to its sandbox.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Confinement {
    /// The extent to which the confinement requested by `picardc` was achieved.
    pub confined: Confined,
    /// The kernel's version of Landlock; 0 without it.
    pub landlock: i32,
    /// The missing parts with the reason, each as a phrase; empty if nothing is missing.
    pub missing: Vec<String>,
}

/// The extent of a confinement.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Confined {
    /// Everything is confined.
    All,
    /// Files are protected, but not everything else.
    Partly,
    /// Files outside of the sandbox are not protected.
    None,
}

impl Confinement {
    /// Records another missing part.
    pub fn note_missing(&mut self, what: String) {
        self.missing.push(what);
        if self.confined == Confined::All {
            self.confined = Confined::Partly;
        }
    }
}

/// Renders `partly confined (missing: …)`.
impl fmt::Display for Confinement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.confined {
            Confined::All => f.write_str("confined"),
            Confined::Partly => write!(f, "partly confined (missing: {})", self.missing.join("; ")),
            Confined::None => write!(f, "not confined (missing: {})", self.missing.join("; ")),
        }
    }
}

/// The identity of a bundle.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct BundleRef {
    /// `bundle_sha256` of its manifest.
    pub sha256: String,
    /// The suite's name.
    pub suite: String,
    /// The suite's title.
    pub title: String,
    /// The suite's version.
    pub version: String,
    /// The seed, as text.
    pub seed: String,
    /// Number of its instances.
    pub instances: u64,
    /// The mode in which the stages of its tasks are asked.
    #[serde(default, skip_serializing_if = "StageMode::is_whole")]
    pub stages: StageMode,
}

/// The folder of the bundle in a run's folder, if a suite was run.
pub const BUNDLE: &str = "bundle";
/// The file that describes the run.
pub const RUN: &str = "run.json";
/// The file of the asked instances, as in the bundle but without `files`.
pub const INSTANCES: &str = "instances.jsonl";
/// The file with one line per finished trial.
pub const RESPONSES: &str = "responses.jsonl";
/// The file with one line per instance and trial.
pub const SCORES: &str = "scores.jsonl";
/// The folder with one file `ID.TRIAL.jsonl` per finished trial: a message per line, `{"role", "content", …}`.
pub const TRANSCRIPTS: &str = "transcripts";
