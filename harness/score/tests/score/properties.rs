//! What holds of every key: the oracle is right, nothing is not, ends of tolerances are exact, pairs are the most there are, and nothing panics.

use std::sync::LazyLock;

use model::answer_key::{Answer, Expected, Subject};
use model::suite::{Matcher, Options, Within};
use model::{Decimal, Value};
use proptest::prelude::*;
use records::{Captured, Instance, Response, Score};
use score::{Solution, score_response, solve_instance};
use serde_json::json;

use super::common::{Files, instance, reply};
use super::keys;

/// An empty database.
static START: LazyLock<Files> = LazyLock::new(|| {
    sqlite::init_process().expect("SQLite");
    let mut connection = rusqlite::Connection::open_in_memory().expect("SQLite");
    connection.execute_batch("CREATE TABLE t(a)").expect("a table");
    Files::from([("t.db".to_owned(), connection.serialize("main").expect("bytes").to_vec())])
});

fn asking(expects: Vec<Expected>) -> Instance {
    Instance { expects, ..instance(&json!({"subject": "reply", "match": "exists"})) }
}

fn done(instance: &Instance, solution: &Solution) -> Score {
    let files =
        solution.files.iter().map(|(path, bytes)| (path.clone(), Captured::from_bytes(bytes.clone()))).collect();
    score_response(instance, Some(&Response { files, ..reply(&solution.reply) }), 1, &*START)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1500))]

    #[test]
    fn the_oracle_is_right_and_nothing_is_not(expect in keys::expect()) {
        let instance = asking(vec![expect]);
        let solution = match solve_instance(&instance, &*START) {
            Ok(solution) => solution,
            Err(why) => return Err(TestCaseError::fail(why.to_string())),
        };
        let right = done(&instance, &solution);
        prop_assert!(right.correct && right.score == 1.0, "{:?}", right.verdicts);
        prop_assert_ne!(&solution, &Solution::default());
        let nothing = done(&instance, &Solution::default());
        prop_assert!(!nothing.correct && nothing.score == 0.0, "{:?}", nothing.verdicts);
    }

    #[test]
    fn whatever_is_said_is_scored(
        expect in keys::expect(),
        said in prop_oneof![any::<String>(), "(\\[|\\]|\\{|\\}|\"|,|:|1|a|\n|\\||-|```|<think>|</think>|<\\|channel\\|>final|<\\|message\\|>){0,20}"],
        cut in 0usize..40,
        put in any::<char>(),
    ) {
        let instance = asking(vec![expect]);
        let solution = solve_instance(&instance, &*START).unwrap_or_default();
        // Something else, and the right answer with a character put into it.
        let spoilt = |text: &str| -> String {
            text.chars().take(cut).chain([put]).chain(text.chars().skip(cut + 1)).collect()
        };
        for text in [said, spoilt(&solution.reply)] {
            let files = vec![("a.txt".to_owned(), Captured::from_bytes(text.clone().into_bytes())), ("b.csv".to_owned(), Captured::from_bytes(spoilt(&text).into_bytes()))];
            let score = score_response(&instance, Some(&Response { files, ..reply(&text) }), 1, &*START);
            prop_assert!((0.0..=1.0).contains(&score.score));
            prop_assert_eq!(score.correct, score.score == 1.0);
        }
    }

    #[test]
    fn bytes_are_scored(expect in keys::expect(), bytes in prop::collection::vec(any::<u8>(), 0..40)) {
        let instance = asking(vec![expect]);
        let files = vec![("a.txt".to_owned(), Captured::from_bytes(bytes))];
        let score = score_response(&instance, Some(&Response { files, ..reply("") }), 1, &*START);
        prop_assert!((0.0..=1.0).contains(&score.score));
    }

    #[test]
    fn the_ends_of_a_tolerance_are_in_it_and_what_is_beyond_is_not(
        units in -1_000_000_000i64..1_000_000_000, by in 0i64..1_000_000, rounded in prop::option::of(0u8..6), below in any::<bool>()
    ) {
        // All in units of 10⁻⁷; half a unit of the D-th place is 5·10⁻ᴰ⁻¹.
        let by = rounded.map_or(i128::from(by), |places| 5 * 10i128.pow(6 - u32::from(places)));
        let options = Options {
            within: rounded.is_none().then(|| Within::Absolute(Decimal::new(by, 7).expect("places"))),
            rounded,
            ..Options::default()
        };
        let instance = asking(vec![Expected {
            name: None,
            at: None,
            subject: Subject::Reply(None),
            matcher: Matcher::Number,
            answer: Some(Answer::One(Value::Decimal(Decimal::new(i128::from(units), 7).expect("places")))),
            options: vec![(String::new(), options)],
            weight: Decimal::from_int(1),
            gate: false,
            database: None,
            among: None,
            read: model::answer_key::Read::default(),
            columns: Vec::new(),
            tests: Default::default(),
            traps: Vec::new(),
            span: (),
        }]);
        let sign = if below { -1 } else { 1 };
        let edge = Decimal::new((i128::from(units) + sign * by) * 10i128.pow(11), 18).expect("places");
        let beyond = Decimal::new(edge.units() + sign, 18).expect("places");
        let within = Decimal::new(edge.units() - sign, 18).expect("places");
        let correct = |number: Decimal| score_response(&instance, Some(&reply(&number.to_string())), 1, &()).correct;
        prop_assert!(correct(edge));
        prop_assert!(!correct(beyond));
        prop_assert_eq!(correct(within), by > 0);
    }

    #[test]
    fn lists_are_paired_as_well_as_can_be(
        expected in prop::collection::vec(0i64..12, 1..6), got in prop::collection::vec(0i64..12, 1..6), by in 0i64..4
    ) {
        fn most(expected: &[i64], got: &mut Vec<Option<i64>>, by: i64) -> usize {
            let Some((first, rest)) = expected.split_first() else { return 0 };
            let mut best = most(rest, got, by);
            for at in 0..got.len() {
                if let Some(number) = got[at].filter(|number| (number - first).abs() <= by) {
                    got[at] = None;
                    best = best.max(1 + most(rest, got, by));
                    got[at] = Some(number);
                }
            }
            best
        }
        let pairs = most(&expected, &mut got.iter().copied().map(Some).collect(), by);
        let key = json!({"subject": "reply", "match": "list", "value": expected, "options": {"": {"within": by.to_string()}}});
        let said = serde_json::to_string(&got).expect("JSON");
        let score = score_response(&instance(&key), Some(&reply(&said)), 1, &());
        prop_assert_eq!(score.score, 2.0 * pairs as f64 / (expected.len() + got.len()) as f64);
        let key = json!({"subject": "reply", "match": "json", "value": expected, "options": {"": {"within": by.to_string(), "ordered": false}}});
        let full = pairs == expected.len() && pairs == got.len();
        prop_assert_eq!(super::common::scored(&key, &reply(&said), &Files::new()).correct, full);
    }
}

#[test]
fn the_oracle_answers_several_expects_at_once() {
    let of = |subject: serde_json::Value, slice: serde_json::Value, matcher: &str, value: serde_json::Value| {
        let mut expect = json!({"subject": subject, "match": matcher, "database": "t.db"});
        if !slice.is_null() {
            expect["slice"] = slice;
        }
        if !value.is_null() {
            expect["value"] = value;
        }
        expect
    };
    let null = || serde_json::Value::Null;
    let expects = json!([
        of(json!("reply"), null(), "contains", json!("done")),
        of(json!("reply"), null(), "contains", json!("New York")),
        of(json!("reply"), json!({"fenced": null}), "json", json!({"a": "```"})),
        of(json!("reply"), json!({"fenced": "sql"}), "sql", json!({"columns": ["a"], "rows": [[1], [null]]})),
        of(json!("reply"), json!("last_line"), "number", json!(5)),
        of(json!({"file": "out/a.txt"}), null(), "text", json!("x")),
        of(json!({"file": "out/a.txt"}), null(), "exists", null()),
        of(json!({"file": "b.txt"}), null(), "exists", null()),
        of(json!({"file": "t.db"}), null(), "unchanged", null()),
        of(json!({"file": "draft.txt"}), null(), "absent", null()),
        of(json!({"files": ["c.txt", "b.txt"]}), null(), "exists", null()),
        of(json!({"tree": ["log/", "log/d.txt", "out/"]}), null(), "exists", null()),
    ]);
    let instance = instance(&expects);
    let solution = solve_instance(&instance, &*START).expect("a solution");
    assert_eq!(solution.reply, "done\nNew York\n```sql\nVALUES (1), (NULL)\n```\n````\n{\"a\": \"```\"}\n````\n5");
    let paths: Vec<&str> = solution.files.iter().map(|(path, _)| path.as_str()).collect();
    assert_eq!(paths, ["out/a.txt", "b.txt", "c.txt", "log/d.txt"]);
    assert_eq!(solution.folders, ["log", "out"]);
}

#[test]
fn what_no_answer_is_found_for_is_named() {
    let both = json!([
        {"subject": "reply", "match": "number", "value": 5},
        {"subject": "reply", "match": "contains", "value": "done"}
    ]);
    assert_eq!(
        solve_instance(&instance(&both), &()).expect_err("none").to_string(),
        "task-1: no answer was found: `expect reply number` accepts none that its key could give (it expects 5; what was tried is \"done\")"
    );
    let empty = json!({"subject": {"file": "a.txt"}, "match": "text", "value": ""});
    assert!(solve_instance(&instance(&empty), &()).is_err(), "an empty text is no answer");
    let nothing = json!({"subject": {"file": "a.txt"}, "match": "absent"});
    assert_eq!(solve_instance(&instance(&nothing), &()), Ok(Solution::default()));
}
