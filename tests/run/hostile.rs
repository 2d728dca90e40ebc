//! Chat servers that are broken, slow, or mean: each exchange ends in bounded time and memory, with an outcome that says what happened.

use std::process::Command;
use std::time::{Duration, Instant};

use serde_json::{Value as Json, json};

use super::home::{Home, SUITE};
use super::server::{Do, Request, Server, status};
use records::{Response, Status, jsonl};

/// What must come of it.
enum Outcome {
    /// The instance failed, and its error has these words.
    Fails(&'static str),
    /// It took too long.
    TimesOut,
    /// It was answered, right or wrong.
    Done,
    /// Any of these: which one depends on how the system splits what is sent.
    Ends,
}

type Hostile = (&'static str, fn(&Request) -> Vec<Do>, Outcome);

fn event(chunk: &Json) -> String {
    format!("data: {chunk}\n\n")
}

fn send(text: impl Into<String>) -> Do {
    Do::Send(text.into())
}

/// A stream of server-sent events until the connection closes.
fn events(chunks: &[Json]) -> Vec<Do> {
    let body: String = chunks.iter().map(event).collect();
    vec![send(format!("HTTP/1.1 200 OK\r\nconnection: close\r\n\r\n{body}data: [DONE]\n\n"))]
}

fn delta(delta: &Json) -> Json {
    json!({"choices": [{"index": 0, "delta": delta, "finish_reason": "stop"}]})
}

fn call(name: &str, arguments: &str) -> Json {
    json!({"index": 0, "id": "c", "type": "function", "function": {"name": name, "arguments": arguments}})
}

/// Calls a tool at first, and answers then.
fn calls_once(request: &Request, calls: &[Json]) -> Vec<Do> {
    let called =
        request.body["messages"].as_array().is_some_and(|messages| messages.iter().any(|m| m["role"] == "tool"));
    if called { events(&[delta(&json!({"content": "42"}))]) } else { events(&[delta(&json!({"tool_calls": calls}))]) }
}

const OK: &str = "HTTP/1.1 200 OK\r\nconnection: close\r\n";

const ALL: &[Hostile] = &[
    ("redirect to itself", |_| status("302 Found", "location: /v1/chat/completions\r\n", ""), Outcome::Fails("302")),
    (
        "redirect elsewhere",
        |_| status("307 Temporary Redirect", "location: http://127.0.0.1:9/\r\n", ""),
        Outcome::Fails("307"),
    ),
    ("closes without a word", |_| vec![], Outcome::Fails("connection")),
    ("never answers", |_| vec![Do::Wait(30_000)], Outcome::TimesOut),
    (
        "a head that never ends",
        |_| vec![send("HTTP/1.1 200 OK\r\n"), Do::Flood(b"x-header: 1\r\n".to_vec(), 10_000_000)],
        Outcome::Fails("header"),
    ),
    (
        "one header without end",
        |_| vec![send("HTTP/1.1 200 OK\r\nx: "), Do::Flood(vec![b'a'; 65_536], 100_000)],
        Outcome::Fails("header"),
    ),
    ("a slow head", |_| (0..60).flat_map(|_| [send("H"), Do::Wait(500)]).collect(), Outcome::Ends),
    (
        "a slow body",
        |_| {
            let ticks = (0..60).flat_map(|_| [send(": tick\n\n"), Do::Wait(500)]);
            std::iter::once(send(format!("{OK}\r\n"))).chain(ticks).collect()
        },
        Outcome::TimesOut,
    ),
    (
        "a line of 400 MB",
        |_| vec![send(format!("{OK}\r\ndata: ")), Do::Flood(vec![b'x'; 1 << 20], 400)],
        Outcome::Fails("more than"),
    ),
    (
        "lines without end",
        |_| vec![send(format!("{OK}\r\n")), Do::Flood(b": nothing\n".repeat(10_000), 100_000)],
        Outcome::Ends,
    ),
    (
        "events without end",
        |_| {
            vec![
                send(format!("{OK}\r\n")),
                Do::Flood(
                    event(&json!({"choices": [{"delta": {"content": "x".repeat(60_000)}}]})).into_bytes(),
                    100_000,
                ),
            ]
        },
        Outcome::Fails("more than"),
    ),
    (
        "a length that is too large",
        |_| vec![send("HTTP/1.1 200 OK\r\ncontent-length: 9999999999\r\n\r\n{}")],
        Outcome::Fails(""),
    ),
    (
        "a length that is no number",
        |_| vec![send("HTTP/1.1 200 OK\r\ncontent-length: many\r\n\r\n{}")],
        Outcome::Fails(""),
    ),
    (
        "two lengths",
        |_| vec![send("HTTP/1.1 200 OK\r\ncontent-length: 2\r\ncontent-length: 7\r\n\r\n{}")],
        Outcome::Ends,
    ),
    ("a negative length", |_| vec![send("HTTP/1.1 200 OK\r\ncontent-length: -1\r\n\r\n{}")], Outcome::Fails("")),
    (
        "chunks that are no numbers",
        |_| vec![send("HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\nzz\r\nabc\r\n0\r\n\r\n")],
        Outcome::Fails(""),
    ),
    (
        "a chunk of 2^64 bytes",
        |_| vec![send("HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\nffffffffffffffff1\r\nabc")],
        Outcome::Fails(""),
    ),
    (
        "gzip that nobody asked for",
        |_| {
            vec![
                send(format!("{OK}content-encoding: gzip\r\n\r\n")),
                Do::Bytes(vec![0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3, 0xff, 0xff]),
            ]
        },
        Outcome::Fails(""),
    ),
    ("deep JSON", |_| vec![send(format!("{OK}\r\n{}", "{\"a\":[".repeat(100_000)))], Outcome::Fails("JSON")),
    (
        "deep JSON in an event",
        |_| vec![send(format!("{OK}\r\ndata: {}\n\n", "[".repeat(1_000_000)))],
        Outcome::Fails("JSON"),
    ),
    (
        "what is not UTF-8",
        |_| vec![send(format!("{OK}\r\ndata: ")), Do::Bytes(vec![0xff, 0xfe, 0xc3, b'\n'])],
        Outcome::Fails("UTF-8"),
    ),
    ("NUL bytes", |_| vec![send(format!("{OK}\r\n")), Do::Flood(vec![0; 4096], 100)], Outcome::Fails("")),
    (
        "half a JSON object",
        |_| status("200 OK", "", "{\"choices\": [{\"message\": {\"content\": \"4"),
        Outcome::Fails("JSON"),
    ),
    (
        "a page of HTML",
        |_| status("200 OK", "content-type: text/html\r\n", "<html><body>Sign in</body></html>"),
        Outcome::Fails(""),
    ),
    ("choices that are empty", |_| status("200 OK", "", "{\"choices\": []}"), Outcome::Fails("")),
    ("choices that are a text", |_| status("200 OK", "", "{\"choices\": \"x\"}"), Outcome::Fails("")),
    (
        "null content",
        |_| status("200 OK", "", "{\"choices\": [{\"message\": {\"content\": null}, \"finish_reason\": \"stop\"}]}"),
        Outcome::Done,
    ),
    (
        "content that is a list",
        |_| status("200 OK", "", "{\"choices\": [{\"message\": {\"content\": [1, {}]}, \"finish_reason\": \"stop\"}]}"),
        Outcome::Done,
    ),
    (
        "content that is a number",
        |_| status("200 OK", "", "{\"choices\": [{\"message\": {\"content\": 42}, \"finish_reason\": \"stop\"}]}"),
        Outcome::Done,
    ),
    (
        "usage that is absurd",
        |_| {
            status(
                "200 OK",
                "",
                "{\"choices\": [{\"message\": {\"content\": \"42\"}, \"finish_reason\": \"stop\"}], \"usage\": {\"prompt_tokens\": -7, \"completion_tokens\": 1e300}}",
            )
        },
        Outcome::Done,
    ),
    (
        "usage that is huge",
        |_| {
            status(
                "200 OK",
                "",
                "{\"choices\": [{\"message\": {\"content\": \"42\"}, \"finish_reason\": \"stop\"}], \"usage\": {\"prompt_tokens\": 18446744073709551615}}",
            )
        },
        Outcome::Done,
    ),
    (
        "a flood of interim answers",
        |_| vec![Do::Flood(b"HTTP/1.1 102 Processing\r\n\r\n".to_vec(), 1_000_000)],
        Outcome::Ends,
    ),
    ("HTTP/0.9", |_| vec![send("just text\n")], Outcome::Fails("connection")),
    (
        "the first bytes of TLS",
        |_| vec![Do::Bytes(vec![0x16, 3, 1, 2, 0, 1, 0, 1, 0xfc, 3, 3])],
        Outcome::Fails("connection"),
    ),
    ("status 999", |_| status("999 Odd", "", ""), Outcome::Fails("999")),
    ("wait for ever", |_| status("429 Too Many", "retry-after: 1e300\r\n", ""), Outcome::Fails("429")),
    ("wait for less than nothing", |_| status("503 Busy", "retry-after: -5\r\n", ""), Outcome::Fails("503")),
    (
        "wait for a date",
        |_| status("503 Busy", "retry-after: Wed, 21 Oct 2099 07:28:00 GMT\r\n", ""),
        Outcome::Fails("503"),
    ),
    (
        "the key in an error",
        |_| status("401 No", "", "{\"error\": {\"message\": \"bad key sk-very-secret\"}}"),
        Outcome::Fails("[key]"),
    ),
    (
        "the key in an answer",
        |_| {
            status(
                "200 OK",
                "",
                "{\"choices\": [{\"message\": {\"content\": \"sk-very-secret\"}, \"finish_reason\": \"stop\"}]}",
            )
        },
        Outcome::Done,
    ),
    (
        "the key in pieces",
        |_| events(&[json!({"choices": [{"delta": {"content": "sk-very"}}]}), delta(&json!({"content": "-secret"}))]),
        Outcome::Done,
    ),
    (
        "escapes for the terminal",
        |_| status("400 No", "", "{\"error\": {\"message\": \"\\u001b]0;owned\\u0007\\u001b[2J\"}}"),
        Outcome::Fails("owned"),
    ),
    ("a tool that does not exist", |request| calls_once(request, &[call("rm_rf", "{}")]), Outcome::Done),
    ("arguments that are no JSON", |request| calls_once(request, &[call("read_file", "{{{")]), Outcome::Done),
    (
        "arguments of another kind",
        |request| {
            calls_once(request, &[call("read_file", "[[1]]"), call("write_file", "{\"path\": {}, \"content\": null}")])
        },
        Outcome::Done,
    ),
    ("deep arguments", |request| calls_once(request, &[call("read_file", &"[".repeat(500_000))]), Outcome::Done),
    (
        "calls with one id",
        |request| calls_once(request, &[call("list_files", "{}"), call("list_files", "{}")]),
        Outcome::Done,
    ),
    ("calls without id and name", |request| calls_once(request, &[json!({}), json!(null), json!(7)]), Outcome::Done),
    (
        "20,000 calls at once",
        |request| {
            let calls: Vec<Json> = (0..20_000).map(|n| json!({"index": n, "id": format!("c{n}"), "function": {"name": "list_files", "arguments": "{}"}})).collect();
            calls_once(request, &calls)
        },
        Outcome::Fails("calls"),
    ),
    ("calls without end", |_| events(&[delta(&json!({"tool_calls": [call("list_files", "{}")]}))]), Outcome::Ends),
    (
        // It is refused for its size, or the time is over.
        "a file of 15 MB, again and again",
        |_| {
            events(&[delta(
                &json!({"tool_calls": [call("write_file", &json!({"path": "x", "content": "x".repeat(15_000_000)}).to_string())]}),
            )])
        },
        Outcome::Ends,
    ),
    (
        "paths that lead out",
        |request| {
            calls_once(
                request,
                &[
                    call("read_file", "{\"path\": \"../../../../etc/passwd\"}"),
                    call("write_file", "{\"path\": \"/tmp/x/../../etc/x\", \"content\": \"\"}"),
                ],
            )
        },
        Outcome::Done,
    ),
];

#[test]
fn every_hostile_server_has_an_outcome() {
    assert!(ALL.len() >= 30);
    let home = Home::new(SUITE);
    let mut others = Vec::new();
    for (number, (name, answer, outcome)) in ALL.iter().enumerate() {
        let answer = *answer;
        let server = Server::new(answer);
        let run = home.at(&format!("run{number}"));
        let begun = Instant::now();
        // Three gigabytes of addresses are enough for any of them.
        let output = Command::new("sh")
            .args(["-c", "ulimit -v 3000000; exec \"$0\" \"$@\""])
            .arg(testing::find_program())
            .args(["run", "--agent"])
            .arg(format!("openai:{}/v1#m", server.url))
            .args([
                "--task",
                "reply",
                "--timeout",
                "3",
                "--retries",
                "1",
                "--retry-pause",
                "0",
                "--max-rounds",
                "5",
                "-o",
            ])
            .args([&run, &home.at("bundle")])
            .env("OPENAI_API_KEY", "sk-very-secret")
            .output()
            .expect("it starts");
        let (took, said) = (begun.elapsed(), String::from_utf8_lossy(&output.stderr).into_owned());
        assert!(matches!(output.status.code(), Some(0 | 3)), "{name}: {:?} {said}", output.status);
        assert!(took < Duration::from_secs(20), "{name} took {took:?}");
        assert!(!said.chars().any(|c| c.is_control() && c != '\n'), "{name}: {said:?}");
        let responses: Vec<Response> = jsonl::read_all(&run.join("responses.jsonl")).expect("responses");
        let [response] = responses.as_slice() else { panic!("{name}: {} responses", responses.len()) };
        let error = response.error.as_deref().unwrap_or_default();
        let as_expected = match outcome {
            Outcome::Fails(words) => response.status == Status::Failed && !error.is_empty() && error.contains(words),
            Outcome::TimesOut => response.status == Status::Timeout,
            Outcome::Done => response.status == Status::Done,
            Outcome::Ends => true,
        };
        if !as_expected {
            others.push(format!("{name}: {:?} {error}", response.status));
        }
        let transcript = std::fs::read_to_string(run.join("transcripts/reply-1.1.jsonl")).expect("a transcript");
        let everything = said + error + &response.reply + &transcript;
        assert!(!everything.contains("sk-very-secret"), "{name} has the key in what is kept");
    }
    assert!(others.is_empty(), "other outcomes: {others:#?}");
    println!("{} hostile servers", ALL.len());
}
