//! What a page can ask.

use serde::Deserialize;
use serde_json::Value;

/// A request: `{"do": "check", "path": "suites/past.pcd"}`.
#[derive(Debug, Deserialize)]
#[serde(tag = "do", rename_all = "snake_case")]
pub enum Request {
    /// Replaces all files.
    Files {
        /// The files.
        files: Vec<Given>,
    },
    /// A message of an editor to the language server; answered with those for the editor.
    Lsp {
        /// The message, as JSON-RPC has it.
        message: Value,
    },
    /// The diagnostics that changed since they were last asked for, as messages for the editor.
    Publish,
    /// Compiles a suite: its diagnostics as `check --format json` has them, and its tasks.
    Check {
        /// Its root source.
        path: String,
    },
    /// One instance, for people.
    Preview {
        /// The root source.
        path: String,
        /// Which instance.
        #[serde(flatten)]
        which: InstanceSelector,
    },
    /// Lines of `instances.jsonl` as `build --inline` writes them.
    Lines {
        /// The root source.
        path: String,
        /// The seed.
        seed: String,
        /// Samples of each task; those of the suite, if it is not given.
        samples: Option<u32>,
        /// The first instance, from 0.
        from: u64,
        /// The one after the last; cut to their number.
        to: u64,
    },
    /// The bytes of a file of an instance.
    File {
        /// The root source.
        path: String,
        /// Which instance.
        #[serde(flatten)]
        which: InstanceSelector,
        /// Its path in the sandbox.
        file: String,
    },
    /// The score of a reply.
    Grade {
        /// The root source.
        path: String,
        /// Which instance.
        #[serde(flatten)]
        which: InstanceSelector,
        /// The final reply.
        reply: String,
        /// The files that were written, by path in the sandbox, as texts.
        #[serde(default)]
        files: Vec<(String, String)>,
        /// The changes of the oracle are made first, to files alone.
        #[serde(default)]
        solved: bool,
    },
    /// A response that is correct.
    Solve {
        /// The root source.
        path: String,
        /// Which instance.
        #[serde(flatten)]
        which: InstanceSelector,
    },
    /// What samples of a task tell: the report for people, and the document of `analyze --format json`.
    Analyze {
        /// The root source.
        path: String,
        /// The task's name.
        task: String,
        /// How many samples.
        samples: u32,
    },
    /// A source in canonical layout.
    Format {
        /// The source.
        text: String,
    },
    /// The page of a diagnostic, as Markdown.
    Explain {
        /// `E0203`, or its name.
        code: String,
    },
}

/// A file of the page.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Given {
    /// Its path, with `/`.
    pub path: String,
    /// Its content, if it is a text.
    pub text: Option<String>,
    /// Its content otherwise.
    pub base64: Option<String>,
}

/// An instance, by place.
#[derive(Clone, Debug, Deserialize)]
pub struct InstanceSelector {
    /// The task's name; the first one, if it is not given.
    pub task: Option<String>,
    /// The index of the cell of its axes, from 0.
    #[serde(default)]
    pub cell: u32,
    /// The index of its variant, from 0.
    #[serde(default)]
    pub variant: u32,
    /// From 1.
    #[serde(default = "default_sample")]
    pub sample: u32,
    /// A number or any text.
    #[serde(default = "default_seed")]
    pub seed: String,
}

fn default_sample() -> u32 {
    1
}

fn default_seed() -> String {
    "1".to_owned()
}
