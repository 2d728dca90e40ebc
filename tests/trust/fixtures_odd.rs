//! Something odd in a fixture hinders those who read it, and nobody else.

use serde_json::json;
use testing::{create_folder, run_picardc, write_in_folder};

use crate::trust::support::{key, keys, said, suite};

const YAML: &str = "\
a: no
big: 99999999999999999999
good: 7
db: {host: h, host: i, port: 1}
rows:
  - {x: 1, w: 0o17, z: {u: 1}}
  - {x: 2, w: 5, z: {u: 2}}
tags: [on, off]
";

const CSV: &[u8] = b"ID,NAME,AMT\n1,good,5\n2,b\xe4d,7\n";

/// A database with an infinite number, a text that is not UTF-8, and a view of what is not there.
fn database() -> Vec<u8> {
    let mut database = picardc::sqlite::Database::new_empty(&picardc::sqlite::TOOL).expect("opened");
    let sql = "CREATE TABLE t (ID INTEGER PRIMARY KEY, R REAL, T TEXT, N INT);
               INSERT INTO t VALUES (1, 9e999, 'x', 3), (2, 1.5, CAST(x'61ff' AS TEXT), 4);
               CREATE VIEW lost AS SELECT * FROM gone;";
    database.connection().execute_batch(sql).expect("made");
    database.to_bytes().expect("serialized")
}

const FILES: &str = "yaml y at \"y.yaml\" from \"x.yaml\"
    csv c at \"c.csv\" from \"x.csv\"
    csv r at \"r.csv\" from \"ragged.csv\"
    sqlite d at \"d.db\" from \"x.db\"
    json j at \"j.json\" from \"x.json\"";

fn files() -> Vec<(&'static str, Vec<u8>)> {
    vec![
        ("x.yaml", YAML.into()),
        ("x.csv", CSV.into()),
        ("ragged.csv", b"A,B\n1,2\n3\n".to_vec()),
        ("x.db", database()),
        ("x.json", br#"{"n": 123456789012345678901, "m": 1, "text": "\ud800", "far": 1e999, "k": [1, 2]}"#.to_vec()),
    ]
}

fn said_of(task: &str) -> String {
    let files = files();
    let files: Vec<(&str, &[u8])> = files.iter().map(|(path, bytes)| (*path, &bytes[..])).collect();
    said(&format!("{FILES}\n{task}"), &files)
}

#[test]
fn d5_what_nobody_reads_hinders_nobody() {
    let task = format!(
        "{FILES}
        n : ref y.rows.x
        prompt \"<<y>> <<c>> <<r>> <<d>> <<j>> <<n>>\"
        expect reply json {{
          good: y.good, port: y.db.port, x: sum(y.rows.x), u: sum(y.rows.z.u), rows: count(y.rows), path: <<yaml_value: y, $.rows[1].w>>,
          keys: <<yaml_count: y, $.rows[*].w>>, sql: <<value: SELECT sum(x) FROM y.rows>>,
          id: sum(c.ID), amt: <<value: SELECT max(AMT) FROM c>>, count: count(c),
          line: <<file_line: r, 3>>,
          n: sum(d.t.N), scoped: <<sqlite_query: d, SELECT sum(N) FROM t>>,
          m: j.m, k: <<json_sum: j, $.k[*]>>
        }}"
    );
    let owned = files();
    let files: Vec<(&str, &[u8])> = owned.iter().map(|(path, bytes)| (*path, &bytes[..])).collect();
    let key = key(&task, &files);
    assert_eq!(
        key,
        json!({
            "good": 7, "port": 1, "x": 3, "u": 3, "rows": 2, "path": 5, "keys": 2, "sql": 3, "id": 3, "amt": 7, "count": 2, "line": "3",
            "n": 7, "scoped": 7, "m": 1, "k": 3,
        })
    );
}

/// The copy in the sandbox is the file, whatever is odd in it.
#[test]
fn d5_a_copy_is_the_file() {
    let home = create_folder(&[(
        "s.pcd",
        &suite("csv r at \"r.csv\" from \"x.csv\" prompt \"<<r>>\" expect reply text \"x\""),
    )]);
    write_in_folder(home.path(), "x.csv", b"A,B\n1,2,3\n\xff\n");
    keys(home.path());
    assert_eq!(std::fs::read(home.path().join("out/files/q-1/r.csv")).expect("a copy"), b"A,B\n1,2,3\n\xff\n");
}

#[test]
fn d5_what_is_odd_is_told_to_whoever_reads_it() {
    let value = |value: &str| format!("prompt \"<<y>>\" expect reply json {{ v: {value} }}");
    for (task, words) in [
        (value("y.a"), "line 1, /a: readers of YAML disagree on `no`"),
        (value("y.big"), "line 2, /big: 99999999999999999999 is not a number of 64 bits"),
        (value("y.db.host"), "line 4: the key \"host\" appears twice in /db"),
        (value("y.db"), "the key \"host\" appears twice"),
        (value("sum(y.rows.w)"), "line 6, /rows/0/w: readers of YAML disagree on `0o17`"),
        (value("count(y.rows where w > 3)"), "/rows/0/w"),
        (value("sum(y.rows.x + y.rows.w)"), "/rows/0/w"),
        (value("list(y.tags.value)"), "`x.yaml` has 2 problems"),
        (value("len(y.tags)"), "/tags/0"),
        (value("<<yaml_value: y, $.a>>"), "disagree on `no`"),
        (value("<<yaml_collect: y, $.rows[*].w>>"), "/rows/0/w"),
        (value("<<yaml_value: y, $.rows[0].w>>"), "/rows/0/w"),
        (value("<<yaml_count_where: y, $.rows[?@.w > 3]>>"), "/rows/0/w"),
        (value("<<yaml_collect: y, $..w>>"), "/rows/0/w"),
        (value("<<yaml_value: y, $.db.host>>"), "appears twice"),
        (value("<<value: SELECT sum(w) FROM y.rows>>"), "/rows/0/w"),
        ("n : ref y.rows.w prompt \"<<n>>\" expect reply text \"x\"".to_owned(), "/rows/0/w"),
        ("a, b : ref y.rows.(x, w) prompt \"<<a>> <<b>>\" expect reply text \"x\"".to_owned(), "/rows/0/w"),
        ("n : ref y.rows.x where w > 3 prompt \"<<n>>\" expect reply text \"x\"".to_owned(), "/rows/0/w"),
        ("axis n = list(c.NAME) prompt \"<<n>>\" expect reply text \"x\"".to_owned(), "column `NAME`"),
        ("prompt \"<<y.a>>\" expect reply text \"x\"".to_owned(), "disagree on `no`"),
        (
            "csv o at \"o.csv\" { rows 3 N : ref c.NAME } prompt \"<<o>>\" expect reply number count(o)".to_owned(),
            "column `NAME`",
        ),
        (value("csv_row(c, 1)"), "row 2 (line 3), column `NAME`: \"b\u{fffd}d\" is not UTF-8"),
        (value("csv_cell(c, 2, 2)"), "column `NAME`"),
        (value("count(c where NAME == \"good\")"), "column `NAME`"),
        (value("<<list: SELECT NAME FROM c>>"), "column `NAME`"),
        (value("<<rows: SELECT * FROM c>>"), "column `NAME`"),
        (value("<<file_line: c, 1>>"), "line 3 is not UTF-8"),
        (value("count(r)"), "row 2 (line 3) has 1 cell, the header has 2"),
        (value("sum(r.A)"), "row 2 (line 3) has 1 cell"),
        (value("<<value: SELECT count(*) FROM r>>"), "row 2 (line 3) has 1 cell"),
        (value("sum(d.t.R)"), "`t.R` in row 1 is infinite"),
        (value("coalesce(<<sqlite_query: d, SELECT max(R) FROM t>>, 0)"), "`t.R` in row 1 is infinite"),
        (value("list(d.t.T)"), "`t.T` in row 2 is not UTF-8"),
        (value("count(d.lost)"), "the view `lost` cannot be read: no such table: main.gone"),
        (value("sum(d.lost.X)"), "the view `lost` cannot be read"),
        (value("<<sqlite_query: d, SELECT count(*) FROM lost>>"), "the view `lost` cannot be read"),
        (value("<<value: SELECT count(*) FROM d.lost>>"), "the view `lost` cannot be read"),
        (value("j.n"), "the number 123456789012345678901 at /n does not fit 64 bits"),
        (value("j.far"), "the number 1e999 at /far does not fit 64 bits"),
        (value("<<json_value: j, $.text>>"), "the text at /text has half of a surrogate pair"),
    ] {
        let said = said_of(&task);
        let flat = said.split_whitespace().filter(|word| *word != "│").collect::<Vec<_>>().join(" ");
        assert!(flat.contains("error[E0505]") && flat.contains(words), "{task}: {words}\n{said}");
        assert_eq!(said.matches("error[").count(), 1, "{task}: one cause, one message\n{said}");
        // At the place where it is read.
        assert!(flat.contains("this reads it") && flat.contains("from here"), "{task}\n{said}");
    }
}

#[test]
fn d5_all_problems_of_a_file_are_told_at_once() {
    let ragged: String = (0..7).map(|row| format!("{row}\n")).collect();
    for (task, content, words) in [
        (
            "csv f at \"f.csv\" from \"x\" prompt \"<<f>>\" expect reply number count(f)",
            format!("A,B\n{ragged}1,2\n"),
            ["`x` has 7 problems", "row 5 (line 6)", "and 2 more"],
        ),
        (
            "json f at \"f.json\" from \"x\" prompt \"<<f.a>>\" expect reply json { v: f.b, w: <<json_collect: f, $.c[*]>> }",
            "{\"a\": 99999999999999999999, \"b\": 1, \"b\": 2, \"c\": [-99999999999999999999], \"d\": 1e999}"
                .to_owned(),
            ["`x` has 3 problems", "the key \"b\" appears twice", "/c/0 does not fit 64 bits"],
        ),
        (
            "yaml f at \"f.yaml\" from \"x\" prompt \"<<f.a>>\" expect reply json { v: <<yaml_value: f, $.yes>>, w: f.b }",
            "a: no\nyes: 1\nb: 0o17\nc: on\n".to_owned(),
            ["`x` has 3 problems", "disagree on `yes`", "disagree on `0o17`"],
        ),
    ] {
        let said = said(task, &[("x", content.as_bytes())]);
        for word in words {
            assert!(said.contains(word), "{word}: {said}");
        }
        assert_eq!(said.matches("error[").count(), 1, "{said}");
    }
}

/// A sheet that cannot be read does not hinder those who read another.
#[test]
fn d5_an_unreadable_sheet_hinders_those_who_read_it() {
    let bad = [("t='str'|A", "t='str'|A"), ("|1", "|2")];
    let good = [("t='str'|A", "t='str'|B"), ("|5", "t='e'|#DIV/0!")];
    let book = super::fixtures_bounds::book(&[("Bad", &bad), ("Good", &good)]);
    let task = |value: &str| {
        format!("xlsx f at \"f.xlsx\" from \"x.xlsx\" prompt \"<<f>>\" expect reply json {{ v: {value} }}")
    };
    assert_eq!(key(&task("sum(f.Good.A)"), &[("x.xlsx", &book)]), json!({"v": 5}));
    let b = said(&task("sum(f.Good.B)"), &[("x.xlsx", &book)]);
    assert!(b.contains("E0505") && b.contains("cell B2: the cell holds the error #DIV/0!"), "{b}");
    let a = said(&task("sum(f.Bad.A)"), &[("x.xlsx", &book)]);
    assert!(a.contains("E0505") && a.contains("two columns of `Bad` are named `A`"), "{a}");
}

/// In a project of several tasks each is told for itself.
#[test]
fn d5_tasks_that_do_not_read_it_are_not_told() {
    let text = "suite s { title \"S\" version \"1.0.0\" samples 1 }
        task good { yaml f at \"f.yaml\" from \"x.yaml\" prompt \"<<f>>\" expect reply number f.good }
        task bad { yaml f at \"f.yaml\" from \"x.yaml\" prompt \"<<f>>\" expect reply text f.a }";
    let home = create_folder(&[("s.pcd", text), ("x.yaml", YAML)]);
    let checked = run_picardc(home.path(), &["check", "s.pcd"]);
    let said = checked.join_output();
    assert_eq!(said.matches("error[E0505]").count(), 1, "{said}");
    assert!(said.contains("s.pcd:3:"), "{said}");
}
