//! Settings that some agents need besides their name.

use std::path::PathBuf;

use records::Price;
use serde_json::{Map, Value as Json};

/// Settings that some agents need besides their name.
#[derive(Clone, Default)]
pub struct Settings {
    /// The API key of a chat endpoint. It is sent only there, and never saved.
    pub api_key: Option<String>,
    /// The temperature asked for.
    pub temperature: Option<f64>,
    /// The share of the most likely tokens from which the server draws.
    pub top_p: Option<f64>,
    /// The maximum number of tokens of a message.
    pub max_tokens: Option<u64>,
    /// The seed for the server's draws.
    pub model_seed: Option<u64>,
    /// Further parameters of each request.
    pub request: Map<String, Json>,
    /// Replaces the default system prompt. If it is empty, no system prompt is sent.
    pub system: Option<String>,
    /// The price of a million tokens, for agents that report tokens but no cost.
    pub price: Option<Price>,
    /// Names of environment variables that a program gets.
    pub env: Vec<String>,
    /// Paths that a program may read, in addition to the system's and its own.
    pub read: Vec<PathBuf>,
    /// Bytes of memory for each process of a program.
    pub memory: u64,
    /// Whether a program may use Unix sockets.
    pub unix: bool,
    /// Paths that a program must not read: the bundle with its keys, and the run.
    pub hidden: Vec<PathBuf>,
    /// Whether all sandboxes are one folder, which the user named.
    pub fixed_sandbox: bool,
}
