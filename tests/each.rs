//! Data sets: every row of a table is an instance, with its own database, and its gold SQL is data.

use std::collections::BTreeMap;
use std::path::Path;

use serde_json::{Value, json};
use testing::{expect_status, expect_success, run_picardc};

const SUITE: &str = r#"suite mini { title "Mini" version "1.0.0" samples 3 }

table dev from "dev.json"

task ask {
  each q in dev key question_id by db_id where difficulty != "hard"
  sqlite db at "db.sqlite" from "dbs/<<q.db_id>>/<<q.db_id>>.sqlite"
  gold = query(db, q.SQL)
  tags [easy, q.difficulty]
  prompt "<<q.question>> The database is <<db>>. <<schema(db)>> Reply with one SQLite query in a sql block."
  expect reply fenced "sql" sql db gold
  variant plain { prompt "Think first." }
  variant short { prompt "Be brief." }
}

task drawn {
  each r in dev key question_id
  n : int 1..1_000_000
  require mod(n, 2) == 0 or r.question_id > 3
  prompt "Add <<n>> and <<r.question_id>>. Reply with the number only."
  expect reply number n + r.question_id
}
"#;

/// A row: its number, database, and query.
fn row(id: u32, database: &str, difficulty: &str, sql: &str) -> Value {
    json!({ "question_id": id, "db_id": database, "question": format!("Question {id}?"), "SQL": sql, "difficulty": difficulty })
}

fn rows() -> Vec<Value> {
    vec![
        row(1, "shop", "simple", "SELECT COUNT(*) FROM orders"),
        row(2, "zoo", "moderate", "SELECT name FROM animals ORDER BY id"),
        row(3, "shop", "hard", "SELECT id FROM orders WHERE n > 2"),
        row(4, "zoo", "simple", "SELECT MAX(n) FROM animals"),
    ]
}

fn database(folder: &Path, name: &str, table: &str) {
    let path = folder.join(format!("dbs/{name}"));
    std::fs::create_dir_all(&path).expect("made");
    sqlite::init_process().expect("SQLite");
    let connection = rusqlite::Connection::open(path.join(format!("{name}.sqlite"))).expect("opened");
    let rows: Vec<String> = (1..=9).map(|id| format!("({id}, '{name}{id}', {})", id * 7 % 5)).collect();
    let create = format!("CREATE TABLE {table}(id INTEGER PRIMARY KEY, name TEXT, n INT)");
    connection.execute_batch(&format!("{create}; INSERT INTO {table} VALUES {}", rows.join(", "))).expect("filled");
}

/// A folder with the suite, its data set, and two databases.
fn home(suite: &str, rows: &[Value]) -> tempfile::TempDir {
    let home = testing::create_folder(&[("s.pcd", suite), ("dev.json", &Value::from(rows).to_string())]);
    database(home.path(), "shop", "orders");
    database(home.path(), "zoo", "animals");
    home
}

/// The instances of a build, by id.
fn built(folder: &Path) -> BTreeMap<String, Value> {
    expect_success(folder, &["build", "s.pcd", "--seed", "7", "--out", "out"]);
    let text = std::fs::read_to_string(folder.join("out/instances.jsonl")).expect("written");
    let lines = text.lines().map(|line| serde_json::from_str(line).expect("JSON"));
    let built = lines.map(|line: Value| (line["id"].as_str().expect("a text").to_owned(), line)).collect();
    std::fs::remove_dir_all(folder.join("out")).expect("removed");
    built
}

/// What `check` says of a suite.
fn said(suite: &str, rows: &[Value]) -> String {
    let home = home(suite, rows);
    run_picardc(home.path(), &["check", "s.pcd"]).join_output()
}

/// The suite with one part of it replaced.
fn with(from: &str, to: &str) -> String {
    assert!(SUITE.contains(from), "{from}");
    SUITE.replacen(from, to, 1)
}

#[test]
fn each_row_is_an_instance_with_its_own_database_and_answer() {
    let home = home(SUITE, &rows());
    assert_eq!(expect_success(home.path(), &["check", "--deny-warnings", "s.pcd"]).trim(), "");
    let built = built(home.path());
    let ids: Vec<&str> = built.keys().map(String::as_str).filter(|id| id.starts_with("ask")).collect();
    let wanted = ["ask-1-plain-1", "ask-1-short-1", "ask-2-plain-1", "ask-2-short-1", "ask-4-plain-1", "ask-4-short-1"];
    assert_eq!(ids, wanted, "row 3 is hard, and a task without draws has one sample");
    let zoo = &built["ask-2-plain-1"];
    let picard = &zoo["metadata"]["picard"];
    assert_eq!(picard["each"], json!({ "name": "q", "key": "2", "by": "zoo" }));
    assert_eq!((&picard["draws"], &picard["sample"]), (&json!({}), &json!(1)), "no cell is told");
    assert_eq!(picard["tags"], json!(["easy", "moderate"]));
    assert!(zoo["input"].as_str().expect("a text").contains("CREATE TABLE animals"));
    let names: Vec<Value> = (1..=9).map(|id| json!([format!("zoo{id}")])).collect();
    assert_eq!(picard["expect"][0]["value"]["rows"], Value::from(names), "{}", picard["expect"]);
    assert_eq!(built["ask-1-short-1"]["metadata"]["picard"]["expect"][0]["value"]["rows"], json!([[9]]));
}

#[test]
fn rows_draw_independently_and_more_rows_change_none() {
    let few = home(SUITE, &rows());
    let mut more = rows();
    more.insert(0, row(9, "zoo", "simple", "SELECT 1"));
    more.push(row(10, "shop", "hard", "SELECT 2"));
    let many = home(SUITE, &more);
    let (few, many) = (built(few.path()), built(many.path()));
    assert_eq!(few.iter().filter(|(id, _)| id.starts_with("drawn")).count(), 12);
    for (id, instance) in &few {
        assert_eq!(many.get(id), Some(instance), "{id}");
    }
    let draw = |id: &str| few[id]["metadata"]["picard"]["draws"]["n"].clone();
    assert_ne!(draw("drawn-1-1"), draw("drawn-2-1"), "two rows draw on their own");
    assert_eq!(draw("drawn-1-2").as_u64().map(|n| n % 2), Some(0), "`require` redraws its own row");
}

#[test]
fn a_row_without_a_key_is_called_by_its_number_in_the_table() {
    let home = home(&with(" key question_id by db_id where", " where"), &rows());
    let built = built(home.path());
    let keys: Vec<&Value> =
        built.values().map(|line| &line["metadata"]["picard"]["each"]).filter(|each| each["name"] == "q").collect();
    assert!(keys.contains(&&json!({ "name": "q", "key": "4" })), "numbered before `where`: {keys:?}");
    assert!(built.contains_key("ask-4-plain-1") && !built.contains_key("ask-3-plain-1"));
}

#[test]
fn an_agent_that_knows_the_answers_is_right_and_an_idle_one_is_not() {
    let home = home(SUITE, &rows());
    let table = expect_success(home.path(), &["selftest", "s.pcd", "--seed", "7"]);
    assert!(table.contains("2 of 2 tasks sound"), "{table}");
}

/// The lower end of the interval of a perfect agent.
fn lower_end(suite: &str) -> f64 {
    let home = home(suite, &rows());
    expect_success(home.path(), &["build", "s.pcd", "--seed", "7", "--out", "out"]);
    expect_success(home.path(), &["run", "out", "--agent", "oracle", "-o", "mine"]);
    let report = expect_success(home.path(), &["report", "mine", "--json"]);
    let report: Value = serde_json::from_str(&report).expect("JSON");
    let whole = &report["runs"][0]["whole"];
    assert_eq!(whole["correct"], whole["of"], "{whole}");
    whole["interval"]["low"].as_f64().expect("a number")
}

#[test]
fn intervals_resample_clusters_or_else_rows() {
    let alone = SUITE.split("task drawn").next().expect("a task").to_owned();
    let by_row = lower_end(&alone.replace(" by db_id", ""));
    let by_cluster = lower_end(&alone);
    // Three rows are three observations, however many variants they have, and two databases are two.
    assert!(by_cluster < by_row && by_row < 0.45, "{by_cluster} {by_row}");
}

#[test]
fn a_bundle_has_each_file_of_the_rows_once() {
    let home = home(SUITE, &rows());
    expect_success(home.path(), &["build", "s.pcd", "--seed", "7", "--out", "out"]);
    let files = testing::read_files(home.path().join("out"));
    let databases: Vec<&String> = files.keys().filter(|path| path.ends_with(".sqlite")).collect();
    assert_eq!(databases, ["static/dbs/shop/shop.sqlite", "static/dbs/zoo/zoo.sqlite"]);
    let bytes = std::fs::read(home.path().join("dbs/zoo/zoo.sqlite")).expect("read");
    assert!(files["static/dbs/zoo/zoo.sqlite"] == bytes);
    for (shards, out) in [("1/2", "one"), ("2/2", "two")] {
        expect_success(home.path(), &["build", "s.pcd", "--seed", "7", "--shard", shards, "--out", out]);
    }
    expect_success(home.path(), &["merge", "one", "two", "--out", "both"]);
    assert!(testing::read_files(home.path().join("both")) == files, "shards have the same bytes");
}

#[test]
fn what_fails_is_said_once_and_by_record() {
    let mut bad = rows();
    for (id, sql) in [
        (21, "SELECT nope FROM orders"),
        (22, "DELETE FROM orders"),
        (23, "SELECT random()"),
        (24, "SELECT 1; SELECT 2"),
        (25, "SELECT \"nope\" FROM orders"),
        (26, "SELECT date('now')"),
        (27, "SELEC 1"),
    ] {
        bad.push(row(id, "shop", "simple", sql));
    }
    let said = said(SUITE, &bad);
    assert!(said.contains("E0612") && said.contains("7 of 10 queries in `q.SQL` fail"), "{said}");
    for part in [
        "`question_id` 21: no such column: nope",
        "22: ",
        "only a query that reads",
        "random",
        "more than one",
        "and 2 more",
    ] {
        assert!(said.contains(part), "{part}\n{said}");
    }
    assert_eq!(said.matches("E0612").count(), 1, "{said}");
    // The fix leaves exactly these rows out.
    let home = home(SUITE, &bad);
    run_picardc(home.path(), &["check", "--fix", "--unsafe-fixes", "s.pcd"]);
    let fixed = std::fs::read_to_string(home.path().join("s.pcd")).expect("read");
    assert!(fixed.contains("!= \"hard\" and question_id not in [21, 22, 23, 24, 25, 26, 27]"), "{fixed}");
    expect_status(0, home.path(), &["check", "s.pcd"]);
}

#[test]
fn queries_without_rows_are_listed_by_record() {
    let mut data = rows();
    data.push(row(31, "zoo", "simple", "SELECT id FROM animals WHERE n > 900"));
    let said = said(SUITE, &data);
    assert!(
        said.contains("W0507") && said.contains("1 gold query returns no rows") && said.contains("`question_id` 31"),
        "{said}"
    );
}

#[test]
fn a_limit_that_cuts_off_equal_rows_is_listed_by_record() {
    let mut data = rows();
    data.push(row(41, "shop", "simple", "SELECT name FROM orders ORDER BY n DESC LIMIT 1"));
    data.push(row(42, "shop", "simple", "SELECT name FROM orders ORDER BY n DESC, id LIMIT 1"));
    data.push(row(44, "shop", "simple", "SELECT name FROM orders LIMIT 2"));
    data.push(row(43, "shop", "simple", "SELECT n FROM orders ORDER BY n DESC LIMIT 1"));
    let said = said(SUITE, &data);
    assert!(said.contains("W0304") && said.contains("`LIMIT` of 1 gold query cuts off rows that tie"), "{said}");
    assert!(said.contains("W0303") && said.contains("`LIMIT` of 1 gold query takes arbitrary rows"), "{said}");
    assert!(said.contains("`question_id` 41\n") && said.contains("`question_id` 44\n"), "{said}");
    assert!(!said.contains("42") && !said.contains("43"), "{said}");
}

/// V14: slips in gold queries, each lint once with the rows that it is about.
#[test]
fn slips_in_gold_queries_are_listed_by_record() {
    let mut data = rows();
    let slips = [
        (61, "SELECT COUNT(*) FROM orders a, orders b", Some("W0505")),
        (62, "SELECT SUM(n) / COUNT(*) FROM orders", Some("W0501")),
        (63, "SELECT AVG(id / 2) FROM orders", Some("W0501")),
        (64, "SELECT name, COUNT(*) FROM orders GROUP BY n", Some("W0303")),
        (65, "WITH x AS (SELECT 1) SELECT 2", Some("W0504")),
        (66, "SELECT COUNT(*) FROM orders WHERE n = N", Some("W0502")),
        (67, "SELECT 1.0 * SUM(n) / COUNT(*) FROM orders", None),
        (68, "SELECT COUNT(*) FROM orders a CROSS JOIN orders b", None),
        (69, "SELECT COUNT(*) FROM orders a, orders b WHERE a.id = b.id", None),
        // The tie-break may be in the question, which is a cell.
        (70, "SELECT name FROM orders ORDER BY n, id LIMIT 1", None),
    ];
    data.extend(slips.iter().map(|(id, sql, _)| row(*id, "shop", "simple", sql)));
    let said = said(SUITE, &data);
    for code in ["W0501", "W0502", "W0303", "W0504", "W0505"] {
        assert_eq!(said.matches(&format!("warning[{code}")).count(), 1, "{code}\n{said}");
        let ids: Vec<String> =
            slips.iter().filter(|(.., of)| *of == Some(code)).map(|(id, ..)| id.to_string()).collect();
        let count =
            if ids.len() == 1 { "in 1 gold query, ".to_owned() } else { format!("in {} gold queries, ", ids.len()) };
        assert!(
            said.contains(&count) && said.contains(&format!("`question_id` {}. The first: ", ids.join(", "))),
            "{said}"
        );
    }
    assert_eq!(said.matches("warning[").count(), 5, "{said}");
    assert!(said.contains("7 / 2 is 3") && said.contains("write `1.0 * SUM(n) / COUNT(*)`"), "{said}");
}

/// V14: gold queries that number equal rows, and choose by the numbers or show them.
#[test]
fn numbers_of_equal_rows_are_listed_by_record() {
    let numbered = |by: &str, rest: &str| {
        format!("SELECT name FROM (SELECT name, id, ROW_NUMBER() OVER (ORDER BY {by}) AS r FROM orders) {rest}")
    };
    // The number `n` is the same in rows 5 apart: 1 and 6, 2 and 7, 3 and 8, 4 and 9.
    let cases = [
        (51, numbered("n DESC", "WHERE r = 1"), true),
        (52, numbered("n, id", "WHERE r = 1"), false),
        (53, numbered("id", "WHERE r <= 3"), false),
        (54, numbered("n", "WHERE r <= 2"), true),
        (55, numbered("n", "WHERE r <= 9"), false),
        (56, "SELECT name, ROW_NUMBER() OVER (ORDER BY n) AS r FROM orders".to_owned(), true),
        (57, "SELECT DISTINCT row_number() OVER (PARTITION BY n ORDER BY id) FROM orders".to_owned(), false),
        (58, "WITH x AS (SELECT name, ROW_NUMBER() OVER (PARTITION BY n > 2 ORDER BY n) AS r FROM orders) SELECT name FROM x WHERE r = 1".to_owned(), true),
    ];
    let mut data = rows();
    data.extend(cases.iter().map(|(id, sql, _)| row(*id, "shop", "simple", sql)));
    let said = said(SUITE, &data);
    let tied: Vec<String> = cases.iter().filter(|(.., tied)| *tied).map(|(id, ..)| id.to_string()).collect();
    assert!(said.contains(&format!("`ROW_NUMBER` of {} gold queries numbers rows that tie", tied.len())), "{said}");
    assert!(said.contains(&format!("`question_id` {}", tied.join(", "))), "{said}");
}

#[test]
fn mistakes_in_each_are_told_where_they_are() {
    let mut twice = rows();
    twice.push(row(2, "zoo", "simple", "SELECT 1"));
    let cases: [(&str, &str, &[Value], &str, &str); 13] = [
        (" key question_id by", " key question_id by", &twice, "E0509", "`question_id` is not unique in `dev`"),
        ("key question_id by", "key question by", &rows(), "E0307", "values that cannot be in ids"),
        ("key question_id by", "key qid by", &rows(), "E0203", "`dev` has no column `qid`"),
        ("by db_id where", "by db where", &rows(), "E0203", "`dev` has no column `db`"),
        ("each q in dev", "each q in nope", &rows(), "E0202", "`nope` is not a file or table"),
        ("!= \"hard\"", "== \"absent\"", &rows(), "W0401", "no row of `dev` meets the condition"),
        ("<<q.question>> The", "<<q>> The", &rows(), "E0301", "`q` is a row, not a value"),
        ("<<q.question>> The", "<<q.nope>> The", &rows(), "E0203", "`dev` has no column `nope`"),
        ("/<<q.db_id>>.sqlite", "/<<n>>.sqlite", &rows(), "E0305", "can only use `q` and constants"),
        (
            "  gold = query(db, q.SQL)",
            "  n : int 1..3\n  gold = <<sqlite_query: db, SELECT 1>>",
            &rows(),
            "E0203",
            "differs from row to row",
        ),
        (
            "  gold = query(db, q.SQL)",
            "  each p in dev\n  gold = query(db, q.SQL)",
            &rows(),
            "E0206",
            "`each` appears twice",
        ),
        (
            "where difficulty != \"hard\"",
            "where question_id > n",
            &rows(),
            "E0305",
            "can only use columns and constants",
        ),
        ("dbs/<<q.db_id>>/", "dbs/<<q.difficulty>>/", &rows(), "E0211", "does not exist"),
    ];
    for (from, to, rows, code, part) in cases {
        let suite =
            with(from, to).replace("/<<n>>.sqlite", "/<<n>>.sqlite\"\n  n : int 1..3\n  text more at \"m.txt\" = \"");
        let suite = if to.contains("> n") { suite.replacen("  gold", "  n : int 1..3\n  gold", 1) } else { suite };
        let said = said(&suite, rows);
        assert!(said.contains(code) && said.contains(part), "{to}: {code} {part}\n{said}");
    }
}

#[test]
fn drawn_rows_and_a_require_that_no_draw_can_change_are_refused() {
    let drawn = r#"suite s { title "S" version "1.0.0" }
task t {
  each q in orders key ID
  csv orders at "o.csv" { rows 5  ID : serial  N : int 1..9 }
  prompt "What is N of <<q.ID>> in <<orders>>? Number only."
  expect reply number q.N
}
"#;
    let said = said(drawn, &[]);
    assert!(said.contains("E0305") && said.contains("`each` needs known rows, but `orders` is drawn"), "{said}");
    assert!(said.contains("q : ref orders.ID"), "{said}");
    let home = home(&with("require mod(n, 2) == 0 or r.question_id > 3", "require r.question_id != 2"), &rows());
    let refused = run_picardc(home.path(), &["check", "s.pcd"]).join_output();
    assert!(refused.contains("E0902") && refused.contains("`require`"), "{refused}");
}

#[test]
fn an_answer_that_is_the_key_is_told_by_the_id() {
    let suite = with("expect reply number n + r.question_id", "expect reply number r.question_id");
    let said = said(&suite, &rows());
    assert!(said.contains("W0204") && said.contains("the id of the instance contains the expected value"), "{said}");
}

#[test]
fn each_is_a_name_where_it_begins_no_statement() {
    let suite = "suite s { title \"S\" version \"1.0.0\" samples 2 }\ntask t {\n  each : int 1..900\n  prompt \"Reply with <<each>>.\"\n  expect reply number each\n}\n";
    let home = testing::create_folder(&[("s.pcd", suite)]);
    expect_status(0, home.path(), &["check", "s.pcd"]);
}

/// What a suite can do with a column, and where it is written.
const USES: [(&str, &str, &str); 14] = [
    // After `each`, in the task, in the prompt.
    ("where EMPTY == null", "", ""),
    ("where EMPTY != null or ID > 1", "", ""),
    ("where EMPTY == \"x\" or ID > 1", "", ""),
    ("where not (EMPTY != null)", "", ""),
    ("where coalesce(EMPTY, \"a\") == \"a\"", "", ""),
    ("where EMPTY", "", ""),
    ("by EMPTY", "", ""),
    ("key EMPTY", "", ""),
    ("", "tags [q.EMPTY]", ""),
    ("", "require q.EMPTY == null", ""),
    ("", "", "<<q.EMPTY>>"),
    ("", "", "<<coalesce(q.EMPTY, \"nothing\")>>"),
    ("", "text note at \"n.txt\" from \"notes/<<q.EMPTY>>.txt\"", "<<note>>"),
    ("", "sqlite db at \"d.sqlite\" from \"d.sqlite\"\n  gold = query(db, q.EMPTY)", "<<db>>"),
];

/// The same cells in every format of tables that are read: `EMPTY` has these values, written as JSON.
fn in_all_formats(folder: &Path, cells: &[Value]) -> Vec<&'static str> {
    let rows: Vec<Value> = (1..).zip(cells).map(|(id, cell)| json!({ "ID": id, "NAME": "n", "EMPTY": cell })).collect();
    let plain = |cell: &Value| cell.as_str().map_or_else(|| cell.to_string(), str::to_owned).replace("null", "");
    let lines = rows.iter().map(|row| format!("{},n,{}\n", row["ID"], plain(&row["EMPTY"])));
    let csv = format!("ID,NAME,EMPTY\n{}", lines.collect::<String>());
    let yaml = rows.iter().map(|row| format!("- ID: {}\n  NAME: n\n  EMPTY: {}\n", row["ID"], row["EMPTY"]));
    let (yaml, json) = (yaml.collect::<String>(), Value::from(rows.clone()).to_string());
    for (name, text) in [("data.csv", &csv), ("data.yaml", &yaml), ("data.json", &json)] {
        std::fs::write(folder.join(name), text).expect("written");
    }
    sqlite::init_process().expect("SQLite");
    let connection = rusqlite::Connection::open(folder.join("data.sqlite")).expect("opened");
    connection.execute_batch("CREATE TABLE data(ID INTEGER PRIMARY KEY, NAME TEXT, EMPTY TEXT)").expect("made");
    for (id, cell) in (1..).zip(cells) {
        let cell = if cell.is_null() { None } else { Some(plain(cell)) };
        connection.execute("INSERT INTO data VALUES (?1, 'n', ?2)", (id, cell)).expect("filled");
    }
    vec!["data.csv", "data.json", "data.yaml", "data.sqlite"]
}

/// V22: what check lets pass can be built, whatever is in a column that `each` or the task uses: nothing, values of several types, or texts. A fourth of the
/// cases, and all of JSON without values; with `PICARDC_ALL_USES=1` all of them.
#[test]
fn a_column_without_values_is_refused_or_can_be_built() {
    let columns: [&[Value]; 5] = [
        &[Value::Null, Value::Null, Value::Null],
        &[Value::Null],
        &[json!("a"), Value::Null, json!("b")],
        &[json!(1), json!("b"), json!(true)],
        &[json!(true), json!(1), Value::Null],
    ];
    for (at, cells) in columns.into_iter().enumerate() {
        let home = testing::create_folder(&[("notes/a.txt", "A"), ("notes/b.txt", "B"), ("notes/1.txt", "1")]);
        sqlite::init_process().expect("SQLite");
        let connection = rusqlite::Connection::open(home.path().join("d.sqlite")).expect("opened");
        connection.execute_batch("CREATE TABLE t(a INT); INSERT INTO t VALUES (1)").expect("filled");
        for (format, file) in in_all_formats(home.path(), cells).into_iter().enumerate() {
            let all = std::env::var_os("PICARDC_ALL_USES").is_some() || at == 0 && file == "data.json";
            for (place, (of_each, of_task, of_prompt)) in USES.into_iter().enumerate() {
                if !all && (place + at + format) % 4 != 0 {
                    continue;
                }
                let expected = if of_task.contains("gold") {
                    "expect reply fenced \"sql\" sql db gold"
                } else {
                    "expect reply number q.ID + n"
                };
                let suite = format!(
                    "suite s {{ title \"S\" version \"1.0.0\" samples 1 }}\ntable data from \"{file}\"\ntask t {{\n  each q in data {of_each}\n  n : int 1..9\n  {of_task}\n  prompt \"Add <<n>> and <<q.ID>>. {of_prompt}\"\n  {expected}\n}}\n"
                );
                std::fs::write(home.path().join("s.pcd"), &suite).expect("written");
                let checked = run_picardc(home.path(), &["check", "s.pcd"]);
                if !checked.status.success() {
                    continue;
                }
                let built = run_picardc(home.path(), &["build", "s.pcd", "--seed", "7", "--out", "out"]);
                let case = format!("{cells:?} {file} {of_each}{of_task}{of_prompt}");
                assert!(built.status.success(), "{case}\n{}\n{}", checked.join_output(), built.join_output());
                std::fs::remove_dir_all(home.path().join("out")).expect("removed");
            }
            if at == 0 {
                // Rows without values are rows: these conditions can be written of every format.
                for of_each in ["where EMPTY == null", "where EMPTY != null or ID > 1", "by EMPTY"] {
                    let suite = format!(
                        "suite s {{ title \"S\" version \"1.0.0\" samples 1 }}\ntable data from \"{file}\"\ntask t {{\n  each q in data {of_each}\n  n : int 1..9\n  prompt \"Add <<n>> and <<q.ID>>.\"\n  expect reply number q.ID + n\n}}\n"
                    );
                    std::fs::write(home.path().join("s.pcd"), &suite).expect("written");
                    let made = built(home.path()).len();
                    assert_eq!(made, if of_each.contains("> 1") { 2 } else { 3 }, "{file} {of_each}");
                }
            }
        }
    }
}
