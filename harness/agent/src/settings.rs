//! What some agents need besides their name.

use std::path::PathBuf;

use records::Price;
use serde_json::{Map, Value as Json};

/// What some agents need besides their name.
#[derive(Clone, Default)]
pub struct Settings {
    /// The secret of a chat endpoint. It is sent there, and written nowhere.
    pub api_key: Option<String>,
    /// The temperature asked for.
    pub temperature: Option<f64>,
    /// The share of the most likely tokens that are drawn from.
    pub top_p: Option<f64>,
    /// The most tokens of a message.
    pub max_tokens: Option<u64>,
    /// The seed that the model draws with.
    pub model_seed: Option<u64>,
    /// Further parameters of each request.
    pub request: Map<String, Json>,
    /// What the model is told before the question, in place of our own words. If it is empty, it is told nothing.
    pub system: Option<String>,
    /// What a million tokens cost, for agents that tell their tokens and not what they cost.
    pub price: Option<Price>,
    /// Names of environment variables that a program gets.
    pub env: Vec<String>,
    /// What a program may read besides the system's and its own.
    pub read: Vec<PathBuf>,
    /// Bytes of memory for each process of a program.
    pub memory: u64,
    /// Whether a program may use Unix sockets.
    pub unix: bool,
    /// What a program must not read: the bundle with its keys, and the run.
    pub hidden: Vec<PathBuf>,
    /// Whether all sandboxes are one folder, which the user named.
    pub fixed_sandbox: bool,
}
