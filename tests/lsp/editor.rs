//! An editor: starts a server on a thread and talks to it.

use std::thread::JoinHandle;
use std::time::Duration;

use lsp::ServerHooks;
use lsp_server::{Connection, Message, Notification, Request, RequestId, Response};
use serde_json::{Value, json};

/// An editor with a server.
pub struct Editor {
    connection: Connection,
    server: Option<JoinHandle<Result<(), lsp::ServerError>>>,
    next: i32,
    version: i32,
    /// Notifications that arrived while an answer was waited for.
    pub heard: Vec<Notification>,
    /// What the server asked meanwhile; each was answered with nothing.
    pub asked: Vec<Request>,
    /// What the server said it can do.
    pub capabilities: Value,
}

impl Editor {
    /// One that knows everything that the server can make use of, and counts bytes.
    pub fn new() -> Editor {
        Editor::with(Editor::capable())
    }

    /// All that the server can make use of.
    pub fn capable() -> Value {
        json!({
            "general": { "positionEncodings": ["utf-8", "utf-16"] },
            "workspace": { "workspaceEdit": { "documentChanges": true }, "textDocumentContent": {} },
            "textDocument": { "completion": { "completionItem": { "snippetSupport": true } } },
        })
    }

    /// One with these capabilities.
    pub fn with(capabilities: Value) -> Editor {
        Editor::serving(capabilities, picardc::lsp::build_outside())
    }

    /// One whose server reaches the outside through `outside`.
    pub fn serving(capabilities: Value, outside: ServerHooks) -> Editor {
        let (connection, theirs) = Connection::memory();
        let server = std::thread::spawn(move || lsp::serve_editor(&theirs, outside));
        let mut editor = Editor {
            connection,
            server: Some(server),
            next: 0,
            version: 0,
            heard: Vec::new(),
            asked: Vec::new(),
            capabilities: Value::Null,
        };
        let answer =
            editor.ask("initialize", json!({ "processId": null, "rootUri": null, "capabilities": capabilities }));
        editor.capabilities = answer["capabilities"].clone();
        editor.tell("initialized", json!({}));
        editor
    }

    /// Sends a notification.
    pub fn tell(&self, method: &str, params: Value) {
        self.send(Notification { method: method.to_owned(), params }.into());
    }

    /// Sends a request without waiting.
    pub fn begin(&mut self, method: &str, params: Value) -> RequestId {
        self.next += 1;
        let id = RequestId::from(self.next);
        self.send(Request { id: id.clone(), method: method.to_owned(), params }.into());
        id
    }

    /// Waits for the answer to a request.
    pub fn wait(&mut self, id: &RequestId) -> Response {
        loop {
            match self.receive() {
                Message::Response(response) if response.id == *id => return response,
                Message::Response(other) => panic!("an answer to nothing: {other:?}"),
                Message::Notification(notification) => {
                    assert_ne!(notification.method, "window/logMessage", "{}", notification.params);
                    self.heard.push(notification);
                }
                Message::Request(request) => self.hear_question(request),
            }
        }
    }

    /// The result of a request that must not fail.
    pub fn ask(&mut self, method: &str, params: Value) -> Value {
        let id = self.begin(method, params);
        let response = self.wait(&id);
        match response.response_result {
            Ok(result) => result,
            Err(error) => panic!("{method}: {error:?}"),
        }
    }

    /// The words with which a request is refused.
    pub fn refused(&mut self, method: &str, params: Value) -> String {
        let id = self.begin(method, params);
        let response = self.wait(&id);
        match response.response_result {
            Ok(result) => panic!("{method} was answered: {result}"),
            Err(error) => error.message,
        }
    }

    /// Opens a document.
    pub fn open(&mut self, uri: &str, text: &str) {
        let item = json!({ "uri": uri, "languageId": "pcd", "version": 1, "text": text });
        self.tell("textDocument/didOpen", json!({ "textDocument": item }));
    }

    /// Replaces the text of a document.
    pub fn replace(&mut self, uri: &str, text: &str) {
        self.version += 1;
        let document = json!({ "uri": uri, "version": self.version + 1 });
        self.tell("textDocument/didChange", json!({ "textDocument": document, "contentChanges": [{ "text": text }] }));
    }

    /// The next diagnostics of a document.
    pub fn diagnostics(&mut self, uri: &str) -> Vec<Value> {
        self.next_diagnostics(uri)["diagnostics"].as_array().expect("a list").clone()
    }

    /// The same, as they were sent.
    pub fn next_diagnostics(&mut self, uri: &str) -> Value {
        let wanted = |notification: &Notification| {
            notification.method == "textDocument/publishDiagnostics" && notification.params["uri"] == uri
        };
        if let Some(at) = self.heard.iter().position(&wanted) {
            return self.heard.remove(at).params;
        }
        loop {
            match self.receive() {
                Message::Notification(notification) if wanted(&notification) => {
                    return notification.params;
                }
                Message::Notification(notification) => {
                    assert_ne!(notification.method, "window/logMessage", "{}", notification.params);
                    self.heard.push(notification);
                }
                Message::Request(request) => self.hear_question(request),
                other => panic!("not diagnostics: {other:?}"),
            }
        }
    }

    /// The next thing that the server asks.
    pub fn question(&mut self) -> Request {
        while self.asked.is_empty() {
            match self.receive() {
                Message::Request(request) => self.hear_question(request),
                Message::Notification(notification) => self.heard.push(notification),
                Message::Response(other) => panic!("an answer to nothing: {other:?}"),
            }
        }
        self.asked.remove(0)
    }

    fn hear_question(&mut self, request: Request) {
        self.send(Response::new_ok(request.id.clone(), Value::Null).into());
        self.asked.push(request);
    }

    fn send(&self, message: Message) {
        self.connection.sender.send(message).expect("the server listens");
    }

    fn receive(&self) -> Message {
        self.connection.receiver.recv_timeout(Duration::from_secs(60)).expect("the server speaks")
    }

    /// Says goodbye, and sees the server end well.
    pub fn close(mut self) {
        self.ask("shutdown", Value::Null);
        self.tell("exit", Value::Null);
        let server = self.server.take().expect("a server");
        server.join().expect("no panic").expect("a good end");
    }
}

/// A text with its cursors taken out, and where each stood: line and byte, from 0.
pub fn cursors(marked: &str) -> (String, Vec<(u32, u32)>) {
    let mut places = Vec::new();
    let mut text = String::new();
    for (index, part) in marked.split('‸').enumerate() {
        if index > 0 {
            let line = text.matches('\n').count() as u32;
            places.push((line, (text.len() - text.rfind('\n').map_or(0, |newline| newline + 1)) as u32));
        }
        text.push_str(part);
    }
    (text, places)
}

/// What names a place in a document.
pub fn place(uri: &str, (line, character): (u32, u32)) -> Value {
    json!({ "textDocument": { "uri": uri }, "position": { "line": line, "character": character } })
}
