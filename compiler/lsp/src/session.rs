//! The server without threads and without a connection, for programs that have neither, such as a worker of a browser: a message in, its answer out.
//!
//! As in [`crate::serve_editor`], what is asked while one types is answered from the suite as it was last compiled. When diagnostics are made is up to the
//! program: it asks for them when no message waits.

use std::sync::Arc;

use compiler::Compiled;
use gen_lsp_types::InitializeParams;
use lsp_server::{Notification, Request, Response};
use serde_json::Value;

use crate::capabilities::{Client, build_initialize_result};
use crate::dispatch::{answer_request, apply_edit, handle_notification};
use crate::features::diagnostics::collect_diagnostic_notifications;
use crate::front::is_at_once;
use crate::state::{ServerHooks, State};

/// One editor's session.
pub struct Session {
    /// Buffers as they are, suites as they were last compiled.
    front: State,
    /// Compiles, and answers everything else.
    back: State,
}

impl Session {
    /// Begins one, from the parameters of the editor's `initialize`. Returns it with the result of that request.
    ///
    /// # Errors
    /// The parameters are not understood: why, as a sentence.
    pub fn from_initialize(params: Value, outside: &ServerHooks) -> Result<(Session, Value), String> {
        let params: InitializeParams =
            serde_json::from_value(params).map_err(|error| format!("`initialize` is not understood: {error}"))?;
        let client = Client::new(&params);
        let answer = build_initialize_result(&client, outside);
        let front = State::new(client.clone(), outside.clone());
        let mut back = State::new(client, outside.clone());
        back.workspace.disk.allow_reads();
        Ok((Session { front, back }, answer))
    }

    /// Answers a request.
    pub fn answer_request(&mut self, asked: Request) -> Response {
        let Session { front, back } = self;
        if !is_at_once(front, &asked, || back.workspace.take_snapshot()) {
            return answer_request(back, asked);
        }
        let answer = answer_request(front, asked.clone());
        // Files are read by the other state; from then on their contents are known here, too.
        if front.workspace.disk.take_missing() { answer_request(back, asked) } else { answer }
    }

    /// Takes note of a notification.
    ///
    /// # Errors
    /// A sentence for a log.
    pub fn handle_notification(&mut self, notification: &Notification) -> Result<(), String> {
        let workspace = &mut self.front.workspace;
        apply_edit(&mut workspace.documents, workspace.encoding, notification)?;
        handle_notification(&mut self.back, notification).map(|_| ())
    }

    /// The diagnostics of every open text that changed since they were last asked for, as notifications for the editor. Compiles.
    pub fn collect_diagnostics(&mut self) -> Vec<Notification> {
        collect_diagnostic_notifications(&mut self.back)
    }

    /// Files that suites read are other ones now: nothing that was compiled from them is kept.
    pub fn discard_compiled(&mut self) {
        self.front.workspace.discard_all();
        self.back.workspace.discard_all();
    }

    /// The suite whose root is the open text at `path`, as its diagnostics were made from it; `None` if another text is open, or none. Compiles if
    /// something changed since.
    pub fn compile_open_text(&mut self, path: &str, text: &[u8]) -> Option<Arc<Compiled>> {
        let workspace = &mut self.back.workspace;
        workspace.documents.get(path).filter(|document| document.text.as_bytes() == text)?;
        Some(Arc::clone(&workspace.compile_suite(path).analysed.compiled))
    }

    /// The texts that are open, by path.
    pub fn iter_texts(&self) -> impl Iterator<Item = (&str, &str)> {
        self.back.workspace.documents.iter().map(|(path, document)| (path.as_str(), document.text.as_str()))
    }
}
