//! `run.json`: which bundle was run, by whom, and within which limits.

use std::fmt;
use std::path::Path;

use model::suite::StageMode;
use serde::{Deserialize, Serialize};

use crate::{Error, Parameters, Price};

/// `run.json`, written before the first question.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct RunInfo {
    /// The version of the form of a run's folder: 1.
    pub schema: u32,
    /// What was run.
    pub bundle: BundleRef,
    /// Who answered: the `--agent` given (without secrets).
    pub agent: String,
    /// Instances selected (`--task`, `--limit`) times trials: the number of lines expected in `responses.jsonl`.
    pub expected: u64,
    /// How often each instance is asked.
    pub trials: u32,
    /// Seconds an instance may take.
    pub timeout_s: u64,
    /// The most rounds an agent may take.
    pub max_rounds: u32,
    /// Seconds since 1970 when it was begun.
    pub started: u64,
    /// `picardc` and its version.
    pub picardc: String,
    /// All that reaches the model or shapes the agent, besides the limits above; absent in runs of older versions.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub parameters: Option<Parameters>,
    /// Files of the agent's program, or of `--read`, that were changed while the run was going on (`--allow-changed`).
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub changed: Vec<String>,
    /// What a million tokens cost, where the user said it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub price: Option<Price>,
    /// How the agent's program was confined; absent for agents without one, and in runs of older versions.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sandbox: Option<Confinement>,
    /// How sandboxes got their lakes; absent if no instance that is asked has one, and in runs of older versions.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub lakes: Option<Lakes>,
    /// How the tools and numbers of calls that tasks state bound the agent; absent if no instance that is asked states any, if the agent has no tools, and
    /// in runs of older versions.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tools: Option<LimitEnforcement>,
    /// Whether the bundle was once taken without a look at its digests (`--unverified`): its questions or keys may not be those that were built.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub unverified: bool,
}

/// The most bytes of a `run.json` or `manifest.json` that is read.
pub(crate) const JSON_LIMIT: u64 = 64 << 20;

/// An instance is asked at most so often.
pub const MAX_TRIALS: u32 = 1_000;

impl RunInfo {
    /// Reads the `run.json` of a run's folder.
    ///
    /// # Errors
    /// It is not there, cannot be read, is of another schema, or states numbers that no run has.
    pub fn read_folder(folder: &Path) -> Result<RunInfo, Error> {
        let path = folder.join(RUN);
        let advice = "give a folder that `picardc run … -o` wrote";
        let bytes = disk::read_within(&path, JSON_LIMIT)
            .map_err(|error| Error { help: Some(advice.into()), ..Error::new_io("read", &path, &error) })?;
        let info: RunInfo = serde_json::from_slice(&bytes)
            .map_err(|error| Error::new_usage(format!("`{}`: {error}", disk::show_path(&path))).help(advice))?;
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

/// How the lakes of instances get to their sandboxes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Lakes {
    /// Each sandbox has copies of all files.
    Copied,
    /// The folders of large lakes are links to one read-only copy.
    Linked,
}

/// How the tools and the number of calls that a task states bind an agent.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum LimitEnforcement {
    /// It has these tools and no others, and no more calls.
    Enforced,
    /// It was told, and holds itself to it or not.
    Told,
    /// It has tools of its own (`--ignore-tools`).
    Ignored,
}

/// How an agent's program was kept from everything outside its sandbox.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Confinement {
    /// How much of what `picardc` asks of the system held.
    pub confined: Confined,
    /// The version of Landlock that the kernel has; 0: none.
    pub landlock: i32,
    /// What did not hold, and why, each a phrase; none where all held.
    pub missing: Vec<String>,
}

/// How much held.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Confined {
    /// Everything.
    All,
    /// Files were protected, but not everything else.
    Partly,
    /// Files outside the sandbox were not protected.
    None,
}

impl Confinement {
    /// Notes something else that does not hold.
    pub fn note_missing(&mut self, what: String) {
        self.missing.push(what);
        if self.confined == Confined::All {
            self.confined = Confined::Partly;
        }
    }
}

/// `partly confined (missing: …)`
impl fmt::Display for Confinement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.confined {
            Confined::All => f.write_str("confined"),
            Confined::Partly => write!(f, "partly confined (missing: {})", self.missing.join("; ")),
            Confined::None => write!(f, "not confined (missing: {})", self.missing.join("; ")),
        }
    }
}

/// Which bundle.
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
    /// How many instances it has.
    pub instances: u64,
    /// How the stages of its tasks are asked.
    #[serde(default, skip_serializing_if = "StageMode::is_whole")]
    pub stages: StageMode,
}

/// The bundle that was built into a run's folder, where a suite was run.
pub const BUNDLE: &str = "bundle";
/// Files of a run's folder.
pub const RUN: &str = "run.json";
/// The instances asked, as in the bundle but without `files`.
pub const INSTANCES: &str = "instances.jsonl";
/// One line a finished trial.
pub const RESPONSES: &str = "responses.jsonl";
/// One line an instance and trial.
pub const SCORES: &str = "scores.jsonl";
/// One file `ID.TRIAL.jsonl` a finished trial: a message a line, `{"role", "content", …}`.
pub const TRANSCRIPTS: &str = "transcripts";
