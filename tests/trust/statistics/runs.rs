//! Findings C4 and C5, S8 and S16: a bundle that was changed is not run, what does not count is told, what failed is asked again, and limits are spread.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use serde_json::{Value as Json, json};
use testing::{create_folder, expect_success, run_picardc, write_in_folder};

use super::super::support::lines;
use super::{SUITE, home, put};

/// `run` and `score` of a bundle that was changed, and what they say. The run `r` was made before.
fn refused(home: &Path, why: &str) {
    for arguments in [&["run", "b", "--agent", "oracle", "-o", "new"][..], &["score", "b", "r"]] {
        let output = run_picardc(home, arguments);
        let said = output.err;
        assert_eq!(output.status.code(), Some(2), "{arguments:?}: {}{said}", output.out);
        assert!(said.contains(why) && said.contains("--unverified"), "{arguments:?}: {said}");
    }
    assert!(lines(home, "new/responses.jsonl").is_empty(), "nothing was asked");
    let _ = fs::remove_dir_all(home.join("new"));
}

#[test]
fn c4_a_changed_bundle_is_refused() {
    let home = home();
    let home = home.path();
    expect_success(home, &["run", "b", "--agent", "oracle", "-o", "r", "--quiet"]);
    let instances = fs::read_to_string(home.join("b/instances.jsonl")).expect("read");
    let manifest = fs::read_to_string(home.join("b/manifest.json")).expect("read");

    // Edited keys: 100 % would fall.
    let edited = instances.replacen("\"value\":", "\"value\":1", 1);
    write_in_folder(home, "b/instances.jsonl", edited.as_bytes());
    refused(home, "does not match");
    // A digest that was corrected, but not the bundle's own.
    let digest = manifest.split("\"instances_sha256\": \"").nth(1).expect("a digest")[..64].to_owned();
    write_in_folder(home, "b/manifest.json", manifest.replace(&digest, &"0".repeat(64)).as_bytes());
    refused(home, "`bundle_sha256`");
    write_in_folder(home, "b/manifest.json", manifest.as_bytes());
    // Instances that are lacking.
    let few: String = instances.lines().take(4).map(|line| format!("{line}\n")).collect();
    write_in_folder(home, "b/instances.jsonl", few.as_bytes());
    refused(home, "has 4 of the 30 instances");
    write_in_folder(home, "b/instances.jsonl", instances.as_bytes());
    assert!(run_picardc(home, &["score", "b", "r"]).status.success());
    // An edited file.
    let file = home.join("b/files/sized-3-1/orders.csv");
    let text = fs::read_to_string(&file).expect("a file");
    fs::write(&file, format!("{text}1\n")).expect("written");
    let output = run_picardc(home, &["run", "b", "--agent", "oracle", "-o", "new", "--task", "sized"]);
    assert!(output.status.code() == Some(2) && output.err.contains("does not match"), "{}", output.err);
}

#[test]
fn c4_split_keys_are_looked_at() {
    let home = create_folder(&[("s.pcd", SUITE)]);
    let home = home.path();
    expect_success(home, &["build", "s.pcd", "-o", "b", "--seed", "7", "--split-keys", "--quiet"]);
    expect_success(home, &["run", "b", "--agent", "oracle", "-o", "r", "--quiet"]);
    let keys = fs::read_to_string(home.join("b/keys.jsonl")).expect("read");
    write_in_folder(home, "b/keys.jsonl", keys.replacen("\"value\":", "\"value\":1", 1).as_bytes());
    refused(home, "keys.jsonl` does not match");
    write_in_folder(home, "b/keys.jsonl", format!("{keys}{}\n", keys.lines().next().expect("a line")).as_bytes());
    refused(home, "keys.jsonl` does not match");
}

#[test]
fn c4_unverified_is_recorded_and_shown() {
    let home = home();
    let home = home.path();
    expect_success(home, &["run", "b", "--agent", "oracle", "-o", "r", "--quiet"]);
    assert_eq!(lines_of_info(home, "r")["unverified"], Json::Null);
    let instances = fs::read_to_string(home.join("b/instances.jsonl")).expect("read");
    write_in_folder(home, "b/instances.jsonl", instances.replacen("\"value\":", "\"value\":1", 1).as_bytes());
    // Scored by the edited keys: 29 of 30, and said.
    let output = run_picardc(home, &["score", "b", "r", "--unverified"]);
    assert!(output.status.success() && output.err.contains("accuracy 96.7%"), "{}", output.err);
    assert_eq!(lines_of_info(home, "r")["unverified"], json!(true));
    let output = run_picardc(home, &["report", "r", "--json"]);
    assert!(output.err.contains("warning: r: its bundle was not verified"), "{}", output.err);
    let told: Json = serde_json::from_str(&output.out).expect("JSON");
    assert_eq!(told["runs"][0]["unverified"], json!(true));
    assert!(expect_success(home, &["report", "r", "--markdown"]).contains("was not verified"));
    let output = run_picardc(home, &["run", "b", "--agent", "oracle", "-o", "other", "--unverified"]);
    assert!(output.status.success(), "{}", output.err);
    assert_eq!(lines_of_info(home, "other")["unverified"], json!(true));
}

fn lines_of_info(home: &Path, run: &str) -> Json {
    serde_json::from_slice(&fs::read(home.join(run).join("run.json")).expect("run.json")).expect("JSON")
}

#[test]
fn c4_report_looks_at_the_bundle_of_a_run() {
    let home = create_folder(&[("s.pcd", SUITE)]);
    let home = home.path();
    expect_success(home, &["run", "s.pcd", "--seed", "7", "--agent", "oracle", "-o", "r", "--quiet"]);
    expect_success(home, &["report", "r"]);
    let instances = fs::read_to_string(home.join("r/bundle/instances.jsonl")).expect("read");
    write_in_folder(home, "r/bundle/instances.jsonl", instances.replacen("\"value\":", "\"value\":1", 1).as_bytes());
    for command in [&["report", "r"][..], &["compare", "r", "r"]] {
        let output = run_picardc(home, command);
        assert!(output.status.code() == Some(2) && output.err.contains("does not match"), "{}", output.err);
        let output = run_picardc(home, &[command, &["--unverified"]].concat());
        assert!(output.status.success() && output.err.contains("was not verified"), "{}", output.err);
    }
}

#[test]
fn c4_responses_that_do_not_count_are_told() {
    let home = home();
    let home = home.path();
    expect_success(home, &["run", "b", "--agent", "oracle", "-o", "r", "--quiet"]);
    let scores = fs::read(home.join("r/scores.jsonl")).expect("read");
    let mut responses = lines(home, "r/responses.jsonl");
    let (mut unknown, mut beyond, mut nought, mut again) =
        (responses[0].clone(), responses[1].clone(), responses[2].clone(), responses[3].clone());
    unknown["id"] = json!("plain-77");
    (beyond["trial"], nought["trial"]) = (json!(2), json!(0));
    again["reply"] = json!("something else");
    responses.extend([unknown, beyond, nought, again]);
    put(home, "r/responses.jsonl", &responses);
    let why = "4 lines of responses.jsonl do not count: 1 of instances that were not asked, 1 of trials that have a response already, 2 of trials that the \
               run does not have";
    let scored = run_picardc(home, &["score", "b", "r", "--quiet"]);
    assert!(scored.status.success() && scored.err.contains(why), "{}", scored.err);
    assert_eq!(fs::read(home.join("r/scores.jsonl")).expect("read"), scores);
    let told = run_picardc(home, &["report", "r", "--json"]);
    assert!(told.err.contains(why), "{}", told.err);
    let told: Json = serde_json::from_str(&told.out).expect("JSON");
    assert_eq!(told["runs"][0]["ignored"], json!({"unknown": 1, "repeated": 1, "beyond": 2}));
    assert!(expect_success(home, &["report", "r", "--markdown"]).contains("do not count"));
    // A run that goes on is not taken for whole because of them.
    responses.truncate(20);
    responses.extend((0..10).map(|at| json!({"id": format!("x-{at}"), "trial": 1, "status": "done", "reply": ""})));
    put(home, "r/responses.jsonl", &responses);
    let output = run_picardc(home, &["run", "b", "--agent", "oracle", "-o", "r"]);
    assert!(output.status.success() && output.err.contains("accuracy 100.0%"), "{}", output.err);
}

#[test]
fn c5_failed_instances_are_asked_again() {
    let home = home();
    let home = home.path();
    write_in_folder(home, "fail.sh", b"exit 3\n");
    write_in_folder(home, "work.sh", b"echo 1\n");
    let agent = format!("cmd:sh {}", home.join("agent.sh").display());
    let run = |more: &[&str]| {
        run_picardc(
            home,
            &[&["run", "b", "--agent", &agent, "-o", "r", "--task", "plain", "--allow-changed"][..], more].concat(),
        )
    };
    let become_agent = |name: &str| fs::copy(home.join(name), home.join("agent.sh")).expect("copied");
    become_agent("fail.sh");
    let output = run(&[]);
    assert!(
        output.status.code() == Some(3) && output.err.contains("the same command then asks them again"),
        "{}",
        output.err
    );
    // Left as they are, if that is wanted.
    become_agent("work.sh");
    assert_eq!(run(&["--retry-failed=false"]).status.code(), Some(3));
    assert_eq!(lines(home, "r/responses.jsonl").len(), 6);
    // By default they are asked again, and what came first stays on the disk.
    let output = run(&[]);
    assert!(output.status.success() && output.err.contains("run again after a failure: 6"), "{}", output.err);
    let responses = lines(home, "r/responses.jsonl");
    assert_eq!(responses.iter().filter(|line| line["status"] == "failed").count(), 6);
    assert_eq!(responses.iter().filter(|line| line["status"] == "done").count(), 6);
    let scores = lines(home, "r/scores.jsonl");
    assert!(scores.len() == 6 && scores.iter().all(|score| score["status"] == "done"), "{scores:?}");
    // Then nothing is left to ask.
    assert!(run(&["--retry-failed"]).status.success());
    assert_eq!(lines(home, "r/responses.jsonl").len(), 12);
    let told = run_picardc(home, &["report", "r", "--json"]);
    // The program's file was another one in between.
    let known = told.err.lines().all(|line| line.is_empty() || line.contains("(--allow-changed)"));
    assert!(told.status.success() && known, "{}", told.err);
}

#[test]
fn c5_a_limit_is_spread() {
    let home = home();
    let home = home.path();
    let ids = |limit: &str| -> BTreeSet<String> {
        let name = format!("r{limit}");
        expect_success(home, &["run", "b", "--agent", "oracle", "-o", &name, "--limit", limit, "--quiet"]);
        lines(home, &format!("{name}/responses.jsonl"))
            .iter()
            .map(|line| line["id"].as_str().expect("an id").to_owned())
            .collect()
    };
    let set = |ids: &[&str]| ids.iter().map(|id| (*id).to_owned()).collect::<BTreeSet<_>>();
    assert_eq!(ids("4"), set(&["plain-1", "spelled-digits-1", "spelled-json-1", "sized-3-1"]));
    assert_eq!(
        ids("8"),
        set(&[
            "plain-1",
            "plain-2",
            "spelled-digits-1",
            "spelled-json-1",
            "spelled-digits-2",
            "spelled-json-2",
            "sized-3-1",
            "sized-30-1"
        ])
    );
    // The same again, and it goes on.
    assert_eq!(ids("4").len(), 4);
    assert_eq!(ids("300").len(), 30);
}

#[test]
fn s8_a_truncated_bundle_is_refused() {
    let home = home();
    let home = home.path();
    expect_success(home, &["run", "b", "--agent", "oracle", "-o", "r", "--quiet"]);
    let instances = fs::read(home.join("b/instances.jsonl")).expect("read");
    write_in_folder(home, "b/instances.jsonl", &instances[..700]);
    refused(home, "the bundle is truncated");
    // Nor is half a line taken by people who edit bundles.
    let output = run_picardc(home, &["run", "b", "--agent", "oracle", "-o", "new", "--unverified"]);
    assert_eq!(output.status.code(), Some(2), "{}", output.err);
}

#[test]
fn s8_what_makes_no_sense_is_refused_when_it_is_opened() {
    let home = home();
    let home = home.path();
    let instances = fs::read_to_string(home.join("b/instances.jsonl")).expect("read");
    let first: Json = serde_json::from_str(instances.lines().next().expect("a line")).expect("JSON");
    let with = |change: fn(&mut Json)| {
        let mut line = first.clone();
        change(&mut line["metadata"]["picard"]);
        line
    };
    for (line, why) in [
        (first.clone(), "line 31: the id `plain-1` appears twice"),
        (with(|picard| picard["expect"] = json!([])), "its `expect` is empty"),
        (with(|picard| picard["expect"][0]["weight"] = json!(-5)), "the weight -5 is not greater than 0"),
        (with(|picard| picard["expect"][0]["weight"] = json!(0)), "the weight 0 is not greater than 0"),
    ] {
        write_in_folder(home, "b/instances.jsonl", format!("{instances}{line}\n").as_bytes());
        let output = run_picardc(home, &["run", "b", "--agent", "oracle", "-o", "new", "--unverified"]);
        assert!(output.status.code() == Some(2) && output.err.contains(why), "{why}: {}", output.err);
    }
}

#[test]
fn s16_a_run_with_absurd_trials_is_refused() {
    let home = home();
    let home = home.path();
    expect_success(home, &["run", "b", "--agent", "oracle", "-o", "r", "--quiet"]);
    let info = lines_of_info(home, "r");
    for (field, value, why) in [
        ("trials", json!(4_294_967_295u32), "`trials` is 4294967295, not 1 to 1000"),
        ("trials", json!(0), "`trials` is 0"),
        ("expected", json!(0), "`expected` is 0"),
        ("expected", json!(9_999_999), "more than the bundle's 30 instances"),
        ("expected", json!(29), "states 29"),
    ] {
        let mut changed = info.clone();
        changed[field] = value;
        write_in_folder(home, "r/run.json", changed.to_string().as_bytes());
        let output = run_picardc(home, &["score", "b", "r"]);
        assert!(output.status.code() == Some(2) && output.err.contains(why), "{why}: {}", output.err);
        if why != "states 29" {
            let output = run_picardc(home, &["report", "r"]);
            assert!(output.status.code() == Some(2) && output.err.contains(why), "{why}: {}", output.err);
        }
    }
}

#[test]
fn c1_trials_of_a_sample_that_agree_count_once() {
    let home = home();
    let home = home.path();
    expect_success(home, &["run", "b", "--agent", "oracle", "-o", "r", "--task", "plain", "--trials", "20", "--quiet"]);
    let told: Json = serde_json::from_str(&expect_success(home, &["report", "r", "--json"])).expect("JSON");
    let interval = &told["runs"][0]["whole"]["interval"];
    // Six samples, each answered rightly twenty times: Wilson's interval of 6 of 6, not of 120 of 120, with Student's t of 5 degrees, since six samples say
    // little of how they differ: 6 / (6 + 2.5706²).
    assert!((interval["low"].as_f64().expect("a number") - 0.4759).abs() < 1e-3, "{interval}");
    let output = run_picardc(home, &["report", "r", "--fail-under", "90"]);
    assert_eq!(output.status.code(), Some(1), "{}", output.err);
    // ±5 points take as many instances as they would with one trial of each, or fewer.
    let wanted = &told["runs"][0]["sizes"]["wanted"][0];
    assert_eq!(wanted["instances"], wanted["samples"], "a sample is one instance here: {wanted}");
}

#[test]
fn c4_scores_follow_from_their_verdicts() {
    let home = home();
    let home = home.path();
    expect_success(home, &["run", "b", "--agent", "null", "-o", "r", "--quiet"]);
    let mut scores = lines(home, "r/scores.jsonl");
    scores[3]["correct"] = json!(true);
    put(home, "r/scores.jsonl", &scores);
    let output = run_picardc(home, &["report", "r"]);
    let said = output.err;
    assert!(output.status.code() == Some(2) && said.contains("do not give its score"), "{said}");
}

#[test]
fn c5_a_run_of_nothing_leaves_nothing() {
    let home = home();
    let home = home.path();
    let output = run_picardc(home, &["run", "b", "--agent", "oracle", "-o", "r", "--limit", "0"]);
    assert!(output.status.code() == Some(2), "{}", output.err);
    assert!(!home.join("r").exists());
}
