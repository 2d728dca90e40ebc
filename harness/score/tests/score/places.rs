//! `at "$.path"`: the one value there, in a reply and in a file; and names of expectations.

use records::Response;
use score::{StartFiles, solve_instance};
use serde_json::{Value as Json, json};

use super::common::{Files, files, instance, reply, scored, text, word};

fn at(path: &str, matcher: &str, value: Json) -> Json {
    json!({"subject": "reply", "slice": {"at": path}, "match": matcher, "value": value})
}

fn says(expect: &Json, response: &Response) -> String {
    word(&scored(expect, response, &Files::new()).verdicts[0])
}

#[test]
fn the_value_at_a_place_is_compared() {
    let doc = r#"{"n": 5, "t": " New York ", "list": ["a", "b"], "o": {"x": 1.50, "y": [1, 2]}, "rows": [{"A": 1}, {"A": 2}], "no": null, "sure": true}"#;
    let rows = json!({"columns": ["A"], "rows": [[2], [1]]});
    for (path, matcher, value, said) in [
        ("$.n", "number", json!(5), "right"),
        ("$.n", "number", json!(6), "differs"),
        ("$.n", "text", json!("5"), "right"),
        ("$.t", "text", json!("New York"), "right"),
        ("$.t", "contains", json!("York"), "right"),
        ("$.t", "matches", json!("[A-Z].*"), "right"),
        ("$.t", "number", json!(5), "not_a_number"),
        ("$.list", "list", json!(["b", "a"]), "right"),
        ("$.list", "list", json!(["a"]), "partial"),
        ("$.t", "list", json!(["New York"]), "differs"),
        ("$.list[-1]", "text", json!("b"), "right"),
        ("$.list[2]", "text", json!("b"), "no_slice"),
        ("$.o", "json", json!({"x": 1.5, "y": [1, 2]}), "right"),
        ("$['o'].y[0]", "number", json!(1), "right"),
        ("$.o.x", "number", json!({"decimal": "1.50"}), "right"),
        ("$.rows", "rows", rows.clone(), "right"),
        ("$.n", "rows", rows, "not_rows"),
        ("$.sure", "text", json!(true), "right"),
        ("$.missing", "number", json!(5), "no_slice"),
        ("$.n.x", "number", json!(5), "no_slice"),
        ("$.no", "number", json!(5), "not_a_number"),
    ] {
        let expect = at(path, matcher, value);
        assert_eq!(says(&expect, &reply(doc)), said, "{expect}");
        // Inside its one fence too, and after thoughts.
        assert_eq!(says(&expect, &reply(&format!("```json\n{doc}\n```"))), said, "{expect}");
        assert_eq!(says(&expect, &reply(&format!("<think>{{}}</think>{doc}"))), said, "{expect}");
    }
    let expect = at("$.n", "number", json!(5));
    for (said, why) in
        [("5", "no_slice"), ("n: 5", "not_json"), ("Here:\n```\n{\"n\": 5}\n```", "not_json"), ("", "empty")]
    {
        assert_eq!(says(&expect, &reply(said)), why, "{said}");
    }
    assert_eq!(says(&at("$", "number", json!(5)), &reply("5")), "right");
}

#[test]
fn a_place_in_a_file_is_read_as_json_and_as_yaml_where_it_is_that() {
    let expect = |yaml: bool| {
        let slice = if yaml { json!({"at": "$.a[1].b", "yaml": true}) } else { json!({"at": "$.a[1].b"}) };
        json!({"subject": {"file": "out.json"}, "slice": slice, "match": "number", "value": 5})
    };
    let json = files(&[("out.json", text("{\"a\": [0, {\"b\": 5}]}"))]);
    let yaml = files(&[("out.json", text("a:\n  - 0\n  - b: 5\n"))]);
    assert_eq!([says(&expect(false), &json), says(&expect(true), &json)], ["right", "right"]);
    assert_eq!([says(&expect(false), &yaml), says(&expect(true), &yaml)], ["not_json", "right"]);
    assert_eq!(says(&expect(false), &reply("{}")), "no_file");
}

#[test]
fn a_verdict_has_the_name_of_its_expectation() {
    let mut expect = at("$.n", "number", json!(5));
    expect["name"] = json!("total");
    let score = scored(&expect, &reply("{\"n\": 5}"), &Files::new());
    assert_eq!(score.verdicts[0].name.as_deref(), Some("total"));
    assert_eq!(score.verdicts[0].describe_subject(), "total (reply at \"$.n\")");
    let line = serde_json::to_value(&score).expect("JSON");
    assert_eq!(line["verdicts"][0]["name"], "total");
    let without = scored(&at("$.n", "number", json!(5)), &reply("5"), &Files::new());
    assert!(serde_json::to_value(&without).expect("JSON")["verdicts"][0].get("name").is_none());
}

/// The oracle writes one document for all places.
#[test]
fn an_answer_is_found_for_places() {
    let file = |path: &str, matcher: &str, value: Json| {
        let mut expect = at(path, matcher, value);
        expect["subject"] = json!({"file": "out.json"});
        expect
    };
    for key in [
        json!([at("$.a", "number", json!(5))]),
        json!([at("$", "number", json!(5))]),
        json!([
            at("$.a.b[2]", "text", json!("x\"y")),
            at("$.a.b[0]", "contains", json!("x")),
            at("$.c", "list", json!(["p", 1, null]))
        ]),
        json!([
            at("$.a", "contains", json!("x")),
            at("$.a", "contains", json!("y")),
            at("$['a b']", "matches", json!("[0-9]{3}"))
        ]),
        json!([
            at("$.t", "rows", json!({"columns": ["A", "B"], "rows": [[1, "x"], [2, null]]})),
            at("$.o", "json", json!({"k": [1, {"z": false}]}))
        ]),
        json!([at("$.a", "number", json!(5)), {"subject": "reply", "match": "contains", "value": "done"}]),
        // The same item, or two.
        json!([at("$.a[-1]", "text", json!("x")), at("$.a[2]", "text", json!("x")), at("$.a[0]", "text", json!("y"))]),
        json!([at("$.a[-1]", "text", json!("z")), at("$.a[2]", "text", json!("x"))]),
        json!([
            at("$.a[-1].n", "number", json!(1)),
            at("$.a[-2].n", "number", json!(2)),
            at("$.a[0].n", "number", json!(3))
        ]),
        json!([
            at("$.a[-1][-1]", "number", json!(1)),
            at("$.a[-1][0]", "number", json!(2)),
            at("$.a[0][0]", "number", json!(3))
        ]),
        json!([at("$.a", "number", json!(5)), {"subject": "reply", "match": "json", "value": {"a": 5, "b": 1}}]),
        json!([file("$.a", "number", json!(0.5)), file("$.b", "text", json!(true)), {"subject": "reply", "match": "text", "value": "done"}]),
    ] {
        let instance = instance(&key);
        let solution =
            solve_instance(&instance, &Files::new() as &dyn StartFiles).unwrap_or_else(|why| panic!("{key}: {why}"));
        let score =
            score::score_response(&instance, Some(&solution.to_response(&instance, &Files::new())), 1, &Files::new());
        assert!(score.correct, "{key}: {solution:?}");
    }
    let impossible = instance(&json!([at("$.a", "number", json!(5)), at("$.a", "number", json!(6))]));
    assert!(solve_instance(&impossible, &Files::new()).is_err());
}
