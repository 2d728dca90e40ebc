//! The folder of a run: what it holds, and what is refused.

use std::fs;

use records::{Status, jsonl};

use super::home::{Home, SUITE, picardc};

#[test]
fn oracle_null_and_guess() {
    let home = Home::new(SUITE);
    let oracle = home.run("oracle", "oracle", &[]);
    assert_eq!(oracle.status, Some(0), "{}", oracle.err);
    assert!(oracle.correct("reply") && oracle.correct("sum"), "{}", oracle.err);
    assert!(oracle.err.contains("accuracy 100.0%"), "{}", oracle.err);
    let null = home.run("null", "null", &[]);
    assert!(!null.correct("reply") && !null.correct("sum"));
    // Of one instance a task, the commonest answer is its own.
    assert!(home.run("guess", "guess", &[]).correct("sum"));
    let instances: Vec<serde_json::Value> = jsonl::read_all(&oracle.folder.join("instances.jsonl")).expect("instances");
    assert!(instances.len() == 2 && instances.iter().all(|line| line.get("files").is_none()));
    let names = |folder: &str| {
        let entries = fs::read_dir(oracle.folder.join(folder)).expect("read");
        let mut names: Vec<String> =
            entries.map(|entry| entry.expect("an entry").file_name().to_string_lossy().into_owned()).collect();
        names.sort();
        names
    };
    assert_eq!(names("."), [".lock", "instances.jsonl", "responses.jsonl", "run.json", "scores.jsonl", "transcripts"]);
    assert_eq!(names("transcripts"), ["reply-1.1.jsonl", "sum-1.1.jsonl"]);
}

#[test]
fn only_the_same_run_goes_on() {
    let home = Home::new(SUITE);
    assert_eq!(home.run("oracle", "run", &["--task", "reply"]).status, Some(0));
    for (agent, flags, why) in [
        ("null", &["--task", "reply"][..], "--agent was `oracle` and is `null`"),
        ("oracle", &["--task", "reply", "--trials", "2"], "--trials was `1` and is `2`"),
        ("oracle", &["--task", "reply", "--timeout", "7"], "--timeout was `300` and is `7`"),
        ("oracle", &[], "asks other instances"),
    ] {
        let ran = home.run(agent, "run", flags);
        assert_eq!(ran.status, Some(2), "{}", ran.err);
        assert!(ran.err.contains(why), "{}", ran.err);
    }
    let again = home.run("oracle", "run", &["--task", "reply"]);
    assert_eq!((again.status, again.responses.len()), (Some(0), 1), "{}", again.err);
    fs::create_dir(home.at("other")).expect("made");
    fs::write(home.at("other/x"), "").expect("written");
    let refused = home.run("oracle", "other", &[]);
    assert!(refused.status == Some(2) && refused.err.contains("holds no run"), "{}", refused.err);
}

#[test]
fn trials_and_limits() {
    let home = Home::new(SUITE);
    let ran = home.run("oracle", "run", &["--trials", "3", "--limit", "1"]);
    let mut trials: Vec<(&str, u32)> =
        ran.responses.iter().map(|response| (response.id.as_str(), response.trial)).collect();
    trials.sort_unstable();
    assert_eq!(trials, [("reply-1", 1), ("reply-1", 2), ("reply-1", 3)]);
    let none = home.run("oracle", "none", &["--task", "x*"]);
    assert!(none.status == Some(2) && none.err.contains("no instance"), "{}", none.err);
}

#[test]
fn a_score_is_repeatable_and_missing_answers_count_as_wrong() {
    let home = Home::new(SUITE);
    let ran = home.run("oracle", "run", &[]);
    let score = || {
        let scored = picardc().args(["score".into(), home.at("bundle"), home.at("run")]).output();
        assert!(scored.status.success(), "{}", String::from_utf8_lossy(&scored.stderr));
        (fs::read(home.at("run/scores.jsonl")).expect("read"), String::from_utf8_lossy(&scored.stderr).into_owned())
    };
    let before = fs::read(home.at("run/scores.jsonl")).expect("read");
    assert_eq!(score().0, before);
    let responses = fs::read_to_string(home.at("run/responses.jsonl")).expect("read");
    let kept: String =
        responses.lines().filter(|line| line.contains("\"sum-1\"")).map(|line| format!("{line}\n")).collect();
    fs::write(home.at("run/responses.jsonl"), kept).expect("written");
    let (_, said) = score();
    assert!(
        said.contains("scored 2 responses") && said.contains("accuracy 50.0%") && said.contains("1 missing"),
        "{said}"
    );
    let missing = ran.scores().into_iter().find(|score| score.task == "reply").expect("a line");
    assert!(missing.status == Status::Missing && !missing.correct && missing.rounds.is_none());
    // It is asked again when the run goes on.
    assert_eq!(home.run("oracle", "run", &[]).responses.len(), 2);
}

#[test]
fn a_suite_is_built_into_the_run() {
    let home = Home::new(SUITE);
    let run = |flags: &[&str]| {
        let command = picardc().args(["run", "--agent", "oracle", "-o"]).args([home.at("run"), home.at("s.pcd")]);
        let output = command.args(flags).output();
        (output.status.code(), String::from_utf8_lossy(&output.stderr).into_owned())
    };
    let (status, said) = run(&["--samples", "2"]);
    assert!(status == Some(0) && said.contains("scored 4 responses"), "{said}");
    assert_eq!(run(&["--samples", "2"]).0, Some(0), "it goes on with the seed that was drawn");
    assert!(run(&["--samples", "3"]).1.contains("its --samples were others"));
    fs::write(home.at("s.pcd"), SUITE.replace("Reply with", "Say")).expect("written");
    assert!(run(&[]).1.contains("the suite was changed since"));
}

#[test]
fn wrong_use_is_told() {
    let home = Home::new(SUITE);
    for (agent, why) in [
        ("orakel", "unknown agent `orakel`"),
        ("cmd:no-such-program-anywhere", "program `no-such-program-anywhere` does not exist"),
        ("openai:http://x", "names no model"),
    ] {
        let ran = home.run(agent, "run", &[]);
        assert!(ran.status == Some(2) && ran.err.contains(why), "{}", ran.err);
    }
    let ran = home.run("oracle", "run", &["--seed", "1"]);
    assert!(ran.status == Some(2) && ran.err.contains("--seed is for suites"), "{}", ran.err);
    let nothing = picardc().args(["score".into(), home.at("bundle"), home.at("nothing")]).output();
    assert_eq!(nothing.status.code(), Some(2));
}
