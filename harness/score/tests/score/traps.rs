//! Traps: what mistakes give is told, and nothing else changes.

use model::answer_key::{Answer, Expected, Trap};
use model::{Scorer, Value};
use proptest::prelude::*;
use records::{Captured, Instance, Reason, Response, Verdict};
use score::{is_right, score_response, solve_instance};
use serde_json::{Value as Json, json};

use super::common::{Files, instance, reply, scored, verdict};
use super::keys;

/// The reason and the trap of a reply.
fn told(expect: &Json, said: &str) -> (Reason, Option<String>) {
    let Verdict { reason, trap, .. } = verdict(expect, said);
    (reason, trap)
}

fn trapped(name: &str) -> (Reason, Option<String>) {
    (Reason::Trapped, Some(name.to_owned()))
}

#[test]
fn an_answer_that_is_the_value_of_a_trap_is_told_by_its_name() {
    let traps = json!([{"name": "gross", "at": "", "value": 120}, {"name": "near", "at": "", "value": 101}, {"name": "also_gross", "at": "", "value": 120}]);
    let key =
        json!({"subject": "reply", "match": "number", "value": 100, "options": {"": {"within": "2"}}, "traps": traps});
    assert_eq!(told(&key, "100"), (Reason::Right, None));
    assert_eq!(told(&key, "101"), (Reason::Right, None), "the matcher takes it for right");
    assert_eq!(told(&key, "120"), trapped("gross"));
    assert_eq!(told(&key, "119"), trapped("gross"), "within the tolerance of the trap");
    assert_eq!(told(&key, "103"), trapped("near"), "of the trap, and not of the answer");
    assert_eq!(told(&key, "110"), (Reason::Differs, None));
    assert_eq!(told(&key, "gross"), (Reason::NotANumber, None));
    assert_eq!(told(&key, ""), (Reason::Empty, None));
    let verdict = verdict(&key, "120");
    assert_eq!((verdict.score, verdict.differences[0].expected.as_str()), (0.0, "100 ± 2"), "against the answer");
}

#[test]
fn in_json_one_value_is_replaced() {
    let key = json!({
        "subject": "reply", "match": "json", "value": {"worth": 5, "opened": ["a", "b"]},
        "traps": [{"name": "gross", "at": "/worth", "value": 7}, {"name": "late", "at": "/opened/1", "value": "c"}]
    });
    assert_eq!(told(&key, r#"{"opened": ["a", "b"], "worth": 7}"#), trapped("gross"));
    assert_eq!(told(&key, r#"{"worth": 5, "opened": ["a", "c"]}"#), trapped("late"));
    assert_eq!(told(&key, r#"{"worth": 7, "opened": ["a", "c"]}"#), (Reason::Differs, None), "two mistakes");
    let placed = json!({
        "subject": {"file": "out.json"}, "slice": {"at": "$.n"}, "match": "number", "value": 5,
        "traps": [{"name": "gross", "at": "", "value": 7}]
    });
    let left = super::common::files(&[("out.json", super::common::text("{\"n\": 7}"))]);
    let score = scored(&placed, &left, &Files::new());
    assert_eq!(score.verdicts[0].trap.as_deref(), Some("gross"));
}

#[test]
fn lists_keep_their_credit_and_texts_their_options() {
    let list = json!({"subject": "reply", "match": "list", "value": ["a", "b"], "traps": [{"name": "doubled", "at": "", "value": ["a", "b", "b"]}]});
    let verdict = verdict(&list, "b\na\nb");
    assert_eq!((verdict.reason, verdict.score), (Reason::Trapped, 0.8));
    let text = json!({
        "subject": "reply", "match": "text", "value": "Kiel", "options": {"": {"ignore": ["case"]}},
        "traps": [{"name": "by_sum", "at": "", "value": "Bonn"}]
    });
    assert_eq!(told(&text, "BONN"), trapped("by_sum"));
    assert_eq!(told(&text, "KIEL"), (Reason::Right, None));
}

#[test]
fn places_of_one_large_file_and_their_traps_take_no_time() {
    let fields: Vec<String> = (0..40).map(|at| format!("\"s{at}\": {at}")).collect();
    let padding: String = (0..20_000).map(|at| format!(", {at}")).collect();
    let steps = format!("{{{}, \"padding\": [0{padding}]}}", fields.join(", "));
    let traps: Vec<Json> = (0..30).map(|at| json!({"name": format!("t{at}"), "at": "", "value": 5000 - at})).collect();
    let places = (0..40).map(|at| {
        json!({"subject": {"file": "steps.json"}, "slice": {"at": format!("$.s{at}")}, "match": "number", "value": at + 1, "traps": traps})
    });
    let left = super::common::files(&[("steps.json", super::common::text(&steps))]);
    let before = std::time::Instant::now();
    let score = scored(&Json::Array(places.collect()), &left, &Files::new());
    assert!(score.verdicts.iter().all(|verdict| verdict.reason == Reason::Differs));
    assert!(before.elapsed().as_secs() < 15, "{:?}", before.elapsed());
}

#[test]
fn the_work_for_traps_is_limited_and_the_first_ones_are_looked_at() {
    let list = |from: i64| (from..from + 2_000).collect::<Vec<i64>>();
    let said = list(10_000).iter().map(i64::to_string).collect::<Vec<_>>().join("\n");
    let traps: Vec<Json> =
        (0..30).map(|at| json!({"name": format!("t{at}"), "at": "", "value": list(10_000 - 29 + at)})).collect();
    let last = json!({"subject": "reply", "match": "list", "value": list(0), "traps": traps});
    assert_eq!(told(&last, &said).0, Reason::Differs, "the thirtieth is skipped");
    let first: Vec<&Json> = traps.iter().rev().collect();
    let first = json!({"subject": "reply", "match": "list", "value": list(0), "traps": first});
    assert_eq!(told(&first, &said), trapped("t29"));
}

/// A key without `any_of`, with traps: its own answer, and those of other keys whose matchers take the like.
fn with_traps() -> BoxedStrategy<Expected> {
    let others = prop::collection::vec(keys::expect().boxed(), 0..12).boxed();
    (keys::expect().boxed(), others)
        .prop_filter("one value", |(expect, _)| expect.single_value().is_some())
        .prop_map(|(expect, others)| {
            let takes = expect.matcher.record().takes;
            let others = others.iter().filter(|other| other.matcher.record().takes == takes);
            let others = others.filter_map(|other| other.answer.as_ref()?.accepted_values().first());
            let traps = expect.single_value().into_iter().chain(others).enumerate().map(|(at, value)| Trap {
                name: format!("t{at}"),
                at: String::new(),
                value: value.clone(),
            });
            Expected { traps: traps.collect(), ..expect }
        })
        .boxed()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1500))]

    #[test]
    fn a_trap_never_changes_which_answers_are_right(expect in with_traps(), said in "[a-c0-9 ,\n\\[\\]\"{}:.-]{0,12}") {
        let none = instance(&json!({"subject": "reply", "match": "exists"}));
        let asking = |expect: &Expected| Instance { expects: vec![expect.clone()], ..none.clone() };
        let bare = Expected { traps: Vec::new(), ..expect.clone() };
        // The right answer, what each trap would have as such, and anything.
        let right: Vec<Expected> = std::iter::once(bare.clone()).chain(expect.traps.iter().filter_map(|trap| expect.with_trap(trap))).collect();
        let solved = right.iter().filter_map(|key| solve_instance(&asking(key), &()).ok());
        let mut replies: Vec<Response> = solved.map(|solution| solution.to_response(&asking(&bare), &())).collect();
        let files = vec![("a.txt".to_owned(), Captured::from_bytes(said.clone().into_bytes())), ("b.csv".to_owned(), Captured::from_bytes(said.clone().into_bytes()))];
        replies.push(Response { files, ..reply(&said) });
        for response in &replies {
            let without = score_response(&asking(&bare), Some(response), 1, &());
            let with = score_response(&asking(&expect), Some(response), 1, &());
            prop_assert_eq!((with.correct, with.score), (without.correct, without.score));
            let (with, without) = (&with.verdicts[0], &without.verdicts[0]);
            prop_assert_eq!((with.score, &with.differences), (without.score, &without.differences));
            prop_assert_eq!(with.trap.is_some(), with.reason == Reason::Trapped);
            if with.reason == Reason::Trapped {
                prop_assert!(without.reason != Reason::Right);
                let first = expect.traps.iter().find(|trap| {
                    expect.with_trap(trap).is_some_and(|key| score_response(&asking(&key), Some(response), 1, &()).correct)
                });
                prop_assert_eq!(first.map(|trap| &trap.name), with.trap.as_ref());
            } else {
                prop_assert_eq!(with.reason, without.reason);
            }
        }
    }

    #[test]
    fn the_expected_value_is_right_as_a_trap(expect in with_traps()) {
        if let Some(Answer::One(value)) = &expect.answer && expect.matcher.record().has_traps() && !matches!(value, Value::Text(text) if text.trim().is_empty()) {
            let own = Trap { name: "a".into(), at: String::new(), value: value.clone() };
            prop_assert!(is_right(&expect, &own, Scorer::CURRENT), "{:?}", expect);
        }
    }
}
