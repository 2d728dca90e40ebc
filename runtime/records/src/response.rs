//! The responses of an agent: one line of `responses.jsonl` for each finished trial of an instance.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde::{Deserialize, Serialize};

use crate::money::Money;

/// Maximum size in bytes of a sandbox file that is kept.
pub const FILE_LIMIT: u64 = 16 << 20;

/// Maximum total size in bytes of the files kept from one sandbox.
pub const TOTAL_LIMIT: u64 = 64 << 20;

/// The response to one instance in one trial, with the parts of the sandbox that its answer key reads.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Response {
    /// The instance.
    pub id: String,
    /// The number of the trial of the same instance, from 1.
    pub trial: u32,
    /// The way in which it ended.
    pub status: Status,
    /// The reason for a failure: a sentence for people.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub error: Option<String>,
    /// The final reply, unchanged; empty without a reply.
    pub reply: String,
    /// The path in the sandbox (spelled as in the answer key; folders with a trailing `/`), and the content found there.
    #[serde(default)]
    pub files: Vec<(String, Captured)>,
    /// Number of inference rounds, which are messages of the assistant. `None` if the agent does not report it.
    #[serde(default)]
    pub rounds: Option<u32>,
    /// Number of tool calls. `None` if the agent does not report it.
    #[serde(default)]
    pub tool_calls: Option<u32>,
    /// Number of failed SQL calls that were followed by another one (schemadex's retries).
    #[serde(default)]
    pub sql_retries: Option<u32>,
    /// Tokens of the prompt, as counted by the endpoint.
    #[serde(default)]
    pub prompt_tokens: Option<u64>,
    /// Tokens of the completion, as counted by the endpoint.
    #[serde(default)]
    pub completion_tokens: Option<u64>,
    /// The cost as reported by the agent, otherwise computed from its tokens if their price is known. `None` if neither is available.
    #[serde(default)]
    pub cost: Option<Money>,
    /// Number of attempts: 1, and one more for each retry.
    #[serde(default)]
    pub attempts: u32,
    /// Milliseconds from the question to the end, for the last attempt.
    #[serde(default)]
    pub wall_ms: u64,
    /// Milliseconds from the question to the first tool call.
    #[serde(default)]
    pub first_tool_ms: Option<u64>,
    /// Milliseconds from the question to the first SQL.
    #[serde(default)]
    pub first_sql_ms: Option<u64>,
    /// The SQL that a program reports to have run, in order; `None` if it does not report it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sql: Option<Vec<String>>,
    /// Number of unreadable lines in the record of MCP calls; `None` if all are readable.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub damaged_calls: Option<u32>,
    /// Number of places with a masked secret; `None` without any.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub masked: Option<u32>,
}

model::worded! {
    /// The way in which a trial ended. Every status except `done` and `max_rounds` counts as incorrect, regardless of the sandbox.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
    #[serde(rename_all = "snake_case")]
    pub enum Status {
        /// The agent reported that it was done.
        #[default]
        Done = "done",
        /// The agent was stopped after the maximum number of rounds; its results are scored.
        MaxRounds = "max_rounds",
        /// The time limit was exceeded.
        Timeout = "timeout",
        /// The agent, or the connection to it, failed.
        Failed = "failed",
        /// The trial has no response (never in `responses.jsonl`; only in scores).
        Missing = "missing",
    }
}

impl Status {
    /// Checks whether the reply and the files are scored.
    pub fn is_scored(self) -> bool {
        matches!(self, Status::Done | Status::MaxRounds)
    }
}

/// The content at a path of the sandbox when the agent was done.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Captured {
    /// Nothing.
    Absent,
    /// A folder.
    Folder,
    /// A UTF-8 file.
    Text {
        /// The whole content.
        text: String,
    },
    /// A file that is not UTF-8.
    Bytes {
        /// The whole content.
        #[serde(deserialize_with = "deserialize_base64")]
        base64: String,
    },
    /// A file that exceeds the maximum size.
    TooLarge {
        /// Its size in bytes.
        size: u64,
    },
    /// All paths in the sandbox, in order; folders with a trailing `/`.
    Paths {
        /// The paths, relative to the sandbox.
        paths: Vec<String>,
        /// SHA-256 of each of them in hexadecimal digits, `None` for what is not a file of the start; empty if the digests were not asked for.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        sha256: Vec<Option<String>>,
    },
    /// Neither file nor folder, or a link that leaves the sandbox.
    Other {
        /// Its description for people.
        what: String,
    },
}

/// Deserializes text that is valid base64; other text is an error, because it would count as a file that is not text.
fn deserialize_base64<'de, D: serde::Deserializer<'de>>(from: D) -> Result<String, D::Error> {
    let text = String::deserialize(from)?;
    match STANDARD.decode(&text) {
        Ok(_) => Ok(text),
        Err(error) => Err(serde::de::Error::custom(format_args!("`base64` is not base64: {error}"))),
    }
}

impl Captured {
    /// Creates the content from a file's bytes.
    ///
    /// ```
    /// use records::Captured;
    ///
    /// let text = Captured::from_bytes(b"caf\xc3\xa9".to_vec());
    /// assert_eq!(text, Captured::Text { text: "café".to_owned() });
    /// // Other bytes survive too.
    /// let latin = Captured::from_bytes(b"caf\xe9".to_vec());
    /// assert_eq!(latin, Captured::Bytes { base64: "Y2Fm6Q==".to_owned() });
    /// assert_eq!(latin.to_bytes().as_deref(), Some(&b"caf\xe9"[..]));
    /// assert_eq!((Captured::Absent.to_bytes(), Captured::Absent.is_file()), (None, false));
    /// ```
    pub fn from_bytes(bytes: Vec<u8>) -> Captured {
        match String::from_utf8(bytes) {
            Ok(text) => Captured::Text { text },
            Err(error) => Captured::Bytes { base64: STANDARD.encode(error.as_bytes()) },
        }
    }

    /// Returns a file's bytes, if it is a file and was kept completely.
    pub fn to_bytes(&self) -> Option<Vec<u8>> {
        match self {
            Captured::Text { text } => Some(text.clone().into_bytes()),
            Captured::Bytes { base64 } => STANDARD.decode(base64).ok(),
            _ => None,
        }
    }

    /// Checks whether a file of any size was at the path.
    pub fn is_file(&self) -> bool {
        matches!(self, Captured::Text { .. } | Captured::Bytes { .. } | Captured::TooLarge { .. })
    }
}
