//! A server of the Model Context Protocol, on standard input and output: JSON-RPC 2.0, a message a line.
//!
//! Both ways of the protocol are spoken: that which begins with `initialize` (revisions to 2025-11-25), and that in which each request states its revision in
//! `_meta` (2026-07-28). Only tools are offered; which they are is up to an [`Offer`].
//!
//! One thread reads (`lines`), answers pings and what is not a request, and notes what is cancelled; another does the requests, in their order (`request_queue`).

mod lines;
mod request_queue;

use std::io::{self, BufRead, Write};
use std::sync::{Arc, Mutex, PoisonError};

use serde_json::{Map, Value as Json, json};

use lines::{Line, Lines};
use request_queue::{Request, Waiting};

pub use request_queue::Cancelled;

/// Revisions that begin with `initialize`, the newest first.
const HANDSHAKE: [&str; 4] = ["2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"];

/// The revision without one.
const STATELESS: &str = "2026-07-28";

/// Where a request states its revision.
const VERSION: &str = "io.modelcontextprotocol/protocolVersion";

/// What is said of a message that is too long.
const TOO_LONG: &str = "the message is longer than 16 MiB, the most that this server reads";

/// Errors of JSON-RPC, and of the protocol.
const NOT_JSON: i64 = -32_700;
const NOT_A_REQUEST: i64 = -32_600;
const NO_METHOD: i64 = -32_601;
const BAD_PARAMETERS: i64 = -32_602;
const NO_SUCH_REVISION: i64 = -32_022;

/// The tools of a server.
pub trait Offer {
    /// What the server is for, as a model reads it when a session begins; nothing where its tools say all.
    fn instructions(&self) -> Option<String> {
        None
    }

    /// The tools, as objects with a `name`, a `description`, and an `inputSchema`, a JSON Schema of the arguments.
    fn list_tools(&self) -> Vec<Json>;

    /// Makes a call. `arguments` is the JSON that the client sent, `{}` where it sent none. The answer of a call that was cancelled is not sent, so work that
    /// takes long may end early.
    ///
    /// # Errors
    /// The call cannot be recorded. The server then ends. What goes wrong within a call is an [`Answer`].
    fn call_tool(&mut self, name: &str, arguments: &str, cancelled: &Cancelled) -> io::Result<Answer>;
}

/// What a call came to.
#[derive(Clone, Debug, PartialEq)]
pub enum Answer {
    /// It was made.
    Made {
        /// For people and models.
        text: String,
        /// The same for programs, a JSON object.
        data: Option<Json>,
        /// Whether it is a mistake.
        is_error: bool,
    },
    /// No tool of that name is offered. The text says so.
    Unknown(String),
}

/// Answers requests until the input ends.
///
/// # Errors
/// The input cannot be read, the output cannot be written, or a call cannot be recorded. The input may then stay open.
pub fn serve_requests(
    input: impl BufRead + Send + 'static,
    output: impl Write + Send + 'static,
    offer: &mut impl Offer,
    version: &str,
) -> io::Result<()> {
    let (waiting, output) = (Arc::new(Waiting::default()), Output(Arc::new(Mutex::new(output))));
    let reader = Reader { waiting: Arc::clone(&waiting), output: output.clone() };
    // It is not joined: where the output is closed, it may wait for input for ever.
    std::thread::Builder::new().name("reader".to_owned()).spawn(move || {
        let ended = reader.read_requests(Lines { input });
        reader.waiting.end_input(ended);
    })?;
    let done = Server { offer, version }.answer_requests(&waiting, &output);
    waiting.close_queue();
    done
}

/// Where answers go, one at a time.
struct Output<W>(Arc<Mutex<W>>);

impl<W> Clone for Output<W> {
    fn clone(&self) -> Output<W> {
        Output(Arc::clone(&self.0))
    }
}

impl<W: Write> Output<W> {
    fn send_answer(&self, answer: &Json) -> io::Result<()> {
        let mut output = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        writeln!(output, "{answer}")?;
        output.flush()
    }
}

/// The thread that reads.
struct Reader<W> {
    waiting: Arc<Waiting>,
    output: Output<W>,
}

impl<W: Write> Reader<W> {
    /// Reads until the input ends, or nobody does what it says.
    fn read_requests(&self, mut lines: Lines<impl BufRead>) -> io::Result<()> {
        while let Some(line) = lines.next()? {
            let request = match line {
                Line::TooLong(id) => Err(build_failure(&id, NOT_A_REQUEST, TOO_LONG, None)),
                Line::Whole(line) => self.parse_request(&line),
            };
            match request {
                Ok(None) => {}
                Ok(Some(request)) => {
                    if !self.waiting.add_request(request) {
                        return Ok(());
                    }
                }
                Err(answer) => self.output.send_answer(&answer)?,
            }
        }
        Ok(())
    }

    /// The request of a message that has to be done; `None` where nothing is wanted; or its answer, where that is known.
    fn parse_request(&self, line: &[u8]) -> Result<Option<Request>, Json> {
        let Ok(message) = serde_json::from_slice::<Json>(line) else {
            return Err(build_failure(&Json::Null, NOT_JSON, "the message is not JSON", None));
        };
        let Json::Object(mut message) = message else {
            let why = "the message is not an object; send one request a line";
            return Err(build_failure(&Json::Null, NOT_A_REQUEST, why, None));
        };
        let Some(Json::String(method)) = message.remove("method") else {
            // An answer: nothing was asked.
            return Ok(None);
        };
        let params = match message.remove("params") {
            Some(Json::Object(params)) => params,
            _ => Map::new(),
        };
        let Some(id) = message.remove("id") else {
            // A notification wants no answer.
            if method == "notifications/cancelled"
                && let Some(id) = params.get("requestId")
            {
                self.waiting.cancel_request(id);
            }
            return Ok(None);
        };
        if let Some(other) = find_revision(&params).filter(|revision| *revision != STATELESS) {
            let data = json!({"supported": [STATELESS], "requested": other});
            return Err(build_failure(&id, NO_SUCH_REVISION, "the protocol version is not supported", Some(data)));
        }
        if method == "ping" {
            return Err(build_success(&id, json!({}), &params));
        }
        Ok(Some(Request { id, method, params, cancelled: Cancelled::default(), size: line.len() }))
    }
}

/// The revision that a request states.
fn find_revision(params: &Map<String, Json>) -> Option<&str> {
    params.get("_meta").and_then(|meta| meta.get(VERSION)).and_then(Json::as_str)
}

/// The result of a request, or the code of an error and why.
type Outcome = Result<Json, (i64, String)>;

struct Server<'s, O> {
    offer: &'s mut O,
    /// Of picardc.
    version: &'s str,
}

impl<O: Offer> Server<'_, O> {
    /// Does requests until there are none, and no more will come.
    fn answer_requests(&mut self, waiting: &Waiting, output: &Output<impl Write>) -> io::Result<()> {
        while let Some(request) = waiting.next()? {
            let Request { id, method, params, cancelled, .. } = request;
            let result = match method.as_str() {
                "initialize" => Ok(self.answer_initialize(&params)),
                "server/discover" => Ok(self.answer_discover()),
                "tools/list" => Ok(self.answer_tools_list()),
                "tools/call" => self.answer_tools_call(&params, &cancelled)?,
                _ => Err((NO_METHOD, format!("`{method}` is not supported: this server has tools only"))),
            };
            if !cancelled.is_set() {
                output.send_answer(&match result {
                    Ok(result) => build_success(&id, result, &params),
                    Err((code, why)) => build_failure(&id, code, &why, None),
                })?;
            }
        }
        Ok(())
    }

    fn describe_server(&self) -> Json {
        json!({"name": "picardc", "version": self.version})
    }

    /// The revision asked for where it is one of ours, else the newest.
    fn answer_initialize(&self, params: &Map<String, Json>) -> Json {
        let asked = params.get("protocolVersion").and_then(Json::as_str);
        let revision = HANDSHAKE.iter().find(|known| Some(**known) == asked).unwrap_or(&HANDSHAKE[0]);
        self.add_instructions(
            json!({"protocolVersion": revision, "capabilities": {"tools": {}}, "serverInfo": self.describe_server()}),
        )
    }

    fn answer_discover(&self) -> Json {
        self.add_instructions(json!({
            "supportedVersions": [STATELESS], "capabilities": {"tools": {}}, "serverInfo": self.describe_server(),
            "ttlMs": 0, "cacheScope": "private",
        }))
    }

    /// With what the server is for.
    fn add_instructions(&self, mut result: Json) -> Json {
        if let (Some(text), Some(object)) = (self.offer.instructions(), result.as_object_mut()) {
            object.insert("instructions".to_owned(), json!(text));
        }
        result
    }

    fn answer_tools_list(&self) -> Json {
        json!({"tools": self.offer.list_tools(), "ttlMs": 0, "cacheScope": "private"})
    }

    fn answer_tools_call(&mut self, params: &Map<String, Json>, cancelled: &Cancelled) -> io::Result<Outcome> {
        let Some(name) = params.get("name").and_then(Json::as_str) else {
            return Ok(Err((BAD_PARAMETERS, "`name` is missing: it names a tool".to_owned())));
        };
        let arguments = match params.get("arguments") {
            None | Some(Json::Null) => "{}".to_owned(),
            Some(arguments) => arguments.to_string(),
        };
        Ok(match self.offer.call_tool(name, &arguments, cancelled)? {
            Answer::Made { text, data, is_error } => {
                let mut result = json!({"content": [{"type": "text", "text": text}], "isError": is_error});
                if let (Some(data), Some(object)) = (data, result.as_object_mut()) {
                    object.insert("structuredContent".to_owned(), data);
                }
                Ok(result)
            }
            Answer::Unknown(why) => Err((BAD_PARAMETERS, why)),
        })
    }
}

/// The answer to a request that states these parameters.
fn build_success(id: &Json, mut result: Json, params: &Map<String, Json>) -> Json {
    if let (Some(_), Some(object)) = (find_revision(params), result.as_object_mut()) {
        object.insert("resultType".to_owned(), json!("complete"));
    }
    json!({"jsonrpc": "2.0", "id": id, "result": result})
}

fn build_failure(id: &Json, code: i64, why: &str, data: Option<Json>) -> Json {
    let mut error = json!({"code": code, "message": why});
    if let (Some(data), Some(object)) = (data, error.as_object_mut()) {
        object.insert("data".to_owned(), data);
    }
    json!({"jsonrpc": "2.0", "id": id, "error": error})
}

#[cfg(test)]
mod tests;
