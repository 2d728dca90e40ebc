//! B1: what an agent leaves of a database is compared with what it should leave.

use std::path::Path;

use records::{Bundle, Captured, Instance, Reason, Response, Score};
use rusqlite::Connection;
use serde_json::Value as Json;
use tempfile::TempDir;

use super::support::{folder, picardc, stderr, stdout, succeeds, write};

/// A shop with items that are known by a number, orders that refer to them, and notes without any key.
const SHOP: &str = r#"
  sqlite shop at "shop.db" {
    table items { rows 12  ID : serial  NAME : unique word  PRICE : decimal 1.00..99.99  STOCK : int 1..50 }
    table orders { rows 20  OID : serial  ITEM : ref items.ID  QTY : int 1..9 }
    table notes { rows 8  TAG : one_of ["a", "b"]  SCORE : int 1..3 }
  }
"#;

fn suite(task: &str) -> String {
    format!("suite s {{ title \"S\" version \"1\" samples 3 }}\n\ntask q {{\n{task}\n}}\n")
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
    let home = folder(&[("s.pcd", suite(&format!("{SHOP}{task}")).as_str())]);
    succeeds(home.path(), &["build", "s.pcd", "-o", "out", "--seed", "5", "--quiet"]);
    let bundle = Bundle::open(&home.path().join("out")).expect("a bundle");
    let instances: Vec<Instance> = bundle.instances().expect("instances").map(|one| one.expect("readable")).collect();
    let start = |instance: &Instance| {
        let (_, content) = instance.files.iter().find(|(path, _)| path == "shop.db").expect("the shop");
        bundle.content(content).expect("content").into_owned()
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
        write(sandbox.path(), "shop.db", &self.starts[at]);
        work(sandbox.path());
        let captured = |path: String| {
            let found = std::fs::read(sandbox.path().join(&path)).map_or(Captured::Absent, Captured::file);
            (path, found)
        };
        let instance = &self.instances[at];
        let response = Response {
            id: instance.id.clone(),
            trial: 1,
            files: instance.key_paths().into_iter().map(captured).collect(),
            ..Response::default()
        };
        let start = std::collections::BTreeMap::from([("shop.db".to_owned(), self.starts[at].clone())]);
        score::score(instance, Some(&response), 1, &start)
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
    sqlite::start().expect("SQLite");
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
    let checked = picardc(home, &["check", "--deny-warnings", "s.pcd"]);
    assert!(checked.status.success(), "{}{}", stdout(&checked), stderr(&checked));
    succeeds(home, &["fmt", "s.pcd"]);
    succeeds(home, &["fmt", "--check", "s.pcd"]);
    succeeds(home, &["selftest", "s.pcd"]);
    for (agent, all) in [("oracle", true), ("null", false)] {
        let run = format!("run_{agent}");
        succeeds(home, &["run", "out", "--agent", agent, "-o", &run, "--quiet"]);
        succeeds(home, &["score", "out", &run]);
        let scores = std::fs::read_to_string(home.join(&run).join("scores.jsonl")).expect("scores");
        assert_eq!(scores.lines().filter(|line| line.contains("\"correct\":true")).count(), if all { 3 } else { 0 });
        let report = succeeds(home, &["report", &run]);
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
        ("a view", "CREATE VIEW cheap AS SELECT * FROM items WHERE PRICE < 10"),
        ("rows in another order", "CREATE TABLE n2 AS SELECT * FROM notes ORDER BY random(); DROP TABLE notes; ALTER TABLE n2 RENAME TO notes"),
        ("a rewritten table", "CREATE TABLE i2 (ID INTEGER PRIMARY KEY, NAME TEXT, PRICE NUMERIC, STOCK); INSERT INTO i2 SELECT * FROM items; DROP TABLE items; ALTER TABLE i2 RENAME TO items"),
        ("small letters", "ALTER TABLE notes RENAME TO n2; ALTER TABLE n2 RENAME TO Notes; ALTER TABLE notes RENAME COLUMN TAG TO t2; ALTER TABLE notes RENAME COLUMN t2 TO tag"),
        ("a trigger that did nothing", "CREATE TRIGGER t AFTER DELETE ON items BEGIN SELECT 1; END"),
        ("a change and back", "UPDATE items SET STOCK = STOCK + 1; UPDATE items SET STOCK = STOCK - 1"),
        ("noise of doubles", "UPDATE items SET PRICE = PRICE * (1 + 1e-12)"),
        ("floats for ints", "CREATE TABLE n2 (TAG, SCORE REAL); INSERT INTO n2 SELECT * FROM notes; DROP TABLE notes; ALTER TABLE n2 RENAME TO notes"),
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
    sqlite::start().expect("SQLite");
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
        ("a number as text", "CREATE TABLE i2 (ID INTEGER PRIMARY KEY, NAME, PRICE TEXT, STOCK); INSERT INTO i2 SELECT * FROM items; DROP TABLE items; ALTER TABLE i2 RENAME TO items"),
        ("a text as a blob", "UPDATE items SET NAME = CAST(NAME AS BLOB) WHERE ID = 1"),
        ("a null for a text", "CREATE TABLE n2 (TAG, SCORE); INSERT INTO n2 SELECT nullif(TAG, 'c'), SCORE FROM notes; DROP TABLE notes; ALTER TABLE n2 RENAME TO notes"),
        ("other letters", "UPDATE notes SET TAG = upper(TAG) WHERE TAG = 'c'"),
        ("a blank more", "UPDATE notes SET TAG = 'c ' WHERE TAG = 'c'"),
        ("coarser rounding", "UPDATE items SET PRICE = round(PRICE, 1)"),
        ("a cent more", "UPDATE items SET PRICE = PRICE + 0.01 WHERE ID = 3"),
        ("infinity", "UPDATE items SET PRICE = 9e999 WHERE ID = 3"),
        ("another key", "UPDATE items SET ID = 77 WHERE ID = 12"),
        ("cells swapped", "UPDATE items SET STOCK = STOCK + 1 WHERE ID = 1; UPDATE items SET STOCK = STOCK - 1 WHERE ID = 2"),
        ("a trigger that went off", "CREATE TRIGGER t AFTER INSERT ON orders BEGIN UPDATE items SET STOCK = 0; END; INSERT INTO orders VALUES (999, 1, 1); DELETE FROM orders WHERE OID = 999"),
        ("every row twice", "CREATE TABLE i2 AS SELECT * FROM items UNION ALL SELECT * FROM items; DROP TABLE items; ALTER TABLE i2 RENAME TO items"),
    ];
    for (name, more) in more {
        let score = wrong(&after(more), name);
        assert!(score > 0.0, "{name}: some of it is right");
    }
    // Some of what is right.
    for (name, part) in [("two of three", &RIGHT[..2]), ("one of three", &RIGHT[..1]), ("the last alone", &RIGHT[2..])] {
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
        ("a view for a table", "CREATE TABLE n2 AS SELECT * FROM notes; DROP TABLE notes; CREATE VIEW notes AS SELECT * FROM n2"),
        ("an extra column", "ALTER TABLE items ADD COLUMN OLD"),
        ("a missing column", "ALTER TABLE notes DROP COLUMN SCORE"),
        ("another name", "ALTER TABLE notes RENAME COLUMN SCORE TO POINTS"),
        ("columns in another order", "CREATE TABLE n2 AS SELECT SCORE, TAG FROM notes; DROP TABLE notes; ALTER TABLE n2 RENAME TO notes"),
    ] {
        reason(after(more), name, Reason::WrongSchema);
    }
    // Files.
    let bytes = |name: &str, bytes: &[u8], why: Reason| {
        reason(built.after(|sandbox| write(sandbox, "shop.db", bytes)), name, why);
    };
    bytes("an empty file", b"", Reason::NotADatabase);
    bytes("a text", b"done", Reason::NotADatabase);
    bytes("half a file", &built.starts[0][..built.starts[0].len() / 2], Reason::NotADatabase);
    let mut broken = built.starts[0].clone();
    broken[4096..4200].fill(0xff);
    bytes("a broken page", &broken, Reason::NotADatabase);
    reason(built.after(|sandbox| std::fs::remove_file(sandbox.join("shop.db")).expect("removed")), "no file", Reason::NoFile);
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
        write(sandbox, "shop.db-wal", &log);
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
    let instance = std::fs::read_to_string(built.home.path().join("out/instances.jsonl")).expect("instances");
    let json: Json = serde_json::from_str(instance.lines().next().expect("one")).expect("JSON");
    let key = &json["metadata"]["picard"]["expect"][0];
    assert_eq!(key["match"], "database");
    assert_eq!(key["options"][""]["ignore"], serde_json::json!(["items.STOCK", "notes"]));
    assert_eq!(key["options"][""]["within"], "0.01");
    assert_eq!(key["value"]["tables"][0]["key"], serde_json::json!(["ID"]));
    assert!(key["value"].get("run").is_none(), "no SQL of the suite is in the bundle");
}
