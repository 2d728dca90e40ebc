//! Findings S1 and S7: API keys and values of `--env` that come back, in every position and encoding. No file and no stream has six characters of one in a row.

use std::collections::HashMap;
use std::fs;
use std::path::Path;
use std::sync::Mutex;

use records::Status;
use serde_json::{Value as Json, json};

use super::chat::{calls, delta, event, messages, results, says};
use super::encodings::{ENCODINGS, Numbers, PLAIN, encode_key, find_leak};
use super::home::{Home, picardc};
use super::server::{Do, Request, Server, cut, status, stream};

/// Where a server puts a text.
const POSITIONS: usize = 20;

/// So many instances as there are positions and encodings.
fn suite() -> String {
    format!(
        r#"
suite t {{ title "T" version "1.0.0" samples {} }}
task reply {{
  n : int 1..1_000_000_000_000
  prompt "Reply with <<n>>."
  expect reply number n
}}
"#,
        POSITIONS * ENCODINGS
    )
}

/// A text in pieces of an event each.
fn split(text: &str, numbers: &mut Numbers) -> Vec<String> {
    let mut pieces = vec![String::new()];
    for c in text.chars() {
        if numbers.draw_below(4) == 0 {
            pieces.push(String::new());
        }
        pieces.last_mut().expect("a piece").push(c);
    }
    pieces
}

fn end(reason: &str) -> String {
    event(&json!({"choices": [{"index": 0, "delta": {}, "finish_reason": reason}]}))
}

/// A server's answer with `text` in it.
fn answer(position: usize, text: &str, request: &Request, numbers: &mut Numbers) -> Vec<Do> {
    let around = |count| "word ".repeat(count);
    let whole = |message: Json| json!({"choices": [{"message": message, "finish_reason": "stop"}]}).to_string();
    if !results(request).is_empty() {
        return stream(&says(&format!("It is {text}")));
    }
    match position {
        0 => stream(&says(&format!("The key is {text}, of course."))),
        1 => {
            let pieces = split(&format!("The key is {text}."), numbers);
            let mut events: Vec<String> = pieces.iter().map(|piece| delta(json!({"content": piece}))).collect();
            events.push(end("stop"));
            stream(&events)
        }
        2 => {
            let arguments = json!({"path": "note.txt", "content": text}).to_string();
            let mut events = vec![delta(
                json!({"tool_calls": [{"index": 0, "id": "c", "function": {"name": "write_file", "arguments": ""}}]}),
            )];
            events.extend(
                split(&arguments, numbers)
                    .iter()
                    .map(|piece| delta(json!({"tool_calls": [{"index": 0, "function": {"arguments": piece}}]}))),
            );
            events.push(end("tool_calls"));
            stream(&events)
        }
        3 => stream(&calls(&[
            ("read_file", json!({"path": text})),
            ("run_sql", json!({"database": "x.db", "sql": text})),
        ])),
        4 => stream(&[
            delta(json!({"tool_calls": [{"index": 0, "id": text, "function": {"name": text, "arguments": text}}]})),
            end("tool_calls"),
        ]),
        5 => stream(&[event(&json!({"error": {"message": format!("bad key {text}")}}))]),
        6 => status("200 OK", "", &json!({"error": {"message": format!("bad key {text}")}}).to_string()),
        7 => stream(&[format!("data: {{\"choices\": [{{\"key\": \"{}\"\n\n", text.replace(['\r', '\n'], " "))]),
        8 => status(
            "401 Unauthorized",
            "",
            &json!({"error": {"message": format!("bad key {text}"), "code": text}}).to_string(),
        ),
        9 => status("400 Bad Request", "", &format!("{}{text} {}", around(94 + numbers.draw_below(7)), around(300))),
        10 => status("500 Internal Server Error", "", text),
        11 => {
            // Across the end of what is read of a refusal.
            let before = (64 << 10) - numbers.draw_below(text.len() + 4);
            status("403 Forbidden", "", &format!("{}{text}{}", " ".repeat(before), around(9_000)))
        }
        12 => status("401 Unauthorized", "", &format!("<html><b title='{text}'>no</b></html>")),
        13 => {
            status("404 Not Found", "", &json!({"error": {"code": 7, "key": text, "more": [{"a": text}]}}).to_string())
        }
        14 => status("200 OK", "", &whole(json!({"role": "assistant", "content": format!("It is {text}")}))),
        15 => cut(&[delta(json!({"content": format!("It is {text}")}))]),
        16 => {
            let header = text.replace(['\r', '\n'], " ");
            status("429 Too Many Requests", &format!("retry-after: {header}\r\nx-key: {header}\r\n"), text)
        }
        17 => vec![Do::Send(format!("HTTP/1.1 {} \r\n\r\n", text.replace(['\r', '\n'], " ")))],
        18 => stream(&[event(
            &json!({"choices": [{"delta": {"content": text, "role": text}, "finish_reason": text}], "usage": {"cost": text}}),
        )]),
        _ => status("302 Found", &format!("location: http://127.0.0.1/{}\r\n", text.replace(['\r', '\n'], " ")), text),
    }
}

/// All that picardc wrote and printed of a run, and of reports on it.
fn everything(home: &Home, run: &Path, printed: &str) -> String {
    let at = |name: &str| home.at(name).display().to_string();
    let (html, junit, folder) = (at("report.html"), at("junit.xml"), run.display().to_string());
    let mut all = printed.to_owned();
    for flags in [&["--html", &html, "--junit", &junit][..], &["--json"], &["--markdown"]] {
        let output = picardc().args(["report", &folder]).args(flags).output();
        assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
        all.push_str(&String::from_utf8_lossy(&output.stdout));
        all.push_str(&String::from_utf8_lossy(&output.stderr));
    }
    let output = picardc().args(["score"]).args([home.at("bundle"), run.to_owned()]).output();
    all.push_str(&String::from_utf8_lossy(&output.stderr));
    for file in [html, junit] {
        all.push_str(&fs::read_to_string(file).expect("written"));
    }
    for (path, bytes) in testing::read_files(run) {
        all.push_str(&format!("{path:?}\n{}\n", String::from_utf8_lossy(&bytes)));
    }
    all
}

/// Each position with each encoding, for a key of letters and digits and for one of all characters that a header may have.
#[test]
fn s1_no_server_gets_a_key_into_a_run() {
    for (round, letters) in [PLAIN, "abXYZ019-_./+=\"\\&%<>'~ "].into_iter().enumerate() {
        let mut numbers = Numbers(round as u64 + 7);
        let key = format!("sk-{}x", numbers.draw_text(letters, 44));
        let home = Home::new(&suite());
        let secret = key.clone();
        // Prompts in the order in which they come, and the generator.
        let state = Mutex::new((HashMap::<String, usize>::new(), numbers));
        let server = Server::new(move |request| {
            let prompt = messages(request)[1]["content"].as_str().expect("a prompt").to_owned();
            let (seen, numbers) = &mut *state.lock().expect("no panic");
            let next = seen.len();
            let scenario = *seen.entry(prompt).or_insert(next);
            let text = encode_key(&secret, scenario / POSITIONS, numbers);
            answer(scenario % POSITIONS, &text, request, numbers)
        });
        let mut command = picardc();
        command.0.env("OPENAI_API_KEY", &key);
        let agent = format!("openai:{}/v1#m", server.url);
        let command = command.args(["run", "--agent", &agent, "--retries", "0", "-o"]);
        let output = command.args([home.at("run"), home.at("bundle")]).output();
        let printed = [output.stdout, output.stderr].concat();
        let printed = String::from_utf8_lossy(&printed).into_owned();
        assert_eq!(output.status.code(), Some(0), "{printed}");
        let responses: Vec<records::Response> =
            records::jsonl::read_all(&home.at("run/responses.jsonl")).expect("responses");
        assert_eq!(responses.len(), POSITIONS * ENCODINGS);
        for response in &responses {
            let line = serde_json::to_string(response).expect("JSON");
            assert_eq!(find_leak(&line, &key), None, "{key}: {line}");
        }
        let all = everything(&home, &home.at("run"), &printed);
        assert_eq!(find_leak(&all, &key), None, "{key}");
        // The servers did send it, and most of what they sent is recorded but for the key.
        let masked = responses.iter().filter(|response| response.masked.is_some()).count();
        let told = responses
            .iter()
            .filter(|response| response.error.as_ref().is_some_and(|error| error.contains("[key]")))
            .count();
        assert!(masked >= 6 * ENCODINGS && told >= 7 * ENCODINGS, "{masked} {told}");
        assert!(printed.contains("the API key or a value of --env was masked in "), "{printed}");
    }
}

/// What a program prints, writes, and is refused with. Its settings are masked like keys if they are long enough.
#[test]
fn s7_no_program_gets_a_value_of_its_environment_into_a_run() {
    const AGENT: &str = r#"
import json, sys
question = json.loads(sys.stdin.readline())
number = int(question["id"].rsplit("-", 1)[1]) - 1
forms = json.load(open(FORMS))
form, way = forms[number % len(forms)], number // len(forms)
if way == 0:
    print("It is", form)
elif way == 1:
    print(json.dumps({"reply": form, "sql": [form], "rounds": 1}))
elif way == 2:
    sys.exit("refused: " + form)
elif way == 3:
    sys.stderr.write("x" * (number % 7) + form + "y" * ((64 << 10) - len(form) // 2))
    print("done")
else:
    open("out.txt", "w", newline="").write(form)
    open("out.log", "wb").write(b"\xff\xfe" + form.encode() + b"\xff")
    print("done")
"#;
    const WAYS: usize = 5;
    if !testing::has_python() {
        return;
    }
    let suite = format!(
        r#"
suite t {{ title "T" version "1.0.0" samples {} }}
task reply {{
  n : int 1..1_000_000_000_000
  prompt "Reply: <<n>>."
  expect reply text "yes"
  expect file "out.txt" text "yes"
  expect file "out.log" text "yes"
}}
"#,
        WAYS * ENCODINGS
    );
    let home = Home::new(&suite);
    let mut numbers = Numbers(3);
    for (name, short) in [("PICARDC_TEST_TOKEN", "a-token"), ("PICARDC_TEST_SETTING", "setting")] {
        let value = format!("v{}", numbers.draw_text(PLAIN, 33));
        let forms: Vec<String> = (0..ENCODINGS).map(|form| encode_key(&value, form, &mut numbers)).collect();
        let forms_file = home.at(&format!("{name}.json"));
        fs::write(&forms_file, serde_json::to_string(&forms).expect("JSON")).expect("written");
        let agent = home.at(&format!("{name}.py"));
        fs::write(&agent, AGENT.replace("FORMS", &format!("{:?}", forms_file.display().to_string()))).expect("written");
        let mut command = picardc();
        command.0.env(name, &value).env("PICARDC_TEST_SHORT", short);
        let run = home.at(name);
        let agent = format!("cmd:python3 {}", agent.display());
        let forms_file = forms_file.display().to_string();
        let command = command.args([
            "run",
            "--agent",
            &agent,
            "--env",
            name,
            "--env",
            "PICARDC_TEST_SHORT",
            "--read",
            &forms_file,
            "-o",
        ]);
        let output = command.args([&run, &home.at("bundle")]).output();
        let printed = [output.stdout, output.stderr].concat();
        let printed = String::from_utf8_lossy(&printed).into_owned();
        assert_eq!(output.status.code(), Some(0), "{printed}");
        let responses: Vec<records::Response> =
            records::jsonl::read_all(&run.join("responses.jsonl")).expect("responses");
        let all = everything(&home, &run, &printed);
        // Of a setting, parts that the program itself made are not masked; what picardc cuts is.
        assert_eq!(find_leak(&all, &value), None, "{value}");
        assert!(all.contains(&format!("[env {name}]")));
        let masked = responses.iter().filter(|response| response.masked.is_some()).count();
        assert!(masked >= 5 * ENCODINGS, "{masked} of {}", responses.len());
        assert_eq!(responses.iter().filter(|response| response.status == Status::Failed).count(), ENCODINGS);
    }
}

/// A reply that says what the question says stays as it is, though a variable has the same value: masked, it would be wrong.
#[test]
fn a_word_of_the_question_is_not_masked() {
    const SUITE: &str = r#"
suite t { title "T" version "1.0.0" samples 3 }
task reply {
  team : one_of ["Engineering", "Marketing & Sales", "Accounting"]
  prompt "Reply with <<team>>."
  expect reply text team
}
"#;
    let home = Home::new(SUITE);
    let server = Server::new(|request| {
        let prompt = messages(request)[1]["content"].as_str().expect("a prompt").to_owned();
        stream(&says(prompt.trim_start_matches("Reply with ").trim_end_matches('.')))
    });
    for key in ["Engineering", "Marketing & Sales", "Accounting", "EMPTY"] {
        let mut command = picardc();
        command.0.env("OPENAI_API_KEY", key);
        let agent = format!("openai:{}/v1#m", server.url);
        let output = command.args(["run", "--agent", &agent, "-o"]).args([home.at(key), home.at("bundle")]).output();
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(said.contains("accuracy 100.0%") && !said.contains("masked"), "{key}: {said}");
    }
}

/// Findings A3 to A7: servers that send back what they were sent, and command lines that are refused.
#[test]
fn what_an_address_and_a_request_hide_stays_hidden() {
    let home = Home::new(
        "suite t { title \"T\" version \"1.0.0\" samples 1 }\ntask reply {\n  n : int 1..1_000_000\n  prompt \"Reply with <<n>>.\"\n  expect reply number n\n}\n",
    );
    let server = Server::new(|request| {
        let path = request.head.lines().next().unwrap_or_default().to_owned();
        let decoded = path.replace("%2B", "+").replace("%2F", "/").replace("%3D", "=");
        let header = request
            .head
            .lines()
            .find(|line| line.to_ascii_lowercase().starts_with("authorization"))
            .unwrap_or_default();
        stream(&says(&format!("{decoded} {header} {}", request.body)))
    });
    let host = server.url.trim_start_matches("http://").to_owned();
    let hidden = [
        "abc+def/ghi",
        "abc%2Bdef",
        "hunter2secretpass",
        "tok-abcdefghijklmnop",
        "1234567890123456",
        "dG9rLWFi",
        "p@ss/w0rdlong",
        "cEBzcy93",
    ];
    for (name, address, request, mask) in [
        ("sas", format!("http://{host}/v1/chat/completions?sig=abc%2Bdef%2Fghi%3Djkl%2Bmno"), "a=1", "[sig]"),
        ("user", format!("http://tok-abcdefghijklmnop@{host}/v1"), "a=1", "[user]"),
        ("password", format!("http://me:p%40ss%2Fw0rdlong@{host}/v1"), "a=1", "[password]"),
        ("object", format!("http://{host}/v1"), "api_key={\"v\":\"hunter2secretpass\"}", "[api_key]"),
        ("list", format!("http://{host}/v1"), "api_key=[\"hunter2secretpass\"]", "[api_key]"),
        ("number", format!("http://{host}/v1"), "api_key=1234567890123456", "[api_key]"),
        (
            "header",
            format!("http://{host}/v1"),
            "extra_headers={\"Authorization\":\"Bearer hunter2secretpass\"}",
            "[Authorization]",
        ),
        ("body", format!("http://{host}/v1"), "extra_body={\"api_key\":\"hunter2secretpass\"}", "[api_key]"),
    ] {
        let mut command = picardc();
        command.0.env_remove("OPENAI_API_KEY");
        let agent = format!("openai:{address}#m");
        let command = command.args(["run", "--agent", &agent, "--request", request, "-o"]);
        let output = command.args([home.at(name), home.at("bundle")]).output();
        let printed = String::from_utf8_lossy(&[output.stdout, output.stderr].concat()).into_owned();
        assert_eq!(output.status.code(), Some(0), "{name}: {printed}");
        let all = everything(&home, &home.at(name), &printed);
        assert!(all.contains(mask), "{name}: {all}");
        for secret in hidden {
            assert!(!all.contains(secret), "{name}: {secret}: {all}");
        }
    }
    let sent = server.requests();
    let basic = |at: usize| {
        sent[at].head.contains(["Basic dG9rLWFiY2RlZmdoaWprbG1ub3A6", "Basic bWU6cEBzcy93MHJkbG9uZw=="][at - 1])
    };
    assert!(basic(1) && basic(2), "user and password are sent without their escapes");
    for (agent, request) in [
        ("oracle".to_owned(), "api_key=hunter2secretpass"),
        ("oracle".to_owned(), "x={\"Authorization\":\"Bearer hunter2secretpass\""),
        (format!("openai:http://me:hunter2secretpass@{host}/v1"), "a=1"),
        ("openai:ftp://me:hunter2secretpass@h/v1#m".to_owned(), "a=1"),
        ("opnai:http://me:hunter2secretpass@h/v1#m".to_owned(), "a=1"),
        (format!("openai:http://me:hunter2/secretpass99@{host}/v1#m"), "a=1"),
        ("openai:http://127.0.0.1:87990/v1#hunter2".to_owned(), "a=1"),
        ("openai:http://127.0.0.1:8799x/v1#m".to_owned(), "a=1"),
        ("openai:http://127.0.0.1:/v1#m".to_owned(), "a=1"),
        ("picard:http://127.0.0.1:/v1".to_owned(), "a=1"),
        ("openai:http://h/v1#m".to_owned(), "big=123456789012345678901234567890"),
    ] {
        let command = picardc().args(["run", "--agent", &agent, "--request", request, "-o"]);
        let output = command.args([home.at("refused"), home.at("bundle")]).output();
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(2), "{agent}: {said}");
        assert!(!said.contains("hunter2secret") && !said.contains("secretpass"), "{agent} {request}: {said}");
        assert!(!home.at("refused").exists());
    }
}
