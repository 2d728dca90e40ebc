//! What is read of the sandbox, SQL on its databases, and how verdicts make a score.

use super::common::{Files, files, instance, reply, scored, text, word};
use records::{Captured, Response, Status};
use rusqlite::Connection;
use score::score_response;
use serde_json::{Value as Json, json};

fn one(expect: &Json, found: Captured, start: &Files) -> String {
    word(&scored(expect, &files(&[("a.txt", found)]), start).verdicts[0])
}

#[test]
fn files_are_read() {
    let none = Files::new();
    let number = json!({"subject": {"file": "a.txt"}, "match": "number", "value": 5});
    assert_eq!(one(&number, text("\u{FEFF}5\r\n"), &none), "right");
    assert_eq!(one(&number, text("<think>5</think>5"), &none), "not_a_number");
    assert_eq!(one(&number, text("\n"), &none), "empty");
    assert_eq!(one(&number, Captured::Absent, &none), "no_file");
    assert_eq!(one(&number, Captured::Folder, &none), "wrong_kind");
    assert_eq!(one(&number, Captured::TooLarge { size: 1 << 40 }, &none), "too_large");
    assert_eq!(one(&number, Captured::from_bytes(vec![0xFF, 0xFE, 0x35]), &none), "not_text");
    assert_eq!(word(&scored(&number, &reply("5"), &none).verdicts[0]), "no_file");
    let fenced = json!({"subject": {"file": "a.txt"}, "match": "json", "value": {"a": 1}});
    assert_eq!(one(&fenced, text("```json\n{\"a\": 1}\n```"), &none), "not_json");
}

#[test]
fn what_stands_at_a_path() {
    let expect = |matcher: &str| json!({"subject": {"file": "a.txt"}, "match": matcher});
    let before = Files::from([("a.txt".to_owned(), b"as it was\r\n".to_vec())]);
    let none = Files::new();
    assert_eq!(one(&expect("exists"), text(""), &none), "right");
    assert_eq!(one(&expect("exists"), Captured::Folder, &none), "wrong_kind");
    assert_eq!(one(&expect("exists"), Captured::Absent, &none), "no_file");
    assert_eq!(one(&expect("absent"), Captured::Absent, &before), "right");
    assert_eq!(one(&expect("absent"), Captured::Folder, &before), "present");
    assert_eq!(one(&expect("unchanged"), text("as it was\r\n"), &before), "right");
    assert_eq!(one(&expect("unchanged"), text("as it was\n"), &before), "changed");
    assert_eq!(one(&expect("unchanged"), Captured::Absent, &before), "no_file");
    assert_eq!(one(&expect("unchanged"), Captured::TooLarge { size: 3 }, &before), "changed");
    assert_eq!(one(&expect("unchanged"), Captured::TooLarge { size: 11 }, &before), "too_large");
    let bytes = Files::from([("a.txt".to_owned(), vec![0xFF, 0])]);
    assert_eq!(one(&expect("unchanged"), Captured::from_bytes(vec![0xFF, 0]), &bytes), "right");
    assert_eq!(one(&expect("unchanged"), Captured::from_bytes(vec![0xFF, 1]), &bytes), "changed");
}

#[test]
fn files_and_trees() {
    let there = files(&[("a.txt", text("")), ("log/", Captured::Folder), ("log/b.txt", text("x"))]);
    let none = Files::new();
    let all = |subject: Json| word(&scored(&json!({"subject": subject, "match": "exists"}), &there, &none).verdicts[0]);
    assert_eq!(all(json!({"files": ["a.txt", "log/b.txt"]})), "right");
    assert_eq!(all(json!({"files": ["a.txt", "c.txt"]})), "no_file");
    assert_eq!(all(json!({"files": ["log/"]})), "right", "a folder is a folder");
    assert_eq!(all(json!({"tree": ["log/", "a.txt"]})), "right");
    assert_eq!(all(json!({"tree": ["a.txt", "log/", "d/"]})), "no_file");
    let wrong = files(&[("a.txt", Captured::Folder), ("log/", text(""))]);
    let verdicts = scored(&json!({"subject": {"tree": ["a.txt", "log/"]}, "match": "exists"}), &wrong, &none).verdicts;
    assert_eq!(word(&verdicts[0]), "wrong_kind");
    let told: Vec<String> =
        verdicts[0].differences.iter().map(|d| format!("{} {} {}", d.at, d.expected, d.got)).collect();
    assert_eq!(told, ["/0 the file a.txt a folder", "/1 the folder log/ a file"]);
}

fn database() -> Files {
    sqlite::init_process().expect("SQLite");
    let mut connection = Connection::open_in_memory().expect("SQLite");
    connection
        .execute_batch("CREATE TABLE t(a INTEGER, b REAL, c TEXT); INSERT INTO t VALUES (1, 0.1, 'x'), (2, 0.2, 'y'), (3, 0.3, NULL);")
        .expect("a table");
    Files::from([("t.db".to_owned(), connection.serialize("main").expect("bytes").to_vec())])
}

#[test]
fn queries_run_on_the_starting_database() {
    let start = database();
    let sql = |value: Json, options: Json, query: &str| {
        let expect =
            json!({"subject": "reply", "match": "sql", "database": "t.db", "value": value, "options": {"": options}});
        let verdict = scored(&expect, &reply(query), &start).verdicts.remove(0);
        (word(&verdict), verdict.differences.first().map(|first| first.got.clone()).unwrap_or_default())
    };
    let pairs = json!({"columns": ["a", "c"], "rows": [[1, "x"], [2, "y"], [3, null]]});
    let right = |query: &str| sql(pairs.clone(), json!({}), query);
    assert_eq!(right("SELECT a, c FROM t ORDER BY a DESC").0, "right");
    assert_eq!(right("```sql\nSELECT a, c FROM t;\n```").0, "right");
    assert_eq!(right("SELECT a, coalesce(c, '') FROM t").0, "differs");
    assert_eq!(right("SELECT c, a FROM t").0, "differs");
    assert_eq!(right("SELECT * FROM t"), ("differs".into(), "3 columns".into()));
    assert_eq!(sql(pairs.clone(), json!({"ordered": true}), "SELECT a, c FROM t ORDER BY a DESC").0, "differs");
    assert_eq!(right("SELECT nope FROM t"), ("sql_error".into(), "no such column: nope".into()));
    assert_eq!(right("SELEC 1"), ("sql_error".into(), "near \"SELEC\": syntax error".into()));
    assert_eq!(right("SELECT 1; SELECT 2"), ("sql_error".into(), "it is more than one statement".into()));
    assert_eq!(right("DROP TABLE t"), ("sql_error".into(), "only a query that reads is run".into()));
    assert_eq!(right("DELETE FROM t RETURNING a, c").0, "sql_error");
    assert_eq!(right("ATTACH 'x.db' AS x"), ("sql_error".into(), "ATTACH and VACUUM are not available here".into()));
    assert_eq!(right("PRAGMA table_info(t)"), ("sql_error".into(), "`PRAGMA table_info` is not available here".into()));
    assert_eq!(right("SELECT * FROM pragma_table_info('t')").0, "sql_error");
    assert_eq!(right("VACUUM INTO 'x.db'").0, "sql_error");
    assert_eq!(right("BEGIN").0, "sql_error");
    assert_eq!(right("SELECT load_extension('x')").0, "sql_error");
    assert_eq!(right("SELECT a, c FROM t ORDER BY random()").0, "sql_error");
    assert_eq!(right("-- nothing").0, "sql_error");
    let endless = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT i FROM n";
    assert_eq!(right(endless), ("sql_limit".into(), "it returns more values than could be right".into()));
    assert_eq!(right("SELECT zeroblob(100000000)").0, "sql_limit");
    // A double is right within its noise, also where the key is a decimal.
    let sum = json!({"columns": ["s"], "rows": [[{"decimal": "0.6"}]]});
    assert_eq!(sql(sum.clone(), json!({}), "SELECT SUM(b) FROM t").0, "right");
    assert_eq!(sql(sum, json!({}), "SELECT 0.6001").0, "differs");
    let truth = json!({"columns": ["s"], "rows": [[true]]});
    assert_eq!(sql(truth, json!({}), "SELECT 1 < 2").0, "right");
    let lost = json!({"subject": "reply", "match": "sql", "database": "no.db", "value": pairs});
    assert_eq!(word(&scored(&lost, &reply("SELECT 1"), &start).verdicts[0]), "bad_key");
}

#[test]
fn a_query_that_does_not_end_is_stopped_by_its_steps() {
    let start = database();
    let expect =
        json!({"subject": "reply", "match": "sql", "database": "t.db", "value": {"columns": ["a"], "rows": []}});
    let endless = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n";
    let verdict = scored(&expect, &reply(endless), &start).verdicts.remove(0);
    assert_eq!(verdict.differences[0].got, "it exceeds 200 million steps");
}

#[test]
fn verdicts_make_a_score() {
    let expect = |weight: f64, gate: bool, word: &str| json!({"subject": "reply", "match": "contains", "value": word, "weight": weight, "gate": gate});
    let of = |expects: Json, said: &str| {
        let score = scored(&expects, &reply(said), &Files::new());
        (score.correct, score.score)
    };
    let two = json!([expect(1.0, false, "a"), expect(3.0, false, "b")]);
    assert_eq!(of(two.clone(), "a b"), (true, 1.0));
    assert_eq!(of(two.clone(), "a"), (false, 0.25));
    assert_eq!(of(two.clone(), "b"), (false, 0.75));
    assert_eq!(of(json!([expect(1.0, true, "a"), expect(3.0, false, "b")]), "b"), (false, 0.0));
    // A gate is open only where it is full: part of a list is not enough.
    let list = json!({"subject": "reply", "match": "list", "value": ["a", "b"], "gate": true});
    assert_eq!(of(json!([list]), "a"), (false, 0.0));
    for status in [Status::Timeout, Status::Failed] {
        let response = Response { status, ..reply("a b") };
        let score = scored(&two, &response, &Files::new());
        assert_eq!((score.correct, score.score, score.status), (false, 0.0, status));
        assert!(score.verdicts.iter().all(|verdict| word(verdict) == "no_response"));
    }
    assert!(scored(&two, &Response { status: Status::MaxRounds, ..reply("a b") }, &Files::new()).correct);
    let missing = score_response(&instance(&two), None, 2, &());
    assert_eq!((missing.status, missing.trial, missing.score, missing.wall_ms), (Status::Missing, 2, 0.0, None));
}

#[test]
fn a_database_that_asks_for_a_log_is_read_too() {
    let mut start = database();
    let bytes = start.get_mut("t.db").expect("a database");
    bytes[18..20].fill(2);
    let expect =
        json!({"subject": "reply", "match": "sql", "database": "t.db", "value": {"columns": ["n"], "rows": [[3]]}});
    assert_eq!(word(&scored(&expect, &reply("SELECT count(*) FROM t"), &start).verdicts[0]), "right");
    // What is no database is the suite's fault.
    start.insert("t.db".to_owned(), b"no database at all, but a text of some length".to_vec());
    assert_eq!(word(&scored(&expect, &reply("SELECT count(*) FROM t"), &start).verdicts[0]), "bad_key");
}
