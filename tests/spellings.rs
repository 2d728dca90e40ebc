//! Replies that people of four trades and models wrote to 52 questions, and judged, without having seen the rules of the scorer: right ones that do what the
//! question asks, wrong ones, and right values in a form that was not asked for (`off`), which do not count here. The questions' answer keys are those that an
//! author writes who knows the manual. What the scorer judges otherwise is in `docs/src/reference/scoring.md`.

use std::collections::BTreeMap;

use serde::Deserialize;
use serde_json::{Value as Json, json};
use testing::{expect_success, root, run_picardc_with_input};

/// The least share of right replies that are accepted, in percent.
const LEAST: usize = 92;

/// Wrong replies that are accepted: the questions, and the rule of the manual that says why.
const ACCEPTED: [(&str, &str); 2] = [
    // `contains` and `lacks` do not read sense.
    ("secret", "A negation still contains the text"),
    ("sentence", "A negation still contains the text"),
];

#[derive(Deserialize)]
struct Reply {
    task: String,
    label: String,
    reply: String,
}

#[test]
fn replies_of_people_who_have_not_seen_the_rules() {
    let folder = tempfile::tempdir().expect("a folder");
    let suite = root().join("tests/spellings/questions.pcd");
    expect_success(&folder, &["build", suite.to_str().expect("a path"), "-o", "bundle", "--seed", "s", "-q"]);
    let mut replies: Vec<Reply> = Vec::new();
    for people in ["bookkeepers", "models", "clerks", "scientists"] {
        let path = root().join(format!("tests/spellings/{people}.jsonl"));
        let text = std::fs::read_to_string(path).expect("a file");
        replies.extend(text.lines().map(|line| serde_json::from_str::<Reply>(line).expect("a reply")));
    }
    let lines: String = replies
        .iter()
        .map(|reply| format!("{}\n", json!({ "id": format!("{}-1", reply.task), "reply": reply.reply })))
        .collect();
    let ran = run_picardc_with_input(&folder, &["grade", "--lines", "bundle"], &lines);
    let verdicts: Vec<Json> = ran.out.lines().map(|line| serde_json::from_str(line).expect("a score")).collect();
    assert_eq!(verdicts.len(), replies.len(), "{}", ran.err);
    let mut counts: BTreeMap<(&str, bool), usize> = BTreeMap::new();
    let (mut rejected, mut accepted) = (Vec::new(), Vec::new());
    for (reply, verdict) in replies.iter().zip(&verdicts) {
        let is_correct = verdict["correct"].as_bool().unwrap_or_else(|| panic!("{verdict}"));
        *counts.entry((reply.label.as_str(), is_correct)).or_default() += 1;
        match (reply.label.as_str(), is_correct) {
            ("right", false) => rejected.push(format!("{}: {:?}", reply.task, reply.reply)),
            ("wrong", true) if !ACCEPTED.iter().any(|(task, _)| *task == reply.task) => {
                accepted.push(format!("{}: {:?}", reply.task, reply.reply));
            }
            _ => {}
        }
    }
    let of = |label, is_correct| counts.get(&(label, is_correct)).copied().unwrap_or(0);
    let right = of("right", true) + of("right", false);
    println!(
        "{} of {right} right replies are accepted, {} of {} wrong ones\n{}",
        of("right", true),
        of("wrong", true),
        of("wrong", true) + of("wrong", false),
        rejected.join("\n")
    );
    assert!(right > 2000 && of("wrong", false) > 1500, "{counts:?}");
    assert!(accepted.is_empty(), "wrong replies are accepted:\n{}", accepted.join("\n"));
    assert!(of("right", true) * 100 >= right * LEAST, "{} of {right}:\n{}", of("right", true), rejected.join("\n"));
    let page = std::fs::read_to_string(root().join("docs/src/reference/scoring.md")).expect("the page");
    for (_, rule) in ACCEPTED {
        assert!(page.contains(rule), "the manual does not say: {rule}");
    }
}
