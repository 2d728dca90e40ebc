//! What PICARD's scorer gets wrong (docs: reference/picard.md, defects 44 to 47 and 51), held here.

use super::common::{Files, files, instance, reply, scored, text, verdict, word};
use records::{Captured, Response, Status};
use score::score_response;
use serde_json::{Value as Json, json};

fn says(expect: &Json, said: &str) -> String {
    word(&verdict(expect, said))
}

#[test]
fn defect_44_numbers_are_compared_by_value_and_a_fence_or_a_mark_does_not_matter() {
    let one = json!({"subject": "reply", "match": "json", "value": {"a": 1}});
    for said in ["{\"a\": 1.0}", "```json\n{\"a\": 1}\n```", "\u{FEFF}{\"a\": 1}"] {
        assert_eq!(says(&one, said), "right", "{said}");
    }
    assert_eq!(says(&json!({"subject": "reply", "match": "json", "value": 100}), "1e2"), "right");
    assert_eq!(says(&one, "{\"a\": true}"), "differs");
}

#[test]
fn defect_45_a_folder_is_no_file_and_a_file_no_folder() {
    let there = files(&[("dir", Captured::Folder), ("dir/", Captured::Folder), ("a.txt/", text("x"))]);
    let of = |subject: Json| {
        word(&scored(&json!({"subject": subject, "match": "exists"}), &there, &Files::new()).verdicts[0])
    };
    assert_eq!(of(json!({"files": ["dir"]})), "wrong_kind");
    assert_eq!(of(json!({"file": "dir"})), "wrong_kind");
    assert_eq!(of(json!({"tree": ["a.txt/"]})), "wrong_kind");
    assert_eq!(of(json!({"tree": ["dir/"]})), "right");
}

#[test]
fn defect_46_cleaning_takes_no_answer_away() {
    let tagged = json!({"subject": "reply", "match": "text", "value": "<analysis>5</analysis>"});
    assert_eq!(says(&tagged, "<analysis>5</analysis>"), "right");
    let number = json!({"subject": "reply", "match": "number", "value": 42});
    let of = |parts: &[(&str, &str, &str)]| -> String {
        parts
            .iter()
            .map(|(channel, text, end)| format!("<|start|>assistant<|channel|>{channel}<|message|>{text}<|{end}|>"))
            .collect()
    };
    assert_eq!(says(&number, &of(&[("analysis", "6 times 7", "end"), ("final", "42", "return")])), "right");
    assert_eq!(says(&number, &of(&[("final", "42", "end"), ("commentary", "that was easy", "end")])), "right");
    assert_eq!(says(&number, &of(&[("commentary", "42", "end")])), "empty", "nothing was said on the final channel");
}

#[test]
fn defect_47_a_missing_answer_is_a_wrong_one() {
    let keys = instance(&json!({"subject": "reply", "match": "number", "value": 42}));
    let missing = score_response(&keys, None, 1, &());
    assert_eq!((missing.status, missing.correct, missing.score), (Status::Missing, false, 0.0));
    assert_eq!(missing.verdicts.len(), 1);
    assert_eq!(word(&missing.verdicts[0]), "no_response");
}

#[test]
fn defect_51_rounds_of_a_missing_answer_are_unknown_and_not_0() {
    let keys = instance(&json!({"subject": "reply", "match": "number", "value": 42}));
    assert_eq!(score_response(&keys, None, 1, &()).rounds, None);
    let response = Response { rounds: Some(3), ..reply("42") };
    assert_eq!(score_response(&keys, Some(&response), 1, &()).rounds, Some(3));
}
