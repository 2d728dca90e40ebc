//! What the server knows between two messages.

use std::collections::BTreeMap;
use std::sync::Arc;

use gen_lsp_types::Diagnostic;
use model::Plan;

use crate::capabilities::Client;
use crate::workspace::{MakeHost, Workspace};

/// Judges a task of a plan: the report as Markdown, or why there is none.
pub type Analyze = Arc<dyn Fn(&Plan, &str) -> Result<String, String> + Send + Sync>;

/// Lays out a source.
pub type Format = Arc<dyn Fn(&str) -> Result<String, String> + Send + Sync>;

/// What the program that starts the server provides.
#[derive(Clone)]
pub struct ServerHooks {
    /// Gives the compiler files and SQLite.
    pub host: MakeHost,
    /// What `picardc analyze` says of a task.
    pub analyze: Analyze,
    /// What `picardc fmt` makes of a source; without it the server does not offer to.
    pub format: Option<Format>,
}

/// What the server knows.
pub struct State {
    /// What the editor can do.
    pub client: Client,
    /// Buffers and suites.
    pub workspace: Workspace,
    /// What `picardc analyze` says of a task.
    pub analyze: Analyze,
    /// What `picardc fmt` makes of a source.
    pub format: Option<Format>,
    /// What the editor was last told, by path, and of which version of the text.
    pub published: BTreeMap<String, (Option<i32>, Vec<Diagnostic>)>,
    /// Samples of domains, by what was compiled for them.
    pub sampled: BTreeMap<String, Vec<String>>,
}

impl State {
    /// At the beginning.
    pub fn new(client: Client, outside: ServerHooks) -> State {
        let mut workspace = Workspace::new(outside.host);
        workspace.encoding = client.encoding;
        workspace.folders.clone_from(&client.folders);
        State {
            client,
            workspace,
            analyze: outside.analyze,
            format: outside.format,
            published: BTreeMap::new(),
            sampled: BTreeMap::new(),
        }
    }
}
