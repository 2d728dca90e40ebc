//! Forms of answers that other tools do not have: dates, truths, `lacks`, `among`, parts in tags, told forms, open rows, states, the tree, workbooks. What a format
//! writes is scored as in picardc, and what it cannot express is counted, with the reason.

use std::collections::BTreeMap;
use std::fs;

use serde_json::Value as Json;

use super::desk::{Desk, json};
use super::plain::{reward, reward_after};

fn forms() -> Desk {
    let source = fs::read_to_string(testing::root().join("tests/export/forms.pcd")).expect("readable");
    Desk::of(&source, &[])
}

/// Replies that are right, and replies that are nearly so, of each task whose answer is a reply.
fn replies(line: &Json) -> Option<[String; 2]> {
    let target = line["target"].as_str().expect("a target");
    let day = |text: &str| {
        let parts: Vec<&str> = text.split('-').collect();
        (parts[0].to_owned(), parts[1].to_owned(), parts[2].to_owned())
    };
    Some(match line["metadata"]["picard"]["task"].as_str().expect("a task") {
        "dated" => {
            let (year, month, of) = day(target);
            let right = format!("It is <answer>**{of}.{month}.{year}**</answer>.");
            [right.clone(), right.replace("answer>", "b>")]
        }
        "truth" => {
            let words = if target == "true" { ["**Yes.**", "No"] } else { ["N", "yes"] };
            words.map(str::to_owned)
        }
        "town" => {
            // `contains`, then `lacks`.
            let town = line["metadata"]["picard"]["expect"][0]["value"].as_str().expect("a town");
            [format!("It goes to {town}."), format!("The letter goes to {town}.")]
        }
        "euros" => {
            let (whole, cents) = target.split_once('.').unwrap_or((target, "0"));
            [format!("{whole},{cents:0<2}"), format!("{whole}{cents:0<2}")]
        }
        _ => return None,
    })
}

#[test]
fn what_a_format_cannot_express_is_counted_and_named() {
    let desk = forms();
    let files = |format: &str| format!("the answer key reads files that the agent leaves, and {format} has no sandbox");
    let begins = |format: &str| format!("the agent begins with files, and {format} has no sandbox");
    let expected: [(&str, u64, BTreeMap<String, u64>); 5] = [
        ("harbor", 14, BTreeMap::new()),
        ("lm-eval", 8, BTreeMap::from([(begins("lm-eval"), 6)])),
        ("promptfoo", 10, BTreeMap::from([(files("promptfoo"), 4)])),
        ("croissant", 14, BTreeMap::new()),
        ("hf", 14, BTreeMap::new()),
    ];
    for (format, written, left) in expected {
        let status = i32::from(!left.is_empty());
        let ran = desk.does(status, &["export", format, "bundle", "-o", &format!("all-{format}")]);
        assert_eq!(desk.at(&format!("all-{format}")).exists(), left.is_empty(), "{format}");
        let about = json(&desk.export(format, &[]).join("picardc.json"));
        assert_eq!(about["instances"], written, "{format}");
        let counted = about["left_out"].as_array().into_iter().flatten().map(|one| {
            let why = one["reason"].as_str().expect("a reason").to_owned();
            assert!(ran.err.contains(&why), "{format}: {}", ran.err);
            (why, one["count"].as_u64().expect("a number"))
        });
        assert_eq!(counted.collect::<BTreeMap<_, _>>(), left, "{format}");
    }
}

#[test]
fn what_is_written_is_scored_by_the_same_rules() {
    let desk = forms();
    // In folders: the oracle is right, nobody is not, and neither is the oracle if a file that had to stay is gone.
    let out = desk.export("harbor", &[]);
    for line in desk.instances() {
        let task = out.join(line["id"].as_str().expect("an id"));
        assert_eq!(reward(&task, true)["reward"], 1, "{}", task.display());
        assert_eq!(reward(&task, false)["reward"], 0, "{}", task.display());
        if line["metadata"]["picard"]["task"] == "states" {
            let gone = reward_after(&task, true, &|work| fs::remove_file(work.join("note.txt")).expect("removed"));
            assert_eq!(gone["reward"], 0, "{}", task.display());
            let new = reward_after(&task, true, &|work| fs::write(work.join("more.txt"), "x").expect("written"));
            assert_eq!(new["reward"], 0, "{}", task.display());
        }
    }
    // As replies: the scorers of both tools ask `picardc grade` and their own keys.
    for format in ["lm-eval", "promptfoo"] {
        let keys = desk.export(format, &[]).join("keys");
        for (place, is_right) in [true, false].into_iter().enumerate() {
            let asked: Vec<Json> = desk
                .instances()
                .iter()
                .filter_map(|line| Some(serde_json::json!({"id": line["id"], "reply": replies(line)?[place]})))
                .collect();
            let input: String = asked.iter().map(|line| format!("{line}\n")).collect();
            let keys = keys.display().to_string();
            let ran = testing::run_picardc_with_input(desk.path(), &["grade", &keys, "--lines"], &input);
            let scores: Vec<Json> = ran.out.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
            assert_eq!((scores.len(), asked.len()), (8, 8), "{format}: {}", ran.join_output());
            for (score, asked) in scores.iter().zip(&asked) {
                assert_eq!(score["correct"], is_right, "{format}: {asked} {score}");
            }
        }
    }
}
