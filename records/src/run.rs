//! `run.json`: which bundle was run, by whom, and within which limits.

use serde::{Deserialize, Serialize};

/// `run.json`, written before the first question.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct RunInfo {
    /// The version of the form of a run's folder: 1.
    pub schema: u32,
    /// What was run.
    pub bundle: BundleRef,
    /// Who answered: the `--agent` given (without secrets).
    pub agent: String,
    /// Instances selected (`--task`, `--limit`) times trials: so many lines are expected in `responses.jsonl`.
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
}

/// Which bundle.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
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
}

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
