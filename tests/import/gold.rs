//! BIRD and Spider: the made-up data set of `suites/trades`, and small ones with one thing wrong each.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use serde_json::{Value as Json, json};
use testing::{CommandOutput, expect_status, root, run_picardc};

/// A folder with the made-up data set, as `bird` and `spider`.
fn home() -> tempfile::TempDir {
    let home = tempfile::tempdir().expect("temp");
    for layout in ["bird", "spider"] {
        testing::copy_folder(root().join("suites/trades").join(layout), home.path().join(layout));
    }
    home
}

fn json(path: &Path) -> Json {
    serde_json::from_slice(&fs::read(path).expect("a file")).expect("JSON")
}

/// The rows that a suite reads, by their ids.
fn rows(home: &Path, name: &str) -> BTreeMap<i64, Json> {
    let rows = json(&home.join(name));
    let of = |row: &Json| (row["question_id"].as_i64().expect("an id"), row.clone());
    rows.as_array().expect("a list").iter().map(of).collect()
}

/// The verdicts that people wrote down when they made the data set, by place from 0: those that are not good.
fn meant() -> BTreeMap<i64, String> {
    let text = fs::read_to_string(root().join("suites/trades/verdicts.csv")).expect("verdicts");
    let row = |line: &str| {
        let (id, verdict) = line.split_once(',').expect("two fields");
        (id.parse::<i64>().expect("a number"), verdict.to_owned())
    };
    text.lines().skip(1).map(row).filter(|(_, verdict)| verdict != "good").collect()
}

/// The ids of what a run says it left out.
fn listed(ran: &CommandOutput) -> Vec<i64> {
    let id = |line: &str| line.strip_prefix("left out: question ")?.split(':').next()?.parse().ok();
    ran.err.lines().filter_map(id).collect()
}

#[test]
fn gold_queries_that_cannot_be_used_are_left_out() {
    for (layout, first) in [("bird", 0), ("spider", 1)] {
        let home = home();
        let ran = expect_status(1, home.path(), &["import", layout, layout, "-o", "trades.pcd"]);
        let meant = meant();
        let left_out: Vec<i64> = meant.keys().map(|id| id + first).collect();
        assert_eq!(listed(&ran), left_out, "{}", ran.err);
        assert!(ran.err.contains("wrote trades.pcd: 47 questions; 13 were left out"), "{}", ran.err);
        let rows = rows(home.path(), "trades.json");
        assert_eq!(rows.len(), 60);
        for (id, row) in &rows {
            let why = meant.get(&(id - first)).map(|why| if why == "clock" { "unsteady" } else { why });
            assert_eq!(row["left_out"].as_str(), why, "{row}");
        }
        let suite = fs::read_to_string(home.path().join("trades.pcd")).expect("a suite");
        assert!(suite.contains("where left_out == null"), "{suite}");
        for id in left_out {
            assert!(suite.contains(&format!("# - question {id}: ")), "{id}: {suite}");
        }
    }
}

/// A record that no suite can use is listed, and the others are imported.
#[test]
fn what_a_suite_cannot_expect_is_left_out() {
    let home = home();
    let at = home.path();
    let wide =
        "WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n LIMIT 40) SELECT printf('%900000d', x) FROM n";
    let asked = [
        ("SELECT 1e999", "value", "its gold query returns a number that is not finite"),
        ("SELECT x'00ff' FROM ships", "value", "its gold query returns a blob"),
        ("SELECT CAST(x'ff' AS TEXT)", "value", "its gold query returns a text that is not UTF-8"),
        ("SELECT random() FROM ships", "unsteady", "its gold query does not always return the same rows (`random` is"),
        ("SELECT sqlite_version()", "unsteady", "its gold query does not always return the same rows"),
        ("SELECT :a", "fails", "it has a parameter, which has no value"),
        (wide, "limit", "it exceeds 16 MB of values"),
        ("SELECT COUNT(*) FROM ships", "", ""),
    ];
    let questions: Vec<Json> = asked
        .iter()
        .zip(0..)
        .map(|((sql, _, _), id)| json!({"question_id": id, "db_id": "harbor", "question": format!("Question {id}?"), "SQL": sql, "difficulty": "simple"}))
        .collect();
    fs::write(at.join("bird/odd.json"), Json::from(questions).to_string()).expect("written");
    let ran = expect_status(1, at, &["import", "bird", "bird", "--questions", "odd.json", "-o", "odd.pcd"]);
    let rows = rows(at, "odd.json");
    for ((sql, word, why), id) in asked.iter().zip(0..) {
        assert_eq!(rows[&id]["left_out"].as_str().unwrap_or(""), *word, "{sql}: {}", ran.err);
        let line = ran.err.lines().find(|line| line.starts_with(&format!("left out: question {id}: ")));
        assert!(line.unwrap_or("").contains(why), "{sql}: {}", ran.err);
    }
    expect_status(0, at, &["check", "odd.pcd", "--deny-warnings"]);
}

/// V22: of a data set in which every query is good, `left_out` has no value, and all rows are asked.
#[test]
fn a_corrected_data_set_is_built_in_full() {
    let home = home();
    let at = home.path();
    for many in [1, 3] {
        let questions: Vec<Json> = (0..many)
            .map(|id| json!({"question_id": id, "db_id": "harbor", "question": format!("Question {id}?"), "evidence": null, "SQL": "SELECT COUNT(*) FROM ships", "difficulty": null}))
            .collect();
        fs::write(at.join("bird/good.json"), Json::from(questions).to_string()).expect("written");
        expect_status(0, at, &["import", "bird", "bird", "--questions", "good.json", "-o", "good.pcd"]);
        expect_status(0, at, &["check", "good.pcd", "--deny-warnings"]);
        expect_status(0, at, &["build", "good.pcd", "--seed", "7", "--samples", "1", "--out", "good"]);
        let built = fs::read_to_string(at.join("good/instances.jsonl")).expect("instances");
        assert!(built.lines().count() >= many && built.lines().count().is_multiple_of(many), "{built}");
        fs::remove_dir_all(at.join("good")).expect("removed");
        fs::remove_file(at.join("good.pcd")).expect("removed");
        fs::remove_file(at.join("good.json")).expect("removed");
    }
}

#[test]
fn both_layouts_have_the_same_gold() {
    let home = home();
    for layout in ["bird", "spider"] {
        expect_status(1, home.path(), &["import", layout, layout, "-o", &format!("{layout}.pcd")]);
    }
    let (bird, spider) = (rows(home.path(), "bird.json"), rows(home.path(), "spider.json"));
    for (id, row) in &bird {
        assert_eq!((&row["SQL"], &row["db_id"]), (&spider[&(id + 1)]["SQL"], &spider[&(id + 1)]["db_id"]));
    }
    // Only texts in double quotes are written in another way.
    let published = json(&home.path().join("bird/dev.json"));
    let changed: Vec<(i64, &str)> = published
        .as_array()
        .expect("a list")
        .iter()
        .filter_map(|row| {
            let id = row["question_id"].as_i64()?;
            let ours = bird[&id]["SQL"].as_str()?;
            (row["SQL"].as_str()? != ours).then_some((id, ours))
        })
        .collect();
    let ids: Vec<i64> = changed.iter().map(|(id, _)| *id).collect();
    assert_eq!(ids, [3, 17, 19, 35, 45], "{changed:?}");
    assert!(changed[0].1.ends_with("quay = 'West Quay'"), "{changed:?}");
    assert!(changed[2].1.ends_with(r#"t."group" = 'novel' AND c."Shelf No" LIKE 'A%'"#), "{changed:?}");
}

#[test]
fn an_imported_data_set_is_checked_built_and_answered() {
    let home = home();
    for layout in ["bird", "spider"] {
        let suite = format!("{layout}.pcd");
        let ran = expect_status(1, home.path(), &["import", layout, layout, "-o", &suite]);
        assert!(ran.err.contains("wrote "), "{}", ran.err);
        expect_status(0, home.path(), &["check", &suite, "--deny-warnings"]);
        expect_status(0, home.path(), &["fmt", "--check", &suite]);
        let tested = expect_status(0, home.path(), &["selftest", &suite]);
        assert!(tested.out.contains("47"), "{}", tested.out);
        expect_status(
            0,
            home.path(),
            &["build", &suite, "-o", layout.to_uppercase().as_str(), "--seed", "1", "--quiet"],
        );
        let lines =
            fs::read_to_string(home.path().join(layout.to_uppercase()).join("instances.jsonl")).expect("instances");
        assert_eq!(lines.lines().count(), 47);
    }
    let suite = fs::read_to_string(home.path().join("bird.pcd")).expect("a suite");
    // Next to those of other tests: `tests/import` has sources of suites and their snapshots alone.
    insta::with_settings!({snapshot_path => "../snapshots"}, { insta::assert_snapshot!("imported_bird", suite) });
}

#[test]
fn what_is_not_a_data_set_is_told() {
    let home = home();
    let at = home.path();
    fs::write(at.join("there.pcd"), "").expect("written");
    fs::write(at.join("there2.json"), "").expect("written");
    fs::write(at.join("bird/object.json"), "{}").expect("written");
    fs::write(at.join("bird/text.json"), "SELECT").expect("written");
    fs::create_dir(at.join("empty")).expect("made");
    for (arguments, exit, said) in [
        (&["bird", "nowhere", "-o", "a.pcd"][..], 2, "cannot read the folder `nowhere`"),
        (&["bird", ".", "-o", "a.pcd"], 2, "the data set `.` is not below the folder of `a.pcd`"),
        (&["bird", "bird", "-o", "bird/a.pcd"], 2, "the data set `bird` is not below the folder of `bird/a.pcd`"),
        (&["bird", "empty", "-o", "a.pcd"], 2, "cannot read `empty/dev.json`: the file does not exist"),
        (&["bird", "bird", "--questions", "text.json", "-o", "a.pcd"], 2, "`bird/text.json` is not JSON"),
        (
            &["bird", "bird", "--questions", "object.json", "-o", "a.pcd"],
            2,
            "`bird/object.json` does not have questions of BIRD: it is not a JSON list",
        ),
        (&["bird", "spider", "-o", "a.pcd"], 2, "`spider` has no folder `dev_databases`"),
        (&["bird", "bird", "--databases", "other", "-o", "a.pcd"], 2, "`bird` has no folder `other`"),
        (&["bird", "bird", "-o", "there.pcd"], 2, "`there.pcd` already exists"),
        (&["bird", "bird", "-o", "there2.pcd"], 2, "`there2.json` already exists"),
        (
            &["spider", "bird", "--databases", "dev_databases", "-o", "a.pcd"],
            1,
            "no question of `bird/dev.json` can be imported",
        ),
    ] {
        let ran = run_picardc(at, &[&["import"], arguments].concat());
        assert_eq!(ran.status.code(), Some(exit), "{arguments:?}: {}", ran.err);
        assert!(ran.err.contains(said), "{arguments:?}: {}", ran.err);
        assert!(!at.join("a.pcd").exists() && !at.join("a.json").exists(), "{arguments:?}");
    }
}

#[test]
fn a_question_without_a_database_is_left_out() {
    let home = home();
    let at = home.path();
    let mut questions = json(&at.join("bird/dev.json"));
    let list = questions.as_array_mut().expect("a list");
    list.truncate(2);
    list.push(json!({"question_id": 90, "db_id": "absent", "question": "How many?", "evidence": "", "SQL": "SELECT 1", "difficulty": "simple"}));
    list.push(json!({"question_id": 91, "db_id": "noise", "question": "How many?", "evidence": "", "SQL": "SELECT 1", "difficulty": "simple"}));
    fs::write(at.join("bird/few.json"), questions.to_string()).expect("written");
    testing::write_in_folder(
        at,
        "bird/dev_databases/noise/noise.sqlite",
        &b"not a database, but long enough to be looked at as one".repeat(50),
    );
    let ran = expect_status(1, at, &["import", "bird", "bird", "--questions", "few.json", "-o", "few.pcd"]);
    assert!(
        ran.err.contains("question 90: its database cannot be read: the folder does not have the file `absent.sqlite`"),
        "{}",
        ran.err
    );
    assert!(
        ran.err.contains("question 91: its database cannot be read: `noise.sqlite` is not a SQLite database"),
        "{}",
        ran.err
    );
    assert!(ran.err.contains("wrote few.pcd: 2 questions; 2 were left out"), "{}", ran.err);
    expect_status(0, at, &["check", "few.pcd", "--deny-warnings"]);
    // Without anything to leave out, the suite says nothing of it.
    list_of_two(at);
    expect_status(0, at, &["import", "bird", "bird", "--questions", "two.json", "-o", "two.pcd"]);
    let suite = fs::read_to_string(at.join("two.pcd")).expect("a suite");
    assert!(!suite.contains("left_out") && !suite.contains("# Left out"), "{suite}");
    expect_status(0, at, &["check", "two.pcd", "--deny-warnings"]);
}

fn list_of_two(at: &Path) {
    let mut questions = json(&at.join("bird/dev.json"));
    questions.as_array_mut().expect("a list").truncate(2);
    fs::write(at.join("bird/two.json"), questions.to_string()).expect("written");
}

/// A repeated id, as in published data sets, changes no other id, and is said.
#[test]
fn repeated_ids_are_marked() {
    let home = home();
    let at = home.path();
    let mut list = json(&at.join("bird/dev.json"));
    let items = list.as_array_mut().expect("a list");
    let count = items.len();
    let mut again = items[1].clone();
    again["question"] = json!("How many once more?");
    items.push(again);
    fs::write(at.join("bird/dev.json"), list.to_string()).expect("written");
    let ran = expect_status(1, at, &["import", "bird", "bird", "-o", "twice.pcd"]);
    assert!(ran.err.contains("note: several questions have the id `1`; the later ones are `1_2`\n"), "{}", ran.err);
    let suite = fs::read_to_string(at.join("twice.pcd")).expect("a suite");
    assert!(suite.contains("# - several questions have the id `1`; the later ones are `1_2`."), "{suite}");
    let rows = json(&at.join("twice.json"));
    let ids: Vec<&str> =
        rows.as_array().expect("a list").iter().filter_map(|row| row["question_id"].as_str()).collect();
    let expected: Vec<String> = (0..count).map(|id| id.to_string()).chain(["1_2".to_owned()]).collect();
    assert_eq!(ids, expected);
    expect_status(0, at, &["check", "twice.pcd", "--deny-warnings"]);
    expect_status(0, at, &["build", "twice.pcd", "-o", "out", "--seed", "1", "-q"]);
    let lines = fs::read_to_string(at.join("out/instances.jsonl")).expect("a bundle");
    for id in ["\"ask-1-1\"", "\"ask-1_2-1\"", "\"ask-2-1\""] {
        assert_eq!(lines.matches(&format!("{{\"id\":{id},")).count(), 1, "{id}");
    }
}
