//! Options of a run, and the observer of its progress.

use std::path::PathBuf;
use std::time::Duration;

use records::{Instance, Price, Response};

/// The options of a run.
pub struct Options<'a> {
    /// The agent, as the user named it, without secrets.
    pub agent: String,
    /// Which instances are asked.
    pub select: &'a (dyn Fn(&Instance) -> bool + Sync),
    /// The maximum number of instances, spread over tasks, cells, and variants; `None` for all.
    pub limit: Option<u64>,
    /// Whether a resumed run repeats failed trials.
    pub retry_failed: bool,
    /// The number of trials of each instance.
    pub trials: u32,
    /// The time limit of one attempt.
    pub timeout: Duration,
    /// The most rounds of inference.
    pub max_rounds: u32,
    /// The price of a million tokens, as given to the agent.
    pub price: Option<Price>,
    /// The maximum number of retries after an error that may be temporary.
    pub retries: u32,
    /// The pause before the first retry; it is doubled for each further one.
    pub retry_pause: Duration,
    /// How many instances are asked in parallel.
    pub concurrency: usize,
    /// A folder that is the sandbox of all instances, one after the other.
    pub sandbox: Option<PathBuf>,
    /// Whether sandboxes get links to one read-only copy of a large lake, instead of copies.
    pub link_lakes: bool,
    /// Whether an agent with its own tools is asked even if tasks state tools.
    pub ignore_tools: bool,
    /// Whether a run is resumed even if files of the agent's program were changed.
    pub allow_changed: bool,
    /// `picardc` and its version.
    pub picardc: String,
    /// The current time, in seconds since 1970.
    pub now: u64,
}

/// Receives the progress of a run. It is called on the thread that called [`run_bundle`](super::run_bundle).
pub trait Observer {
    /// Called before the first question: the run needs `expected` responses, and `there` of them already exist.
    fn begin_run(&self, expected: u64, there: u64);
    /// Called with a note for the user.
    fn report_note(&self, text: &str);
    /// Called when a response is saved and scored.
    fn report_response(&self, response: &Response, correct: bool);
}
