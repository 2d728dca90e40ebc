//! `accepts`, `rejects`, and the panel: an expectation is tested, and nothing of it is in a bundle.

use std::fs;

use serde_json::Value;
use testing::expect_status;

/// A suite of one task with this body, in a folder of its own.
fn suite(body: &str) -> tempfile::TempDir {
    let text = format!("suite s {{ title \"S\" version \"1.0.0\" samples 5 }}\n\ntask t {{\n{body}\n}}\n");
    testing::create_folder(&[("s.pcd", &text)])
}

const TAG: &str = "n : int 10..99\nprompt \"What is <<n>> + 1? Put the number between <answer> and </answer>.\"\n\
                   expect reply in \"answer\" number n + 1";
const GOOD: &str = " accepts \"<<n>> + 1 = <<n + 1>>, so <answer>**<<n + 1>>.0**</answer>\", n + 1.0 rejects \"<<n + 1>>\", \"<answer><<n>></answer>\", n + 2 rejects others";

/// The codes and messages of a check, and its status.
fn check(status: i32, body: &str) -> String {
    expect_status(status, suite(body).path(), &["check", "s.pcd", "--format", "short"]).out
}

/// The only task of a self-test.
fn selftest(status: i32, body: &str) -> (Value, String) {
    let home = suite(body);
    let json = expect_status(status, home.path(), &["selftest", "s.pcd", "--json"]).out;
    let document: Value = serde_json::from_str(&json).expect("JSON");
    let table = expect_status(status, home.path(), &["selftest", "s.pcd"]).out;
    (document["tasks"][0].clone(), table)
}

#[test]
fn examples_that_hold_are_silent() {
    let body = format!("{TAG}{GOOD}");
    assert_eq!(check(0, &body), "");
    let (task, table) = selftest(0, &body);
    assert_eq!((&task["sound"], &task["examples"]["failed"]), (&true.into(), &0.into()), "{task:#}");
    // Five examples and some others, in each of 20 instances.
    assert!(task["examples"]["tried"].as_u64() > Some(20 * 6), "{task:#}");
    assert!(task["panel"]["tried"].as_u64() >= Some(20 * 4) && task["panel"]["correct"] == 0, "{task:#}");
    assert!(table.contains("panel"), "{table}");
}

#[test]
fn examples_that_fail_are_told() {
    for (example, message) in [
        ("accepts \"<<n + 1>>\"", "is rejected, but must be accepted"),
        ("accepts n", "is rejected, but must be accepted"),
        ("rejects \"<answer> <<n + 1>>.00 </answer>\"", "is accepted, but must be rejected"),
        ("rejects n + 1.0", "is accepted, but must be rejected"),
    ] {
        let body = format!("{TAG} {example}");
        let told = check(1, &body);
        assert!(told.contains("error[E0910]") && told.contains(message), "{told}");
        assert_eq!(told.matches("E0910").count(), 1, "once for all samples: {told}");
        let (task, table) = selftest(1, &body);
        assert_eq!(task["examples"], serde_json::json!({"tried": 20, "failed": 20}), "{task:#}");
        assert!(table.contains("fails: ") && table.contains("and 17 more failed examples"), "{table}");
    }
}

#[test]
fn the_answers_of_others_are_tried() {
    let body =
        "n : int 10..99\nprompt \"Reply with <<n>>, or nearly.\"\nexpect reply number n within 80 rejects others";
    let (task, table) = selftest(1, body);
    assert!(task["examples"]["failed"].as_u64() > Some(50), "{task:#}");
    assert!(table.contains("`rejects`") && table.contains("it is correct"), "{table}");
}

#[test]
fn values_of_all_kinds_are_written_as_answers() {
    for (body, wrong) in [
        (
            "csv t at \"t.csv\" { rows 5  A : int 1..9  B : unique int 1..99 }\nprompt \"List the B of <<t>>.\"\nexpect reply list list(t.B)",
            "[1, 200]",
        ),
        ("n : int 1..9\nprompt \"Reply with JSON: `n` is <<n>>.\"\nexpect reply json { n: n }", "{ n: n + 1 }"),
        ("n : int 1..9\nprompt \"Write <<n>> to n.txt.\"\nexpect file \"n.txt\" number n", "n + 1, \"<<n>> or 1\""),
        ("n : int 1..9\nprompt \"Reply `v<<n>>`, a code.\"\nexpect reply matches \"v<<n>>\"", "n, \"v<<n>>.\""),
        (
            "csv t at \"t.csv\" { rows 5  A : int 1..9 }\nprompt \"Reply with the rows of <<t>> as CSV.\"\nexpect reply rows <<rows: SELECT A FROM t>>",
            "<<rows: SELECT A + 1 AS A FROM t>>",
        ),
        (
            "sqlite shop at \"shop.db\" { table items { rows 5  ID : serial  N : int 1..9 } }\ngoal = <<after: shop, UPDATE items SET N = N + 1>>\n\
          half = <<after: shop, UPDATE items SET N = N + 1 WHERE ID < 3>>\nrequire changed(goal) > 0\nprompt \"In <<shop>>, add 1 to each N of items.\"\nexpect file shop database goal",
            "half",
        ),
        (
            "sqlite shop at \"shop.db\" { table items { rows 5  ID : serial  N : int 1..9 } }\nprompt \"Reply with one SQLite query for the sum of N in items of <<shop>>.\"\n\
          expect reply sql shop <<rows: SELECT SUM(N) AS S FROM shop.items>>",
            "\"SELECT SUM(N) + 1 FROM items\", \"SELECT\"",
        ),
    ] {
        let good = format!("{body} rejects {wrong}");
        assert_eq!(check(0, &good), "", "{good}");
        let (task, _) = selftest(0, &good);
        assert_eq!(task["examples"]["failed"], 0, "{task:#}");
        let bad = format!("{body} accepts {wrong}");
        assert!(check(1, &bad).contains("E0910"), "{bad}");
    }
}

#[test]
fn a_bundle_does_not_have_them() {
    let lines = [TAG.to_owned(), format!("{TAG}{GOOD}")].map(|body| {
        let home = suite(&body);
        expect_status(0, home.path(), &["build", "s.pcd", "--seed", "7", "-o", "b"]);
        fs::read_to_string(home.path().join("b/instances.jsonl")).expect("instances")
    });
    assert!(lines[0] == lines[1], "{lines:?}");
}

#[test]
fn a_weak_answer_is_not_sound_unless_it_is_allowed() {
    let body = "csv staff at \"staff.csv\" { rows 30  ID : serial  CITY : one_of [\"York\", \"Leeds\", \"Ulm\"] }\n\
                id, city : ref staff.(ID, CITY)\nprompt \"In which CITY of <<staff>> is ID <<id>>? Answer in a sentence.\"\nexpect reply contains city";
    let (task, table) = selftest(1, body);
    assert_eq!(task["sound"], false, "{task:#}");
    assert!(task["panel"]["first"]["reply"].as_str().is_some_and(|reply| reply.contains(" or ")), "{task:#}");
    assert!(table.contains("a bad reply is correct") && table.contains("allow weak_answer"), "{table}");
    let (task, _) = selftest(0, &format!("allow weak_answer \"the test wants it\"\n{body}"));
    assert_eq!(task["panel"]["tried"], 0, "{task:#}");
    // In a tag, nothing else can be said.
    let strict = body.replace("Answer in a sentence.", "Put its name between <answer> and </answer>.");
    let strict = strict.replace("reply contains city", "reply in \"answer\" text city");
    let (task, _) = selftest(0, &strict);
    assert!(task["panel"]["tried"].as_u64() >= Some(20 * 5), "{task:#}");
    assert_eq!(task["panel"]["correct"], 0, "{task:#}");
}

#[test]
fn a_tolerance_that_covers_other_answers_is_weak() {
    let body = |within: u32| {
        format!("n : int 1..1_000\nprompt \"Reply with <<n>>, or nearly.\"\nexpect reply number n within {within}")
    };
    selftest(0, &body(5));
    let (task, _) = selftest(1, &body(900));
    assert!(task["panel"]["correct"].as_u64() > Some(4), "{task:#}");
}

#[test]
fn several_parts_of_one_reply_are_met_together() {
    let body = "n : int 10..99\nm : int 100..999\nprompt \"Put <<n>> + 1 between <first> and </first>, its digits in [[…]], and <<m>> after `Answer:`.\"\n\
                expect reply in \"first\" number n + 1\nexpect reply in \"[[\"..\"]]\" text \"<<n + 1>>\"\nexpect reply after \"Answer:\" number m";
    let (task, _) = selftest(0, body);
    assert_eq!(task["oracle_correct"], 20, "{task:#}");
}

#[test]
fn words_of_examples_are_names_elsewhere() {
    let body = "accepts, rejects : int 1..9\nothers = accepts + rejects\ncsv t at \"t.csv\" { rows 5  accepts : int 1..9  rejects : int 1..9  OTHERS : int 1..9 }\n\
                prompt \"Reply with JSON: `accepts` is <<accepts>>, `rejects` is <<rejects>>, and `others` is <<others>>, and `sum` the sum of OTHERS in <<t>>.\"\n\
                expect reply json { accepts: accepts, rejects: rejects, others: others, sum: sum(t.OTHERS) }";
    assert_eq!(check(0, body), "");
}
