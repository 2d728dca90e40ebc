//! What a later attack with the binary alone found: right answers called wrong, keys that nobody can meet, advice that is missing. The numbers are those of that review.

use serde_json::json;

use super::answers::{Files, key, now_right, still_wrong, verdict};
use super::support::suite;
use records::Reason;
use testing::{create_folder, run_picardc};

/// Items that begin as a bullet or a number does are given as they are, one a line.
#[test]
fn k1_items_that_look_like_bullets_are_read_as_they_are() {
    now_right(&key("list", json!(["- a", "- b"]), json!({})), &["- a\n- b", "- b\n- a"]);
    now_right(&key("list", json!(["1. Kiel", "2. Ulm"]), json!({})), &["1. Kiel\n2. Ulm"]);
    let both = key("list", json!(["- a", "- b"]), json!({}));
    for reply in ["- - a\n- - b", r#"["- a", "- b"]"#] {
        assert_eq!(verdict(2, &both, reply, &Files::new()), Reason::Right, "{reply}");
    }
    still_wrong(&key("list", json!([-1, -2]), json!({})), &["- 1\n- 2"]);
    still_wrong(&key("list", json!([1, 2]), json!({})), &["1. 2\n2. 3"]);
}

/// A CSV file of one column has quotes around items with commas.
#[test]
fn k2_quoted_items_one_a_line_are_read() {
    let names = key("list", json!(["Smith, John", "Doe, Jane", "Bob"]), json!({}));
    now_right(
        &names,
        &[
            "\"Smith, John\"\n\"Doe, Jane\"\nBob",
            "\"Smith, John\"\r\n\"Doe, Jane\"\r\n\"Bob\"\r\n",
            "- \"Smith, John\"\n- \"Doe, Jane\"\n- \"Bob\"",
        ],
    );
    now_right(&key("list", json!(["say \"no\"", "x"]), json!({})), &["\"say \"\"no\"\"\"\n\"x\""]);
    still_wrong(&names, &["\"Smith, John\"\n\"Doe, Jane\"", "\"Smith\"\n\"John\"\n\"Doe, Jane\"\nBob"]);
}

/// Python prints tuples and sets, too.
#[test]
fn k3_printed_tuples_and_sets_are_lists() {
    now_right(&key("list", json!(["Kiel", "Ulm"]), json!({})), &["('Kiel', 'Ulm')", "{'Ulm', 'Kiel'}"]);
    now_right(&key("list", json!([1, 2, 3]), json!({})), &["(1, 2, 3)", "{3, 1, 2}"]);
    let empty = key("list", json!([]), json!({}));
    now_right(&empty, &["()"]);
    still_wrong(&empty, &["{}", "({})", "(,)"]);
    still_wrong(&key("list", json!([1, 2]), json!({})), &["{1: 2}", "{1, 2", "(1, 3)"]);
}

/// A datetime that a file writes without seconds is the same moment.
#[test]
fn k21_a_datetime_without_seconds_is_the_same_moment() {
    let moment = "2024-03-01T10:00:00";
    now_right(&key("text", json!(moment), json!({})), &["2024-03-01T10:00", "2024-03-01 10:00"]);
    now_right(&key("list", json!([moment, "x"]), json!({})), &["2024-03-01T10:00\nx"]);
    now_right(&key("json", json!({ "at": moment }), json!({})), &[r#"{"at": "2024-03-01 10:00"}"#]);
    still_wrong(
        &key("text", json!("2024-03-01T10:00:30"), json!({})),
        &["2024-03-01T10:00", "2024-03-01 10:00:00", "10:00:30"],
    );
    still_wrong(
        &key("text", json!("2024-03-01T00:00:00"), json!({})),
        &["2024-03-01", "2024-03-01T00", "2024-03-01T0:00"],
    );
}

/// `**Answer:** 42`, as chat models write it: the bold is the label's.
#[test]
fn k23_a_label_in_bold_is_a_label() {
    let after = |matcher: &str, value| {
        let mut key = key(matcher, value, json!({}));
        key["slice"] = json!({ "after": "Answer:" });
        key
    };
    now_right(
        &after("number", json!(42)),
        &["So:\n**Answer:** 42", "**Answer: 42**", "__Answer:__ 42\n", "*Answer:* 42", "***Answer: 42***\n"],
    );
    now_right(&after("text", json!("Kiel")), &["**Answer:** Kiel"]);
    still_wrong(
        &after("number", json!(42)),
        &["**Answer:** 43", "Answer: **42**", "**Answer:** about 42", "Answer: 42**"],
    );
}

/// A regular expression that the scorer cannot use is said by `check`, or stops the build.
#[test]
fn k24_a_regular_expression_that_nobody_can_meet_is_not_built() {
    let checks = |expect: &str| {
        let text = suite(&format!(r#"n : int 1..99  prompt "Two words for <<n>>."  {expect}"#));
        let folder = create_folder(&[("s.pcd", text.as_str())]);
        let output = run_picardc(folder.path(), &["check", "s.pcd", "--format", "short"]);
        (output.status.code(), output.out)
    };
    for expect in [
        r#"expect reply matches "(\\w{1,30}\\s?){1,30}!""#,
        r#"expect reply matches any_of ["[a-z]+", "("]"#,
        r#"shape = "(a|b"  expect reply matches shape"#,
    ] {
        let (status, said) = checks(expect);
        assert_eq!(status, Some(1), "{expect}\n{said}");
        assert!(said.contains("error[E0403] the regular expression is not valid"), "{said}");
    }
    assert_eq!(checks(r#"expect reply matches any_of ["[a-z]+", "(?x) [A-Z]+ # letters"]"#).0, Some(0));

    let drawn =
        suite(r#"w : one_of ["(", "["]  n : int 1..99  prompt "Say <<w>><<n>>."  expect reply matches "<<w>>-<<n>>""#);
    let folder = create_folder(&[("s.pcd", drawn.as_str())]);
    let output = run_picardc(folder.path(), &["build", "s.pcd", "-o", "out", "--seed", "1", "--quiet"]);
    assert_eq!(output.status.code(), Some(1));
    let said = output.err;
    assert!(said.contains("E0903") && said.contains("cannot be read"), "{said}");
    assert!(!folder.path().join("out").exists());
}

/// A key that is rounded by a function accepts one rule for halves: of the mean of 40 whole numbers, every fourth answer of Python was wrong.
#[test]
fn k11_a_key_that_rounds_by_one_rule_is_said() {
    let check = |expect: &str| {
        let text = suite(&format!(
            r#"csv hr at "hr.csv" {{ rows 40  ID : serial  PAY : int 30_000..150_000 }}
  prompt "What is the mean PAY in <<hr>>, rounded to 2 decimals? Reply with the number only."
  {expect}"#
        ));
        let folder = create_folder(&[("s.pcd", text.as_str())]);
        run_picardc(folder.path(), &["check", "s.pcd", "--format", "short"]).out
    };
    for expect in [
        "expect reply number round(avg(hr.PAY), 2)",
        "expect reply number <<value: SELECT ROUND(AVG(PAY), 2) FROM hr>>",
        "expect reply number avg(hr.PAY)",
    ] {
        assert!(check(expect).contains("warning[W0307]"), "{expect}");
    }
    assert!(!check("expect reply number avg(hr.PAY) rounded 2").contains("W0307"));
}

/// `mode` takes the first by code points, which is not the first of the alphabet where small letters, or others than A to Z, are among the values.
#[test]
fn k7_the_advice_on_ties_names_the_order_that_decides() {
    let advice = |values: &str| {
        let text = suite(&format!(
            r#"csv c at "c.csv" {{ rows 30  T : one_of {values} }}  prompt "What is the commonest T in <<c>>?"  expect reply text mode(c.T)"#
        ));
        let folder = create_folder(&[("s.pcd", text.as_str())]);
        run_picardc(folder.path(), &["check", "s.pcd"]).err.split_whitespace().collect::<Vec<_>>().join(" ")
    };
    assert!(advice(r#"["Bonn", "Kiel", "Ulm"]"#).contains("the first in alphabetical order counts"));
    for values in [r#"["a", "b", "Zürich"]"#, r#"["a", "B", "c"]"#, r#"["Ulm", "Jena", "Ängström"]"#] {
        assert!(
            advice(values).contains("the first by Unicode code points (uppercase before lowercase) counts"),
            "{values}"
        );
    }
}

/// A column that is named where no row is at hand is not misspelt: `count(hr, DEPT == dept)` became `count(hr, dept == dept)`.
#[test]
fn k15_a_column_is_not_corrected_into_a_name_that_looks_like_it() {
    let text = suite(
        r#"dept : department  csv hr at "hr.csv" { rows 30  DEPT : department }
  csv sites at "sites.csv" { rows 9  CITY : city }
  prompt "How many of <<hr>> are in <<dept>>? See <<sites>>."
  expect reply number count(hr, DEPT == dept)
  expect reply number count(hr where CITY == dept)"#,
    );
    let folder = create_folder(&[("s.pcd", text.as_str())]);
    let output = run_picardc(folder.path(), &["check", "--fix", "s.pcd"]);
    let said = output.err.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(said.contains("`DEPT` is a column of `hr`: write `hr.DEPT`, or put the condition after `where`"), "{said}");
    assert!(said.contains("`CITY` is a column of `sites`, not of `hr`: join the two in SQL"), "{said}");
    let left = std::fs::read_to_string(folder.path().join("s.pcd")).expect("the suite");
    assert!(left.contains("count(hr, DEPT == dept)") && left.contains("where CITY == dept"), "{left}");
}
