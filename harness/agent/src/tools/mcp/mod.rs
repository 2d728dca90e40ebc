//! A server of the Model Context Protocol: JSON-RPC 2.0, one message per line.
//!
//! Both variants of the protocol are supported: the one that begins with `initialize` (revisions up to 2025-11-25), and the one in which each request states
//! its revision in `_meta` (2026-07-28). Only tools are offered, and an [`Offer`] defines them.
//!
//! One thread reads (`lines`), answers pings and invalid messages, and records cancellations; another processes the requests in order (`request_queue`).

mod lines;
mod request_queue;

use std::io::{self, BufRead, Write};
use std::sync::{Arc, Mutex, PoisonError};

use serde_json::{Map, Value as Json, json};

use lines::{Line, Lines};
use request_queue::{Request, Waiting};

pub use request_queue::Cancelled;

/// Revisions that begin with `initialize`, newest first.
const HANDSHAKE: [&str; 4] = ["2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"];

/// The revision without `initialize`.
const STATELESS: &str = "2026-07-28";

/// The field in which a request states its revision.
const VERSION: &str = "io.modelcontextprotocol/protocolVersion";

/// The error for a message that is too long.
const TOO_LONG: &str = "the message is longer than 16 MiB, the most that this server reads";

/// Error codes of JSON-RPC and of the protocol.
const NOT_JSON: i64 = -32_700;
const NOT_A_REQUEST: i64 = -32_600;
const NO_METHOD: i64 = -32_601;
const BAD_PARAMETERS: i64 = -32_602;
const NO_SUCH_REVISION: i64 = -32_022;

/// The tools that a server offers.
pub trait Offer {
    /// Returns the purpose of the server, which a model reads when a session begins; `None` if the descriptions of its tools are sufficient.
    fn instructions(&self) -> Option<String> {
        None
    }

    /// Returns the tools, as objects with a `name`, a `description`, and an `inputSchema`, a JSON Schema of the arguments.
    fn list_tools(&self) -> Vec<Json>;

    /// Calls a tool. `arguments` is the JSON that the client sent, or `{}`. The answer of a cancelled call is not sent, so long work may
    /// end early.
    ///
    /// # Errors
    /// The call cannot be recorded. The server then ends. An error of the call itself is an [`Answer`].
    fn call_tool(&mut self, name: &str, arguments: &str, cancelled: &Cancelled) -> io::Result<Answer>;
}

/// The result of a call.
#[derive(Clone, Debug, PartialEq)]
pub enum Answer {
    /// The call was made.
    Made {
        /// For people and models.
        text: String,
        /// The same as a JSON object, for programs.
        data: Option<Json>,
        /// Whether the call failed.
        is_error: bool,
    },
    /// No tool with that name is offered; the text says so.
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
    // The thread is not joined: if the output is closed, it may wait for input forever.
    std::thread::Builder::new().name("reader".to_owned()).spawn(move || {
        let ended = reader.read_requests(Lines { input });
        reader.waiting.end_input(ended);
    })?;
    let done = Server { offer, version }.answer_requests(&waiting, &output);
    waiting.close_queue();
    done
}

/// Sends answers, one at a time.
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

/// The thread that reads requests.
struct Reader<W> {
    waiting: Arc<Waiting>,
    output: Output<W>,
}

impl<W: Write> Reader<W> {
    /// Reads until the input ends, or the queue is closed.
    fn read_requests(&self, mut lines: Lines<impl BufRead>) -> io::Result<()> {
        while let Some(line) = lines.next()? {
            let request = match line {
                Line::TooLong(id) => Err(build_failure(&id, NOT_A_REQUEST, TOO_LONG)),
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

    /// Parses a message. Returns the request to process, `None` if no answer is needed, or the answer if it is already known.
    fn parse_request(&self, line: &[u8]) -> Result<Option<Request>, Json> {
        let Ok(message) = serde_json::from_slice::<Json>(line) else {
            return Err(build_failure(&Json::Null, NOT_JSON, "the message is not JSON"));
        };
        let Json::Object(mut message) = message else {
            let why = "the message is not an object; send one request a line";
            return Err(build_failure(&Json::Null, NOT_A_REQUEST, why));
        };
        let Some(Json::String(method)) = message.remove("method") else {
            // The message is a response, and no request was sent.
            return Ok(None);
        };
        let params = match message.remove("params") {
            Some(Json::Object(params)) => params,
            _ => Map::new(),
        };
        let Some(id) = message.remove("id") else {
            // A notification needs no answer.
            if method == "notifications/cancelled"
                && let Some(id) = params.get("requestId")
            {
                self.waiting.cancel_request(id);
            }
            return Ok(None);
        };
        if let Some(other) = find_revision(&params).filter(|revision| *revision != STATELESS) {
            let mut failure = build_failure(&id, NO_SUCH_REVISION, "the protocol version is not supported");
            failure["error"]["data"] = json!({"supported": [STATELESS], "requested": other});
            return Err(failure);
        }
        if method == "ping" {
            return Err(build_success(&id, json!({}), &params));
        }
        Ok(Some(Request { id, method, params, cancelled: Cancelled::default(), size: line.len() }))
    }
}

/// Returns the revision that a request states.
fn find_revision(params: &Map<String, Json>) -> Option<&str> {
    params.get("_meta").and_then(|meta| meta.get(VERSION)).and_then(Json::as_str)
}

/// The result of a request, or an error code and its explanation.
type Outcome = Result<Json, (i64, String)>;

struct Server<'s, O> {
    offer: &'s mut O,
    /// The version of picardc.
    version: &'s str,
}

impl<O: Offer> Server<'_, O> {
    /// Processes requests until the input has ended and no request is left.
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
                    Err((code, why)) => build_failure(&id, code, &why),
                })?;
            }
        }
        Ok(())
    }

    fn describe_server(&self) -> Json {
        json!({"name": "picardc", "version": self.version})
    }

    /// Answers with the requested revision if it is supported, otherwise with the newest.
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

    /// Adds the purpose of the server.
    fn add_instructions(&self, mut result: Json) -> Json {
        if let Some(text) = self.offer.instructions() {
            result["instructions"] = json!(text);
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
                if let Some(data) = data {
                    result["structuredContent"] = data;
                }
                Ok(result)
            }
            Answer::Unknown(why) => Err((BAD_PARAMETERS, why)),
        })
    }
}

/// Builds the answer to a request with these parameters.
fn build_success(id: &Json, mut result: Json, params: &Map<String, Json>) -> Json {
    if let (Some(_), Some(object)) = (find_revision(params), result.as_object_mut()) {
        object.insert("resultType".to_owned(), json!("complete"));
    }
    json!({"jsonrpc": "2.0", "id": id, "result": result})
}

fn build_failure(id: &Json, code: i64, why: &str) -> Json {
    json!({"jsonrpc": "2.0", "id": id, "error": {"code": code, "message": why}})
}

#[cfg(test)]
mod tests;
