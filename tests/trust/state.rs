//! B1: what an agent leaves of a database is compared with what it should leave.

use std::path::Path;
use std::process::Command;

use records::{Bundle, Captured, Instance, Reason, Response, Score};
use rusqlite::Connection;
use serde_json::Value as Json;
use tempfile::TempDir;
use testing::{CommandOutput, create_folder, expect_success, run_picardc, write_in_folder};

/// A shop with items that are known by a number, orders that refer to them, and notes without any key.
const SHOP: &str = r#"
  sqlite shop at "shop.db" {
    table items { rows 12  ID : serial  NAME : unique word  PRICE : decimal 1.00..99.99  STOCK : int 1..50 }
    table orders { rows 20  OID : serial  ITEM : ref items.ID  QTY : int 1..9 }
    table notes { rows 8  TAG : one_of ["a", "b"]  SCORE : int 1..3 }
  }
"#;

fn suite(task: &str) -> String {
    testing::build_suite_source("samples 3", task)
}

/// The usual task: prices below 50 go up, one order goes, one note comes.
const TASK: &str = r#"
  oid : ref shop.orders.OID
  goal = <<after: shop, UPDATE items SET PRICE = round(PRICE * 1.1, 2) WHERE PRICE < 50; DELETE FROM orders WHERE OID = :oid; INSERT INTO notes VALUES ('c', 9)>>
  require changed(goal) > 4
  prompt "In <<shop>>, raise each PRICE below 50 by 10 %, to whole cents, delete the order <<oid>>, and add the note ('c', 9)."
  expect file shop database goal
"#;

/// What the right agent runs; `{oid}` is the order.
const RIGHT: [&str; 3] = [
    "UPDATE items SET PRICE = round(PRICE * 1.1, 2) WHERE PRICE < 50",
    "DELETE FROM orders WHERE OID = {oid}",
    "INSERT INTO notes VALUES ('c', 9)",
];

/// A bundle of a task over the shop.
struct Built {
    home: TempDir,
    instances: Vec<Instance>,
    starts: Vec<Vec<u8>>,
}

fn built(task: &str) -> Built {
    build_over(SHOP, task)
}

fn build_over(shop: &str, task: &str) -> Built {
    let home = create_folder(&[("s.pcd", suite(&format!("{shop}{task}")).as_str())]);
    expect_success(home.path(), &["build", "s.pcd", "-o", "out", "--seed", "5", "--quiet"]);
    let bundle = Bundle::open_verified(&home.path().join("out")).expect("a bundle");
    let instances: Vec<Instance> =
        bundle.open_instances().expect("instances").map(|one| one.expect("readable")).collect();
    let start = |instance: &Instance| {
        let (_, content) = instance.files.iter().find(|(path, _)| path == "shop.db").expect("the shop");
        bundle.read_content(content).expect("content").into_owned()
    };
    let starts = instances.iter().map(start).collect();
    Built { home, instances, starts }
}

impl Built {
    /// The first instance after an agent had the folder of its database to itself.
    fn after(&self, work: impl FnOnce(&Path)) -> Score {
        self.nth(0, work)
    }

    fn nth(&self, at: usize, work: impl FnOnce(&Path)) -> Score {
        let sandbox = tempfile::tempdir().expect("a folder");
        write_in_folder(sandbox.path(), "shop.db", &self.starts[at]);
        work(sandbox.path());
        let captured = |path: String| {
            let found = std::fs::read(sandbox.path().join(&path)).map_or(Captured::Absent, Captured::from_bytes);
            (path, found)
        };
        let instance = &self.instances[at];
        let response = Response {
            id: instance.id.clone(),
            trial: 1,
            files: instance.list_key_paths().into_iter().map(captured).collect(),
            ..Response::default()
        };
        let start = std::collections::BTreeMap::from([("shop.db".to_owned(), self.starts[at].clone())]);
        score::score_response(instance, Some(&response), 1, &start)
    }

    /// After these statements.
    fn sql(&self, statements: &[&str]) -> Score {
        self.after(|sandbox| run(sandbox, &self.named(0, statements)))
    }

    /// Statements with the order that the instance names.
    fn named(&self, at: usize, statements: &[&str]) -> String {
        let line = format!("{:?}", self.instances[at].draws);
        let digits: String = line.chars().filter(char::is_ascii_digit).collect();
        statements.iter().map(|text| text.replace("{oid}", &digits) + ";\n").collect()
    }
}

fn run(sandbox: &Path, sql: &str) {
    sqlite::init_process().expect("SQLite");
    let connection = Connection::open(sandbox.join("shop.db")).expect("opened");
    connection.execute_batch("PRAGMA foreign_keys = OFF").expect("set");
    connection.execute_batch(sql).unwrap_or_else(|error| panic!("{error}\n{sql}"));
}

fn right(score: &Score, of: &str) {
    assert!(score.correct && score.score == 1.0, "{of} is right: {:?}", score.verdicts);
}

fn wrong(score: &Score, of: &str) -> f64 {
    assert!(!score.correct && score.score < 1.0, "{of} is wrong: {:?}", score.verdicts);
    score.score
}

/// The finding itself: an agent that never writes is never right, and the whole way from `check` to `report` works.
#[test]
fn b1_an_agent_that_never_writes_is_never_right() {
    let built = built(TASK);
    let home = built.home.path();
    for at in 0..built.instances.len() {
        assert_eq!(wrong(&built.nth(at, |_| {}), "doing nothing"), 0.0);
    }
    let checked = run_picardc(home, &["check", "--deny-warnings", "s.pcd"]);
    assert!(checked.status.success(), "{}", checked.join_output());
    expect_success(home, &["fmt", "s.pcd"]);
    expect_success(home, &["fmt", "--check", "s.pcd"]);
    expect_success(home, &["selftest", "s.pcd"]);
    // Two programs of Python: one does what it is asked, one only exports, which is what the workaround took for an answer.
    let program = r#"
import json, re, sqlite3, sys
question = json.loads(sys.stdin.readline())
order = int(re.search(r"order (\d+)", question["prompt"]).group(1))
db = sqlite3.connect("shop.db")
if sys.argv[1] == "works":
    db.execute("UPDATE items SET PRICE = round(PRICE * 1.1, 2) WHERE PRICE < 50")
    db.execute("INSERT INTO notes VALUES ('c', 9)")
    db.execute("DELETE FROM orders WHERE OID = ?", (order,))
    db.commit()
else:
    open("export.csv", "w").write("\n".join(str(row) for row in db.execute("SELECT * FROM items")))
print("done")
"#;
    write_in_folder(home, "agent.py", program.as_bytes());
    let agents = [
        ("oracle", true),
        ("null", false),
        ("cmd:python3 agent.py works", true),
        ("cmd:python3 agent.py exports", false),
    ];
    for (index, (agent, all)) in agents.into_iter().enumerate() {
        let run = format!("run_{index}");
        expect_success(home, &["run", "out", "--agent", agent, "-o", &run, "--quiet"]);
        expect_success(home, &["score", "out", &run]);
        let scores = std::fs::read_to_string(home.join(&run).join("scores.jsonl")).expect("scores");
        assert_eq!(scores.lines().filter(|line| line.contains("\"correct\":true")).count(), if all { 3 } else { 0 });
        let report = expect_success(home, &["report", &run]);
        assert!(report.contains("q"), "{report}");
    }
}

/// What comes to the same rows is right, however it came there.
#[test]
fn b1_every_way_to_the_same_rows_is_right() {
    let built = built(TASK);
    right(&built.sql(&RIGHT), "the statements");
    right(&built.sql(&[RIGHT[2], RIGHT[1], RIGHT[0]]), "another order");
    let ways = [
        ("VACUUM", "VACUUM"),
        ("another page size", "PRAGMA page_size = 512; VACUUM"),
        ("ANALYZE", "ANALYZE"),
        ("an index", "CREATE INDEX by_price ON items (PRICE)"),
        (
            "rows in another order",
            "CREATE TABLE n2 AS SELECT * FROM notes ORDER BY random(); DROP TABLE notes; ALTER TABLE n2 RENAME TO notes",
        ),
        (
            "a rewritten table",
            "CREATE TABLE i2 (ID INTEGER PRIMARY KEY, NAME TEXT, PRICE NUMERIC, STOCK); INSERT INTO i2 SELECT * FROM items; DROP TABLE items; ALTER TABLE i2 RENAME TO items",
        ),
        (
            "small letters",
            "ALTER TABLE notes RENAME TO n2; ALTER TABLE n2 RENAME TO Notes; ALTER TABLE notes RENAME COLUMN TAG TO t2; ALTER TABLE notes RENAME COLUMN t2 TO tag",
        ),
        ("a change and back", "UPDATE items SET STOCK = STOCK + 1; UPDATE items SET STOCK = STOCK - 1"),
        ("noise of doubles", "UPDATE items SET PRICE = PRICE * (1 + 1e-12)"),
        (
            "floats for ints",
            "CREATE TABLE n2 (TAG, SCORE REAL); INSERT INTO n2 SELECT * FROM notes; DROP TABLE notes; ALTER TABLE n2 RENAME TO notes",
        ),
        ("persistent journal", "PRAGMA journal_mode = PERSIST; UPDATE items SET STOCK = STOCK"),
        ("truncated journal", "PRAGMA journal_mode = TRUNCATE; UPDATE items SET STOCK = STOCK"),
        ("WAL, folded in when it is closed", "PRAGMA journal_mode = WAL; UPDATE items SET STOCK = STOCK"),
    ];
    for (name, more) in ways {
        right(&built.sql(&[RIGHT[0], RIGHT[1], RIGHT[2], more]), name);
    }
    // A write-ahead log that is left behind, because the program that wrote was ended.
    let sql = built.named(0, &RIGHT);
    let left = built.after(|sandbox| killed(sandbox, &format!("PRAGMA journal_mode = WAL; {sql}")));
    right(&left, "a log");
}

/// Copies a database and what lies next to it while it is open: what a program leaves that is ended in the midst.
fn killed(sandbox: &Path, sql: &str) {
    sqlite::init_process().expect("SQLite");
    let work = tempfile::tempdir().expect("a folder");
    std::fs::copy(sandbox.join("shop.db"), work.path().join("shop.db")).expect("copied");
    let connection = Connection::open(work.path().join("shop.db")).expect("opened");
    connection.execute_batch("PRAGMA foreign_keys = OFF; PRAGMA cache_size = 1; PRAGMA cache_spill = 1").expect("set");
    connection.execute_batch(sql).unwrap_or_else(|error| panic!("{error}\n{sql}"));
    for entry in std::fs::read_dir(work.path()).expect("a folder") {
        let entry = entry.expect("an entry");
        std::fs::copy(entry.path(), sandbox.join(entry.file_name())).expect("copied");
    }
}

#[test]
fn b1_every_other_end_is_wrong() {
    let built = built(TASK);
    let after = |more: &str| built.sql(&[RIGHT[0], RIGHT[1], RIGHT[2], more]);
    // After all that is right, something more.
    let more = [
        ("a collateral row", "DELETE FROM orders WHERE OID = (SELECT max(OID) FROM orders)"),
        ("a collateral cell", "UPDATE items SET STOCK = STOCK + 1 WHERE ID = 1"),
        ("a row too many", "INSERT INTO orders VALUES (999, 1, 1)"),
        ("the note twice", "INSERT INTO notes VALUES ('c', 9)"),
        ("a copy of a note", "INSERT INTO notes SELECT * FROM notes LIMIT 1"),
        ("all prices again", RIGHT[0]),
        (
            "a number as text",
            "CREATE TABLE i2 (ID INTEGER PRIMARY KEY, NAME, PRICE TEXT, STOCK); INSERT INTO i2 SELECT * FROM items; DROP TABLE items; ALTER TABLE i2 RENAME TO items",
        ),
        ("a text as a blob", "UPDATE items SET NAME = CAST(NAME AS BLOB) WHERE ID = 1"),
        (
            "a null for a text",
            "CREATE TABLE n2 (TAG, SCORE); INSERT INTO n2 SELECT nullif(TAG, 'c'), SCORE FROM notes; DROP TABLE notes; ALTER TABLE n2 RENAME TO notes",
        ),
        ("other letters", "UPDATE notes SET TAG = upper(TAG) WHERE TAG = 'c'"),
        ("a blank more", "UPDATE notes SET TAG = 'c ' WHERE TAG = 'c'"),
        ("coarser rounding", "UPDATE items SET PRICE = round(PRICE, 1)"),
        ("a cent more", "UPDATE items SET PRICE = PRICE + 0.01 WHERE ID = 3"),
        ("infinity", "UPDATE items SET PRICE = 9e999 WHERE ID = 3"),
        ("another key", "UPDATE items SET ID = 77 WHERE ID = 12"),
        (
            "cells swapped",
            "UPDATE items SET STOCK = STOCK + 1 WHERE ID = 1; UPDATE items SET STOCK = STOCK - 1 WHERE ID = 2",
        ),
        (
            "a trigger that went off",
            "CREATE TRIGGER t AFTER INSERT ON orders BEGIN UPDATE items SET STOCK = 0; END; INSERT INTO orders VALUES (999, 1, 1); DELETE FROM orders WHERE OID = 999; DROP TRIGGER t",
        ),
        (
            "every row twice",
            "CREATE TABLE i2 AS SELECT * FROM items UNION ALL SELECT * FROM items; DROP TABLE items; ALTER TABLE i2 RENAME TO items",
        ),
    ];
    for (name, more) in more {
        let score = wrong(&after(more), name);
        assert!(score > 0.0, "{name}: some of it is right");
    }
    // Some of what is right.
    for (name, part) in [("two of three", &RIGHT[..2]), ("one of three", &RIGHT[..1]), ("the last alone", &RIGHT[2..])]
    {
        let score = built.sql(part);
        assert!(wrong(&score, name) > 0.0 && score.verdicts[0].reason == Reason::Partial, "{name}");
    }
    let reason = |score: Score, name: &str, reason: Reason| {
        assert_eq!(wrong(&score, name), 0.0, "{name}");
        assert_eq!(score.verdicts[0].reason, reason, "{name}: {:?}", score.verdicts);
    };
    // Nothing of it, and nothing else either.
    reason(built.sql(&["UPDATE items SET STOCK = STOCK"]), "an update that changes nothing", Reason::Differs);
    reason(built.sql(&["UPDATE items SET STOCK = 777 WHERE ID = 1"]), "something else", Reason::Differs);
    // Other tables and columns.
    for (name, more) in [
        ("an extra table", "CREATE TABLE log (A)"),
        ("a missing table", "DROP TABLE notes"),
        (
            "a view for a table",
            "CREATE TABLE n2 AS SELECT * FROM notes; DROP TABLE notes; CREATE VIEW notes AS SELECT * FROM n2",
        ),
        ("an extra column", "ALTER TABLE items ADD COLUMN OLD"),
        ("a missing column", "ALTER TABLE notes DROP COLUMN SCORE"),
        ("another name", "ALTER TABLE notes RENAME COLUMN SCORE TO POINTS"),
        (
            "columns in another order",
            "CREATE TABLE n2 AS SELECT SCORE, TAG FROM notes; DROP TABLE notes; ALTER TABLE n2 RENAME TO notes",
        ),
    ] {
        reason(after(more), name, Reason::WrongSchema);
    }
    // Files.
    let bytes = |name: &str, bytes: &[u8], why: Reason| {
        reason(built.after(|sandbox| write_in_folder(sandbox, "shop.db", bytes)), name, why);
    };
    bytes("an empty file", b"", Reason::NotADatabase);
    bytes("a text", b"done", Reason::NotADatabase);
    bytes("half a file", &built.starts[0][..built.starts[0].len() / 2], Reason::NotADatabase);
    let mut broken = built.starts[0].clone();
    broken[4096..4200].fill(0xff);
    bytes("a broken page", &broken, Reason::NotADatabase);
    reason(
        built.after(|sandbox| std::fs::remove_file(sandbox.join("shop.db")).expect("removed")),
        "no file",
        Reason::NoFile,
    );
    // A dump of the right rows is not a database.
    bytes("a dump", b"CREATE TABLE items (ID);", Reason::NotADatabase);
    // A transaction that was never finished is not there: neither in a journal nor in a log.
    let sql = built.named(0, &RIGHT);
    // Enough pages that some are written to the file before the end.
    let much = "CREATE TABLE big (A); INSERT INTO big WITH n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 300) SELECT zeroblob(3000) FROM n; DROP TABLE big";
    let left = built.after(|sandbox| killed(sandbox, &format!("BEGIN; {sql}; {much}")));
    reason(left, "a journal", Reason::Differs);
    let left = built.after(|sandbox| killed(sandbox, &format!("PRAGMA journal_mode = WAL; BEGIN; {sql}; {much}")));
    reason(left, "an open transaction in a log", Reason::Differs);
    // A log that lies next to another database.
    let left = built.after(|sandbox| {
        killed(sandbox, &format!("PRAGMA journal_mode = WAL; {sql}"));
        let path = sandbox.join("shop.db-wal");
        let mut log = std::fs::read(&path).expect("a log");
        log[40] ^= 1;
        write_in_folder(sandbox, "shop.db-wal", &log);
    });
    assert_eq!(wrong(&left, "a log that does not fit"), 0.0);
}

/// Columns and tables that are left out, and tolerances.
#[test]
fn b1_what_is_ignored_and_tolerated_does_not_count() {
    let task = r#"
      goal = <<after: shop, UPDATE items SET PRICE = PRICE * 1.1, STOCK = 0 WHERE PRICE < 50; INSERT INTO notes VALUES ('c', 9)>>
      require changed(goal) > 2
      prompt "In <<shop>>, raise PRICE below 50 by 10 %, set STOCK to 0 there, and note it."
      expect file shop database goal ignore items.STOCK, notes within 0.01
    "#;
    let built = built(task);
    let update = "UPDATE items SET PRICE = PRICE * 1.1 WHERE PRICE < 50";
    right(&built.sql(&[update]), "what is ignored left as it was");
    right(&built.sql(&[update, "UPDATE items SET STOCK = ID"]), "another value in an ignored column");
    right(&built.sql(&[update, "DROP TABLE notes"]), "an ignored table dropped");
    right(&built.sql(&[update, "ALTER TABLE items DROP COLUMN STOCK"]), "an ignored column dropped");
    right(&built.sql(&["UPDATE items SET PRICE = round(PRICE * 1.1, 2) WHERE PRICE < 50"]), "within a cent");
    wrong(&built.sql(&["UPDATE items SET PRICE = round(PRICE * 1.1, 1) WHERE PRICE < 50"]), "not within a cent");
    wrong(&built.sql(&["UPDATE items SET STOCK = 0; DROP TABLE notes"]), "ignored parts alone");
    let cents = self::built(
        r#"
      goal = <<after: shop, UPDATE items SET PRICE = PRICE + 0.01 WHERE PRICE < 50>>
      require changed(goal) > 0
      prompt "In <<shop>>, raise PRICE below 50 by a cent."
      expect file shop database goal within 0.05
    "#,
    );
    right(&cents.sql(&["UPDATE items SET PRICE = PRICE + 0.01 WHERE PRICE < 50"]), "changes within the tolerance");
    assert_eq!(wrong(&cents.sql(&[]), "nothing done, though all of it would be within the tolerance"), 0.0);
    let said = testing::expect_status(1, cents.home.path(), &["selftest", "s.pcd"]).join_output();
    assert!(said.contains("all changes are within the tolerance"), "{said}");
    // Finding: with one change within the tolerance, making the others was enough.
    let some = self::built(
        r#"
      oid : ref shop.items.ID
      goal = <<after: shop, UPDATE items SET PRICE = PRICE + 0.03, STOCK = STOCK + 100 WHERE ID = :oid; UPDATE items SET PRICE = PRICE + 200 WHERE ID <> :oid; UPDATE notes SET SCORE = SCORE + 0.01 WHERE TAG = 'a'; INSERT INTO notes VALUES ('c', 9)>>
      require <<value: SELECT COUNT(*) FROM shop.notes WHERE TAG = 'a'>> > 1
      prompt "In <<shop>>, <<oid>>."
      expect file shop database goal within 0.05
    "#,
    );
    let raised = "UPDATE items SET PRICE = PRICE + 200 WHERE ID <> {oid}";
    let (added, stock) = ("INSERT INTO notes VALUES ('c', 9)", "UPDATE items SET STOCK = STOCK + 100 WHERE ID = {oid}");
    let (price, scores) = (
        "UPDATE items SET PRICE = PRICE + 0.03 WHERE ID = {oid}",
        "UPDATE notes SET SCORE = SCORE + 0.01 WHERE TAG = 'a'",
    );
    let all = [raised, added, stock, price, scores];
    right(&some.sql(&all), "all changes");
    for left in 0..all.len() {
        let rest: Vec<&str> = all.iter().enumerate().filter(|(at, _)| *at != left).map(|(_, sql)| *sql).collect();
        let score = wrong(&some.sql(&rest), all[left]);
        assert!(score > 0.0, "{}: {score}", all[left]);
    }
    let one = "UPDATE notes SET SCORE = SCORE + 0.01 WHERE rowid = (SELECT rowid FROM notes WHERE TAG = 'a' LIMIT 1)";
    wrong(&some.sql(&[raised, added, stock, price, one]), "one row of a table without a key left as it was");
    right(
        &some.sql(&[raised, added, stock, "UPDATE items SET PRICE = PRICE + 0.04 WHERE ID = {oid}", scores]),
        "within the tolerance",
    );
    let said = testing::expect_status(1, some.home.path(), &["selftest", "s.pcd"]).join_output();
    assert!(said.contains("changes are within the tolerance: make it smaller"), "{said}");
    assert!(!said.contains("all changes"), "{said}");
    // What a computation makes of a double that is right already is no change.
    let noise = self::built(
        r#"
      goal = <<after: shop, UPDATE items SET PRICE = PRICE / 7 * 7, STOCK = 0>>
      require changed(goal) > 0
      prompt "In <<shop>>, set STOCK to 0."
      expect file shop database goal within 0.01
    "#,
    );
    right(&noise.sql(&["UPDATE items SET STOCK = 0"]), "without the noise of doubles");
    expect_success(noise.home.path(), &["selftest", "s.pcd"]);
    expect_success(built.home.path(), &["selftest", "s.pcd"]);
    let instance = std::fs::read_to_string(built.home.path().join("out/instances.jsonl")).expect("instances");
    let json: Json = serde_json::from_str(instance.lines().next().expect("one")).expect("JSON");
    let key = &json["metadata"]["picard"]["expect"][0];
    assert_eq!(key["match"], "database");
    assert_eq!(key["options"][""]["ignore"], serde_json::json!(["items.STOCK", "notes"]));
    assert_eq!(key["options"][""]["within"], "0.01");
    assert_eq!(key["value"]["tables"][0]["key"], serde_json::json!(["ID"]));
    assert!(key["value"].get("run").is_none(), "no SQL of the suite is in the bundle");
}

/// What differs is told row by row, and in rows of one key cell by cell: in scores, and in reports of all forms.
#[test]
fn b1_what_was_left_is_told_row_by_row() {
    let built = built(TASK);
    let mess = "UPDATE items SET STOCK = -1, NAME = 'a/b' WHERE ID = 3; DELETE FROM items WHERE ID = 4; DELETE FROM notes WHERE TAG = 'c'; INSERT INTO orders VALUES (999, 1, 1)";
    let score = built.sql(&[RIGHT[0], RIGHT[1], RIGHT[2], mess]);
    let differences = &score.verdicts[0].differences;
    let told: Vec<(&str, &str)> = differences.iter().map(|one| (one.at.as_str(), one.got.as_str())).collect();
    let wanted = [
        ("/items/3/NAME", "\"a/b\""),
        ("/items/3/STOCK", "-1"),
        ("/items", "no such row"),
        ("/orders", "OID = 999, ITEM = 1, QTY = 1"),
        ("/notes", "no such row"),
    ];
    assert_eq!(told, wanted);
    assert!(differences[2].expected.starts_with("ID = 4, NAME = \""), "{differences:?}");
    assert_eq!(differences[4].expected, "TAG = \"c\", SCORE = 9");
    let home = built.home.path();
    let agent =
        format!("import sqlite3\ndb = sqlite3.connect('shop.db')\ndb.executescript(\"{mess}\")\nprint('done')\n");
    write_in_folder(home, "agent.py", agent.as_bytes());
    expect_success(home, &["run", "out", "--agent", "cmd:python3 agent.py", "-o", "run", "--quiet"]);
    for form in [&["report", "run", "--all"][..], &["report", "run", "--markdown"]] {
        let said = expect_success(home, form);
        for words in ["What was left", "shop.db/items/3/STOCK", "OID = 999, ITEM = 1, QTY = 1"] {
            assert!(said.contains(words), "{form:?}: {words}\n{said}");
        }
    }
    expect_success(home, &["report", "run", "--html", "report.html"]);
    let page = std::fs::read_to_string(home.join("report.html")).expect("a page");
    assert!(page.contains("/items/3/STOCK") && page.contains("OID = 999, ITEM = 1, QTY = 1"));
}

/// What an agent leaves is read as a file of anybody: it never makes the scorer wait or take much memory, and never counts as right.
#[test]
fn b1_a_hostile_database_is_read_within_limits() {
    let built = built(TASK);
    let rows = |count: u32| format!("WITH n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < {count})");
    let notes = |columns: &str| format!("DROP TABLE notes; CREATE TABLE notes ({columns}, X)");
    let cases = [
        (
            "values larger than the file",
            format!("{}; INSERT INTO notes (X) {} SELECT i FROM n", notes("TAG AS (zeroblob(1000000))"), rows(5000)),
            Reason::TooLarge,
        ),
        (
            "one value beyond the limit",
            format!("{}; INSERT INTO notes (X) VALUES (1)", notes("TAG AS (length(hex(zeroblob(X * 400000000))))")),
            Reason::TooLarge,
        ),
        (
            "a pattern that goes back and forth",
            format!(
                "PRAGMA ignore_check_constraints = 1; {}; INSERT INTO notes (X) {} SELECT i FROM n",
                notes("TAG CHECK (NOT replace(hex(zeroblob(40000)), '0', 'a') GLOB '*a*a*a*a*a*a*a*b')"),
                rows(200)
            ),
            Reason::WrongSchema,
        ),
        (
            "a view without end",
            "DROP TABLE notes; CREATE VIEW notes AS WITH n(TAG) AS (SELECT 1 UNION ALL SELECT TAG + 1 FROM n) SELECT TAG FROM n".to_owned(),
            Reason::WrongSchema,
        ),
        (
            "a column that reads the clock",
            format!("{}; INSERT INTO notes (X) VALUES (1)", notes("TAG DEFAULT (datetime('now'))")),
            Reason::WrongSchema,
        ),
    ];
    for (name, sql, reason) in cases {
        let begun = std::time::Instant::now();
        let score = built.sql(&[&sql]);
        assert_eq!(wrong(&score, name), 0.0, "{name}");
        assert_eq!(score.verdicts[0].reason, reason, "{name}: {:?}", score.verdicts);
        assert!(begun.elapsed().as_secs() < 120, "{name}: {:?}", begun.elapsed());
    }
}

/// Statements on two small tables, one with a key and one without.
fn random_statements(seed: &mut u64, count: usize) -> Vec<String> {
    let mut next = |below: u64| {
        // SplitMix64.
        *seed = seed.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = *seed;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (z ^ (z >> 31)) % below
    };
    let mut one = || {
        let (id, number, other, word) =
            (next(12), next(5), next(5), ["'x'", "'y'", "NULL", "2.5", "x'01'"][next(5) as usize]);
        match next(8) {
            0 => format!("INSERT OR REPLACE INTO k VALUES ({id}, {number}, {word})"),
            1 => format!("UPDATE k SET A = {number} WHERE A = {other}"),
            2 => format!("UPDATE k SET B = {word} WHERE ID % 3 = {}", number % 3),
            3 => format!("DELETE FROM k WHERE ID = {id}"),
            4 => format!("UPDATE OR REPLACE k SET ID = {id} WHERE ID = {number}"),
            5 => format!("INSERT INTO b VALUES ({number}, {word})"),
            6 => format!("DELETE FROM b WHERE X = {number} AND Y IS {word}"),
            _ => format!("UPDATE b SET X = {number} WHERE Y IS {word}"),
        }
    };
    (0..count).map(|_| one()).collect()
}

fn made(start: &[u8], sql: &str) -> Vec<u8> {
    sqlite::init_process().expect("SQLite");
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("d.db");
    std::fs::write(&path, start).expect("written");
    let connection = Connection::open(&path).expect("opened");
    connection.execute_batch(sql).unwrap_or_else(|error| panic!("{error}\n{sql}"));
    connection.close().expect("closed");
    std::fs::read(&path).expect("read")
}

/// |G ∩ A| / |G ∪ A| as Python's sqlite3 and sets have it, for random starts, goals, and ends; the goal itself is worth 1, the start 0.
#[test]
fn b1_the_score_is_the_share_of_changes_that_python_counts() {
    let program = r#"
import collections, json, sqlite3, sys
def rows(path):
    db = sqlite3.connect(path)
    out = {t: db.execute(f"SELECT * FROM {t}").fetchall() for t in ("k", "b")}
    db.close()
    return out
def changes(before, after):
    found = collections.Counter()
    old, new = ({row[0]: row for row in side["k"]} for side in (before, after))
    for key in old.keys() | new.keys():
        a, b = old.get(key), new.get(key)
        if a is None or b is None:
            found["k", "gone" if b is None else "come", a or b] += 1
        elif a != b:
            found["k", key, tuple((i, y) for i, (x, y) in enumerate(zip(a, b)) if x != y)] += 1
    a, b = (collections.Counter(side["b"]) for side in (before, after))
    for row, n in (a - b).items():
        found["b", "gone", row] += n
    for row, n in (b - a).items():
        found["b", "come", row] += n
    return found
for line in sys.stdin:
    start, goal, left = (rows(path) for path in json.loads(line))
    g, a = changes(start, goal), changes(start, left)
    both, either = sum((g & a).values()), sum((g | a).values())
    print(json.dumps([sum(g.values()), both / either if either else 1.0]))
"#;
    let home = tempfile::tempdir().expect("a folder");
    write_in_folder(home.path(), "count.py", program.as_bytes());
    let schema = "CREATE TABLE k (ID INTEGER PRIMARY KEY, A INT, B); CREATE TABLE b (X INT, Y)";
    let template = built(TASK).instances.remove(0);
    let (mut lines, mut scores) = (String::new(), Vec::new());
    let mut seed = 2024;
    for case in 0..150 {
        let start = made(b"", &format!("{schema}; {}", random_statements(&mut seed, 25).join("; ")));
        let towards = random_statements(&mut seed, 6);
        let goal_sql = towards.join("; ");
        let changed =
            sqlite::state::apply_statements::<i64>(&start, &[(goal_sql.as_str(), Vec::new())]).expect("changed");
        let goal = sqlite::state::Goal::from_changed(&changed);
        let kept = towards.iter().skip(case % 3).take(4).cloned();
        let left_sql: Vec<String> = kept.chain(random_statements(&mut seed, case % 4)).collect();
        let left = made(&start, &left_sql.join("; "));
        let mut instance = template.clone();
        instance.expects[0].answer = Some(model::answer_key::Answer::One(goal.to_value().expect("a value")));
        let judged = |bytes: &[u8]| {
            let files = vec![("shop.db".to_owned(), Captured::from_bytes(bytes.to_vec()))];
            let response = Response { id: instance.id.clone(), trial: 1, files, ..Response::default() };
            let at_start = std::collections::BTreeMap::from([("shop.db".to_owned(), start.clone())]);
            score::score_response(&instance, Some(&response), 1, &at_start).score
        };
        let reached = made(&start, &goal_sql);
        assert_eq!(judged(&reached), 1.0, "the goal itself: {goal_sql}");
        if goal.count_rows() > 0 {
            assert_eq!(judged(&start), 0.0, "the start: {goal_sql}");
        }
        scores.push((goal.count_rows(), judged(&left), format!("{goal_sql}\n{}", left_sql.join("; "))));
        let paths: Vec<String> = [("s", &start), ("g", &reached), ("l", &left)]
            .into_iter()
            .map(|(name, bytes)| {
                let path = format!("{name}{case}.db");
                write_in_folder(home.path(), &path, bytes);
                home.path().join(path).display().to_string()
            })
            .collect();
        lines += &(serde_json::to_string(&paths).expect("JSON") + "\n");
    }
    write_in_folder(home.path(), "lines", lines.as_bytes());
    let output: CommandOutput = Command::new("python3")
        .arg(home.path().join("count.py"))
        .stdin(std::fs::File::open(home.path().join("lines")).expect("opened"))
        .output()
        .expect("python3")
        .into();
    assert!(output.status.success(), "{}", output.err);
    let counted: Vec<(usize, f64)> =
        output.out.lines().map(|line| serde_json::from_str(line).expect("two numbers")).collect();
    assert_eq!(counted.len(), scores.len());
    let between = scores.iter().filter(|(_, score, _)| *score > 0.0 && *score < 1.0).count();
    assert!(between > 30, "{between} of {} are in between", scores.len());
    for ((count, score, of), (goal, share)) in scores.iter().zip(&counted) {
        assert_eq!(count, goal, "changed: {of}");
        assert!((score - share).abs() < 1e-12, "{score}, and Python has {share}: {of}");
    }
}

/// What `check` says of states where they do not belong.
#[test]
fn b1_a_state_is_not_a_value_and_statements_are_checked() {
    let codes = |task: &str| -> Vec<String> {
        let home = create_folder(&[("s.pcd", suite(&format!("{SHOP}{task}")).as_str())]);
        let said = run_picardc(home.path(), &["check", "s.pcd", "--format", "json"]).out;
        let code =
            |line: &str| serde_json::from_str::<Json>(line).expect("JSON")["code"].as_str().expect("a code").to_owned();
        said.lines().map(code).collect()
    };
    let goal = "goal = <<after: shop, UPDATE items SET STOCK = 0 WHERE PRICE < 50>> require changed(goal) > 0 ";
    let expect = " expect file shop database goal";
    let cases = [
        (format!("{goal} prompt \"Do <<goal>> in <<shop>>.\" {expect}"), vec!["E0301"]),
        (
            format!("{goal} prompt \"Set STOCK to 0 in <<shop>> where the PRICE is below 50.\" expect reply json goal"),
            vec!["E0301"],
        ),
        (
            format!(
                "{goal} prompt \"Set STOCK to 0 in <<shop>> where the PRICE is below 50.\" expect reply database goal"
            ),
            vec!["E0702"],
        ),
        (
            format!(
                "{goal} prompt \"Set STOCK to 0 in <<shop>> where the PRICE is below 50.\" expect file \"other.db\" database goal"
            ),
            vec!["E0301"],
        ),
        (
            format!(
                "{goal} prompt \"Set STOCK to 0 in <<shop>> where the PRICE is below 50.\" {expect} ignore items.ID"
            ),
            vec![],
        ),
        (
            format!(
                "{goal} prompt \"Set STOCK to 0 in <<shop>> where the PRICE is below 50.\" {expect} ignore items.STOK"
            ),
            vec!["E0203"],
        ),
        (
            format!("{goal} prompt \"Set STOCK to 0 in <<shop>> where the PRICE is below 50.\" {expect} ignore item"),
            vec!["E0202"],
        ),
        (
            format!("{goal} prompt \"Set STOCK to 0 in <<shop>> where the PRICE is below 50.\" {expect} ordered"),
            vec!["E0306"],
        ),
        (
            format!(
                "{goal} prompt \"Set STOCK to 0 in <<shop>> where the PRICE is below 50.\" {expect} ignore items.STOCK, orders"
            ),
            vec!["W0308"],
        ),
        (
            format!(
                "{goal} prompt \"Set STOCK to 0 in <<shop>> where the PRICE is below 50.\" expect file \"<<shop>>\" database goal"
            ),
            vec![],
        ),
    ];
    for (task, wanted) in cases {
        assert_eq!(codes(&task), wanted, "{task}");
    }
    let statements = [
        ("SELECT * FROM items", "E0613"),
        ("UPDATE items SET STOCK = 0; SELECT 1", "E0613"),
        ("DROP TABLE items", "E0607"),
        ("UPDATE items SET STOCK = 0; CREATE TABLE x (A)", "E0607"),
        ("PRAGMA user_version = 1", "E0607"),
        ("ATTACH 'x' AS y", "E0607"),
        ("UPDATE items SET STOCK = abs(random())", "E0608"),
        ("UPDATE items SET NAME = date('now')", "E0608"),
        ("UPDATE item SET STOCK = 0", "E0602"),
        ("UPDATE items SET STOK = 0", "E0603"),
        ("DELETE FROM items WHERE STOCK = :nope", "E0606"),
        ("DELETE FROM items WERE STOCK = 1", "E0601"),
    ];
    for (sql, wanted) in statements {
        let task =
            format!("goal = <<after: shop, {sql}>> require changed(goal) > 0 prompt \"Do it in <<shop>>.\" {expect}");
        assert_eq!(codes(&task), [wanted], "{sql}");
    }
    let idle =
        |task: &str| codes(&format!("{task} prompt \"Do it where the PRICE is below 50 in <<shop>>.\" {expect}"));
    assert_eq!(idle("goal = <<after: shop, UPDATE items SET STOCK = 0 WHERE PRICE < 50>>"), ["W0308"]);
    assert_eq!(idle("goal = <<after: shop, INSERT INTO notes VALUES ('c', 9)>>"), [""; 0]);
    assert_eq!(idle("goal = <<after: shop, DELETE FROM notes>> require changed(goal) >= 0"), ["W0308", "W0402"]);
    assert_eq!(idle("goal = <<after: shop, DELETE FROM notes>> require changed(goal) > 2 and 1 < 2"), [""; 0]);
}

/// One state may go on from another, and what the statements cannot do stops the build.
#[test]
fn b1_states_go_on_and_failures_stop_the_build() {
    let more = r#"
      first = <<after: shop, INSERT INTO notes VALUES ('c', 9)>>
      goal = <<after: first, UPDATE notes SET SCORE = SCORE + 1 WHERE TAG = 'c'>>
      require changed(goal) > 0 and changed(first) == 1
      prompt "In <<shop>>, add the note ('c', 10)."
      expect file shop database goal
    "#;
    let built = built(more);
    right(&built.sql(&["INSERT INTO notes VALUES ('c', 10)"]), "the end of both");
    wrong(&built.sql(&["INSERT INTO notes VALUES ('c', 9)"]), "the first alone");
    let fails = |sql: &str| {
        let task = format!(
            "{SHOP} goal = <<after: shop, {sql}>> require changed(goal) > 0 prompt \"Do it in <<shop>>.\" expect file shop database goal"
        );
        let home = create_folder(&[("s.pcd", suite(&task).as_str())]);
        let output = run_picardc(home.path(), &["build", "s.pcd", "-o", "out", "--quiet"]);
        assert!(!output.status.success(), "{sql}");
        assert!(output.err.contains("E0905"), "{sql}: {}", output.err);
    };
    fails("INSERT INTO items SELECT * FROM items");
    fails("DELETE FROM items");
    fails("INSERT INTO orders VALUES (999, 999, 1)");
    fails(
        "INSERT INTO notes SELECT 'n' || row_number() OVER (), ID FROM items WHERE ID > (SELECT ID FROM items LIMIT 1)",
    );
    fails("UPDATE notes SET SCORE = (SELECT ID FROM items LIMIT 1)");
}

/// Triggers and views decide what the database does later; the rest of the schema counts only if the author says so.
#[test]
fn triggers_and_views_are_those_of_the_start() {
    let trigger = "CREATE TRIGGER t AFTER DELETE ON items BEGIN SELECT 1; END";
    let view = "CREATE VIEW cheap AS SELECT * FROM items WHERE PRICE < 10";
    let index = "CREATE INDEX by_price ON items (PRICE)";
    let typed = "CREATE TABLE n2 (TAG, SCORE REAL); INSERT INTO n2 SELECT * FROM notes; DROP TABLE notes; ALTER TABLE n2 RENAME TO notes";
    let plain = built(TASK);
    let strict = built(&TASK.replace("database goal", "database goal schema"));
    for (name, more, of_plain, of_strict) in [
        ("nothing", "", true, true),
        ("ANALYZE", "ANALYZE", true, true),
        ("a trigger", trigger, false, false),
        ("a view", view, false, false),
        ("an index", index, true, false),
        ("another type", typed, true, false),
        ("a trigger and back", &format!("{trigger}; DROP TRIGGER t"), true, true),
    ] {
        for (built, is_right) in [(&plain, of_plain), (&strict, of_strict)] {
            let score = built.sql(&[RIGHT[0], RIGHT[1], RIGHT[2], more]);
            assert_eq!(score.correct, is_right, "{name}: {:?}", score.verdicts);
            let reason = if is_right { Reason::Right } else { Reason::WrongSchema };
            assert_eq!(score.verdicts[0].reason, reason, "{name}: {:?}", score.verdicts);
        }
    }
    // Bundles of older scorers keep their scores.
    let mut old = built(TASK);
    old.instances.iter_mut().for_each(|instance| instance.scorer = model::Scorer::Two);
    right(&old.sql(&[RIGHT[0], RIGHT[1], RIGHT[2], trigger]), "a trigger, by scorer 2");
}

/// Several states: the one that scores best counts, the first of equals.
#[test]
fn any_of_several_states() {
    let task = r#"
  a = <<after: shop, UPDATE items SET STOCK = 99 WHERE ID = 1; INSERT INTO notes VALUES ('c', 9)>>
  b = <<after: shop, UPDATE items SET STOCK = 99 WHERE ID = 2>>
  require changed(a) > 0 and changed(b) > 0
  prompt "In <<shop>>, set the STOCK of item 1 to 99 and add the note ('c', 9), or set that of item 2."
  expect file shop database any_of [a, b]
"#;
    let built = built(task);
    let (a, b) = ("UPDATE items SET STOCK = 99 WHERE ID = 1", "UPDATE items SET STOCK = 99 WHERE ID = 2");
    let note = "INSERT INTO notes VALUES ('c', 9)";
    right(&built.sql(&[a, note]), "the first state");
    right(&built.sql(&[b]), "the second state");
    assert_eq!(wrong(&built.sql(&[a]), "half of the first state"), 0.5);
    assert_eq!(wrong(&built.sql(&[b, note]), "a change of each"), 0.5);
    assert_eq!(wrong(&built.sql(&[a, b, note]), "both"), 2.0 / 3.0);
    assert_eq!(wrong(&built.sql(&[]), "nothing"), 0.0);
    expect_success(built.home.path(), &["selftest", "s.pcd"]);
    let checked = |task: &str| {
        let home = create_folder(&[("s.pcd", suite(&format!("{SHOP}{task}")).as_str())]);
        run_picardc(home.path(), &["check", "s.pcd"]).join_output()
    };
    let same = checked(&task.replace("WHERE ID = 2>>", "WHERE ID = 1; INSERT INTO notes VALUES ('c', 9)>>"));
    assert!(same.contains("E0306") && same.contains("the same in every instance"), "{same}");
    let idle = checked(&task.replace(" and changed(b) > 0", ""));
    assert!(idle.contains("W0308") && idle.contains("`b` can equal the starting state"), "{idle}");
    let other = checked(&task.replace("[a, b]", "[a, 3]"));
    assert!(other.contains("E0301"), "{other}");
}

/// New rows may have any keys: references follow them, and of equal rows those pair whose references do.
#[test]
fn ignored_keys_of_new_rows() {
    let task = r#"
  goal = <<after: shop, INSERT INTO items VALUES (100, 'anvil', 5, 1), (101, 'anvil', 5, 1), (102, 'rope', 2, 9);
    INSERT INTO orders VALUES (200, 100, 3), (201, 100, 4), (202, 101, 7), (203, 3, 8); UPDATE orders SET ITEM = 102 WHERE OID = 1>>
  require changed(goal) > 0
  prompt "In <<shop>>, add two items 'anvil' for 5 (1 in stock), one with orders of 3 and 4, one with an order of 7, and an item 'rope' for 2 (9 in stock). Let order 1 be of the rope, and add an order of 8 of item 3."
  expect file shop database goal ignore items.ID, orders.OID
"#;
    let built = build_over(&SHOP.replace("unique word", "word"), task);
    let fixed = "UPDATE orders SET ITEM = (SELECT ID FROM items WHERE NAME = 'rope') WHERE OID = 1";
    let make = |a: i64, b: i64, c: i64, orders: [(i64, i64, i64); 4]| {
        let orders = orders.map(|(key, item, count)| format!("({key}, {item}, {count})")).join(", ");
        format!(
            "INSERT INTO items VALUES ({a}, 'anvil', 5, 1), ({b}, 'anvil', 5, 1), ({c}, 'rope', 2, 9); INSERT INTO orders VALUES {orders}; {fixed}"
        )
    };
    let judge = |a: i64, b: i64, c: i64, orders| built.sql(&[&make(a, b, c, orders)]);
    right(&judge(100, 101, 102, [(200, 100, 3), (201, 100, 4), (202, 101, 7), (203, 3, 8)]), "the keys of the goal");
    right(&judge(13, 14, 15, [(21, 13, 3), (22, 13, 4), (23, 14, 7), (24, 3, 8)]), "the next keys");
    right(&judge(14, 13, 15, [(24, 14, 3), (23, 14, 4), (22, 13, 7), (21, 3, 8)]), "in another order");
    right(
        &judge(101, 100, 900, [(203, 101, 3), (202, 101, 4), (201, 100, 7), (200, 3, 8)]),
        "the keys of the goal, swapped",
    );
    let all = judge(13, 14, 15, [(21, 13, 3), (22, 14, 4), (23, 14, 7), (24, 3, 8)]);
    assert!(wrong(&all, "an order of the other anvil") > 0.7);
    wrong(&judge(13, 14, 15, [(21, 13, 3), (22, 13, 4), (23, 14, 7), (24, 4, 8)]), "an order of another old item");
    wrong(&judge(13, 14, 15, [(21, 13, 3), (22, 13, 4), (23, 15, 7), (24, 3, 8)]), "an order of the rope");
    wrong(
        &judge(13, 14, 15, [(21, 13, 3), (22, 13, 4), (23, 101, 7), (24, 3, 8)]),
        "a reference to the goal's key, which nothing has",
    );
    wrong(&judge(13, 14, 15, [(21, 13, 3), (22, 13, 4), (23, 14, 7), (24, 3, 9)]), "another number");
    let more = "INSERT INTO items VALUES (50, 'anvil', 5, 1)";
    let next = make(13, 14, 15, [(21, 13, 3), (22, 13, 4), (23, 14, 7), (24, 3, 8)]);
    wrong(&built.sql(&[&next, more]), "an item too many");
    right(&built.sql(&[&next, more, "DELETE FROM items WHERE ID = 50"]), "and away again");
    wrong(&built.sql(&[&next, "UPDATE items SET ID = 77 WHERE ID = 5"]), "the key of an old row is changed");
    assert_eq!(wrong(&built.sql(&[]), "nothing"), 0.0);
    expect_success(built.home.path(), &["selftest", "s.pcd"]);
    // The next key can be that of the row that went.
    let again = self::built(
        r#"
  goal = <<after: shop, DELETE FROM orders WHERE OID = 20; INSERT INTO orders VALUES (300, 5, 77)>>
  prompt "In <<shop>>, delete order 20, and add an order of 77 of item 5."
  expect file shop database goal ignore orders.OID
"#,
    );
    let gone = "DELETE FROM orders WHERE OID = 20";
    right(&again.sql(&[gone, "INSERT INTO orders (ITEM, QTY) VALUES (5, 77)"]), "the key of the deleted order");
    right(&again.sql(&["INSERT INTO orders (ITEM, QTY) VALUES (5, 77)", gone]), "the next key");
    assert_eq!(wrong(&again.sql(&["INSERT INTO orders (ITEM, QTY) VALUES (5, 77)"]), "nothing is deleted"), 0.5);
    assert_eq!(
        wrong(&again.sql(&[gone, "INSERT INTO orders (ITEM, QTY) VALUES (5, 78)"]), "another number"),
        1.0 / 3.0
    );
}

/// The log that `selftest` writes is one for SQLite, too.
#[test]
fn a_log_that_is_written_is_read_by_sqlite() {
    let built = built(TASK);
    let before = &built.starts[0];
    let right = built.named(0, &RIGHT);
    for more in ["", "CREATE TABLE big AS SELECT zeroblob(60000) AS A", "PRAGMA page_size = 512; VACUUM"] {
        let made = tempfile::tempdir().expect("a folder");
        write_in_folder(made.path(), "shop.db", before);
        run(made.path(), more);
        let start = std::fs::read(made.path().join("shop.db")).expect("a start");
        let after = sqlite::state::run_on_copy(&start, &right).expect("the statements run");
        let (database, log) = sqlite::state::write_log(&start, &after).expect("a log");
        let sandbox = tempfile::tempdir().expect("a folder");
        write_in_folder(sandbox.path(), "shop.db", &database);
        write_in_folder(sandbox.path(), "shop.db-wal", &log);
        let connection = Connection::open(sandbox.path().join("shop.db")).expect("opened");
        let notes: i64 = connection.query_row("SELECT COUNT(*) FROM notes", [], |row| row.get(0)).expect("a number");
        assert_eq!(notes, 9, "{more}");
        let sound: String = connection.query_row("PRAGMA integrity_check", [], |row| row.get(0)).expect("a word");
        assert_eq!(sound, "ok", "{more}");
        drop(connection);
        // Closing it wrote the log into the file.
        let closed = std::fs::read(sandbox.path().join("shop.db")).expect("the file");
        assert_eq!(sqlite::state::read_state(&closed), sqlite::state::read_state(&after), "{more}");
    }
}
