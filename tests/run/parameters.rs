//! Findings X1 to X4: all that reaches the model or shapes the agent is recorded and compared when a run goes on. Every parameter is changed alone, from each
//! value to each other: the run is refused, the parameter is named, and nobody is asked.

use std::fs;
use std::path::Path;

use serde_json::{Value as Json, json};

use super::chat::{messages, says};
use super::home::{Home, Ran, SUITE, picardc};
use super::server::{Server, status, stream};

fn recorded(folder: &Path) -> Json {
    serde_json::from_slice(&fs::read(folder.join("run.json")).expect("run.json")).expect("JSON")
}

/// The response that is there is removed, so that a run that goes on has something to ask.
fn forget(ran: &Ran) {
    fs::write(ran.folder.join("responses.jsonl"), "").expect("written");
}

/// What picardc itself sends, and what users add to it.
#[test]
fn requests_have_what_was_asked_for() {
    let home = Home::new(SUITE);
    let server = Server::new(|_| stream(&says("42")));
    let spec = format!("openai:{}/v1?api-version=7&api-key=very-secret-indeed#m", server.url);
    fs::write(home.at("system.txt"), "You are a clerk.\n").expect("written");
    fs::write(home.at("empty.txt"), "").expect("written");
    let system = home.at("system.txt").display().to_string();
    let flags = [
        "--task",
        "reply",
        "--temperature",
        "0.25",
        "--top-p",
        "0.5",
        "--max-tokens",
        "99",
        "--model-seed",
        "7",
        "--request",
        "reasoning_effort=\"low\"",
        "--request",
        "stop=[\"a=b\"]",
        "--request",
        "api_key=\"hidden-from-all\"",
        "--system",
        &system,
    ];
    let ran = home.run(&spec, "run", &flags);
    let request = server.requests().pop().expect("a request");
    let body = &request.body;
    let sent = ["temperature", "top_p", "max_tokens", "seed", "reasoning_effort", "stop", "api_key"]
        .map(|name| body[name].clone());
    assert_eq!(json!(sent), json!([0.25, 0.5, 99, 7, "low", ["a=b"], "hidden-from-all"]));
    assert_eq!(messages(&request)[0], json!({"role": "system", "content": "You are a clerk.\n"}));
    assert!(!ran.everything().contains("very-secret-indeed") && !ran.everything().contains("hidden-from-all"));
    let parameters = recorded(&ran.folder)["parameters"].clone();
    let request = json!({"reasoning_effort": "low", "stop": ["a=b"], "api_key": "[api_key]"});
    assert_eq!(parameters["request"], request);
    assert_eq!(parameters["query"], "api-version=7&api-key=[api-key]");
    assert_eq!(
        parameters["system"],
        json!({"with_tools": "You are a clerk.\n", "without_tools": "You are a clerk.\n"})
    );
    // An empty file: no system prompt at all. Nothing given: the server's own, and ours is recorded.
    let empty = home.at("empty.txt").display().to_string();
    home.run(&spec, "none", &["--task", "reply", "--system", &empty]);
    assert_eq!(messages(&server.requests().pop().expect("a request"))[0]["role"], "user");
    let plain = home.run(&spec, "plain", &["--task", "reply"]);
    let request = server.requests().pop().expect("a request");
    for name in ["temperature", "top_p", "max_tokens", "seed"] {
        assert!(request.body.get(name).is_none(), "{}", request.body);
        assert_eq!(recorded(&plain.folder)["parameters"][name], Json::Null);
    }
    let ours = recorded(&plain.folder)["parameters"]["system"]["with_tools"].clone();
    assert_eq!(messages(&request)[0]["content"], ours);
    // PICARD's servers have parameters, too.
    let picard =
        Server::new(|_| stream(&["{\"role\": \"assistant\", \"type\": \"chunk\", \"content\": \"42\"}\n".to_owned()]));
    let flags = ["--task", "reply", "--max-tokens", "50", "--temperature", "1", "--request", "model=\"x\""];
    let ran = home.run(&format!("picard:{}", picard.url), "picard", &flags);
    let body = &picard.requests()[0].body;
    assert_eq!(
        [&body["max_output_tokens"], &body["temperature"], &body["model"]],
        [&json!(50), &json!(1.0), &json!("x")]
    );
    assert_eq!(recorded(&ran.folder)["parameters"]["max_tokens"], 50);
}

#[test]
fn what_would_reach_nobody_is_refused() {
    let home = Home::new(SUITE);
    fs::write(home.at("latin.txt"), b"caf\xe9").expect("written");
    let (latin, none) = (home.at("latin.txt").display().to_string(), home.at("none.txt").display().to_string());
    let chat = "openai:http://127.0.0.1:9/v1#m";
    for (agent, flags, why) in [
        ("oracle", &["--temperature", "0.5"][..], "--temperature is for `openai:` and `picard:` agents"),
        ("cmd:true", &["--max-tokens", "5"], "--max-tokens is for `openai:` and `picard:` agents"),
        ("null", &["--request", "a=1"], "--request is for"),
        ("picard:http://127.0.0.1:9", &["--top-p", "0.5"], "--top-p is for `openai:` agents"),
        ("picard:http://127.0.0.1:9", &["--model-seed", "5"], "--model-seed is for `openai:` agents"),
        ("oracle", &["--env", "PATH"], "--env is for `cmd:` agents"),
        (chat, &["--read", &latin], "--read is for `cmd:` agents"),
        ("picard:http://127.0.0.1:9", &["--allow-unix"], "--allow-unix is for `cmd:` agents"),
        ("cmd:true", &["--system", &latin], "is not text in UTF-8"),
        (chat, &["--system", &none], "cannot read"),
        (chat, &["--request", "stream=false"], "--request sets `stream`, which picardc sets itself"),
        (chat, &["--request", "messages=[]"], "which picardc sets itself"),
        (chat, &["--request", "n=2"], "which picardc sets itself"),
        (chat, &["--request", "temperature=1"], "use --temperature"),
        (chat, &["--request", "seed=1"], "use --model-seed"),
        ("picard:http://127.0.0.1:9", &["--request", "max_output_tokens=1"], "use --max-tokens"),
        (chat, &["--request", "a=1", "--request", "a=1"], "--request gives `a` twice"),
        (chat, &["--request", "effort=low"], "`low` is not JSON; quote text: --request 'effort=\"low\"'"),
        (chat, &["--request", "effort"], "write KEY=JSON"),
        (chat, &["--top-p", "0"], "above 0, at most 1"),
        (chat, &["--max-tokens", "0"], "--max-tokens"),
    ] {
        let ran = home.run(agent, "run", flags);
        assert!(
            matches!(ran.status, Some(2 | 3)) && ran.err.contains(why),
            "{agent} {flags:?}: {:?} {}",
            ran.status,
            ran.err
        );
        assert!(!ran.folder.exists(), "{agent} {flags:?} left a folder");
    }
}

/// Of each parameter of a chat endpoint: how messages call it, and flags that give it different values. The first is no flag at all.
fn chat_parameters(home: &Home) -> Vec<(&'static str, Vec<Vec<String>>)> {
    let file = |name: &str, text: &str| {
        fs::write(home.at(name), text).expect("written");
        home.at(name).display().to_string()
    };
    let each = |option: &str, values: &[&str]| {
        let given = values.iter().map(|value| vec![option.to_owned(), (*value).to_owned()]);
        std::iter::once(Vec::new()).chain(given).collect::<Vec<_>>()
    };
    let long = "The same beginning, which is longer than what a message shows. ".repeat(3);
    let systems = [file("a.txt", &format!("{long}a")), file("b.txt", &format!("{long}b")), file("c.txt", "")];
    let systems: Vec<&str> = systems.iter().map(String::as_str).collect();
    vec![
        ("--temperature", each("--temperature", &["0", "0.5", "1.5"])),
        ("--top-p", each("--top-p", &["0.1", "1"])),
        ("--max-tokens", each("--max-tokens", &["1", "4000"])),
        ("--model-seed", each("--model-seed", &["0", "18446744073709551615"])),
        ("--request `a`", each("--request", &["a=1", "a=\"1\"", "a=null", "a=[1]", "a=true"])),
        ("--request `b`", each("--request", &["b={\"c\": 1}", "b={\"c\": 2}"])),
        ("--system", each("--system", &systems)),
        ("--timeout", each("--timeout", &["7", "8"])),
        ("--max-rounds", each("--max-rounds", &["7", "8"])),
        ("--trials", each("--trials", &["2", "3"])),
        ("--price", each("--price", &["1/2", "1/3"])),
    ]
}

#[test]
fn a_chat_run_resumes_with_the_same_parameters_only() {
    let home = Home::new(SUITE);
    let server = Server::new(|_| stream(&says("42")));
    let spec = format!("openai:{}/v1?api-version=1#m", server.url);
    let mut refused = 0;
    for (name, values) in chat_parameters(&home) {
        for (at, base) in values.iter().enumerate() {
            // Something else is given, too, which stays.
            let with = |flags: &[String]| {
                let mut all =
                    vec!["--task".to_owned(), "reply".to_owned(), "--request".to_owned(), "kept=1".to_owned()];
                all.extend(flags.iter().cloned());
                all
            };
            let run = |folder: &str, flags: &[String]| {
                let flags = with(flags);
                home.run(&spec, folder, &flags.iter().map(String::as_str).collect::<Vec<_>>())
            };
            let folder = format!("{}-{at}", name.trim_matches(|c: char| !c.is_alphanumeric()).replace(' ', "-"));
            let ran = run(&folder, base);
            assert_eq!(ran.status, Some(0), "{base:?}: {}", ran.err);
            forget(&ran);
            let (before, asked) = (fs::read(ran.folder.join("run.json")).expect("read"), server.requests().len());
            for (_, other) in values.iter().enumerate().filter(|(other, _)| *other != at) {
                let again = run(&folder, other);
                assert_eq!(again.status, Some(2), "{base:?}, then {other:?}: {}", again.err);
                assert!(again.err.contains("was started with different options: "), "{}", again.err);
                assert!(again.err.contains(&format!(" {name}")), "{base:?}, then {other:?}: {}", again.err);
                let (was, is) = again.err.split_once(" and is ").expect("both values");
                assert!(was.contains(" was ") && !is.is_empty(), "{}", again.err);
                refused += 1;
            }
            assert_eq!(server.requests().len(), asked, "a run that is refused asks nobody");
            assert_eq!(fs::read(ran.folder.join("run.json")).expect("read"), before);
            let same = run(&folder, base);
            assert_eq!(same.status, Some(0), "{base:?}: {}", same.err);
            assert!(server.requests().len() > asked);
        }
    }
    assert!(refused > 90, "{refused}");
    // The rest of the address, and the model; the key is no parameter.
    let begin = |url: &str| home.run(url, "address", &["--task", "reply"]);
    assert_eq!(begin(&spec).status, Some(0));
    for (other, why) in [
        (spec.replace("=1#", "=2#"), "the query of the address was `api-version=1` and is `api-version=2`"),
        (spec.replace("?api-version=1", ""), "the query of the address was `api-version=1` and is not given"),
        (spec.replace("#m", "#n"), "--agent was"),
    ] {
        let again = begin(&other);
        assert!(again.status == Some(2) && again.err.contains(why), "{other}: {}", again.err);
    }
}

const AGENT: &str = "import sys\nsys.stdin.readline()\nprint(42)\n";

/// Finding A8: what is masked is compared, too, and words of a vocabulary are not secrets.
#[test]
fn a_run_resumes_with_the_same_secret_parameters_only() {
    let home = Home::new(SUITE);
    let server = Server::new(|_| stream(&says("42")));
    let spec = format!("openai:{}/v1#m", server.url);
    for (name, first, second, is_secret) in [
        ("stop", "stop_token=\"<end_of_text>\"", "stop_token=\"<other_end_text>\"", false),
        ("user", "user_token=\"<end_of_text>\"", "user_token=\"<other_end_text>\"", true),
        ("deep", "x={\"user_token\":[\"<end_of_text>\"]}", "x={\"user_token\":[\"<other_end_text>\"]}", true),
    ] {
        let ran = home.run(&spec, name, &["--task", "reply", "--request", first]);
        assert_eq!(ran.status, Some(0), "{}", ran.err);
        let written = fs::read_to_string(ran.folder.join("run.json")).expect("run.json");
        assert_eq!(written.contains("end_of_text"), !is_secret, "{written}");
        forget(&ran);
        let asked = server.requests().len();
        let other = home.run(&spec, name, &["--task", "reply", "--request", second]);
        assert!(
            other.status == Some(2) && other.err.contains("--request `") && other.err.contains("end_text") != is_secret,
            "{}",
            other.err
        );
        assert_eq!(server.requests().len(), asked);
        let again = home.run(&spec, name, &["--task", "reply", "--request", first]);
        assert_eq!(again.status, Some(0), "{}", again.err);
    }
}

#[test]
fn a_program_resumes_as_it_was() {
    if !testing::has_python() {
        return;
    }
    let home = Home::new(SUITE);
    let write = |name: &str, text: &str| fs::write(home.at(name), text).expect("written");
    let path = |name: &str| home.at(name).display().to_string();
    fs::create_dir(home.at("folder")).expect("made");
    let (agent, data, read, folder) = (path("agent.py"), path("data.csv"), path("read.txt"), path("folder"));
    let reset = || {
        write("agent.py", AGENT);
        write("data.csv", "a\n1\n");
        write("read.txt", "be good");
    };
    let spec = format!("cmd:python3 {agent} {data} word");
    let run = |name: &str, spec: &str, env: &[(&str, &str)], flags: &[&str]| {
        let mut command = picardc();
        command
            .0
            .env("PICARDC_TEST_MODEL", "first-model")
            .env("PICARDC_TEST_TOKEN", "first-token")
            .envs(env.iter().copied());
        let command = command.args([
            "run",
            "--task",
            "reply",
            "--agent",
            spec,
            "--env",
            "PICARDC_TEST_MODEL",
            "--env",
            "PICARDC_TEST_TOKEN",
        ]);
        let output = command
            .args(["--read", &read, "--read", &folder, "-o"])
            .args([home.at(name), home.at("bundle")])
            .args(flags)
            .output();
        (output.status.code(), String::from_utf8_lossy(&output.stderr).into_owned())
    };
    reset();
    let (status, said) = run("run", &spec, &[], &[]);
    assert_eq!(status, Some(0), "{said}");
    let parameters = recorded(&home.at("run"))["parameters"].clone();
    let files: Vec<&String> = parameters["program"].as_object().expect("files").keys().collect();
    assert_eq!(files, ["python3", &agent, &data], "words that are not files are not files of the program");
    assert_eq!(parameters["read"][&folder], Json::Null);
    assert!(parameters["env"]["PICARDC_TEST_MODEL"].as_str().is_some_and(|digest| digest.len() == 4));
    assert_eq!(parameters["env"]["PICARDC_TEST_TOKEN"], Json::Null, "keys are renewed");
    // Options and values: never mixed.
    let other = path("other.txt");
    write("other.txt", "");
    for (env, flags, why) in [
        (&[("PICARDC_TEST_MODEL", "second-model")][..], &[][..], "--env `PICARDC_TEST_MODEL` was"),
        (&[], &["--env", "PATH"], "--env `PATH` was not given"),
        (&[], &["--read", &other], "--read `"),
        (&[], &["--memory", "512"], "--memory was `4096` and is `512`"),
        (&[], &["--allow-unix"], "--allow-unix was not given and is given"),
        (&[], &["--sandbox", &path("fixed")], "--sandbox was not given and is given"),
    ] {
        for flags in [flags.to_vec(), [flags, &["--allow-changed"]].concat()] {
            let (status, said) = run("run", &spec, env, &flags);
            assert!(status == Some(2) && said.contains(why), "{flags:?}: {said}");
            assert!(!said.contains("second-model"), "{said}");
        }
    }
    assert_eq!(run("run", &spec, &[("PICARDC_TEST_TOKEN", "second-token")], &[]).0, Some(0));
    // Files: refused unless told, and then recorded for good.
    for (number, (file, text)) in
        [("agent.py", "# edited\n"), ("agent.py", ""), ("data.csv", "a\n2\n"), ("read.txt", "be bad")]
            .into_iter()
            .enumerate()
    {
        reset();
        let name = format!("files-{number}");
        assert_eq!(run(&name, &spec, &[], &[]).0, Some(0));
        fs::write(home.at(&format!("{name}/responses.jsonl")), "").expect("written");
        write(file, &if file == "agent.py" { format!("{AGENT}{text}\n") } else { text.to_owned() });
        let (status, said) = run(&name, &spec, &[], &[]);
        assert!(
            status == Some(2) && said.contains("was started with another program: ") && said.contains(file),
            "{said}"
        );
        assert!(said.contains(" was `") && said.contains(" and is `") && said.contains("--allow-changed"), "{said}");
        let (status, said) = run(&name, &spec, &[], &["--allow-changed"]);
        assert!(status == Some(0) && said.contains("goes on with other files of the program than before"), "{said}");
        assert_eq!(recorded(&home.at(&name))["changed"], json!([path(file)]));
        // From here on, the edited file is the one to go on with.
        assert_eq!(run(&name, &spec, &[], &[]).0, Some(0));
        reset();
        assert_eq!(run(&name, &spec, &[], &[]).0, Some(2));
        let reported = picardc().args(["report".into(), home.at(&name)]).output();
        let said = String::from_utf8_lossy(&reported.stderr).into_owned();
        assert!(
            said.contains("files of the agent's program were changed during the run (--allow-changed): "),
            "{said}"
        );
    }
}

/// Runs of versions that recorded no parameters are scored and go on; what is not known is said.
#[test]
fn runs_without_the_record_go_on_with_a_warning() {
    let home = Home::new(SUITE);
    let server = Server::new(|_| stream(&says("42")));
    let spec = format!("openai:{}/v1#m", server.url);
    let ran = home.run(&spec, "run", &["--task", "reply"]);
    let mut json = recorded(&ran.folder);
    json.as_object_mut().expect("an object").remove("parameters");
    fs::write(ran.folder.join("run.json"), json.to_string()).expect("written");
    forget(&ran);
    let again = home.run(&spec, "run", &["--task", "reply", "--temperature", "1.5"]);
    assert_eq!((again.status, again.responses.len()), (Some(0), 1), "{}", again.err);
    for name in ["did not record these: ", "--temperature", "--system", "--max-tokens", "--request", "--sandbox"] {
        assert!(again.err.contains(name), "{name}: {}", again.err);
    }
    assert!(recorded(&ran.folder).get("parameters").is_none(), "nobody knows what they were");
    // One that is not known is named, and those that are known are compared.
    json["parameters"] = json!({"temperature": 1.5});
    fs::write(ran.folder.join("run.json"), json.to_string()).expect("written");
    let other = home.run(&spec, "run", &["--task", "reply", "--temperature", "0"]);
    assert!(other.status == Some(2) && other.err.contains("--temperature was `1.5` and is `0`"), "{}", other.err);
    let output = picardc().args(["score".into(), home.at("bundle"), home.at("run")]).output();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}

/// Finding S5: `Retry-After: 99999999999` stopped a run for 10 minutes each time, whatever `--timeout` said. Pauses count against it.
#[test]
fn a_server_cannot_make_a_run_wait_for_ever() {
    let home = Home::new(SUITE);
    for asked in ["99999999999", "61", "1e300", "3600.5", " 7"] {
        let header = format!("retry-after: {asked}\r\n");
        let server = Server::new(move |_| status("429 Too Many Requests", &header, "slow down"));
        let begun = std::time::Instant::now();
        let ran =
            home.run(&format!("openai:{}/v1#m", server.url), asked.trim(), &["--task", "reply", "--timeout", "3"]);
        assert!(begun.elapsed().as_secs() < 20, "{asked}: {:?}", begun.elapsed());
        let response = ran.of("reply");
        let error = response.error.as_deref().unwrap_or_default();
        assert_eq!((response.attempts, server.requests().len()), (1, 1), "{error}");
        assert!(
            error.contains("the server asks for a pause of ") && error.contains("longer than --timeout"),
            "{error}"
        );
        assert_eq!(ran.status, Some(3), "it failed, and is asked again when the run goes on: {}", ran.err);
    }
    // A short pause is waited for.
    let server = Server::new(|request| match request.number {
        0 => status("503 Service Unavailable", "retry-after: 1\r\n", ""),
        _ => stream(&says("42")),
    });
    let ran = home.run(&format!("openai:{}/v1#m", server.url), "short", &["--task", "reply", "--timeout", "30"]);
    assert_eq!((ran.status, ran.of("reply").attempts), (Some(0), 2), "{}", ran.err);
}

/// What of a value does not fit a schema: types, properties, items, enumerations, and minima.
fn misfits(schema: &Json, value: &Json, at: &str) -> Vec<String> {
    let mut found = Vec::new();
    let types: Vec<&str> = match &schema["type"] {
        Json::String(one) => vec![one],
        Json::Array(several) => several.iter().filter_map(Json::as_str).collect(),
        _ => Vec::new(),
    };
    let is = |name: &&str| match *name {
        "object" => value.is_object(),
        "array" => value.is_array(),
        "string" => value.is_string(),
        "boolean" => value.is_boolean(),
        "null" => value.is_null(),
        "integer" => value.is_u64() || value.is_i64(),
        _ => value.is_number(),
    };
    if !types.is_empty() && !types.iter().any(is) {
        found.push(format!("{at} is {value}, not {types:?}"));
    }
    if schema["enum"].as_array().is_some_and(|known| !known.contains(value)) {
        found.push(format!("{at} is {value}, not one of {}", schema["enum"]));
    }
    if schema["minimum"].as_f64().zip(value.as_f64()).is_some_and(|(least, number)| number < least) {
        found.push(format!("{at} is {value}, less than {}", schema["minimum"]));
    }
    for name in schema["required"].as_array().into_iter().flatten().filter_map(Json::as_str) {
        if value.get(name).is_none() {
            found.push(format!("{at} has no {name}"));
        }
    }
    for (name, inner) in value.as_object().into_iter().flatten() {
        let at = format!("{at}/{name}");
        match (schema["properties"].get(name), &schema["additionalProperties"]) {
            (Some(known), _) => found.extend(misfits(known, inner, &at)),
            (None, Json::Bool(false)) => found.push(format!("{at} is not in the schema")),
            (None, other @ Json::Object(_)) => found.extend(misfits(other, inner, &at)),
            _ => {}
        }
    }
    for inner in value.as_array().into_iter().flatten() {
        found.extend(misfits(&schema["items"], inner, at));
    }
    found
}

#[test]
fn every_run_json_fits_its_schema() {
    let schema = fs::read(testing::root().join("tests/schemas/run.json")).expect("read");
    let schema: Json = serde_json::from_slice(&schema).expect("JSON");
    assert!(!misfits(&schema, &json!({"schema": 2, "bundle": {}, "x": 1, "trials": 0.5}), "").is_empty());
    let home = Home::new(SUITE);
    let server = Server::new(|_| stream(&says("42")));
    let (chat, picard) = (format!("openai:{}/v1?a=b#m", server.url), format!("picard:{}", server.url));
    let all = [
        "--temperature",
        "0.5",
        "--top-p",
        "1",
        "--max-tokens",
        "9",
        "--model-seed",
        "1",
        "--request",
        "a={\"b\": 1}",
        "--price",
        "1/2",
    ];
    for (agent, name, flags) in [
        ("oracle", "oracle", &[][..]),
        ("cmd:true word", "cmd", &["--env", "PATH", "--read", "/etc", "--memory", "512"]),
        (&chat, "chat", &[]),
        (&chat, "all", &all),
        (&picard, "picard", &["--max-tokens", "7", "--retries", "0"]),
    ] {
        let ran = home.run(agent, name, &[&["--task", "reply"][..], flags].concat());
        let json = recorded(&ran.folder);
        assert_eq!(misfits(&schema, &json, ""), [] as [String; 0], "{name}: {}", ran.err);
        // What the documentation lists is what is recorded.
        let page = fs::read_to_string(testing::root().join("docs/src/reference/runs.md")).expect("read");
        for parameter in json["parameters"].as_object().expect("parameters").keys() {
            assert!(page.contains(&format!("`{parameter}`")), "{parameter}");
        }
    }
}
