//! Defects 52 to 55, safety; and what of scoring and running the answer key and the bundle settle already.

use std::fs;

use proptest::prelude::{ProptestConfig, proptest};
use serde_json::json;
use testing::{CommandOutput, read_text};

use super::{instances, only_answer, refused};

fn picardc(args: &[&str]) -> CommandOutput {
    testing::run_picardc(testing::root(), args)
}

const SUITE: &str = "suite s { title \"S\" version \"1\" samples 12 }\ntask q { n : int 1..9\nprompt \"<<n>>\"\nexpect reply number n }\n";

#[test]
fn the_key_tells_files_from_folders() {
    refused("prompt \"x\"\nexpect files [\"a.txt\", \"dir/\"]", &[("E0702", 2)]);
    let tree = &instances("prompt \"x\"\nexpect tree [\"dir/\", \"dir/a.txt\"]")[0].expects[0];
    assert_eq!(tree.subject, model::answer_key::Subject::Tree(vec!["dir/".into(), "dir/a.txt".into()]));
}

#[test]
fn the_bundle_says_how_many_answers_there_are() {
    let home = tempfile::tempdir().expect("a folder");
    let (suite, out) = (home.path().join("s.pcd"), home.path().join("out"));
    fs::write(&suite, SUITE).expect("written");
    let built =
        picardc(&["build", &suite.display().to_string(), "-o", &out.display().to_string(), "--seed", "1", "--quiet"]);
    assert!(built.status.success(), "{built:?}");
    let manifest: serde_json::Value =
        serde_json::from_slice(&fs::read(out.join("manifest.json")).expect("read")).expect("JSON");
    assert_eq!(manifest["instances"], json!(12), "{manifest}");
    assert_eq!(fs::read_to_string(out.join("instances.jsonl")).expect("read").lines().count(), 12);
}

#[test]
fn what_to_read_is_always_said() {
    assert_eq!(picardc(&["build", "-o", "out"]).status.code(), Some(2), "no suite is assumed");
    assert_eq!(picardc(&["build", "no_such_suite.pcd", "-o", "out"]).status.code(), Some(2));
}

#[test]
fn defect_52_paths_stay_in_the_sandbox() {
    for path in
        ["../escaped.txt", "<<sandbox>>/../escaped.txt", "/etc/hostname", "a/../../b.txt", "C:/x.txt", "~/x/./y"]
    {
        refused(
            &format!("text d at \"{path}\" : lorem lines 3\nprompt \"<<d>>\"\nexpect reply text \"x\""),
            &[("E0501", 1)],
        );
    }
    refused("prompt \"x\"\nexpect reply text <<file_line: \"/etc/hostname\", 1>>", &[("E0302", 2)]);
    refused("file d at \"d.txt\" from \"/etc/hostname\"\nprompt \"<<d>>\"\nexpect reply text \"x\"", &[("E0501", 1)]);
    refused(
        "w : lorem words 2\ntext d at \"<<w>>/x\" : lorem lines 3\nprompt \"<<d>>\"\nexpect reply text \"x\"",
        &[("E0501", 2)],
    );
    let named = super::compile_with("task ../../esc { prompt \"x\"\nexpect reply text \"y\" }", &[]);
    assert!(named.plan.is_none() && super::said(&named)[0] == ("E0101", 2), "{:?}", named.diagnostics);
}

#[test]
fn defect_53_what_is_there_is_not_deleted() {
    let home = tempfile::tempdir().expect("a folder");
    let (suite, out) = (home.path().join("s.pcd"), home.path().join("out"));
    fs::write(&suite, SUITE).expect("written");
    fs::create_dir(&out).expect("created");
    fs::write(out.join("precious"), "mine").expect("written");
    for force in [&[][..], &["--force"]] {
        let args = ["build", &suite.display().to_string(), "-o", &out.display().to_string(), "--seed", "1", "--quiet"];
        let ran = picardc(&[&args, force].concat());
        assert_eq!(ran.status.code(), Some(2), "{ran:?}");
        assert_eq!(fs::read_to_string(out.join("precious")).expect("still there"), "mine");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    /// Text is text: whatever it says, it is written and never run.
    #[test]
    fn defect_54_text_is_never_evaluated(text in "[ -~äß\\n\\t]{0,60}") {
        let quoted = text.replace('\\', "\\\\").replace('"', "\\\"").replace("<<", "\\<<").replace('\n', "\\n").replace('\t', "\\t");
        let body = format!("text d at \"d.txt\" = \"{quoted}\"\nprompt \"<<d>>\"\nexpect reply json [<<content: d>>]");
        assert_eq!(only_answer(&body), json!([text]));
        assert_eq!(read_text(&instances(&body)[0], "d.txt"), text);
    }
}

#[test]
fn defect_55_queries_cannot_write() {
    let with = |query: &str| {
        format!(
            "sqlite d at \"d.db\" {{ table t {{ rows 5  A : serial }} }}\nprompt \"<<d>>\"\nexpect reply number <<sqlite_query: d, {query}>>"
        )
    };
    for query in [
        "DROP TABLE t",
        "ATTACH 'x.db' AS y",
        "attach database \"x.db\" as y",
        "DETACH y",
        "CREATE TABLE u (A)",
        "ALTER TABLE t RENAME TO u",
        "PRAGMA user_version = 4",
        "INSERT INTO t VALUES (9)",
        "REPLACE INTO t VALUES (9)",
        "UPDATE t SET A = 1",
        "DELETE FROM t",
        "WITH x AS (SELECT 1) DELETE FROM t",
    ] {
        refused(&with(query), &[("E0607", 3)]);
    }
    refused(&with("SELECT A FROM t; DROP TABLE t"), &[("E0601", 3)]);
    // These words are ordinary names elsewhere.
    assert_eq!(
        only_answer(
            "drop = 3\nattach = 4\nprompt \"<<drop>> <<drop - attach>>\"\nexpect reply json [<<least: drop, attach>>]"
        ),
        json!([3])
    );
}
