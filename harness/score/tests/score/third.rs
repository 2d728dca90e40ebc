//! What scorer 3 changes: texts of which nothing is left, files in an encoding, databases that are unchanged.

use model::Scorer;
use model::wrapping::list_unwrapped;
use proptest::prelude::*;
use records::{Captured, Reason, Verdict};
use rusqlite::Connection;
use score::score_response;
use serde_json::{Value as Json, json};
use tables::Encoding;

use super::common::{Files, files, instance_of, reply, text};

fn verdict(scorer: u64, expect: &Json, response: &records::Response, start: &Files) -> Verdict {
    score_response(&instance_of(expect, scorer), Some(response), 1, start).verdicts.remove(0)
}

fn is_right(scorer: u64, expect: &Json, response: &records::Response) -> bool {
    verdict(scorer, expect, response, &Files::new()).reason == Reason::Right
}

/// What `ignore` leaves of a text of ASCII, worked out in another way than the scorer does.
fn left(text: &str, kinds: &[&str]) -> String {
    let has = |kind: &str| kinds.contains(&kind);
    let kept = |char: &char| {
        !(has("space") && char.is_ascii_whitespace() || has("punctuation") && char.is_ascii_punctuation())
    };
    let left: String = text.chars().filter(kept).collect();
    let left = if has("case") { left.to_ascii_lowercase() } else { left };
    let left = if has("punctuation") { left.trim().to_owned() } else { left };
    if left.is_empty() { text.to_owned() } else { left }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(4000))]

    /// A reply is right exactly where it is equal under the rules, as a text, an item, a cell, and a value of JSON.
    #[test]
    fn a_text_of_which_nothing_is_left_is_itself(
        expected in "[aAbC+#*.! -]{1,5}", said in "[aAbC+#*.! -]{1,5}", same in any::<bool>(),
        kinds in prop::sample::subsequence(vec!["case", "space", "punctuation"], 1..=3),
    ) {
        let (expected, said) = (expected.trim(), if same { expected.trim() } else { said.trim() });
        prop_assume!(!expected.is_empty() && !said.is_empty());
        let equal = left(expected, &kinds) == left(said, &kinds);
        // A whole reply is read without the marks around it, too; a text of JSON is not.
        let plain = list_unwrapped(said).iter().any(|plain| left(expected, &kinds) == left(plain, &kinds));
        let quoted = Json::from(said).to_string();
        let key = |matcher: &str, value: Json| json!({"subject": "reply", "match": matcher, "value": value, "options": {"": {"ignore": kinds}}});
        for (expect, text, equal) in [
            (key("text", expected.into()), said.to_owned(), equal || plain),
            (key("json", json!({ "a": expected })), format!("{{\"a\": {quoted}}}"), equal),
            (key("list", json!([expected])), format!("[{quoted}]"), equal),
            (key("rows", json!({"columns": ["A"], "rows": [[expected]]})), format!("[[{quoted}]]"), equal),
        ] {
            prop_assert_eq!(is_right(3, &expect, &reply(&text)), equal, "{} {}", expect, text);
        }
    }

    /// A text that is sought for is found where it is, also if it has nothing but what is ignored.
    #[test]
    fn marks_alone_are_found_as_they_are(mark in "[+#*!]{1,3}", before in "[a-z ]{0,5}", after in "[a-z ]{0,5}") {
        let expect = json!({"subject": "reply", "match": "contains", "value": mark, "options": {"": {"ignore": ["punctuation"]}}});
        let (with, without) = (reply(&format!("x {before}{mark}{after}")), reply(&format!("x {before} {after}")));
        prop_assert!(is_right(3, &expect, &with));
        prop_assert!(!is_right(2, &expect, &with), "no reply was right before");
        prop_assert!(!is_right(3, &expect, &without));
    }

    /// The bytes and the text of a file are in its encoding; the same text as UTF-8 is another file.
    #[test]
    fn a_file_is_read_in_its_encoding(
        encoding in prop::sample::select(Encoding::ALL.to_vec()), body in "[a-zA-Z ,.\n]{0,12}", letters in "[éüßñø]{1,4}", tail in "[a-z\r\n]{0,4}",
    ) {
        let content = format!("{body} {letters}\n{tail}");
        let own = encoding.encode(&content).expect("letters of Latin").into_owned();
        let as_utf8 = content.clone().into_bytes();
        let of = |matcher: &str, value: &str| {
            let mut expect = json!({"subject": {"file": "a.txt"}, "match": matcher, "value": value});
            if encoding != Encoding::Utf8 {
                expect["read"] = json!({"encoding": encoding.word()});
            }
            expect
        };
        let left = |bytes: &[u8]| files(&[("a.txt", Captured::from_bytes(bytes.to_vec()))]);
        for (expect, is_exact) in [(of("bytes", &content), true), (of("text", &content), true), (of("contains", &letters), false)] {
            prop_assert!(is_right(3, &expect, &left(&own)), "{} {}", expect, content);
            if encoding != Encoding::Utf8 && is_exact {
                prop_assert!(!is_right(3, &expect, &left(&as_utf8)), "{} {}", expect, content);
                prop_assert!(is_right(2, &expect, &left(&as_utf8)), "as it was: {} {}", expect, content);
            }
        }
        if matches!(encoding, Encoding::Utf16Le | Encoding::Utf16Be) {
            prop_assert_eq!(verdict(3, &of("text", &content), &left(b"x"), &Files::new()).reason, Reason::NotText);
        }
    }
}

/// A database with everything that a schema can have.
const SHOP: &str = "CREATE TABLE items(ID INTEGER PRIMARY KEY AUTOINCREMENT, NAME TEXT NOT NULL, PRICE REAL, DATA BLOB, N); \
    CREATE INDEX by_name ON items(NAME); CREATE TABLE log(AT TEXT, WHAT); CREATE VIEW cheap AS SELECT * FROM items WHERE PRICE < 2; \
    CREATE TRIGGER logged AFTER UPDATE OF ID ON items BEGIN INSERT INTO log VALUES ('now', new.NAME); END; \
    INSERT INTO items(NAME, PRICE, DATA, N) VALUES ('pen', 1.5, x'00ff', 5), ('ink', 99.0, NULL, 'a'), ('cap', 0.1, x'', 7); \
    INSERT INTO log VALUES ('x', 1), ('x', 1), ('y', NULL); PRAGMA user_version = 7; PRAGMA application_id = 9; ANALYZE; DELETE FROM log WHERE AT = 'y';";

fn database(script: &str) -> Vec<u8> {
    sqlite::init_process().expect("SQLite");
    let mut connection = Connection::open_in_memory().expect("SQLite");
    connection.execute_batch(script).expect("a script");
    connection.serialize("main").expect("bytes").to_vec()
}

/// A database after a script, as files on disk: the database, its log, and its journal.
fn on_disk(before: &[u8], script: &str, name: &str, closes: bool) -> Vec<(String, Captured)> {
    let path = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("third-{name}.db"));
    let beside = |end: &str| std::path::PathBuf::from(format!("{}{end}", path.display()));
    for end in ["", "-wal", "-shm", "-journal"] {
        let _ = std::fs::remove_file(beside(end));
    }
    std::fs::write(&path, before).expect("written");
    let connection = Connection::open(&path).expect("opened");
    connection.execute_batch(script).expect("a script");
    if closes {
        connection.close().expect("closed");
    } else {
        // As a program that is killed: nothing is moved from the log to the database.
        std::mem::forget(connection);
    }
    let found = |end: &str| match std::fs::read(beside(end)) {
        Ok(bytes) => Captured::from_bytes(bytes),
        Err(_) => Captured::Absent,
    };
    ["", "-wal", "-journal"].map(|end| (format!("shop.db{end}"), found(end))).to_vec()
}

fn unchanged(scorer: u64, before: &[u8], left: Vec<(String, Captured)>) -> Verdict {
    let expect = json!({"subject": {"file": "shop.db"}, "match": "unchanged", "read": {"database": true}});
    let start = Files::from([("shop.db".to_owned(), before.to_vec())]);
    verdict(scorer, &expect, &records::Response { files: left, ..reply("") }, &start)
}

/// What leaves rows and schema as they are.
const TOUCHES: [&str; 40] = [
    "SELECT * FROM items",
    "PRAGMA journal_mode = WAL",
    "PRAGMA journal_mode = WAL; SELECT count(*) FROM log",
    "PRAGMA journal_mode = PERSIST",
    "PRAGMA journal_mode = TRUNCATE",
    "PRAGMA journal_mode = MEMORY",
    "VACUUM",
    "VACUUM; VACUUM",
    "PRAGMA page_size = 8192; VACUUM",
    "PRAGMA page_size = 512; VACUUM",
    "PRAGMA auto_vacuum = FULL; VACUUM",
    "PRAGMA auto_vacuum = INCREMENTAL; VACUUM; PRAGMA incremental_vacuum",
    "ANALYZE",
    "ANALYZE items",
    "ANALYZE; VACUUM",
    "PRAGMA optimize",
    "REINDEX",
    "REINDEX by_name",
    "PRAGMA integrity_check",
    "PRAGMA quick_check",
    "PRAGMA wal_checkpoint",
    "BEGIN; SELECT 1; COMMIT",
    "BEGIN IMMEDIATE; ROLLBACK",
    "BEGIN; DELETE FROM items; ROLLBACK",
    "BEGIN; CREATE TABLE t(a); ROLLBACK",
    "SAVEPOINT s; UPDATE items SET N = 0; ROLLBACK TO s; RELEASE s",
    "CREATE TEMP TABLE t AS SELECT * FROM items",
    "UPDATE items SET N = 1 WHERE ID = 99",
    "DELETE FROM items WHERE ID = 99",
    "CREATE TABLE IF NOT EXISTS items(x)",
    "CREATE TABLE t(a); DROP TABLE t",
    "CREATE INDEX i ON log(AT); DROP INDEX i",
    "INSERT INTO log VALUES ('z', 1); DELETE FROM log WHERE AT = 'z'",
    "DELETE FROM log; INSERT INTO log VALUES ('x', 1), ('x', 1)",
    "PRAGMA cache_size = 10",
    "PRAGMA synchronous = OFF; VACUUM",
    "PRAGMA user_version = 8; PRAGMA user_version = 7",
    "DROP VIEW cheap; CREATE VIEW cheap AS SELECT * FROM items WHERE PRICE < 2",
    "PRAGMA journal_mode = WAL; VACUUM; PRAGMA journal_mode = DELETE",
    "DROP INDEX by_name; CREATE INDEX by_name ON items(NAME)",
];

/// What changes a row or the schema.
const CHANGES: [&str; 40] = [
    "UPDATE items SET N = 6 WHERE ID = 1",
    "UPDATE items SET PRICE = 1.5000000000000002 WHERE ID = 1",
    "UPDATE items SET N = 5.0 WHERE ID = 1",
    "UPDATE items SET N = '5' WHERE ID = 1",
    "UPDATE items SET NAME = 'Pen' WHERE ID = 1",
    "UPDATE items SET NAME = 'pen ' WHERE ID = 1",
    "UPDATE items SET DATA = x'00fe' WHERE ID = 1",
    "UPDATE items SET DATA = x'' WHERE ID = 2",
    "UPDATE items SET DATA = NULL WHERE ID = 3",
    "UPDATE items SET N = NULL WHERE ID = 3",
    "UPDATE items SET ID = 9 WHERE ID = 3",
    "DELETE FROM items WHERE ID = 3",
    "DELETE FROM items",
    "INSERT INTO items(NAME) VALUES ('new')",
    "INSERT INTO items(NAME) VALUES ('new'); DELETE FROM items WHERE NAME = 'new'",
    "INSERT INTO log VALUES ('x', 1)",
    "DELETE FROM log WHERE rowid = 1",
    "UPDATE log SET WHAT = 2 WHERE rowid = 1",
    "CREATE TABLE more(a)",
    "DROP TABLE log",
    "ALTER TABLE log RENAME TO logs",
    "ALTER TABLE log ADD COLUMN MORE",
    "ALTER TABLE log RENAME COLUMN WHAT TO THING",
    "ALTER TABLE log DROP COLUMN WHAT",
    "DROP VIEW cheap",
    "CREATE VIEW dear AS SELECT * FROM items",
    "DROP VIEW cheap; CREATE VIEW cheap AS SELECT * FROM items WHERE PRICE < 3",
    "DROP TRIGGER logged",
    "CREATE TRIGGER more AFTER INSERT ON log BEGIN DELETE FROM log; END",
    "DROP TRIGGER logged; CREATE TRIGGER logged AFTER UPDATE OF ID ON items BEGIN INSERT INTO log VALUES ('then', new.NAME); END",
    "DROP INDEX by_name",
    "CREATE INDEX more ON log(AT)",
    "DROP INDEX by_name; CREATE UNIQUE INDEX by_name ON items(NAME)",
    "PRAGMA user_version = 8",
    "PRAGMA application_id = 10",
    "UPDATE items SET PRICE = 99.00000000000001 WHERE ID = 2",
    "PRAGMA journal_mode = WAL; UPDATE items SET N = 6 WHERE ID = 1",
    "UPDATE sqlite_sequence SET seq = 50",
    "VACUUM; DELETE FROM log WHERE rowid = 1",
    "UPDATE items SET NAME = char(233) WHERE ID = 1",
];

#[test]
fn a_database_is_unchanged_where_its_rows_and_its_schema_are() {
    let before = database(SHOP);
    let mut wrong = Vec::new();
    let mut moved = 0;
    for (scripts, expected) in [(TOUCHES, Reason::Right), (CHANGES, Reason::Changed)] {
        for (at, script) in scripts.iter().enumerate() {
            for closes in [true, false] {
                let left = on_disk(&before, script, &format!("{expected:?}-{at}-{closes}"), closes);
                let found = unchanged(3, &before, left.clone());
                if found.reason != expected {
                    wrong.push(format!("{script} ({closes}): {:?} {:?}", found.reason, found.differences));
                }
                let is_same = left[0].1.to_bytes().as_deref() == Some(&*before);
                let older = unchanged(2, &before, left).reason;
                assert_eq!(older, if is_same { Reason::Right } else { Reason::Changed }, "as it was: {script}");
                moved += usize::from(older != found.reason);
            }
        }
    }
    assert!(wrong.is_empty(), "{} of 160\n{}", wrong.len(), wrong.join("\n"));
    assert!(moved >= 20, "{moved}");
}

#[test]
fn what_is_no_database_is_compared_as_bytes() {
    let before = database(SHOP);
    let one = |found: Captured| unchanged(3, &before, vec![("shop.db".to_owned(), found)]).reason;
    assert_eq!(one(Captured::Absent), Reason::NoFile);
    assert_eq!(one(Captured::Folder), Reason::WrongKind);
    assert_eq!(one(text("not a database")), Reason::Changed);
    assert_eq!(one(Captured::from_bytes(before[..before.len() / 2].to_vec())), Reason::Changed);
    assert_eq!(one(Captured::TooLarge { size: before.len() as u64 }), Reason::TooLarge);
    // Broken at the start: nobody can say what its rows were.
    let broken: Vec<u8> = before.iter().take(5000).copied().collect();
    assert_eq!(
        unchanged(3, &broken, vec![("shop.db".to_owned(), Captured::from_bytes(broken.clone()))]).reason,
        Reason::Right
    );
    assert_eq!(
        unchanged(3, &broken, vec![("shop.db".to_owned(), Captured::from_bytes(before.clone()))]).reason,
        Reason::Changed
    );
    // A text that was no database is none, whatever its name.
    let plain = b"plain".to_vec();
    assert_eq!(
        unchanged(3, &plain, vec![("shop.db".to_owned(), Captured::from_bytes(plain.clone()))]).reason,
        Reason::Right
    );
    assert_eq!(unchanged(3, &plain, vec![("shop.db".to_owned(), text("plain\n"))]).reason, Reason::Changed);
}

/// What noise of doubles a state forgives, by the type of the cell.
#[test]
fn noise_is_forgiven_in_numbers_and_in_nothing_else() {
    let before = database("CREATE TABLE t(ID INTEGER PRIMARY KEY, V); INSERT INTO t VALUES (1, 'start')");
    let bag = database("CREATE TABLE t(V); INSERT INTO t VALUES ('start')");
    // The goal, what is left, and whether that is right.
    let cases = [
        // A number that is computed with doubles where an int is expected.
        (json!(12), "12.0000000000001", true),
        (json!(12), "11.9999999999999", true),
        (json!(12), "12.0", true),
        (json!(12), "12.0001", false),
        (json!(12), "13", false),
        (json!(12), "'12'", false),
        (json!(0), "0.0000000001", false),
        (json!(0), "0.0", true),
        // Two ints are never near.
        (json!(1_000_000_000_000_i64), "1000000000001", false),
        (json!(1_000_000_000_000_i64), "1000000000000.0001", true),
        // Fractions.
        (json!(0.3), "0.1 + 0.2", true),
        (json!(0.3), "0.30000001", false),
        (json!(12.5), "12.5", true),
        (json!(12.5), "12", false),
        (json!(11.999_999_999_999_9), "12", true),
        (json!(0.1), "'0.1'", false),
        // Texts and blobs to the byte, NULL as itself.
        (json!("12"), "'12.0000000000001'", false),
        (json!("12"), "12", false),
        (json!("12"), "'12'", true),
        (json!("12"), "'12 '", false),
        (json!({"blob": "AP8="}), "x'00ff'", true),
        (json!({"blob": "AP8="}), "x'00fe'", false),
        (json!({"blob": "MTI="}), "'12'", false),
        (Json::Null, "NULL", true),
        (Json::Null, "0", false),
        (Json::Null, "''", false),
    ];
    for (goal, left, right) in cases {
        for (before, columns, key, old, new, prefix) in [
            (&before, json!(["ID", "V"]), json!(["ID"]), json!([1, "start"]), json!([1, goal]), "UPDATE t SET V = "),
            (&bag, json!(["V"]), json!([]), json!(["start"]), json!([goal]), "UPDATE t SET V = "),
        ] {
            let expect = json!({"subject": {"file": "shop.db"}, "match": "database", "value": {"tables": [
                {"name": "t", "columns": columns, "key": key, "removed": [old], "added": [new]}]}});
            let start = Files::from([("shop.db".to_owned(), before.clone())]);
            let mut connection = Connection::open_in_memory().expect("SQLite");
            connection.deserialize_read_exact("main", before.as_slice(), before.len(), false).expect("a database");
            connection.execute_batch(&format!("{prefix}{left}")).expect("an update");
            let left_bytes = connection.serialize("main").expect("bytes").to_vec();
            let response = files(&[("shop.db", Captured::from_bytes(left_bytes))]);
            for scorer in Scorer::ALL.iter().map(|scorer| u64::from(scorer.number())).skip(1) {
                let found = verdict(scorer, &expect, &response, &start);
                assert_eq!(
                    found.reason == Reason::Right,
                    right,
                    "{goal} {left} {key} {scorer}: {:?}",
                    found.differences
                );
            }
        }
    }
}

/// A cell that is expected, the one that is left, and whether it is right.
type CellCase = (Json, &'static str, bool);

/// What the page of scoring says of cells, by the type of the expected one: a row of its table or a sentence, the cells that are expected and left, and
/// whether the cell is right.
fn list_cells_of_the_page() -> Vec<(&'static str, Vec<CellCase>)> {
    let million_millions = json!(1_000_000_000_000_i64);
    vec![
        (
            "| a whole number: 12, or 12.0 in any column | the same whole number, as INTEGER or REAL; or a REAL with a fraction at most 10⁻⁹ of 12 away, and at most half a unit: 12.0000000000001 is 12 that was computed with doubles |",
            vec![
                (json!(12), "12", true),
                (json!(12), "12.0", true),
                (json!(12), "12.0000000000001", true),
                (json!(12), "11.9999999999999", true),
                (json!(12), "12.0000001", false),
                (json!(12.0), "12", true),
                (json!(12.0), "12.0", true),
                (json!(12.0), "12.0000000000001", true),
                (json!(12.0), "12.0000001", false),
                (million_millions.clone(), "1000000000000.25", true),
                (million_millions.clone(), "1000000000000.75", false),
            ],
        ),
        (
            "| a fraction: 0.3 | a number at most 10⁻⁹ of its size away, as INTEGER or REAL |",
            vec![
                (json!(0.3), "0.1 + 0.2", true),
                (json!(0.3), "0.3000001", false),
                (json!(11.999_999_999_999_9), "12", true),
            ],
        ),
        (
            "| a string, also one of digits: `12` | the same string, character by character: `12.0000000000001` and `12.0` differ, and so does the number 12 |",
            vec![
                (json!("12"), "'12'", true),
                (json!("12"), "'12.0000000000001'", false),
                (json!("12"), "'12.0'", false),
                (json!("12"), "12", false),
            ],
        ),
        (
            "| a blob | the same bytes |",
            vec![(json!({"blob": "AP8="}), "x'00ff'", true), (json!({"blob": "AP8="}), "x'00fe'", false)],
        ),
        ("| NULL | NULL |", vec![(Json::Null, "NULL", true), (Json::Null, "0", false), (Json::Null, "''", false)]),
        (
            "Two whole numbers are never near: 1000000000001 is not 1000000000000.",
            vec![(million_millions.clone(), "1000000000001", false), (million_millions, "1000000000000", true)],
        ),
    ]
}

/// V19: what the page says of each type of cell is so, and it says nothing else. The other expected change is always made, so that a wrong cell is `partial`.
#[test]
fn the_page_of_scoring_is_right_about_cells() {
    let page = include_str!("../../../../docs/src/reference/scoring.md");
    let before = database("CREATE TABLE t(ID INTEGER PRIMARY KEY, V); INSERT INTO t VALUES (1, 'start'), (2, 'start')");
    let keyed = database("CREATE TABLE t(ID PRIMARY KEY NOT NULL, V); INSERT INTO t VALUES (1, 'start'), (2, 'start')");
    let judge = |before: &Vec<u8>, added: Json, script: &str| {
        let expect = json!({"subject": {"file": "shop.db"}, "match": "database", "value": {"tables": [
            {"name": "t", "columns": ["ID", "V"], "key": ["ID"], "removed": [[1, "start"], [2, "start"]], "added": added}]}});
        let start = Files::from([("shop.db".to_owned(), before.clone())]);
        let mut connection = Connection::open_in_memory().expect("SQLite");
        connection.deserialize_read_exact("main", before.as_slice(), before.len(), false).expect("a database");
        connection.execute_batch(&format!("UPDATE t SET V = 'end' WHERE ID = 2; {script}")).expect("an update");
        let left = connection.serialize("main").expect("bytes").to_vec();
        let response = files(&[("shop.db", Captured::from_bytes(left))]);
        verdict(u64::from(Scorer::ALL.last().expect("a scorer").number()), &expect, &response, &start)
    };
    let mut rows: Vec<&str> = Vec::new();
    for (sentence, cells) in list_cells_of_the_page() {
        assert!(page.contains(sentence), "the page does not say: {sentence}");
        rows.push(sentence);
        for (goal, left, right) in cells {
            let found =
                judge(&before, json!([[1, goal], [2, "end"]]), &format!("UPDATE t SET V = {left} WHERE ID = 1"));
            let wanted = if right { Reason::Right } else { Reason::Partial };
            assert_eq!(found.reason, wanted, "{sentence}\n{goal} {left}: {:?}", found.differences);
        }
    }
    let key = "| a key | the same value, exactly: keys decide which row is which |";
    assert!(page.contains(key));
    rows.push(key);
    for (left, right) in [("1", true), ("1.0000000000001", false), ("'1'", false), ("2e9", false)] {
        let added = json!([[1, "new"], [2, "end"]]);
        let found = judge(&keyed, added, &format!("UPDATE t SET V = 'new', ID = {left} WHERE ID = 1"));
        assert_eq!(
            found.reason,
            if right { Reason::Right } else { Reason::Partial },
            "{left}: {:?}",
            found.differences
        );
    }
    let table = page.split_once("| expected cell |").expect("the table").1.split_once("\n\n").expect("its end").0;
    for row in table.lines().skip(2) {
        assert!(rows.contains(&row), "no case for the row: {row}");
    }
}
