//! Findings X1 and X2: every option of `run`, from the list of clap itself. Another value of it either is refused when a run goes on, or has a reason here why
//! results do not depend on it. A new option fails the test until it has its row. The same for every parameter that `run.json` records.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use clap::Args as _;
use model::tools::Tool;
use serde_json::{Value as Json, json};

use super::chat::{messages, says};
use super::home::{Home, picardc};
use super::server::{Request, Server, stream};

/// What becomes of a run that goes on with another value of an option.
enum Rule {
    /// It is refused, by a message with these words.
    Refused(&'static str, &'static [Change]),
    /// It goes on, for this reason; with these flags here, if they can be given alone.
    Free(&'static str, &'static [&'static str]),
}
use Rule::{Free, Refused};

/// Kinds of agents, and two lists of flags that give an option two values. `FILE.pcd` is the suite in place of `s.pcd`.
struct Change(&'static [Kind], &'static [&'static str], &'static [&'static str]);

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Kind {
    Oracle,
    Cmd,
    OpenAi,
    Picard,
}
use Kind::{Cmd, OpenAi, Oracle, Picard};

/// Agents that ask a server.
const SERVED: &[Kind] = &[OpenAi, Picard];
const EVERY: &[Kind] = &[Oracle, Cmd, OpenAi, Picard];

/// By the names that clap has for them.
const OPTIONS: &[(&str, Rule)] = &[
    ("what", Refused("the suite was changed since", &[Change(&[Oracle], &[], &["other.pcd"])])),
    ("agent", Refused("--agent was `", &[Change(&[Oracle], &[], &["--agent", "null"])])),
    ("out", Free("another folder is another run", &[])),
    ("seed", Refused("--seed", &[Change(&[Oracle], &["--seed", "1"], &["--seed", "2"])])),
    ("samples", Refused("--samples", &[Change(&[Oracle], &["--samples", "1"], &["--samples", "2"])])),
    ("stages", Refused("--stages", &[Change(&[Oracle], &[], &["--stages", "each"])])),
    ("task", Refused("--task", &[Change(&[Oracle], &[], &["--task", "reply"])])),
    ("limit", Refused("--limit", &[Change(&[Oracle], &[], &["--limit", "1"])])),
    ("trials", Refused("--trials was `", &[Change(EVERY, &[], &["--trials", "2"])])),
    ("concurrency", Free("the order of the questions is not part of a question", &["--concurrency", "2"])),
    ("timeout", Refused("--timeout was `", &[Change(EVERY, &[], &["--timeout", "299"])])),
    ("max_rounds", Refused("--max-rounds was `", &[Change(EVERY, &[], &["--max-rounds", "19"])])),
    ("retries", Free("each retry is recorded in `attempts`, and asks the same", &["--retries", "2"])),
    ("retry_pause", Free("a pause is not part of a question", &["--retry-pause", "0.5"])),
    ("retry_failed", Free("it says which trials are repeated, not how", &["--retry-failed=false"])),
    ("unverified", Free("run.json and reports record it", &["--unverified"])),
    ("allow_changed", Free("run.json and reports record what it accepts", &["--allow-changed"])),
    ("sandbox", Refused("--sandbox was ", &[Change(EVERY, &[], &["--sandbox", "fixed"])])),
    ("link_lakes", Refused("--link-lakes was `", &[Change(&[OpenAi], &["lake.pcd"], &["lake.pcd", "--link-lakes"])])),
    ("ignore_tools", Refused("--ignore-tools was ", &[Change(&[Oracle, Picard], &[], &["--ignore-tools"])])),
    ("api_key_env", Free("a key is renewed, and says nothing about the model", &["--api-key-env", "PICARDC_TEST_KEY"])),
    (
        "temperature",
        Refused(
            "--temperature was ",
            &[
                Change(SERVED, &[], &["--temperature", "1.5"]),
                Change(SERVED, &["--temperature", "0"], &["--temperature", "0.7"]),
            ],
        ),
    ),
    ("top_p", Refused("--top-p was ", &[Change(&[OpenAi], &[], &["--top-p", "0.5"])])),
    (
        "max_tokens",
        Refused(
            "--max-tokens was ",
            &[
                Change(SERVED, &[], &["--max-tokens", "50"]),
                Change(SERVED, &["--max-tokens", "50"], &["--max-tokens", "51"]),
            ],
        ),
    ),
    ("model_seed", Refused("--model-seed was ", &[Change(&[OpenAi], &[], &["--model-seed", "7"])])),
    (
        "request",
        Refused(
            "--request `a` was ",
            &[
                Change(SERVED, &[], &["--request", "a=1"]),
                Change(SERVED, &["--request", "a=1"], &["--request", "a=\"1\""]),
            ],
        ),
    ),
    ("system", Refused("--system `", &[Change(&[OpenAi], &[], &["--system", "system.txt"])])),
    ("price", Refused("--price was `", &[Change(&[Cmd, OpenAi], &[], &["--price", "1/2"])])),
    ("env", Refused("--env `PICARDC_TEST_OPTION` was ", &[Change(&[Cmd], &[], &["--env", "PICARDC_TEST_OPTION"])])),
    ("read", Refused("--read `", &[Change(&[Cmd], &[], &["--read", "system.txt"])])),
    ("allow_unix", Refused("--allow-unix was ", &[Change(&[Cmd], &[], &["--allow-unix"])])),
    ("require_sandbox", Free("it refuses to run, or changes nothing", &["--require-sandbox"])),
    ("memory", Refused("--memory was `", &[Change(&[Cmd], &[], &["--memory", "512"])])),
    ("quiet", Free("it says what is printed", &["--quiet"])),
];

const STAGED: &str = r#"
suite t {
  title   "T"
  version "1.0.0"
  samples 1
}

task reply {
  n : int 1..1_000_000
  prompt "Reply with <<n>>."
  expect reply number n
}

task double {
  n : int 1..1_000_000
  twice = n * 2
  prompt "Reply with twice <<n>>."
  expect reply number twice
  stage first {
    prompt "Reply with <<n>>, which is the first step."
    expect reply number n
  }
}
"#;

const LAKE: &str = r#"
suite t {
  title   "T"
  version "1.0.0"
  samples 1
}

lake rain at "data/rain" from "lake" {}

task look {
  n : int 1..1_000_000
  lake rain
  prompt "Look into <<rain>>, and reply with <<n>>."
  expect reply number n
}
"#;

/// Runs of the suites of one folder.
struct Runs {
    home: Home,
    server: Server,
    /// The folders of runs that have begun: by agent and flags.
    begun: BTreeMap<(Kind, Vec<&'static str>), PathBuf>,
}

impl Runs {
    fn new() -> Runs {
        let home = Home::with(STAGED, &[("system.txt", b"You are a clerk.".to_vec())]);
        fs::write(home.at("other.pcd"), STAGED.replace("Reply with", "Say")).expect("written");
        let lake = home.at("lake");
        fs::create_dir(&lake).expect("made");
        let large = fs::File::create(lake.join("large.bin")).expect("made");
        large.set_len(65 << 20).expect("as long as that");
        fs::write(home.at("lake.pcd"), LAKE).expect("written");
        let piece = json!({"role": "assistant", "type": "chunk", "content": "42"});
        let server = Server::new(move |request: &Request| match request.body.get("stream") {
            Some(_) => stream(&says("42")),
            None => stream(&[format!("{piece}\n")]),
        });
        Runs { home, server, begun: BTreeMap::new() }
    }

    fn spec(&self, kind: Kind) -> String {
        match kind {
            Oracle => "oracle".to_owned(),
            Cmd => "cmd:true word".to_owned(),
            OpenAi => format!("openai:{}/v1?a=b#m", self.server.url),
            Picard => format!("picard:{}?a=b", self.server.url),
        }
    }

    /// Begins a run, or goes on with it. Returns the exit status and what it prints.
    fn go(&self, kind: Kind, folder: &Path, flags: &[&str]) -> (Option<i32>, String) {
        let spec = self.spec(kind);
        let is_suite = |flag: &&&str| flag.ends_with(".pcd");
        let suite = flags.iter().find(is_suite).map_or("s.pcd", |suite| *suite);
        let flags = flags.iter().filter(|flag| !is_suite(flag));
        let mut command = picardc();
        command.0.current_dir(self.home.folder.path()).env("OPENAI_API_KEY", "sk-very-secret");
        command.0.env("PICARDC_TEST_KEY", "sk-not-less-secret").env("PICARDC_TEST_OPTION", "value");
        let mut command = command.args(["run", suite, "-o"]).args([folder]).args(flags.clone());
        if flags.clone().all(|flag| *flag != "--agent") {
            command = command.args(["--agent", &spec]);
        }
        let output = command.output();
        (output.status.code(), String::from_utf8_lossy(&output.stderr).into_owned())
    }

    /// The folder of a whole run with these flags, whose responses were then removed: when it goes on, it has something to ask.
    fn begin(&mut self, kind: Kind, flags: &[&'static str]) -> PathBuf {
        let key = (kind, flags.to_vec());
        let folder = match self.begun.get(&key) {
            Some(folder) => folder.clone(),
            None => {
                let folder = self.home.at(&format!("run-{}", self.begun.len()));
                let (status, said) = self.go(kind, &folder, flags);
                assert_eq!(status, Some(0), "{kind:?} {flags:?}: {said}");
                self.begun.insert(key, folder.clone());
                folder
            }
        };
        fs::write(folder.join("responses.jsonl"), "").expect("written");
        folder
    }
}

fn read_record(folder: &Path) -> Json {
    serde_json::from_slice(&fs::read(folder.join("run.json")).expect("run.json")).expect("JSON")
}

/// The options of `run`, as clap has them: names, and flags.
fn list_options() -> BTreeMap<String, Option<String>> {
    let command = picardc::run::Args::augment_args(clap::Command::new("run"));
    let arguments = command.get_arguments();
    arguments.map(|one| (one.get_id().to_string(), one.get_long().map(|long| format!("--{long}")))).collect()
}

#[test]
fn every_option_is_compared_or_has_a_reason_when_a_run_goes_on() {
    let known: BTreeSet<String> = list_options().into_keys().collect();
    let ruled: BTreeSet<String> = OPTIONS.iter().map(|(name, _)| (*name).to_owned()).collect();
    assert_eq!(known, ruled, "each option of `run` has its row in OPTIONS");
    assert_eq!(ruled.len(), OPTIONS.len());

    let mut runs = Runs::new();
    let mut refused = 0;
    for (name, rule) in OPTIONS {
        let Refused(words, changes) = rule else { continue };
        for Change(kinds, first, second) in *changes {
            for kind in *kinds {
                for (was, is) in [(first, second), (second, first)] {
                    // A run of another agent is that agent's.
                    if was.contains(&"--agent") {
                        continue;
                    }
                    let folder = runs.begin(*kind, was);
                    let (record, asked) =
                        (fs::read(folder.join("run.json")).expect("run.json"), runs.server.requests().len());
                    let (status, said) = runs.go(*kind, &folder, is);
                    assert_eq!(status, Some(2), "{name} of {kind:?}: {was:?}, then {is:?}: {said}");
                    assert!(said.contains(words), "{name} of {kind:?}: {was:?}, then {is:?}: {said}");
                    assert_eq!(runs.server.requests().len(), asked, "{name}: a run that is refused asks nobody");
                    assert_eq!(fs::read(folder.join("responses.jsonl")).expect("responses"), b"", "{name}");
                    assert_eq!(fs::read(folder.join("run.json")).expect("run.json"), record, "{name}");
                    refused += 1;
                }
            }
        }
    }
    assert!(refused > 50, "{refused}");
    for (name, rule) in OPTIONS {
        let Free(reason, flags) = rule else { continue };
        assert!(reason.split(' ').count() > 4, "{name}: {reason}");
        let folder = runs.begin(OpenAi, &[]);
        let (before, asked) = (read_record(&folder), runs.server.requests().len());
        let (status, said) = runs.go(OpenAi, &folder, flags);
        assert_eq!(status, Some(0), "{name}: {said}");
        assert!(runs.server.requests().len() > asked, "{name}: the run went on");
        let after = read_record(&folder);
        assert_eq!(after["parameters"], before["parameters"], "{name}");
        assert_eq!(after.get("unverified").is_some(), before.get("unverified").is_some() || *name == "unverified");
    }
}

#[test]
fn the_manual_lists_the_options_that_may_change() {
    let page = fs::read_to_string(testing::root().join("docs/src/reference/runs.md")).expect("read");
    let text = page.split_whitespace().collect::<Vec<_>>().join(" ");
    let start = text.find("These options may change").expect("the sentence");
    let sentence = &text[start..start + text[start..].find(". ").expect("its end")];
    let quoted = sentence.split('`').skip(1).step_by(2);
    let listed: BTreeSet<&str> = quoted.filter(|word| word.starts_with("--")).collect();
    let flags = list_options();
    let free = OPTIONS.iter().filter(|(_, rule)| matches!(rule, Free(_, flags) if !flags.is_empty()));
    let free: BTreeSet<&str> = free.map(|(name, _)| flags[*name].as_deref().expect("a flag")).collect();
    assert_eq!(listed, free);
}

/// Another value, of the same type where that is possible.
fn change_value(value: &Json) -> Json {
    match value {
        Json::Bool(given) => json!(!given),
        Json::Number(number) => json!(number.as_f64().expect("a number") + 1.0),
        Json::String(text) => json!(format!("{text}x")),
        Json::Object(entries) => {
            let mut entries = entries.clone();
            match entries.values_mut().next() {
                Some(first) => *first = change_value(first),
                None => drop(entries.insert("x".to_owned(), json!(1))),
            }
            Json::Object(entries)
        }
        Json::Null | Json::Array(_) => json!("x"),
    }
}

/// What messages call the parameters of `run.json`.
const PARAMETERS: &[(&str, &str)] = &[
    ("temperature", "--temperature was"),
    ("top_p", "--top-p was"),
    ("max_tokens", "--max-tokens was"),
    ("seed", "--model-seed was"),
    ("request", "--request `"),
    ("masked", "the digest of --request `"),
    ("system", "--system `"),
    ("tools", "the description of the built-in tools was"),
    ("query", "the query of the address was"),
    ("program", "the program's file `"),
    ("env", "--env `"),
    ("read", "--read `"),
    ("memory_mib", "--memory was"),
    ("allow_unix", "--allow-unix was"),
    ("sandbox", "--sandbox was"),
    ("ignore_tools", "--ignore-tools was"),
];

/// A run that another version of `picardc`, or another endpoint, program, or description of the tools began: each parameter that it records is compared.
#[test]
fn every_recorded_parameter_is_compared_when_a_run_goes_on() {
    let mut runs = Runs::new();
    let mut seen: BTreeSet<String> = BTreeSet::new();
    for (kind, flags) in [
        (Oracle, &[][..]),
        (Cmd, &["--read", "system.txt", "--env", "PICARDC_TEST_OPTION"]),
        (OpenAi, &["--request", "user_token=\"a-long-secret\"", "--temperature", "0"]),
        (Picard, &["--request", "user_token=\"a-long-secret\""]),
    ] {
        let folder = runs.begin(kind, flags);
        let record = read_record(&folder);
        let parameters = record["parameters"].as_object().expect("parameters");
        for (name, value) in parameters {
            let (_, words) = PARAMETERS.iter().find(|(known, _)| known == name).expect("a row of PARAMETERS");
            let mut other = record.clone();
            other["parameters"][name] = change_value(value);
            fs::write(folder.join("run.json"), other.to_string()).expect("written");
            let asked = runs.server.requests().len();
            let (status, said) = runs.go(kind, &folder, flags);
            assert!(status == Some(2) && said.contains(words), "{name} of {kind:?}: {status:?} {said}");
            assert_eq!(runs.server.requests().len(), asked, "{name} of {kind:?}");
            seen.insert(name.clone());
        }
        fs::write(folder.join("run.json"), record.to_string()).expect("written");
        assert_eq!(runs.go(kind, &folder, flags).0, Some(0), "{kind:?}");
    }
    let known: BTreeSet<String> = PARAMETERS.iter().map(|(name, _)| (*name).to_owned()).collect();
    assert_eq!(seen, known, "a run records each of them");
}

/// The recorded digest is that of what the model gets.
#[test]
fn the_digest_of_the_tools_is_that_of_what_is_sent() {
    let words: Vec<&str> = Tool::ALL.iter().map(|tool| tool.word()).collect();
    let home = Home::new(&format!(
        "suite t {{ title \"T\" version \"1.0.0\" samples 1 }}\ntask all {{\n  n : int 1..9\n  tools [{}]\n  prompt \"Reply with <<n>>.\"\n  \
         expect reply number n\n}}\n",
        words.join(", ")
    ));
    let server = Server::new(|_| stream(&says("4")));
    let ran = home.run(&format!("openai:{}/v1#m", server.url), "run", &[]);
    assert_eq!(ran.status, Some(0), "{}", ran.err);
    let sent = server.requests().pop().expect("a request").body["tools"].clone();
    assert_eq!(sent.as_array().map(Vec::len), Some(Tool::ALL.len()));
    let digest = disk::digest::hash_sha256(sent.to_string().as_bytes());
    assert_eq!(read_record(&ran.folder)["parameters"]["tools"], digest);
}

/// Finding X2: the manual quotes the system prompts that are sent.
#[test]
fn the_system_prompts_of_the_manual_are_those_that_are_sent() {
    let page = fs::read_to_string(testing::root().join("docs/src/reference/agents.md")).expect("read");
    let mut quotes: Vec<String> = Vec::new();
    let mut quoted = false;
    for line in page.lines() {
        match line.strip_prefix("> ") {
            Some(more) if quoted => quotes.last_mut().expect("a quote").push_str(&format!(" {more}")),
            Some(first) => quotes.push(first.to_owned()),
            None => {}
        }
        quoted = line.starts_with('>');
    }
    let home = Home::new(
        "suite t { title \"T\" version \"1.0.0\" samples 1 }\ntask with {\n  n : int 1..9\n  prompt \"With: reply with <<n>>.\"\n  \
         expect reply number n\n}\ntask without {\n  n : int 1..9\n  tools []\n  prompt \"Without: reply with <<n>>.\"\n  expect reply number n\n}\n",
    );
    let server = Server::new(|_| stream(&says("4")));
    let ran = home.run(&format!("openai:{}/v1#m", server.url), "run", &[]);
    assert_eq!(ran.status, Some(0), "{}", ran.err);
    let requests = server.requests();
    let sent = ["With: ", "Without: "].map(|start| {
        let is_it = |request: &&Request| {
            messages(request)[1]["content"].as_str().is_some_and(|prompt| prompt.starts_with(start))
        };
        let request = requests.iter().find(is_it).expect("a request");
        messages(request)[0]["content"].as_str().expect("a system prompt").to_owned()
    });
    assert_eq!(quotes, sent);
    let recorded = &read_record(&ran.folder)["parameters"]["system"];
    assert_eq!([&recorded["with_tools"], &recorded["without_tools"]], [&json!(sent[0]), &json!(sent[1])]);
}
