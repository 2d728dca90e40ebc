//! The state between requests, and the function for each request.

use std::collections::BTreeMap;
use std::sync::Arc;

use analysis::RunOptions;
use api::Suite;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use compiler::diagnostics::{find_code_by_id, find_code_by_name};
use compiler::fmt::format_source;
use compiler::host::Host;
use lsp::{ServerHooks, Session};
use lsp_server::{Message, Response};
use serde_json::{Value, json};

use crate::error::RequestError;
use crate::files::{Files, Served};
use crate::request::{Given, InstanceSelector, Request};
use crate::{instance, suite};

/// The number of compilations after which the host is replaced: it caches the answers of SQLite, and would grow without limit.
const FRESH: u32 = 500;

/// The number of samples for the analysis of a task in the editor.
const SAMPLES: u32 = 200;

/// The state of a page: its files, the session of its editor, and the compiled suites.
#[derive(Default)]
pub struct Playground {
    files: Files,
    session: Option<Session>,
    host: Option<(Served, u32)>,
    /// The compiled suites by root source, since the last change of the files.
    compiled: BTreeMap<String, Arc<Suite>>,
}

impl Playground {
    /// Answers a request, `{"do": …}`, with `{"ok": …}` or `{"error": "a sentence"}`.
    pub fn answer_request(&mut self, request: &str) -> String {
        let answer = match serde_json::from_str(request) {
            Ok(request) => self.handle_request(request),
            Err(error) => Err(RequestError::new(format!("the request is not understood: {error}"))),
        };
        match answer {
            Ok(value) => json!({ "ok": value }),
            Err(error) => json!({ "error": error.to_string() }),
        }
        .to_string()
    }

    fn handle_request(&mut self, request: Request) -> Result<Value, RequestError> {
        match request {
            Request::Files { files } => self.replace_files(files),
            Request::Lsp { message } => self.send_to_editor(message),
            Request::Publish => Ok(self.collect_notifications()),
            Request::Check { path } => Ok(suite::check_suite(&self.compile_suite(&path))),
            Request::Preview { path, which } => Ok(instance::build_preview(&self.build_instance(&path, &which)?)),
            Request::Lines { path, seed, samples, from, to } => {
                suite::render_lines(&self.compile_suite(&path), &self.files, &path, seed, samples, from..to)
            }
            Request::File { path, which, file } => instance::encode_file(&self.build_instance(&path, &which)?, &file),
            Request::Grade { path, which, reply, files, solved } => {
                instance::grade_reply(&self.build_instance(&path, &which)?, reply, files, solved)
            }
            Request::Solve { path, which } => instance::solve_instance(&self.build_instance(&path, &which)?),
            Request::Analyze { path, task, samples } => suite::analyze_task(&self.compile_suite(&path), &task, samples),
            Request::Format { text } => format_source(&text).map(Value::from).map_err(RequestError::new),
            Request::Explain { code } => explain_code(&code),
        }
    }

    fn replace_files(&mut self, files: Vec<Given>) -> Result<Value, RequestError> {
        let mut all = BTreeMap::new();
        for Given { path, text, base64 } in files {
            let bytes = match (text, base64) {
                (Some(text), None) => text.into_bytes(),
                (None, Some(base64)) => {
                    let decoded = STANDARD.decode(base64);
                    decoded.map_err(|error| RequestError::new(format!("`{path}` is not base64: {error}")))?
                }
                _ => return Err(RequestError::new(format!("`{path}` needs either `text` or `base64`"))),
            };
            all.insert(path.trim_start_matches('/').to_owned(), bytes.into());
        }
        self.files.replace_all(all);
        self.compiled.clear();
        if let Some(session) = self.session.as_mut() {
            session.discard_compiled();
        }
        Ok(Value::Null)
    }

    /// Returns the suite at a path, compiled once for each state of the files. If its text is open in the editor, the result of the editor's session is used.
    fn compile_suite(&mut self, path: &str) -> Arc<Suite> {
        if let Some(known) = self.compiled.get(path) {
            return Arc::clone(known);
        }
        let open = format!("/{}", path.trim_start_matches('/'));
        let text = self.files.get_file(path);
        let shared =
            self.session.as_mut().zip(text).and_then(|(session, text)| session.compile_open_text(&open, &text));
        let suite = Arc::new(match shared {
            Some(compiled) => Suite::from_compiled(compiled),
            None => self.compile_file(path),
        });
        self.compiled.insert(path.to_owned(), Arc::clone(&suite));
        suite
    }

    fn compile_file(&mut self, path: &str) -> Suite {
        let (host, used) = match self.host.take() {
            Some((host, used)) if used < FRESH => (host, used + 1),
            _ => (self.files.build_host(), 0),
        };
        let suite = Suite::compile(path, &host);
        self.host = Some((host, used));
        suite
    }

    fn build_instance(&mut self, path: &str, which: &InstanceSelector) -> Result<api::Instance, RequestError> {
        instance::build_instance(&self.compile_suite(path), &self.files, path, which)
    }

    /// Passes a message to the language server. The first one must be `initialize`.
    fn send_to_editor(&mut self, message: Value) -> Result<Value, RequestError> {
        let message: Message = serde_json::from_value(message)
            .map_err(|error| RequestError::new(format!("the message is not understood: {error}")))?;
        let answer = match message {
            Message::Request(request) if request.method == "initialize" => {
                let (session, result) =
                    Session::from_initialize(request.params, &self.build_outside()).map_err(RequestError::new)?;
                self.session = Some(session);
                Some(Response::new_ok(request.id, result))
            }
            Message::Request(request) if request.method == "shutdown" => {
                self.session = None;
                Some(Response::new_ok(request.id, Value::Null))
            }
            Message::Request(request) => {
                let session = self.session.as_mut();
                let session =
                    session.ok_or_else(|| RequestError::new("the session has not begun: send `initialize` first"))?;
                Some(session.answer_request(request))
            }
            Message::Notification(notification) => {
                if let Some(session) = self.session.as_mut() {
                    session.handle_notification(&notification).map_err(RequestError::new)?;
                    self.take_texts();
                }
                None
            }
            Message::Response(_) => None,
        };
        Ok(answer.into_iter().map(|answer| encode_rpc(answer.into())).collect())
    }

    /// Stores the open texts as files.
    fn take_texts(&mut self) {
        let Some(session) = &self.session else { return };
        let mut changed = false;
        for (path, text) in session.iter_texts() {
            changed |= self.files.put_file(path, text.as_bytes());
        }
        if changed {
            self.compiled.clear();
        }
    }

    fn collect_notifications(&mut self) -> Value {
        let sent = self.session.as_mut().map(Session::collect_diagnostics).unwrap_or_default();
        sent.into_iter().map(|notification| encode_rpc(notification.into())).collect()
    }

    fn build_outside(&self) -> ServerHooks {
        let files = self.files.clone();
        ServerHooks {
            host: Arc::new(move |_| Box::new(files.build_host()) as Box<dyn Host>),
            analyze: Arc::new(|plan, task| {
                let report = analysis::analyze_task(plan, task, SAMPLES, RunOptions::ALONE);
                let report = report.map_err(|failure| failure.message)?;
                Ok(format!("# {task}\n\n```text\n{}\n```\n", report.trim_end()))
            }),
            format: Some(Arc::new(|text| format_source(text).map_err(|refusal| refusal.to_string()))),
            // A page has no thread for it, and must answer at once.
            observe: None,
        }
    }
}

/// Encodes a message in JSON-RPC format.
fn encode_rpc(message: Message) -> Value {
    let mut value = serde_json::to_value(message).unwrap_or_default();
    value["jsonrpc"] = "2.0".into();
    value
}

fn explain_code(code: &str) -> Result<Value, RequestError> {
    let known = find_code_by_id(&code.to_ascii_uppercase()).or_else(|| find_code_by_name(code));
    let known = known.ok_or_else(|| RequestError::new(format!("unknown code `{code}`")))?;
    Ok(json!({ "code": known.id, "name": known.name, "page": known.page }))
}
