//! V26: states of databases that have virtual tables beside ordinary ones.

use std::collections::BTreeMap;

use records::{Bundle, Captured, Instance, Reason, Response, Score};
use rusqlite::Connection;
use testing::{create_folder, expect_success, run_picardc, write_in_folder};

/// Full-text indexes and R-trees that triggers keep in step, one that stands alone, and an ordinary table that is named like the content of an index.
const START: &str = "
    CREATE TABLE notes (ID INTEGER PRIMARY KEY, BODY TEXT NOT NULL, STARS INTEGER NOT NULL);
    CREATE TABLE places (ID INTEGER PRIMARY KEY, X INTEGER NOT NULL);
    CREATE TABLE plain (N INTEGER PRIMARY KEY, X INTEGER);
    CREATE VIRTUAL TABLE alone USING fts5(T);
    CREATE VIRTUAL TABLE old USING fts4(T);
    CREATE VIRTUAL TABLE boxes USING rtree(id, low, high);
    CREATE VIRTUAL TABLE found USING fts5(BODY, content='notes', content_rowid='ID');
    CREATE TABLE found_content (A INTEGER);
    CREATE TRIGGER notes_ai AFTER INSERT ON notes BEGIN
      INSERT INTO found(rowid, BODY) VALUES (new.ID, new.BODY);
      INSERT INTO old(docid, T) VALUES (new.ID, new.BODY);
    END;
    CREATE TRIGGER notes_ad AFTER DELETE ON notes BEGIN
      INSERT INTO found(found, rowid, BODY) VALUES ('delete', old.ID, old.BODY);
      DELETE FROM old WHERE docid = old.ID;
    END;
    CREATE TRIGGER notes_au AFTER UPDATE ON notes BEGIN
      INSERT INTO found(found, rowid, BODY) VALUES ('delete', old.ID, old.BODY);
      INSERT INTO found(rowid, BODY) VALUES (new.ID, new.BODY);
      UPDATE old SET T = new.BODY WHERE docid = old.ID;
    END;
    CREATE TRIGGER places_ai AFTER INSERT ON places BEGIN INSERT INTO boxes VALUES (new.ID, new.X, new.X + 1); END;
    CREATE TRIGGER places_au AFTER UPDATE ON places BEGIN UPDATE boxes SET low = new.X, high = new.X + 1 WHERE id = new.ID; END;
    CREATE TRIGGER places_ad AFTER DELETE ON places BEGIN DELETE FROM boxes WHERE id = old.ID; END;
    INSERT INTO notes VALUES (1, 'red apple', 1), (2, 'green pear', 2), (3, 'red plum', 3), (4, 'blue plum', 4);
    INSERT INTO places VALUES (1, 10), (2, 20), (3, 30);
    INSERT INTO plain VALUES (1, 5), (2, 6);
    INSERT INTO alone VALUES ('one'), ('two');
    INSERT INTO found_content VALUES (7);";

/// The bytes of this database; equally long pieces of them are replaced.
fn make_database(replaced: &[(&str, &str)]) -> Vec<u8> {
    sqlite::init_process().expect("SQLite");
    let mut connection = Connection::open_in_memory().expect("opened");
    connection.execute_batch(START).expect("made");
    let mut bytes = connection.serialize("main").expect("serialized").to_vec();
    for (from, to) in replaced {
        assert_eq!(from.len(), to.len());
        let is_here = |at: &usize| bytes[*at..].starts_with(from.as_bytes());
        let places: Vec<usize> = (0..bytes.len()).filter(is_here).collect();
        assert!(!places.is_empty(), "{from}");
        places.into_iter().for_each(|at| bytes[at..at + to.len()].copy_from_slice(to.as_bytes()));
    }
    bytes
}

fn make_suite(statements: &str, expect: &str) -> String {
    testing::build_suite_source(
        "samples 1",
        &format!(
            "sqlite d at \"d.db\" from \"d.db\"\n{statements}\nprompt \"Change <<d>> as told: notes 2 and 3, places, plain.\"\n{expect}"
        ),
    )
}

fn make_goal(statements: &str) -> String {
    make_suite(&format!("goal = <<after: d, {statements}>>\nrequire changed(goal) > 0"), "expect file d database goal")
}

/// A built suite over the database.
struct Built {
    home: tempfile::TempDir,
    instance: Instance,
}

impl Built {
    fn new(source: &str) -> Built {
        let home = create_folder(&[("s.pcd", source)]);
        write_in_folder(home.path(), "d.db", &make_database(&[]));
        expect_success(home.path(), &["check", "s.pcd"]);
        expect_success(home.path(), &["build", "s.pcd", "-o", "out", "--quiet"]);
        let bundle = Bundle::open_verified(&home.path().join("out")).expect("a bundle");
        let instance = bundle.open_instances().expect("instances").next().expect("one").expect("readable");
        Built { home, instance }
    }

    /// The score of what statements leave, which an agent runs whose SQLite has the modules.
    fn score(&self, statements: &str) -> Score {
        let start = make_database(&[]);
        let sandbox = tempfile::tempdir().expect("a folder");
        write_in_folder(sandbox.path(), "d.db", &start);
        let path = sandbox.path().join("d.db");
        let connection = Connection::open(&path).expect("opened");
        connection.execute_batch(statements).unwrap_or_else(|error| panic!("{error}: {statements}"));
        drop(connection);
        let captured = |path: String| {
            let found = std::fs::read(sandbox.path().join(&path)).map_or(Captured::Absent, Captured::from_bytes);
            (path, found)
        };
        let files = self.instance.list_key_paths().into_iter().map(captured).collect();
        let response = Response { id: self.instance.id.clone(), trial: 1, files, ..Response::default() };
        score::score_response(&self.instance, Some(&response), 1, &BTreeMap::from([("d.db".to_owned(), start)]))
    }
}

#[test]
fn ordinary_tables_beside_virtual_ones_have_states() {
    for statements in [
        "UPDATE notes SET BODY = 'red pear' WHERE ID IN (2, 3)",
        "DELETE FROM notes WHERE ID = 2; INSERT INTO notes VALUES (9, 'new', 1)",
        "UPDATE places SET X = X + 1 WHERE ID > 1; DELETE FROM places WHERE ID = 1; INSERT INTO places VALUES (8, 80)",
        "UPDATE plain SET X = X + 1",
        "UPDATE notes SET STARS = 0; UPDATE places SET X = 0; DELETE FROM plain",
    ] {
        let built = Built::new(&make_goal(statements));
        expect_success(built.home.path(), &["selftest", "s.pcd"]);
        let with = |more: &str| built.score(&format!("{statements};{more}"));
        for more in ["", "INSERT INTO alone VALUES ('three')", "INSERT INTO found(found) VALUES ('rebuild')", "VACUUM"]
        {
            let score = with(more);
            assert!(score.correct, "{statements}; {more}: {:?}", score.verdicts);
        }
        assert_eq!(built.score("").score, 0.0, "{statements}");
        assert_eq!(built.score("INSERT INTO alone VALUES ('three')").score, 0.0, "{statements}");
        for more in
            ["INSERT INTO plain VALUES (99, 1)", "DELETE FROM notes WHERE ID = 4", "UPDATE found_content SET A = 8"]
        {
            let score = with(more);
            assert!(!score.correct && score.score > 0.0, "{statements}; {more}: {:?}", score.verdicts);
        }
        for more in
            ["DROP TABLE alone", "CREATE VIRTUAL TABLE more USING fts5(T)", "DROP TABLE boxes; CREATE TABLE boxes (id)"]
        {
            let score = with(more);
            assert!(!score.correct && score.score == 0.0, "{statements}; {more}: {:?}", score.verdicts);
            assert!(score.verdicts.iter().any(|verdict| verdict.reason == Reason::WrongSchema), "{:?}", score.verdicts);
        }
    }
}

#[test]
fn an_unchanged_database_has_unchanged_virtual_tables() {
    let built = Built::new(&make_suite("", "expect file d unchanged"));
    for (statements, is_right) in [
        ("", true),
        ("PRAGMA journal_mode = WAL; SELECT * FROM notes", true),
        ("VACUUM", true),
        ("UPDATE plain SET X = X + 1", false),
        ("INSERT INTO alone VALUES ('three')", false),
        ("UPDATE places SET X = X + 1", false),
        ("DELETE FROM boxes WHERE id = 1", false),
        ("DROP TABLE alone", false),
    ] {
        let score = built.score(statements);
        assert_eq!(score.correct, is_right, "{statements}: {:?}", score.verdicts);
    }
}

/// What is said of statements over the database.
fn check_statements(statements: &str, replaced: &[(&str, &str)]) -> String {
    let home = create_folder(&[("s.pcd", make_goal(statements).as_str())]);
    write_in_folder(home.path(), "d.db", &make_database(replaced));
    // A long message goes on in the next line.
    let unwrap = |text: String| text.replace("\n  │ ", " ").split_whitespace().collect::<Vec<_>>().join(" ");
    let checked = run_picardc(home.path(), &["check", "s.pcd"]).join_output();
    if checked.contains("error[") {
        return unwrap(checked);
    }
    unwrap(run_picardc(home.path(), &["build", "s.pcd", "-o", "out", "--quiet"]).join_output())
}

#[test]
fn statements_that_use_a_virtual_table_name_it() {
    let writes = [
        ("INSERT INTO NAME VALUES (1, 2, 3)", "change"),
        ("INSERT OR REPLACE INTO main.NAME VALUES (1)", "change"),
        ("REPLACE INTO \"NAME\" VALUES (1)", "change"),
        ("UPDATE NAME SET rowid = 1", "change"),
        ("DELETE FROM NAME", "change"),
    ];
    let reads = [
        ("UPDATE plain SET X = 1 WHERE N IN (SELECT rowid FROM NAME)", "read"),
        ("INSERT INTO plain SELECT rowid, 1 FROM NAME", "read"),
        ("DELETE FROM plain WHERE EXISTS (SELECT 1 FROM NAME WHERE NAME MATCH 'x')", "read"),
    ];
    for (name, module) in [("alone", "fts5"), ("found", "fts5"), ("old", "fts4"), ("boxes", "rtree")] {
        for (statement, verb) in writes.iter().chain(&reads) {
            let said = check_statements(&statement.replace("NAME", name), &[]);
            let wanted =
                format!("`after` cannot {verb} `{name}`: `{name}` is a virtual table of the module `{module}`");
            assert!(said.contains("E0604") && said.contains(&wanted), "{statement}: {said}");
            assert_eq!(said.matches("error[").count(), 1, "{statement}: {said}");
        }
    }
    for (name, of) in
        [("alone_content", "alone"), ("found_data", "found"), ("old_segdir", "old"), ("boxes_node", "boxes")]
    {
        for (statement, _) in &writes[3..] {
            let said = check_statements(&statement.replace("NAME", name), &[]);
            let wanted = format!(
                "`after` cannot change `{name}`: the module of the virtual table `{of}` stores its rows in `{name}`"
            );
            assert!(said.contains("E0604") && said.contains(&wanted), "{statement}: {said}");
        }
    }
    // A module that SQLite does not have hinders only the tables whose triggers use it.
    let replaced = [("USING fts5", "USING zzz9")];
    let said = check_statements("UPDATE notes SET STARS = 0", &replaced);
    assert!(said.contains("E0905") && said.contains("`found`") && said.contains("`zzz9`"), "{said}");
    assert!(said.contains("DROP TRIGGER"), "{said}");
    let said = check_statements("UPDATE plain SET X = 0; UPDATE places SET X = 0", &replaced);
    assert_eq!(said, "");
}
