//! `picardc grade`: one response, from standard input.

use std::fs;

use serde_json::{Value, json};
use testing::InteractiveProcess;

use super::{CommandOutput, DONE, Home, NOT_GOOD, OUTSIDE, USAGE, expect};

const SUITE: &str = r#"
suite desk { title "Desk" version "1.0.0" samples 2 }

task total {
  n : int 100..900
  prompt "Say <<n>>."
  expect reply number n
}

task copy {
  word_ : word
  text note at "in/note.txt" : one_of ["a line", "another line"]
  prompt "Copy <<note>> to out.txt and reply with <<word_>>."
  expect reply text word_
  expect file "out.txt" text content(note)
}
"#;

/// A bundle of the suite, and the drawn number of `total-1`.
fn bundle(home: &Home) -> (String, String) {
    fs::write(home.at("desk.pcd"), SUITE).expect("written");
    let bundle = home.at("bundle");
    expect(DONE, &["build", &home.at("desk.pcd"), "-o", &bundle, "--seed", "7", "-q"]);
    let n = instance(&bundle, "total-1")["metadata"]["picard"]["draws"]["n"].to_string();
    (bundle, n)
}

fn instance(bundle: &str, id: &str) -> Value {
    let lines = fs::read_to_string(format!("{bundle}/instances.jsonl")).expect("readable");
    let lines = lines.lines().map(|line| serde_json::from_str::<Value>(line).expect("JSON"));
    lines.into_iter().find(|line| line["id"] == id).expect("the instance")
}

fn grade(status: i32, args: &[&str], stdin: &str) -> CommandOutput {
    let ran = testing::run_picardc_with_input(testing::root(), &[&["grade"], args].concat(), stdin);
    assert_eq!(ran.status.code(), Some(status), "{args:?}\n--- stdout\n{}\n--- stderr\n{}", ran.out, ran.err);
    ran
}

#[test]
fn a_reply_is_scored_by_the_rules_of_the_bundle() {
    let home = Home::new();
    let (bundle, n) = bundle(&home);
    let right = grade(DONE, &[&bundle, "total-1"], &format!("{n}\n"));
    assert_eq!(right.out, "total-1: correct, score 1.000\n  reply number: right\n");
    let wrong = grade(NOT_GOOD, &[&bundle, "total-1"], "41\r\n");
    assert_eq!(
        wrong.out,
        format!("total-1: not correct, score 0.000\n  reply number: not as expected\n    expected {n}, got 41\n")
    );
    grade(NOT_GOOD, &[&bundle, "total-1"], "");
}

#[test]
fn a_score_is_that_of_a_run() {
    let home = Home::new();
    let (bundle, _) = bundle(&home);
    let run = home.at("run");
    expect(DONE, &["run", &bundle, "--agent", "oracle", "-o", &run, "-q"]);
    let lines = |name: &str| -> Vec<Value> {
        let text = fs::read_to_string(format!("{run}/{name}")).expect("readable");
        text.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect()
    };
    let (responses, scores) = (lines("responses.jsonl"), lines("scores.jsonl"));
    assert_eq!(responses.len(), 4);
    for response in responses {
        let id = response["id"].as_str().expect("an id");
        let graded = grade(DONE, &[&bundle, id, "--response", "-", "--json"], &response.to_string());
        let graded: Value = serde_json::from_str(&graded.out).expect("one document");
        assert_eq!(scores.iter().find(|score| score["id"] == id), Some(&graded));
    }
}

#[test]
fn files_come_from_the_sandbox_or_from_the_response() {
    let home = Home::new();
    let (bundle, _) = bundle(&home);
    let line = instance(&bundle, "copy-1");
    let word = line["metadata"]["picard"]["draws"]["word_"].as_str().expect("a word").to_owned();
    let note = fs::read_to_string(format!("{bundle}/files/copy-1/in/note.txt")).expect("readable");
    let args = [bundle.as_str(), "copy-1"];

    let none = grade(USAGE, &args, &word);
    assert!(none.err.contains("reads `out.txt`, but --sandbox is missing"), "{}", none.err);

    let sandbox = home.at("work");
    fs::create_dir(&sandbox).expect("made");
    let with = [&args[..], &["--sandbox", &sandbox]].concat();
    let half = grade(NOT_GOOD, &with, &word);
    assert!(half.out.contains("score 0.500") && half.out.contains("file out.txt text: no such file"), "{}", half.out);
    fs::write(format!("{sandbox}/out.txt"), &note).expect("written");
    grade(DONE, &with, &word);
    assert_eq!(fs::read_dir(&sandbox).expect("readable").count(), 1, "nothing is written to the sandbox");

    let response = home.at("response.json");
    let files = json!([["out.txt", {"kind": "text", "text": note}]]);
    fs::write(&response, json!({"reply": word, "files": files}).to_string()).expect("written");
    grade(DONE, &[&args[..], &["--response", &response]].concat(), "");
    // An agent that was stopped is wrong, whatever it left.
    fs::write(&response, json!({"reply": word, "status": "timeout"}).to_string()).expect("written");
    let late = grade(NOT_GOOD, &[&args[..], &["--response", &response, "--json"]].concat(), "");
    assert!(late.out.contains(r#""status":"timeout""#), "{}", late.out);
}

#[test]
fn a_reward_is_1_only_for_what_is_correct() {
    let home = Home::new();
    let (bundle, n) = bundle(&home);
    let file = home.at("reward.json");
    grade(DONE, &[&bundle, "total-1", "--reward", &file], &n);
    assert_eq!(fs::read_to_string(&file).expect("written"), "{\"reward\":1,\"score\":1.0}\n");
    let sandbox = home.at("work");
    fs::create_dir(&sandbox).expect("made");
    let word = instance(&bundle, "copy-1")["metadata"]["picard"]["draws"]["word_"].as_str().expect("a word").to_owned();
    grade(NOT_GOOD, &[&bundle, "copy-1", "--sandbox", &sandbox, "--reward", &file], &word);
    assert_eq!(fs::read_to_string(&file).expect("written"), "{\"reward\":0,\"score\":0.5}\n");
    grade(USAGE, &[&bundle, "total-1", "--reward", &home.at("none/reward.json")], &n);
}

#[test]
fn wrong_use_and_what_cannot_be_read() {
    let home = Home::new();
    let (bundle, n) = bundle(&home);
    let near = grade(USAGE, &[&bundle, "totl-1"], &n);
    assert!(near.err.contains("no instance `totl-1`") && near.err.contains("did you mean `total-1`?"), "{}", near.err);
    grade(USAGE, &[&home.at("none"), "total-1"], &n);
    for (text, why) in [
        ("{\"reply\": ", "cannot be read"),
        ("[1]", "cannot be read"),
        ("{}", "missing field `reply`"),
        ("{\"reply\": \"1\", \"id\": \"total-2\"}", "is to instance `total-2`, not to `total-1`"),
        ("{\"reply\": \"1\", \"status\": \"well\"}", "unknown variant"),
    ] {
        let ran = grade(USAGE, &[&bundle, "total-1", "--response", "-"], text);
        assert!(ran.err.contains(why), "{text}: {}", ran.err);
    }
    grade(USAGE, &[&bundle, "total-1", "--response", &home.at("none.json")], "");
    let folder = home.at("");
    let ran = grade(OUTSIDE, &[&bundle, "total-1", "--response", &folder], "");
    assert!(ran.err.contains("cannot read"), "{}", ran.err);
    // A bundle that was edited is refused, as `score` refuses it.
    let lines = fs::read_to_string(format!("{bundle}/instances.jsonl")).expect("readable");
    fs::write(format!("{bundle}/instances.jsonl"), lines.replace("Say ", "Tell ")).expect("written");
    grade(USAGE, &[&bundle, "total-1"], &n);
    grade(DONE, &[&bundle, "total-1", "--unverified"], &n);
}

/// Responses, in any order, to instances with and without files: what a single `grade` of each says.
#[test]
fn lines_are_scored_as_they_come() {
    let home = Home::new();
    for flags in [&[][..], &["--split-keys"], &["--inline"]] {
        fs::write(home.at("desk.pcd"), SUITE).expect("written");
        let bundle = home.at(&format!("bundle{}", flags.concat()));
        expect(DONE, &[&["build", &home.at("desk.pcd"), "-o", &bundle, "--seed", "7", "-q"], flags].concat());
        let run = home.at(&format!("run{}", flags.concat()));
        expect(DONE, &["run", &bundle, "--agent", "oracle", "-o", &run, "-q"]);
        let responses = fs::read_to_string(format!("{run}/responses.jsonl")).expect("readable");
        let backwards: Vec<&str> = responses.lines().rev().collect();
        let ran = grade(DONE, &[&bundle, "--lines"], &backwards.join("\n"));
        let scores = fs::read_to_string(format!("{run}/scores.jsonl")).expect("readable");
        let mut expected: Vec<&str> = scores.lines().collect();
        expected.sort_unstable();
        let mut found: Vec<&str> = ran.out.lines().collect();
        let ids = |lines: &[&str]| -> Vec<Value> {
            lines.iter().map(|line| serde_json::from_str::<Value>(line).expect("JSON")["id"].clone()).collect()
        };
        assert_eq!(ids(&found), ids(&backwards), "{flags:?}");
        found.sort_unstable();
        assert_eq!(found, expected, "{flags:?}");
    }
}

#[test]
fn a_line_that_cannot_be_scored_says_so_and_the_others_are_scored() {
    let home = Home::new();
    let (bundle, n) = bundle(&home);
    let right = json!({"id": "total-1", "reply": n}).to_string();
    let input = [
        "{\"reply\": ",
        "{\"reply\": \"1\"}",
        "{\"id\": 7, \"reply\": \"1\"}",
        "",
        "{\"id\": \"totl-1\", \"reply\": \"1\"}",
        "{\"id\": \"copy-1\", \"reply\": \"x\"}",
        &right,
    ];
    let ran = grade(USAGE, &[&bundle, "--lines"], &input.join("\n"));
    let lines: Vec<Value> = ran.out.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    let errors: Vec<(&Value, &str)> =
        lines[..5].iter().map(|line| (&line["id"], line["error"].as_str().expect("an error"))).collect();
    assert!(errors[0].1.contains("cannot be read") && errors[0].0.is_null(), "{errors:?}");
    assert!(errors[1].1.contains("has no `id`"), "{errors:?}");
    assert_eq!(errors[2], (&json!(7), "the `id` of the response is not a string"));
    assert_eq!(errors[3], (&json!("totl-1"), "the bundle has no instance `totl-1`"));
    assert_eq!(lines[3]["help"], "did you mean `total-1`?");
    assert!(errors[4].1.contains("reads `out.txt`, but the response has no `files`"), "{errors:?}");
    assert_eq!((lines.len(), &lines[5]["correct"]), (6, &json!(true)));
    grade(DONE, &[&bundle, "--lines"], &right);
    let ends =
        grade(NOT_GOOD, &[&bundle, "--lines"], &json!({"id": "total-1", "reply": "a\u{2028}b\u{85}c"}).to_string());
    assert!(ends.out.contains("a\\u2028b\\u0085c") && ends.out.is_ascii(), "{}", ends.out);
    grade(DONE, &[&bundle, "--lines"], "");
    grade(NOT_GOOD, &[&bundle, "--lines"], &right.replace(&n, "41"));
    for flags in [&["--lines", "--json"][..], &["total-1", "--lines"], &[]] {
        grade(USAGE, &[&[bundle.as_str()], flags].concat(), &right);
    }
}

/// A harness that waits for a score before it gives the next response gets it.
#[test]
fn a_score_comes_before_the_next_response() {
    let home = Home::new();
    let (bundle, n) = bundle(&home);
    let mut grade = InteractiveProcess::new(".", &["grade", &bundle, "--lines"]);
    for (reply, correct) in [(n.as_str(), true), ("41", false), (n.as_str(), true)] {
        let line = grade.ask_line(&json!({"id": "total-1", "reply": reply}).to_string());
        assert_eq!(serde_json::from_str::<Value>(&line).expect("JSON")["correct"], correct);
    }
    assert_eq!(grade.wait_for_end(), Some(1));
}
