//! Partial credit is that of the paper on KramaBench (arXiv 2506.06541, table 3): of a number 1 / (1 + RAE), of lists F1 over the best one-to-one pairs, which
//! match exactly, or where 1 / (1 + RAE) > 0.9. Here the formulas are written down once more, by trying every pairing.

use proptest::prelude::*;
use serde_json::{Value as Json, json};

use super::common::verdict;

/// 1 / (1 + RAE); of an expected 0, 1 for 0 alone.
fn graded(expected: f64, got: f64) -> f64 {
    if expected == got {
        return 1.0;
    }
    if expected == 0.0 { 0.0 } else { 1.0 / (1.0 + ((got - expected) / expected).abs()) }
}

/// F1 of lists, by trying every pairing.
fn f1<T: Copy>(expected: &[T], got: &[T], fits: &dyn Fn(T, T) -> bool) -> f64 {
    fn most<T: Copy>(expected: &[T], got: &mut Vec<Option<T>>, fits: &dyn Fn(T, T) -> bool) -> usize {
        let Some((first, rest)) = expected.split_first() else { return 0 };
        let mut best = most(rest, got, fits);
        for at in 0..got.len() {
            if let Some(value) = got[at].filter(|value| fits(*first, *value)) {
                got[at] = None;
                best = best.max(1 + most(rest, got, fits));
                got[at] = Some(value);
            }
        }
        best
    }
    if expected.is_empty() && got.is_empty() {
        return 1.0;
    }
    let mut left: Vec<Option<T>> = got.iter().copied().map(Some).collect();
    2.0 * most(expected, &mut left, fits) as f64 / (expected.len() + got.len()) as f64
}

fn key(matcher: &str, value: Json, options: Json) -> Json {
    json!({"subject": "reply", "match": matcher, "value": value, "options": {"": options}})
}

fn score(key: &Json, reply: &str) -> f64 {
    verdict(key, reply).score
}

fn digits(units: i64, places: u32) -> String {
    let (whole, part) = (units.unsigned_abs() / 10u64.pow(places), units.unsigned_abs() % 10u64.pow(places));
    let sign = if units < 0 { "-" } else { "" };
    if places == 0 {
        format!("{sign}{whole}")
    } else {
        format!("{sign}{whole}.{part:0width$}", width = places as usize)
    }
}

proptest! {
    #[test]
    fn a_graded_number_is_worth_one_over_one_and_its_relative_error(expected in -100_000i64..100_000, got in -100_000i64..100_000) {
        let (expected_text, got_text) = (digits(expected, 2), digits(got, 2));
        let (e, g): (f64, f64) = (expected_text.parse().expect("a number"), got_text.parse().expect("a number"));
        let worth = score(&key("number", json!({"decimal": expected_text}), json!({"graded": true})), &got_text);
        prop_assert!((worth - graded(e, g)).abs() < 1e-12, "{expected_text} {got_text} {worth}");
    }

    #[test]
    fn an_exact_list_is_worth_its_f1(
        expected in prop::collection::vec(0i64..6, 0..6), got in prop::collection::vec(0i64..6, 1..6)
    ) {
        let worth = score(&key("list", json!(expected), json!({})), &json!(got).to_string());
        prop_assert_eq!(worth, f1(&expected, &got, &|a, b| a == b));
    }

    /// Small whole numbers: none is so near the edge that doubles and decimals differ, but 9 and 10, whose grade is 0.9 in both.
    #[test]
    fn an_approximate_list_is_worth_its_f1_over_the_best_pairs(
        expected in prop::collection::vec(-40i64..40, 0..6), got in prop::collection::vec(-40i64..40, 1..6)
    ) {
        // Without doubles: |x| / (|x| + |x − y|) > 9 / 10.
        let near = |x: i64, y: i64| x == y || 10 * x.abs() > 9 * (x.abs() + (x - y).abs());
        let worth = score(&key("list", json!(expected), json!({"graded": {"above": "0.9"}})), &json!(got).to_string());
        prop_assert_eq!(worth, f1(&expected, &got, &near));
        // The same one a line, as text.
        let lines: Vec<String> = got.iter().map(i64::to_string).collect();
        if lines.len() > 1 {
            prop_assert_eq!(score(&key("list", json!(expected), json!({"graded": {"above": "0.9"}})), &lines.join("\n")), worth);
        }
    }

    /// Numbers with decimals, far from each other and near: the edge is where the error is a ninth of the expected number.
    #[test]
    fn an_approximate_list_of_decimals_is_worth_its_f1(
        expected in prop::collection::vec(1i64..2_000, 1..5), got in prop::collection::vec(-50i64..2_200, 1..5)
    ) {
        let decimals = |units: &[i64]| -> Vec<String> { units.iter().map(|units| digits(*units, 2)).collect() };
        let value: Vec<Json> = decimals(&expected).into_iter().map(|text| json!({"decimal": text})).collect();
        let near = |x: i64, y: i64| x == y || 10 * x.abs() > 9 * (x.abs() + (x - y).abs());
        let worth = score(&key("list", json!(value), json!({"graded": {"above": "0.9"}})), &format!("[{}]", decimals(&got).join(", ")));
        prop_assert_eq!(worth, f1(&expected, &got, &near));
    }

    /// An exact list of texts, and an approximate one: there, letter case, blanks, and punctuation do not matter (in the paper, a judge compares).
    #[test]
    fn a_list_of_texts_is_worth_its_f1(
        expected in prop::collection::vec(0usize..8, 0..5), got in prop::collection::vec(0usize..8, 1..5)
    ) {
        const TEXTS: [&str; 8] = ["Boston", "boston", " Boston ", "Boston.", "New York", "newyork", "7", "7.0"];
        let texts = |places: &[usize]| -> Vec<&str> { places.iter().map(|place| TEXTS[*place]).collect() };
        let (wanted, given) = (texts(&expected), texts(&got));
        // Blanks around a text are not a part of it.
        let exact = score(&key("list", json!(wanted), json!({})), &json!(given).to_string());
        prop_assert_eq!(exact, f1(&wanted, &given, &|a, b| a.trim() == b.trim()));
        let plain = |text: &str| text.to_lowercase().replace([' ', '.'], "");
        let ignored = json!({"graded": {"above": "0.9"}, "ignore": ["case", "space", "punctuation"]});
        let near = score(&key("list", json!(wanted), ignored), &json!(given).to_string());
        prop_assert_eq!(near, f1(&wanted, &given, &|a, b| plain(a) == plain(b)));
    }

    /// Exact answers of one text or number have no partial credit: 0 or 1.
    #[test]
    fn exact_texts_and_numbers_are_worth_all_or_nothing(expected in -30i64..30, got in -30i64..30, places in 0u32..3) {
        let all = if expected == got { 1.0 } else { 0.0 };
        prop_assert_eq!(score(&key("number", json!(expected), json!({})), &digits(got * 10i64.pow(places), places)), all);
        prop_assert_eq!(score(&key("text", json!(expected.to_string()), json!({})), &got.to_string()), all);
    }
}

#[test]
fn what_is_silent_in_the_paper_is_settled() {
    let number = key("number", json!(375), json!({"graded": true}));
    for (reply, worth) in [("375", 1.0), ("375.0", 1.0), ("750", 0.5), ("0", 0.5), ("about 375", 0.0), ("", 0.0)] {
        assert_eq!(score(&number, reply), worth, "{reply}");
    }
    let zero = key("number", json!(0), json!({"graded": true}));
    assert_eq!([score(&zero, "0"), score(&zero, "0.001")], [1.0, 0.0]);
    let within = key("number", json!(100), json!({"graded": true, "within": "5"}));
    assert_eq!([score(&within, "105"), score(&within, "200")], [1.0, 0.5]);
    let any = json!({"subject": "reply", "match": "number", "any_of": [100, 10], "options": {"": {"graded": true}}});
    assert_eq!([score(&any, "10"), score(&any, "20")], [1.0, 100.0 / 180.0]);
    // A bool is not a number, a text with a number in it neither, in JSON.
    let list = key("list", json!([1, 2]), json!({"graded": {"above": "0.9"}}));
    for (reply, worth) in
        [("[1, 2]", 1.0), ("[true, 2]", 0.5), ("[\"1\", 2]", 0.5), ("[1.05, 2.2]", 1.0), ("[1.2, 2]", 0.5)]
    {
        assert_eq!(score(&list, reply), worth, "{reply}");
    }
    // A greedy pairing would give 10.5 to 10, and leave 11.5 without one.
    let both = key("list", json!([10, 11.5]), json!({"graded": {"above": "0.9"}}));
    assert_eq!(score(&both, "[10.5, 9.5]"), 1.0);
}

#[test]
fn a_graded_number_that_is_not_right_is_not_correct() {
    let verdict = verdict(&key("number", json!(100), json!({"graded": true})), "101");
    assert_eq!(super::common::word(&verdict), "partial");
    assert!(verdict.score > 0.99 && verdict.score < 1.0);
    assert_eq!(verdict.differences[0].expected, "100");
}
