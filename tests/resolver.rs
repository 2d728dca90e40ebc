//! The resolver of column names, measured on questions that were written before it was: what it finds, what it misses, and what it takes
//! for a column though none is right.

mod agents;

use std::collections::BTreeMap;
use std::fs;
use std::process::Command;

use crate::run::server::Server;
use names::resolve_column;
use rusqlite::Connection;
use serde_json::{Value as Json, json};
use testing::{CommandOutput, STATISTICS, expect_success, root};

/// The tables of a schema with their columns.
fn columns(ddl: &str) -> Vec<(String, String)> {
    sqlite::init_process().expect("SQLite");
    let database = Connection::open_in_memory().expect("a database");
    database.execute_batch(ddl).expect("the schema");
    let query = "SELECT m.name, c.name FROM sqlite_schema AS m, pragma_table_info(m.name) AS c \
                 WHERE m.type = 'table' ORDER BY m.rowid, c.cid";
    let mut statement = database.prepare(query).expect("a query");
    let rows = statement.query_map([], |row| Ok((row.get(0)?, row.get(1)?))).expect("rows");
    rows.map(|row| row.expect("a row")).collect()
}

/// What comes of a corpus.
#[derive(Debug, Default)]
struct Tally {
    right: usize,
    cases: usize,
    /// A column, though none is right or another is.
    false_accepts: Vec<String>,
    /// Right of all, by kind of question.
    kinds: BTreeMap<String, (usize, usize)>,
}

fn measure(file: &str) -> Tally {
    let text = std::fs::read_to_string(testing::root().join("tests/resolver").join(file)).expect("the corpus");
    let corpus: Json = serde_json::from_str(&text).expect("JSON");
    let schemas = corpus["schemas"].as_object().expect("schemas").iter();
    let schemas: BTreeMap<&str, Vec<(String, String)>> =
        schemas.map(|(name, ddl)| (name.as_str(), columns(ddl.as_str().expect("statements")))).collect();
    let mut tally = Tally::default();
    for record in corpus["records"].as_array().expect("records") {
        let field = |field: &str| record[field].as_str();
        let name = field("name").expect("a name");
        let found = resolve_column(name, field("table"), &schemas[field("schema").expect("a schema")]).found;
        let is_right = found.as_deref() == field("gold");
        tally.cases += 1;
        tally.right += usize::from(is_right);
        let kind = tally.kinds.entry(field("kind").expect("a kind").to_owned()).or_default();
        *kind = (kind.0 + usize::from(is_right), kind.1 + 1);
        if let (Some(found), false) = (found, is_right) {
            tally.false_accepts.push(format!("{}: `{name}` is taken for `{found}`", field("id").expect("an id")));
        }
    }
    println!("{file}: {} of {} right, {} false accepts", tally.right, tally.cases, tally.false_accepts.len());
    tally
}

#[test]
fn the_own_corpus() {
    let tally = measure("own.json");
    assert!(tally.cases == 38 && tally.right >= 37 && tally.false_accepts.is_empty(), "{tally:#?}");
}

#[test]
fn the_second_corpus() {
    let tally = measure("second.json");
    assert!(tally.cases == 200 && tally.right >= 185 && tally.false_accepts.is_empty(), "{tally:#?}");
}

/// Twelve further schemas, written while the signals were made, in three rounds: 103 of 125 (5 false accepts), 76 of 100 (3), and 63 of 75 (1)
/// were right when they were first asked.
#[test]
fn further_schemas() {
    let tally = measure("more.json");
    assert!(tally.cases == 300 && tally.right >= 275 && tally.false_accepts.len() <= 2, "{tally:#?}");
}

/// Twelve schemas of yet other trades, written and answered by people who had not read the resolver, and measured when it was done: 189 of 228 were right,
/// 8 false accepts. It was not changed since.
#[test]
fn the_third_corpus() {
    let tally = measure("third.json");
    assert!(tally.cases == 228 && tally.right >= 189 && tally.false_accepts.len() <= 8, "{tally:#?}");
}

/// The mean of an amount in an arm.
fn mean<'a>(arm: &'a Json, what: &str) -> &'a Json {
    let found = arm["means"].as_array().expect("means").iter().find(|mean| mean["what"] == what);
    found.unwrap_or_else(|| panic!("{what} is missing in {arm}"))
}

#[test]
fn an_agent_with_the_tool_needs_fewer_attempts_than_one_that_guesses() {
    let home = tempfile::tempdir().expect("a folder");
    let at = home.path();
    let suite = root().join("suites/resolver.pcd").display().to_string();
    expect_success(at, &["build", &suite, "-o", "bundle", "--seed", "1", "--quiet"]);
    let server = Server::new(agents::answer);
    let agent = format!("openai:{}/v1#scripted", server.url);
    let mut run = Command::new(testing::find_program());
    // A key that is in a reply is hidden, and `none` is a reply.
    run.env("OPENAI_API_KEY", "a key of nobody").current_dir(at);
    let ran: CommandOutput =
        run.args(["run", "bundle", "--agent", &agent, "-o", "run", "--quiet"]).output().expect("it starts").into();
    assert!(ran.status.success(), "{}", ran.join_output());
    let reported = expect_success(at, &["report", "run", "--by", "variant", "--against", "alone", "--json"]);
    fs::write(at.join("report.json"), &reported).expect("written");
    let reported: Json = serde_json::from_str(&reported).expect("JSON");
    let arms = reported["by"][0]["arms"].as_array().expect("arms");
    let [alone, helped] = arms.as_slice() else { panic!("{reported}") };
    assert_eq!((&alone["name"], &helped["name"]), (&json!("alone"), &json!("helped")));
    println!("{}", expect_success(at, &["report", "run", "--by", "variant", "--against", "alone"]));

    // Who asks is right more often, and tries less in vain.
    let right = |arm: &Json| arm["right"]["correct"].as_u64().expect("a count");
    assert!(right(helped) >= 60 && right(helped) > right(alone) + 10, "{} and {}", right(helped), right(alone));
    for what in ["wasted_calls", "sql_retries"] {
        let (with, without) = (mean(helped, what), mean(alone, what));
        let number = |mean: &Json| mean["mean"].as_f64().expect("a number");
        assert!(number(with) < number(without), "{what}: {with} and {without}");
        assert!(with["against"]["p"].as_f64() < Some(0.01), "{what}: {with}");
    }

    // The calls are in the transcripts as those of other tools.
    let transcript =
        fs::read_to_string(at.join("run/transcripts/column-own_shop_03-helped-1.1.jsonl")).expect("a transcript");
    assert!(transcript.contains("resolve_column") && transcript.contains("order_lines.qty"), "{transcript}");

    let Some(interpreter) = STATISTICS.find_interpreter_or_skip("what SciPy says of the two agents") else { return };
    let script = root().join("tests/python/ab.py");
    let python: CommandOutput = Command::new(interpreter)
        .arg(script)
        .args([at.join("run"), at.join("report.json")])
        .args(["helped", "alone"])
        .env("PYTHONDONTWRITEBYTECODE", "1")
        .output()
        .expect("it starts")
        .into();
    assert!(python.status.success(), "{}", python.join_output());
    println!("{}", python.out);
}

#[test]
fn the_tool_is_offered_to_those_who_ask_for_it() {
    let home = tempfile::tempdir().expect("a folder");
    let path = home.path().join("shop.db");
    sqlite::init_process().expect("SQLite");
    let database = Connection::open(&path).expect("a database");
    database.execute_batch("CREATE TABLE orders (id INTEGER PRIMARY KEY, qty INT, created_at TEXT)").expect("a table");
    drop(database);
    let ask = |arguments: Json| json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "resolve_column", "arguments": arguments}});
    let requests = [
        json!({"jsonrpc": "2.0", "id": 1, "method": "tools/list"}),
        ask(json!({"database": "shop.db", "name": "quantity"})),
        ask(json!({"database": "shop.db", "name": "created_by", "table": null})),
        ask(json!({"database": "shop.db", "name": "quantity", "table": "order"})),
        ask(json!({"database": "nothing.db", "name": "quantity"})),
        ask(json!({"database": "shop.db"})),
    ];
    let text: String = requests.iter().map(|request| format!("{request}\n")).collect();
    let served = |flags: &[&str]| -> Vec<Json> {
        let mut child = Command::new(testing::find_program())
            .args(["tools", "--sandbox"])
            .arg(home.path())
            .args(flags)
            .stdin(std::process::Stdio::piped())
            .stdout(std::process::Stdio::piped())
            .spawn()
            .expect("it starts");
        std::io::Write::write_all(&mut child.stdin.take().expect("piped"), text.as_bytes()).expect("written");
        let output = child.wait_with_output().expect("it ends");
        let lines = String::from_utf8(output.stdout).expect("text");
        lines.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect()
    };
    let said = served(&["--tools", "run_sql,resolve_column"]);
    let offered = &said[0]["result"]["tools"];
    assert_eq!(offered[1]["name"], "resolve_column", "{offered}");
    assert_eq!(offered[1]["inputSchema"]["required"], json!(["database", "name"]));
    let told: Vec<&str> =
        said[1..].iter().map(|one| one["result"]["content"][0]["text"].as_str().expect("a text")).collect();
    assert_eq!(told[0], r#"{"match":"orders.qty","score":0.98,"others":[]}"#);
    assert!(told[1].starts_with(r#"{"match":null,"#), "{told:?}");
    assert_eq!(told[2], "error: no such table: order");
    assert!(told[3].starts_with("error: "), "{told:?}");
    assert_eq!(told[4], "error: `name` is missing");
    // Without being asked for, it is not there.
    let said = served(&[]);
    assert_eq!(said[0]["result"]["tools"].as_array().map(Vec::len), Some(5));
    assert_eq!(said[1]["error"]["message"], "error: unknown tool `resolve_column`");
}
