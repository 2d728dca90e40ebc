//! The requests of a page.

use serde::Deserialize;
use serde_json::Value;

/// A request, such as `{"do": "check", "path": "suites/past.pcd"}`.
#[derive(Debug, Deserialize)]
#[serde(tag = "do", rename_all = "snake_case")]
pub enum Request {
    /// Replaces all files.
    Files {
        /// The files.
        files: Vec<Given>,
    },
    /// Sends a message of an editor to the language server. The answer contains the messages for the editor.
    Lsp {
        /// The message, in JSON-RPC format.
        message: Value,
    },
    /// Returns the diagnostics that changed since the last such request, as messages for the editor.
    Publish,
    /// Compiles a suite. Returns its diagnostics in the format of `check --format json`, and its tasks.
    Check {
        /// The path of the root source.
        path: String,
    },
    /// Shows one instance to people.
    Preview {
        /// The path of the root source.
        path: String,
        /// The instance.
        #[serde(flatten)]
        which: InstanceSelector,
    },
    /// Returns lines of `instances.jsonl` in the format of `build --inline`.
    Lines {
        /// The path of the root source.
        path: String,
        /// The seed.
        seed: String,
        /// The number of samples of each task; if missing, the numbers in the suite.
        samples: Option<u32>,
        /// The index of the first instance, from 0.
        from: u64,
        /// The index after the last instance, limited to their number.
        to: u64,
    },
    /// Returns the bytes of a file of an instance.
    File {
        /// The path of the root source.
        path: String,
        /// The instance.
        #[serde(flatten)]
        which: InstanceSelector,
        /// The path in the sandbox.
        file: String,
    },
    /// Scores a reply.
    Grade {
        /// The path of the root source.
        path: String,
        /// The instance.
        #[serde(flatten)]
        which: InstanceSelector,
        /// The final reply.
        reply: String,
        /// The written files, as paths in the sandbox and texts.
        #[serde(default)]
        files: Vec<(String, String)>,
        /// Whether the oracle's changes of files are made first.
        #[serde(default)]
        solved: bool,
    },
    /// Returns a correct response.
    Solve {
        /// The path of the root source.
        path: String,
        /// The instance.
        #[serde(flatten)]
        which: InstanceSelector,
    },
    /// Analyzes samples of a task. Returns the report for people, and the document of `analyze --format json`.
    Analyze {
        /// The path of the root source.
        path: String,
        /// The name of the task.
        task: String,
        /// The number of samples.
        samples: u32,
    },
    /// Formats a source.
    Format {
        /// The text of the source.
        text: String,
    },
    /// Returns the page of a diagnostic, as Markdown.
    Explain {
        /// The code, such as `E0203`, or the name.
        code: String,
    },
}

/// A file of the page.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Given {
    /// The path, with `/`.
    pub path: String,
    /// The content, if it is a text.
    pub text: Option<String>,
    /// The content in base64, otherwise.
    pub base64: Option<String>,
}

/// An instance, by its position.
#[derive(Clone, Debug, Deserialize)]
pub struct InstanceSelector {
    /// The name of the task; if missing, the first one.
    pub task: Option<String>,
    /// The index of the cell of its axes, from 0.
    #[serde(default)]
    pub cell: u32,
    /// The index of its variant, from 0.
    #[serde(default)]
    pub variant: u32,
    /// The number of the sample, from 1.
    #[serde(default = "default_sample")]
    pub sample: u32,
    /// The seed, a number or any text.
    #[serde(default = "default_seed")]
    pub seed: String,
}

fn default_sample() -> u32 {
    1
}

fn default_seed() -> String {
    "1".to_owned()
}
