//! `openai:`: a chat endpoint, its faults, and hostile calls of tools.

use serde_json::{Value as Json, json};

use super::chat::{calls, event, messages, results, says};
use super::home::{Home, SUITE};
use super::server::{Do, Request, Script, Server, cut, status, stream};
use records::{Captured, Status};

/// Replies right, whatever task it is.
fn right(request: &Request) -> Vec<Do> {
    let prompt = messages(request)[1]["content"].as_str().expect("a prompt").to_owned();
    if let Some(number) = prompt.strip_prefix("Reply with ") {
        return stream(&says(number.trim_end_matches('.')));
    }
    let results = results(request);
    match results.len() {
        0 => stream(&calls(&[
            ("list_files", json!({})),
            ("read_file", json!({"path": "in/orders.csv", "from": 2})),
            ("run_sql", json!({"database": "x.db", "sql": "SELECT 1"})),
            ("run_sql", json!({"database": "x.db", "sql": "CREATE TABLE t (a)"})),
        ])),
        4 => {
            assert!(results[0].contains("in/orders.csv"), "{results:?}");
            let sum: i64 = results[1].lines().map(|line| line.parse::<i64>().expect("a number")).sum();
            stream(&calls(&[("write_file", json!({"path": "out.txt", "content": sum.to_string()}))]))
        }
        _ => stream(&says("Done.")),
    }
}

fn spec(server: &Server) -> String {
    format!("openai:{}/v1#test-model", server.url)
}

#[test]
fn a_whole_exchange() {
    let home = Home::new(SUITE);
    let server = Server::new(right);
    let ran = home.run(&spec(&server), "run", &["--temperature", "0.5"]);
    assert_eq!(ran.status, Some(0), "{}", ran.err);
    assert!(ran.correct("reply") && ran.correct("sum"), "{}", ran.everything());
    let sum = ran.of("sum");
    assert_eq!((sum.status, sum.rounds, sum.tool_calls, sum.sql_retries), (Status::Done, Some(3), Some(5), Some(1)));
    assert_eq!((sum.prompt_tokens, sum.completion_tokens, sum.attempts), (Some(10), Some(2), 1));
    assert!(sum.first_tool_ms.is_some() && sum.first_sql_ms >= sum.first_tool_ms);
    assert!(matches!(&sum.files[0], (path, Captured::Text { .. }) if path == "out.txt"));
    let first = &server.requests()[0];
    assert!(first.head.starts_with("POST /v1/chat/completions "), "{}", first.head);
    assert!(first.head.to_ascii_lowercase().contains("authorization: bearer sk-very-secret"), "{}", first.head);
    assert_eq!((&first.body["model"], &first.body["temperature"]), (&json!("test-model"), &json!(0.5)));
    assert!(!ran.everything().contains("sk-very-secret"));
    let transcript = std::fs::read_to_string(ran.folder.join("transcripts/sum-1.1.jsonl")).expect("a transcript");
    assert_eq!(transcript.lines().count(), 9, "{transcript}");
}

#[test]
fn faults_that_may_pass_are_tried_again() {
    let faults: [(&str, Script); 8] = [
        ("busy", || status("429 Too Many Requests", "retry-after: 0\r\n", "{\"error\": {\"message\": \"slow down\"}}")),
        ("broken", || status("500 Internal Server Error", "", "oops")),
        ("unavailable", || status("503 Service Unavailable", "", "")),
        ("cut", || cut(&says("42")[..2])),
        ("short", || stream(&says("42")[..2])),
        ("malformed", || stream(&["data: {\"choices\": [{\n\n".to_owned()])),
        ("error", || stream(&[event(&json!({"error": {"message": "overloaded"}}))])),
        ("nothing", Vec::new),
    ];
    let home = Home::new(SUITE);
    for (name, fault) in faults {
        let server = Server::new(move |request| if request.number == 0 { fault() } else { right(request) });
        let ran = home.run(&spec(&server), name, &["--task", "reply"]);
        let response = ran.of("reply");
        assert_eq!((response.status, response.attempts), (Status::Done, 2), "{name}: {:?}", response.error);
        assert!(ran.correct("reply"), "{name}");
    }
}

#[test]
fn faults_that_last_fail_at_once_and_count_as_wrong() {
    let home = Home::new(SUITE);
    for code in ["400 Bad Request", "401 Unauthorized", "404 Not Found", "302 Found"] {
        let said = "{\"error\": {\"message\": \"no such model for sk-very-secret\"}}";
        let server = Server::new(move |_| status(code, "", said));
        let ran = home.run(&spec(&server), &code[..3], &[]);
        assert_eq!(ran.status, Some(3), "every instance failed: {}", ran.err);
        let response = ran.of("reply");
        let error = response.error.as_deref().unwrap_or_default();
        assert_eq!((response.status, response.attempts), (Status::Failed, 1), "{error}");
        assert!(error.contains(&code[..3]) && error.contains("no such model for [key]"), "{error}");
        assert_eq!(server.requests().len(), 2);
        assert_eq!(ran.scores().iter().filter(|score| score.correct).count(), 0);
        assert_eq!(ran.scores().len(), 2);
    }
}

#[test]
fn attempts_come_to_an_end() {
    let home = Home::new(SUITE);
    let server = Server::new(|_| status("500 Internal Server Error", "", ""));
    let ran = home.run(&spec(&server), "run", &["--task", "reply", "--retries", "2"]);
    assert_eq!((ran.of("reply").status, ran.of("reply").attempts), (Status::Failed, 3));
    assert_eq!(server.requests().len(), 3);
    let gone = std::net::TcpListener::bind("127.0.0.1:0").expect("a port").local_addr().expect("an address");
    let ran = home.run(&format!("openai:http://{gone}/v1#m"), "gone", &["--task", "reply", "--retries", "1"]);
    assert_eq!((ran.of("reply").status, ran.of("reply").attempts), (Status::Failed, 2));
}

#[test]
fn time_and_rounds_are_limited() {
    let home = Home::new(SUITE);
    let server = Server::new(|_| {
        let mut steps = cut(&says("42")[..2]);
        steps.push(Do::Wait(20_000));
        steps
    });
    let ran = home.run(&spec(&server), "slow", &["--task", "reply", "--timeout", "1"]);
    assert_eq!((ran.of("reply").status, ran.of("reply").attempts), (Status::Timeout, 1));
    assert!(ran.of("reply").wall_ms < 5_000);
    let server = Server::new(|_| stream(&calls(&[("list_files", json!({}))])));
    let ran = home.run(&spec(&server), "rounds", &["--task", "reply", "--max-rounds", "3"]);
    let response = ran.of("reply");
    assert_eq!((response.status, response.rounds, response.tool_calls), (Status::MaxRounds, Some(3), Some(2)));
    assert_eq!(server.requests().len(), 3);
}

#[test]
fn hostile_calls_stay_in_the_sandbox() {
    let home = Home::new(SUITE);
    let outside = home.at("outside");
    std::fs::create_dir(&outside).expect("made");
    std::fs::write(outside.join("secret.txt"), "do not read").expect("written");
    let at = |name: &str| outside.join(name).display().to_string();
    let up = format!("../../../../../../../..{}", at("secret.txt"));
    let db = at("stolen.db");
    let hostile: Vec<(&str, Json)> = vec![
        ("read_file", json!({"path": at("secret.txt")})),
        ("read_file", json!({"path": up})),
        ("read_file", json!({"path": "in/../../../secret"})),
        ("write_file", json!({"path": at("new.txt"), "content": "x"})),
        ("write_file", json!({"path": format!("../../../../../../../..{}", at("new.txt")), "content": "x"})),
        ("write_file", json!({"path": "in", "content": "x"})),
        ("write_file", json!({"path": "a\u{0}b", "content": "x"})),
        ("make_folder", json!({"path": at("folder")})),
        ("make_folder", json!({"path": "../folder"})),
        ("list_files", json!({"path": ".."})),
        ("list_files", json!({"path": "/"})),
        ("run_sql", json!({"database": db, "sql": "CREATE TABLE t (a)"})),
        ("run_sql", json!({"database": "../x.db", "sql": "CREATE TABLE t (a)"})),
        ("run_sql", json!({"database": "x.db", "sql": format!("ATTACH '{db}' AS y; CREATE TABLE y.t (a)")})),
        ("run_sql", json!({"database": "x.db", "sql": format!("VACUUM INTO '{db}'")})),
        ("run_sql", json!({"database": "file:../x.db?mode=rwc", "sql": "SELECT load_extension('x')"})),
        ("run_sql", json!({"database": "in/orders.csv", "sql": "DELETE FROM x"})),
        ("no_such_tool", json!({})),
        ("write_file", json!({"path": 7})),
        ("write_file", json!([])),
    ];
    let count = hostile.len();
    let planned = hostile.clone();
    let server = Server::new(move |request| {
        let done = results(request).len();
        if done == 0 { stream(&calls(&planned)) } else { stream(&says("42")) }
    });
    let ran = home.run(&spec(&server), "run", &["--task", "sum"]);
    assert_eq!((ran.of("sum").status, ran.of("sum").tool_calls), (Status::Done, Some(count as u32)));
    let last = server.requests().pop().expect("a request");
    for ((name, arguments), result) in hostile.iter().zip(results(&last)) {
        assert!(result.starts_with("error: "), "{name} {arguments}: {result}");
    }
    let left: Vec<String> = std::fs::read_dir(&outside)
        .expect("read")
        .map(|entry| entry.expect("an entry").file_name().to_string_lossy().into_owned())
        .collect();
    assert_eq!(left, ["secret.txt"]);
    assert!(!ran.everything().contains("do not read"));
}

#[test]
fn huge_results_are_cut() {
    let home = Home::new(SUITE);
    let server = Server::new(|request| match results(request).len() {
        0 => stream(&calls(&[(
            "run_sql",
            json!({"database": "x.db", "sql": "CREATE TABLE t (a); SELECT hex(zeroblob(400000))"}),
        )])),
        _ => stream(&says("42")),
    });
    home.run(&spec(&server), "run", &["--task", "reply"]);
    let last = server.requests().pop().expect("a request");
    let result = &results(&last)[0];
    assert!(result.len() < 40_000 && result.contains("[cut: "), "{}", result.len());
}

/// With `--link-lakes`, a lake of more than 64 MiB is copied once a run: in the sandbox is a link to it. The tools follow this link and no other, and write nothing there.
#[test]
fn tools_read_a_lake_that_sandboxes_share_and_do_not_write_to_it() {
    const LAKE: &str = r#"
suite t {
  title   "T"
  version "1.0.0"
  samples 1
}
lake rain at "data/rain" from "lake" {
  csv years from "years/*.csv" { YEAR : int  MM : int  key (YEAR) }
}
task sum {
  lake rain
  prompt "What is the sum of MM in <<rain>>? Number only."
  expect reply number sum(rain.years.MM)
}
"#;
    let home = Home::with(
        LAKE,
        &[
            ("lake/years/a.csv", b"YEAR,MM\n2001,10\n".to_vec()),
            ("lake/years/b.csv", b"YEAR,MM\n2002,32\n".to_vec()),
            ("lake/large.bin", vec![0; 65 << 20]),
        ],
    );
    let asked: Vec<(&str, Json)> = vec![
        ("list_files", json!({})),
        ("list_files", json!({"path": "./data/rain/years/"})),
        ("read_file", json!({"path": "data/rain/years/a.csv", "from": 2})),
        ("read_file", json!({"path": "./data/rain/years/b.csv", "from": 2})),
        ("run_sql", json!({"database": "own.db", "sql": "CREATE TABLE t (a)"})),
        ("write_file", json!({"path": "data/note.txt", "content": "x"})),
        ("list_files", json!({})),
    ];
    let refused: Vec<(&str, Json)> = vec![
        ("write_file", json!({"path": "data/rain/years/a.csv", "content": "x"})),
        ("write_file", json!({"path": "./data/rain/new.txt", "content": "x"})),
        ("write_file", json!({"path": "data/rain", "content": "x"})),
        ("write_file", json!({"path": "data/../data/rain/new.txt", "content": "x"})),
        ("make_folder", json!({"path": "data/rain/new"})),
        ("run_sql", json!({"database": "data/rain/new.db", "sql": "CREATE TABLE t (a)"})),
        ("read_file", json!({"path": "data/rain/../../../../.lock"})),
        ("read_file", json!({"path": "data/rain/none.csv"})),
        ("list_files", json!({"path": "data/rain/.."})),
    ];
    let planned = [asked.clone(), refused.clone()].concat();
    let server = Server::new(move |request| {
        let results = results(request);
        if results.is_empty() {
            return stream(&calls(&planned));
        }
        let sum: i64 = results[2..4]
            .iter()
            .map(|row| row.trim().rsplit(',').next().expect("MM").parse::<i64>().expect("a number"))
            .sum();
        stream(&says(&sum.to_string()))
    });
    let ran = home.run(&spec(&server), "run", &["--link-lakes"]);
    assert_eq!(ran.status, Some(0), "{}", ran.err);
    assert!(ran.correct("sum"), "{}", ran.everything());
    let last = server.requests().pop().expect("a request");
    let all = results(&last);
    let (done, not_done) = all.split_at(asked.len());
    let files =
        "data/\ndata/rain/\ndata/rain/large.bin\ndata/rain/years/\ndata/rain/years/a.csv\ndata/rain/years/b.csv";
    assert_eq!(done[0], files);
    assert_eq!(done[1], "a.csv\nb.csv");
    assert_eq!(done[6], format!("{}\nown.db", files.replacen("data/\n", "data/\ndata/note.txt\n", 1)));
    for ((name, arguments), result) in refused.iter().zip(not_done) {
        assert!(result.starts_with("error: "), "{name} {arguments}: {result}");
    }
    let only_read = |result: &&String| result.ends_with("is in a folder that can only be read");
    assert!(not_done.iter().filter(only_read).count() >= 5, "{not_done:#?}");
    // Nobody changed the copy that the sandboxes share.
    assert!(!std::fs::read_to_string(ran.folder.join("run.json")).expect("run.json").contains("unverified"));
}
