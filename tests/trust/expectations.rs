//! What an expectation can say, and what `check` says of it.

use std::path::Path;

use records::{Bundle, Captured, Instance, Response, Score};
use serde_json::Value as Json;
use tempfile::TempDir;
use testing::{create_folder, expect_success, run_picardc};

/// A suite of one task with this body.
fn suite(body: &str) -> String {
    testing::build_suite_source("samples 4", body)
}

fn written(body: &str) -> TempDir {
    create_folder(&[("s.pcd", suite(body).as_str())])
}

/// What `check` says of a task with this body: code, message, the words it points at, and the help.
fn said(body: &str) -> Vec<[String; 4]> {
    let text = suite(body);
    let home = create_folder(&[("s.pcd", text.as_str())]);
    let checked = run_picardc(home.path(), &["check", "s.pcd", "--format", "json"]).out;
    checked
        .lines()
        .map(|line| {
            let json: Json = serde_json::from_str(line).expect("JSON");
            let field = |name: &str| json[name].as_str().unwrap_or_default().to_owned();
            let at = |line: &str, column: &str| {
                let [line, column] = [line, column].map(|name| json[name].as_u64().expect("a number") as usize);
                let before: usize = text.split_inclusive('\n').take(line - 1).map(str::len).sum();
                text[before..].char_indices().nth(column - 1).map_or(text.len(), |(at, _)| before + at)
            };
            let words = text[at("line", "column")..at("end_line", "end_column")].to_owned();
            [field("code"), field("message"), words, field("help")]
        })
        .collect()
}

/// The codes alone.
fn codes(body: &str) -> Vec<String> {
    said(body).into_iter().map(|[code, ..]| code).collect()
}

/// The first instance of a bundle of this task, built.
fn instance(body: &str) -> Instance {
    let home = written(body);
    expect_success(home.path(), &["build", "s.pcd", "-o", "out", "--seed", "1", "--quiet"]);
    let bundle = Bundle::open_verified(&home.path().join("out")).expect("a bundle");
    let mut instances = bundle.open_instances().expect("instances");
    instances.next().expect("one").expect("readable")
}

/// What a reply is worth.
fn reply(instance: &Instance, reply: &str) -> Score {
    with_files(instance, reply, &[])
}

fn with_files(instance: &Instance, reply: &str, files: &[(&str, &str)]) -> Score {
    let files =
        files.iter().map(|(path, text)| ((*path).to_owned(), Captured::from_bytes(text.as_bytes().to_vec()))).collect();
    let response =
        Response { id: instance.id.clone(), trial: 1, reply: reply.to_owned(), files, ..Response::default() };
    score::score_response(instance, Some(&response), 1, &())
}

/// These replies are right, and those are not.
fn judged(body: &str, right: &[&str], wrong: &[&str]) {
    let instance = instance(body);
    for text in right {
        let score = reply(&instance, text);
        assert!(score.correct, "{text:?} should be right: {:?}\n{body}", score.verdicts);
    }
    for text in wrong {
        assert!(!reply(&instance, text).correct, "{text:?} should be wrong\n{body}");
    }
}

/// `selftest` and a run of the oracle hold.
fn sound(body: &str) {
    let home = written(body);
    expect_success(home.path(), &["selftest", "s.pcd"]);
    oracle(home.path());
}

fn oracle(home: &Path) {
    expect_success(home, &["build", "s.pcd", "-o", "out", "--quiet"]);
    expect_success(home, &["run", "out", "--agent", "oracle", "-o", "run", "--quiet"]);
    let scores = std::fs::read_to_string(home.join("run/scores.jsonl")).expect("scores");
    assert!(!scores.is_empty() && scores.lines().all(|line| line.contains("\"correct\":true")), "{scores}");
}

const HR: &str = "csv hr at \"hr.csv\" { rows 40..60  ID : serial  DEPT : department  PAY : int 30_000..90_000  NAME : person_name }\n";

/// Tied tasks, with the words that are pointed at, and tasks where nothing can tie or the prompt tells the rule.
#[test]
fn a5_a_tie_is_told_however_the_first_is_taken() {
    let tied = [
        (
            r#"prompt "Which DEPT is commonest in <<hr>>?" expect reply text coalesce(mode(hr.DEPT), "none")"#,
            "mode(hr.DEPT)",
        ),
        (
            r#"d = mode(hr.DEPT) require d != null prompt "Which DEPT is commonest in <<hr>>?" expect reply text d"#,
            "mode(hr.DEPT)",
        ),
        (
            r#"prompt "Which DEPT has the most in <<hr>> with a PAY above 50000?" expect reply text coalesce(mode(hr.DEPT where PAY > 50_000), "none")"#,
            "mode(hr.DEPT where PAY > 50_000)",
        ),
        (
            r#"prompt "Which DEPT is commonest in <<hr>>?" expect reply text coalesce(mode(list(hr.DEPT)), "none")"#,
            "mode(list(hr.DEPT))",
        ),
        (
            r#"top = max(hr.PAY) who = first(hr.NAME where PAY == top) require who != null prompt "Who earns most in <<hr>>?" expect reply text who"#,
            "first(hr.NAME where PAY == top)",
        ),
        (
            r#"who = first(hr.NAME where PAY == max(hr.PAY)) require who != null prompt "Who earns most in <<hr>>?" expect reply text who"#,
            "first(hr.NAME where PAY == max(hr.PAY))",
        ),
        (
            r#"low = min(hr.PAY) who = last(hr.NAME where low == PAY and DEPT != "Sales") prompt "Who earns least in <<hr>>?" expect reply text coalesce(who, "none")"#,
            r#"last(hr.NAME where low == PAY and DEPT != "Sales")"#,
        ),
        (
            r#"top = max(hr.PAY) prompt "Reply with JSON: `who` earns most in <<hr>>?" expect reply json { who: coalesce(first(hr.NAME where PAY == top), "none") }"#,
            "first(hr.NAME where PAY == top)",
        ),
        (
            r#"prompt "Who earns most in each DEPT of <<hr>>? Reply with CSV: DEPT, NAME." expect reply rows <<rows: SELECT DEPT, NAME FROM (SELECT DEPT, NAME, ROW_NUMBER() OVER (PARTITION BY DEPT ORDER BY PAY DESC) AS place FROM hr) WHERE place = 1>>"#,
            "PAY DESC",
        ),
        (
            r#"prompt "Who earns most in <<hr>>?" expect reply text coalesce(<<value: WITH ranked AS (SELECT NAME, ROW_NUMBER() OVER (ORDER BY PAY DESC) AS place FROM hr) SELECT NAME FROM ranked WHERE place = 1>>, "none")"#,
            "PAY DESC",
        ),
        (
            r#"prompt "Who earns most in each DEPT of <<hr>>? Reply with CSV: DEPT, NAME." expect reply rows <<rows: SELECT DEPT, NAME FROM (SELECT DEPT, NAME, RANK() OVER (PARTITION BY DEPT ORDER BY PAY DESC) AS place FROM hr) WHERE place = 1>>"#,
            "PAY DESC",
        ),
        (
            r#"prompt "Who earns most in each DEPT of <<hr>>? Reply with CSV: DEPT, NAME." expect reply rows <<rows: WITH r AS (SELECT *, DENSE_RANK() OVER (PARTITION BY DEPT ORDER BY PAY DESC) AS place FROM hr) SELECT DEPT, NAME FROM r WHERE place <= 1>>"#,
            "PAY DESC",
        ),
        (
            r#"prompt "Who are the three who earn most in <<hr>>? One a line." expect reply list <<list: SELECT NAME FROM (SELECT NAME, ROW_NUMBER() OVER (ORDER BY PAY DESC) AS place FROM hr) WHERE place <= 3>>"#,
            "PAY DESC",
        ),
    ];
    for (body, words) in tied {
        let body = format!("{HR}{body}");
        let found = said(&body);
        let short: Vec<[&str; 2]> = found.iter().map(|[code, _, at, _]| [code.as_str(), at.as_str()]).collect();
        assert_eq!(short, [["W0304", words]], "{found:#?}\n{body}");
    }
    let decided = [
        // The prompt tells the rule.
        r#"prompt "Which DEPT is commonest in <<hr>>? Where several are, the first in alphabetical order." expect reply text coalesce(mode(hr.DEPT), "none")"#,
        r#"top = max(hr.PAY) who = first(hr.NAME where PAY == top) require who != null prompt "Who earns most in <<hr>>? If several do, the one higher up in the file." expect reply text who"#,
        r#"prompt "Who earns most in each DEPT of <<hr>>? Reply with CSV: DEPT, NAME; all of them where several tie." expect reply rows <<rows: SELECT DEPT, NAME FROM (SELECT DEPT, NAME, RANK() OVER (PARTITION BY DEPT ORDER BY PAY DESC) AS place FROM hr) WHERE place = 1>>"#,
        // Nothing can tie.
        r#"prompt "Which NAME has the last ID in <<hr>>?" expect reply text coalesce(first(hr.NAME where ID == max(hr.ID)), "none")"#,
        r#"prompt "What is the DEPT of the first of <<hr>>?" expect reply text coalesce(first(hr.DEPT where ID == min(hr.ID)), "none")"#,
        r#"prompt "How much does the best in <<hr>> earn?" expect reply number coalesce(first(hr.PAY where PAY == max(hr.PAY)), 0)"#,
        r#"prompt "What is the first ID with a PAY over 50000 in <<hr>>?" expect reply number coalesce(first(hr.ID where PAY > 50_000), 0)"#,
        r#"csv b at "b.csv" { rows 41  F : bool } prompt "Beside <<hr>>: is F of <<b>> true in most rows? Reply true or false." expect reply text coalesce(mode(b.F), false)"#,
        // `require` looks at the ties.
        r#"top = max(hr.PAY) require count(hr where PAY == top) == 1 prompt "Who earns most in <<hr>>?" expect reply text coalesce(first(hr.NAME where PAY == top), "none")"#,
        // All of them are asked for.
        r#"top = max(hr.PAY) prompt "Who earns most in <<hr>>? One a line." expect reply list list(hr.NAME where PAY == top)"#,
        // The order is of a unique column, or whatever ties is the same.
        r#"prompt "Who has the last ID in each DEPT of <<hr>>? Reply with CSV: DEPT, NAME." expect reply rows <<rows: SELECT DEPT, NAME FROM (SELECT DEPT, NAME, ROW_NUMBER() OVER (PARTITION BY DEPT ORDER BY ID DESC) AS place FROM hr) WHERE place = 1>>"#,
        r#"prompt "What is the highest PAY in each DEPT of <<hr>>? Reply with CSV: DEPT, PAY." expect reply rows <<rows: SELECT DEPT, PAY FROM (SELECT DEPT, PAY, ROW_NUMBER() OVER (PARTITION BY DEPT ORDER BY PAY DESC) AS place FROM hr) WHERE place = 1>>"#,
        r#"prompt "What is the sum of the three highest PAY in <<hr>>?" expect reply number coalesce(<<value: SELECT SUM(PAY) FROM (SELECT *, ROW_NUMBER() OVER (ORDER BY PAY DESC) AS place FROM hr) WHERE place <= 3>>, 0)"#,
        r#"prompt "How many are among the three best of <<hr>>, at most?" expect reply number coalesce(<<value: SELECT COUNT(*) FROM (SELECT NAME, ROW_NUMBER() OVER (ORDER BY PAY DESC) AS place FROM hr) WHERE place <= 3>>, 0)"#,
    ];
    for body in decided {
        let body = format!("{HR}{body}");
        let found: Vec<_> = said(&body).into_iter().filter(|[code, ..]| code != "W0301").collect();
        assert_eq!(found, Vec::<[String; 4]>::new(), "{body}");
    }
}

/// The first row of each group, in the order of the group: one row has each.
#[test]
fn a5_the_first_row_of_each_group_is_not_a_tie() {
    for order in ["DEPT", "DEPT, NAME", "1"] {
        let body = format!(
            "{HR}prompt \"Who has the lowest ID in each DEPT of <<hr>>? Reply with CSV: DEPT, NAME, in order of DEPT.\"\n\
             expect reply rows <<rows: SELECT DEPT, NAME FROM (SELECT DEPT, NAME, ROW_NUMBER() OVER (PARTITION BY DEPT ORDER BY ID) AS place \
             FROM hr) WHERE place = 1 ORDER BY {order}>> ordered"
        );
        let found: Vec<_> = said(&body).into_iter().filter(|[code, ..]| code == "W0304").collect();
        assert_eq!(found, Vec::<[String; 4]>::new(), "{body}");
    }
    let body = format!(
        "{HR}prompt \"Who has one of the two lowest ID in each DEPT of <<hr>>? Reply with CSV: DEPT, NAME, in order of DEPT.\"\n\
         expect reply rows <<rows: SELECT DEPT, NAME FROM (SELECT DEPT, NAME, ROW_NUMBER() OVER (PARTITION BY DEPT ORDER BY ID) AS place \
         FROM hr) WHERE place <= 2 ORDER BY DEPT>> ordered"
    );
    assert_eq!(codes(&body), ["W0304"], "two rows of a DEPT are equal in it");
}

/// The prompt asks for a key that the answer lacks: whoever does as told is wrong.
#[test]
fn a6_keys_that_the_prompt_asks_for_are_expected() {
    let unexpected = [
        (
            r#"prompt "Reply with a JSON object about <<hr>>: `best` (the highest PAY), `rows` and `worst` (the lowest PAY)." expect reply json { best: max(hr.PAY), rows: count(hr) }"#,
            "worst",
        ),
        (
            r#"prompt "Reply with JSON about <<hr>> with the keys best, rows_seen and worst." expect reply json { best: max(hr.PAY), rows_seen: count(hr) }"#,
            "worst",
        ),
        (
            r#"prompt "Reply with JSON about PAY of <<hr>>, in this form: {\"best\": 1, \"worst\": 2}" expect reply json { best: max(hr.PAY) }"#,
            "worst",
        ),
        (
            "prompt \"\"\"\n  Write a.json about <<hr>>:\n  - best: the highest PAY\n  - worst: the lowest PAY\n  \"\"\" expect file \"a.json\" json { best: max(hr.PAY) }",
            "worst",
        ),
        (
            r#"prompt "Reply with JSON: an array, of an object with `dept` and `people` and `share` for each DEPT of <<hr>>." expect reply json <<rows: SELECT DEPT AS dept, COUNT(*) AS people FROM hr GROUP BY DEPT ORDER BY DEPT>>"#,
            "share",
        ),
        (
            r#"prompt "Reply with JSON about <<hr>>: 'best', 'worst'." variant a { prompt "As JSON." expect reply json { best: max(hr.PAY) } }"#,
            "worst",
        ),
    ];
    for (body, word) in unexpected {
        let body = format!("{HR}{body}");
        let found = said(&body);
        let short: Vec<[&str; 2]> = found.iter().map(|[code, _, at, _]| [code.as_str(), at.as_str()]).collect();
        assert_eq!(short, [["W0206", word]], "{found:#?}\n{body}");
    }
    let right = [
        r#"prompt "Reply with a JSON object about <<hr>>: `best` (the highest PAY), `rows` and `worst`." expect reply json { best: max(hr.PAY), rows: count(hr) } open"#,
        r#"prompt "Reply with a JSON object about <<hr>>: `best` (the highest PAY), `rows` and `worst`." expect reply json { best: max(hr.PAY), rows: count(hr), worst: min(hr.PAY) }"#,
        r#"prompt "Reply with JSON: `best` of PAY in <<hr>>, over `NAME` and `DEPT`." expect reply json { best: max(hr.PAY) }"#,
        r#"prompt "Reply with JSON: `best` or `most` of PAY in <<hr>>." expect reply json any_of [{ best: max(hr.PAY) }, { most: max(hr.PAY) }]"#,
        r#"prompt "Write a.json with `best` of PAY in <<hr>>, and b.json with `worst`." expect file "a.json" json { best: max(hr.PAY) } expect file "b.json" json { worst: min(hr.PAY) }"#,
        r#"prompt "Reply with JSON: `best` and `deep`, an object with `worst`, of PAY in <<hr>>." expect reply json { best: max(hr.PAY), deep: { worst: min(hr.PAY) } }"#,
        r#"json conf at "conf.json" { mode : word size : int 1..9 } prompt "<<conf>> is like {\"mode\": \"x\", \"size\": 1}. Reply with JSON like {\"size\": 3}, and never mind <<hr>>." expect reply json { size: <<json_value: conf, $.size>> }"#,
    ];
    for body in right {
        let body = format!("{HR}{body}");
        assert_eq!(said(&body), Vec::<[String; 4]>::new(), "{body}");
    }
}

/// `open`: objects may hold more keys; nearer options win.
#[test]
fn a6_an_open_object_may_hold_more() {
    judged(
        "a : int 1..9 prompt \"Say <<a>> as `n`, in JSON, with `deep` of `m`.\" expect reply json { n: 7, deep: { m: 8 } } open",
        &[
            r#"{"n": 7, "deep": {"m": 8}}"#,
            r#"{"n": 7, "deep": {"m": 8}, "note": "x"}"#,
            r#"{"more": null, "deep": {"m": 8, "k": []}, "n": 7.0}"#,
        ],
        &[r#"{"n": 7}"#, r#"{"n": 8, "deep": {"m": 8}, "note": "x"}"#, r#"{"deep": {"m": 9}, "n": 7}"#, "[]", "7"],
    );
    judged(
        "a : int 1..9 prompt \"Say <<a>> as `n`, in JSON, with `deep` of `m`.\" expect reply json { n: 7, deep: { m: 8 } open }",
        &[r#"{"n": 7, "deep": {"m": 8, "k": []}}"#],
        &[r#"{"n": 7, "deep": {"m": 8}, "note": "x"}"#],
    );
    judged(
        "a : int 1..9 prompt \"Say <<a>> as `n`, in JSON: an array.\" expect reply json [{ n: 1 }, { n: 2 }] unordered open",
        &[r#"[{"n": 2, "x": 1}, {"n": 1, "y": 1}]"#],
        &[r#"[{"n": 2, "x": 1}]"#, r#"[{"n": 2, "x": 1}, {"n": 1}, {"n": 1}]"#],
    );
    sound("a : int 1..9 prompt \"Say <<a>> as `n` in JSON.\" expect reply json { n: a } open");
    // Only where there is an object to open.
    for body in [
        r#"a : int 1..9 prompt "Say <<a>>." expect reply number a open"#,
        r#"a : int 1..9 prompt "Say <<a>>." expect reply json a open"#,
        r#"a : int 1..9 prompt "Say <<a>>." expect reply json { a: a open }"#,
        r#"a : int 1..9 prompt "Say <<a>>." expect reply list [a] open"#,
        r#"a : int 1..9 prompt "Say <<a>>." expect file "a.txt" exists open"#,
    ] {
        assert_eq!(codes(body), ["E0306"], "{body}");
    }
}

/// A file that is there at the start is to be gone: the oracle deletes it.
#[test]
fn a7_the_oracle_deletes_what_is_to_be_absent() {
    sound(
        "a : word text old at \"old.txt\" = \"<<a>>\" prompt \"Delete <<old>> and say done.\" expect file \"<<old>>\" absent expect reply text \"done\"",
    );
    // Moved: gone at one path, there at another; and a folder with all in it.
    sound(
        "a : word text old at \"in/old.txt\" = \"<<a>>\" prompt \"Move <<old>> to new/old.txt.\" expect file \"in/old.txt\" absent \
         expect file \"new/old.txt\" text a",
    );
    sound(
        "a : word folder \"junk/deep\" text old at \"junk/old.txt\" = \"<<a>>\" prompt \"Delete the folder junk, where <<old>> is, and say done.\" \
         expect file \"junk\" absent expect reply text \"done\"",
    );
    // The folder around it stays; what is gone with its folder is gone.
    sound(
        "a : word text old at \"in/old.txt\" = \"<<a>>\" prompt \"Empty the folder in, where <<old>> is.\" expect file old absent expect tree [\"in/\"]",
    );
    sound(
        "a : word text old at \"in/old.txt\" = \"<<a>>\" prompt \"Delete the folder in with <<old>>.\" expect file \"in\" absent expect file old absent",
    );
    // Nobody is right who leaves it.
    let home = written(
        "a : word text old at \"old.txt\" = \"<<a>>\" prompt \"Delete <<old>>.\" expect file \"<<old>>\" absent",
    );
    assert_eq!(run_picardc(home.path(), &["selftest", "s.pcd"]).err, "");
    expect_success(home.path(), &["build", "s.pcd", "-o", "out", "--quiet"]);
    expect_success(home.path(), &["run", "out", "--agent", "null", "-o", "idle", "--quiet"]);
    let scores = std::fs::read_to_string(home.path().join("idle/scores.jsonl")).expect("scores");
    assert!(scores.lines().all(|line| line.contains("\"correct\":false")), "{scores}");
}

/// A declared file goes by its name.
#[test]
fn a8_a_file_is_named_as_it_is_declared() {
    let conf = "dir : word json conf at \"<<dir>>/conf.json\" { name : word  size : int 1..9 }\n";
    for matcher in [
        "unchanged gate expect reply number 1",
        "exists expect reply number 1",
        "absent",
        "json { name: <<json_value: conf, $.name>>, size: 10 }",
        "contains \"xylophone\"",
    ] {
        let named = format!(
            "{conf}prompt \"Look at <<conf>>, at `name` and `size`, and reply with 1.\" expect file conf {matcher}"
        );
        let quoted = named.replace("expect file conf ", "expect file \"<<conf>>\" ");
        assert_eq!(said(&named), Vec::<[String; 4]>::new(), "{named}");
        assert_eq!(instance(&named), instance(&quoted), "{named}");
        sound(&named);
    }
    // In backticks too, and laid out by `fmt` as it was.
    let home = written(
        "csv `to do` at \"todo.csv\" { rows 3 A : word }\nprompt \"Delete <<`to do`>>.\"\nexpect file `to do` absent",
    );
    expect_success(home.path(), &["check", "s.pcd"]);
    expect_success(home.path(), &["fmt", "s.pcd"]);
    let laid_out = std::fs::read_to_string(home.path().join("s.pcd")).expect("a suite");
    assert!(laid_out.contains("  expect file `to do` absent\n"), "{laid_out}");
    // What is not a file is told so.
    let help = |body: &str| {
        let mut found = said(body);
        assert_eq!(found.len(), 1, "{found:#?}\n{body}");
        found.remove(0)
    };
    let text = help("name : word prompt \"Write <<name>> to <<name>>.\" expect file name text name");
    assert_eq!(
        [&text[0], &text[1], &text[2], &text[3]],
        ["E0301", "`name` is text, not a file", "name", "write the path in quotes: expect file \"<<name>>\""]
    );
    let misspelt = help(&format!(
        "{conf}prompt \"Leave <<conf>> be; say 1.\" expect file cnf unchanged gate expect reply number 1"
    ));
    assert_eq!(
        [&misspelt[0], &misspelt[1], &misspelt[2], &misspelt[3]],
        ["E0202", "file `cnf` is not defined", "cnf", "did you mean `conf`?"]
    );
    let table = help(
        "sqlite shop at \"shop.db\" { table orders { rows 3 ID : serial } } prompt \"Leave <<shop>> be; say 1.\" \
         expect file orders unchanged gate expect reply number 1",
    );
    assert_eq!([&table[0], &table[2]], ["E0202", "orders"]);
    assert_eq!(
        [&table[1], &table[3]],
        ["`orders` is a table of `shop`, not a file", "write the file: expect file shop"]
    );
}

/// `list` takes what `json` takes: items of several types, objects, lists, rows.
#[test]
fn a9_a_list_takes_items_of_any_kind() {
    let mixed = "a : word prompt \"Say <<a>>.\" expect reply list [\"kiel\", 3, true, null, 2.5]";
    judged(
        mixed,
        &[
            r#"["kiel", 3, true, null, 2.5]"#,
            r#"[2.5, null, true, 3.0, "kiel"]"#,
            "kiel\n3\ntrue\nnull\n2.50",
            "- 3\n- kiel\n- TRUE\n- NULL\n- 2.5",
            "kiel, 3, true, null, 2.5",
        ],
        &[r#"["kiel", 3, true, 2.5]"#, r#"["kiel", "3", true, null, 2.5]"#, "kiel\n3\ntrue\n2.5", "kiel"],
    );
    let objects = "a : word prompt \"Say <<a>> as `n`, `s`.\" expect reply list [{ n: 1, s: \"x\" }, { n: 2.5 rounded 1, s: \"y\" }]";
    judged(
        objects,
        &[
            r#"[{"n": 1, "s": "x"}, {"s": "y", "n": 2.54}]"#,
            r#"[{"n": 2.5, "s": "y"}, {"s": "x", "n": 1}]"#,
            "```json\n[{\"n\": 2.5, \"s\": \"y\"}, {\"s\": \"x\", \"n\": 1}]\n```",
            "{\"n\": 2.5, \"s\": \"y\"}\n{\"s\": \"x\", \"n\": 1}",
            "- {\"n\": 2.5, \"s\": \"y\"}\n- {\"s\": \"x\", \"n\": 1}",
        ],
        &[
            r#"[{"n": 1, "s": "x"}, {"s": "y", "n": 2.56}]"#,
            r#"[{"n": 1, "s": "x"}]"#,
            r#"[{"n": 1, "s": "x", "more": 1}, {"s": "y", "n": 2.5}]"#,
            r#"{"n": 1, "s": "x"}"#,
        ],
    );
    let half = reply(&instance(objects), r#"[{"n": 1, "s": "x"}, {"s": "z", "n": 2.5}]"#);
    assert!((half.score - 0.5).abs() < 1e-9, "one of two items is half of the score: {half:?}");
    // Lists inside keep their order, whatever the order of the list is.
    judged(
        "a : word prompt \"Say <<a>>.\" expect reply list [[1, 2], [\"x\", 4]]",
        &["[[1, 2], [\"x\", 4]]", "[[\"x\", 4], [1, 2]]"],
        &["[[2, 1], [\"x\", 4]]", "[[1, 2]]", "[[1, 2], [\"x\", 4, 5]]"],
    );
    judged(
        "a : word prompt \"Say <<a>>.\" expect reply list [[1, 2], [\"x\", 4]] ordered",
        &["[[1, 2], [\"x\", 4]]"],
        &["[[\"x\", 4], [1, 2]]"],
    );
    let rows = "csv t at \"t.csv\" { rows 6  K : serial  V : word } prompt \"Say `K` and `V` of each row of <<t>>, in JSON.\" \
                expect reply list <<rows: SELECT K, V FROM t>>";
    let made = instance(rows);
    let model::Value::Rows(set) = (match &made.expects[0].answer {
        Some(model::answer_key::Answer::One(value)) => value,
        other => panic!("{other:?}"),
    }) else {
        panic!("no rows")
    };
    let objects: Vec<Json> =
        set.rows.iter().rev().map(|row| serde_json::json!({"V": row[1].to_json(), "K": row[0].to_json()})).collect();
    assert!(reply(&made, &Json::from(objects.clone()).to_string()).correct);
    let five = reply(&made, &Json::from(objects[..5].to_vec()).to_string());
    assert!((five.score - 10.0 / 11.0).abs() < 1e-9, "{five:?}");
    for body in [
        mixed,
        rows,
        "a : word prompt \"Say <<a>> as `n` and `s`.\" expect reply list [{ n: 1, s: a }, [a, 2], a, null]",
    ] {
        sound(body);
    }
    sound("a : word prompt \"Say <<a>> as `n`.\" expect reply list any_of [[{ n: 1 }, a], [a, 2]] ordered");
    judged("a : word prompt \"Say <<a>>.\" expect reply list [\"x\", null]", &["[null, \"x\"]", "x\nnull"], &["x"]);
    // What is not a list is refused as before, inside `any_of` too.
    for body in [
        "a : word prompt \"Say <<a>>.\" expect reply list a",
        "a : word prompt \"Say <<a>> as `n`.\" expect reply list { n: a }",
        "a : word prompt \"Say <<a>>.\" expect reply list any_of [[a], a]",
    ] {
        assert_eq!(codes(body), ["E0301"], "{body}");
    }
}

/// `unit`: a number may carry exactly this unit.
#[test]
fn a9_a_number_may_carry_its_unit() {
    let task = |value: &str| format!("a : word prompt \"Say <<a>>.\" expect reply {value}");
    judged(
        &task("number 40 unit \"%\""),
        &["40", "40%", "40 %", "40.0%", "40\u{a0}%", "40.", "40 %.", "+40%", "40 percent"],
        &[
            "41%",
            "0.4",
            "40 kg",
            "40 percentage points",
            "$40",
            "40 %%",
            "% 40",
            "%40",
            "40 % %",
            "40 € %",
            "%",
            "about 40%",
            "40% of all",
        ],
    );
    judged(
        &task("number 1234.5 unit \"kg\" within 0.1"),
        &["1234.5", "1,234.5 kg", "1234.6kg", "1.2345e3 kg", "1234.5 kg."],
        &["1234.5 g", "1234.5 KG", "1.2345 t", "kg 1234.5", "1234.7 kg", "1234.5 kgs", "-1234.5 kg"],
    );
    judged(
        &task("number 5 unit \"€\""),
        &["5", "5 €", "5€", "€5", "€ 5", "€5.00", "+€5", "€+5", "5 EUR", "5 euros"],
        &["$5", "5 $", "5 USD", "€5€", "-€5"],
    );
    judged(
        &task("number -5 unit \"EUR\""),
        &["-5", "-5 EUR", "EUR -5", "-EUR 5", "EUR-5", "\u{2212}5 EUR", "-5 €"],
        &["-5 $", "EUR -5 EUR", "-5 eur", "--5 EUR"],
    );
    judged(&task("number 0.5 unit \"km/h\""), &["0.5 km/h", ".5km/h"], &["km/h 0.5", "0.5 km"]);
    // A number as ever without it.
    judged(&task("number 40"), &["40", "$40", "40 €"], &["40%", "40 kg"]);
    // A text that carries the unit, in JSON; a cell, a line.
    judged(
        &task("json { share: 40 unit \"%\", n: 40 }"),
        &[r#"{"share": 40, "n": 40}"#, r#"{"share": "40%", "n": 40}"#, r#"{"share": "40.0 %", "n": 40}"#],
        &[r#"{"share": "40", "n": 40}"#, r#"{"share": "40%", "n": "40%"}"#, r#"{"share": "40 kg", "n": 40}"#],
    );
    judged(
        &task("list [10, 20, 30] unit \"kg\""),
        &["10 kg\n20\n30kg", "[10, \"20 kg\", 30]", "10, 20 kg, 30"],
        &["10 g\n20\n30", "10 kg\n20 kg"],
    );
    let rows = "csv t at \"t.csv\" { rows 2  K : serial } prompt \"Say each K of <<t>> as CSV.\" expect reply rows <<rows: SELECT K FROM t>> unit \"°C\"";
    judged(rows, &["K\n1\n2", "K\n2 °C\n1°C", "| K |\n|---|\n| 1 °C |\n| 2 |"], &["K\n1 °F\n2", "K\n1 °C\n1 °C"]);
    for body in [
        task("number 40 unit \"%\""),
        task("json { a: 1.5 unit \"kg\" rounded 1 }"),
        task("list [1, 2] unit \"m²\""),
        rows.to_owned(),
    ] {
        sound(&body.replace("Say <<a>>.", "Say <<a>>, `a`, `share`, with 1 decimal."));
    }
    // Where it says nothing, and what no unit can be.
    for value in [
        "text a unit \"%\"",
        "contains a unit \"%\"",
        "matches \"x+\" unit \"%\"",
        "json { a: a unit \"%\" }",
        "number 4 unit \"\"",
        "number 4 unit \" \"",
        "number 4 unit \"2\"",
        "number 4 unit \".5\"",
        "number 4 unit \"-x\"",
        "number 4 unit \"e5\"",
        "number 4 unit \"a\\nb\"",
        "number 4 unit \"<<a>>\"",
    ] {
        let found = codes(&task(value).replace("<<a>>.", "<<a>> as `a`."));
        assert!(
            matches!(found.as_slice(), [code] if code == "E0306" || code == "E0305" || code == "E0206"),
            "{value}: {found:?}"
        );
    }
}

/// An empty text is not an answer: nothing that is left would be right.
#[test]
fn b7_an_empty_text_is_not_an_answer() {
    for answer in [
        "reply text \"\"",
        "reply text \"  \"",
        "reply text none",
        "reply contains \"\"",
        "reply matches \"\"",
        "reply last line text \"\"",
        "reply text any_of [a, \"\"]",
        "reply text any_of blanks",
        "file \"a.txt\" text \"\"",
        "file \"a.txt\" text any_of [\"\", \"x\"]",
    ] {
        let body = format!(
            "a : word none = \"\" blanks = [\"x\", \"\"] prompt \"Say <<a>>, or <<none>> <<blanks>> in a.txt.\" expect {answer}"
        );
        let found = said(&body);
        assert_eq!(found.iter().map(|said| said[0].as_str()).collect::<Vec<_>>(), ["E0701"], "{found:#?}\n{body}");
        assert!(found[0][1].contains("empty"), "{found:#?}");
    }
    // Known when it is built: the build stops, and says where.
    let drawn = "kind : one_of [\"\", \"x\"] prompt \"Say <<kind>>, or nothing.\" expect reply text kind";
    let home = written(drawn);
    assert_eq!(codes(drawn), ["E0907"]);
    let built = run_picardc(home.path(), &["build", "s.pcd", "-o", "out", "--seed", "3", "--samples", "20"]);
    let told = built.err;
    assert_eq!(built.status.code(), Some(1), "{told}");
    assert!(told.contains("error[E0907]") && told.contains("task q, sample ") && told.contains("seed 3"), "{told}");
    assert!(!home.path().join("out").exists(), "nothing is half-written");
    // One of several accepted answers may be: the others are right.
    let body =
        "kind : one_of [\"\", \"x\"] prompt \"Say <<kind>>, or none.\" expect reply text any_of [kind, \"none\"]";
    let home = written(body);
    expect_success(home.path(), &["build", "s.pcd", "-o", "out", "--samples", "20", "--quiet"]);
    // Not where an empty text can be said.
    judged(
        "a : word prompt \"Say <<a>> as `x`.\" expect reply json { x: \"\" }",
        &[r#"{"x": ""}"#],
        &[r#"{"x": "y"}"#, ""],
    );
    judged("a : word prompt \"Say <<a>>.\" expect reply json \"\"", &["\"\""], &["", "x"]);
    judged("a : word prompt \"Say <<a>>.\" expect reply list []", &["[]", "```json\n[]\n```"], &["", "[1]", "none"]);
    judged("a : word prompt \"Say <<a>>.\" expect reply list [\"\", a]", &[], &["", "x"]);
    sound("a : word prompt \"Say <<a>>.\" expect reply list []");
    sound("a : word prompt \"Say <<a>>.\" expect reply list [\"\", a]");
    // Doing nothing is not right there, and nobody says so.
    assert_eq!(codes("a : word prompt \"Say <<a>>.\" expect reply list []"), Vec::<String>::new());
}

/// A declared table that an agent edits in place keeps its title, its last line, its marks for null, and its numbers; one that is written anew has none of it. Both are right.
#[test]
fn b8_a_table_that_is_edited_in_place_keeps_its_form() {
    let body = r##"table sales {
    rows 6
    ID   : serial
    AMT  : decimal 1000.00..9999.99
    NOTE : one_of ["a", "b"] blank 40%
  }
  csv book at "book.csv" OPTIONS above "Report\nof <<count(sales)>> sales" below "END" from sales {
    ID   = ID
    AMT  = AMT as written "#.##0,00"
    NOTE = NOTE as missing ["n/a", "?"]
  }
  require count(sales where NOTE == null and ID > 1) > 0
  prompt "Remove the row with ID 1 from <<book>>, which has the columns ID, AMT, and NOTE (`n/a` and `?` stand for no note)."
  expect file book rows <<rows: SELECT ID, AMT, NOTE FROM sales WHERE ID <> 1>>"##;
    for (options, delimiter) in [("", ","), ("delimiter \";\"", ";"), ("encoding \"utf-16le\" delimiter \"|\"", "|")] {
        let body = &body.replace("OPTIONS", options);
        let instance = instance(body);
        let Some(model::answer_key::Answer::One(model::Value::Rows(set))) = &instance.expects[0].answer else {
            panic!("no rows");
        };
        let german = |amount: &str| {
            let (whole, cents) = amount.split_once('.').expect("cents");
            format!("\"{}.{},{cents}\"", &whole[..1], &whole[1..])
        };
        let table = |edit: &dyn Fn(usize, &str) -> String| -> String {
            let rows = set.rows.iter().map(|row| {
                let cells = row.iter().enumerate().map(|(at, cell)| edit(at, &cell.render_text()));
                cells.collect::<Vec<_>>().join(delimiter) + "\n"
            });
            format!("{}\n{}", set.columns.join(delimiter), rows.collect::<String>())
        };
        let plain = table(&|_, cell| cell.to_owned());
        let kept = table(&|at, cell| match (at, cell) {
            (1, amount) => german(amount),
            (2, "") => "n/a".to_owned(),
            (_, cell) => cell.to_owned(),
        });
        let around = |table: &str| format!("Report\nof 6 sales\n{table}END\n");
        let other = |text: &str| text.replacen("n/a", "a", 1);
        let as_file = |text: &str| {
            let bytes = match options.contains("utf-16") {
                true => [0xfeff].into_iter().chain(text.encode_utf16()).flat_map(u16::to_le_bytes).collect(),
                false => text.as_bytes().to_vec(),
            };
            let files = vec![("book.csv".to_owned(), Captured::from_bytes(bytes))];
            let response = Response { id: instance.id.clone(), trial: 1, files, ..Response::default() };
            score::score_response(&instance, Some(&response), 1, &())
        };
        for right in [&plain, &kept, &around(&kept), &around(&plain), &around(&kept.replace("n/a", "?"))] {
            // Without lines around it, German numbers and marks are no form that the file has had.
            if *right == kept {
                assert!(!as_file(right).correct, "{options}\n{right}");
                continue;
            }
            let score = as_file(right);
            assert!(score.correct, "{options} should be right: {:?}\n{right}", score.verdicts);
        }
        let short = kept.lines().take(5).map(|line| format!("{line}\n")).collect::<String>();
        let wrong = [
            around(&other(&kept)),
            around(&short),
            around(&kept.replace(",", ",1")),
            plain.replacen("b", "a", 1) + "7",
        ];
        for wrong in wrong {
            assert!(!as_file(&wrong).correct, "{options} should be wrong\n{wrong}");
        }
        sound(body);
    }
    // Where nothing is declared but columns, nothing is told.
    let plain = r#"csv t at "t.csv" { rows 3 A : int 1..9 }
  prompt "Add 1 to each A of <<t>>" expect file t rows <<rows: SELECT A + 1 AS A FROM t>>"#;
    assert_eq!(instance(plain).expects[0].read, model::answer_key::Read::default());
}

/// Slips around the parts, matchers, and options of an expectation, with what is said to write instead.
#[test]
fn b9_slips_of_expectations_are_told_with_what_to_write() {
    let number = "n : int 1..50\n  prompt \"What is <<n>> + 1? Answer in [[ ]].\"\n  expect reply";
    let boxed = "n : int 1..50\n  prompt \"What is <<n>> + 1? Answer in \\\\boxed{}.\"\n  expect reply";
    let table = "csv t at \"t.csv\" { rows 3  A : serial  X : int 1..50 }\n  prompt \"What are A and X of <<t>>, by X? Write out.xlsx and o.txt, and change nothing else.\"\n  expect";
    for (body, code, help) in [
        (format!("{number} in \"[[\", \"]]\" number n + 1"), "E0101", "in \"[[\"..\"]]\""),
        (format!("{number} between \"[[\" and \"]]\" number n + 1"), "E0101", "in \"[[\"..\"]]\""),
        (format!("{number} number n + 1 text \"x\""), "E0101", "expect reply text …"),
        (format!("{number} number n + 1 rejects others, n"), "E0306", "rejects others rejects …"),
        (format!("{number} number n + 1 accepts [n + 1, n]"), "E0301", "separate them with commas"),
        (format!("{boxed} in boxed number n + 1"), "E0101", "before the answer and after it"),
        (format!("{boxed} in answer number n + 1"), "E0101", "name of the tag in quotes"),
        (format!("{boxed} in \"\\\\boxed\" number n + 1"), "E0307", "in \"\\\\boxed{\"..\"}\""),
        (format!("{boxed} in \"boxed\" number n + 1"), "W0239", "in \"\\\\boxed{\"..\"}\""),
        (format!("{table} file \"o.txt\" rows <<rows: SELECT A, X FROM t>> rounded X 2"), "E0101", "rounded 2 in X"),
        (format!("{table} file \"out.xlsx\" at \"B1\" number sum(t.A)"), "E0609", "\"Sheet1!B1\""),
        (format!("{table} file \"out.xlsx\" sheet \"S\" at \"S!B1\" number sum(t.A)"), "E0702", "at \"S!B7\""),
        (
            format!("{table} file \"o.txt\" number sum(t.X) expect tree unchanged except [\"out.xlsx\"]"),
            "W0322",
            "except [\"out.xlsx\", \"o.txt\"]",
        ),
        (
            format!("{table} file \"o.txt\" number sum(t.X) expect tree unchanged except [\"*.txt\"]"),
            "E0501",
            "paths have no wildcards",
        ),
        (
            format!("{table} file \"o.txt\" rows <<rows: SELECT A, X FROM t ORDER BY X DESC>> ordered by X"),
            "E0903",
            "`desc` after a column",
        ),
    ] {
        let all = said(&body);
        assert!(
            all.iter().any(|[told, _, _, with]| told == code && with.contains(help)),
            "{code} {help}\n{body}\n{all:?}"
        );
    }
}
