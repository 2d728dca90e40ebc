//! What is kept between two requests, and which function answers which.

use std::collections::BTreeMap;
use std::sync::Arc;

use analysis::Effort;
use api::Suite;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use compiler::diagnostics::{by_id, by_name};
use compiler::host::Host;
use lsp::{Outside, Session};
use lsp_server::{Message, Response};
use model::Plan;
use serde_json::{Value, json};

use crate::files::{Files, Served};
use crate::request::{Given, Request};
use crate::{instance, suite};

/// A host caches what SQLite said. It is replaced after this number of compilations, or the cache would only grow.
const FRESH: u32 = 500;

/// The number of samples that judge a task while its author waits.
const SAMPLES: u32 = 200;

/// A page's picardc: its files, its editor's session, and the suites compiled from them.
#[derive(Default)]
pub struct Playground {
    files: Files,
    session: Option<Session>,
    host: Option<(Served, u32)>,
    /// By root, since the files last changed.
    compiled: BTreeMap<String, Arc<Suite>>,
}

impl Playground {
    /// Answers a request, `{"do": …}`, with `{"ok": …}`, or `{"error": "a sentence"}`.
    pub fn ask(&mut self, request: &str) -> String {
        let answer = match serde_json::from_str(request) {
            Ok(request) => self.answer(request),
            Err(error) => Err(format!("the request is not understood: {error}")),
        };
        match answer {
            Ok(value) => json!({ "ok": value }),
            Err(why) => json!({ "error": why }),
        }
        .to_string()
    }

    fn answer(&mut self, request: Request) -> Result<Value, String> {
        match request {
            Request::Files { files } => self.replace(files),
            Request::Lsp { message } => self.editor(message),
            Request::Publish => Ok(self.publish()),
            Request::Check { path } => Ok(suite::check(&self.suite(&path))),
            Request::Preview { path, which } => instance::preview(&self.suite(&path), &self.files, &path, &which),
            Request::Lines { path, seed, samples, from, to } => {
                suite::lines(&self.suite(&path), &self.files, &path, seed, samples, from..to)
            }
            Request::File { path, which, file } => {
                instance::file(&self.suite(&path), &self.files, &path, &which, &file)
            }
            Request::Grade { path, which, reply, files, solved } => {
                instance::grade(&self.suite(&path), &self.files, &path, &which, reply, files, solved)
            }
            Request::Solve { path, which } => instance::solve(&self.suite(&path), &self.files, &path, &which),
            Request::Analyze { path, task, samples } => suite::analyze(&self.suite(&path), &task, samples),
            Request::Format { text } => laid_out(&text).map(Value::from),
            Request::Explain { code } => explain(&code),
        }
    }

    fn replace(&mut self, files: Vec<Given>) -> Result<Value, String> {
        let mut all = BTreeMap::new();
        for Given { path, text, base64 } in files {
            let bytes = match (text, base64) {
                (Some(text), None) => text.into_bytes(),
                (None, Some(base64)) => {
                    STANDARD.decode(base64).map_err(|error| format!("`{path}` is not base64: {error}"))?
                }
                _ => return Err(format!("`{path}` needs either `text` or `base64`")),
            };
            all.insert(path.trim_start_matches('/').to_owned(), bytes.into());
        }
        self.files.replace(all);
        self.compiled.clear();
        if let Some(session) = self.session.as_mut() {
            session.files_changed();
        }
        Ok(Value::Null)
    }

    /// The suite at a path, compiled once for each state of the files. What the editor shows is compiled by its session: what it was told is what is asked here.
    fn suite(&mut self, path: &str) -> Arc<Suite> {
        if let Some(known) = self.compiled.get(path) {
            return Arc::clone(known);
        }
        let open = format!("/{}", path.trim_start_matches('/'));
        let text = self.files.get(path);
        let shared = self.session.as_mut().zip(text).and_then(|(session, text)| session.compiled(&open, &text));
        if let Some(compiled) = shared {
            let suite = Arc::new(Suite::of(compiled));
            self.compiled.insert(path.to_owned(), Arc::clone(&suite));
            return suite;
        }
        let (host, used) = match self.host.take() {
            Some((host, used)) if used < FRESH => (host, used + 1),
            _ => (self.files.host(), 0),
        };
        let suite = Arc::new(Suite::compile(path, &host));
        self.host = Some((host, used));
        self.compiled.insert(path.to_owned(), Arc::clone(&suite));
        suite
    }

    /// Hands a message to the language server. The first one must be `initialize`.
    fn editor(&mut self, message: Value) -> Result<Value, String> {
        let message: Message =
            serde_json::from_value(message).map_err(|error| format!("the message is not understood: {error}"))?;
        let answer = match message {
            Message::Request(request) if request.method == "initialize" => {
                let (session, result) = Session::start(request.params, &self.outside())?;
                self.session = Some(session);
                Some(Response::new_ok(request.id, result))
            }
            Message::Request(request) if request.method == "shutdown" => {
                self.session = None;
                Some(Response::new_ok(request.id, Value::Null))
            }
            Message::Request(request) => {
                let session = self.session.as_mut().ok_or("the session has not begun: send `initialize` first")?;
                Some(session.request(request))
            }
            Message::Notification(notification) => {
                if let Some(session) = self.session.as_mut() {
                    session.notify(&notification)?;
                    self.take_texts();
                }
                None
            }
            Message::Response(_) => None,
        };
        Ok(answer.into_iter().map(|answer| rpc(answer.into())).collect())
    }

    /// Open texts are the files from now on.
    fn take_texts(&mut self) {
        let Some(session) = &self.session else { return };
        let mut changed = false;
        for (path, text) in session.texts() {
            changed |= self.files.put(path, text.as_bytes());
        }
        if changed {
            self.compiled.clear();
        }
    }

    fn publish(&mut self) -> Value {
        let sent = self.session.as_mut().map(Session::diagnostics).unwrap_or_default();
        sent.into_iter().map(|notification| rpc(notification.into())).collect()
    }

    fn outside(&self) -> Outside {
        let files = self.files.clone();
        Outside {
            host: Arc::new(move |_| Box::new(files.host()) as Box<dyn Host>),
            analyze: Arc::new(analyzed),
            format: Some(Arc::new(laid_out)),
        }
    }
}

/// A message as JSON-RPC has it.
fn rpc(message: Message) -> Value {
    let mut value = serde_json::to_value(message).unwrap_or_default();
    if let Some(fields) = value.as_object_mut() {
        fields.insert("jsonrpc".to_owned(), "2.0".into());
    }
    value
}

/// A source in canonical layout; a sentence where it cannot be read.
fn laid_out(text: &str) -> Result<String, String> {
    compiler::fmt::format(text).map_err(|refusal| refusal.to_string())
}

/// What `analyze` says of a task, as Markdown.
fn analyzed(plan: &Plan, task: &str) -> Result<String, String> {
    let report = analysis::of_task(plan, task, SAMPLES, Effort::ALONE).map_err(|failure| failure.message)?;
    Ok(format!("# {task}\n\n```text\n{}\n```\n", report.trim_end()))
}

fn explain(code: &str) -> Result<Value, String> {
    let known = by_id(&code.to_ascii_uppercase()).or_else(|| by_name(code));
    let known = known.ok_or_else(|| format!("unknown code `{code}`"))?;
    Ok(json!({ "code": known.id, "name": known.name, "page": known.page }))
}
