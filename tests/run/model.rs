//! A whole run with a real small language model on a local server, both from PyPI: Gemma 3 270M, served by llama.cpp. What it answers is mostly wrong; what is
//! looked at is how a run with it goes: tools, transcripts, tokens, Ctrl-C, resume, report.

use std::io::{BufRead as _, BufReader};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::time::{Duration, Instant};

use records::{Response, Status, jsonl};
use serde_json::{Value as Json, json};

use super::home::{Home, Ran, picardc};

/// Short questions with and without tools.
const SUITE: &str = r#"
suite small { title "Small" version "1.0.0" samples 4 }
task file {
  n : int 10..99
  text note at "note.txt" = "The word is apple."
  tools [read_file]
  prompt "Read the file <<note>> (request <<n>>). What is the word?"
  expect reply contains "apple"
}
task count {
  n : int 10..99
  tools []
  prompt "Repeat the number: <<n>>"
  expect reply number n
}
"#;

/// The server; it ends with its standard input.
struct Model {
    child: Child,
    input: Option<ChildStdin>,
    url: String,
}

impl Model {
    fn start_server(python: &std::path::Path) -> Model {
        let folder = testing::root().join("target/small-model");
        std::fs::create_dir_all(&folder).expect("made");
        let mut child = Command::new(python)
            .arg(testing::root().join("tests/python/small_model.py"))
            .arg(folder)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("it starts");
        let mut url = String::new();
        let stdout = child.stdout.take().expect("piped");
        BufReader::new(stdout).read_line(&mut url).expect("an address");
        let url = url.trim().to_owned();
        assert!(url.starts_with("http://127.0.0.1:"), "{url:?}");
        let input = child.stdin.take();
        Model { child, input, url }
    }
}

impl Drop for Model {
    fn drop(&mut self) {
        drop(self.input.take());
        let _ = self.child.wait();
    }
}

fn responses(home: &Home, run: &str) -> Vec<Response> {
    let path = home.at(run).join("responses.jsonl");
    if path.exists() { jsonl::read_all(&path).expect("responses") } else { Vec::new() }
}

#[test]
fn a_real_model_is_run_stopped_resumed_and_reported() {
    if !testing::has_integrations("a real small model") {
        return;
    }
    let Some(python) = testing::SMALL_MODEL.find_interpreter_or_skip("a real small model") else { return };
    let model = Model::start_server(&python);
    let home = Home::new(SUITE);
    let spec = format!("openai:{}/v1#gemma", model.url);

    // Tools: a call is asked for. So small a model may first talk until its tokens are used up, so it is asked with several seeds.
    let flags = "--task file --limit 1 --concurrency 1 --temperature 0.8 --max-tokens 80 --max-rounds 2 --timeout 3000 \
                 --request tool_choice=\"required\" --request parallel_tool_calls=false";
    let ask = |seed: u32| {
        let seed = seed.to_string();
        let flags: Vec<&str> = flags.split_whitespace().chain(["--model-seed", &seed]).collect();
        let ran = home.run(&spec, &format!("tools-{seed}"), &flags);
        assert_eq!(ran.status, Some(0), "{}", ran.err);
        assert_eq!(ran.responses.len(), 1);
        ran
    };
    let has_called = |ran: &Ran| ran.responses.iter().any(|response| response.tool_calls >= Some(1));
    let ran = (1..=12).map(ask).find(has_called).expect("one of twelve seeds calls the tool");
    for response in &ran.responses {
        assert!(matches!(response.status, Status::MaxRounds | Status::Done), "{response:?}");
        assert!(response.tool_calls >= Some(1) && response.rounds >= Some(2), "{response:?}");
        assert!(response.prompt_tokens > Some(100) && response.completion_tokens > Some(5), "{response:?}");
        let path = ran.folder.join(format!("transcripts/{}.1.jsonl", response.id));
        let messages: Vec<Json> = jsonl::read_all(&path).expect("a transcript");
        let call = messages.iter().find(|message| message["tool_calls"].is_array()).expect("a call");
        assert_eq!(call["tool_calls"][0]["function"]["name"], "read_file", "{messages:?}");
        assert!(messages.iter().any(|message| message["role"] == "tool"), "{messages:?}");
    }
    let info: Json = serde_json::from_slice(&std::fs::read(ran.folder.join("run.json")).expect("read")).expect("JSON");
    assert_eq!(info["parameters"]["request"], json!({"tool_choice": "required", "parallel_tool_calls": false}));

    // Ctrl-C after an answer, and resumed: each instance once, and what was there stays byte for byte.
    let flags = "--task count --concurrency 1 --temperature 0 --model-seed 1 --max-tokens 16 --timeout 3000";
    let flags: Vec<&str> = flags.split(' ').collect();
    let begin =
        || picardc().args(["run", "--agent", &spec, "-o"]).args([home.at("count"), home.at("bundle")]).args(&flags);
    let mut child = begin().0.stderr(Stdio::piped()).spawn().expect("it starts");
    let until = Instant::now() + Duration::from_secs(3000);
    while responses(&home, "count").is_empty()
        && child.try_wait().expect("a status").is_none()
        && Instant::now() < until
    {
        std::thread::sleep(Duration::from_millis(10));
    }
    assert!(Command::new("kill").args(["-INT", &child.id().to_string()]).status().expect("it runs").success());
    let ended = child.wait_with_output().expect("ended");
    let said = String::from_utf8_lossy(&ended.stderr).into_owned();
    assert!(ended.status.code() == Some(3) && said.contains("stopped: "), "{:?} {said}", ended.status);
    let there = std::fs::read(home.at("count/responses.jsonl")).expect("read");
    let count = responses(&home, "count").len();
    assert!((1..4).contains(&count), "{count}");
    let other = begin().args(["--top-p", "0.5"]).output();
    assert!(other.status.code() == Some(2) && String::from_utf8_lossy(&other.stderr).contains("--top-p was not given"));
    let resumed = begin().output();
    let said = String::from_utf8_lossy(&resumed.stderr).into_owned();
    assert!(resumed.status.success() && said.contains("scored 4 responses"), "{said}");
    let all = responses(&home, "count");
    assert!(std::fs::read(home.at("count/responses.jsonl")).expect("read").starts_with(&there));
    let mut ids: Vec<&str> = all.iter().map(|response| response.id.as_str()).collect();
    ids.sort_unstable();
    ids.dedup();
    assert_eq!((all.len(), ids.len()), (4, 4));
    for response in &all {
        assert_eq!(
            (response.status, response.rounds, response.tool_calls),
            (Status::Done, Some(1), Some(0)),
            "{response:?}"
        );
        assert!(!response.reply.is_empty() && response.completion_tokens <= Some(17), "{response:?}");
        assert!(response.prompt_tokens > Some(0), "{response:?}");
    }

    // The report has its tokens and its time.
    let html = home.at("report.html");
    let reported =
        picardc().args(["report".into(), home.at("count"), "--json".into(), "--html".into(), html.clone()]).output();
    assert!(reported.status.success(), "{}", String::from_utf8_lossy(&reported.stderr));
    let report: Json = serde_json::from_slice(&reported.stdout).expect("JSON");
    assert_eq!(report["runs"][0]["statuses"]["done"], 4, "{report}");
    assert!(std::fs::metadata(html).expect("a page").len() > 1_000);
}
