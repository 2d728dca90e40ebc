//! Parts of a reply between two marks: rows 32 to 40 of the table of styles, and more.

use records::Reason;
use score::score_response;
use serde_json::{Value as Json, json};

use super::common::{instance_of, reply, verdict, word};

/// The reason of an answer 4 in a part of a reply.
fn judge(slice: &Json, said: &str) -> Reason {
    let mut expect = json!({"subject": "reply", "match": "number", "value": 4});
    if !slice.is_null() {
        expect["slice"] = slice.clone();
    }
    score_response(&instance_of(&expect, 3), Some(&reply(said)), 1, &()).verdicts.remove(0).reason
}

#[test]
fn the_table_of_parts_holds() {
    let parts = [json!(null), json!("last_line"), json!({"after": "Answer:"}), json!({"in": "answer"})];
    for (row, said, right) in [
        (32, "Reasoning.\n4", "-l--"),
        (33, "Reasoning. Answer: 4", "--a-"),
        (34, "Answer: **4**", "--a-"),
        (34, "Answer: `4`.", "--a-"),
        (34, "**Answer:** **4**", "--a-"),
        (35, "answer: 4", "--a-"),
        (35, "Final answer: 4", "--a-"),
        (35, "ANSWER: 4", "--a-"),
        (36, "Answer: 4\nI hope this helps.", "----"),
        (37, "Answer: 3\nNo. Answer: 4", "--a-"),
        (37, "<answer>3</answer> no, <answer>4</answer>", "---i"),
        (38, "So it is <answer>4</answer>, as asked.", "---i"),
        (38, "<ANSWER>\n**4**\n</ANSWER>", "---i"),
        (38, "<answer>4.0.</answer>\nI hope this helps.", "---i"),
        (38, "<answer>\n```\n4\n```\n</answer>", "---i"),
        (38, "```\n<answer>4</answer>\n```", "---i"),
        (38, "**<answer>4</answer>**", "---i"),
        (38, "<think><answer>3</answer></think>So <answer>4</answer>", "---i"),
        (38, "So <answer>4</answer> <think><answer>3</answer></think>", "---i"),
        (39, "<answer>4", "----"),
        (39, "<answer>3</answer> or <answer>4", "----"),
        (39, "<think><answer>4</answer>", "----"),
        (39, "<answer>4 or 5</answer>", "----"),
        (39, "<answer>n = 4</answer>", "----"),
        (39, "<answer></answer>", "----"),
        (39, "<final>4</final>", "----"),
        (40, r"The result is \boxed{4}.", "----"),
    ] {
        for ((slice, letter), wanted) in parts.iter().zip("wlai".chars()).zip(right.chars()) {
            assert_eq!(judge(slice, said) == Reason::Right, letter == wanted, "row {row}, {slice}: {said}");
        }
    }
}

#[test]
fn a_part_between_two_texts_is_read() {
    let boxed = json!({"between": [r"\boxed{", "}"]});
    let brackets = json!({"between": ["[[", "]]"]});
    for (slice, said, reason) in [
        (&boxed, r"The result is \boxed{4}.", Reason::Right),
        (&boxed, r"So $$\boxed{\text{4}}$$", Reason::Right),
        (&boxed, r"\boxed{3} is wrong, it is \boxed{4}", Reason::Right),
        (&boxed, r"\boxed{\$4}", Reason::Right),
        (&boxed, r"\boxed{\,4~}", Reason::Right),
        (&boxed, r"\boxed{4} or \boxed{5", Reason::NoSlice),
        (&boxed, r"\boxed{x = 4}", Reason::NotANumber),
        (&boxed, r"\Boxed{4}", Reason::NoSlice),
        (&brackets, "It is [[4]], as asked.", Reason::Right),
        (&brackets, "[[ **4.** ]]", Reason::Right),
        (&brackets, r"[[\$4]]", Reason::Right),
        (&brackets, "[4]", Reason::NoSlice),
        (&brackets, "[[]]", Reason::Empty),
    ] {
        assert_eq!(judge(slice, said), reason, "{said}");
    }
}

#[test]
fn a_reply_is_compared_character_by_character() {
    let judge = |slice: Json, value: &str, said: &str| {
        let mut expect = json!({"subject": "reply", "match": "bytes", "value": value});
        if !slice.is_null() {
            expect["slice"] = slice;
        }
        score_response(&instance_of(&expect, 3), Some(&reply(said)), 1, &()).verdicts.remove(0).reason
    };
    for (value, said, reason) in [
        ("a  b", "a  b", Reason::Right),
        ("a  b\n", "a  b", Reason::Right),
        ("a  b", "a  b\r\n", Reason::Right),
        ("a\r\nb\n", "a\nb\n", Reason::Right),
        ("  a\n", "  a\n", Reason::Right),
        ("a", "<think>b</think>\na", Reason::Right),
        ("<think>a</think>b", "<think>a</think>b", Reason::Right),
        ("**a**", "**a**", Reason::Right),
        ("a", "**a**", Reason::Differs),
        ("a", "`a`", Reason::Differs),
        ("a", "a.", Reason::Differs),
        ("a", "A", Reason::Differs),
        ("a", "```\na\n```", Reason::Differs),
        ("a  b", "a b", Reason::Differs),
        ("  a", "a", Reason::Differs),
        ("a\nb", "a\n\nb", Reason::Differs),
        ("\u{e9}", "e\u{301}", Reason::Differs),
        ("a", "", Reason::Empty),
    ] {
        assert_eq!(judge(json!(null), value, said), reason, "{value:?} {said:?}");
    }
    assert_eq!(judge(json!({"in": "answer"}), "a b", "So:\n<answer>\na b\n</answer>"), Reason::Right);
    assert_eq!(judge(json!({"in": "answer"}), "a b", "<answer>a  b</answer>"), Reason::Differs);
    assert_eq!(judge(json!({"in": "answer"}), "a b", "a b"), Reason::NoSlice);
}

#[test]
fn mathematics_is_read_in_texts_and_items() {
    let is_right = |matcher: &str, value: Json, said: &str| {
        let slice = json!({"between": [r"\boxed{", "}"]});
        let expect = json!({"subject": "reply", "slice": slice, "match": matcher, "value": value});
        score_response(&instance_of(&expect, 3), Some(&reply(said)), 1, &()).correct
    };
    assert!(is_right("text", json!("A&B 50%"), r"\boxed{A\&B~50\%}"));
    assert!(is_right("text", json!("Ulm"), r"\boxed{\text{Ulm}}"));
    assert!(!is_right("text", json!("Ulm"), r"\boxed{\text{Ulm} \text{Bonn}}"));
    assert!(is_right("number", json!(1234), r"\boxed{1{,}234}"));
    assert!(is_right("list", json!([1, 2]), r"\boxed{1, 2}"));
    assert!(is_right("contains", json!("Ulm"), r"\boxed{the town Ulm}"));
}

#[test]
fn a_value_that_ends_in_a_mark_is_right_in_other_marks() {
    for value in ["Acme Inc.", "__init__", "\"Ulm\"", "$x$", "_a_.", "e.g."] {
        for said in [value.to_owned(), format!("**{value}**"), format!("`{value}`"), format!("“{value}”")] {
            for (key, said) in [
                (json!({"subject": "reply", "match": "text", "value": value}), said.clone()),
                (json!({"subject": "reply", "match": "list", "value": [value, "b"]}), format!("- {said}\n- b")),
                (
                    json!({"subject": "reply", "match": "rows", "value": {"columns": ["A", "B"], "rows": [[value, "b"]]}}),
                    format!("| A | B |\n|---|---|\n| {said} | b |"),
                ),
            ] {
                assert_eq!(word(&verdict(&key, &said)), "right", "{key} {said}");
            }
        }
    }
    for (expect, said) in [("Acme Inc.", "Acme"), ("__init__", "_init_"), ("init", "__init"), ("Ulm.", "**Ulm**")] {
        let key = json!({"subject": "reply", "match": "text", "value": expect});
        assert_eq!(word(&verdict(&key, said)), "differs", "{said}");
    }
}

#[test]
fn part_of_a_number_may_be_emphasized() {
    let key = json!({"subject": "reply", "match": "number", "value": 40, "options": {"": {"unit": "%"}}});
    for said in ["**40**%", "**40** %", "*40*%.", "**40%**"] {
        assert_eq!(word(&verdict(&key, said)), "right", "{said}");
    }
    let date = json!({"subject": "reply", "match": "date", "value": {"date": "2024-03-01"}});
    assert_eq!(word(&verdict(&date, "**1 March** 2024")), "right");
    let text = json!({"subject": "reply", "match": "text", "value": "40 kg"});
    assert_eq!(word(&verdict(&text, "**40** kg")), "differs");
}
