//! Finding C3, in money: what a server or a program says, what tokens cost by their price, and what nobody says.

use std::fs;
use std::path::Path;

use serde_json::{Value as Json, json};
use testing::{create_folder, expect_success, run_picardc, write_in_folder};

use super::super::support::lines;
use super::{SUITE, home};

use crate::run::server::{Request, Server, stream};

fn event(chunk: &Json) -> String {
    format!("data: {chunk}\n\n")
}

/// A server of two rounds, a call of a tool and the right reply. `usage` is what it says of a round: of which prompt, and which round it is, from 0.
fn server(usage: impl Fn(&str, usize) -> Json + Send + Sync + 'static) -> Server {
    Server::new(move |request: &Request| {
        let messages = request.body["messages"].as_array().expect("messages");
        let prompt = messages[1]["content"].as_str().expect("a prompt");
        let round = messages.iter().filter(|message| message["role"] == "tool").count();
        let delta = if round == 0 {
            let call = json!({"name": "list_files", "arguments": "{}"});
            json!({"tool_calls": [{"index": 0, "id": "c", "function": call}]})
        } else {
            let answer = prompt.trim_start_matches("Reply with ").trim_end_matches('.');
            json!({"content": answer.trim_start_matches("the object ")})
        };
        stream(&[
            event(&json!({"choices": [{"index": 0, "delta": delta, "finish_reason": "stop"}]})),
            event(&json!({"choices": [], "usage": usage(prompt, round)})),
            "data: [DONE]\n\n".to_owned(),
        ])
    })
}

/// Runs the tasks with variants, or another.
fn run(home: &Path, server: &Server, name: &str, more: &[&str]) -> String {
    let agent = format!("openai:{}/v1#m", server.url);
    let output =
        run_picardc(home, &[&["run", "b", "--agent", &agent, "-o", name, "--retries", "0"][..], more].concat());
    assert!(output.status.success(), "{}", output.err);
    output.err
}

fn costs(home: &Path, name: &str) -> Vec<Json> {
    let [responses, scores] = ["responses", "scores"].map(|file| {
        let mut all = lines(home, &format!("{name}/{file}.jsonl"));
        all.sort_by_key(|line| line["id"].to_string());
        all.into_iter().map(|line| line["cost"].clone()).collect::<Vec<_>>()
    });
    assert_eq!(responses, scores);
    scores
}

const SPELLED: &[&str] = &["--task", "spelled"];

#[test]
fn c3_cost_is_what_the_server_says() {
    let home = home();
    let home = home.path();
    // As OpenRouter writes it: a number, which may have an exponent.
    let asked = server(
        |_, round| json!({"prompt_tokens": 9, "completion_tokens": 1, "cost": if round == 0 { 9.5e-5 } else { 0.25 }}),
    );
    // The price is only for servers that do not say it.
    let said = run(home, &asked, "r", &[SPELLED, &["--price", "100/100"]].concat());
    assert_eq!(costs(home, "r"), vec![json!("0.250095"); 12]);
    assert!(said.contains("accuracy 100.0%") && said.contains("; cost 3.001\n"), "{said}");
}

#[test]
fn c3_cost_is_made_of_tokens_by_their_price() {
    let home = home();
    let home = home.path();
    let asked = server(|_, round| json!({"prompt_tokens": 1_000 * (round + 1), "completion_tokens": 100}));
    let said = run(home, &asked, "r", &[SPELLED, &["--price", "0.15/0.6"]].concat());
    // 3,000 · 0.15 + 200 · 0.6 millionths.
    assert_eq!(costs(home, "r"), vec![json!("0.00057"); 12]);
    assert!(said.contains("; cost 0.00684\n"), "{said}");
    let info = |name: &str| -> Json {
        serde_json::from_slice(&fs::read(home.join(name).join("run.json")).expect("read")).expect("JSON")
    };
    assert_eq!(info("r")["price"], json!({"prompt": "0.15", "completion": "0.6"}));
    // A run goes on at the same price only.
    let agent = format!("openai:{}/v1#m", asked.url);
    let again = run_picardc(home, &["run", "b", "--agent", &agent, "-o", "r", "--task", "spelled"]);
    assert_eq!(again.status.code(), Some(2));
    assert!(again.err.contains("--price was `0.15/0.6` and is `none`"), "{}", again.err);
    for (price, why) in [
        ("0.15", "it must be IN/OUT"),
        ("1/x", "`x` is not a price"),
        ("-1/2", "`-1` is not a price"),
        ("1e3/2", "`1e3` is not a price"),
        ("0.0000001/2", "at most 6 digits"),
    ] {
        let refused = run_picardc(home, &["run", "b", "--agent", &agent, "-o", "new", &format!("--price={price}")]);
        assert_eq!(refused.status.code(), Some(2), "{price}");
        assert!(refused.err.contains(why), "{price}: {}", refused.err);
        assert!(!home.join("new").exists());
    }
}

#[test]
fn c3_cost_that_nobody_says_is_not_0() {
    let home = home();
    let home = home.path();
    // Of one round it is said, of the other not; not at all; what is not an amount.
    let half = server(|_, round| if round == 0 { json!({"cost": 0.5}) } else { json!({"prompt_tokens": 7}) });
    for (name, asked) in
        [("half", half), ("none", server(|_, _| json!({}))), ("bad", server(|_, _| json!({"cost": -1})))]
    {
        let said = run(home, &asked, name, &[SPELLED, &["--price", "1/1"]].concat());
        assert_eq!(costs(home, name), vec![Json::Null; 12], "{name}");
        assert!(!said.contains("cost"), "{said}");
        let told = expect_success(home, &["report", name, "--all"]);
        assert!(told.contains("Rounds: spelled") && !told.contains("Cost: spelled"), "{told}");
    }
    // Some answers tell it: they alone count.
    let some = server(|prompt, _| if prompt.contains("object") { json!({"cost": 1}) } else { json!({}) });
    let said = run(home, &some, "some", SPELLED);
    assert!(said.contains("; cost 12.00 (reported by 6 of 12)\n"), "{said}");
    let told: Json = serde_json::from_str(&expect_success(home, &["report", "some", "--json"])).expect("JSON");
    let costs = told["runs"][0]["costs"].as_array().expect("costs");
    let cost = costs.iter().find(|cost| cost["what"] == "cost").expect("told");
    let arms = cost["arms"][0]["arms"].as_array().expect("arms");
    assert_eq!((&arms[0]["name"], &arms[0]["spread"]), (&json!("digits"), &Json::Null));
    assert_eq!(arms[1]["spread"]["total"], json!(12));
}

#[test]
fn c3_cost_of_a_program_is_what_it_says() {
    let home = create_folder(&[("s.pcd", SUITE)]);
    let home = home.path();
    expect_success(home, &["build", "s.pcd", "-o", "b", "--seed", "7", "--quiet"]);
    for (name, line, cost) in [
        ("said", r#"{"reply": "1", "cost": 0.125, "prompt_tokens": 5, "completion_tokens": 5}"#, json!("0.125")),
        ("text", r#"{"reply": "1", "cost": "0.1"}"#, json!("0.1")),
        ("tokens", r#"{"reply": "1", "prompt_tokens": 5, "completion_tokens": 5}"#, json!("0.000015")),
        ("half", r#"{"reply": "1", "prompt_tokens": 5}"#, Json::Null),
        ("bad", r#"{"reply": "1", "cost": "free"}"#, Json::Null),
    ] {
        write_in_folder(home, &format!("{name}.sh"), format!("echo '{line}'\n").as_bytes());
        let agent = format!("cmd:sh {}", home.join(format!("{name}.sh")).display());
        let output = run_picardc(home, &["run", "b", "--agent", &agent, "-o", name, "--limit", "1", "--price", "1/2"]);
        assert!(output.status.success(), "{}", output.err);
        assert_eq!(costs(home, name), [cost], "{name}");
        // What a program says wrongly of its cost is told, and its reply stays its reply.
        assert_eq!(lines(home, &format!("{name}/responses.jsonl"))[0]["reply"], json!("1"), "{name}");
        let transcript = fs::read_to_string(home.join(name).join("transcripts/plain-1.1.jsonl")).expect("read");
        assert_eq!(transcript.contains("is left out"), name == "bad", "{transcript}");
    }
}

#[test]
fn c3_cost_is_told_by_arm_and_compared_in_pairs() {
    let home = home();
    let home = home.path();
    // The object costs a hundredth a round more, and each prompt its own.
    let own = |prompt: &str| f64::from(prompt.bytes().map(u32::from).sum::<u32>().pow(2) % 97) / 1e6;
    for (name, times) in [("cheap", 1.0), ("dear", 3.0)] {
        let asked = server(move |prompt, _| {
            let object = if prompt.contains("object") { 0.01 } else { 0.0 };
            json!({"prompt_tokens": 4, "completion_tokens": 2, "cost": times * (0.002 + object + own(prompt))})
        });
        run(home, &asked, name, &["--task", "*l*"]);
    }
    let told: Json = serde_json::from_str(&expect_success(home, &["report", "cheap", "--json"])).expect("JSON");
    let all = told["runs"][0]["costs"].as_array().expect("costs").clone();
    let cost = all.iter().find(|cost| cost["what"] == "cost").expect("told");
    // A task without arms has its own row; those with arms are not pooled.
    assert!(cost["whole"].is_null() && cost["tasks"]["spelled"].is_null(), "{cost}");
    assert!(cost["tasks"]["plain"]["mean"].as_f64().is_some_and(|mean| (0.004..0.005).contains(&mean)), "{cost}");
    let object = &cost["arms"][0]["arms"][1];
    assert_eq!((&object["name"], &object["against"]["pairs"]), (&json!("json"), &json!(6)));
    let difference = object["against"]["difference"].as_f64().expect("a number");
    assert!((difference - 0.02).abs() < 0.001, "{object}");
    assert!((object["against"]["p"].as_f64().expect("p") - 2.0 / 64.0).abs() < 1e-12, "{object}");
    assert!(object["against"]["interval"]["low"].as_f64() > Some(0.01), "{object}");

    // Every form of the report.
    let plain = expect_success(home, &["report", "cheap", "--all"]);
    assert!(plain.contains("\nCost\n") && plain.contains("Cost: spelled\n"), "{plain}");
    let marked = expect_success(home, &["report", "cheap", "dear", "--markdown"]);
    assert!(marked.contains("## Cost: spelled") && marked.contains("| json | dear | 6 | 0.0"), "{marked}");
    expect_success(home, &["report", "cheap", "--html", "r.html"]);
    let page = fs::read_to_string(home.join("r.html")).expect("written");
    assert!(page.contains("Cost: spelled"), "{page}");

    // Two runs, instance by instance: the second costs three times as much; tokens are the same.
    let compared: Json =
        serde_json::from_str(&expect_success(home, &["compare", "cheap", "dear", "--json"])).expect("JSON");
    let of = |what: &str| {
        let all = compared["costs"].as_array().expect("costs");
        all.iter().find(|one| one["what"] == what).unwrap_or_else(|| panic!("{what}: {compared}")).clone()
    };
    let (cost, tokens) = (of("cost"), of("prompt_tokens"));
    let [a, b, difference] = ["a", "b", "difference"].map(|field| cost[field].as_f64().expect("a number"));
    assert!((b - 3.0 * a).abs() < 1e-9 && (difference - 2.0 * a).abs() < 1e-9, "{cost}");
    assert_eq!(cost["pairs"], json!(18));
    assert!(cost["p"].as_f64() < Some(0.001) && cost["interval"]["low"].as_f64() > Some(0.0), "{cost}");
    assert_eq!((&tokens["difference"], &tokens["p"], &tokens["interval"]), (&json!(0.0), &json!(1.0), &Json::Null));
    let text = expect_success(home, &["compare", "cheap", "dear"]);
    assert!(text.lines().any(|line| line.trim_start().starts_with("cost ") && line.contains("< 0.001")), "{text}");
}
