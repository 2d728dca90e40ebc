//! The state of the server between two messages.

use std::collections::BTreeMap;
use std::sync::Arc;

use compiler::host::Observer;
use gen_lsp_types::Diagnostic;
use model::Plan;

use crate::client::Client;
use crate::disk::MakeHost;
use crate::workspace::Workspace;

/// Analyzes a task of a plan. Returns the report as Markdown, or the reason for a failure.
pub type Analyze = Arc<dyn Fn(&Plan, &str) -> Result<String, String> + Send + Sync>;

/// Formats a source.
pub type Format = Arc<dyn Fn(&str) -> Result<String, String> + Send + Sync>;

/// Creates the observer of the suite whose root file is at a path.
pub type MakeObserver = Arc<dyn Fn(&str) -> Box<dyn Observer> + Send + Sync>;

/// The functions that the program provides when it starts the server.
#[derive(Clone)]
pub struct ServerHooks {
    /// Creates hosts, which provide the compiler with files and SQLite.
    pub host: MakeHost,
    /// Runs `picardc analyze` on a task.
    pub analyze: Analyze,
    /// Runs `picardc fmt` on a source; without it, the server does not offer formatting.
    pub format: Option<Format>,
    /// Draws samples of suites without errors; without it, or without threads, nothing is drawn.
    pub observe: Option<MakeObserver>,
}

/// The state of the server.
pub struct State {
    /// The capabilities of the editor.
    pub client: Client,
    /// Buffers and suites.
    pub workspace: Workspace,
    /// Runs `picardc analyze` on a task.
    pub analyze: Analyze,
    /// Runs `picardc fmt` on a source.
    pub format: Option<Format>,
    /// Draws samples of suites.
    pub observe: Option<MakeObserver>,
    /// The diagnostics that were last published, by path, with the version of the text.
    pub published: BTreeMap<String, (Option<i32>, Vec<Diagnostic>)>,
    /// Samples of domains, by the text that was compiled for them.
    pub sampled: BTreeMap<String, Vec<String>>,
}

impl State {
    /// The initial state.
    pub fn new(client: Client, outside: ServerHooks) -> State {
        let mut workspace = Workspace::new(outside.host);
        workspace.encoding = client.encoding;
        workspace.folders.clone_from(&client.folders);
        State {
            client,
            workspace,
            analyze: outside.analyze,
            format: outside.format,
            observe: outside.observe,
            published: BTreeMap::new(),
            sampled: BTreeMap::new(),
        }
    }
}
