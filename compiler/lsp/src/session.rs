//! The server without threads and without a connection, for programs that have neither, such as a web worker: it receives a message and returns the answer.
//!
//! As in [`crate::serve_editor`], requests that occur during typing are answered from the last compiled suite. The program decides when diagnostics are
//! computed: it requests them when no message is waiting.

use std::sync::Arc;

use compiler::Compiled;
use gen_lsp_types::InitializeParams;
use lsp_server::{Notification, Request, Response};
use serde_json::Value;

use crate::capabilities::build_initialize_result;
use crate::client::Client;
use crate::dispatch::{answer_request, apply_edit, handle_notification};
use crate::error::{NotificationError, ServerError};
use crate::features::diagnostics::collect_diagnostic_notifications;
use crate::front::is_at_once;
use crate::state::{ServerHooks, State};

/// One editor's session.
pub struct Session {
    /// The current buffers, and the suites as last compiled.
    front: State,
    /// Compiles, and answers all other requests.
    back: State,
}

impl Session {
    /// Begins a session from the parameters of the editor's `initialize`. Returns it with the result of that request.
    ///
    /// # Errors
    /// Returns [`ServerError::Initialize`] if the parameters are not understood.
    pub fn from_initialize(params: Value, outside: &ServerHooks) -> Result<(Session, Value), ServerError> {
        let params: InitializeParams = serde_json::from_value(params).map_err(ServerError::Initialize)?;
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
            return answer_request(back, asked).0;
        }
        let (answer, _) = answer_request(front, asked.clone());
        // The other state reads the files; from then on, their contents are cached here too.
        if front.workspace.disk.take_missing() { answer_request(back, asked).0 } else { answer }
    }

    /// Applies a notification.
    ///
    /// # Errors
    /// Returns the reason why the notification has no effect.
    pub fn handle_notification(&mut self, notification: &Notification) -> Result<(), NotificationError> {
        let workspace = &mut self.front.workspace;
        apply_edit(&mut workspace.documents, workspace.encoding, notification)?;
        handle_notification(&mut self.back, notification).map(|_| ())
    }

    /// Compiles, and returns the diagnostics of every open text that changed since the last call, as notifications for the editor.
    pub fn collect_diagnostics(&mut self) -> Vec<Notification> {
        collect_diagnostic_notifications(&mut self.back)
    }

    /// Discards everything that was compiled, because files that suites read have changed.
    pub fn discard_compiled(&mut self) {
        self.front.workspace.discard_all();
        self.back.workspace.discard_all();
    }

    /// The suite whose root is the open text at `path`, the same version that its diagnostics describe; `None` if another text or no text is open. Compiles if
    /// something changed since.
    pub fn compile_open_text(&mut self, path: &str, text: &[u8]) -> Option<Arc<Compiled>> {
        let workspace = &mut self.back.workspace;
        workspace.documents.get(path).filter(|document| document.text.as_bytes() == text)?;
        Some(Arc::clone(&workspace.compile_suite(path).analysed.compiled))
    }

    /// The open texts with their paths, sorted by path.
    pub fn iter_texts(&self) -> impl Iterator<Item = (&str, &str)> {
        self.back.workspace.documents.iter().map(|(path, document)| (path.as_str(), document.text.as_str()))
    }
}
