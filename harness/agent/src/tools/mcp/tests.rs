//! Sessions in one process, with the tools of a sandbox.

use std::time::{Duration, Instant};

use model::tools::Tool;

use super::*;
use crate::sandbox::Sandbox;
use crate::tools::Tools;
use crate::tools::call_log::{Log, build_log_path, read_recorded};
use crate::tools::served::ToolServer;

/// What was written.
#[derive(Clone, Default)]
struct Written(Arc<Mutex<Vec<u8>>>);

impl Written {
    fn parse_lines(&self) -> Vec<Json> {
        let text = String::from_utf8(self.0.lock().expect("not poisoned").clone()).expect("UTF-8");
        text.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect()
    }
}

impl Write for Written {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().expect("not poisoned").write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// The answers to some lines, and what was recorded.
fn run_session(lines: &[&str], offered: Vec<Tool>, calls: Option<u32>) -> (Vec<Json>, Vec<Json>) {
    run_session_after(lines, offered, calls, 0)
}

fn run_session_after(lines: &[&str], offered: Vec<Tool>, calls: Option<u32>, others: u32) -> (Vec<Json>, Vec<Json>) {
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::write(folder.path().join("a.txt"), "hello").expect("written");
    let sandbox = Sandbox::open_existing(folder.path()).expect("opened");
    let mut tools = Tools::new(&sandbox, Instant::now(), Duration::from_secs(60), offered, calls);
    // Other servers have recorded so many calls.
    let beside = tempfile::tempdir().expect("a folder");
    let mut log = Log::open_or_create(&build_log_path(beside.path())).expect("opened");
    for _ in 0..others {
        log.count_recorded().expect("read");
        let call = json!({"id": "other", "type": "function", "function": {"name": "read_file", "arguments": "{}"}});
        let call = json!({"role": "assistant", "content": "", "tool_calls": [call], "at_ms": 1});
        log.record_messages(&[call, json!({"role": "tool", "content": "hello"})]).expect("written");
    }
    let output = Written::default();
    let input = io::Cursor::new(lines.join("\n"));
    serve_requests(input, output.clone(), &mut ToolServer::new(&mut tools, Some(log)), "1.2.3").expect("served");
    let mut answers = output.parse_lines();
    // Those that are answered at once may come before others: put in the order of the requests, those without an id last.
    let asked: Vec<Json> =
        lines.iter().filter_map(|line| Some(serde_json::from_str::<Json>(line).ok()?["id"].clone())).collect();
    answers
        .sort_by_key(|answer| asked.iter().position(|id| *id == answer["id"] && !id.is_null()).unwrap_or(usize::MAX));
    let recorded = read_recorded(beside.path()).messages;
    (answers, recorded.into_iter().skip(2 * others as usize).collect())
}

/// Finding: each of several servers allowed as many calls as the task does.
#[test]
fn calls_of_other_servers_count() {
    let read =
        r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"read_file","arguments":{"path":"a.txt"}}}"#;
    let (answers, recorded) = run_session_after(&[read, read], vec![Tool::ReadFile], Some(3), 2);
    assert_eq!(answers[0]["result"]["isError"], false);
    assert_eq!(answers[1]["result"]["content"][0]["text"], super::super::NO_CALLS_LEFT);
    assert_eq!(records::calls::count_calls(&recorded), 1);
}

#[test]
fn a_session() {
    let (answers, recorded) = run_session(
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
    let called = records::calls::list_calls(&recorded);
    assert_eq!(called.iter().map(|call| call.number).collect::<Vec<_>>(), [1, 2, 3]);
}

#[test]
fn requests_without_a_handshake() {
    let meta = r#""_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28"}"#;
    let (answers, _) = run_session(
        &[
            &format!(r#"{{"jsonrpc":"2.0","id":1,"method":"server/discover","params":{{{meta}}}}}"#),
            &format!(r#"{{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{{{meta},"name":"list_files"}}}}"#),
            r#"{"jsonrpc":"2.0","id":3,"method":"tools/list","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"2031-01-01"}}}"#,
        ],
        Tool::list_defaults(),
        None,
    );
    assert_eq!(answers[0]["result"]["supportedVersions"], json!(["2026-07-28"]));
    assert_eq!(answers[1]["result"]["resultType"], "complete");
    assert_eq!(answers[1]["result"]["content"][0]["text"], "a.txt");
    assert_eq!(answers[2]["error"]["code"], NO_SUCH_REVISION);
}

#[test]
fn what_is_no_request() {
    let x = "x".repeat(lines::LONGEST as usize);
    let first = format!(r#"{{"id": "first", "method": "tools/call", "params": {{"id": 9, "x": "{x}"}}}}"#);
    let last = format!(r#"{{"method": "tools/call", "params": {{"x": "{x}\", \"id\": 8"}}, "id": "last"}}"#);
    let (answers, recorded) = run_session(
        &[
            "{",
            "[]",
            r#"{"jsonrpc":"2.0","id":1,"method":"resources/list"}"#,
            r#"{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"arguments":{}}}"#,
            r#"{"jsonrpc":"2.0","id":3,"result":{}}"#,
            &first,
            &last,
            r#"{"jsonrpc":"2.0","id":4,"method":"initialize","params":{"protocolVersion":"1999-01-01"}}"#,
        ],
        Tool::list_defaults(),
        None,
    );
    let of = |id: Json| -> Vec<&Json> { answers.iter().filter(|answer| answer["id"] == id).collect() };
    let codes =
        |id: Json| -> Vec<i64> { of(id).iter().filter_map(|answer| answer["error"]["code"].as_i64()).collect() };
    assert_eq!(codes(Json::Null), [NOT_JSON, NOT_A_REQUEST]);
    assert_eq!((codes(json!(1)), codes(json!(2))), (vec![NO_METHOD], vec![BAD_PARAMETERS]));
    assert!(of(json!(3)).is_empty());
    assert_eq!(of(json!(4))[0]["result"]["protocolVersion"], HANDSHAKE[0]);
    // What is too long is answered with its id, wherever it is.
    for id in ["first", "last"] {
        assert_eq!(codes(json!(id)), [NOT_A_REQUEST]);
        assert!(of(json!(id))[0]["error"]["message"].as_str().is_some_and(|why| why.contains("16 MiB")));
    }
    assert!(recorded.is_empty());
}

/// Tools that say when a call begins, and do it until it is cancelled.
struct Slow {
    begun: std::sync::mpsc::Sender<String>,
}

impl Offer for Slow {
    fn list_tools(&self) -> Vec<Json> {
        Vec::new()
    }

    fn call_tool(&mut self, name: &str, _: &str, cancelled: &Cancelled) -> io::Result<Answer> {
        self.begun.send(name.to_owned()).expect("somebody listens");
        let begun = Instant::now();
        while name == "wait" && !cancelled.is_set() {
            assert!(begun.elapsed() < Duration::from_secs(60), "it was not cancelled");
            std::thread::sleep(Duration::from_millis(1));
        }
        Ok(Answer::Made { text: name.to_owned(), data: None, is_error: false })
    }
}

/// Lines as they are sent.
struct Sent {
    lines: std::sync::mpsc::Receiver<String>,
    rest: io::Cursor<Vec<u8>>,
}

impl io::Read for Sent {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        if self.rest.position() == self.rest.get_ref().len() as u64 {
            match self.lines.recv() {
                Ok(line) => self.rest = io::Cursor::new(format!("{line}\n").into_bytes()),
                Err(_) => return Ok(0),
            }
        }
        self.rest.read(into)
    }
}

/// While a call is made, pings are answered; it and a call that waits are cancelled, and the next one is made.
#[test]
fn a_call_does_not_keep_others_waiting() {
    let (send, lines) = std::sync::mpsc::channel();
    let (begun, begins) = std::sync::mpsc::channel();
    let output = Written::default();
    let server = {
        let output = output.clone();
        let input = io::BufReader::new(Sent { lines, rest: io::Cursor::default() });
        std::thread::spawn(move || serve_requests(input, output, &mut Slow { begun }, "1"))
    };
    let say = |message: Json| send.send(message.to_string()).expect("read");
    let call = |id: Json, name: &str| say(json!({"id": id, "method": "tools/call", "params": {"name": name}}));
    let cancel = |id: Json| say(json!({"method": "notifications/cancelled", "params": {"requestId": id}}));
    let wait = |count: usize| {
        let begun = Instant::now();
        while output.parse_lines().len() < count {
            assert!(begun.elapsed() < Duration::from_secs(60), "{:?}", output.parse_lines());
            std::thread::sleep(Duration::from_millis(1));
        }
    };
    call(json!("long"), "wait");
    assert_eq!(begins.recv().as_deref(), Ok("wait"));
    call(json!(7), "wait");
    call(json!("7"), "short");
    say(json!({"id": 8, "method": "ping"}));
    say(json!({"id": 9, "method": "ping", "params": {"_meta": {VERSION: STATELESS}}}));
    wait(2);
    let pings = output.parse_lines();
    assert_eq!((&pings[0]["id"], &pings[0]["result"]), (&json!(8), &json!({})));
    assert_eq!(pings[1]["result"]["resultType"], "complete");
    // Nothing has these ids: a number is not a text.
    cancel(json!("8"));
    cancel(json!(null));
    say(json!({"method": "notifications/cancelled"}));
    cancel(json!(7));
    cancel(json!("long"));
    wait(3);
    drop((begins.recv(), send));
    server.join().expect("it ends").expect("served");
    let answers = output.parse_lines();
    assert_eq!((answers.len(), &answers[2]["id"]), (3, &json!("7")), "{answers:?}");
    assert!(begins.try_recv().is_err());
}

/// Requests wait in bounded memory, and all of them are done.
#[test]
fn many_requests_are_done_in_their_order() {
    let filler = "x".repeat(3 << 20);
    let lines: Vec<String> = (0..40)
        .map(|id| json!({"id": id, "method": "tools/call", "params": {"name": "short", "x": filler}}).to_string())
        .collect();
    let (begun, begins) = std::sync::mpsc::channel();
    let output = Written::default();
    serve_requests(io::Cursor::new(lines.join("\n")), output.clone(), &mut Slow { begun }, "1").expect("served");
    let ids: Vec<Option<u64>> = output.parse_lines().iter().map(|answer| answer["id"].as_u64()).collect();
    assert_eq!(ids, (0..40).map(Some).collect::<Vec<_>>());
    assert_eq!(begins.try_iter().count(), 40);
}

/// Where nobody reads the answers, the server ends, although the input goes on.
#[test]
fn a_closed_output_ends_the_server() {
    struct Closed;
    impl Write for Closed {
        fn write(&mut self, _: &[u8]) -> io::Result<usize> {
            Err(io::ErrorKind::BrokenPipe.into())
        }
        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }
    let (send, lines) = std::sync::mpsc::channel();
    let input = io::BufReader::new(Sent { lines, rest: io::Cursor::default() });
    let (begun, _begins) = std::sync::mpsc::channel();
    send.send(json!({"id": 1, "method": "tools/call", "params": {"name": "short"}}).to_string()).expect("read");
    let ended = serve_requests(input, Closed, &mut Slow { begun }, "1");
    assert_eq!(ended.expect_err("it cannot be written").kind(), io::ErrorKind::BrokenPipe);
}
