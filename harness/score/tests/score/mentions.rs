//! `contains … among` and `lacks`: what must be there once, and what must not.

use super::common::{instance_of, reply, verdict, word};
use score::score_response;
use serde_json::{Value as Json, json};

fn says(expect: &Json, said: &str) -> String {
    word(&verdict(expect, said))
}

#[test]
fn one_of_several_values_is_there_and_no_other() {
    let town =
        json!({"subject": "reply", "match": "contains", "value": "New York", "among": ["York", "New York", "Ulm"]});
    for (said, reason) in [
        ("It is New York.", "right"),
        ("New York, New York", "right"),
        ("**New York**", "right"),
        ("**New** York", "right"),
        ("New\nYork", "right"),
        ("New  York", "right"),
        ("New\u{a0}York", "right"),
        ("York, New\nYork", "present"),
        ("_New York_", "right"),
        ("York", "present"),
        ("New York and York", "present"),
        ("York, New York, or Ulm", "present"),
        ("New York _Ulm_", "present"),
        ("*Ulm* or New York", "present"),
        ("Bonn", "differs"),
        ("New Yorkers", "differs"),
        ("", "empty"),
    ] {
        assert_eq!(says(&town, said), reason, "{said:?}");
    }
    let shown = verdict(&town, "York, New York, or Ulm").differences[0].clone();
    assert_eq!(
        (shown.expected.as_str(), shown.got.as_str()),
        ("\"New York\", and no other value", "\"York\", \"Ulm\"")
    );
    // The value does not have to be in the list.
    let york = json!({"subject": "reply", "match": "contains", "value": "York", "among": ["New York", "Ulm"]});
    assert_eq!([says(&york, "York"), says(&york, "New York")], ["right", "present"]);
}

#[test]
fn values_that_overlap_are_both_there() {
    let town =
        json!({"subject": "reply", "match": "contains", "value": "New York", "among": ["York City", "New York"]});
    assert_eq!(says(&town, "New York City"), "present");
    let letters = json!({"subject": "reply", "match": "contains", "value": "a b", "among": ["a", "b", "a b"]});
    assert_eq!([says(&letters, "a b"), says(&letters, "a b a")], ["right", "present"]);
}

#[test]
fn several_accepted_values_may_stand_beside_each_other() {
    let any =
        json!({"subject": "reply", "match": "contains", "any_of": ["Ulm", "Bonn"], "among": ["Ulm", "Bonn", "Kiel"]});
    for (said, reason) in
        [("Ulm", "right"), ("Bonn", "right"), ("Ulm or Bonn", "right"), ("Ulm or Kiel", "present"), ("Jena", "differs")]
    {
        assert_eq!(says(&any, said), reason, "{said}");
    }
    let folded = json!({"subject": "reply", "match": "contains", "value": "Ulm", "among": ["ULM", "Kiel"], "options": {"": {"ignore": ["case"]}}});
    assert_eq!([says(&folded, "ulm"), says(&folded, "ulm, KIEL")], ["right", "present"]);
}

#[test]
fn what_must_not_be_there_is_in_no_reading() {
    let clean = json!({"subject": "reply", "match": "lacks", "value": ["ID", "row", 17, true]});
    for (said, reason) in [
        ("They work in Ulm.", "right"),
        ("Rows are read.", "right"),
        ("The id is not said.", "right"),
        ("Row 3 has ID 5.", "present"),
        ("_ID_ five", "present"),
        ("**row**", "present"),
        ("17", "present"),
        ("a row\nof", "present"),
        ("17.5", "right"),
        ("True", "right"),
        ("", "empty"),
    ] {
        assert_eq!(says(&clean, said), reason, "{said:?}");
    }
    let two = json!({"subject": "reply", "match": "lacks", "value": "New York"});
    assert_eq!(
        [says(&two, "Ulm New\nYork"), says(&two, "Ulm New  *York*"), says(&two, "York New")],
        ["present", "present", "right"]
    );
    let bool = json!({"subject": "reply", "match": "lacks", "value": true});
    assert_eq!([says(&bool, "TRUE"), says(&bool, "untrue")], ["present", "right"]);
    let shown = verdict(&clean, "ID in a row").differences[0].clone();
    assert_eq!((shown.expected.as_str(), shown.got.as_str()), ("a text without these", "\"ID\", \"row\""));
}

#[test]
fn forbidden_numbers_are_found_in_every_form() {
    let none = json!({"subject": "reply", "match": "lacks", "value": [1000, "2000"]});
    let one = json!({"subject": "reply", "match": "contains", "value": 5, "among": [5, 5.0, 1000]});
    for (said, lacks, among) in [
        ("5 or 1,000", "present", "present"),
        ("5, 1 000", "present", "present"),
        ("5 (1e3)", "present", "present"),
        ("5 or **1000.0**", "present", "present"),
        ("5 or 10\u{200b}00", "present", "present"),
        ("5.0, 5", "right", "right"),
        ("5 or 1000th", "right", "right"),
        // A text is found as it is written.
        ("5 or 2,000", "right", "right"),
        ("5 or 2000", "present", "right"),
    ] {
        assert_eq!([says(&none, said), says(&one, said)], [lacks, among], "{said:?}");
    }
    let word = json!({"subject": "reply", "match": "lacks", "value": "secret"});
    assert_eq!(
        ["se\u{ad}cret", "sec\u{200d}ret", "secrets"].map(|said| says(&word, said)),
        ["present", "present", "right"]
    );
}

#[test]
fn missing_files_lack_nothing() {
    let key = json!({"subject": {"file": "a.txt"}, "match": "lacks", "value": "x"});
    let scored = score_response(&instance_of(&key, 3), Some(&reply("")), 1, &());
    assert_eq!(word(&scored.verdicts[0]), "no_file");
}

/// A unit next to its number does not hide it.
#[test]
fn a_number_before_a_unit_is_there() {
    let none = json!({"subject": "reply", "match": "lacks", "value": [3966, {"decimal": "2.5"}]});
    for (said, reason) in [
        ("It weighs 3966kg.", "present"),
        ("(3,966kg)", "present"),
        ("2.5m", "present"),
        ("€3966", "present"),
        ("the 3966th", "right"),
        ("A3966kg", "right"),
        ("39660kg, 13966kg", "right"),
        ("12.5m", "right"),
    ] {
        assert_eq!(says(&none, said), reason, "{said:?}");
    }
}
