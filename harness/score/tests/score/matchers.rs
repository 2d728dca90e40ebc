//! Every matcher on replies that are right and wrong, and why; what it tells of the difference, as people read it.

use super::common::{verdict, word};
use serde_json::{Value as Json, json};

/// Each reply gets its word.
fn says(expect: &Json, cases: &[(&str, &str)]) {
    for (reply, expected) in cases {
        let verdict = verdict(expect, reply);
        assert_eq!(word(&verdict), *expected, "{expect}\n{reply}\n{:?}", verdict.differences);
        match *expected {
            "right" => assert_eq!((verdict.score, verdict.differences.len()), (1.0, 0), "{reply}"),
            "partial" => assert!(verdict.score > 0.0 && verdict.score < 1.0, "{reply}"),
            _ => assert!(verdict.score == 0.0 && !verdict.differences.is_empty(), "{reply}"),
        }
    }
}

fn key(matcher: &str, value: Json, options: Json) -> Json {
    json!({"subject": "reply", "match": matcher, "value": value, "options": {"": options}})
}

#[test]
fn text() {
    says(
        &key("text", json!("New York"), json!({})),
        &[
            ("New York", "right"),
            ("  New York \r\n", "right"),
            ("\u{FEFF}New York", "right"),
            ("<think>Boston?</think>New York", "right"),
            ("New York.", "right"),
            ("**New York**", "right"),
            ("\u{201c}New York.\u{201d}", "right"),
            ("New York!", "differs"),
            ("(New York)", "differs"),
            ("**New York** or **Ulm**", "differs"),
            ("new york", "differs"),
            ("It is New York", "differs"),
            ("", "empty"),
            ("<think>New York", "empty"),
            (" \n\u{200B}", "empty"),
        ],
    );
    let lax = key("text", json!("New York"), json!({"ignore": ["case", "space", "punctuation"]}));
    says(&lax, &[("«new-york!»", "right"), ("NEW  YORK", "right"), ("York New", "differs")]);
    says(
        &key("text", json!("<analysis>5</analysis>"), json!({})),
        &[("<analysis>5</analysis>", "right"), ("5", "differs")],
    );
    says(&key("text", json!("<think>5</think>"), json!({})), &[("<think>5</think>", "right")]);
    says(&key("text", json!(7), json!({})), &[("7", "right"), ("7.0", "differs")]);
    says(&key("text", json!("a\r\nb"), json!({})), &[("a\nb", "right"), ("a\rb", "right"), ("a b", "differs")]);
    says(&key("text", json!(""), json!({})), &[("", "empty"), ("x", "differs")]);
}

#[test]
fn dates() {
    let date = key("date", json!({"date": "2024-03-04"}), json!({}));
    says(
        &date,
        &[
            ("2024-03-04", "right"),
            ("**March 4th, 2024.**", "right"),
            ("```\n4 March 2024\n```", "right"),
            ("Mon, 4 Mar 2024", "right"),
            ("2024-03-04 00:00:00", "right"),
            ("Tue, 4 Mar 2024", "differs"),
            ("04.03.2024", "differs"),
            ("3/4/2024", "differs"),
            ("It is 2024-03-04", "differs"),
            ("2024-03-04 10:00", "differs"),
            ("", "empty"),
        ],
    );
    let moment = key("date", json!({"date": "2024-03-04T15:05:00"}), json!({}));
    says(&moment, &[("2024-03-04 15:05", "right"), ("March 4, 2024 at 3:05 PM", "right"), ("2024-03-04", "differs")]);
    let place = json!({"subject": "reply", "slice": {"at": "$.d"}, "match": "date", "value": {"date": "2024-03-04"}});
    says(
        &place,
        &[
            (r#"{"d": "2024-03-04"}"#, "right"),
            (r#"{"d": "4 March 2024"}"#, "differs"),
            (r#"{"d": 20240304}"#, "differs"),
        ],
    );
    // A bundle of an earlier scorer has an object, and no date.
    let object = json!({"subject": "reply", "match": "list", "value": [{"date": "2024-03-04"}], "options": {}});
    assert_eq!(word(&verdict(&object, "2024/3/4")), "right");
    assert_ne!(word(&verdict(&object, r#"[{"date": "2024-03-04"}]"#)), "right");
}

#[test]
fn bools() {
    says(
        &key("bool", json!(true), json!({})),
        &[
            ("yes", "right"),
            ("**Yes.**", "right"),
            ("T", "right"),
            ("TRUE", "right"),
            ("no", "differs"),
            ("1", "differs"),
            ("Yes, it is.", "differs"),
            ("correct", "differs"),
        ],
    );
    let place = json!({"subject": "reply", "slice": {"at": "$.b"}, "match": "bool", "value": false});
    says(
        &place,
        &[
            (r#"{"b": false}"#, "right"),
            (r#"{"b": "no"}"#, "differs"),
            (r#"{"b": 0}"#, "differs"),
            (r#"{"b": true}"#, "differs"),
        ],
    );
}

#[test]
fn days_and_bools_in_cells() {
    let value =
        json!({"columns": ["D", "B"], "rows": [[{"date": "2024-03-04"}, true], [{"date": "2024-12-31"}, false]]});
    let rows = key("rows", value, json!({}));
    says(
        &rows,
        &[
            ("D,B\n31 December 2024,0\n2024/3/4,1", "right"),
            ("| D | B |\n| - | - |\n| **Mar. 4, 2024** | Yes |\n| 20241231 | no |", "right"),
            (r#"[["2024-12-31", false], ["2024-03-04", true]]"#, "right"),
            ("D,B\n31.12.2024,0\n04.03.2024,1", "differs"),
            (r#"[["2024/12/31", false], ["2024-03-04", true]]"#, "differs"),
            (r#"[["2024-12-31", 0], ["2024-03-04", 1]]"#, "differs"),
        ],
    );
    let list = key("list", json!([{"date": "2024-03-04"}, {"date": "2024-12-31"}]), json!({}));
    says(
        &list,
        &[
            ("- 4 March 2024\n- 31 December 2024", "right"),
            ("2024-12-31; March 4, 2024", "right"),
            (r#"["2024-12-31", "2024-03-04"]"#, "right"),
            ("4 March 2024\n30 December 2024", "partial"),
        ],
    );
}

#[test]
fn any_of() {
    let expect =
        json!({"subject": "reply", "match": "text", "any_of": ["yes", "y"], "options": {"": {"ignore": ["case"]}}});
    says(&expect, &[("YES", "right"), ("Y", "right"), ("no", "differs")]);
    let expect = json!({
        "subject": "reply", "match": "json", "any_of": [{"a": 10}, {"a": 20}], "options": {"/1/a": {"within": "1"}}
    });
    says(&expect, &[(r#"{"a": 10}"#, "right"), (r#"{"a": 11}"#, "differs"), (r#"{"a": 21}"#, "right")]);
}

#[test]
fn contains() {
    says(
        &key("contains", json!("done"), json!({})),
        &[
            ("All done.", "right"),
            ("undone", "differs"),
            ("Done", "differs"),
            ("<think>done</think>Sorry", "differs"),
            ("<think>done", "empty"),
        ],
    );
    says(&key("contains", json!("done"), json!({"ignore": ["case"]})), &[("DONE!", "right")]);
    says(&key("contains", json!(5), json!({})), &[("5 rows", "right"), ("1.5 rows", "differs"), ("15", "differs")]);
}

#[test]
fn matches() {
    says(
        &key("matches", json!("^[A-Z]{3}-\\d{2}$"), json!({})),
        &[("ABC-12", "right"), ("ABC-12\n", "right"), ("xABC-12", "differs"), ("abc-12", "differs")],
    );
    says(&key("matches", json!("("), json!({})), &[("(", "bad_key")]);
}

#[test]
fn numbers_and_their_ends() {
    says(
        &key("number", json!(1234), json!({})),
        &[
            ("1234", "right"),
            ("1,234.", "right"),
            ("$1,234.00", "right"),
            ("1.234e3", "right"),
            ("**1234**", "right"),
            ("1 234", "right"),
            ("$1234$", "right"),
            ("**1234** **17**", "not_a_number"),
            ("~1234", "not_a_number"),
            ("1234.0000000000000000001", "differs"),
            ("The answer is 1234", "not_a_number"),
            ("1234 1234", "not_a_number"),
            ("1234%", "not_a_number"),
        ],
    );
    says(
        &key("number", json!({"decimal": "12.50"}), json!({"within": "0.01"})),
        &[
            ("12.51", "right"),
            ("12.49", "right"),
            ("12.510000000000000000000000001", "differs"),
            ("12.489999999999999999999999999", "differs"),
            ("1e99999999999999999999", "differs"),
            ("1e-99999999999999999999", "differs"),
        ],
    );
    says(
        &key("number", json!(-200), json!({"within": "1%"})),
        &[("-198", "right"), ("-202", "right"), ("-197.999", "differs"), ("-202.001", "differs"), ("200", "differs")],
    );
    says(&key("number", json!(0), json!({"within": "50%"})), &[("0", "right"), ("1e-300", "differs")]);
    // Half a unit of the second place from the key as it is: both neighbours of a half are right.
    says(
        &key("number", json!(2.345), json!({"rounded": 2})),
        &[("2.34", "right"), ("2.35", "right"), ("2.345", "right"), ("2.3399", "differs"), ("2.3501", "differs")],
    );
    says(
        &key("number", json!(44.653333333333336), json!({})),
        &[("44.653333333333336", "right"), ("44.6533333333", "right"), ("44.6533", "differs"), ("44.65", "differs")],
    );
    says(
        &key("number", json!({"int": "9007199254740993"}), json!({})),
        &[("9007199254740993", "right"), ("9007199254740992", "differs")],
    );
    says(&key("number", json!(1e300), json!({})), &[("1e300", "right"), (&format!("1{}", "0".repeat(300)), "right")]);
}

#[test]
fn json_by_value() {
    let expect = key("json", json!({"a": 1, "b": [true, null, "x"], "c": {"d": {"decimal": "0.10"}}}), json!({}));
    says(
        &expect,
        &[
            (r#"{"a": 1, "b": [true, null, "x"], "c": {"d": 0.1}}"#, "right"),
            (r#"{"c": {"d": 1e-1}, "b": [true, null, "x"], "a": 1.0}"#, "right"),
            ("```json\n{\"a\": 1, \"b\": [true, null, \"x\"], \"c\": {\"d\": 0.1}}\n```", "right"),
            ("Here:\n```json\n{\"a\": 1, \"b\": [true, null, \"x\"], \"c\": {\"d\": 0.1}}\n```", "not_json"),
            (r#"{"a": "1", "b": [true, null, "x"], "c": {"d": 0.1}}"#, "differs"),
            (r#"{"a": true, "b": [true, null, "x"], "c": {"d": 0.1}}"#, "differs"),
            (r#"{"a": 1, "b": [null, true, "x"], "c": {"d": 0.1}}"#, "differs"),
            (r#"{"a": 1, "b": [true, null, "x"], "c": {"d": 0.1}, "e": 0}"#, "differs"),
            (r#"{"a": 1, "b": [true, null, "x"]}"#, "differs"),
            (r#"{"a": 1, "a": 1, "b": [true, null, "x"], "c": {"d": 0.1}}"#, "not_json"),
            (r#"{"a": NaN}"#, "not_json"),
            ("{'a': 1}", "not_json"),
            ("[]", "differs"),
        ],
    );
}

#[test]
fn the_nearest_option_governs_json() {
    let expect = json!({
        "subject": "reply", "match": "json", "value": {"a": 10, "b": [1, 2], "c": {"d": 10, "e": "X"}},
        "options": {"": {"within": "1"}, "/b": {"ordered": false}, "/c": {"ignore": ["case"]}, "/c/d": {"within": "10%"}}
    });
    says(
        &expect,
        &[
            (r#"{"a": 11, "b": [2, 1], "c": {"d": 9, "e": "x"}}"#, "right"),
            // `unordered` is nearer than `within`.
            (r#"{"a": 11, "b": [2, 1.5], "c": {"d": 9, "e": "x"}}"#, "differs"),
            (r#"{"a": 12, "b": [2, 1], "c": {"d": 9, "e": "x"}}"#, "differs"),
            (r#"{"a": 11, "b": [2, 1], "c": {"d": 8.9, "e": "x"}}"#, "differs"),
        ],
    );
}

#[test]
fn unordered_arrays_are_paired_as_well_as_can_be() {
    let expect =
        key("json", json!([{"n": 10, "t": "a"}, {"n": 11, "t": "a"}]), json!({"within": "1", "ordered": false}));
    // 10.5 fits both; 9.5 only the first.
    says(
        &expect,
        &[
            (r#"[{"n": 10.5, "t": "a"}, {"n": 9.5, "t": "a"}]"#, "right"),
            (r#"[{"n": 9.5, "t": "a"}, {"n": 9.5, "t": "a"}]"#, "differs"),
        ],
    );
}

#[test]
fn lists_in_every_form() {
    let expect = key("list", json!(["Boston", "New York", "Boston"]), json!({}));
    says(
        &expect,
        &[
            (r#"["Boston", "Boston", "New York"]"#, "right"),
            ("Boston\nNew York\nBoston", "right"),
            ("- New York\n- Boston\n- Boston", "right"),
            ("1. New York\n2. Boston\n3. Boston", "right"),
            ("New York, Boston,Boston", "right"),
            ("```\nBoston\nNew York\nBoston\n```", "right"),
            ("Boston, New York", "partial"),
            ("Boston, New York, Boston, Boston", "partial"),
            ("boston", "differs"),
        ],
    );
    assert_eq!(verdict(&expect, "Boston, New York").score, 0.8);
    assert_eq!(verdict(&expect, "Boston, New York, Boston, Boston").score, 6.0 / 7.0);
    says(&key("list", json!(["Smith, John"]), json!({})), &[("Smith, John", "right"), ("\"Smith, John\"", "right")]);
    says(&key("list", json!(["Smith, John", "Doe, Jane"]), json!({})), &[("\"Smith, John\", \"Doe, Jane\"", "right")]);
    says(
        &key("list", json!([1, 2.5]), json!({})),
        &[("2.50\n1", "right"), (r#"["1", 2.5]"#, "partial"), ("[1, 2.5]", "right")],
    );
    says(&key("list", json!([]), json!({})), &[("[]", "right"), ("", "empty"), ("none", "differs")]);
    says(&key("list", json!([10, 11]), json!({"within": "1"})), &[("10.5, 9.5", "right")]);
    let ordered = key("list", json!(["a", "b", "c"]), json!({"ordered": true}));
    says(&ordered, &[("a, b, c", "right"), ("c, a, b", "partial"), ("b", "partial")]);
    assert_eq!(verdict(&ordered, "c, a, b").score, 2.0 / 3.0);
}

#[test]
fn rows_in_every_form() {
    let value =
        json!({"columns": ["CITY", "N"], "rows": [["Boston", 3], ["New York", {"decimal": "4.50"}], ["Boston", null]]});
    let expect = key("rows", value.clone(), json!({}));
    says(
        &expect,
        &[
            ("town,count\nNew York,4.5\nBoston,\nBoston,3", "right"),
            ("| a | b |\n|---|---|\n| Boston | NULL |\n| Boston | 3 |\n| New York | 4.50 |", "right"),
            (r#"[["Boston", 3], ["New York", 4.5], ["Boston", null]]"#, "right"),
            (r#"[{"n": 3, "city": "Boston"}, {"n": 4.5, "city": "New York"}, {"n": null, "city": "Boston"}]"#, "right"),
            ("```csv\ntown,count\nNew York,4.5\nBoston,\nBoston,3\n```", "right"),
            (r#"[["Boston", 3], ["New York", 4.5], ["Boston", 0]]"#, "differs"),
            (r#"[["Boston", 3], ["New York", 4.5], ["Boston", ""]]"#, "differs"),
            (r#"[["Boston", "3"], ["New York", 4.5], ["Boston", null]]"#, "differs"),
            ("town,count\nNew York,4.5\nBoston,3", "differs"),
            ("town,count,x\nNew York,4.5,1", "differs"),
            ("town,count\nNew York,4.5,1", "not_rows"),
            ("Boston has 3", "differs"),
        ],
    );
    let ordered = key("rows", value, json!({"ordered": true}));
    says(
        &ordered,
        &[("a,b\nBoston,3\nNew York,4.5\nBoston,", "right"), ("a,b\nNew York,4.5\nBoston,3\nBoston,", "differs")],
    );
    let none = key("rows", json!({"columns": ["A", "B"], "rows": []}), json!({}));
    says(&none, &[("a,b", "right"), ("[]", "right"), ("a,b\n1,2", "differs"), ("", "empty")]);
}

#[test]
fn slices() {
    let part = |slice: Json, matcher: &str, value: Json| json!({"subject": "reply", "slice": slice, "match": matcher, "value": value});
    let long = "I looked.\n\n```json\n{\"a\": 1}\n```\nAnswer: 4\nAnswer: 5\n";
    says(&part(json!("last_line"), "text", json!("Answer: 5")), &[(long, "right"), ("", "empty")]);
    says(
        &part(json!({"after": "Answer:"}), "number", json!(5)),
        &[(long, "right"), ("Result: 5", "no_slice"), ("Answer:", "empty")],
    );
    says(&part(json!({"fenced": "JSON"}), "json", json!({"a": 1})), &[(long, "right"), ("{\"a\": 1}", "no_slice")]);
    says(&part(json!({"fenced": null}), "json", json!({"a": 1})), &[(long, "right")]);
    says(&part(json!({"fenced": "sql"}), "text", json!("x")), &[(long, "no_slice")]);
}

#[test]
fn differences_are_told_to_people() {
    let long = "x".repeat(300);
    let cases = [
        (key("text", json!("New York"), json!({})), "It is Boston, I think"),
        (key("contains", json!("done"), json!({})), "Sorry"),
        (key("matches", json!("[A-Z]+"), json!({})), "abc"),
        (key("matches", json!("(["), json!({})), "abc"),
        (key("number", json!(2.345), json!({"rounded": 2})), "2.3"),
        (key("number", json!(200), json!({"within": "1%"})), "197"),
        (key("number", json!(200), json!({})), "about 200"),
        (key("json", json!({"a": {"b/c": [1, 2]}, "d": "x"}), json!({})), r#"{"a": {"b/c": [1, 3, 4]}, "e": "y"}"#),
        (key("json", json!({"a": 1}), json!({})), "{\"a\": 1,}"),
        (key("json", json!([1, 2, 3]), json!({"ordered": false})), "[3, 1, 7, 8]"),
        (key("json", json!({"a": long}), json!({})), r#"{"a": "y"}"#),
        (key("list", json!(["a", "b", "c"]), json!({})), "a, d"),
        (key("rows", json!({"columns": ["A", "B"], "rows": [["x", 1], ["y", 2]]}), json!({})), "a,b\ny,2\nx,3\nz,9"),
        (
            key("rows", json!({"columns": ["A", "B"], "rows": [["x", 1], ["y", 2]]}), json!({"ordered": true})),
            "a,b\ny,2\nx,1",
        ),
        (key("rows", json!({"columns": ["A", "B"], "rows": [["x", 1]]}), json!({})), "a\nx"),
        (key("text", json!("x"), json!({})), ""),
        (json!({"subject": "reply", "slice": {"after": "Answer:"}, "match": "number", "value": 1}), "1"),
    ];
    let mut told = String::new();
    for (expect, reply) in cases {
        let verdict = verdict(&expect, reply);
        told.push_str(&format!(
            "{} {} <- {reply:?}\n  {} {:.3}\n",
            verdict.subject,
            verdict.matcher,
            word(&verdict),
            verdict.score
        ));
        for difference in verdict.differences {
            told.push_str(&format!(
                "  at {:?}: expected {}, got {}\n",
                difference.at, difference.expected, difference.got
            ));
        }
    }
    insta::assert_snapshot!(told);
}

#[test]
fn long_answers_in_any_order_are_right() {
    let rows: Vec<Json> = (0..6000)
        .map(|at| json!([format!("name {}", at % 3000), at, {"decimal": format!("{}.50", at / 2)}, null]))
        .collect();
    let expect = key("rows", json!({"columns": ["A", "B", "C", "D"], "rows": rows}), json!({"within": "0.1"}));
    let mut lines: Vec<String> = (0..6000).map(|at| format!("Name {},{at}.05,{}.45,", at % 3000, at / 2)).collect();
    lines.reverse();
    let text = lines.join("\n").replace("Name", "name");
    says(
        &expect,
        &[(&format!("a,b,c,d\n{text}"), "right"), (&format!("a,b,c,d\n{}", text.replace("17.05", "17.2")), "differs")],
    );
    let items: Vec<Json> = (0..6000).map(|at| json!(format!("Item {at}"))).collect();
    let mut lines: Vec<String> = (0..6000).map(|at| format!("- item {at}")).collect();
    lines.reverse();
    let expect = key("list", json!(items), json!({"ignore": ["case"]}));
    says(&expect, &[(&lines.join("\n"), "right"), (&lines[1..].join("\n"), "partial")]);
    assert_eq!(verdict(&expect, &lines[1..].join("\n")).score, 2.0 * 5999.0 / 11999.0);
}
