//! A server of the Model Context Protocol, on standard input and output: JSON-RPC 2.0, a message a line.
//!
//! Both ways of the protocol are spoken: that which begins with `initialize` (revisions to 2025-11-25), and that in which each request states its revision in
//! `_meta` (2026-07-28). Only tools are offered; which they are is up to an [`Offer`].

use std::io::{self, BufRead, Read as _, Write};

use serde_json::{Map, Value as Json, json};

/// Revisions that begin with `initialize`, the newest first.
const HANDSHAKE: [&str; 4] = ["2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"];

/// The revision without one.
const STATELESS: &str = "2026-07-28";

/// Where a request states its revision.
const VERSION: &str = "io.modelcontextprotocol/protocolVersion";

/// The most bytes of a message.
const LONGEST: u64 = 16 << 20;

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
    fn tools(&self) -> Vec<Json>;

    /// Makes a call. `arguments` is the JSON that the client sent, `{}` where it sent none.
    ///
    /// # Errors
    /// The call cannot be recorded. The server then ends. What goes wrong within a call is an [`Answer`].
    fn call(&mut self, name: &str, arguments: &str) -> io::Result<Answer>;
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
/// The input cannot be read, the output cannot be written, or a call cannot be recorded.
pub fn serve(input: impl BufRead, mut output: impl Write, offer: &mut impl Offer, version: &str) -> io::Result<()> {
    let mut server = Server { offer, version };
    let mut lines = Lines { input };
    while let Some(line) = lines.next()? {
        let answer = match line {
            Line::TooLong => Some(failure(&Json::Null, NOT_A_REQUEST, "the message is longer than 16 MiB", None)),
            Line::Whole(line) => server.answer(&line)?,
        };
        if let Some(answer) = answer {
            writeln!(output, "{answer}")?;
            output.flush()?;
        }
    }
    Ok(())
}

/// The result of a request, or the code of an error and why.
type Outcome = Result<Json, (i64, String)>;

struct Server<'s, O> {
    offer: &'s mut O,
    /// Of picardc.
    version: &'s str,
}

impl<O: Offer> Server<'_, O> {
    /// The answer to a message, if it wants one.
    fn answer(&mut self, line: &[u8]) -> io::Result<Option<Json>> {
        let said = |answer| Ok(Some(answer));
        let Ok(message) = serde_json::from_slice::<Json>(line) else {
            return said(failure(&Json::Null, NOT_JSON, "the message is not JSON", None));
        };
        let Some(message) = message.as_object() else {
            return said(failure(
                &Json::Null,
                NOT_A_REQUEST,
                "the message is not an object; send one request a line",
                None,
            ));
        };
        let Some(method) = message.get("method").and_then(Json::as_str) else {
            // An answer: nothing was asked.
            return Ok(None);
        };
        // A notification wants no answer, and there is nothing to be done for any.
        let Some(id) = message.get("id") else { return Ok(None) };
        let empty = Map::new();
        let params = message.get("params").and_then(Json::as_object).unwrap_or(&empty);
        let revision = params.get("_meta").and_then(|meta| meta.get(VERSION)).and_then(Json::as_str);
        if let Some(other) = revision.filter(|revision| *revision != STATELESS) {
            let data = json!({"supported": [STATELESS], "requested": other});
            return said(failure(id, NO_SUCH_REVISION, "the protocol version is not supported", Some(data)));
        }
        let result = match method {
            "initialize" => Ok(self.hello(params)),
            "server/discover" => Ok(self.discovered()),
            "ping" => Ok(json!({})),
            "tools/list" => Ok(self.list()),
            "tools/call" => self.call(params)?,
            _ => Err((NO_METHOD, format!("`{method}` is not supported: this server has tools only"))),
        };
        let answer = match result {
            Ok(mut result) => {
                if let (Some(_), Some(object)) = (revision, result.as_object_mut()) {
                    object.insert("resultType".to_owned(), json!("complete"));
                }
                json!({"jsonrpc": "2.0", "id": id, "result": result})
            }
            Err((code, why)) => failure(id, code, &why, None),
        };
        Ok(Some(answer))
    }

    fn info(&self) -> Json {
        json!({"name": "picardc", "version": self.version})
    }

    /// The revision asked for where it is one of ours, else the newest.
    fn hello(&self, params: &Map<String, Json>) -> Json {
        let asked = params.get("protocolVersion").and_then(Json::as_str);
        let revision = HANDSHAKE.iter().find(|known| Some(**known) == asked).unwrap_or(&HANDSHAKE[0]);
        self.instructed(json!({"protocolVersion": revision, "capabilities": {"tools": {}}, "serverInfo": self.info()}))
    }

    fn discovered(&self) -> Json {
        self.instructed(json!({
            "supportedVersions": [STATELESS], "capabilities": {"tools": {}}, "serverInfo": self.info(),
            "ttlMs": 0, "cacheScope": "private",
        }))
    }

    /// With what the server is for.
    fn instructed(&self, mut result: Json) -> Json {
        if let (Some(text), Some(object)) = (self.offer.instructions(), result.as_object_mut()) {
            object.insert("instructions".to_owned(), json!(text));
        }
        result
    }

    fn list(&self) -> Json {
        json!({"tools": self.offer.tools(), "ttlMs": 0, "cacheScope": "private"})
    }

    fn call(&mut self, params: &Map<String, Json>) -> io::Result<Outcome> {
        let Some(name) = params.get("name").and_then(Json::as_str) else {
            return Ok(Err((BAD_PARAMETERS, "`name` is missing: it names a tool".to_owned())));
        };
        let arguments = match params.get("arguments") {
            None | Some(Json::Null) => "{}".to_owned(),
            Some(arguments) => arguments.to_string(),
        };
        Ok(match self.offer.call(name, &arguments)? {
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

fn failure(id: &Json, code: i64, why: &str, data: Option<Json>) -> Json {
    let mut error = json!({"code": code, "message": why});
    if let (Some(data), Some(object)) = (data, error.as_object_mut()) {
        object.insert("data".to_owned(), data);
    }
    json!({"jsonrpc": "2.0", "id": id, "error": error})
}

/// Lines of a bounded length.
struct Lines<R> {
    input: R,
}

enum Line {
    Whole(Vec<u8>),
    TooLong,
}

impl<R: BufRead> Lines<R> {
    /// The next line that is not blank.
    fn next(&mut self) -> io::Result<Option<Line>> {
        loop {
            let mut line = Vec::new();
            let read = (&mut self.input).take(LONGEST).read_until(b'\n', &mut line)?;
            if read == 0 {
                return Ok(None);
            }
            if read as u64 == LONGEST && !line.ends_with(b"\n") {
                self.input.skip_until(b'\n')?;
                return Ok(Some(Line::TooLong));
            }
            if !line.trim_ascii().is_empty() {
                return Ok(Some(Line::Whole(line)));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::time::{Duration, Instant};

    use plan::tools::Tool;

    use super::*;
    use crate::sandbox::Sandbox;
    use crate::tools::Tools;
    use crate::tools::served::{Record, Served};

    /// What one server recorded; others have recorded so many calls more.
    #[derive(Default)]
    struct Kept {
        messages: Vec<Json>,
        others: u32,
    }

    impl Record for Kept {
        fn before(&mut self) -> io::Result<u32> {
            Ok(self.others + records::calls::count(&self.messages))
        }

        fn after(&mut self, messages: &[Json; 2]) -> io::Result<()> {
            self.messages.extend(messages.iter().cloned());
            Ok(())
        }
    }

    /// The answers to some lines, and what was recorded.
    fn exchange(lines: &[&str], offered: Vec<Tool>, calls: Option<u32>) -> (Vec<Json>, Vec<Json>) {
        after_others(lines, offered, calls, 0)
    }

    fn after_others(lines: &[&str], offered: Vec<Tool>, calls: Option<u32>, others: u32) -> (Vec<Json>, Vec<Json>) {
        let folder = tempfile::tempdir().expect("a folder");
        std::fs::write(folder.path().join("a.txt"), "hello").expect("written");
        let sandbox = Sandbox::existing(folder.path()).expect("opened");
        let mut tools = Tools::new(&sandbox, (Instant::now(), Duration::from_secs(60)), offered, calls);
        let (mut output, mut record) = (Vec::new(), Kept { others, ..Kept::default() });
        let input = lines.join("\n");
        serve(input.as_bytes(), &mut output, &mut Served::new(&mut tools, &mut record), "1.2.3").expect("served");
        let answers = String::from_utf8(output).expect("UTF-8");
        (answers.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect(), record.messages)
    }

    /// Finding: each of several servers allowed as many calls as the task does.
    #[test]
    fn calls_of_other_servers_count() {
        let read = r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"read_file","arguments":{"path":"a.txt"}}}"#;
        let (answers, recorded) = after_others(&[read, read], vec![Tool::ReadFile], Some(3), 2);
        assert_eq!(answers[0]["result"]["isError"], false);
        assert_eq!(answers[1]["result"]["content"][0]["text"], super::super::NO_CALLS_LEFT);
        assert_eq!(records::calls::count(&recorded), 1);
    }

    #[test]
    fn a_session() {
        let (answers, recorded) = exchange(
            &[
                r#"{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"c","version":"1"}}}"#,
                r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#,
                "",
                r#"{"jsonrpc":"2.0","id":"a","method":"tools/list"}"#,
                r#"{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"read_file","arguments":{"path":"a.txt"}}}"#,
                r#"{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"read_file","arguments":{"path":"b.txt"}}}"#,
                r#"{"jsonrpc":"2.0","id":4,"method":"tools/call","params":{"name":"run_sql","arguments":{}}}"#,
                r#"{"jsonrpc":"2.0","id":5,"method":"tools/call","params":{"name":"read_file","arguments":{"path":"a.txt"}}}"#,
                r#"{"jsonrpc":"2.0","id":6,"method":"ping"}"#,
            ],
            vec![Tool::ReadFile],
            Some(3),
        );
        assert_eq!(answers[0]["result"]["protocolVersion"], "2025-06-18");
        assert_eq!(answers[0]["result"]["serverInfo"], json!({"name": "picardc", "version": "1.2.3"}));
        let tools = answers[1]["result"]["tools"].as_array().expect("tools");
        assert_eq!((tools.len(), &tools[0]["name"]), (1, &json!("read_file")));
        assert_eq!(tools[0]["inputSchema"]["required"], json!(["path"]));
        assert_eq!(answers[2]["result"], json!({"content": [{"type": "text", "text": "hello"}], "isError": false}));
        assert_eq!(answers[3]["result"]["isError"], true);
        assert_eq!(answers[3]["result"]["content"][0]["text"], "error: `b.txt` does not exist");
        // It is not offered: a mistake of the protocol, and a call all the same.
        assert_eq!(answers[4]["error"]["code"], BAD_PARAMETERS);
        assert_eq!(answers[5]["result"]["content"][0]["text"], super::super::NO_CALLS_LEFT);
        assert_eq!(answers[6]["result"], json!({}));
        assert_eq!(recorded.len(), 8);
        let called = records::calls::called(&recorded);
        assert_eq!(called.iter().map(|call| call.number).collect::<Vec<_>>(), [1, 2, 3]);
    }

    #[test]
    fn requests_without_a_handshake() {
        let meta = r#""_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28"}"#;
        let (answers, _) = exchange(
            &[
                &format!(r#"{{"jsonrpc":"2.0","id":1,"method":"server/discover","params":{{{meta}}}}}"#),
                &format!(r#"{{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{{{meta},"name":"list_files"}}}}"#),
                r#"{"jsonrpc":"2.0","id":3,"method":"tools/list","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"2031-01-01"}}}"#,
            ],
            Tool::by_default(),
            None,
        );
        assert_eq!(answers[0]["result"]["supportedVersions"], json!(["2026-07-28"]));
        assert_eq!(answers[1]["result"]["resultType"], "complete");
        assert_eq!(answers[1]["result"]["content"][0]["text"], "a.txt");
        assert_eq!(answers[2]["error"]["code"], NO_SUCH_REVISION);
    }

    #[test]
    fn what_is_no_request() {
        let long = format!("{{\"id\": 1, \"x\": \"{}\"}}", "x".repeat(LONGEST as usize));
        let (answers, recorded) = exchange(
            &[
                "{",
                "[]",
                r#"{"jsonrpc":"2.0","id":1,"method":"resources/list"}"#,
                r#"{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"arguments":{}}}"#,
                r#"{"jsonrpc":"2.0","id":3,"result":{}}"#,
                &long,
                r#"{"jsonrpc":"2.0","id":4,"method":"initialize","params":{"protocolVersion":"1999-01-01"}}"#,
            ],
            Tool::by_default(),
            None,
        );
        let codes: Vec<Option<i64>> = answers.iter().map(|answer| answer["error"]["code"].as_i64()).collect();
        let expected = [NOT_JSON, NOT_A_REQUEST, NO_METHOD, BAD_PARAMETERS, NOT_A_REQUEST].map(Some);
        assert_eq!(codes[..5], expected);
        assert_eq!(answers[5]["result"]["protocolVersion"], HANDSHAKE[0]);
        assert!(recorded.is_empty());
    }
}
