//! What an agent did: one line of `responses.jsonl` for each finished trial of an instance.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde::{Deserialize, Serialize};

use crate::money::Money;

/// The largest file of a sandbox that is kept, in bytes.
pub const FILE_LIMIT: u64 = 16 << 20;

/// The most bytes that are kept of one sandbox.
pub const TOTAL_LIMIT: u64 = 64 << 20;

/// The answer to one instance, in one trial, and what its answer key reads of the sandbox.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Response {
    /// The instance.
    pub id: String,
    /// Which of several tries at the same instance, from 1.
    pub trial: u32,
    /// How it ended.
    pub status: Status,
    /// Why, where it did not end well: a sentence for people.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub error: Option<String>,
    /// The final reply, as it came; empty where there was none.
    pub reply: String,
    /// Path in the sandbox (as the answer key spells it; folders with a trailing `/`) and what was found there.
    #[serde(default)]
    pub files: Vec<(String, Captured)>,
    /// Inference rounds: messages of the assistant. `None` where the agent does not tell.
    #[serde(default)]
    pub rounds: Option<u32>,
    /// Calls of tools. `None` where the agent does not tell.
    #[serde(default)]
    pub tool_calls: Option<u32>,
    /// Calls of SQL that failed and were followed by another (schemadex's retries).
    #[serde(default)]
    pub sql_retries: Option<u32>,
    /// Tokens read, as the endpoint counts them.
    #[serde(default)]
    pub prompt_tokens: Option<u64>,
    /// Tokens written, as the endpoint counts them.
    #[serde(default)]
    pub completion_tokens: Option<u64>,
    /// What it cost: as the agent says it, else from its tokens where their price is known. `None` where neither is.
    #[serde(default)]
    pub cost: Option<Money>,
    /// How often it was begun: 1, and one more for each retry.
    #[serde(default)]
    pub attempts: u32,
    /// Milliseconds from the question to the end, of the last attempt.
    #[serde(default)]
    pub wall_ms: u64,
    /// Milliseconds from the question to the first call of a tool.
    #[serde(default)]
    pub first_tool_ms: Option<u64>,
    /// Milliseconds from the question to the first SQL.
    #[serde(default)]
    pub first_sql_ms: Option<u64>,
    /// The SQL that a program says it ran, in order; `None` where it does not tell.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sql: Option<Vec<String>>,
    /// Lines of the record of calls over MCP that cannot be read; `None` where all can.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub damaged_calls: Option<u32>,
    /// In how many places there was a secret that is masked; `None` where there was none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub masked: Option<u32>,
}

/// How a trial ended. Every status but `done` and `max_rounds` counts as incorrect, whatever is in the sandbox.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Status {
    /// The agent said it was done.
    #[default]
    Done,
    /// It was stopped after the most rounds allowed; what it left is scored.
    MaxRounds,
    /// Its time was up.
    Timeout,
    /// The agent, or the way to it, failed.
    Failed,
    /// The trial has no response (never in `responses.jsonl`; only in scores).
    Missing,
}

impl Status {
    /// As it is written.
    pub fn word(self) -> &'static str {
        match self {
            Status::Done => "done",
            Status::MaxRounds => "max_rounds",
            Status::Timeout => "timeout",
            Status::Failed => "failed",
            Status::Missing => "missing",
        }
    }

    /// Whether the reply and the files are scored.
    pub fn is_scored(self) -> bool {
        matches!(self, Status::Done | Status::MaxRounds)
    }
}

/// What was at a path of the sandbox when the agent was done.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Captured {
    /// Nothing.
    Absent,
    /// A folder.
    Folder,
    /// A file of UTF-8.
    Text {
        /// All of it.
        text: String,
    },
    /// A file of other bytes.
    Bytes {
        /// All of it.
        #[serde(deserialize_with = "deserialize_base64")]
        base64: String,
    },
    /// A file that is larger than what is kept.
    TooLarge {
        /// Its size in bytes.
        size: u64,
    },
    /// All paths in the sandbox, in order; folders with a trailing `/`.
    Paths {
        /// They, below the sandbox.
        paths: Vec<String>,
    },
    /// Neither file nor folder, or a link that leaves the sandbox.
    Other {
        /// What it is, for people.
        what: String,
    },
}

/// Text in base64, and nothing else: what cannot be decoded would count as a file that is not text.
fn deserialize_base64<'de, D: serde::Deserializer<'de>>(from: D) -> Result<String, D::Error> {
    let text = String::deserialize(from)?;
    match STANDARD.decode(&text) {
        Ok(_) => Ok(text),
        Err(error) => Err(serde::de::Error::custom(format_args!("`base64` is not base64: {error}"))),
    }
}

impl Captured {
    /// Of a file's bytes.
    pub fn from_bytes(bytes: Vec<u8>) -> Captured {
        match String::from_utf8(bytes) {
            Ok(text) => Captured::Text { text },
            Err(error) => Captured::Bytes { base64: STANDARD.encode(error.as_bytes()) },
        }
    }

    /// A file's bytes, if it is one and all of it was kept.
    pub fn to_bytes(&self) -> Option<Vec<u8>> {
        match self {
            Captured::Text { text } => Some(text.clone().into_bytes()),
            Captured::Bytes { base64 } => STANDARD.decode(base64).ok(),
            _ => None,
        }
    }

    /// Whether a file of any size was at the path.
    pub fn is_file(&self) -> bool {
        matches!(self, Captured::Text { .. } | Captured::Bytes { .. } | Captured::TooLarge { .. })
    }
}
